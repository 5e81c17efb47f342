// SPDX-License-Identifier: MIT
// Typed JSON of single numbers, times and strings.
#pragma once

#include <base/text_out.hpp>
#include <polycodec/array_view.hpp>
#include <polycodec/node_view.hpp>

namespace polycodec::text {

/// Each writes one value in the form that its own type asks for.
void put_half(TextOut& out, std::uint16_t bits);
void put_float(TextOut& out, float value);
void put_double(TextOut& out, double value);
/// Text: a JSON string, or {"$string": "<base64>"} where it is not UTF-8.
void put_text(TextOut& out, std::string_view text);
/// {"$bytes": "<base64>"}
void put_bytes(TextOut& out, const void* data, std::size_t size);
void put_datetime(TextOut& out, const polycodec_time& time);
void put_timedelta(TextOut& out, std::int64_t count, std::uint32_t unit);
/// A number of dtype BOOL .. COMPLEX128 at `data`, any alignment, host byte order.
void put_number(TextOut& out, const void* data, std::uint32_t dtype);

/// Writes elements of one leaf, whatever their dtype and byte order.
class ElementPrinter {
 public:
  explicit ElementPrinter(const polycodec_array& leaf) noexcept
      : dtype_(leaf.dtype),
        size_(leaf.item_size),
        unit_(leaf.unit),
        swap_(!ArrayView(leaf).is_host_order()) {}

  /// One element.
  void put(TextOut& out, const std::byte* element) const;
  /// `count` elements, `stride` bytes apart, separated by ", ".
  void put_run(TextOut& out, const std::byte* first, std::uint64_t count,
               std::int64_t stride) const;

 private:
  void put_fixed(TextOut& out, const std::byte* element) const;

  std::uint32_t dtype_, size_, unit_;
  bool swap_;
};

}  // namespace polycodec::text
