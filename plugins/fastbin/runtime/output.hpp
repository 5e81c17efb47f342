// SPDX-License-Identifier: MIT
// Writing in order, straight into a buffer, without knowing sizes beforehand.
#pragma once

#include "records.hpp"

#include <iterator>
#include <span>

namespace fastbin_runtime {
inline namespace v1 {

/// A buffer being filled. The first error stays; what is written after it has no effect. Writers
/// refer to the output they write to, which must outlive them.
class Output {
 public:
  /// Writes into `buffer`, which need not be zeroed and must stay where it is.
  explicit Output(std::span<std::byte> buffer) noexcept
      : begin_(buffer.data()), p_(buffer.data()), end_(buffer.data() + buffer.size()) {}
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  /// Bytes written so far.
  std::size_t size() const noexcept { return static_cast<std::size_t>(p_ - begin_); }
  /// False after an error.
  bool ok() const noexcept { return !error_; }
  /// What was written, or the first error. An error too if the root has not been finished.
  Result<std::span<const std::byte>> finish() {
    if (!error_ && level_ != 0) fail(Code::not_closed, "", "the root was not finished");
    if (error_) return std::make_unique<Error>(*error_);
    return std::span<const std::byte>(begin_, size());
  }

  // For the writers.

  /// Room for `n` bytes, or null with an error.
  std::byte* fastbin_take(std::size_t n, std::string_view path) {
    if (n > static_cast<std::size_t>(end_ - p_)) [[unlikely]]
      return no_room(n, path);
    return std::exchange(p_, p_ + n);
  }
  std::byte* fastbin_position() const noexcept { return p_; }
  std::byte* fastbin_limit() const noexcept { return end_; }
  void fastbin_move_to(std::byte* p) noexcept { p_ = p; }
  /// How many parts are open inside each other. After an error it is a number that no writer has.
  std::uint32_t fastbin_level() const noexcept { return level_; }
  std::uint32_t fastbin_open() noexcept { return level_ == failed ? failed - 1 : ++level_; }
  void fastbin_close() noexcept { --level_; }
  [[gnu::cold, gnu::noinline]] void fail(Code code, std::string_view path, std::string message) {
    if (error_) return;
    error_ = std::make_unique<Error>(Error{code, size(), std::string(path), std::move(message)});
    level_ = failed;
    end_ = p_;
  }

 private:
  static constexpr std::uint32_t failed = 0xFFFF'FFFF;

  [[gnu::cold, gnu::noinline]] std::byte* no_room(std::size_t n, std::string_view path) {
    if (n == no_size)
      fail(Code::too_large, path, "more bytes than the format can say");
    else
      fail(Code::no_room, path,
           "needs bytes: " + std::to_string(n) + ", left: " + std::to_string(end_ - p_));
    return nullptr;
  }

  std::byte* begin_;
  std::byte* p_;
  std::byte* end_;
  std::uint32_t level_ = 0;
  std::unique_ptr<Error> error_;
};

/// Writes the members of struct N, each once and in the order of the schema. Generated writers give
/// them their names.
template <class N>
class StructWriter {
 public:
  StructWriter(const StructWriter&) = delete;
  StructWriter& operator=(const StructWriter&) = delete;

  /// Ends the struct. Must be called, even where no member is variable; an error if members are
  /// missing.
  void finish() {
    if (out_->fastbin_level() != level_ || next_ != N::fastbin_names.size()) [[unlikely]]
      return refuse_finish();
    if constexpr (!N::is_fixed)
      store<std::uint64_t>(at_, static_cast<std::uint64_t>(out_->fastbin_position() - at_));
    level_ = closed;
    out_->fastbin_close();
  }

 protected:
  explicit StructWriter(Output& out, std::string_view path = N::struct_name)
      : out_(&out),
        at_(out.fastbin_take(N::is_fixed ? N::min_size : word, path)),
        level_(out.fastbin_open()) {}
  /// A fixed struct in room that was taken for it; null after an error.
  StructWriter(Output& out, std::byte* at) noexcept
      : out_(&out), at_(at), level_(out.fastbin_open()) {}

  Output& fastbin_output() noexcept { return *out_; }
  /// True if member `index` is the next one; it counts as written then.
  bool fastbin_next(std::uint32_t index) {
    if (out_->fastbin_level() == level_ && next_ == index) [[likely]]
      return ++next_, true;
    return refuse(index);
  }
  /// Writes member `index`, which is a T.
  template <class T>
  void fastbin_put(std::uint32_t index, const typename Part<T>::Input& value) {
    if (!fastbin_next(index)) return;
    if constexpr (N::is_fixed) {
      at_ = Part<T>::write(at_, value);
    } else {
      std::byte* const p = out_->fastbin_take(Part<T>::size_of(value), N::fastbin_names[index]);
      if (p != nullptr) Part<T>::write(p, value);
    }
  }
  /// Room for member `index`, a fixed struct, which a writer of its own fills.
  template <class T>
  std::byte* fastbin_room(std::uint32_t index) {
    if (!fastbin_next(index)) return nullptr;
    if constexpr (N::is_fixed)
      return std::exchange(at_, at_ + T::fixed_size);
    else
      return out_->fastbin_take(T::fixed_size, N::fastbin_names[index]);
  }

 private:
  static constexpr std::uint32_t closed = 0xFFFF'FFFE;

  static std::string name(std::uint32_t index) {
    std::string text("'");
    return text.append(N::fastbin_names[index]).append("'");
  }
  [[gnu::cold, gnu::noinline]] bool refuse(std::uint32_t index) {
    const std::string path =
        std::string(N::struct_name) + "." + std::string(N::fastbin_names[index]);
    if (level_ == closed)
      out_->fail(Code::not_closed, path,
                 name(index) + " is set after its struct has been finished");
    else if (out_->fastbin_level() != level_)
      out_->fail(Code::not_closed, path,
                 name(index) + " is set while a part inside its struct is not finished");
    else if (next_ == N::fastbin_names.size())
      out_->fail(Code::out_of_order, path,
                 name(index) + " is set again: all members have been set");
    else
      out_->fail(Code::out_of_order, path,
                 name(index) + " is set, but " + name(next_) + " comes next");
    return false;
  }
  [[gnu::cold, gnu::noinline]] void refuse_finish() {
    if (level_ == closed)
      out_->fail(Code::not_closed, N::struct_name, "the struct is finished twice");
    else if (out_->fastbin_level() != level_)
      out_->fail(Code::not_closed, N::struct_name,
                 "the struct is finished while a part inside it is not");
    else
      out_->fail(Code::out_of_order, N::struct_name,
                 "the struct is finished, but " + name(next_) + " has not been set");
  }

  Output* out_;
  std::byte* at_;  ///< of a variable struct its start, of a fixed one the next member
  std::uint32_t level_;
  std::uint32_t next_ = 0;
};

/// Writes the elements of an array, each in its place.
template <class T>
class RecordsWriter {
  using Item = typename Part<T>::Input;

 public:
  /// Generated code makes these.
  RecordsWriter(Output& out, std::string_view path)
      : out_(&out), start_(out.fastbin_take(2 * word, path)), level_(out.fastbin_open()) {
    cursor_ = out.fastbin_position();
    limit_ = out.fastbin_limit();
  }
  RecordsWriter(const RecordsWriter&) = delete;
  RecordsWriter& operator=(const RecordsWriter&) = delete;

  /// Appends an element.
  void add(const Item& item) {
    if constexpr (Part<T>::is_fixed) {
      // The position is kept here rather than in the output, where each store to the buffer might
      // have changed it as far as the compiler knows. What happens in the cold path must not need
      // the element, or it would be spilled.
      if (out_->fastbin_level() == level_ &&
          Part<T>::least <= static_cast<std::size_t>(limit_ - cursor_)) [[likely]]
        cursor_ = Part<T>::write(cursor_, item);
      else
        refuse(*out_, level_, cursor_);
    } else {
      if (!is_open()) return;
      std::byte* const p = out_->fastbin_take(Part<T>::size_of(item), "");
      if (p == nullptr) return;
      Part<T>::write(p, item);
      ++count_;
    }
  }
  /// Appends make(x) for each `x` of a range whose size is known; of elements of fixed size that is
  /// the fastest way, because the room for all is checked at once. `make` does not use this writer.
  template <class Range, class Make>
  void add_all(const Range& range, Make&& make) {
    if constexpr (Part<T>::is_fixed) {
      const std::size_t n = std::size(range);
      const auto room = static_cast<std::size_t>(limit_ - cursor_);
      if (out_->fastbin_level() != level_ || n > room / Part<T>::least) [[unlikely]]
        return refuse(*out_, level_, cursor_, n);
      std::byte* p = cursor_;
      auto x = std::begin(range);
      for (std::size_t left = n; left != 0; --left, ++x) p = Part<T>::write(p, make(*x));
      cursor_ = p;
    } else {
      for (const auto& x : range) add(make(x));
    }
  }
  /// Opens an element in its place; finish it before the next one.
  auto add() requires Struct<T> {
    if constexpr (Part<T>::is_fixed) {
      std::byte* room = nullptr;
      if (out_->fastbin_level() == level_ &&
          Part<T>::least <= static_cast<std::size_t>(limit_ - cursor_)) [[likely]]
        room = std::exchange(cursor_, cursor_ + Part<T>::least);
      else
        refuse(*out_, level_, cursor_);
      return typename T::Writer(*out_, room);
    } else {
      if (is_open()) ++count_;
      return typename T::Writer(*out_);
    }
  }
  /// Ends the array. Must be called, even if it is empty.
  void finish() {
    if (!is_open()) return;
    if constexpr (Part<T>::is_fixed) {
      out_->fastbin_move_to(cursor_);
      count_ = (static_cast<std::size_t>(cursor_ - start_) - 2 * word) / Part<T>::least;
    }
    store<std::uint64_t>(start_, static_cast<std::uint64_t>(out_->fastbin_position() - start_));
    store<std::uint64_t>(start_ + word, count_);
    level_ = closed;
    out_->fastbin_close();
  }

 private:
  static constexpr std::uint32_t closed = 0xFFFF'FFFE;

  // The cold path knows nothing of this object: otherwise its members would have to stay in memory.
  [[gnu::cold, gnu::noinline]] static void refuse(Output& out, std::uint32_t level,
                                                  std::byte* cursor, std::size_t elements = 1) {
    if (out.fastbin_level() == level) {
      out.fastbin_move_to(cursor);
      out.fastbin_take(
          elements > block_size_mask / Part<T>::least ? no_size : elements * Part<T>::least, "");
    } else {
      out.fail(Code::not_closed, "",
               level == closed ? "an array is used after it has been finished"
                               : "an array is used while its element is not finished");
    }
  }
  bool is_open() const {
    if (out_->fastbin_level() == level_) [[likely]]
      return true;
    refuse(*out_, level_, nullptr);
    return false;
  }

  Output* out_;
  std::byte* start_;
  std::byte* cursor_;  ///< of elements of fixed size: the next one
  std::byte* limit_;
  std::uint64_t count_ = 0;  ///< of elements of variable size
  std::uint32_t level_;
};

}  // namespace v1
}  // namespace fastbin_runtime
