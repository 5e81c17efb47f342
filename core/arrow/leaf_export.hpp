// SPDX-License-Identifier: MIT
// Leaves as Arrow has them: numbers, times, strings of fixed width, and dimensions of those.
#pragma once

#include <base/dtype_names.hpp>
#include <polycodec/array_view.hpp>
#include <polycodec/builder.hpp>
#include <polycodec/error.hpp>
#include <polycodec/path.hpp>
#include <polycodec/quote.hpp>
#include <polycodec/view.hpp>

#include "core/arrow/formats.hpp"
#include "core/arrow/owner.hpp"
#include "core/call/limits.hpp"
#include "core/value/aligned_memory.hpp"
#include "core/value/host_meter.hpp"
#include "core/value/value.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

namespace polycodec {

/// One array and its schema, as they are handed out.
struct Pair {
  SchemaDraft schema;
  ArrayDraft array;
  const polycodec_node* attributes = nullptr;  ///< those in the schema's metadata
};

/// What the exporter of whole arrays does with leaves. Copies go to the arena of `out`.
class LeafExport {
 protected:
  LeafExport(Builder out, const Limits& limits, HostMeter& meter)
      : out_(out), limits_(limits), meter_(meter) {}

  /// Which items of an array are there: a mask byte for each, or null for all.
  using Valid = const std::uint8_t*;

  [[noreturn]] static void fail(Status status, const std::string& what) {
    throw Error(status, what);
  }

  static Pair draft(std::string format, std::uint64_t length) {
    Pair pair;
    pair.schema.format = std::move(format);
    pair.array.length = static_cast<std::int64_t>(length);
    return pair;
  }

  /// A validity bitmap as the first buffer.
  void set_validity(Pair& pair, std::uint64_t length, Valid valid) {
    pair.array.buffers.insert(pair.array.buffers.begin(), nullptr);
    if (valid == nullptr) return;
    pair.schema.nullable = true;
    meter_.tick(length);
    std::int64_t missing = 0;
    for (std::uint64_t i = 0; i < length; ++i) missing += valid[i] == 0;
    pair.array.null_count = missing;
    if (missing != 0)
      pair.array.buffers[0] = bits(length, [valid](std::uint64_t i) { return valid[i] != 0; });
  }

  template <class Test>
  const std::uint8_t* bits(std::uint64_t length, Test&& test) {
    const std::uint64_t size = (length + 7) / 8;
    meter_.tick(length);
    auto* bytes = out_.allocate<std::uint8_t>(size);
    std::memset(bytes, 0, size);
    for (std::uint64_t i = 0; i < length; ++i)
      bytes[i / 8] = static_cast<std::uint8_t>(bytes[i / 8] | (test(i) ? 1u << i % 8 : 0u));
    return bytes;
  }

  /// Numbers in host order, one after another, at an address that fits them.
  const void* elements(ArrayView view, std::uint32_t alignment) {
    const polycodec_array* whole = make_contiguous(view.raw(), out_);
    if (reinterpret_cast<std::uintptr_t>(whole->data) % alignment == 0) return whole->data;
    const auto bytes = ArrayView(*whole).contiguous_bytes();
    void* const copy = aligned_memory(out_, bytes.size());
    std::memcpy(copy, bytes.data(), bytes.size());
    return copy;
  }

  /// A structure column as contiguous T: itself if it is that already.
  template <class T, class... Same>
  const T* column(ColumnView from, std::uint64_t count) {
    const T* found = nullptr;
    const auto look = [&]<class U>() {
      if (const auto same = from.contiguous<U>(count))
        found = reinterpret_cast<const T*>(same->data());
    };
    look.template operator()<T>();
    (look.template operator()<Same>(), ...);
    if (found != nullptr) return found;
    meter_.tick(count);
    auto* copy = out_.allocate<T>(count);
    for (std::uint64_t i = 0; i < count; ++i) copy[i] = static_cast<T>(from[i]);
    return copy;
  }

  // -- leaves --

  Pair leaf(ArrayView view, std::uint64_t length, Valid valid) {
    if (view.ndim() > 1 && length != view.length()) {
      auto* shape = out_.store_all(view.shape());
      shape[0] = static_cast<std::int64_t>(length);
      auto* cut = out_.store(view.raw());
      cut->length = length;
      cut->shape = shape;
      return leaf(ArrayView(*cut), length, valid);
    }
    Pair pair = elements_of(view, view.ndim() <= 1 ? length : view.element_count(),
                            view.ndim() <= 1 ? valid : nullptr);
    // Inner dimensions become lists of fixed size, from the inside out.
    for (std::uint32_t axis = view.ndim(); axis-- > 1;) {
      std::uint64_t rows = 1;
      for (std::uint32_t k = 0; k < axis; ++k) rows *= static_cast<std::uint64_t>(view.shape()[k]);
      pair = fixed_list_of(std::move(pair), static_cast<std::uint64_t>(view.shape()[axis]), rows,
                           axis == 1 ? valid : nullptr);
    }
    return pair;
  }

