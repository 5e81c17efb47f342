// SPDX-License-Identifier: MIT
// Builders of types. Each gives a type that prints as text which parses back to it, or throws: Error(invalid) for
// parts that the notation cannot say, Error(range) for numbers out of range, Error(limit) past the bounds of Type.
#pragma once

#include <polycodec/dtype.hpp>
#include <polycodec/type/text.hpp>
#include <polycodec/type/type.hpp>
#include <polycodec/utf8.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polycodec::type {

/// The greatest length that a fixed dimension, fixed_bytes or fixed_string can have.
inline constexpr std::uint64_t max_size = INT64_MAX;

/// A field of a record, or a keyword argument of a callable.
struct Field {
  std::string name;
  Type type;
};

namespace detail {

[[noreturn]] inline void refuse(std::string message, Status status = Status::invalid) {
  throw Error(status, std::move(message));
}

inline Node leaf(Kind kind) {
  Node node;
  node.kind = kind;
  return node;
}

inline Type wrap(Kind kind, Type inner, std::string name = {}, std::uint64_t size = 0) {
  Node node;
  node.kind = kind;
  node.name = std::move(name);
  node.size = size;
  node.items.push_back(std::move(inner));
  return seal(std::move(node));
}

inline void check_utf8(std::string_view text, const char* what) {
  if (validate_utf8(text) != utf8_npos) refuse(std::string(what) + " is not valid UTF-8");
}

inline void check_size(std::uint64_t size, std::uint64_t least, const char* what) {
  if (size < least || size > max_size)
    refuse(std::string(what) + " must lie between " + std::to_string(least) + " and " + std::to_string(max_size) +
               ", not " + std::to_string(size),
           Status::range);
}

inline void check_variable(std::string_view name) {
  if (!is_variable_name(name))
    refuse(
        "a variable needs a capitalised name of letters, digits and underscores that is not a word of the "
        "notation, not \"" +
        std::string(name) + "\"");
}

/// Refuses names that are not UTF-8 or stand twice.
inline void check_names(const std::vector<std::string>& names, const char* what) {
  std::vector<std::string_view> sorted(names.begin(), names.end());
  for (const std::string_view name : sorted) check_utf8(name, what);
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) refuse(std::string(what) + " \"" + std::string(*twice) + "\" stands twice");
}

inline Type time(Kind kind, std::uint32_t unit) {
  if (unit >= POLYCODEC_UNIT_COUNT) refuse("there is no time unit number " + std::to_string(unit));
  Node node = leaf(kind);
  node.unit = static_cast<std::uint8_t>(unit);
  return seal(std::move(node));
}

}  // namespace detail

/// The scalar type of BOOL, the integers, floats and complex numbers; datetime and timedelta without a unit for the
/// 64-bit times. Error(invalid) for DTYPE_NONE and the FIXED_* types, which need a size.
inline Type scalar(std::uint32_t dtype) {
  if (dtype == POLYCODEC_DATETIME64) return detail::time(Kind::datetime, POLYCODEC_UNIT_NONE);
  if (dtype == POLYCODEC_TIMEDELTA64) return detail::time(Kind::timedelta, POLYCODEC_UNIT_NONE);
  if (dtype < POLYCODEC_BOOL || dtype > POLYCODEC_COMPLEX128)
    detail::refuse("element type number " + std::to_string(dtype) + " is not a scalar type");
  static const std::vector<Type> all = [] {
    std::vector<Type> types(1);
    for (std::uint32_t d = POLYCODEC_BOOL; d <= POLYCODEC_COMPLEX128; ++d) {
      detail::Node node = detail::leaf(Kind::scalar);
      node.dtype = static_cast<std::uint8_t>(d);
      types.push_back(detail::seal(std::move(node)));
    }
    return types;
  }();
  return all[dtype];
}

/// `string`: UTF-8 of any length.
inline Type string() {
  static const Type type = detail::seal(detail::leaf(Kind::string));
  return type;
}

/// `char`, one code point; the encoding, ascii, ucs2 or utf32, bounds it.
inline Type character(Encoding encoding = Encoding::utf32) {
  if (encoding == Encoding::utf8 || encoding == Encoding::utf16)
    detail::refuse("char needs an encoding of fixed width: ascii, ucs2 or utf32");
  detail::Node node = detail::leaf(Kind::character);
  node.encoding = encoding;
  return detail::seal(std::move(node));
}

/// `bytes` of any length; `align` is 1, 2, 4, 8 or 16.
inline Type bytes(std::uint32_t align = 1) {
  if (!is_alignment(align)) detail::refuse("the alignment of bytes must be 1, 2, 4, 8 or 16");
  detail::Node node = detail::leaf(Kind::bytes);
  node.align = static_cast<std::uint8_t>(align);
  return detail::seal(std::move(node));
}

