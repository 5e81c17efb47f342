// SPDX-License-Identifier: MIT
// The memory that a value may refer to.
#pragma once

#include <polycodec/bytes.hpp>
#include <polycodec/value.hpp>

#include <cstdint>
#include <string_view>

namespace polycodec {

/// Memory that a pointer inside a value may point to.
class POLYCODEC_API Regions {
 public:
  /// True if [data, data + size) lies in one region. Of size 0 every pointer does. [thread-safe]
  virtual bool contains(const void* data, std::uint64_t size) const noexcept = 0;
  /// The region, or a part of it around these bytes, so that what is near need not be asked for;
  /// empty if there is none. [thread-safe]
  virtual std::string_view region_of(const void* data, std::uint64_t size) const noexcept {
    return contains(data, size) ? to_string_view(data, size) : std::string_view();
  }

 protected:
  Regions() = default;
  Regions(const Regions&) = default;
  Regions& operator=(const Regions&) = default;
  ~Regions() = default;
};

/// validate() of <polycodec/value.hpp>, which also checks that nodes, arrays and their buffers lie
/// in `regions` (or null). Throws Error(Status::plugin) for what lies elsewhere.
POLYCODEC_API void validate(const polycodec_node* root, const Limits& limits, Validation validation,
                            const Regions* regions);

}  // namespace polycodec
