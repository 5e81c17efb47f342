// SPDX-License-Identifier: MIT
// The columnar values of the corpus, at least one of each form; see corpus.hpp.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/builder.hpp>
#include <polycodec/dtype.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace polycodec::kit {

namespace detail {

/// `items`, copied to the arena.
template <class T, std::size_t N>
std::span<const T> kept(Builder& out, const std::array<T, N>& items) {
  return {out.store_all(std::span<const T>(items)), N};
}
template <class T, std::size_t N>
const polycodec_array* leaf(Builder& out, const std::array<T, N>& items) {
  return out.vector(kept(out, items));
}
/// 0, 1, 2, ... as float64.
inline std::span<const double> ramp(Builder& out, std::size_t count) {
  auto* items = out.allocate<double>(count);
  for (std::size_t i = 0; i < count; ++i) items[i] = static_cast<double>(i);
  return {items, count};
}

inline polycodec_node int16_matrix(Builder& out) {
  const auto items = kept(out, std::array<std::int16_t, 6>{-3, -2, -1, 0, 1, 32767});
  const std::int64_t shape[] = {2, 3};
  return Builder::array(out.ndarray(bytes_of(items), POLYCODEC_DTYPE_INT16, 2, shape));
}
inline const polycodec_array* text_column(Builder& out) {
  const std::string_view text = out.copy_text("onetwo\xc3\xa9three");
  const auto bytes = std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  return out.list_offsets(kept(out, std::array<std::int32_t, 5>{0, 3, 3, 8, 13}), out.vector(bytes),
                          POLYCODEC_ARRAY_STRING);
}
inline const polycodec_array* record_column(Builder& out) {
  const std::string_view names[] = {"x", "tag"};
  const polycodec_array* columns[] = {out.vector(ramp(out, 4)), text_column(out)};
  return out.record(4, names, columns);
}

/// Name and recipe of each columnar value.
inline constexpr std::pair<std::string_view, polycodec_node (*)(Builder&)> corpus_arrays[] = {
    {"float64_vector", [](Builder& out) { return Builder::array(out.vector(ramp(out, 100))); }},
    {"empty_vector",
     [](Builder& out) { return Builder::array(out.vector(std::span<const double>())); }},
    {"zero_dimensional",
     [](Builder& out) {
       return Builder::array(out.ndarray(bytes_of(ramp(out, 1)), POLYCODEC_DTYPE_FLOAT64, 8, {}));
     }},
    {"int16_matrix", detail::int16_matrix},
    {"matrix_without_elements",
     [](Builder& out) {
       const std::int64_t shape[] = {3, 0, 2};
       return Builder::array(out.ndarray({}, POLYCODEC_DTYPE_FLOAT32, 4, shape));
     }},
    {"every_integer_dtype",
     [](Builder& out) {
       using namespace std;
       return out.list({Builder::array(leaf(out, array<int8_t, 2>{-128, 127})),
                        Builder::array(leaf(out, array<uint8_t, 2>{0, 255})),
                        Builder::array(leaf(out, array<uint16_t, 2>{0, 65535})),
                        Builder::array(leaf(out, array<int32_t, 2>{INT32_MIN, INT32_MAX})),
                        Builder::array(leaf(out, array<uint32_t, 2>{0, UINT32_MAX})),
                        Builder::array(leaf(out, array<int64_t, 2>{INT64_MIN, INT64_MAX})),
                        Builder::array(leaf(out, array<uint64_t, 2>{0, UINT64_MAX}))});
     }},
    {"bool_vector",
     [](Builder& out) {
       return Builder::array(leaf(out, std::array<bool, 3>{true, false, true}));
     }},
    {"float_vectors",
     [](Builder& out) {
       const auto halves = kept(out, std::array<std::uint16_t, 3>{0x3c00, 0x7c00, 0x8001});
       const std::int64_t shape[] = {3};
       return out.list(
           {Builder::array(leaf(out, std::array<float, 2>{0.1f, -0.0f})),
            Builder::array(out.ndarray(bytes_of(halves), POLYCODEC_DTYPE_FLOAT16, 2, shape))});
     }},
    {"complex_vector",
     [](Builder& out) {
       const auto parts = ramp(out, 6);
       const std::int64_t shape[] = {3};
       return Builder::array(out.ndarray(bytes_of(parts), POLYCODEC_DTYPE_COMPLEX128, 16, shape));
     }},
    {"time_vectors",
     [](Builder& out) {
       const auto counts = kept(out, std::array<std::int64_t, 3>{0, 1577934245, INT64_MIN});
       const std::int64_t shape[] = {3};
       auto* points = out.ndarray(bytes_of(counts), POLYCODEC_DTYPE_TIMESTAMP64, 8, shape);
       points->unit = POLYCODEC_UNIT_SECOND;
       auto* spans = out.ndarray(bytes_of(counts), POLYCODEC_DTYPE_DURATION64, 8, shape);
       spans->unit = POLYCODEC_UNIT_MILLISECOND;
       return out.list({Builder::array(points), Builder::array(spans)});
     }},
    {"fixed_strings",
     [](Builder& out) {
       const auto bytes = kept(out, std::array<char, 8>{'a', 'b', 0, 0, 'c', 'd', 'e', 'f'});
       const auto units = kept(out, std::array<std::uint32_t, 4>{'x', 0x1f3b2, 'y', 0});
       const std::int64_t shape[] = {2};
       return out.list(
           {Builder::array(out.ndarray(bytes_of(bytes), POLYCODEC_DTYPE_FIXED_BYTES, 4, shape)),
            Builder::array(out.ndarray(bytes_of(bytes), POLYCODEC_DTYPE_FIXED_UTF8, 4, shape)),
            Builder::array(out.ndarray(bytes_of(units), POLYCODEC_DTYPE_FIXED_UTF32, 8, shape))});
     }},
    {"other_byte_order",
     [](Builder& out) {
       const std::array<std::uint8_t, 8> bytes = {0, 0, 0, 1, 255, 255, 255, 254};
       const bool little = host_byte_order == POLYCODEC_LITTLE_ENDIAN;
       const std::int64_t shape[] = {2};
       return Builder::array(out.ndarray(bytes_of(kept(out, bytes)), POLYCODEC_DTYPE_INT32, 4,
                                         shape,
                                         little ? POLYCODEC_BIG_ENDIAN : POLYCODEC_LITTLE_ENDIAN));
     }},
    {"strided_column",
     [](Builder& out) {
       const auto items = ramp(out, 30);
       return Builder::array(
           out.strided(bytes_of(items), items.data() + 1, 10, 24, POLYCODEC_DTYPE_FLOAT64, 8));
     }},
    {"reversed_vector",
     [](Builder& out) {
       const auto items = ramp(out, 10);
       return Builder::array(
           out.strided(bytes_of(items), items.data() + 9, 10, -8, POLYCODEC_DTYPE_FLOAT64, 8));
     }},
    {"repeated_element",
     [](Builder& out) {
       const auto items = ramp(out, 2);
       return Builder::array(
           out.strided(bytes_of(items), items.data() + 1, 5, 0, POLYCODEC_DTYPE_FLOAT64, 8));
     }},
    {"unaligned_vector",
     [](Builder& out) {
       auto* bytes = out.allocate<std::byte>(17);
       bytes[0] = std::byte{0xff};
       std::memcpy(bytes + 1, ramp(out, 2).data(), 16);
       return Builder::array(
           out.strided(to_string_view(bytes, 17), bytes + 1, 2, 8, POLYCODEC_DTYPE_FLOAT64, 8));
     }},
    {"transposed_matrix",
     [](Builder& out) {
       const std::int64_t shape[] = {3, 2};
       auto* a = out.ndarray(bytes_of(ramp(out, 6)), POLYCODEC_DTYPE_FLOAT64, 8, shape);
       a->strides =
           out.store_all(std::span<const std::int64_t>({std::int64_t{8}, std::int64_t{24}}));
       return Builder::array(a);
     }},
    {"text_list", [](Builder& out) { return Builder::array(text_column(out)); }},
    {"binary_list",
     [](Builder& out) {
       const auto bytes = kept(out, std::array<std::uint8_t, 5>{0, 255, 1, 2, 3});
       return Builder::array(out.list_offsets(kept(out, std::array<std::int64_t, 3>{0, 2, 5}),
                                              out.vector(bytes), POLYCODEC_ARRAY_BINARY));
     }},
    {"jagged_list",
     [](Builder& out) {
       return Builder::array(out.list_offsets(kept(out, std::array<std::int64_t, 4>{2, 2, 5, 9}),
                                              out.vector(ramp(out, 12))));
     }},
    {"list_view",
     [](Builder& out) {
       const polycodec_array* content = out.vector(ramp(out, 8));
       auto* a = out.with_children(POLYCODEC_LAYOUT_LIST_VIEW, 3, {{content}});
       a->index = Builder::column(kept(out, std::array<std::int64_t, 3>{5, 0, 0}));
       a->stops = Builder::column(kept(out, std::array<std::int64_t, 3>{8, 0, 2}));
       return Builder::array(a);
     }},
    {"list_fixed",
     [](Builder& out) {
       const polycodec_array* content = out.vector(ramp(out, 9));
       auto* a = out.with_children(POLYCODEC_LAYOUT_LIST_FIXED, 4, {{content}});
       a->list_size = 2;
       return Builder::array(a);
     }},
    {"record", [](Builder& out) { return Builder::array(record_column(out)); }},
    {"interleaved_record",
     [](Builder& out) {
       // rows of a file as columns without a copy
       const auto rows = bytes_of(kept(out, std::array<float, 9>{1, 2, 3, 4, 5, 6, 7, 8, 9}));
       const std::string_view names[] = {"x", "y", "z"};
       const polycodec_array* columns[3];
       for (std::size_t c = 0; c < 3; ++c)
         columns[c] = out.strided(rows, rows.data() + 4 * c, 3, 12, POLYCODEC_DTYPE_FLOAT32, 4);
       return Builder::array(out.record(3, names, columns));
     }},
    {"record_without_names",
     [](Builder& out) {
       const polycodec_array* columns[] = {out.vector(ramp(out, 2)),
                                           leaf(out, std::array<std::int32_t, 2>{7, 8})};
       return Builder::array(out.record(2, {}, columns));
     }},
    {"union_array",
     [](Builder& out) {
       const polycodec_array* children[] = {out.vector(ramp(out, 2)), text_column(out)};
       auto* a = out.with_children(POLYCODEC_LAYOUT_UNION, 4, children);
       a->index = Builder::column(kept(out, std::array<std::int32_t, 4>{0, 3, 1, 0}));
       a->tags = Builder::column(kept(out, std::array<std::int8_t, 4>{0, 1, 0, 1}));
       return Builder::array(a);
     }},
    {"option_bytes",
     [](Builder& out) {
       const polycodec_array* content = out.vector(ramp(out, 4));
       auto* a = out.with_children(POLYCODEC_LAYOUT_OPTION_BYTES, 4, {{content}});
       a->index = Builder::column(kept(out, std::array<std::uint8_t, 4>{0, 1, 0, 1}));
       return Builder::array(a);
     }},
    {"option_bits",
     [](Builder& out) {
       const polycodec_array* content = out.vector(ramp(out, 10));
       auto* a = out.with_children(POLYCODEC_LAYOUT_OPTION_BITS, 10, {{content}});
       a->flags = POLYCODEC_ARRAY_BITS_LSB | POLYCODEC_ARRAY_MASK_VALID;
       a->index = Builder::column(kept(out, std::array<std::uint8_t, 2>{0x6d, 0x02}));
       return Builder::array(a);
     }},
    {"indexed",
     [](Builder& out) {
       auto* a = out.with_children(POLYCODEC_LAYOUT_INDEXED, 5, {{text_column(out)}});
       a->index = Builder::column(kept(out, std::array<std::int64_t, 5>{3, -1, 0, 0, 2}));
       return Builder::array(a);
     }},
    {"chunked",
     [](Builder& out) {
       const polycodec_array* chunks[] = {out.vector(ramp(out, 3)),
                                          out.vector(std::span<const double>()),
                                          out.vector(ramp(out, 2))};
       return Builder::array(out.with_children(POLYCODEC_LAYOUT_CHUNKED, 5, chunks));
     }},
    {"document_array",
     [](Builder& out) {
       auto* a = out.new_array(POLYCODEC_LAYOUT_DOCUMENT, 3);
       const polycodec_node items[] = {Builder::integer(1), out.string_copy("x"), Builder::null()};
       a->nodes = out.store_all(std::span<const polycodec_node>(items));
       return Builder::array(a);
     }},
    {"array_with_attributes",
     [](Builder& out) {
       auto* a = out.vector(ramp(out, 3));
       a->metadata = out.store(out.object({{"units", out.string_copy("g")}}));
       return Builder::array(a);
     }},
    {"table",
     [](Builder& out) {
       // documents around columns around lists of records
       const auto* jagged =
           out.list_offsets(kept(out, std::array<std::int64_t, 3>{0, 1, 4}), record_column(out));
       const polycodec_array* columns[] = {leaf(out, std::array<std::int64_t, 2>{1, 2}), jagged};
       const std::string_view names[] = {"id", "points"};
       return out.object({{"header", out.object({{"version", Builder::integer(2)}})},
                          {"rows", Builder::array(out.record(2, names, columns))},
                          {"matrix", int16_matrix(out)}});
     }},
};

}  // namespace detail

using detail::corpus_arrays;

}  // namespace polycodec::kit
