// SPDX-License-Identifier: MIT
// Printing many rows as text: blocks of rows are printed on several threads and written in order.
#pragma once

#include <polycodec/codec.hpp>
#include <polycodec/error.hpp>
#include <polycodec/writer.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <optional>
#include <string_view>
#include <thread>
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

  std::size_t size() const noexcept { return static_cast<std::size_t>(end_ - begin_); }
  /// Bytes that reserve() gives without more memory.
  std::size_t room() const noexcept { return static_cast<std::size_t>(limit_ - end_); }

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

/// Writes one or two characters, such as the end of a line, and returns the end.
inline char* put_short(char* to, std::string_view text) noexcept {
  to[0] = text.front();
  to[1] = text.back();
  return to + text.size();
}

/// Blocks that threads fill, and that one thread writes in order. Few are in use at a time, so that
/// their memory stays in the cache.
class TextBlocks {
 public:
  TextBlocks(Writer& out, std::size_t count) : out_(out), done_(count) {}

  /// An empty block. [thread-safe]
  TextBlock take() {
    std::unique_lock lock(mutex_);
    TextBlock block;
    if (!free_.empty()) {
      block = std::move(free_.back());
      free_.pop_back();
    } else {
      lock.unlock();
      block.reserve(usual_size);  // it would grow in many steps
    }
    return block;
  }
  /// Block `i` is full. [thread-safe]
  void put(std::size_t i, TextBlock block) {
    const std::scoped_lock lock(mutex_);
    done_[i] = std::move(block);
  }
  /// Writes the blocks that come next and are full. For one thread.
  void write() {
    std::unique_lock lock(mutex_);
    for (; next_ < done_.size() && done_[next_]; ++next_) {
      TextBlock block = *std::exchange(done_[next_], std::nullopt);
      lock.unlock();
      out_.put_text(block.view());
      block.clear();
      lock.lock();
      free_.push_back(std::move(block));
    }
  }
  /// Begins with the first block again, and returns how many were written. Others are dropped.
  std::size_t restart() noexcept {
    const std::size_t written = std::exchange(next_, 0);
    for (std::size_t i = written; i < done_.size(); ++i) done_[i].reset();
    return written;
  }

 private:
  static constexpr std::size_t usual_size = std::size_t{64} << 10;

  Writer& out_;
  std::mutex mutex_;
  std::size_t next_ = 0;
  std::vector<std::optional<TextBlock>> done_;
  std::vector<TextBlock> free_;
};

/// Prints rows [0, rows) in order to `out`: `print(TextBlock&, first, last)` appends the rows
/// [first, last) to a block. The call decides how many threads work on different blocks; this one
/// writes between its own. What print throws is thrown here, the error of the earliest rows.
/// Charges the call by what was printed.
template <class Print>
void write_text_blocks(const Call& call, Writer& out, std::uint64_t rows, const Print& print) {
  constexpr std::uint64_t block = 1024;
  constexpr std::uint64_t most_blocks = 256;
  TextBlocks texts(out, most_blocks);
  const std::thread::id self = std::this_thread::get_id();
  for (std::uint64_t next = 0; next < rows;) {
    const std::uint64_t blocks = std::min(most_blocks, (rows - next + block - 1) / block);
    call.parallel_for(blocks, 1, [&](Call& child, std::uint64_t from, std::uint64_t to) {
      for (std::uint64_t i = from; i < to; ++i) {
        TextBlock text = texts.take();
        const std::uint64_t first = next + i * block;
        print(text, first, std::min(rows, first + block));
        child.tick(text.size() / 2);  // a number takes about 16 bytes and 8 units
        texts.put(static_cast<std::size_t>(i), std::move(text));
        if (std::this_thread::get_id() == self) texts.write();
      }
    });
    texts.write();
    texts.restart();
    next = std::min(rows, next + blocks * block);
  }
}

}  // namespace polycodec
