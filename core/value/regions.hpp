// SPDX-License-Identifier: MIT
// The memory that a value may refer to.
#pragma once

#include <polycodec/bytes.hpp>

#include "core/value/value.hpp"

#include <cstdint>
#include <string_view>

namespace polycodec {

/// Memory that a pointer inside a value may point to.
class Regions {
 public:
  /// Returns the region with [data, data + size), or a part of it around these bytes, so that what
  /// is near need not be asked for; empty if there is none. Size is not 0. [thread-safe]
  virtual std::string_view region_of(const void* data, std::uint64_t size) const noexcept = 0;
  /// True if [data, data + size) lies in one region. Of size 0 every pointer does. [thread-safe]
  bool contains(const void* data, std::uint64_t size) const noexcept {
    return size == 0 || !region_of(data, size).empty();
  }
  /// False if another process may change some of the memory while it is in use. [thread-safe]
  bool is_stable() const noexcept { return always_stable_ || do_is_stable(); }
  /// True if these bytes, which lie in a region, may change so. [thread-safe]
  virtual bool may_change(const void* data, std::uint64_t size) const noexcept {
    return !is_stable() && contains(data, size);
  }

 protected:
  /// `always_stable` false: do_is_stable() decides.
  explicit Regions(bool always_stable = true) noexcept : always_stable_(always_stable) {}
  Regions(const Regions&) = default;
  Regions& operator=(const Regions&) = default;
  ~Regions() = default;

 private:
  virtual bool do_is_stable() const noexcept { return true; }
  bool always_stable_;  // no call for most
};

/// The region if [data, data + size) lies in it, else nothing.
inline std::string_view region_around(std::string_view region, const void* data,
                                      std::uint64_t size) noexcept {
  const auto from =
      reinterpret_cast<std::uintptr_t>(data) - reinterpret_cast<std::uintptr_t>(region.data());
  return from < region.size() && size <= region.size() - from ? region : std::string_view();
}

/// How the error for a pointer to other memory begins.
inline constexpr std::string_view stray_pointer = "stray pointer to ";

/// validate() of value.hpp, which also checks that all that the value points to lies in
/// `regions` (or null). Throws Error(Status::plugin) for a stray pointer. Structure that others may
/// change is copied to `copies` before it is checked, unless that is null; only arrays that lie
/// there themselves may refer to such memory. `regions` has all that `copies` has.
void validate(const polycodec_node* root, const Limits& limits, Validation validation,
              const Regions* regions, Arena* copies = nullptr);

}  // namespace polycodec
