// SPDX-License-Identifier: MIT
// Binary bodies. Rows of one size stay where they are and are described by strides; others are
// gathered.
#include <polycodec/byte_order.hpp>
#include <polycodec/checked.hpp>
#include <polycodec/dtype.hpp>

#include "decode.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace polycodec::ply {
namespace {

class BinaryReader {
 public:
  BinaryReader(const Decoding& decoding, const Element& element, const Chosen& chosen,
               std::uint64_t offset)
      : d_(decoding),
        element_(element),
        chosen_(chosen),
        order_(decoding.header.format == Format::big_endian ? std::endian::big
                                                            : std::endian::little),
        byte_order_(decoding.header.format == Format::big_endian ? POLYCODEC_BIG_ENDIAN
                                                                 : POLYCODEC_LITTLE_ENDIAN),
        begin_(reinterpret_cast<const std::byte*>(decoding.file.data())),
        offset_(offset),
        size_(decoding.file.size()) {}

  Columns run() {
    for (const Property& p : element_.properties) {
      min_row_ += dtype_size(p.is_list() ? p.count_dtype : p.dtype);
      lists_ += p.is_list() ? 1 : 0;
    }
    // Where there are too few bytes, the walk says in which row they end.
    if (!d_.has_room(element_, min_row_, size_ - offset_, offset_)) {
      const std::uint64_t whole = lists_ == 0 ? (size_ - offset_) / min_row_ : 0;
      offset_ += whole * min_row_;
      static_cast<void>(
          walk([](std::size_t, const std::byte*, std::uint64_t, std::uint64_t) {}, whole));
      d_.fail(Status::truncated, "ply.truncated", "the file ends before the last row",
              {size_, &element_, 0, nullptr});
    }
    if (lists_ == 0) {
      row_size_ = min_row_;
      return views();
    }
    if (element_.count != 0 && is_uniform()) return views();
    return gathered();
  }

  std::uint64_t offset() const noexcept { return offset_; }

 private:
  // The length of the list at `p`; negative lengths come out above INT64_MAX.
  std::uint64_t length_at(const std::byte* p, std::uint32_t dtype) const noexcept {
    return with_type(dtype, [&](auto type) {
      return static_cast<std::uint64_t>(static_cast<std::int64_t>(load<decltype(type)>(p, order_)));
    });
  }

  // True if every list has the length that it has in the first row, so that all rows have one size.
  // Sets that size and the lengths. False also if something is wrong: gathered() will find out
  // what.
  bool is_uniform() {
    lengths_.assign(element_.properties.size(), 0);
    std::uint64_t row = 0;
    const std::uint64_t left = size_ - offset_;
    for (std::size_t i = 0; i < element_.properties.size(); ++i) {
      const Property& p = element_.properties[i];
      std::uint64_t size = dtype_size(p.dtype);
      if (p.is_list()) {
        const std::uint64_t count_size = dtype_size(p.count_dtype);
        if (!range_fits(row, count_size, left)) return false;
        lengths_[i] = length_at(begin_ + offset_ + row, p.count_dtype);
        row += count_size;
        if (lengths_[i] > left) return false;
        size *= lengths_[i];
      }
      row += size;
      if (row > left) return false;
    }
    row_size_ = row;
    if (element_.count > left / row) return false;
    std::uint64_t at = 0;
    for (std::size_t i = 0; i < element_.properties.size(); ++i) {
      const Property& p = element_.properties[i];
      if (p.is_list()) {
        if (!same_lengths(begin_ + offset_ + at, p.count_dtype)) return false;
        at += dtype_size(p.count_dtype) + lengths_[i] * dtype_size(p.dtype);
      } else {
        at += dtype_size(p.dtype);
      }
    }
    return true;
  }

