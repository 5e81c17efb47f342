// SPDX-License-Identifier: MIT
#include "compare_text.hpp"

#include <polycodec/dtype.hpp>
#include <polycodec/path.hpp>
#include <polycodec/view.hpp>

#include <cstddef>

namespace polycodec::detail {

std::string dtype_text(std::uint32_t dtype) {
  if (dtype == POLYCODEC_DATETIME64) return "datetime";
  if (dtype == POLYCODEC_TIMEDELTA64) return "timedelta";
  return is_fixed(dtype) ? "texts" : std::string(dtype_name(dtype));
}

std::string kind_text(const Item& item) {
  const bool number = item.kind() >= POLYCODEC_BOOLEAN && item.kind() <= POLYCODEC_WIDE;
  return number ? dtype_text(item.dtype()) : std::string(View::kind_name(item.kind()));
}

std::string number_text(const Item& item) {
  switch (item.kind()) {
    case POLYCODEC_BOOLEAN:
      return item.as_bool() ? "true" : "false";
    case POLYCODEC_SIGNED:
      return std::to_string(item.as_int64());
    case POLYCODEC_UNSIGNED:
      return std::to_string(item.as_uint64());
    default: {
      std::byte bits[16] = {};
      std::string text = dtype_text(item.dtype()) + " 0x";
      for (std::uint32_t i = item.copy_bits(bits); i-- > 0;) {
        constexpr std::string_view digits = "0123456789abcdef";
        const auto byte = static_cast<unsigned>(bits[i]);
        text += digits[byte >> 4];
        text += digits[byte & 15];
      }
      return text;
    }
  }
}

std::string shortened(std::string_view text) {
  std::string path;
  append_key(path, text);
  return path[0] == '.' ? path.substr(1) : path.substr(2, path.size() - 4);
}

}  // namespace polycodec::detail
