// SPDX-License-Identifier: MIT
// Builders of types. Each gives a type that prints as text which parses back to it, or throws:
// Error(invalid) for parts that the notation cannot say, Error(range) for numbers out of range,
// Error(limit) past the bounds of Type.
#pragma once

#include <model/type/text.hpp>
#include <model/type/type.hpp>
#include <polycodec/dtype.hpp>
#include <polycodec/utf.hpp>

#include <cstdint>
#include <string>
#include <string_view>
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

void check_utf8(std::string_view text, const char* what);
Type time(Kind kind, std::uint32_t unit);

}  // namespace detail

/// The scalar type of BOOL, the integers, floats and complex numbers; datetime and timedelta
/// without a unit for the 64-bit times. Error(invalid) for DTYPE_NONE and the FIXED_* types, which
/// need a size.
Type scalar(std::uint32_t dtype);

/// `string`: UTF-8 of any length.
Type string();

/// `char`, one code point; the encoding, ascii, ucs2 or utf32, bounds it.
Type character(Encoding encoding = Encoding::utf32);

/// `bytes` of any length; `align` is 1, 2, 4, 8 or 16.
Type bytes(std::uint32_t align = 1);

/// `fixed_bytes[size, align=align]`: 1 <= size <= max_size; `align` is 1, 2, 4, 8 or 16 and divides
/// `size`.
Type fixed_bytes(std::uint64_t size, std::uint32_t align = 1);

/// `fixed_string[units, 'encoding']`: 1 <= units <= max_size code units, padded with zeros.
Type fixed_string(std::uint64_t units, Encoding encoding = Encoding::utf8);

/// `void`, `type`, `null`, `any`.
Type void_type();
Type type_type();
Type null();
Type any();
/// The same, kept for ever. [thread-safe]
inline const Type& any_type() {
  static const Type type = any();
  return type;
}

/// `datetime[unit='ns']`, `timedelta[unit='s']`; POLYCODEC_UNIT_NONE leaves the unit out.
Type datetime(std::uint32_t unit = POLYCODEC_UNIT_NONE);
Type timedelta(std::uint32_t unit = POLYCODEC_UNIT_NONE);

/// `length * element`, length <= max_size.
Type fixed(std::uint64_t length, Type element);

/// `var * element`.
Type var(Type element);

/// `Fixed * element`: any fixed dimension.
Type any_fixed(Type element);

/// `Dim * element`: any dimension.
Type any_dim(Type element);

/// `NAME * element`: a dimension variable.
Type dim_variable(std::string name, Type element);

/// `NAME... * element`: any number of dimensions; the name, which starts with a capital, may be
/// empty.
Type ellipsis(std::string name, Type element);

/// `BASE**exponent * element`. The base is the outer dimension of `base`: a fixed, var, Fixed, Dim
/// or variable dimension, whose own element is not used; `exponent` is a capitalized name.
Type power(const Type& base, std::string exponent, Type element);

/// `{name: type, ...}`: names are UTF-8 and differ. `variadic`: more fields may follow (a pattern).
Type record(std::vector<Field> fields, bool variadic = false);

/// `(T, U)`. `variadic`: more items may follow (a pattern).
Type tuple(std::vector<Type> items, bool variadic = false);

/// `?inner`; the inner type is not an option itself.
Type option(Type inner);

/// `pointer[target]`, `array[pattern]`, `indexed[rows]`.
Type pointer(Type target);
Type array(Type pattern);
Type indexed(Type rows);

/// `(positional, ..., name: type, ...) -> result`. Keyword names follow the rule of is_name().
Type callable(std::vector<Type> positional, std::vector<Field> keywords, Type result,
              bool variadic = false, bool keyword_variadic = false);

/// `NAME`: a type variable.
Type variable(std::string name);

/// `NAME[argument]`: a variable for a type with one type inside.
Type constructed(std::string name, Type argument);

/// One of kind_words.
Type kind(std::string_view word);

/// `union[T, U]`: at least one alternative; the tag of a value is an index into them.
Type union_of(std::vector<Type> alternatives);

/// `map[key, value]`.
Type map(Type key, Type value);

/// `annotated[inner, key='text', key=1, key=2.5]`: at least one annotation, different keys; `inner`
/// is not annotated itself. Keys and strings are UTF-8, floating values finite; -0.0 becomes 0.0.
Type annotated(Type inner, std::vector<Annotation> annotations);

/// `extension['name', payload]`: the name is UTF-8.
Type extension(std::string name, Type payload);

}  // namespace polycodec::type