/// `fixed_bytes[size, align=align]`: 1 <= size <= max_size; `align` is 1, 2, 4, 8 or 16 and divides `size`.
inline Type fixed_bytes(std::uint64_t size, std::uint32_t align = 1) {
  detail::check_size(size, 1, "the size of fixed_bytes");
  if (!is_alignment(align) || size % align != 0)
    detail::refuse("the alignment of fixed_bytes must be 1, 2, 4, 8 or 16 and divide its size");
  detail::Node node = detail::leaf(Kind::fixed_bytes);
  node.size = size;
  node.align = static_cast<std::uint8_t>(align);
  return detail::seal(std::move(node));
}

/// `fixed_string[units, 'encoding']`: 1 <= units <= max_size code units, padded with zeros.
inline Type fixed_string(std::uint64_t units, Encoding encoding = Encoding::utf8) {
  detail::check_size(units, 1, "the size of fixed_string");
  detail::Node node = detail::leaf(Kind::fixed_string);
  node.size = units;
  node.encoding = encoding;
  return detail::seal(std::move(node));
}

/// `void`, `type`, `null`, `any`.
inline Type void_type() {
  return Type();
}
inline Type type_type() {
  return detail::seal(detail::leaf(Kind::type_type));
}
inline Type null() {
  return detail::seal(detail::leaf(Kind::null));
}
inline Type any() {
  return detail::seal(detail::leaf(Kind::any));
}

/// `datetime[unit='ns']`, `timedelta[unit='s']`; POLYCODEC_UNIT_NONE leaves the unit out.
inline Type datetime(std::uint32_t unit = POLYCODEC_UNIT_NONE) {
  return detail::time(Kind::datetime, unit);
}
inline Type timedelta(std::uint32_t unit = POLYCODEC_UNIT_NONE) {
  return detail::time(Kind::timedelta, unit);
}

/// `length * element`, length <= max_size.
inline Type fixed(std::uint64_t length, Type element) {
  detail::check_size(length, 0, "the length of a dimension");
  return detail::wrap(Kind::fixed_dim, std::move(element), {}, length);
}
/// `var * element`.
inline Type var(Type element) {
  return detail::wrap(Kind::var_dim, std::move(element));
}
/// `Fixed * element`: any fixed dimension.
inline Type any_fixed(Type element) {
  return detail::wrap(Kind::any_fixed_dim, std::move(element));
}
/// `Dim * element`: any dimension.
inline Type any_dim(Type element) {
  return detail::wrap(Kind::any_dim, std::move(element));
}
/// `NAME * element`: a dimension variable.
inline Type dim_variable(std::string name, Type element) {
  detail::check_variable(name);
  return detail::wrap(Kind::variable_dim, std::move(element), std::move(name));
}
/// `NAME... * element`: any number of dimensions; the name, which starts with a capital, may be empty.
inline Type ellipsis(std::string name, Type element) {
  if (!name.empty() && !is_capital_name(name)) detail::refuse("an ellipsis needs a capitalised name or none");
  return detail::wrap(Kind::ellipsis_dim, std::move(element), std::move(name));
}
/// `BASE**exponent * element`. The base is the outer dimension of `base`: a fixed, var, Fixed, Dim or variable
/// dimension, whose own element is not used; `exponent` is a capitalised name.
inline Type power(const Type& base, std::string exponent, Type element) {
  if (!base.is_dim() || base.is(Kind::ellipsis_dim) || base.is(Kind::power_dim))
    detail::refuse("the base of a power must be a single dimension");
  if (!is_capital_name(exponent)) detail::refuse("an exponent needs a capitalised name");
  detail::Node node = detail::leaf(Kind::power_dim);
  node.base = base.kind();
  node.base_name = base.name();
  node.size = base.size();
  node.name = std::move(exponent);
  node.items.push_back(std::move(element));
  return detail::seal(std::move(node));
}

/// `{name: type, ...}`: names are UTF-8 and differ. `variadic`: more fields may follow (a pattern).
inline Type record(std::vector<Field> fields, bool variadic = false) {
  detail::Node node = detail::leaf(Kind::record);
  node.variadic = variadic;
  node.items.reserve(fields.size());
  node.names.reserve(fields.size());
  for (Field& field : fields) {
    node.names.push_back(std::move(field.name));
    node.items.push_back(std::move(field.type));
  }
  detail::check_names(node.names, "the field name");
  return detail::seal(std::move(node));
}

