// SPDX-License-Identifier: MIT
#include <base/path_steps.hpp>
#include <base/wanted.hpp>
#include <polycodec/bytes.hpp>
#include <polycodec/error.hpp>
#include <polycodec/quote.hpp>

#include <string>
#include <utility>

namespace polycodec {
namespace {

constexpr int most_names = 1000;

[[noreturn]] void refuse(std::string_view path, const std::string& rule) {
  throw Error(Status::option, "no path of members (" + quote(path) + "): " + rule)
      .detail("projection.path");
}

}  // namespace

Wanted::Wanted(const polycodec_projection* projection) {
  if (projection == nullptr) return;
  for (std::uint32_t i = 0; i < projection->n_paths; ++i) add(to_string_view(projection->paths[i]));
}

Wanted::Wanted(std::span<const std::string> paths) {
  for (const std::string& path : paths) add(path);
}

void Wanted::add(std::string_view path) {
  Wanted* at = this;
  int names = 0;
  for (PathSteps steps(path); !steps.is_done();) {
    // They nest, and so do the walks over them.
    if (++names > most_names)
      refuse(path.substr(0, 100), "it has more than " + std::to_string(most_names) + " names");
    PathSteps::Step step = steps.next();
    if (step.is_index)
      refuse(path, "items have no place of their own in it; name the list, and choose rows");
    if (at->whole_) return;
    auto* found = const_cast<Wanted*>(at->find(step.name));
    if (found == nullptr || at->all()) {
      at->members_.push_back({std::move(step.name), {}});
      found = &at->members_.back().wanted;
    }
    at = found;
  }
  at->members_.clear();
  at->whole_ = true;
}

const Wanted* Wanted::find(std::string_view name) const noexcept {
  if (all()) return this;
  for (const Member& member : members_)
    if (member.name == name) return &member.wanted;
  return nullptr;
}

}  // namespace polycodec
