// SPDX-License-Identifier: MIT
// Writing to a sink: small pieces are copied through its window, large ones referenced.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/byte_order.hpp>
#include <polycodec/call.hpp>
#include <polycodec/error.hpp>

#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace polycodec {

/// What an encoder writes with. It keeps the sink's cursor to itself between flush() calls, so
/// nothing else may write to the sink meanwhile. Not owning; not copyable (two cursors would
/// overwrite each other); for one thread. When the sink fails (a limit, memory), the functions
/// throw the sink's error; limits are the sink's business. Bytes count as written only after
/// flush(), which the plugin's thunks call when encode() returns.
class Writer {
 public:
  /// Pieces that are shorter are copied even by reference(): a segment costs the host more than
  /// their copy.
  static constexpr std::uint64_t reference_threshold = 256;

  explicit Writer(polycodec_sink* sink) noexcept : sink_(sink) { resume(); }
  /// A writer to what the host gave: a sink, or a store of blobs that begin_blob() starts.
  Writer(const Call& call, const polycodec_output& output) noexcept
      : call_(call.raw()), output_(&output), sink_(output.sink) {
    resume();
  }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  polycodec_sink* sink() const noexcept { return sink_; }
  /// What the host gave; NULL for a writer to a sink.
  const polycodec_output* output() const noexcept { return output_; }
  /// The name under which the value is kept in a store, or empty.
  std::string_view member() const noexcept {
    return output_ == nullptr ? std::string_view() : to_string_view(output_->member);
  }
  /// Bytes that went through this writer (to the current blob), copied or referenced.
  std::uint64_t position() const noexcept {
    return before_ + static_cast<std::uint64_t>(cursor_ - start_);
  }

  /// At least `size` bytes of memory for the next bytes of output; at most POLYCODEC_MAX_WINDOW, or
  /// any size if the sink is contiguous. Fill them and call commit() with how many you filled;
  /// until then they are not part of the output. Any other call but commit() makes the pointer
  /// stale.
  std::uint8_t* reserve(std::uint64_t size) {
    if (size > window()) [[unlikely]]
      grow(size);
    return cursor_;
  }
  /// The first `size` bytes that reserve() returned are output.
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
  /// A number as decimal text: an integer, or the shortest text that reads back as the same float
  /// or double. Those that are not finite are nan, -nan, inf and -inf.
  template <class T>
  requires(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) void put_decimal(T value) {
    if constexpr (std::is_same_v<T, float>)
      put_float(value);
    else if constexpr (std::is_floating_point_v<T>)
      put_double(value);
    else if constexpr (std::is_signed_v<T>)
      put_signed(value);
    else
      put_unsigned(value);
  }
  /// Copies `size` bytes, however many, to the output.
  void put_bytes(const void* data, std::uint64_t size) {
    if (size <= window()) [[likely]] {
      copy(static_cast<const std::uint8_t*>(data), size);
    } else {
      put_long(static_cast<const std::uint8_t*>(data), size);
    }
  }
  void put_text(std::string_view text) { put_bytes(text.data(), text.size()); }
  /// `count` bytes of the same value.
  void put_fill(std::uint8_t value, std::uint64_t count);

  /// Appends `size` bytes that belong to the value being encoded (or were handed over with
  /// adopt()): the host reads them after encode() has returned. Fewer than reference_threshold
  /// bytes are copied instead.
  void reference(std::string_view bytes) { reference(bytes.data(), bytes.size()); }
  void reference(const void* data, std::uint64_t size);
  /// Says how many bytes will follow in all. The sink throws here, before anything is written, if
  /// that is too many.
  void expect(std::uint64_t size);
  /// True if there is a store for named blobs.
  bool has_blobs() const noexcept { return output_ != nullptr && output_->store != nullptr; }
  /// What the store for blobs holds before the change; null for a new one.
  const polycodec_store* base() const noexcept;
  /// Starts a blob of `owner` (empty: member()): all that follows goes there, from position() 0.
  /// Throws Error(Status::unsupported) if the output is one run of bytes.
  void begin_blob(std::string_view name, std::string_view owner = {});
  /// Hands over an object that owns memory to be referenced: the host calls release(object) when it
  /// has written the segments, or before this throws. `extent`: that memory.
  void adopt(void* object, void (*release)(void* object), std::string_view extent);
  /// Encodes `root` with another codec, by name, to the same sink.
  void encode_with(std::string_view codec, const polycodec_node* options,
                   const polycodec_node* root);

  /// All output so far, of a contiguous sink: valid until the next byte is written.
  std::string_view written() const noexcept {
    return to_string_view(cursor_ - position(), position());
  }

  /// Tells the sink what was written, so that others may write to it. Call resume() before going on
  /// here.
  void flush() noexcept {
    before_ = position();
    start_ = cursor_;
    if (sink_ != nullptr) sink_->cursor = cursor_;
  }
  /// Takes the sink back after others wrote to it; what they wrote does not count in position().
  void resume() noexcept {
    cursor_ = start_ = sink_ == nullptr ? nullptr : sink_->cursor;
    limit_ = sink_ == nullptr ? nullptr : sink_->limit;
  }

 private:
  void copy(const std::uint8_t* data, std::uint64_t size) noexcept {
    if (size != 0) std::memcpy(cursor_, data, size);
    cursor_ += size;
  }
  void put_signed(std::int64_t value);
  void put_unsigned(std::uint64_t value);
  void put_float(float value);
  void put_double(double value);
  template <class T>
  void print(T value);
  void grow(std::uint64_t size);
  void put_long(const std::uint8_t* data, std::uint64_t size);

  polycodec_call* call_ = nullptr;
  const polycodec_output* output_ = nullptr;
  polycodec_sink* sink_ = nullptr;
  std::uint8_t* cursor_;
  std::uint8_t* limit_;
  std::uint8_t* start_;  // where cursor_ stood at the last flush() or resume()
  std::uint64_t before_ = 0;
};

}  // namespace polycodec
