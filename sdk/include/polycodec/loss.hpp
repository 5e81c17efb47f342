// SPDX-License-Identifier: MIT
// What a conversion cannot carry: refused by name, or left out and told, as the host decides. See docs/loss.md.
#pragma once

#include <polycodec/codec.hpp>
#include <polycodec/error.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace polycodec {

/// One thing that the result lacks.
struct Loss {
  std::string path;  ///< where it stands in the value, such as `$.vertex.quality`
  std::string what;  ///< for people, such as "a weight of 2"
};

/// The losses of one call, which are gathered before anything is written and then settled at once: so a refusal names
/// all of them, and the host hears of each. For one thread.
class Losses {
 public:
  void add(std::string path, std::string what) { all_.push_back({std::move(path), std::move(what)}); }
  bool empty() const noexcept { return all_.empty(); }
  const std::vector<Loss>& all() const noexcept { return all_; }

  /// Reports every loss to the host of `call`. If the host allows none and there is one: throws
  /// Error(Status::unsupported) with the path of the first and this detail word, which names the first eight.
  /// `format` is what cannot hold them, such as "PLY".
  void settle(const Call& call, std::string_view format, const char* detail) const {
    if (all_.empty()) return;
    if (call.allows_loss()) {
      for (const Loss& loss : all_) call.report_loss(loss.path, loss.what);
      return;
    }
    constexpr std::size_t named = 8;
    std::string message(format);
    message += " cannot hold ";
    for (std::size_t i = 0; i < all_.size() && i < named; ++i)
      message.append(i == 0 ? "" : "; ").append(all_[i].path.substr(0, 60)).append(" (" + all_[i].what + ")");
    if (all_.size() > named) message += "; and " + std::to_string(all_.size() - named) + " more";
    throw Error(Status::unsupported, message + ": allow loss to leave them out").detail(detail).path(all_[0].path);
  }

 private:
  std::vector<Loss> all_;
};

}  // namespace polycodec