  bool same_lengths(const std::byte* p, std::uint32_t dtype) const {
    // The bytes of the length, as they are in the file, are the same in all rows.
    switch (dtype_size(dtype)) {
      case 1:
        return same_bytes<std::uint8_t>(p);
      case 2:
        return same_bytes<std::uint16_t>(p);
      default:
        return same_bytes<std::uint32_t>(p);
    }
  }
  template <class T>
  bool same_bytes(const std::byte* p) const {
    T first;
    std::memcpy(&first, p, sizeof first);
    constexpr std::uint64_t block = 1 << 16;
    for (std::uint64_t row = 0; row < element_.count; row += block) {
      const std::uint64_t rows = std::min(block, element_.count - row);
      d_.call.tick(rows / 4);
      T differences = 0;
      for (std::uint64_t i = 0; i < rows; ++i, p += row_size_) {
        T bits;
        std::memcpy(&bits, p, sizeof bits);
        differences = static_cast<T>(differences | (bits ^ first));
      }
      if (differences != 0) return false;
    }
    return true;
  }

  // Rows of row_size_ bytes: nothing is copied.
  Columns views() {
    Columns columns;
    const std::uint64_t bytes = element_.count * row_size_;
    const std::string_view buffer =
        to_string_view(begin_ + offset_, static_cast<std::size_t>(bytes));
    std::uint64_t at = 0;
    for (std::size_t i = 0; i < element_.properties.size(); ++i) {
      const Property& p = element_.properties[i];
      const std::uint32_t size = dtype_size(p.dtype);
      if (p.is_list()) at += dtype_size(p.count_dtype);
      const std::uint64_t begin = at;
      at += (p.is_list() ? lengths_[i] : 1) * size;
      if (!chosen_[i]) {
        columns.push_back(nullptr);
        continue;
      }
      if (!p.is_list()) {
        columns.push_back(d_.out.strided(buffer, buffer.data() + (bytes == 0 ? 0 : begin),
                                         element_.count, static_cast<std::int64_t>(row_size_),
                                         p.dtype, size, byte_order_));
        continue;
      }
      const std::int64_t shape[] = {static_cast<std::int64_t>(element_.count),
                                    static_cast<std::int64_t>(lengths_[i])};
      polycodec_array* list = d_.out.ndarray(buffer, p.dtype, size, shape, byte_order_);
      // A list without items may be at the very end of the rows: no element is ever read there.
      list->data = buffer.data() + (lengths_[i] == 0 ? 0 : begin);
      const_cast<std::int64_t*>(list->strides)[0] = static_cast<std::int64_t>(row_size_);
      columns.push_back(list);
    }
    offset_ += bytes;
    return columns;
  }

  [[noreturn]] void truncated(const Property& p, std::uint64_t row, std::uint64_t at,
                              std::uint64_t need) const {
    d_.fail(Status::truncated, "ply.truncated",
            std::to_string(need) + " bytes are needed, " + std::to_string(size_ - at) +
                " are left (row " + std::to_string(row + d_.first_row) + " of " +
                std::to_string(d_.declared) + ")",
            {at, &element_, row, &p});
  }

  [[noreturn]] void changed() const {
    d_.fail(Status::io, "ply.changed",
            "the lists of the element have changed while the file was read: another program writes "
            "it; read a copy",
            {offset_, &element_, 0, nullptr});
  }

  // Every 4096 rows, before they are read.
  void charge_rows(std::uint64_t row) const {
    d_.call.tick(std::min<std::uint64_t>(4096, element_.count - row) * element_.properties.size());
  }

  // Walks over all rows from number `row` on, which starts at offset_, and calls visit(property
  // number, bytes of it, their number, items) for each value. Returns what is after the last.
  template <class Visit>
  std::uint64_t walk(Visit&& visit, std::uint64_t row = 0) const {
    std::uint64_t at = offset_;
    for (; row < element_.count; ++row) {
      if ((row & 0xfff) == 0) charge_rows(row);
      for (std::size_t i = 0; i < element_.properties.size(); ++i) {
        const Property& p = element_.properties[i];
        std::uint64_t items = 1;
        if (p.is_list()) {
          const std::uint64_t count_size = dtype_size(p.count_dtype);
          if (!range_fits(at, count_size, size_)) truncated(p, row, at, count_size);
          items = length_at(begin_ + at, p.count_dtype);
          if (items > static_cast<std::uint64_t>(INT64_MAX))
            d_.fail(Status::malformed, "ply.bad_list_count",
                    "a list of " + std::to_string(static_cast<std::int64_t>(items)) + " items",
                    {at, &element_, row, &p});
          at += count_size;
        }
        const std::uint64_t bytes = items * dtype_size(p.dtype);
        if (!range_fits(at, bytes, size_)) truncated(p, row, at, bytes);
        visit(i, begin_ + at, bytes, items);
        at += bytes;
      }
    }
    return at;
  }

