// SPDX-License-Identifier: MIT
// Printing many rows as text: blocks of rows are printed on several threads and written in order.
#pragma once

#include <base/threads.hpp>
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

/// Blocks that threads fill, and that go to a writer in order. Whoever fills the block that comes
/// next copies it to the window of the writer. The thread of the writer gets one window after
/// another. Few blocks are in use at a time, so that their memory stays in the cache.
class TextBlocks {
 public:
  TextBlocks(Writer& out, std::size_t count) : out_(out), done_(count) {}

  /// False if block `i` and all after it are to be filled after restart(): many are full already,
  /// and wait for one before them. [thread-safe]
  bool may_fill(std::size_t i) {
    const std::unique_lock lock(mutex_);
    if (i - next_ >= most_waiting) end_ = std::min(end_, i);
    return i < end_;
  }
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
    std::unique_lock lock(mutex_);
    done_[i] = std::move(block);
    copy(lock);
  }
  /// Writes the blocks that come next and are full. For the thread of the writer.
  void write() {
    std::unique_lock lock(mutex_);
    for (copy(lock); next_ < done_.size() && done_[next_]; copy(lock)) {
      // The window is full, but others may still be copying to it.
      while (copying_ != 0) {
        lock.unlock();
        yield_thread();
        lock.lock();
      }
      commit();
      // It ends in the next window, so that windows are full.
      TextBlock block = take_next();
      lock.unlock();
      out_.put_text(block.view());
      lock.lock();
      give(std::move(block));
      room_ = out_.window();
      if (room_ != 0) window_ = out_.reserve(1);
    }
  }
  /// Ends with what is written, and returns how many blocks that are. The others are dropped, and
  /// the first block comes again. For the thread of the writer, when no other has a block.
  std::size_t restart() noexcept {
    commit();
    const std::size_t written = std::exchange(next_, 0);
    for (std::size_t i = written; i < done_.size(); ++i) done_[i].reset();
    end_ = SIZE_MAX;
    return written;
  }

 private:
  static constexpr std::size_t usual_size = std::size_t{64} << 10, most_waiting = 256;

  TextBlock take_next() { return *std::exchange(done_[next_++], std::nullopt); }
  void give(TextBlock block) {
    block.clear();
    free_.push_back(std::move(block));
  }
  /// Copies blocks that come next to the window, as long as it has room.
  void copy(std::unique_lock<Mutex>& lock) {
    while (next_ < done_.size() && done_[next_] && done_[next_]->size() <= room_ - used_) {
      TextBlock block = take_next();
      std::uint8_t* const to = window_ + used_;
      used_ += block.size();
      ++copying_;
      lock.unlock();
      if (block.size() != 0) std::memcpy(to, block.view().data(), block.size());
      lock.lock();
      --copying_;
      give(std::move(block));
    }
  }
  /// What was copied to the window is output, and the window is gone.
  void commit() noexcept {
    out_.commit(std::exchange(used_, 0));
    window_ = nullptr;
    room_ = 0;
  }

  Writer& out_;
  Mutex mutex_;
  std::size_t next_ = 0, end_ = SIZE_MAX;  // what is written next, and what may not be filled
  std::vector<std::optional<TextBlock>> done_;
  std::vector<TextBlock> free_;
  std::uint8_t* window_ = nullptr;
  std::uint64_t room_ = 0, used_ = 0;  // bytes of the window
  std::uint64_t copying_ = 0;          // blocks, at this moment
};

/// Prints rows [0, rows) in order to `out`: `print(TextBlock&, first, last)` appends the rows
/// [first, last) to a block. The call decides how many threads work on different blocks; this one
/// writes between its own. What print throws is thrown here, the error of the earliest rows.
/// Charges the call by what was printed.
template <class Print>
void write_text_blocks(const Call& call, Writer& out, std::uint64_t rows, const Print& print) {
  constexpr std::uint64_t block = 1024;
  // Of a loop, at whose end threads wait for each other.
  constexpr std::uint64_t most_blocks = 4096;
  const auto blocks_from = [&](std::uint64_t row) {
    return std::min(most_blocks, (rows - row + block - 1) / block);
  };
  TextBlocks texts(out, static_cast<std::size_t>(blocks_from(0)));
  const ThreadId self = this_thread();
  for (std::uint64_t next = 0; next < rows;) {
    call.parallel_for(blocks_from(next), 1, [&](Call& child, std::uint64_t from, std::uint64_t to) {
      for (std::uint64_t i = from; i < to; ++i) {
        if (!texts.may_fill(static_cast<std::size_t>(i))) return;
        TextBlock text = texts.take();
        const std::uint64_t first = next + i * block;
        print(text, first, std::min(rows, first + block));
        child.tick(text.size() / 2);  // a number takes about 16 bytes and 8 units
        texts.put(static_cast<std::size_t>(i), std::move(text));
        if (this_thread() == self) texts.write();
      }
    });
    texts.write();
    next = std::min(rows, next + texts.restart() * block);
  }
}

}  // namespace polycodec
