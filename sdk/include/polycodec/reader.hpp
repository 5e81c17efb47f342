// SPDX-License-Identifier: MIT
// Reading untrusted bytes: no read can leave the window, and every error says where.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/byte_order.hpp>
#include <polycodec/error.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

namespace polycodec {

/// A cursor over a window of bytes. Not owning: what it returns are views into the bytes. Cheap to
/// copy; one thread an object. Reads move the cursor past what they return; when the window has too
/// few bytes they throw Error(Status::truncated, "<what> needs N bytes, M left") with the absolute
/// offset of the cursor and leave the cursor where it was. The `what` of a read names the item for
/// that message.
class Reader {
 public:
  Reader() noexcept = default;
  /// A window over `size` bytes at `data`; `base` is the absolute offset of the first one in
  /// whatever is decoded.
  Reader(const void* data, std::uint64_t size, std::uint64_t base = 0) noexcept
      : begin_(static_cast<const std::uint8_t*>(data)),
        cursor_(begin_),
        end_(begin_ + size),
        base_(base) {}
  explicit Reader(std::string_view bytes, std::uint64_t base = 0) noexcept
      : Reader(bytes.data(), bytes.size(), base) {}

  /// Bytes between the cursor and the end of the window.
  std::uint64_t remaining() const noexcept { return static_cast<std::uint64_t>(end_ - cursor_); }
  bool at_end() const noexcept { return cursor_ == end_; }
  /// The absolute offset of the cursor: base + consumed().
  std::uint64_t position() const noexcept { return base_ + consumed(); }
  /// Bytes between the start of the window and the cursor.
  std::uint64_t consumed() const noexcept { return static_cast<std::uint64_t>(cursor_ - begin_); }
  /// Bytes of the whole window.
  std::uint64_t size() const noexcept { return static_cast<std::uint64_t>(end_ - begin_); }
  /// The absolute offset of the start of the window.
  std::uint64_t base() const noexcept { return base_; }
  /// Where the cursor points; remaining() bytes may be read there.
  const std::uint8_t* data() const noexcept { return cursor_; }

  /// Throws unless `size` bytes are left.
  void require(std::uint64_t size, const char* what = "the next item") const {
    if (size > remaining()) [[unlikely]]
      throw_truncated(what, size);
  }
  /// Throws unless `count` items of at least `min_item_size` bytes each can follow: to be called
  /// before memory is allocated for a declared count. A min_item_size of 0 bounds nothing: such
  /// counts are for the limits to check.
  void require_count(std::uint64_t count, std::uint64_t min_item_size,
                     const char* what = "the list") const {
    if (min_item_size != 0 && count > remaining() / min_item_size) [[unlikely]]
      throw_count(what, count, min_item_size);
  }
  /// Throws Error(Status::trailing) unless the cursor is at the end.
  void expect_end(const char* what = "the value") const {
    if (!at_end()) [[unlikely]]
      throw_trailing(what);
  }

  std::uint8_t u8(const char* what = "the next item") {
    require(1, what);
    return *cursor_++;
  }
  /// A number in little-endian order.
  template <Loadable T>
  T le(const char* what = "the next item") {
    return load<T>(take(sizeof(T), what), std::endian::little);
  }
  /// A number in big-endian order.
  template <Loadable T>
  T be(const char* what = "the next item") {
    return load<T>(take(sizeof(T), what), std::endian::big);
  }
  /// A number in the given order.
  template <Loadable T>
  T number(std::endian order, const char* what = "the next item") {
    return load<T>(take(sizeof(T), what), order);
  }
  /// A number in decimal text, up to where it ends: an integer with a sign and digits, or for float
  /// and double also a point, an exponent, nan, inf or infinity. Such a number is rounded once, and
  /// is infinite or zero beyond the range of T. Locales do not matter. Throws
  /// Error(Status::malformed) if there is none, and Error(Status::range) if T does not hold it.
  template <class T>
  requires(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) T
      decimal(const char* what = "the number") {
    using Most = std::numeric_limits<T>;
    if constexpr (std::is_same_v<T, float>)
      return decimal_float(what);
    else if constexpr (std::is_floating_point_v<T>)
      return decimal_double(what);
    else if constexpr (std::is_signed_v<T>)
      return static_cast<T>(decimal_signed(what, Most::min(), Most::max()));
    else
      return static_cast<T>(decimal_unsigned(what, Most::max()));
  }
  /// A pointer to the next `size` bytes.
  const std::uint8_t* take(std::uint64_t size, const char* what = "the next item") {
    require(size, what);
    const std::uint8_t* p = cursor_;
    cursor_ += size;
    return p;
  }
  /// The next `size` bytes; nothing checks that they are UTF-8.
  std::string_view bytes(std::uint64_t size, const char* what = "the next item") {
    return {reinterpret_cast<const char*>(take(size, what)), static_cast<std::size_t>(size)};
  }
  void skip(std::uint64_t size, const char* what = "the next item") {
    static_cast<void>(take(size, what));
  }

  /// Moves the cursor to `offset` bytes from the start of the window.
  void seek(std::uint64_t offset, const char* what = "the offset") {
    if (offset > size()) [[unlikely]]
      throw_range(what, offset, 0);
    cursor_ = begin_ + offset;
  }
  /// Takes the next `size` bytes as a window of their own, which keeps absolute offsets.
  Reader window(std::uint64_t size, const char* what = "the next item") {
    const std::uint64_t at = position();
    return Reader(take(size, what), size, at);
  }
  /// The window of `size` bytes at `offset` from the start of this window; the cursor stays.
  Reader slice(std::uint64_t offset, std::uint64_t size, const char* what = "the range") const {
    if (offset > this->size() || size > this->size() - offset) [[unlikely]]
      throw_range(what, offset, size);
    return Reader(begin_ + offset, size, base_ + offset);
  }

  /// Throws Error(status, message) with the absolute offset of the cursor.
  [[noreturn]] void fail(Status status, std::string message) const;

 private:
  [[noreturn]] void throw_truncated(const char* what, std::uint64_t need) const;
  [[noreturn]] void throw_count(const char* what, std::uint64_t count, std::uint64_t item) const;
  [[noreturn]] void throw_trailing(const char* what) const;
  [[noreturn]] void throw_range(const char* what, std::uint64_t offset, std::uint64_t size) const;

  std::int64_t decimal_signed(const char* what, std::int64_t least, std::int64_t most);
  std::uint64_t decimal_unsigned(const char* what, std::uint64_t most);
  float decimal_float(const char* what);
  double decimal_double(const char* what);
  template <class T>
  T take_decimal(const char* what, T least, T most);

  const std::uint8_t* begin_ = nullptr;
  const std::uint8_t* cursor_ = nullptr;
  const std::uint8_t* end_ = nullptr;
  std::uint64_t base_ = 0;
};

}  // namespace polycodec
