// SPDX-License-Identifier: MIT
#include <base/dtype_names.hpp>
#include <base/words.hpp>
#include <model/type/build.hpp>
#include <model/type/print.hpp>
#include <polycodec/checked.hpp>
#include <polycodec/dtype.hpp>
#include <polycodec/error.hpp>
#include <polycodec/node_view.hpp>
#include <polycodec/path.hpp>
#include <polycodec/quote.hpp>

#include "numpy.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

namespace polycodec::awkward {
namespace {

constexpr std::uint32_t max_nesting = 64;
constexpr std::uint64_t max_item_size = INT32_MAX;  // numpy's own

[[noreturn]] void fail(const std::string& path, Status status, std::string_view word,
                       const std::string& why) {
  throw Error(status, why).detail(word).path(path);
}

constexpr std::uint32_t opaque_float = POLYCODEC_DTYPE_COUNT;
constexpr std::uint32_t opaque_complex = POLYCODEC_DTYPE_COUNT + 1;

/// The names of a dtype: words, codes with a size, and codes of one letter.
struct Named {
  std::string_view names;
  std::uint32_t dtype;
};

constexpr Named plain_types[] = {
    {"bool bool_ bool8 b1 ?", POLYCODEC_DTYPE_BOOLEAN},
    {"int8 byte i1 b", POLYCODEC_DTYPE_INT8},
    {"int16 short i2 h", POLYCODEC_DTYPE_INT16},
    {"int32 intc i4 i", POLYCODEC_DTYPE_INT32},
    {"int64 int int_ long longlong intp i8 l p q", POLYCODEC_DTYPE_INT64},
    {"uint8 ubyte u1 B", POLYCODEC_DTYPE_UINT8},
    {"uint16 ushort u2 H", POLYCODEC_DTYPE_UINT16},
    {"uint32 uintc u4 I", POLYCODEC_DTYPE_UINT32},
    {"uint64 uint ulong ulonglong uintp u8 L P Q", POLYCODEC_DTYPE_UINT64},
    {"float16 half f2 e", POLYCODEC_DTYPE_FLOAT16},
    {"float32 single f4 f", POLYCODEC_DTYPE_FLOAT32},
    {"float64 float double float_ f8 d", POLYCODEC_DTYPE_FLOAT64},
    {"complex64 csingle c8 F", POLYCODEC_DTYPE_COMPLEX64},
    {"complex128 complex cdouble cfloat complex_ c16 D", POLYCODEC_DTYPE_COMPLEX128},
    {"float128 longdouble f16 g", opaque_float},
    {"complex256 clongdouble c32 G", opaque_complex},
};

/// All of `text` as a count; nothing if it is none.
std::optional<std::uint64_t> count_of(std::string_view text) {
  std::uint64_t count = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (code != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return count;
}

void set_size(NumpyType& type, std::uint64_t size, const std::string& path) {
  if (size > max_item_size)
    fail(path, Status::limit, "dtype.size", "an element of this dtype has more than 2^31 bytes");
  type.base_size = type.item_size = size;
}

/// S5, U5, V5 and the like.
bool parse_sized(std::string_view code, NumpyType& type, const std::string& path) {
  const char kind = code[0];
  if (kind != 'S' && kind != 'a' && kind != 'U' && kind != 'V') return false;
  const auto count = code.size() == 1 ? std::optional<std::uint64_t>(0) : count_of(code.substr(1));
  if (!count) return false;
  type.dtype = kind == 'U' ? POLYCODEC_DTYPE_FIXED_UTF32 : POLYCODEC_DTYPE_FIXED_BYTES;
  type.zero_ends = kind == 'S' || kind == 'a';
  const std::uint64_t size =
      std::min<std::uint64_t>(*count, std::uint64_t{1} << 40) * (kind == 'U' ? 4 : 1);
  set_size(type, size, path);
  return true;
}

/// datetime64[us], M8[us], timedelta64, m8[25s] and the like.
bool parse_time(std::string_view code, NumpyType& type, const std::string& path) {
  static constexpr std::pair<std::string_view, std::uint32_t> words[] = {
      {"datetime64", POLYCODEC_DTYPE_TIMESTAMP64},
      {"timedelta64", POLYCODEC_DTYPE_DURATION64},
      {"M8", POLYCODEC_DTYPE_TIMESTAMP64},
      {"m8", POLYCODEC_DTYPE_DURATION64}};
  for (const auto& [word, dtype] : words) {
    if (!code.starts_with(word)) continue;
    std::string_view unit = code.substr(word.size());
    type.dtype = dtype;
    set_size(type, 8, path);
    if (unit.empty()) return true;
    if (unit.size() < 3 || unit.front() != '[' || unit.back() != ']') return false;
    unit = unit.substr(1, unit.size() - 2);
    if (unit == "generic") return true;
    const std::size_t digits = std::min(unit.find_first_not_of("0123456789"), unit.size());
    const std::string_view multiple = unit.substr(0, digits);
    type.unit = time_unit_from_name(unit.substr(digits));
    if (type.unit == POLYCODEC_UNIT_COUNT || type.unit == 0) return false;
    if (!multiple.empty() && multiple != "1") {
      type.dtype = POLYCODEC_DTYPE_INT64;
      type.unit = 0;
      type.opaque = "a time in multiples of a unit: the numbers are kept";
    }
    return true;
  }
  return false;
}

NumpyType parse_plain(std::string_view text, const std::string& path) {
  NumpyType type;
  type.name = text;
  std::string_view code = text;
  if (!code.empty() && std::string_view("<>=|").find(code[0]) != code.npos) {
    if (code[0] == '>') type.byte_order = POLYCODEC_BIG_ENDIAN;
    code.remove_prefix(1);
  }
  const auto* found =
      std::ranges::find_if(plain_types, [&](const Named& n) { return has_word(n.names, code); });
  if (found != std::end(plain_types)) {
    type.dtype = found->dtype;
    const bool opaque = found->dtype >= POLYCODEC_DTYPE_COUNT;
    if (opaque) {
      type.dtype = POLYCODEC_DTYPE_FIXED_BYTES;
      type.opaque =
          "the long double of the machine that wrote it, in a format that the file does not name";
    }
    set_size(type, !opaque ? dtype_size(type.dtype) : found->dtype == opaque_float ? 16 : 32, path);
    return type;
  }
  if (code == "O" || code == "object" || code == "O8" || code == "object_")
    fail(path, Status::unsupported, "dtype.object",
         "dtype object: the file has addresses in a process that is gone, which nobody can read");
  if (code == "str" || code == "str_" || code == "unicode") code = "U";
  if (code == "bytes" || code == "bytes_" || code == "string") code = "S";
  if (code == "void") code = "V";
  if (!code.empty() && (parse_sized(code, type, path) || parse_time(code, type, path))) return type;
  fail(path, Status::malformed, "dtype.unknown",
       quote(text) + " is not a dtype: expected one such as \"float64\", \">i4\" or \"|S5\"");
}

bool only_integers(NodeView list) {
  const auto items = list.items();
  return std::all_of(items.begin(), items.end(),
                     [](const polycodec_node& n) { return NodeView(&n).is_integer(); });
}

/// The rule by which readers turn lists back to tuples: all else are lists of fields.
bool is_tuple(NodeView list) {
  if (list.size() == 0) return false;
  const NodeView last = list[list.size() - 1];
  return last.is_integer() || list[0].is_string() || (last.is_list() && only_integers(last));
}

void add_shape(NumpyType& type, NodeView shape, const std::string& path) {
  std::vector<std::int64_t> extents;
  const auto add = [&](NodeView extent, const std::string& at) {
    if (!extent.is_integer())
      fail(at, Status::malformed, "dtype.shape", "an extent of a shape must be an integer");
    if (extent.kind() == POLYCODEC_KIND_SIGNED && extent.as_int64() < 0)
      fail(at, Status::malformed, "dtype.shape", "an extent of a shape must not be negative");
    const std::uint64_t n = extent.as_uint64();
    if (n > max_item_size)
      fail(at, Status::limit, "dtype.size", "an extent of a shape is greater than 2^31");
    extents.push_back(static_cast<std::int64_t>(n));
  };
  if (shape.is_integer()) {
    add(shape, path);
  } else {
    for (std::uint64_t i = 0; i < shape.size(); ++i) add(shape[i], path + index_step(i));
  }
  // One axis is left for the items of the array.
  if (extents.size() + type.shape.size() >= POLYCODEC_MAX_NDIM)
    fail(path, Status::limit, "dtype.shape",
         "a shape of " + std::to_string(extents.size()) + " dimensions");
  std::uint64_t size = type.item_size;
  for (const std::int64_t extent : extents)
    if (!checked_mul(size, static_cast<std::uint64_t>(extent), size) || size > max_item_size)
      fail(path, Status::limit, "dtype.size", "an element of this dtype has more than 2^31 bytes");
  type.item_size = size;
  type.shape.insert(type.shape.begin(), extents.begin(), extents.end());
}

NumpyType parse(NodeView json, const std::string& path, std::uint32_t depth);

NumpyType::Field parse_field(NodeView json, const std::string& path, std::uint32_t depth) {
  if (!json.is_list() || json.size() < 2 || json.size() > 3)
    fail(path, Status::malformed, "dtype.field",
         "a field must be [name, dtype] or [name, dtype, shape]");
  // A name may be beside a title, which nobody keeps.
  const NodeView name = json[0].is_list() && json[0].size() == 2 ? json[0][1] : json[0];
  if (!name.is_string())
    fail(path + "[0]", Status::malformed, "dtype.field", "the name of a field must be a text");
  NumpyType::Field field{std::string(name.as_string()), parse(json[1], path + "[1]", depth), 0};
  if (json.size() == 3) {
    if (!json[2].is_integer() && !json[2].is_list())
      fail(path + "[2]", Status::malformed, "dtype.shape",
           "a shape must be an integer or a list of integers");
    add_shape(field.type, json[2], path + "[2]");
  }
  return field;
}

NumpyType parse_fields(NodeView json, const std::string& path, std::uint32_t depth) {
  if (json.size() == 0)
    fail(path, Status::malformed, "dtype.unknown", "an empty list is not a dtype");
  NumpyType type;
  std::uint64_t size = 0;
  for (std::uint64_t i = 0; i < json.size(); ++i) {
    const std::string at = path + index_step(i);
    NumpyType::Field field = parse_field(json[i], at, depth);
    if (field.name.empty()) field.name = "f" + std::to_string(i);
    field.offset = size;
    if (!checked_add(size, field.type.item_size, size) || size > max_item_size)
      fail(at, Status::limit, "dtype.size", "an element of this dtype has more than 2^31 bytes");
    type.fields.push_back(std::move(field));
  }
  std::vector<std::string_view> sorted;
  for (const auto& field : type.fields) sorted.push_back(field.name);
  std::sort(sorted.begin(), sorted.end());
  if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end())
    fail(path, Status::malformed, "dtype.duplicate_field",
         "two fields are called " + quote(*twice));
  type.base_size = type.item_size = size;
  return type;
}

NumpyType parse(NodeView json, const std::string& path, std::uint32_t depth) {
  if (depth == 0) fail(path, Status::limit, "dtype.depth", "a dtype nested more than 64 deep");
  if (json.is_null()) return parse_plain("float64", path);
  if (json.is_string()) return parse_plain(json.as_string(), path);
  if (!json.is_list())
    fail(path, Status::malformed, "dtype.unknown",
         "a dtype must be a text, a list or null, not " + std::string(kind_name(json.kind())));
  if (!is_tuple(json)) return parse_fields(json, path, depth - 1);
  if (json.size() != 2 || (!json[1].is_integer() && !json[1].is_list()))
    fail(path, Status::malformed, "dtype.unknown",
         "expected [dtype, shape], or a list of [name, dtype]");
  NumpyType type = parse(json[0], path + "[0]", depth - 1);
  add_shape(type, json[1], path + "[1]");
  return type;
}

}  // namespace

NumpyType parse_numpy_type(NodeView json) {
  return parse(json, "$", max_nesting);
}

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
