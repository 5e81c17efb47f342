// SPDX-License-Identifier: MIT
#include "leaf.hpp"

#include <polycodec/checked.hpp>
#include <polycodec/dtype.hpp>
#include <polycodec/quote.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <string>
#include <utility>

namespace polycodec::yggdrasil {
namespace {

constexpr std::array<std::string_view, 17> type_words = {
    "scalar",  "int",     "uint",    "float",     "complex",  "bytes",
    "unicode", "ndarray", "1darray", "class",     "function", "instance",
    "schema",  "ply",     "obj",     "polycodec", ""};
constexpr std::array<std::string_view, 8> subtypes = {"",        "int",    "uint",  "float",
                                                      "complex", "string", "bytes", "unicode"};
constexpr std::array<std::string_view, 6> encodings = {"",      "ASCII", "UTF8",
                                                       "UTF16", "UTF32", "UCS4"};

template <std::size_t N>
std::size_t place(const std::array<std::string_view, N>& words, std::string_view word) noexcept {
  for (std::size_t i = 0; i < N; ++i)
    if (words[i] == word) return i;
  return N;
}

[[noreturn]] void fail(const char* detail, std::string message, Status status = Status::malformed) {
  throw Error(status, std::move(message)).detail(detail);
}

std::uint64_t size_of(NodeView number, const char* detail, const char* what) {
  if (number.kind() != POLYCODEC_KIND_SIGNED && number.kind() != POLYCODEC_KIND_UNSIGNED)
    fail(detail, std::string(what) + " is not an integer");
  if (number.kind() == POLYCODEC_KIND_SIGNED && number.node()->as.i64 < 0)
    fail(detail, std::string(what) + " is negative");
  return number.node()->as.u64;
}

std::int64_t extent_of(NodeView number) {
  const std::uint64_t extent = size_of(number, "yggdrasil.bad_shape", "an extent of the shape");
  if (extent > static_cast<std::uint64_t>(INT64_MAX))
    fail("yggdrasil.bad_shape", "an extent of " + std::to_string(extent) + " elements");
  return static_cast<std::int64_t>(extent);
}

std::string_view text_of(NodeView value, const char* key) {
  if (!value.is_string())
    fail("yggdrasil.bad_schema", std::string("\"") + key + "\" of a schema is not a string");
  return value.as_string();
}

}  // namespace

std::string_view to_string(TypeWord word) noexcept {
  return type_words[static_cast<std::size_t>(word)];
}
TypeWord type_word(std::string_view text) noexcept {
  const std::size_t i = place(type_words, text);
  return i < static_cast<std::size_t>(TypeWord::other) ? static_cast<TypeWord>(i) : TypeWord::other;
}
std::string_view to_string(Subtype subtype) noexcept {
  return subtypes[static_cast<std::size_t>(subtype)];
}
std::string_view to_string(Encoding encoding) noexcept {
  return encodings[static_cast<std::size_t>(encoding)];
}
Encoding encoding_from(std::string_view name) noexcept {
  const std::size_t i = place(encodings, name);
  return i < encodings.size() ? static_cast<Encoding>(i) : Encoding::none;
}

bool has_subtype(std::uint32_t dtype) noexcept {
  return (dtype >= POLYCODEC_DTYPE_INT8 && dtype <= POLYCODEC_DTYPE_INT64) ||
         (dtype >= POLYCODEC_DTYPE_UINT8 && dtype <= POLYCODEC_DTYPE_UINT64) ||
         (dtype >= POLYCODEC_DTYPE_FLOAT16 && dtype <= POLYCODEC_DTYPE_FLOAT64) ||
         dtype == POLYCODEC_DTYPE_COMPLEX64 || dtype == POLYCODEC_DTYPE_COMPLEX128 ||
         is_fixed(dtype);
}

Subtype subtype_of(std::uint32_t dtype) noexcept {
  if (is_fixed(dtype)) return Subtype::string;
  if (dtype <= POLYCODEC_DTYPE_INT64) return Subtype::int_;
  if (dtype <= POLYCODEC_DTYPE_UINT64) return Subtype::uint;
  return dtype <= POLYCODEC_DTYPE_FLOAT64 ? Subtype::float_ : Subtype::complex;
}

bool is_leaf_key(std::string_view key) noexcept {
  return key == "type" || key == "subtype" || key == "precision" || key == "shape" ||
         key == "length" || key == "encoding";
}

Leaf Leaf::from(NodeView schema, bool bits) {
  if (!schema.is_object())
    fail("yggdrasil.bad_schema", "the schema of a typed value is not a JSON object");
  Leaf leaf;
  bool has_type = false;
  for (std::uint64_t i = 0; i < schema.size(); ++i) {
    const std::string_view key = schema.key(i).as_string();
    const NodeView value = schema.value(i);
    if (key == "type") {
      leaf.type = type_word(text_of(value, "type"));
      has_type = true;
    } else if (key == "subtype") {
      const std::string_view word = text_of(value, "subtype");
      const std::size_t at = place(subtypes, word);
      if (at == 0 || at == subtypes.size())
        fail("yggdrasil.unknown_subtype",
             "unknown subtype " + quote(word) +
                 "; known are int, uint, float, complex, string, bytes and unicode");
      leaf.subtype = static_cast<Subtype>(at);
    } else if (key == "precision") {
      leaf.precision = size_of(value, "yggdrasil.bad_precision", "the precision");
      if (bits && leaf.precision % 8 != 0)
        fail("yggdrasil.bad_precision", "a precision of " + std::to_string(leaf.precision) +
                                            " bits is not a number of whole bytes");
      if (bits) leaf.precision /= 8;
      leaf.has_precision = true;
    } else if (key == "shape") {
      if (!value.is_list()) fail("yggdrasil.bad_shape", "the shape is not a list of dimensions");
      if (value.size() > POLYCODEC_MAX_NDIM)
        fail("yggdrasil.bad_shape",
             "a shape of " + std::to_string(value.size()) + " dimensions; at most " +
                 std::to_string(POLYCODEC_MAX_NDIM) + " are supported",
             Status::unsupported);
      leaf.shape.clear();
      for (std::uint64_t axis = 0; axis < value.size(); ++axis)
        leaf.shape.push_back(extent_of(value[axis]));
      leaf.has_shape = true;
    } else if (key == "length") {
      leaf.shape.assign(1, extent_of(value));
      leaf.has_shape = true;
    } else if (key == "encoding") {
      const std::string_view name = text_of(value, "encoding");
      leaf.encoding = encoding_from(name);
      if (leaf.encoding == Encoding::none)
        fail("yggdrasil.unknown_encoding",
             "unknown encoding " + quote(name) + "; known are ASCII, UTF8, UTF16, UTF32 and UCS4");
    }
  }
  if (!has_type) fail("yggdrasil.bad_schema", "the schema of a typed value has no \"type\"");
  return leaf;
}

void Leaf::resolve_scalar_type() {
  const auto bad = [&] {
    fail("yggdrasil.bad_precision", "no " + std::string(to_string(subtype)) +
                                        " has a precision of " + std::to_string(precision) +
                                        " bytes");
  };
  const auto pick = [&](std::initializer_list<std::uint8_t> dtypes) {
    for (const std::uint8_t candidate : dtypes)
      if (dtype_size(candidate) == precision) dtype = candidate;
    if (dtype == 0) bad();
  };
  if ((subtype == Subtype::float_ && precision == 16) ||
      (subtype == Subtype::complex && precision == 32))
    fail("yggdrasil.long_double",
         "a long double: 80 bits of an x87 processor in 16 bytes, which no reader of the format "
         "understands; send it "
         "as float64",
         Status::unsupported);
  switch (subtype) {
    case Subtype::int_:
      return pick({POLYCODEC_DTYPE_INT8, POLYCODEC_DTYPE_INT16, POLYCODEC_DTYPE_INT32,
                   POLYCODEC_DTYPE_INT64});
    case Subtype::uint:
      return pick({POLYCODEC_DTYPE_UINT8, POLYCODEC_DTYPE_UINT16, POLYCODEC_DTYPE_UINT32,
                   POLYCODEC_DTYPE_UINT64});
    case Subtype::float_:
      return pick({POLYCODEC_DTYPE_FLOAT16, POLYCODEC_DTYPE_FLOAT32, POLYCODEC_DTYPE_FLOAT64});
    default:
      return pick({POLYCODEC_DTYPE_COMPLEX64, POLYCODEC_DTYPE_COMPLEX128});
  }
}

void Leaf::resolve(bool shape_needed) {
  if (!is_array() && !is_scalar()) return;
  if (type >= TypeWord::int_ && type <= TypeWord::unicode) {
    constexpr Subtype implied[] = {Subtype::int_,    Subtype::uint,  Subtype::float_,
                                   Subtype::complex, Subtype::bytes, Subtype::unicode};
    const Subtype own =
        implied[static_cast<std::size_t>(type) - static_cast<std::size_t>(TypeWord::int_)];
    const bool agrees = subtype == Subtype::none || subtype == own ||
                        (own >= Subtype::string && subtype == Subtype::string);
    if (!agrees)
      fail("yggdrasil.bad_schema", "the type \"" + std::string(to_string(type)) +
                                       "\" has no subtype \"" + std::string(to_string(subtype)) +
                                       '"');
    subtype = own;
  }
  if (subtype == Subtype::none)
    fail("yggdrasil.unknown_subtype", "the schema of a number or text has no \"subtype\"");
  if (is_array() && !has_shape && shape_needed)
    fail("yggdrasil.bad_shape", "the schema of an array has neither \"shape\" nor \"length\"");
  if (is_scalar() && !shape.empty()) fail("yggdrasil.bad_shape", "a scalar has no shape");
  if (type == TypeWord::array1d && has_shape && shape.size() != 1)
    fail("yggdrasil.bad_shape", "a 1darray of " + std::to_string(shape.size()) + " dimensions");

  if (is_string()) {
    if (subtype == Subtype::unicode && encoding == Encoding::none) encoding = Encoding::ucs4;
    if (is_array() && !has_precision)
      fail("yggdrasil.bad_precision", "the schema of an array of strings has no \"precision\"");
    const std::uint32_t unit = encoding == Encoding::utf16   ? 2
                               : encoding >= Encoding::utf32 ? 4
                                                             : 1;
    if (precision % unit != 0)
      fail("yggdrasil.bad_precision", "strings of " + std::to_string(precision) +
                                          " bytes are not a multiple of the size of " +
                                          std::string(to_string(encoding)) + " units");
    if (precision > UINT32_MAX)
      fail("yggdrasil.bad_precision", "strings of " + std::to_string(precision) + " bytes each",
           Status::unsupported);
    constexpr std::uint8_t dtypes[] = {POLYCODEC_DTYPE_FIXED_BYTES, POLYCODEC_DTYPE_FIXED_UTF8,
                                       POLYCODEC_DTYPE_FIXED_UTF8,  POLYCODEC_DTYPE_FIXED_UTF16,
                                       POLYCODEC_DTYPE_FIXED_UTF32, POLYCODEC_DTYPE_FIXED_UTF32};
    dtype = dtypes[static_cast<std::size_t>(encoding)];
  } else {
    if (!has_precision)
      fail("yggdrasil.bad_precision", "the schema of a number has no \"precision\"");
    resolve_scalar_type();
  }
  item_size = static_cast<std::uint32_t>(precision);
  sized = has_precision;
  // As for any array: the extents that are not 0 must fit in memory even if the array is empty.
  std::uint64_t room = std::max<std::uint64_t>(precision, 1);
  bool fits = true;
  for (const std::int64_t extent : shape) {
    count *= static_cast<std::uint64_t>(extent);
    fits = fits && (extent == 0 || checked_mul(room, static_cast<std::uint64_t>(extent), room));
  }
  if (!fits || room > static_cast<std::uint64_t>(INT64_MAX))
    fail("yggdrasil.bad_shape", "the shape has more elements than any memory holds");
  bytes = count * precision;
}

namespace {

constexpr std::array<std::string_view, 6> kinds = {"map",    "extension", "member",
                                                   "scalar", "ndarray",   "time"};
constexpr std::pair<std::uint8_t, std::string_view> dtypes[] = {
    {POLYCODEC_DTYPE_INT128, "int128"},          {POLYCODEC_DTYPE_UINT128, "uint128"},
    {POLYCODEC_DTYPE_FLOAT128, "float128"},      {POLYCODEC_DTYPE_COMPLEX32, "complex32"},
    {POLYCODEC_DTYPE_TIMESTAMP64, "datetime64"}, {POLYCODEC_DTYPE_DURATION64, "timedelta64"}};

}  // namespace

std::string_view to_string(OwnKind kind) noexcept {
  return kinds[static_cast<std::size_t>(kind)];
}

OwnKind own_kind(std::string_view word) noexcept {
  std::size_t i = 0;
  while (i < kinds.size() && kinds[i] != word) ++i;
  return static_cast<OwnKind>(i);
}

std::string_view own_dtype_name(std::uint32_t dtype) noexcept {
  for (const auto& [code, name] : dtypes)
    if (code == dtype) return name;
  return {};
}

std::uint8_t own_dtype(std::string_view name) noexcept {
  for (const auto& [code, known] : dtypes)
    if (known == name) return code;
  return POLYCODEC_DTYPE_NONE;
}

}  // namespace polycodec::yggdrasil
