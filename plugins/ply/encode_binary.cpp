// SPDX-License-Identifier: MIT
#include <base/swap_copy.hpp>
#include <polycodec/byte_order.hpp>
#include <polycodec/dtype.hpp>

#include "columns.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace polycodec::ply {
namespace {

// Rows are put together in blocks that stay in the first-level cache.
constexpr std::uint64_t block_bytes = 16384;

template <std::size_t Size, bool Swap>
void scatter(std::uint8_t* to, std::uint64_t to_stride, const std::byte* from,
             std::int64_t from_stride, std::uint64_t count) noexcept {
  for (std::uint64_t i = 0; i < count; ++i, to += to_stride, from += from_stride) {
    if constexpr (Swap) {
      detail::swap_items<Size>(to, reinterpret_cast<const std::uint8_t*>(from), 1);
    } else {
      std::memcpy(to, from, Size);
    }
  }
}

void scatter_numbers(std::uint8_t* to, std::uint64_t to_stride, const std::byte* from,
                     std::int64_t from_stride, std::uint64_t count, std::uint32_t size,
                     bool swap) noexcept {
  switch (size * 2 + (swap ? 1 : 0)) {
    case 2:
    case 3:
      return scatter<1, false>(to, to_stride, from, from_stride, count);
    case 4:
      return scatter<2, false>(to, to_stride, from, from_stride, count);
    case 5:
      return scatter<2, true>(to, to_stride, from, from_stride, count);
    case 8:
      return scatter<4, false>(to, to_stride, from, from_stride, count);
    case 9:
      return scatter<4, true>(to, to_stride, from, from_stride, count);
    case 16:
      return scatter<8, false>(to, to_stride, from, from_stride, count);
    default:
      return scatter<8, true>(to, to_stride, from, from_stride, count);
  }
}

class BinaryWriter {
 public:
  BinaryWriter(const Call& call, const ElementSource& element, Format format, Writer& out)
      : call_(call),
        e_(element),
        rows_(element.element.count),
        order_(format == Format::big_endian ? std::endian::big : std::endian::little),
        byte_order_(format == Format::big_endian ? POLYCODEC_BIG_ENDIAN : POLYCODEC_LITTLE_ENDIAN),
        out_(out) {}

  void run() {
    bool uniform = true;
    for (std::size_t i = 0; i < e_.sources.size(); ++i) {
      uniform = uniform && e_.sources[i].kind != Source::Kind::list;
      row_size_ += count_size(i) + items(i) * item_size(i);
      if (row_size_ > block_bytes) uniform = false;
      if (!uniform) return ragged();
    }
    if (!reference()) blocks();
  }

 private:
  std::uint32_t item_size(std::size_t i) const noexcept { return dtype_size(e_.sources[i].dtype); }
  std::uint32_t count_size(std::size_t i) const noexcept {
    return dtype_size(e_.element.properties[i].count_dtype);
  }
  std::uint64_t items(std::size_t i) const noexcept {
    return e_.sources[i].kind == Source::Kind::fixed_list ? e_.sources[i].length : 1;
  }
  bool swapped(std::size_t i) const noexcept {
    return item_size(i) > 1 && e_.sources[i].byte_order != byte_order_;
  }

  void store_count(std::uint8_t* to, std::size_t i, std::uint64_t count) const noexcept {
    const std::uint32_t size = count_size(i);
    if (size == 1)
      *to = static_cast<std::uint8_t>(count);
    else if (size == 2)
      store(to, static_cast<std::uint16_t>(count), order_);
    else
      store(to, static_cast<std::uint32_t>(count), order_);
  }

