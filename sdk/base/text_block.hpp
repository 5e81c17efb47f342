// SPDX-License-Identifier: MIT
// Printing many rows as text: blocks of rows are printed on several threads and written in order.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/codec.hpp>
#include <polycodec/error.hpp>
#include <polycodec/writer.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string_view>
#include <utility>
#include <vector>

namespace polycodec {

/// A growing run of text in memory of its own. For one thread at a time.
class TextBlock {
 public:
  TextBlock() = default;
  TextBlock(TextBlock&& other) noexcept { swap(other); }
  TextBlock& operator=(TextBlock&& other) noexcept {
    TextBlock(std::move(other)).swap(*this);
    return *this;
  }
  ~TextBlock() { std::free(begin_); }
  void swap(TextBlock& other) noexcept {
    std::swap(begin_, other.begin_);
    std::swap(end_, other.end_);
    std::swap(limit_, other.limit_);
  }

  std::string_view view() const noexcept {
    return {begin_, static_cast<std::size_t>(end_ - begin_)};
  }

  /// Memory for `size` more bytes; throws std::bad_alloc. Fill it and call commit() with the end of
  /// what was filled.
  char* reserve(std::size_t size) {
    if (static_cast<std::size_t>(limit_ - end_) < size) [[unlikely]]
      grow(size);
    return end_;
  }
  void commit(char* end) noexcept { end_ = end; }
  /// Keeps the memory for other text.
  void clear() noexcept { end_ = begin_; }
  void append(std::string_view text) {
    char* const to = reserve(text.size());
    if (!text.empty()) std::memcpy(to, text.data(), text.size());
    end_ = to + text.size();
  }
  /// Puts `text` in the place of the last byte, such as a newline for a separator.
  void replace_last(std::string_view text) {
    if (end_ != begin_) --end_;
    append(text);
  }

  /// Writes the text: long strings change hands without a copy.
  void write_to(Writer& out) && {
    const std::string_view text = view();
    if (text.size() < 65536) return out.put_text(text);
    char* const memory = std::exchange(begin_, nullptr);
    end_ = limit_ = nullptr;
    out.adopt(
        memory, [](void* p) { std::free(p); }, text);
    out.reference(text.data(), text.size());
  }

  std::size_t size() const noexcept { return static_cast<std::size_t>(end_ - begin_); }

 private:
  [[gnu::noinline]] void grow(std::size_t size) {
    const auto used = static_cast<std::size_t>(end_ - begin_);
    const std::size_t capacity = std::max<std::size_t>({used + size, used + used / 2, 4096});
    auto* const memory = static_cast<char*>(std::realloc(begin_, capacity));
    if (memory == nullptr) throw std::bad_alloc();
    begin_ = memory;
    end_ = memory + used;
    limit_ = memory + capacity;
  }

  char* begin_ = nullptr;
  char* end_ = nullptr;
  char* limit_ = nullptr;
};

/// Prints rows [0, rows) in order to `out`: `print(TextBlock&, first, last)` appends the rows
/// [first, last) to a block. The call decides how many threads work on different blocks. What print
/// throws is thrown here, the error of the earliest rows. Charges the call by what was printed.
template <class Print>
void write_text_blocks(const Call& call, Writer& out, std::uint64_t rows, const Print& print) {
  constexpr std::uint64_t block = 16384;
  constexpr std::uint64_t most_blocks = 16;
  std::vector<TextBlock> texts(most_blocks);
  for (std::uint64_t next = 0; next < rows;) {
    const std::uint64_t blocks = std::min(most_blocks, (rows - next + block - 1) / block);
    call.parallel_for(blocks, 1, [&](Call& child, std::uint64_t from, std::uint64_t to) {
      for (std::uint64_t i = from; i < to; ++i) {
        TextBlock& text = texts[static_cast<std::size_t>(i)];
        const std::uint64_t first = next + i * block;
        print(text, first, std::min(rows, first + block));
        child.tick(text.size() / 2);  // a number takes about 16 bytes and 8 units
      }
    });
    for (std::uint64_t i = 0; i < blocks; ++i) {
      TextBlock& text = texts[static_cast<std::size_t>(i)];
      std::move(text).write_to(out);
      text = TextBlock();
    }
    next = std::min(rows, next + blocks * block);
  }
}

}  // namespace polycodec
