// SPDX-License-Identifier: MIT
// Values of one codec that follow each other in a stream, such as msgpack documents on a socket.
#pragma once

#include <polycodec/call_options.hpp>
#include <polycodec/codec_handle.hpp>
#include <polycodec/export.hpp>
#include <polycodec/value.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace polycodec {

class StreamBuffer;

/// Decodes values from bytes that arrive in any pieces. Memory is bounded by one value and what was
/// fed at once: more than max_memory_bytes or limits.max_input_bytes bytes without a complete value
/// are refused. The budget is one for the stream, whose bytes it grows with. For one thread.
class POLYCODEC_API ValueStream {
 public:
  /// Throws Status::unsupported unless codec.info().can_read_stream and the codec has no filters.
  explicit ValueStream(Codec codec, CallOptions options = {});
  ~ValueStream();
  ValueStream(const ValueStream&) = delete;
  ValueStream& operator=(const ValueStream&) = delete;

  /// Takes a copy of `bytes`.
  void feed(std::string_view bytes);
  /// The other way, without a copy: fill a part of the window and commit() how much.
  std::span<char> window();
  void commit(std::size_t bytes) noexcept;
  /// Says that no more bytes will come.
  void end() noexcept { ended_ = true; }

  /// Decodes the next value if all of it is there; false: feed more, or after end() there is none.
  /// The value keeps the bytes alive that it views. Decoding is tried anew only when the codec's
  /// minimum of bytes is there. Throws what the codec throws, offsets counting from the first byte
  /// that was fed; Status::limit; after end() Status::truncated if the last value is incomplete.
  /// After an error the stream is lost.
  bool next(Value& value);
  /// True if next() would try to decode. Who reads from a descriptor reads on while bytes are there
  /// and next() has just failed, so that a long value in small pieces is not tried once a piece;
  /// read_value() does.
  bool is_worth_trying() const noexcept;

  /// Bytes that are held and belong to no decoded value yet.
  std::size_t held() const noexcept;
  /// Where the next value begins, in bytes since the start.
  std::uint64_t position() const noexcept;

 private:
  struct State;
  std::shared_ptr<State> state_;  // values keep it
  std::unique_ptr<StreamBuffer> buffer_;
  std::uint64_t wanted_ = 1;
  std::uint64_t counted_ = 0;  // bytes that the budget knows of
  bool ended_ = false;
};

/// The next value of a stream: from what `stream` holds, else from what it reads from `fd`. False
/// at the end. Throws as ValueStream::next(), and Status::io. Time is linear in the bytes for any
/// sender that does not wait after each few bytes, and a value is handed out as soon as it is
/// complete, also if the sender then waits.
POLYCODEC_API bool read_value(int fd, ValueStream& stream, Value& value, std::string_view name);

/// Encodes values one after another, with what they share (a schema, a dictionary). For one thread.
class POLYCODEC_API ValueWriter {
 public:
  /// Throws Status::unsupported unless codec.info().can_write_stream and the codec has no filters.
  explicit ValueWriter(Codec codec, CallOptions options = {});
  ~ValueWriter();
  ValueWriter(const ValueWriter&) = delete;
  ValueWriter& operator=(const ValueWriter&) = delete;

  /// Encodes the next value to `sink`, whose segments must be used before the value dies. Throws
  /// Error; the stream is lost then.
  void append(NodeView value, Sink& sink);
  /// Writes what ends the stream. To be called once.
  void finish(Sink& sink);

 private:
  struct State;
  template <class Run>
  void run(Sink& sink, Run&& run);
  std::shared_ptr<State> state_;  // sinks keep it
};

}  // namespace polycodec