  // Rows of different sizes: sizes are known after one walk, a second one copies. The byte order
  // stays. Another process may write the file between the two.
  Columns gathered() {
    const std::size_t n = element_.properties.size();
    std::vector<std::uint64_t> bytes(n, 0);
    const std::uint64_t end = walk([&](std::size_t i, const std::byte*, std::uint64_t size,
                                       std::uint64_t) { bytes[i] += size; });
    std::vector<std::byte*> content(n, nullptr);
    std::vector<std::byte*> next(n, nullptr);
    std::vector<std::uint64_t> left = bytes;
    std::vector<std::uint64_t*> offsets(n, nullptr);
    for (std::size_t i = 0; i < n; ++i) {
      if (!chosen_[i]) continue;
      content[i] = next[i] = static_cast<std::byte*>(
          static_cast<void*>(d_.out.allocate<std::uint64_t>(bytes[i] / 8 + 1)));
      if (!element_.properties[i].is_list()) continue;
      offsets[i] = d_.out.allocate<std::uint64_t>(element_.count + 1);
      *offsets[i]++ = 0;
    }
    const auto copy = [&](std::size_t i, const std::byte* data, std::uint64_t size,
                          std::uint64_t items) {
      if (next[i] == nullptr) return;
      if (size > left[i]) changed();
      left[i] -= size;
      if (size != 0) std::memcpy(next[i], data, static_cast<std::size_t>(size));
      next[i] += size;
      if (offsets[i] == nullptr) return;
      offsets[i][0] = offsets[i][-1] + items;
      ++offsets[i];
    };
    if (std::find(chosen_.begin(), chosen_.end(), true) != chosen_.end())
      static_cast<void>(walk(copy));
    for (std::size_t i = 0; i < n; ++i)
      if (next[i] != nullptr && left[i] != 0) changed();
    Columns columns;
    for (std::size_t i = 0; i < n; ++i) {
      if (!chosen_[i]) {
        columns.push_back(nullptr);
        continue;
      }
      const Property& p = element_.properties[i];
      const std::uint32_t size = dtype_size(p.dtype);
      const std::int64_t shape[] = {static_cast<std::int64_t>(bytes[i] / size)};
      polycodec_array* leaf =
          d_.out.ndarray(to_string_view(content[i], bytes[i]), p.dtype, size, shape, byte_order_);
      if (!p.is_list()) {
        columns.push_back(leaf);
        continue;
      }
      const std::uint64_t* first = offsets[i] - element_.count - 1;
      columns.push_back(d_.out.list_offsets(
          std::span<const std::uint64_t>(first, static_cast<std::size_t>(element_.count + 1)),
          leaf));
    }
    offset_ = end;
    return columns;
  }

  const Decoding& d_;
  const Element& element_;
  const Chosen& chosen_;
  std::endian order_;
  std::uint8_t byte_order_;
  const std::byte* begin_;
  std::uint64_t offset_;
  std::uint64_t size_;
  std::uint64_t min_row_ = 0;
  std::uint64_t row_size_ = 0;
  std::size_t lists_ = 0;
  std::vector<std::uint64_t> lengths_;
};

}  // namespace

Columns decode_binary_element(const Decoding& decoding, const Element& element,
                              const Chosen& chosen, std::uint64_t& offset) {
  BinaryReader reader(decoding, element, chosen, offset);
  Columns columns = reader.run();
  offset = reader.offset();
  return columns;
}

}  // namespace polycodec::ply