  // True if the rows are in memory just as they are to be written (they came from such a file):
  // then one reference writes them all. The lengths of lists are not part of the value and are
  // looked at, every one.
  bool reference() {
    const Source& first = e_.sources[0];
    const std::uint64_t bytes = rows_ * row_size_;
    if (bytes < 4 * Writer::reference_threshold) return false;
    const std::byte* const base = first.data - count_size(0);
    std::uint64_t at = 0;
    for (std::size_t i = 0; i < e_.sources.size(); ++i) {
      const Source& s = e_.sources[i];
      at += count_size(i);
      if (s.leaf == nullptr || swapped(i) || s.row_stride != static_cast<std::int64_t>(row_size_) ||
          s.data != base + at || (items(i) > 1 && s.item_stride != item_size(i)) || items(i) == 0)
        return false;
      const auto* const buffer = static_cast<const std::byte*>(s.leaf->buffer);
      if (base < buffer || static_cast<std::uint64_t>(base - buffer) + bytes > s.leaf->buffer_size)
        return false;
      if (count_size(i) != 0 && !has_lengths(i, s.data - count_size(i))) return false;
      at += items(i) * item_size(i);
    }
    out_.reference(base, bytes);
    return true;
  }

  bool has_lengths(std::size_t i, const std::byte* p) const {
    std::uint8_t wanted[4] = {};
    store_count(wanted, i, items(i));
    const std::uint32_t size = count_size(i);
    bool same = true;
    if (size == 1) {
      for (std::uint64_t row = 0; row < rows_; ++row, p += row_size_)
        same &= static_cast<std::uint8_t>(*p) == wanted[0];
      return same;
    }
    for (std::uint64_t row = 0; row < rows_ && same; ++row, p += row_size_)
      same = std::memcmp(p, wanted, size) == 0;
    return same;
  }

  // Column after column into blocks of rows.
  void blocks() {
    const std::uint64_t block = std::max<std::uint64_t>(block_bytes / row_size_, 1);
    for (std::uint64_t row = 0; row < rows_; row += block) {
      const std::uint64_t n = std::min(block, rows_ - row);
      call_.tick(n * (row_size_ / 16 + e_.sources.size()));
      std::uint8_t* to = out_.reserve(n * row_size_);
      for (std::size_t i = 0; i < e_.sources.size(); ++i) {
        const Source& s = e_.sources[i];
        const std::uint32_t size = item_size(i);
        if (count_size(i) != 0) {
          std::uint8_t count[8] = {};
          store_count(count, i, items(i));
          scatter_numbers(to, row_size_, reinterpret_cast<const std::byte*>(count), 0, n,
                          count_size(i), false);
          to += count_size(i);
        }
        const std::byte* from = s.data + static_cast<std::int64_t>(row) * s.row_stride;
        if (items(i) == 3 && size == 4 && s.item_stride == 4 && !swapped(i)) {  // triangles
          scatter<12, false>(to, row_size_, from, s.row_stride, n);
          to += 12;
          continue;
        }
        for (std::uint64_t k = 0; k < items(i); ++k, to += size, from += s.item_stride)
          scatter_numbers(to, row_size_, from, s.row_stride, n, size, swapped(i));
      }
      out_.commit(n * row_size_);
    }
  }

  // Row after row.
  void ragged() {
    for (std::uint64_t row = 0; row < rows_; ++row) {
      if ((row & 0xfff) == 0)
        call_.tick(std::min<std::uint64_t>(4096, rows_ - row) * 4 * e_.sources.size());
      for (std::size_t i = 0; i < e_.sources.size(); ++i) {
        const Source& s = e_.sources[i];
        const std::uint32_t size = item_size(i);
        Run run = s.row(row);
        if (count_size(i) != 0) {
          store_count(out_.reserve(4), i, run.count);
          out_.commit(count_size(i));
        }
        if (!swapped(i) && run.stride == static_cast<std::int64_t>(size)) {
          out_.put_bytes(run.data, run.count * size);
          continue;
        }
        while (run.count != 0) {
          const std::uint64_t n = std::min<std::uint64_t>(run.count, block_bytes / 8);
          scatter_numbers(out_.reserve(n * size), size, run.data, run.stride, n, size, swapped(i));
          out_.commit(n * size);
          run.count -= n;
          run.data += static_cast<std::int64_t>(n) * run.stride;
        }
      }
    }
  }

  const Call& call_;
  const ElementSource& e_;
  std::uint64_t rows_;
  std::endian order_;
  std::uint8_t byte_order_;
  Writer& out_;
  std::uint64_t row_size_ = 0;
};

}  // namespace

void encode_binary_element(const Call& call, const ElementSource& element, Format format,
                           Writer& out) {
  BinaryWriter(call, element, format, out).run();
}

}  // namespace polycodec::ply
