// SPDX-License-Identifier: MIT
// Input bytes that end where inaccessible memory begins and that nobody may write to.
#pragma once

#include <cstddef>
#include <string_view>

namespace polycodec::kit {

/// A copy of some bytes. Reading after them, or writing to them, is a crash, with or without a
/// sanitizer.
class GuardedBytes {
 public:
  explicit GuardedBytes(std::string_view bytes);
  ~GuardedBytes();
  GuardedBytes(const GuardedBytes&) = delete;
  GuardedBytes& operator=(const GuardedBytes&) = delete;
  std::string_view view() const noexcept { return view_; }
  /// How many of the bytes anybody has looked at: whole pages, of more than 1 MiB. Otherwise, and
  /// where the system does not say it, 0.
  std::size_t looked_at() const noexcept;

 private:
  void* mapping_;
  std::size_t mapped_;
  bool is_untouched_ = false;  ///< the pages are mapped when they are looked at
  std::string_view view_;
};

}  // namespace polycodec::kit
