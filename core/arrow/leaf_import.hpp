// SPDX-License-Identifier: MIT
// Leaves and strings of Arrow as ours.
#pragma once

#include <base/dtype_names.hpp>
#include <polycodec/builder.hpp>
#include <polycodec/error.hpp>
#include <polycodec/path.hpp>
#include <polycodec/quote.hpp>

#include "core/arrow/formats.hpp"
#include "core/arrow/owner.hpp"
#include "core/call/limits.hpp"

#include <charconv>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace polycodec {

/// What the importer of whole arrays does with leaves. What is made lies in the arena of `out`.
/// Elements and text are viewed. A producer's buffers may change, so that structure is copied, and
/// read from the copy alone.
class LeafImport {
 protected:
  LeafImport(Builder& out, const Limits& limits) : out_(out), limits_(limits) {}

  struct Slice {
    const ArrowSchema* schema;
    const ArrowArray* array;
    std::uint64_t begin;
    std::uint64_t length;
    std::uint32_t depth;

    template <class T>
    const T* buffer(std::int64_t i) const {
      if (i >= array->n_buffers || (array->buffers[i] == nullptr && length != 0))
        throw Error(Status::invalid, "an array of format " + quote(schema->format) +
                                         " lacks buffer " + std::to_string(i));
      return static_cast<const T*>(array->buffers[i]);
    }
  };

  [[noreturn]] static void unsupported(const Slice& slice) {
    throw Error(Status::unsupported,
                "Arrow's format " + quote(slice.schema->format) + " has no layout in polycodec");
  }

  static std::uint8_t bit(const std::uint8_t* bits, std::uint64_t i) noexcept {
    return static_cast<std::uint8_t>(bits[i / 8] >> i % 8 & 1);
  }

  /// Structure of the producer's.
  template <class T>
  std::span<const T> copied(const T* items, std::uint64_t n) {
    const std::span<const T> all(items, static_cast<std::size_t>(n));
    return {out_.store_all(all), all.size()};
  }

  // -- leaves --

  const polycodec_array* leaf(const void* data, std::uint64_t begin, std::uint64_t length,
                              std::uint32_t dtype, std::uint32_t size,
                              std::uint32_t unit = POLYCODEC_UNIT_NONE) {
    const std::int64_t shape[] = {static_cast<std::int64_t>(length)};
    const auto* bytes = static_cast<const std::byte*>(data);
    viewed_ += length * size;
    polycodec_array* array = out_.ndarray(
        to_string_view(bytes == nullptr ? nullptr : bytes + begin * size, length * size), dtype,
        size, shape);
    array->unit = unit;
    return array;
  }

  const polycodec_array* booleans(const Slice& slice) {
    const auto* bits = slice.buffer<std::uint8_t>(1);
    auto* bytes = out_.allocate<std::uint8_t>(slice.length);
    for (std::uint64_t i = 0; i < slice.length; ++i) bytes[i] = bit(bits, slice.begin + i);
    return leaf(bytes, 0, slice.length, POLYCODEC_DTYPE_BOOLEAN, 1);
  }

  const polycodec_array* nothing(std::uint64_t length) {
    if (length > limits_.max_nodes) throw Error(Status::limit, "too many nulls");
    auto* nodes = out_.allocate<polycodec_node>(length);
    for (std::uint64_t i = 0; i < length; ++i) nodes[i] = Builder::null();
    polycodec_array* array = out_.new_array(POLYCODEC_LAYOUT_DOCUMENT, length);
    array->nodes = nodes;
    return array;
  }