/// `(T, U)`. `variadic`: more items may follow (a pattern).
inline Type tuple(std::vector<Type> items, bool variadic = false) {
  detail::Node node = detail::leaf(Kind::tuple);
  node.variadic = variadic;
  node.items = std::move(items);
  return detail::seal(std::move(node));
}

/// `?inner`; the inner type is not an option itself.
inline Type option(Type inner) {
  if (inner.is(Kind::option)) detail::refuse("an option of an option cannot be written: missing has one level");
  return detail::wrap(Kind::option, std::move(inner));
}

/// `pointer[target]`, `array[pattern]`, `indexed[rows]`.
inline Type pointer(Type target) {
  return detail::wrap(Kind::pointer, std::move(target));
}
inline Type array(Type pattern) {
  return detail::wrap(Kind::array, std::move(pattern));
}
inline Type indexed(Type rows) {
  return detail::wrap(Kind::indexed, std::move(rows));
}

/// `(positional, ..., name: type, ...) -> result`. Keyword names follow the rule of is_name().
inline Type callable(std::vector<Type> positional, std::vector<Field> keywords, Type result, bool variadic = false,
                     bool keyword_variadic = false) {
  if (keyword_variadic && keywords.empty())
    detail::refuse("`...` after the keyword arguments needs a keyword argument before it");
  detail::Node node = detail::leaf(Kind::callable);
  node.variadic = variadic;
  node.keyword_variadic = keyword_variadic;
  node.items = std::move(positional);
  for (Field& keyword : keywords) {
    if (!is_name(keyword.name)) detail::refuse("the keyword \"" + keyword.name + "\" is not a name");
    node.names.push_back(std::move(keyword.name));
    node.items.push_back(std::move(keyword.type));
  }
  detail::check_names(node.names, "the keyword");
  node.items.push_back(std::move(result));
  return detail::seal(std::move(node));
}

/// `NAME`: a type variable.
inline Type variable(std::string name) {
  detail::check_variable(name);
  detail::Node node = detail::leaf(Kind::variable);
  node.name = std::move(name);
  return detail::seal(std::move(node));
}

/// `NAME[argument]`: a variable for a type with one type inside.
inline Type constructed(std::string name, Type argument) {
  detail::check_variable(name);
  return detail::wrap(Kind::constructed, std::move(argument), std::move(name));
}

/// One of kind_words.
inline Type kind(std::string_view word) {
  if (!is_kind_word(word)) detail::refuse("there is no kind \"" + std::string(word) + "\"");
  detail::Node node = detail::leaf(Kind::kind);
  node.name = word;
  return detail::seal(std::move(node));
}

/// `union[T, U]`: at least one alternative; the tag of a value is an index into them.
inline Type union_of(std::vector<Type> alternatives) {
  if (alternatives.empty()) detail::refuse("a union needs an alternative");
  detail::Node node = detail::leaf(Kind::union_type);
  node.items = std::move(alternatives);
  return detail::seal(std::move(node));
}

/// `map[key, value]`.
inline Type map(Type key, Type value) {
  detail::Node node = detail::leaf(Kind::map);
  node.items.reserve(2);
  node.items.push_back(std::move(key));
  node.items.push_back(std::move(value));
  return detail::seal(std::move(node));
}

/// `annotated[inner, key='text', key=1, key=2.5]`: at least one annotation, different keys; `inner` is not annotated
/// itself. Keys and texts are UTF-8, floating values finite; -0.0 becomes 0.0.
inline Type annotated(Type inner, std::vector<Annotation> annotations) {
  if (inner.is(Kind::annotated)) detail::refuse("an annotated type cannot be annotated again: merge the annotations");
  if (annotations.empty()) detail::refuse("an annotated type needs an annotation");
  std::vector<std::string> keys;
  for (Annotation& annotation : annotations) {
    keys.push_back(annotation.key);
    if (const auto* text = std::get_if<std::string>(&annotation.value)) detail::check_utf8(*text, "an annotation");
    if (auto* number = std::get_if<double>(&annotation.value)) {
      if (!std::isfinite(*number)) detail::refuse("an annotation must be a finite number");
      *number += 0.0;
    }
  }
  detail::check_names(keys, "the annotation");
  detail::Node node = detail::leaf(Kind::annotated);
  node.annotations = std::move(annotations);
  node.items.push_back(std::move(inner));
  return detail::seal(std::move(node));
}

/// `extension['name', payload]`: the name is UTF-8.
inline Type extension(std::string name, Type payload) {
  detail::check_utf8(name, "the name of an extension");
  return detail::wrap(Kind::extension, std::move(payload), std::move(name));
}

}  // namespace polycodec::type
