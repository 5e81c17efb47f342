// SPDX-License-Identifier: MIT
// What a difference says of the values that differ.
#pragma once

#include <base/dtype_names.hpp>
#include <base/hex.hpp>
#include <polycodec/dtype.hpp>
#include <polycodec/node_view.hpp>
#include <polycodec/path.hpp>
#include <polycodec/view.hpp>

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace polycodec::detail {

/// The type of the elements of an array, for users.
inline std::string dtype_text(std::uint32_t dtype) {
  if (dtype == POLYCODEC_DTYPE_TIMESTAMP64) return "datetime";
  if (dtype == POLYCODEC_DTYPE_DURATION64) return "timedelta";
  return is_fixed(dtype) ? "strings" : std::string(dtype_name(dtype));
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

/// The shortest decimal that reads back as the number, if it is a finite float; otherwise
/// number_text(). `as_double`: as a double, so that floats of two types can be compared by eye.
inline std::string decimal_text(const View& item, bool as_double) {
  if (item.kind() != POLYCODEC_KIND_FLOAT || !std::isfinite(item.as_double()))
    return number_text(item);
  char text[32];
  const bool narrow = !as_double && item.dtype() == POLYCODEC_DTYPE_FLOAT32;
  const auto end =
      narrow ? std::to_chars(text, text + sizeof text, static_cast<float>(item.as_double()))
             : std::to_chars(text, text + sizeof text, item.as_double());
  return std::string(text, end.ptr);
}

/// Two numbers that differ.
inline std::string numbers_text(const View& a, const View& b) {
  const bool wide = a.dtype() != b.dtype();
  return decimal_text(a, wide) + " and " + decimal_text(b, wide);
}

}  // namespace polycodec::detail
