// SPDX-License-Identifier: MIT
#include "numpy_dtype.hpp"

#include <model/type/build.hpp>
#include <model/type/print.hpp>
#include <polycodec/dtype.hpp>
#include <polycodec/node_view.hpp>

#include <string_view>

namespace polycodec::awkward {
namespace {

// The letter of numpy's type codes; 0 for types that numpy has not.
char type_code(std::uint32_t dtype) noexcept {
  if (is_signed_integer(dtype)) return dtype == POLYCODEC_DTYPE_INT128 ? '\0' : 'i';
  if (is_unsigned_integer(dtype)) return dtype == POLYCODEC_DTYPE_UINT128 ? '\0' : 'u';
  if (is_float(dtype)) return dtype == POLYCODEC_DTYPE_FLOAT128 ? '\0' : 'f';
  if (is_complex(dtype)) return dtype == POLYCODEC_DTYPE_COMPLEX32 ? '\0' : 'c';
  return '\0';
}

std::string with_unit(std::string name, std::uint32_t unit) {
  if (unit != POLYCODEC_UNIT_NONE) name.append("[").append(time_unit_name(unit)).append("]");
  return name;
}

// The dtype that a file gave to what is now raw bytes. Others than these would read the bytes as
// something else.
std::string_view kept_name(const polycodec_array& leaf) {
  if (leaf.metadata == nullptr || leaf.dtype != POLYCODEC_DTYPE_FIXED_BYTES) return {};
  const auto attribute = NodeView(leaf.metadata).find("dtype");
  if (!attribute || !attribute->is_string()) return {};
  const std::string_view name = attribute->as_string();
  const bool known = ((name == "float128" || name == ">f16") && leaf.item_size == 16) ||
                     ((name == "complex256" || name == ">c32") && leaf.item_size == 32) ||
                     name == "|S" + std::to_string(leaf.item_size);
  return known ? name : std::string_view();
}

}  // namespace

NumpyDtype numpy_dtype(const polycodec_array& leaf) {
  const std::uint32_t dtype = leaf.dtype;
  const std::string size = std::to_string(leaf.item_size);
  const bool big = leaf.byte_order == POLYCODEC_BIG_ENDIAN && dtype_swap_width(dtype) != 1;
  const std::uint8_t order = big ? POLYCODEC_BIG_ENDIAN : POLYCODEC_LITTLE_ENDIAN;
  if (const std::string_view name = kept_name(leaf); !name.empty())
    return {std::string(name), {}, order, true};
  // What numpy has not goes as raw bytes, little-endian.
  const auto unknown = [&](std::string type) {
    return NumpyDtype{"|V" + size, std::move(type), POLYCODEC_LITTLE_ENDIAN};
  };
  switch (dtype) {
    case POLYCODEC_DTYPE_BOOLEAN:
      return {"bool", {}, order};
    case POLYCODEC_DTYPE_TIMESTAMP64:
      return {with_unit(big ? ">M8" : "datetime64", leaf.unit), {}, order};
    case POLYCODEC_DTYPE_DURATION64:
      return {with_unit(big ? ">m8" : "timedelta64", leaf.unit), {}, order};
    case POLYCODEC_DTYPE_FIXED_BYTES:
      // |S would lose zeros at the end.
      return {"|V" + size, {}, order};
    case POLYCODEC_DTYPE_FIXED_UTF8:
      return {"|S" + size, type::print(type::fixed_string(leaf.item_size)), order};
    case POLYCODEC_DTYPE_FIXED_UTF16:
      return unknown(type::print(type::fixed_string(leaf.item_size / 2, type::Encoding::utf16)));
    case POLYCODEC_DTYPE_FIXED_UTF32:
      return {(big ? ">U" : "<U") + std::to_string(leaf.item_size / 4), {}, order};
    default:
      break;
  }
  const char code = type_code(dtype);
  if (code == '\0') return unknown(std::string(dtype_name(dtype)));
  if (big) return {std::string(1, '>') + code + size, {}, order};
  if (code == 'c') return {leaf.item_size == 8 ? "complex64" : "complex128", {}, order};
  return {std::string(dtype_name(dtype)), {}, order};
}

}  // namespace polycodec::awkward
