// SPDX-License-Identifier: MIT
// Writing to a sink: small pieces are copied through its window, large ones referenced.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/byte_order.hpp>
#include <polycodec/error.hpp>

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

namespace polycodec {

/// What an encoder writes with. It keeps the sink's cursor to itself between flush() calls, so nothing else may write
/// to the sink meanwhile. Not owning; not copyable (two cursors would overwrite each other); for one thread.
/// When the sink refuses (a limit, memory), the functions throw the sink's error; limits are the sink's business.
/// Bytes count as written only after flush(), which make_codec() calls when encode() returns.
class Writer {
 public:
  /// Pieces that are shorter are copied even by reference(): a segment costs the host more than their copy.
  static constexpr std::uint64_t reference_threshold = 256;

  explicit Writer(polycodec_sink* sink) noexcept
      : sink_(sink), cursor_(sink->cursor), limit_(sink->limit), start_(sink->cursor) {}
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  polycodec_sink* sink() const noexcept { return sink_; }
  /// Bytes that went through this writer (to the current blob), copied or referenced.
  std::uint64_t position() const noexcept { return before_ + static_cast<std::uint64_t>(cursor_ - start_); }

  /// At least `size` bytes of memory for the next bytes of output; at most POLYCODEC_MAX_WINDOW. Fill them and call
  /// commit() with how many you filled; until then they are not part of the output. Any other call but commit() makes
  /// the pointer stale.
  std::uint8_t* reserve(std::uint64_t size) {
    if (size > window()) [[unlikely]]
      grow(size);
    return cursor_;
  }
  /// The first `size` bytes of what reserve() returned are output.
  void commit(std::uint64_t size) noexcept { cursor_ += size; }
  /// Bytes that reserve() can give without asking the sink.
  std::uint64_t window() const noexcept { return static_cast<std::uint64_t>(limit_ - cursor_); }

  void put_u8(std::uint8_t value) {
    *reserve(1) = value;
    commit(1);
  }
  /// A number in little-endian order.
  template <Loadable T>
  void put_le(T value) {
    store(reserve(sizeof value), value, std::endian::little);
    commit(sizeof value);
  }
  /// A number in big-endian order.
  template <Loadable T>
  void put_be(T value) {
    store(reserve(sizeof value), value, std::endian::big);
    commit(sizeof value);
  }
  /// A number in the given order.
  template <Loadable T>
  void put_number(T value, std::endian order) {
    store(reserve(sizeof value), value, order);
    commit(sizeof value);
  }
  /// Copies `size` bytes, however many, to the output.
  void put_bytes(const void* data, std::uint64_t size) {
    if (size <= window()) [[likely]] {
      copy(static_cast<const std::uint8_t*>(data), size);
    } else {
      put_long(static_cast<const std::uint8_t*>(data), size);
    }
  }
  void put_bytes(std::span<const std::uint8_t> bytes) { put_bytes(bytes.data(), bytes.size()); }
  void put_text(std::string_view text) { put_bytes(text.data(), text.size()); }
  /// `count` bytes of the same value.
  void put_fill(std::uint8_t value, std::uint64_t count) {
    while (count != 0) {
      const std::uint64_t part = count < chunk_size ? count : chunk_size;
      std::memset(reserve(part), value, part);
      commit(part);
      count -= part;
    }
  }

  /// Appends `size` bytes that belong to the value being encoded (or were handed over with adopt()): the host reads
  /// them after encode() has returned. Fewer than reference_threshold bytes are copied instead.
  void reference(const void* data, std::uint64_t size) {
    if (size < reference_threshold) return put_bytes(data, size);
    flush();
    auto error = make_error();
    check(sink_->reference(sink_, data, size, &error), error);
    resume();
    before_ += size;
  }
  /// Says how many bytes will follow in all. The sink throws here, before anything is written, if that is too many.
  void expect(std::uint64_t size) {
    flush();
    auto error = make_error();
    check(sink_->expect(sink_, size, &error), error);
    resume();
  }
  /// True if the output is a store of named blobs.
  bool has_blobs() const noexcept { return sink_->begin_blob != nullptr; }
  /// Starts a new named blob: all that follows goes there and position() starts again from 0. Throws
  /// Error(Status::unsupported) if the output is one run of bytes.
  void begin_blob(std::string_view name) {
    if (!has_blobs()) throw Error(Status::unsupported, "this output is one run of bytes and takes no named blobs");
    flush();
    auto error = make_error();
    check(sink_->begin_blob(sink_, polycodec_bytes{name.data(), name.size()}, &error), error);
    resume();
    before_ = 0;
  }
  /// Hands over an object that owns memory to be referenced: the host calls release(object) when it has written the
  /// segments. If this throws, release(object) has been called already.
  void adopt(void* object, void(POLYCODEC_ABI* release)(void* object)) {
    check(sink_->adopt(sink_, object, release), make_error());
  }

  /// Tells the sink what was written, so that others may write to it. Call resume() before going on here.
  void flush() noexcept {
    before_ = position();
    start_ = cursor_;
    sink_->cursor = cursor_;
  }
  /// Takes the sink back after others wrote to it; what they wrote does not count in position().
  void resume() noexcept {
    cursor_ = start_ = sink_->cursor;
    limit_ = sink_->limit;
  }

 private:
  static constexpr std::uint64_t chunk_size = 65536;

  static void check(std::int32_t code, const polycodec_error& error) {
    if (code != POLYCODEC_OK) [[unlikely]]
      throw to_error(code, error);
  }
  void copy(const std::uint8_t* data, std::uint64_t size) noexcept {
    if (size != 0) std::memcpy(cursor_, data, size);
    cursor_ += size;
  }
  [[gnu::noinline]] void grow(std::uint64_t size) {
    if (size > POLYCODEC_MAX_WINDOW)
      throw Error(Status::invalid, "a writer can reserve no more than " + std::to_string(POLYCODEC_MAX_WINDOW) +
                                       " bytes at once, not " + std::to_string(size));
    flush();
    auto error = make_error();
    check(sink_->grow(sink_, size, &error), error);
    resume();
    if (window() < size) throw Error(Status::internal, "the sink gave a smaller window than it was asked for");
  }
  [[gnu::noinline]] void put_long(const std::uint8_t* data, std::uint64_t size) {
    while (size != 0) {
      if (window() == 0) grow(size < POLYCODEC_MAX_WINDOW ? size : POLYCODEC_MAX_WINDOW);
      const std::uint64_t part = size < window() ? size : window();
      copy(data, part);
      data += part;
      size -= part;
    }
  }

  polycodec_sink* sink_;
  std::uint8_t* cursor_;
  std::uint8_t* limit_;
  std::uint8_t* start_;  // where cursor_ stood at the last flush() or resume()
  std::uint64_t before_ = 0;
};

}  // namespace polycodec
