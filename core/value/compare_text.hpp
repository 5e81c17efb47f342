// SPDX-License-Identifier: MIT
// What a difference says of the values that differ.
#pragma once

#include <base/dtype_names.hpp>
#include <base/hex.hpp>
#include <base/path.hpp>
#include <polycodec/dtype.hpp>
#include <polycodec/node_view.hpp>
#include <polycodec/view.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace polycodec::detail {

/// The type of the elements of an array, for people.
inline std::string dtype_text(std::uint32_t dtype) {
  if (dtype == POLYCODEC_DTYPE_TIMESTAMP64) return "datetime";
  if (dtype == POLYCODEC_DTYPE_DURATION64) return "timedelta";
  return is_fixed(dtype) ? "texts" : std::string(dtype_name(dtype));
}

inline bool is_number(const View& item) noexcept {
  return item.kind() >= POLYCODEC_KIND_SIGNED && item.kind() <= POLYCODEC_KIND_WIDE;
}

/// What kind of value this is; of a number its type.
inline std::string kind_text(const View& item) {
  const bool number = item.kind() >= POLYCODEC_KIND_BOOLEAN && item.kind() <= POLYCODEC_KIND_WIDE;
  return number ? dtype_text(item.dtype()) : std::string(kind_name(item.kind()));
}
/// A boolean, an integer of at most 64 bits, or the type and bits of another number.
inline std::string number_text(const View& item) {
  switch (item.kind()) {
    case POLYCODEC_KIND_BOOLEAN:
      return item.as_bool() ? "true" : "false";
    case POLYCODEC_KIND_SIGNED:
      return std::to_string(item.as_int64());
    case POLYCODEC_KIND_UNSIGNED:
      return std::to_string(item.as_uint64());
    default: {
      std::byte bits[16] = {};
      std::string text = dtype_text(item.dtype()) + " 0x";
      for (std::uint32_t i = item.copy_bits(bits); i-- > 0;)
        append_hex(text, static_cast<unsigned>(bits[i]), 2);
      return text;
    }
  }
}

}  // namespace polycodec::detail
