// SPDX-License-Identifier: MIT
// Values of formats for one thing: an array of each dtype and unit alone, images, tables, columns
// of text; see corpus.hpp.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/builder.hpp>
#include <polycodec/dtype.hpp>
#include <polycodec/kit/corpus_arrays.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polycodec::kit {

namespace detail {

inline constexpr std::string_view unit_words[] = {"",
                                                  "years",
                                                  "months",
                                                  "weeks",
                                                  "days",
                                                  "hours",
                                                  "minutes",
                                                  "seconds",
                                                  "milliseconds",
                                                  "microseconds",
                                                  "nanoseconds",
                                                  "picoseconds",
                                                  "femtoseconds",
                                                  "attoseconds"};

/// What the type notation has no word of its own for, from TIMESTAMP64 on.
inline constexpr std::string_view other_words[] = {"timestamp",  "duration",    "fixed_bytes",
                                                   "fixed_utf8", "fixed_utf16", "fixed_utf32"};

/// Bytes of an element; fixed strings have 8.
constexpr std::uint32_t lone_size(std::uint32_t dtype) {
  switch (dtype) {
    case POLYCODEC_DTYPE_BOOLEAN:
    case POLYCODEC_DTYPE_INT8:
    case POLYCODEC_DTYPE_UINT8:
      return 1;
    case POLYCODEC_DTYPE_INT16:
    case POLYCODEC_DTYPE_UINT16:
    case POLYCODEC_DTYPE_FLOAT16:
      return 2;
    case POLYCODEC_DTYPE_INT32:
    case POLYCODEC_DTYPE_UINT32:
    case POLYCODEC_DTYPE_FLOAT32:
    case POLYCODEC_DTYPE_COMPLEX32:
      return 4;
    case POLYCODEC_DTYPE_INT128:
    case POLYCODEC_DTYPE_UINT128:
    case POLYCODEC_DTYPE_FLOAT128:
    case POLYCODEC_DTYPE_COMPLEX128:
      return 16;
    default:
      return 8;
  }
}

/// 2 x 3 elements, no two alike but of booleans.
template <std::uint32_t dtype, std::uint32_t unit>
polycodec_node lone_array(Builder& out) {
  constexpr std::uint32_t size = lone_size(dtype);
  constexpr std::uint64_t count = 6;
  auto* const bytes = out.allocate<std::uint8_t>(count * size);
  std::memset(bytes, 0, count * size);
  for (std::uint64_t i = 0; i < count; ++i) {
    std::uint8_t* const p = bytes + i * size;
    if (dtype == POLYCODEC_DTYPE_BOOLEAN) {
      p[0] = i % 3 == 0 ? 1 : 0;
    } else if (dtype == POLYCODEC_DTYPE_FIXED_UTF16) {
      const std::uint16_t units[] = {static_cast<std::uint16_t>('a' + i), 0xe9};
      std::memcpy(p, units, sizeof units);
    } else if (dtype == POLYCODEC_DTYPE_FIXED_UTF32) {
      const std::uint32_t units[] = {static_cast<std::uint32_t>('a' + i), 0x1f3b2};
      std::memcpy(p, units, sizeof units);
    } else if (dtype == POLYCODEC_DTYPE_FIXED_BYTES || dtype == POLYCODEC_DTYPE_FIXED_UTF8) {
      std::memcpy(p, "text", 4);
      p[4] = static_cast<std::uint8_t>('a' + i);
    } else if (size == 1) {
      p[0] = static_cast<std::uint8_t>(i * 40);
    } else {
      // Small numbers of every type: of a float the top bytes are those of 1 to 2, or of 0.
      p[0] = static_cast<std::uint8_t>(i + 1);
      if (dtype == POLYCODEC_DTYPE_FLOAT16) p[1] = 0x3c;
      if (dtype == POLYCODEC_DTYPE_FLOAT32) p[3] = 0x3f;
      if (dtype == POLYCODEC_DTYPE_FLOAT64) p[7] = 0x3f;
      if (dtype == POLYCODEC_DTYPE_FLOAT128) p[14] = 0xff, p[15] = 0x3f;
      if (dtype == POLYCODEC_DTYPE_COMPLEX32) p[1] = p[3] = 0x3c;
      if (dtype == POLYCODEC_DTYPE_COMPLEX64) p[3] = p[7] = 0x3f;
      if (dtype == POLYCODEC_DTYPE_COMPLEX128) p[7] = p[15] = 0x3f;
    }
  }
  const std::int64_t shape[] = {2, 3};
  polycodec_array* const a =
      out.ndarray(to_string_view(bytes, count * size), dtype, size, shape, POLYCODEC_LITTLE_ENDIAN);
  a->unit = unit;
  return Builder::array(a);
}

/// Rows, columns and, but for `channels` 0, channels of bytes, as a picture has them.
template <std::int64_t channels>
polycodec_node image(Builder& out) {
  constexpr std::int64_t rows = 5, columns = 7;
  constexpr std::int64_t size = rows * columns * (channels == 0 ? 1 : channels);
  auto* const bytes = out.allocate<std::uint8_t>(size);
  for (std::int64_t i = 0; i < size; ++i) bytes[i] = static_cast<std::uint8_t>(i * 37 % 256);
  const std::int64_t shape[] = {rows, columns, channels};
  return Builder::array(out.ndarray(to_string_view(bytes, size), POLYCODEC_DTYPE_UINT8, 1,
                                    std::span(shape).first(channels == 0 ? 2 : 3)));
}

/// Two bytes in each of so many dimensions.
template <std::size_t dimensions>
polycodec_node bytes_of_shape(Builder& out) {
  constexpr std::uint64_t size = std::uint64_t{1} << dimensions;
  auto* const bytes = out.allocate<std::uint8_t>(size);
  for (std::uint64_t i = 0; i < size; ++i) bytes[i] = static_cast<std::uint8_t>(i * 11 + 3);
  constexpr std::int64_t shape[] = {2, 2, 2, 2};
  return Builder::array(out.ndarray(to_string_view(bytes, size), POLYCODEC_DTYPE_UINT8, 1,
                                    std::span(shape).first(dimensions)));
}

template <class Make>
polycodec_node one_table(Builder& out, std::uint64_t rows, const Make& columns_of) {
  std::vector<std::string_view> names;
  std::vector<const polycodec_array*> columns;
  columns_of(names, columns);
  return Builder::array(out.record(rows, names, columns));
}

/// Two columns of numbers as members of an object, as documents have them.
inline polycodec_node two_columns(Builder& out, const polycodec_array* a,
                                  const polycodec_array* b) {
  return out.object({{"a", Builder::array(a)}, {"b", Builder::array(b)}});
}
inline const polycodec_array* int32_column(Builder& out) {
  return leaf(out, std::array<std::int32_t, 4>{1, -2, 3, 400000});
}
/// `column` in the order of bytes that the machine has not.
template <class T>
const polycodec_array* swapped(Builder& out, const polycodec_array* column) {
  polycodec_array* const copy = out.store(*column);
  auto* const bytes = out.allocate<std::uint8_t>(copy->buffer_size);
  std::memcpy(bytes, copy->data, copy->buffer_size);
  for (std::uint64_t at = 0; at < copy->buffer_size; at += sizeof(T))
    std::reverse(bytes + at, bytes + at + sizeof(T));
  copy->data = copy->buffer = bytes;
  copy->byte_order ^= 1;
  return copy;
}
/// `column` with units and, if `more`, another member of its metadata.
inline const polycodec_array* in_units(Builder& out, const polycodec_array* column,
                                       std::string_view units, bool more) {
  polycodec_array* const copy = out.store(*column);
  copy->metadata = out.store(
      more ? out.object({{"units", out.string_copy(units)}, {"sensor", Builder::integer(3)}})
           : out.object({{"units", out.string_copy(units)}}));
  return copy;
}

inline constexpr std::pair<std::string_view, polycodec_node (*)(Builder&)> lone_tables[] = {
    {"gray_image", image<0>},
    {"rgb_image", image<3>},
    {"rgba_image", image<4>},
    {"image_of_2_channels", image<2>},
    {"image_of_5_channels", image<5>},
    {"one_byte", bytes_of_shape<0>},
    {"row_of_bytes", bytes_of_shape<1>},
    {"bytes_of_4_dimensions", bytes_of_shape<4>},
    {"text_column", [](Builder& out) { return Builder::array(text_column(out)); }},
    {"table_of_numbers",
     [](Builder& out) {
       return one_table(out, 4, [&](auto& names, auto& columns) {
         names = {"x", "y", "count"};
         columns = {out.vector(ramp(out, 4)), leaf(out, std::array<float, 4>{1.5f, -2, 0, 8}),
                    leaf(out, std::array<std::int32_t, 4>{1, -2, 3, 400000})};
       });
     }},
    {"table_of_texts",
     [](Builder& out) {
       return one_table(out, 4, [&](auto& names, auto& columns) {
         names = {"name", "again"};
         columns = {text_column(out), text_column(out)};
       });
     }},
    {"table_of_both",
     [](Builder& out) {
       return one_table(out, 4, [&](auto& names, auto& columns) {
         names = {"id", "name", "value"};
         columns = {leaf(out, std::array<std::int64_t, 4>{7, -8, 9, INT64_MAX}), text_column(out),
                    out.vector(ramp(out, 4))};
       });
     }},
    {"table_without_rows",
     [](Builder& out) {
       return one_table(out, 0, [&](auto& names, auto& columns) {
         names = {"x", "y"};
         columns = {out.vector(ramp(out, 0)), out.vector(ramp(out, 0))};
       });
     }},
    {"table_in_the_other_byte_order",
     [](Builder& out) {
       return one_table(out, 4, [&](auto& names, auto& columns) {
         names = {"a", "b"};
         columns = {swapped<double>(out, out.vector(ramp(out, 4))),
                    swapped<std::int32_t>(out, int32_column(out))};
       });
     }},
    {"table_with_units",
     [](Builder& out) {
       return one_table(out, 4, [&](auto& names, auto& columns) {
         names = {"a", "b"};
         columns = {in_units(out, out.vector(ramp(out, 4)), "m", false), int32_column(out)};
       });
     }},
    {"columns_of_numbers",
     [](Builder& out) { return two_columns(out, out.vector(ramp(out, 4)), int32_column(out)); }},
    {"columns_in_lists",
     [](Builder& out) {
       return out.object(
           {{"a", out.list({Builder::real(0.5), Builder::real(-2), Builder::real(1e300)})},
            {"b", out.list({Builder::integer(1), Builder::integer(-2), Builder::integer(70000)})}});
     }},
    {"columns_without_rows",
     [](Builder& out) {
       return two_columns(out, out.vector(ramp(out, 0)),
                          out.vector(std::span<const std::int32_t>()));
     }},
    {"columns_of_two_lengths",
     [](Builder& out) { return two_columns(out, out.vector(ramp(out, 5)), int32_column(out)); }},
    {"columns_in_the_other_byte_order",
     [](Builder& out) {
       return two_columns(out, swapped<double>(out, out.vector(ramp(out, 4))),
                          swapped<std::int32_t>(out, int32_column(out)));
     }},
    {"columns_with_units",
     [](Builder& out) {
       return two_columns(out, in_units(out, out.vector(ramp(out, 4)), "m", false),
                          in_units(out, int32_column(out), "s", false));
     }},
    {"columns_with_units_and_more",
     [](Builder& out) {
       return two_columns(out, in_units(out, out.vector(ramp(out, 4)), "m", true),
                          int32_column(out));
     }},
    {"columns_of_other_types",
     [](Builder& out) {
       return out.object({{"a", Builder::array(leaf(out, std::array<std::int64_t, 2>{1, -2}))},
                          {"b", Builder::array(leaf(out, std::array<std::uint8_t, 2>{3, 255}))},
                          {"c", Builder::array(leaf(out, std::array<float, 2>{0.5f, -4}))},
                          {"d", Builder::array(leaf(out, std::array<bool, 2>{true, false}))}});
     }},
    {"columns_of_rows",
     [](Builder& out) {
       const std::int64_t shape[] = {4, 3};
       const polycodec_array* const rows =
           out.ndarray(bytes_of(ramp(out, 12)), POLYCODEC_DTYPE_FLOAT64, 8, shape);
       return two_columns(out, rows, int32_column(out));
     }},
    {"columns_with_a_long_name",
     [](Builder& out) {
       const std::string name(300, 'n');
       return out.object({{name, Builder::array(out.vector(ramp(out, 4)))},
                          {"b", Builder::array(int32_column(out))}});
     }},
    {"columns_with_a_name_that_is_not_utf8",
     [](Builder& out) {
       Node* members;
       const Node object = out.object(2, &members);
       members[0] = out.text_copy("a");
       members[1] = Builder::array(out.vector(ramp(out, 4)));
       members[2] = out.text_copy("b\xff");
       members[3] = Builder::array(int32_column(out));
       return object;
     }},
};

template <std::uint32_t dtype, std::uint32_t... unit>
void add_units(auto& all, std::integer_sequence<std::uint32_t, unit...>) {
  const auto name = [](std::uint32_t of) {
    std::string_view word = dtype_name(dtype);
    if constexpr (dtype >= POLYCODEC_DTYPE_TIMESTAMP64)
      word = other_words[dtype - POLYCODEC_DTYPE_TIMESTAMP64];
    return std::string("lone_") + std::string(word) + (of == 0 ? "" : "_") +
           std::string(unit_words[of]);
  };
  (all.emplace_back(name(unit), &lone_array<dtype, unit>), ...);
}
template <std::uint32_t... dtype>
void add_dtypes(auto& all, std::integer_sequence<std::uint32_t, dtype...>) {
  (add_units<dtype + 1>(
       all,
       [] {
         if constexpr (dtype + 1 == POLYCODEC_DTYPE_TIMESTAMP64 ||
                       dtype + 1 == POLYCODEC_DTYPE_DURATION64)
           return std::make_integer_sequence<std::uint32_t, POLYCODEC_UNIT_COUNT>();
         else
           return std::integer_sequence<std::uint32_t, 0>();
       }()),
   ...);
}

}  // namespace detail
}  // namespace polycodec::kit