  Pair fixed_list_of(Pair item, std::uint64_t size, std::uint64_t length, Valid valid) {
    if (size > static_cast<std::uint64_t>(INT32_MAX))
      fail(Status::unsupported, "Arrow's lists of fixed size hold at most 2^31 - 1 items");
    Pair pair = draft("+w:" + std::to_string(size), length);
    set_validity(pair, length, valid);
    item.schema.name = "item";
    pair.schema.children.push_back(std::move(item.schema));
    pair.array.children.push_back(std::move(item.array));
    return pair;
  }

  Pair elements_of(ArrayView view, std::uint64_t count, Valid valid) {
    const std::uint32_t dtype = view.dtype();
    if (const std::string format = number_format(dtype); !format.empty())
      return plain(view, format, count, valid, dtype_size(dtype));
    if (dtype == POLYCODEC_DTYPE_BOOLEAN) {
      const auto* bytes = static_cast<const std::uint8_t*>(elements(view, 1));
      Pair pair = draft("b", count);
      pair.array.buffers.push_back(bits(count, [bytes](std::uint64_t i) { return bytes[i] != 0; }));
      set_validity(pair, count, valid);
      return pair;
    }
    if (is_time(dtype)) return times(view, count, valid);
    if (is_complex(dtype)) {
      const std::uint32_t part = dtype_size(dtype) / 2;
      Pair parts = draft(part == 2 ? "e" : part == 4 ? "f" : "g", count * 2);
      parts.array.buffers = {nullptr, elements(view, part)};
      Pair pair = fixed_list_of(std::move(parts), 2, count, valid);
      pair.schema.metadata.emplace_back(extension_key, "polycodec.complex");
      return pair;
    }
    if (is_fixed(dtype) && dtype != POLYCODEC_DTYPE_FIXED_BYTES)
      return fixed_texts(view, count, valid);
    // 128-bit numbers and fixed bytes.
    Pair pair = plain(view, "w:" + std::to_string(view.item_size()), count, valid, 1);
    if (dtype != POLYCODEC_DTYPE_FIXED_BYTES)
      pair.schema.metadata.emplace_back(extension_key,
                                        "polycodec." + std::string(dtype_name(dtype)));
    return pair;
  }

  Pair plain(ArrayView view, std::string format, std::uint64_t count, Valid valid,
             std::uint32_t alignment) {
    Pair pair = draft(std::move(format), count);
    pair.array.buffers.push_back(elements(view, alignment));
    set_validity(pair, count, valid);
    return pair;
  }

  Pair times(ArrayView view, std::uint64_t count, Valid valid) {
    const auto [format, factor] =
        time_format(view.dtype() == POLYCODEC_DTYPE_TIMESTAMP64, view.unit());
    if (format.empty())
      fail(Status::unsupported,
           "Arrow has no times in units of " + quote(time_unit_name(view.unit())));
    const auto* items = static_cast<const std::int64_t*>(elements(view, sizeof(std::int64_t)));
    meter_.tick(count);
    // "Not a time" is a missing item.
    if (std::any_of(items, items + count, [](std::int64_t t) { return t == INT64_MIN; })) {
      auto* there = out_.allocate<std::uint8_t>(count);
      for (std::uint64_t i = 0; i < count; ++i)
        there[i] = items[i] != INT64_MIN && (valid == nullptr || valid[i] != 0);
      valid = there;
    }
    Pair pair = draft(format, count);
    if (factor != 1) {
      auto* seconds = out_.allocate<std::int64_t>(count);
      for (std::uint64_t i = 0; i < count; ++i) {
        const bool there = items[i] != INT64_MIN && (valid == nullptr || valid[i] != 0);
        if (__builtin_mul_overflow(there ? items[i] : 0, factor, &seconds[i]))
          throw Error(Status::range, "the time does not fit in 64 bits of seconds")
              .path(index_step(i));
      }
      items = seconds;
    }
    pair.array.buffers.push_back(items);
    set_validity(pair, count, valid);
    return pair;
  }

  Pair fixed_texts(ArrayView view, std::uint64_t count, Valid valid) {
    const auto node = Builder::array(&view.raw());
    const View items(&node);
    std::string scratch;
    meter_.tick(8 * count);
    auto* offsets = out_.allocate<std::int64_t>(count + 1);
    std::uint64_t total = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
      offsets[i] = static_cast<std::int64_t>(total);
      if (valid == nullptr || valid[i] != 0) total += items.child(i).as_string(scratch).size();
    }
    offsets[count] = static_cast<std::int64_t>(total);
    auto* bytes = out_.allocate<char>(total);
    for (std::uint64_t i = 0; i < count; ++i) {
      if (valid != nullptr && valid[i] == 0) continue;
      const std::string_view text = items.child(i).as_string(scratch);
      if (!text.empty()) std::memcpy(bytes + offsets[i], text.data(), text.size());
    }
    Pair pair = draft("U", count);
    pair.array.buffers = {offsets, bytes};
    set_validity(pair, count, valid);
    return pair;
  }

  Builder out_;
  const Limits& limits_;
  HostMeter& meter_;
};

}  // namespace polycodec