  static std::uint64_t number_in(const Slice& slice, std::string_view text) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number > INT32_MAX)
      unsupported(slice);
    return number;
  }

  const polycodec_array* fixed_bytes(const Slice& slice, std::string_view width) {
    const auto size = static_cast<std::uint32_t>(number_in(slice, width));
    if (size == 0) unsupported(slice);
    const std::string_view name = find_metadata(slice.schema->metadata, extension_key);
    std::uint32_t dtype = POLYCODEC_DTYPE_FIXED_BYTES;
    for (const std::uint32_t wide :
         {POLYCODEC_DTYPE_INT128, POLYCODEC_DTYPE_UINT128, POLYCODEC_DTYPE_FLOAT128})
      if (size == 16 && name == "polycodec." + std::string(dtype_name(wide))) dtype = wide;
    return leaf(slice.buffer<void>(1), slice.begin, slice.length, dtype, size);
  }

  /// `tdD` days, `tdm` milliseconds; `tss:zone` points, `tDs` spans. Arrow's times with a zone
  /// count from the epoch in UTC as ours do: the zone is an attribute.
  const polycodec_array* times(const Slice& slice, std::string_view format) {
    if (format == "tdD") {
      const auto* days = slice.buffer<std::int32_t>(1) + slice.begin;
      auto* wide = out_.allocate<std::int64_t>(slice.length);
      for (std::uint64_t i = 0; i < slice.length; ++i) wide[i] = days[i];
      return leaf(wide, 0, slice.length, POLYCODEC_DTYPE_TIMESTAMP64, 8, POLYCODEC_UNIT_DAY);
    }
    if (format == "tdm")
      return leaf(slice.buffer<void>(1), slice.begin, slice.length, POLYCODEC_DTYPE_TIMESTAMP64, 8,
                  POLYCODEC_UNIT_MILLISECOND);
    const bool point = format.size() >= 4 && format.starts_with("ts") && format[3] == ':';
    const bool span = format.size() == 3 && format.starts_with("tD");
    const std::uint32_t unit =
        point || span ? sub_second_unit(format[2]) : std::uint32_t{POLYCODEC_UNIT_NONE};
    if (unit == POLYCODEC_UNIT_NONE) unsupported(slice);
    return leaf(slice.buffer<void>(1), slice.begin, slice.length,
                point ? POLYCODEC_DTYPE_TIMESTAMP64 : POLYCODEC_DTYPE_DURATION64, 8, unit);
  }

  // -- lists --

  /// A copy of the offsets of the slice, checked: they never fall, and the last is returned.
  template <class Offset>
  std::pair<std::span<const Offset>, std::uint64_t> offsets_of(const Slice& slice) {
    static constexpr Offset zero[1] = {};
    if (slice.length == 0) return {std::span<const Offset>(zero, 1), 0};
    const auto offsets = copied(slice.buffer<Offset>(1) + slice.begin, slice.length + 1);
    for (std::size_t i = 0; i < offsets.size(); ++i)
      if (offsets[i] < (i == 0 ? Offset{0} : offsets[i - 1]))
        throw Error(Status::invalid, "an offset is less than the one before").path(index_step(i));
    return {offsets, static_cast<std::uint64_t>(offsets.back())};
  }

  template <class Offset>
  const polycodec_array* texts(const Slice& slice, bool text) {
    const auto [offsets, end] = offsets_of<Offset>(slice);
    const void* bytes = slice.array->n_buffers > 2 ? slice.array->buffers[2] : nullptr;
    if (bytes == nullptr && end != 0)
      throw Error(Status::invalid, "an array of strings has no bytes");
    return out_.list_offsets(offsets, leaf(bytes, 0, end, POLYCODEC_DTYPE_UINT8, 1),
                             text ? POLYCODEC_ARRAY_STRING : POLYCODEC_ARRAY_BINARY);
  }

  /// Short strings are in the views, long ones in one of several buffers: joined into one here.
  const polycodec_array* text_views(const Slice& slice, bool text) {
    struct TextView {
      std::int32_t size;
      std::int32_t words[3];
    };
    const auto* views = slice.buffer<TextView>(1) + slice.begin;
    const std::int64_t pools =
        slice.array->n_buffers - 3;  // after validity and views; the last buffer holds sizes
    const auto bytes_of = [&](const TextView& view, std::uint64_t i) {
      if (view.size < 0) throw Error(Status::invalid, "a text has a negative size");
      const auto size = static_cast<std::size_t>(view.size);
      if (size <= 12) return std::string_view(reinterpret_cast<const char*>(view.words), size);
      const std::int64_t pool = view.words[1];
      const auto* sizes =
          static_cast<const std::int64_t*>(slice.array->buffers[slice.array->n_buffers - 1]);
      if (pool < 0 || pool >= pools || view.words[2] < 0 ||
          std::int64_t{view.words[2]} + view.size > sizes[pool])
        throw Error(Status::invalid, "a text lies outside its buffer").path(index_step(i));
      return std::string_view(
          static_cast<const char*>(slice.array->buffers[2 + pool]) + view.words[2], size);
    };
    // Both passes read the views: a text that has grown meanwhile does not fit.
    const auto* bits = static_cast<const std::uint8_t*>(slice.array->buffers[0]);
    const auto there = [&](std::uint64_t i) {
      return bits == nullptr || bit(bits, slice.begin + i) != 0;
    };
    auto* offsets = out_.allocate<std::int64_t>(slice.length + 1);
    offsets[0] = 0;
    for (std::uint64_t i = 0; i < slice.length; ++i) {
      const TextView view = views[i];
      offsets[i + 1] =
          offsets[i] + (there(i) ? static_cast<std::int64_t>(bytes_of(view, i).size()) : 0);
    }
    const auto total = static_cast<std::uint64_t>(offsets[slice.length]);
    auto* bytes = out_.allocate<char>(total);
    for (std::uint64_t i = 0; i < slice.length; ++i) {
      const auto size = static_cast<std::size_t>(offsets[i + 1] - offsets[i]);
      if (size == 0) continue;
      const TextView view = views[i];
      const std::string_view text_bytes = bytes_of(view, i);
      if (text_bytes.size() != size)
        throw Error(Status::invalid, "a text changed while it was read").path(index_step(i));
      std::memcpy(bytes + offsets[i], text_bytes.data(), size);
    }
    return out_.list_offsets(
        std::span<const std::int64_t>(offsets, static_cast<std::size_t>(slice.length) + 1),
        leaf(bytes, 0, total, POLYCODEC_DTYPE_UINT8, 1),
        text ? POLYCODEC_ARRAY_STRING : POLYCODEC_ARRAY_BINARY);
  }

  Builder& out_;
  const Limits& limits_;
  std::uint64_t viewed_ = 0;  // bytes of leaves
};

}  // namespace polycodec
