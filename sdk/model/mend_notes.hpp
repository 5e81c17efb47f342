// SPDX-License-Identifier: MIT
// Places of a file that a tolerant reader mended.
#pragma once

#include <polycodec/call.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polycodec {

/// The places that were mended in one call. The first ones are kept, the others counted. For one
/// thread.
class MendNotes {
 public:
  static constexpr std::size_t most_shown = 32;

  /// `path` is where in the value, `what` says line, byte, what is wrong and what it was read as.
  void add(std::string path, std::string what) {
    if (count_++ < most_shown) shown_.emplace_back(std::move(path), std::move(what));
  }
  bool full() const noexcept { return count_ >= most_shown; }
  /// Counts a place that is not described any more.
  void count() noexcept { ++count_; }

  /// Reports each place that was kept as a loss of the class `note`, and how many others there are.
  void report(const Call& call) const {
    for (const auto& [path, what] : shown_) call.report_loss(LossClass::note, path, what);
    if (count_ > shown_.size())
      call.report_loss(LossClass::note, "$",
                       std::to_string(count_ - shown_.size()) + " further places were mended");
  }

 private:
  std::uint64_t count_ = 0;
  std::vector<std::pair<std::string, std::string>> shown_;
};

/// The number that a word can be, such as `-1.#IND`, `-nan(ind)` (NaN) or `0,5`: what it starts
/// with, 0 if that is not a number.
double mended_number(std::string_view word);

}  // namespace polycodec
