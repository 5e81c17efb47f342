// SPDX-License-Identifier: MIT
// What a conversion cannot carry: the host allows it or refuses it, by class. See docs/loss.md.
#pragma once

#include <polycodec/call.hpp>
#include <polycodec/error.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace polycodec {

/// One thing that the result lacks.
struct Loss {
  std::string path;  ///< where, such as `$.vertex.quality`
  std::string what;  ///< for humans, such as "a weight of 2"
  LossClass loss_class = LossClass::data;
};

/// The losses of one call, which are gathered before anything is written and then settled at once,
/// so that a refusal names all of them. For one thread.
class Losses {
 public:
  void add(std::string path, std::string what, LossClass loss_class = LossClass::data) {
    add({std::move(path), std::move(what), loss_class});
  }
  void add(Loss loss) { all_.push_back(std::move(loss)); }
  bool empty() const noexcept { return all_.empty(); }
  const std::vector<Loss>& all() const noexcept { return all_; }

  /// Reports every loss. If the host does not allow one: throws Error(Status::unsupported) with the
  /// path of the first and this detail word, which names the first eight of the class. `format` is
  /// what cannot hold them, such as "PLY".
  void settle(const Call& call, std::string_view format, const char* detail) const {
    for (const Loss& loss : all_) {
      try {
        call.report_loss(loss.loss_class, loss.path, loss.what);
      } catch (const Error& e) {
        if (e.code() != Status::unsupported) throw;
        refuse(loss.loss_class, format, detail);
      }
    }
  }

 private:
  /// The advice comes before the list, of which losses of one kind take one place: a reader that
  /// cuts the message still has it.
  [[noreturn]] void refuse(LossClass loss_class, std::string_view format,
                           const char* detail) const {
    constexpr std::size_t most_kinds = 4, most_paths = 4;
    struct Alike {
      const Loss* first;
      std::string paths;
      std::size_t count;
    };
    std::vector<Alike> kinds;
    std::size_t count = 0;
    for (const Loss& loss : all_) {
      if (loss.loss_class != loss_class) continue;
      ++count;
      const auto same = [&](const Alike& kind) { return kind.first->what == loss.what; };
      auto kind = std::find_if(kinds.begin(), kinds.end(), same);
      if (kind == kinds.end()) kind = kinds.insert(kind, {&loss, {}, 0});
      if (kind->count++ < most_paths)
        kind->paths.append(kind->paths.empty() ? "" : ", ").append(loss.path.substr(0, 60));
    }
    std::string list;
    for (std::size_t i = 0; i < kinds.size() && i < most_kinds; ++i) {
      const Alike& kind = kinds[i];
      list.append(i == 0 ? "" : "; ").append(kind.paths);
      if (kind.count > most_paths)
        list += " and " + std::to_string(kind.count - most_paths) + " more";
      list += " (" + kind.first->what + ")";
    }
    if (kinds.size() > most_kinds)
      list += "; and " + std::to_string(kinds.size() - most_kinds) + " other kinds";
    std::string message(format);
    message += count == 1 ? " cannot store " + list + "; use call.losses to omit it"
                          : " cannot store " + std::to_string(count) +
                                " parts of the value; use call.losses to omit them: " + list;
    throw Error(Status::unsupported, message).detail(detail).path(kinds.front().first->path);
  }

  std::vector<Loss> all_;
};

}  // namespace polycodec
