// SPDX-License-Identifier: MIT
#include <base/json_cursor.hpp>
#include <base/path.hpp>
#include <base/quote.hpp>
#include <base/wanted.hpp>
#include <polycodec/bytes.hpp>
#include <polycodec/error.hpp>

namespace polycodec {
namespace {

[[noreturn]] void refuse(std::string_view path, const std::string& rule) {
  throw Error(Status::option, "no path of members (" + quote(path) + "): " + rule)
      .detail("projection.path");
}

bool is_word(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Takes the first step off `rest` and returns the name of the member.
std::string take_step(std::string_view& rest, std::string_view path) {
  if (rest.front() == '.') {
    std::size_t size = 1;
    while (size < rest.size() && is_word(rest[size])) ++size;
    if (size == 1) refuse(path, R"(a name follows each '.'; write other keys as ["any key"])");
    std::string name(rest.substr(1, size - 1));
    rest.remove_prefix(size);
    return name;
  }
  if (rest.starts_with("[\"")) {
    JsonCursor cursor(rest.substr(1));
    try {
      std::string name(cursor.string());
      cursor.expect(']');
      rest.remove_prefix(1 + cursor.at());
      return name;
    } catch (const Error&) {
      refuse(path, R"(a key is a JSON string in brackets: ["any key"])");
    }
  }
  if (rest.front() == '[')
    refuse(path, "items have no place of their own in it; name the list, and choose rows");
  refuse(path, R"(it is $, then .name or ["any key"] for each member)");
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
  if (!path.starts_with(path_root)) refuse(path, R"(it begins with $, the root)");
  Wanted* at = this;
  for (std::string_view rest = path.substr(path_root.size()); !rest.empty();) {
    const std::string name = take_step(rest, path);
    if (at->whole_) return;
    auto* found = const_cast<Wanted*>(at->find(name));
    if (found == nullptr || at->all()) {
      at->members_.push_back({name, {}});
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
