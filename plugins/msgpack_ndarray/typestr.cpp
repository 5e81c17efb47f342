// SPDX-License-Identifier: MIT
#include "typestr.hpp"

#include <base/quote.hpp>
#include <polycodec/dtype.hpp>
#include <polycodec/error.hpp>

#include <string>

namespace polycodec::msgpack_ndarray {
namespace {

struct Known {
  std::string_view code;  // kind and size
  std::uint8_t dtype;
  std::string_view little, big;
};

constexpr Known known[] = {
    {"b1", POLYCODEC_DTYPE_BOOLEAN, "|b1", "|b1"},
    {"i1", POLYCODEC_DTYPE_INT8, "|i1", "|i1"},
    {"u1", POLYCODEC_DTYPE_UINT8, "|u1", "|u1"},
    {"i2", POLYCODEC_DTYPE_INT16, "<i2", ">i2"},
    {"i4", POLYCODEC_DTYPE_INT32, "<i4", ">i4"},
    {"i8", POLYCODEC_DTYPE_INT64, "<i8", ">i8"},
    {"u2", POLYCODEC_DTYPE_UINT16, "<u2", ">u2"},
    {"u4", POLYCODEC_DTYPE_UINT32, "<u4", ">u4"},
    {"u8", POLYCODEC_DTYPE_UINT64, "<u8", ">u8"},
    {"f2", POLYCODEC_DTYPE_FLOAT16, "<f2", ">f2"},
    {"f4", POLYCODEC_DTYPE_FLOAT32, "<f4", ">f4"},
    {"f8", POLYCODEC_DTYPE_FLOAT64, "<f8", ">f8"},
    {"c8", POLYCODEC_DTYPE_COMPLEX64, "<c8", ">c8"},
    {"c16", POLYCODEC_DTYPE_COMPLEX128, "<c16", ">c16"},
};

// True for types that numpy writes and that stay outside: strings, times, records, pointers,
// extended floats.
bool is_foreign(std::string_view code) {
  if (code == "f16" || code == "f12" || code == "c32" || code == "c24") return true;
  constexpr std::string_view kinds = "SaUVMmOt";
  return !code.empty() && kinds.find(code[0]) != std::string_view::npos;
}

}  // namespace

ElementType parse_typestr(std::string_view text) {
  const auto shown = [&] { return "typestr " + quote(text) + " "; };
  if (text.empty() || (text[0] != '<' && text[0] != '>' && text[0] != '|'))
    throw Error(Status::malformed, shown() + "does not start with a byte order: '<', '>' or '|'")
        .detail("ndarray.bad_typestr");
  const std::string_view code = text.substr(1);
  for (const Known& k : known) {
    if (k.code != code) continue;
    const std::uint32_t size = dtype_size(k.dtype);
    if (size > 1 && text[0] == '|')
      throw Error(Status::malformed, shown() + "gives no byte order for elements of " +
                                         std::to_string(size) + " bytes")
          .detail("ndarray.bad_typestr");
    const std::uint8_t order = size == 1 ? host_byte_order
                               : text[0] == '>'
                                   ? static_cast<std::uint8_t>(POLYCODEC_BIG_ENDIAN)
                                   : static_cast<std::uint8_t>(POLYCODEC_LITTLE_ENDIAN);
    return {k.dtype, order, size};
  }
  if (is_foreign(code))
    throw Error(Status::unsupported,
                shown() + "is a type that this format does not carry: only b, i, u, f and c")
        .detail("ndarray.unsupported_type");
  throw Error(Status::malformed, shown() + "names no type: expected one such as '<f8' or '|u1'")
      .detail("ndarray.bad_typestr");
}

std::string_view typestr_of(std::uint32_t dtype, std::uint8_t byte_order) noexcept {
  for (const Known& k : known)
    if (k.dtype == dtype) return byte_order == POLYCODEC_BIG_ENDIAN ? k.big : k.little;
  return {};
}

}  // namespace polycodec::msgpack_ndarray
