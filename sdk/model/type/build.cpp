// SPDX-License-Identifier: MIT
#include <model/type/build.hpp>
#include <polycodec/dtype.hpp>
#include <polycodec/utf.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polycodec::type {

namespace detail {

namespace {

[[noreturn]] void refuse(std::string message, Status status = Status::invalid) {
  throw Error(status, std::move(message));
}

Type wrap(Kind kind, Type inner, std::string name = {}, std::uint64_t size = 0) {
  return seal({.kind = kind, .size = size, .name = std::move(name), .items = {std::move(inner)}});
}

}  // namespace

void check_utf8(std::string_view text, const char* what) {
  if (validate_utf8(text) != utf8_npos) refuse(std::string(what) + " is not valid UTF-8");
}

namespace {

void check_size(std::uint64_t size, std::uint64_t least, const char* what) {
  if (size < least || size > max_size)
    refuse(std::string(what) + " must lie between " + std::to_string(least) + " and " +
               std::to_string(max_size) + ", not " + std::to_string(size),
           Status::range);
}

void check_variable(std::string_view name) {
  if (!is_variable_name(name))
    refuse(
        "a variable needs a capitalized name of letters, digits and underscores that is not a word "
        "of the "
        "notation, not \"" +
        std::string(name) + "\"");
}

/// Refuses names that are not UTF-8 or duplicates.
void check_names(const std::vector<std::string>& names, const char* what) {
  std::vector<std::string_view> sorted(names.begin(), names.end());
  for (const std::string_view name : sorted) check_utf8(name, what);
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end())
    refuse(std::string(what) + " \"" + std::string(*twice) + "\" is a duplicate");
}

}  // namespace

Type time(Kind kind, std::uint32_t unit) {
  if (unit >= POLYCODEC_UNIT_COUNT) refuse("there is no time unit number " + std::to_string(unit));
  return seal({.kind = kind, .unit = static_cast<std::uint8_t>(unit), .items = {}});
}

}  // namespace detail

Type scalar(std::uint32_t dtype) {
  if (dtype == POLYCODEC_DTYPE_TIMESTAMP64)
    return detail::time(Kind::datetime, POLYCODEC_UNIT_NONE);
  if (dtype == POLYCODEC_DTYPE_DURATION64)
    return detail::time(Kind::timedelta, POLYCODEC_UNIT_NONE);
  if (dtype < POLYCODEC_DTYPE_BOOLEAN || dtype > POLYCODEC_DTYPE_COMPLEX128)
    detail::refuse("element type number " + std::to_string(dtype) + " is not a scalar type");
  static const std::vector<Type> all = [] {
    std::vector<Type> types(1);
    for (std::uint8_t d = POLYCODEC_DTYPE_BOOLEAN; d <= POLYCODEC_DTYPE_COMPLEX128; ++d)
      types.push_back(detail::seal({.kind = Kind::scalar, .dtype = d, .items = {}}));
    return types;
  }();
  return all[dtype];
}

Type string() {
  static const Type type = detail::seal({.kind = Kind::string, .items = {}});
  return type;
}

Type character(Encoding encoding) {
  if (encoding == Encoding::utf8 || encoding == Encoding::utf16)
    detail::refuse("char needs an encoding of fixed width: ascii, ucs2 or utf32");
  return detail::seal({.kind = Kind::character, .encoding = encoding, .items = {}});
}

Type bytes(std::uint32_t align) {
  if (!is_alignment(align)) detail::refuse("the alignment of bytes must be 1, 2, 4, 8 or 16");
  return detail::seal(
      {.kind = Kind::bytes, .align = static_cast<std::uint8_t>(align), .items = {}});
}

Type fixed_bytes(std::uint64_t size, std::uint32_t align) {
  detail::check_size(size, 1, "the size of fixed_bytes");
  if (!is_alignment(align) || size % align != 0)
    detail::refuse("the alignment of fixed_bytes must be 1, 2, 4, 8 or 16 and divide its size");
  return detail::seal({.kind = Kind::fixed_bytes,
                       .align = static_cast<std::uint8_t>(align),
                       .size = size,
                       .items = {}});
}

Type fixed_string(std::uint64_t units, Encoding encoding) {
  detail::check_size(units, 1, "the size of fixed_string");
  return detail::seal(
      {.kind = Kind::fixed_string, .encoding = encoding, .size = units, .items = {}});
}

Type void_type() {
  return Type();
}

Type type_type() {
  return detail::seal({.kind = Kind::type_type, .items = {}});
}

Type null() {
  return detail::seal({.kind = Kind::null, .items = {}});
}

Type any() {
  return detail::seal({.kind = Kind::any, .items = {}});
}

Type datetime(std::uint32_t unit) {
  return detail::time(Kind::datetime, unit);
}

Type timedelta(std::uint32_t unit) {
  return detail::time(Kind::timedelta, unit);
}

Type fixed(std::uint64_t length, Type element) {
  detail::check_size(length, 0, "the length of a dimension");
  return detail::wrap(Kind::fixed_dim, std::move(element), {}, length);
}

Type var(Type element) {
  return detail::wrap(Kind::var_dim, std::move(element));
}

