// SPDX-License-Identifier: MIT
#include "numpy_type.hpp"

#include <base/checked.hpp>
#include <base/dtype_names.hpp>
#include <base/path.hpp>
#include <base/quote.hpp>
#include <polycodec/dtype.hpp>
#include <polycodec/error.hpp>

#include <algorithm>
#include <charconv>
#include <optional>

namespace polycodec::awkward {
namespace {

constexpr std::uint32_t max_nesting = 64;
constexpr std::uint64_t max_item_size = INT32_MAX;  // numpy's own

[[noreturn]] void fail(const std::string& path, Status status, std::string_view word,
                       const std::string& why) {
  throw Error(status, why).detail(word).path(path);
}

struct Named {
  std::string_view name;
  std::uint32_t dtype;
  std::uint32_t size;
};

constexpr std::uint32_t opaque_float = POLYCODEC_DTYPE_COUNT;
constexpr std::uint32_t opaque_complex = POLYCODEC_DTYPE_COUNT + 1;

constexpr Named names[] = {
    {"bool", POLYCODEC_DTYPE_BOOLEAN, 1},
    {"bool_", POLYCODEC_DTYPE_BOOLEAN, 1},
    {"bool8", POLYCODEC_DTYPE_BOOLEAN, 1},
    {"int8", POLYCODEC_DTYPE_INT8, 1},
    {"int16", POLYCODEC_DTYPE_INT16, 2},
    {"int32", POLYCODEC_DTYPE_INT32, 4},
    {"int64", POLYCODEC_DTYPE_INT64, 8},
    {"uint8", POLYCODEC_DTYPE_UINT8, 1},
    {"uint16", POLYCODEC_DTYPE_UINT16, 2},
    {"uint32", POLYCODEC_DTYPE_UINT32, 4},
    {"uint64", POLYCODEC_DTYPE_UINT64, 8},
    {"float16", POLYCODEC_DTYPE_FLOAT16, 2},
    {"float32", POLYCODEC_DTYPE_FLOAT32, 4},
    {"float64", POLYCODEC_DTYPE_FLOAT64, 8},
    {"complex64", POLYCODEC_DTYPE_COMPLEX64, 8},
    {"complex128", POLYCODEC_DTYPE_COMPLEX128, 16},
    {"float128", opaque_float, 16},
    {"longdouble", opaque_float, 16},
    {"complex256", opaque_complex, 32},
    {"clongdouble", opaque_complex, 32},
    {"int", POLYCODEC_DTYPE_INT64, 8},
    {"uint", POLYCODEC_DTYPE_UINT64, 8},
    {"float", POLYCODEC_DTYPE_FLOAT64, 8},
    {"double", POLYCODEC_DTYPE_FLOAT64, 8},
    {"single", POLYCODEC_DTYPE_FLOAT32, 4},
    {"half", POLYCODEC_DTYPE_FLOAT16, 2},
    {"complex", POLYCODEC_DTYPE_COMPLEX128, 16},
    {"byte", POLYCODEC_DTYPE_INT8, 1},
    {"ubyte", POLYCODEC_DTYPE_UINT8, 1},
    {"short", POLYCODEC_DTYPE_INT16, 2},
    {"ushort", POLYCODEC_DTYPE_UINT16, 2},
    {"intc", POLYCODEC_DTYPE_INT32, 4},
    {"uintc", POLYCODEC_DTYPE_UINT32, 4},
    {"int_", POLYCODEC_DTYPE_INT64, 8},
    {"long", POLYCODEC_DTYPE_INT64, 8},
    {"ulong", POLYCODEC_DTYPE_UINT64, 8},
    {"longlong", POLYCODEC_DTYPE_INT64, 8},
    {"ulonglong", POLYCODEC_DTYPE_UINT64, 8},
    {"intp", POLYCODEC_DTYPE_INT64, 8},
    {"uintp", POLYCODEC_DTYPE_UINT64, 8},
    {"float_", POLYCODEC_DTYPE_FLOAT64, 8},
    {"csingle", POLYCODEC_DTYPE_COMPLEX64, 8},
    {"cdouble", POLYCODEC_DTYPE_COMPLEX128, 16},
    {"cfloat", POLYCODEC_DTYPE_COMPLEX128, 16},
    {"complex_", POLYCODEC_DTYPE_COMPLEX128, 16},
    // codes with a size
    {"b1", POLYCODEC_DTYPE_BOOLEAN, 1},
    {"i1", POLYCODEC_DTYPE_INT8, 1},
    {"i2", POLYCODEC_DTYPE_INT16, 2},
    {"i4", POLYCODEC_DTYPE_INT32, 4},
    {"i8", POLYCODEC_DTYPE_INT64, 8},
    {"u1", POLYCODEC_DTYPE_UINT8, 1},
    {"u2", POLYCODEC_DTYPE_UINT16, 2},
    {"u4", POLYCODEC_DTYPE_UINT32, 4},
    {"u8", POLYCODEC_DTYPE_UINT64, 8},
    {"f2", POLYCODEC_DTYPE_FLOAT16, 2},
    {"f4", POLYCODEC_DTYPE_FLOAT32, 4},
    {"f8", POLYCODEC_DTYPE_FLOAT64, 8},
    {"f16", opaque_float, 16},
    {"c8", POLYCODEC_DTYPE_COMPLEX64, 8},
    {"c16", POLYCODEC_DTYPE_COMPLEX128, 16},
    {"c32", opaque_complex, 32},
    // one-letter codes
    {"?", POLYCODEC_DTYPE_BOOLEAN, 1},
    {"b", POLYCODEC_DTYPE_INT8, 1},
    {"B", POLYCODEC_DTYPE_UINT8, 1},
    {"h", POLYCODEC_DTYPE_INT16, 2},
    {"H", POLYCODEC_DTYPE_UINT16, 2},
    {"i", POLYCODEC_DTYPE_INT32, 4},
    {"I", POLYCODEC_DTYPE_UINT32, 4},
    {"l", POLYCODEC_DTYPE_INT64, 8},
    {"L", POLYCODEC_DTYPE_UINT64, 8},
    {"p", POLYCODEC_DTYPE_INT64, 8},
    {"P", POLYCODEC_DTYPE_UINT64, 8},
    {"q", POLYCODEC_DTYPE_INT64, 8},
    {"Q", POLYCODEC_DTYPE_UINT64, 8},
    {"e", POLYCODEC_DTYPE_FLOAT16, 2},
    {"f", POLYCODEC_DTYPE_FLOAT32, 4},
    {"d", POLYCODEC_DTYPE_FLOAT64, 8},
    {"g", opaque_float, 16},
    {"F", POLYCODEC_DTYPE_COMPLEX64, 8},
    {"D", POLYCODEC_DTYPE_COMPLEX128, 16},
    {"G", opaque_complex, 32},
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
  const auto* found = std::find_if(std::begin(names), std::end(names),
                                   [&](const Named& n) { return n.name == code; });
  if (found != std::end(names)) {
    type.dtype = found->dtype;
    if (found->dtype == opaque_float || found->dtype == opaque_complex) {
      type.dtype = POLYCODEC_DTYPE_FIXED_BYTES;
      type.opaque =
          "the long double of the machine that wrote it, in a format that the file does not name";
    }
    set_size(type, found->size, path);
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
       quote(text) + " is no dtype: expected one such as \"float64\", \">i4\" or \"|S5\"");
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
  // A name may stand beside a title, which nobody keeps.
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
  if (json.size() == 0) fail(path, Status::malformed, "dtype.unknown", "an empty list is no dtype");
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

}  // namespace polycodec::awkward
