// SPDX-License-Identifier: MIT
// Reads messages from bytes that arrive in any pieces.
#pragma once

#include <polycodec/error.hpp>
#include <polycodec/export.hpp>
#include <polycodec/limits.hpp>
#include <polycodec/message.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

namespace polycodec {

class StreamBuffer;

/// What the pieces are that a MessageReader is fed.
enum class Transport : std::uint8_t {
  /// A stream such as a pipe or TCP: messages follow each other, each has a frame, and pieces begin
  /// and end anywhere.
  stream,
  /// Packets such as those of ZeroMQ: a message begins at the beginning of a packet, which also
  /// holds its header, and
  /// ends with a packet: that one or, if its body is longer, a later one (multi-part messages). A
  /// packet without a
  /// frame where a message begins is a message of its own, all body.
  packets,
};

/// A message that was read.
struct ReceivedMessage : Message {
  bool framed = true;        ///< false: a packet without a frame; the header holds the size alone
  std::uint64_t offset = 0;  ///< where it began, in bytes since the reader was made
  std::uint64_t body_offset = 0;  ///< where its body begins, likewise
  std::shared_ptr<const void>
      pin;  ///< keeps `body` alive; without it, body is valid until the reader is fed again
};

/// Reassembles messages. Which messages and which error come out depends on the bytes (and, for
/// packets, on where these end), never on how they are cut into pieces for a stream. Time is linear
/// in the bytes. Memory is bounded by limits.max_header_bytes, the body of one message and what was
/// fed at once; a body whose declared size is more than limits.max_input_bytes or
/// limits.max_memory_bytes is refused as soon as its header is there. For one thread.
class POLYCODEC_API MessageReader {
 public:
  explicit MessageReader(const Limits& limits = {}, Transport transport = Transport::stream);
  ~MessageReader();

  /// Takes a copy of `bytes`: the next piece of the stream, or the next packet (which may be
  /// empty).
  void feed(std::string_view bytes);
  /// The other way for streams, without a copy: fill a part of window() and commit() how much. The
  /// window has at least 64 KiB; if a long body is under way, more.
  std::span<char> window();
  void commit(std::size_t bytes) noexcept;

  /// The next message if all of it is there. Call it until it gives nothing, then feed. Throws what
  /// parse_message() throws, offsets counting from the first byte that was fed, and
  /// - Status::malformed if a message does not begin with a separator (streams): the one before had
  /// a wrong size;
  /// - Status::trailing if a packet has more bytes than the body of its message;
  /// - Status::truncated if a packet ends inside the header.
  /// Afterwards a stream is lost: every further call throws the same error. With packets, call
  /// skip_packets().
  std::optional<ReceivedMessage> next();

  /// No more bytes will come. Throws Status::truncated if a message was begun, with how many bytes
  /// are missing.
  void finish() const;

  /// How many bytes are missing at least until the next message is complete; 0 if none was begun.
  std::uint64_t missing() const noexcept;
  /// The header of the message that is under way, or null while it is not complete.
  const Header* pending_header() const noexcept { return header_ ? &*header_ : nullptr; }

  /// Drops all packets that were fed, and the message that was begun with them, also after an
  /// error.
  void skip_packets() noexcept;

 private:
  std::optional<ReceivedMessage> next_of_stream();
  std::optional<ReceivedMessage> next_of_packets();
  void begin_message(std::string_view header, std::size_t body_begin);
  ReceivedMessage take_message();

  Limits limits_;
  Transport transport_;
  std::unique_ptr<StreamBuffer> buffer_;
  std::optional<Header> header_;           // of the message under way
  std::size_t body_begin_ = 0;             // after header_, in buffer_.view()
  std::size_t searched_ = 0;               // no second separator begins before, in buffer_.view()
  std::deque<std::uint64_t> packet_ends_;  // in the stream of bytes; ascending
  std::optional<Error> error_;
};

}  // namespace polycodec