Type any_fixed(Type element) {
  return detail::wrap(Kind::any_fixed_dim, std::move(element));
}

Type any_dim(Type element) {
  return detail::wrap(Kind::any_dim, std::move(element));
}

Type dim_variable(std::string name, Type element) {
  detail::check_variable(name);
  return detail::wrap(Kind::variable_dim, std::move(element), std::move(name));
}

Type ellipsis(std::string name, Type element) {
  if (!name.empty() && !is_capital_name(name))
    detail::refuse("an ellipsis needs a capitalized name or none");
  return detail::wrap(Kind::ellipsis_dim, std::move(element), std::move(name));
}

Type power(const Type& base, std::string exponent, Type element) {
  if (!base.is_dim() || base.is(Kind::ellipsis_dim) || base.is(Kind::power_dim))
    detail::refuse("the base of a power must be a single dimension");
  if (!is_capital_name(exponent)) detail::refuse("an exponent needs a capitalized name");
  return detail::seal({.kind = Kind::power_dim,
                       .base = base.kind(),
                       .size = base.size(),
                       .name = std::move(exponent),
                       .base_name = std::string(base.name()),
                       .items = {std::move(element)}});
}

Type record(std::vector<Field> fields, bool variadic) {
  detail::Node node{.kind = Kind::record, .variadic = variadic, .items = {}};
  node.items.reserve(fields.size());
  node.names.reserve(fields.size());
  for (Field& field : fields) {
    node.names.push_back(std::move(field.name));
    node.items.push_back(std::move(field.type));
  }
  detail::check_names(node.names, "the field name");
  return detail::seal(std::move(node));
}

Type tuple(std::vector<Type> items, bool variadic) {
  return detail::seal({.kind = Kind::tuple, .variadic = variadic, .items = std::move(items)});
}

Type option(Type inner) {
  if (inner.is(Kind::option))
    detail::refuse("an option of an option cannot be written: missing has one level");
  return detail::wrap(Kind::option, std::move(inner));
}

Type pointer(Type target) {
  return detail::wrap(Kind::pointer, std::move(target));
}

Type array(Type pattern) {
  return detail::wrap(Kind::array, std::move(pattern));
}

Type indexed(Type rows) {
  return detail::wrap(Kind::indexed, std::move(rows));
}

Type callable(std::vector<Type> positional, std::vector<Field> keywords, Type result, bool variadic,
              bool keyword_variadic) {
  if (keyword_variadic && keywords.empty())
    detail::refuse("`...` after the keyword arguments needs a keyword argument before it");
  detail::Node node{.kind = Kind::callable, .variadic = variadic, .items = {}};
  node.keyword_variadic = keyword_variadic;
  node.items = std::move(positional);
  for (Field& keyword : keywords) {
    if (!is_name(keyword.name))
      detail::refuse("the keyword \"" + keyword.name + "\" is not a name");
    node.names.push_back(std::move(keyword.name));
    node.items.push_back(std::move(keyword.type));
  }
  detail::check_names(node.names, "the keyword");
  node.items.push_back(std::move(result));
  return detail::seal(std::move(node));
}

Type variable(std::string name) {
  detail::check_variable(name);
  return detail::seal({.kind = Kind::variable, .name = std::move(name), .items = {}});
}

Type constructed(std::string name, Type argument) {
  detail::check_variable(name);
  return detail::wrap(Kind::constructed, std::move(argument), std::move(name));
}

Type kind(std::string_view word) {
  if (!is_kind_word(word)) detail::refuse("there is no kind \"" + std::string(word) + "\"");
  return detail::seal({.kind = Kind::kind, .name = std::string(word), .items = {}});
}

Type union_of(std::vector<Type> alternatives) {
  if (alternatives.empty()) detail::refuse("a union needs an alternative");
  return detail::seal({.kind = Kind::union_type, .items = std::move(alternatives)});
}

Type map(Type key, Type value) {
  return detail::seal({.kind = Kind::map, .items = {std::move(key), std::move(value)}});
}

Type annotated(Type inner, std::vector<Annotation> annotations) {
  if (inner.is(Kind::annotated))
    detail::refuse("an annotated type cannot be annotated again: merge the annotations");
  if (annotations.empty()) detail::refuse("an annotated type needs an annotation");
  std::vector<std::string> keys;
  for (Annotation& annotation : annotations) {
    keys.push_back(annotation.key);
    if (const auto* text = std::get_if<std::string>(&annotation.value))
      detail::check_utf8(*text, "an annotation");
    if (auto* number = std::get_if<double>(&annotation.value)) {
      if (!std::isfinite(*number)) detail::refuse("an annotation must be a finite number");
      *number += 0.0;
    }
  }
  detail::check_names(keys, "the annotation");
  return detail::seal({.kind = Kind::annotated,
                       .items = {std::move(inner)},
                       .annotations = std::move(annotations)});
}

Type extension(std::string name, Type payload) {
  detail::check_utf8(name, "the name of an extension");
  return detail::wrap(Kind::extension, std::move(payload), std::move(name));
}

}  // namespace polycodec::type
