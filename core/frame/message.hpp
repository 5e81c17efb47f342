// SPDX-License-Identifier: MIT
// Framed messages: a header that says what the body is, and the body. Taking messages apart,
// building them, cutting them for a transport, and reading them from bytes that arrive in any
// pieces.
#pragma once

#include "core/call/limits.hpp"
#include "core/io/sink.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec {

/// A message is separator, header, separator, body. Only the first two separators count: the body
/// may hold more.
inline constexpr std::string_view message_separator = "YGG_MSG_HEAD";

/// True if `bytes` start with the separator.
inline bool is_framed(std::string_view bytes) noexcept {
  return bytes.substr(0, message_separator.size()) == message_separator;
}

/// A member of a header that polycodec does not interpret, kept as it was written.
struct HeaderField {
  std::string name;
  std::string json;  ///< the value, as JSON text
  friend bool operator==(const HeaderField&, const HeaderField&) = default;
};

/// A message header. Two layouts are read: `size` and `id` inside `__meta__` (what yggdrasil
/// programs write today), and at the top level (what its specification says, and what programs
/// before version 1.9 write). If both are there, `__meta__` counts.
struct Header {
  std::uint64_t size = 0;     ///< bytes of the body; build_frame() ignores it
  std::string id;             ///< usually a UUID; empty if there is none
  std::string type;           ///< `type` at the top level, if it is a string
  std::string codec;          ///< canonical name of the codec of the body; empty: none is named
  std::string codec_version;  ///< version of that codec's format, or empty
  std::string options;        ///< options of that codec: text of a JSON object, or empty
  bool in_data = false;       ///< the header continues inside the body; parse_message() undoes that
  bool legacy = false;        ///< it has no `__meta__`; build_frame() goes by the style alone
  std::vector<HeaderField> meta;    ///< other members of `__meta__`, in order
  std::vector<HeaderField> fields;  ///< other members of the top level, in order

  /// The JSON text of a member of `fields` or, with `in_meta`, of `meta`; null if there is none.
  const std::string* find(std::string_view name, bool in_meta = false) const noexcept;
  friend bool operator==(const Header&, const Header&) = default;
};

/// Reads the text of a header; docs/messages.md has its rules. Throws Status::malformed with the
/// byte offset in the text, and Status::limit for text longer than limits.max_header_bytes or
/// nested deeper than limits.max_depth. A `codec` is a canonical name, so never a path.
Header parse_header(std::string_view json, const Limits& limits = {});

/// A whole message; `body` views the bytes it was read from.
struct Message {
  Header header;
  std::string_view body;
};

/// Reads a whole message. Throws as parse_header(); Status::malformed if it does not start with the
/// separator; Status::truncated if it ends before the second one or inside the body;
/// Status::trailing if the body is longer than the header says. If the header says `in_data` (or
/// `type_in_data` without a `__meta__`), the rest of it is taken from the front of the body, merged
/// into the header, and in_data is reset; header.size is then the size of `body`. Offsets of errors
/// count from the start of `bytes`.
Message parse_message(std::string_view bytes, const Limits& limits = {});

enum class HeaderStyle : std::uint8_t {
  full,       ///< `__meta__` as yggdrasil programs read it; type, size and id at the top level
  meta_only,  ///< nothing at the top level but the codec's members and `fields`
  legacy,     ///< no `__meta__`: its members are at the top level, as before version 1.9
};

/// Returns what goes before a body of `body_size` bytes: separator, header, separator. An empty id
/// becomes a new UUID. A member of `fields` called type, size or id replaces the generated one.
/// Throws Status::invalid for an invalid codec name or JSON text, or a duplicate name.
std::string build_frame(const Header& header, std::uint64_t body_size,
                        HeaderStyle style = HeaderStyle::full);

/// The JSON text of a header unchanged, for logs: its own size, no id where it has
/// none, no `in_data`. Throws as build_frame().
std::string header_to_json(const Header& header);

/// Name of the codec of bodies whose header names none: messages of yggdrasil programs.
inline constexpr std::string_view default_message_codec = "yggdrasil";

/// Messages between programs, not between models. They may come with a header or without one.
enum class ControlSign : std::uint8_t {
  none,            ///< an ordinary body
  end_of_stream,   ///< `EOF!!!`: the sender closes the channel
  begin_client,    ///< `YGG_BEGIN_CLIENT`
  end_client,      ///< `YGG_END_CLIENT`: a client leaves
  client_sign_on,  ///< `CLIENT_SIGNON::` and who it is
  server_sign_on,  ///< `SERVER_SIGNON::` and the answer
};

/// The body of an end-of-stream message.
inline constexpr std::string_view end_of_stream_body = "EOF!!!";

/// Which control message a body is. The bytes of the sign must be the whole body (those that end in
/// `::`: its beginning).
ControlSign control_sign(std::string_view body) noexcept;

/// How a body is to be read.
struct BodyFormat {
  enum class Kind : std::uint8_t {
    coded,   ///< by the codec
    raw,     ///< it is a value of bytes unchanged
    control  ///< likewise; see control_sign()
  };
  Kind kind = Kind::coded;
  std::string codec;        ///< canonical name; empty unless coded
  bool is_default = false;  ///< coded, and no member of the header chose the codec
  std::string options;      ///< options that the header has for the codec, as JSON; or empty
  std::string reason;       ///< which member of the header decided, human-readable
};

/// Returns how the header says that its body is to be read, never a path. docs/messages.md has the
/// members that decide and the codecs that they name. Throws Status::denied for a serializer that
/// would run code, Status::unsupported (detail `message.seritype`) for an unknown one.
BodyFormat body_format(const Header& header, std::string_view body);

/// The schema of the body as JSON text: `serializer.datatype` (precision in bytes); in headers
/// without `__meta__` `datatype`, or what the members type, subtype, precision, units, ... at the
/// top level say (precision in bits). Empty if there is none. Throws Status::malformed if
/// `serializer` is not an object.
std::string header_datatype(const Header& header);

/// How a message is cut for a transport that takes only so many bytes at a time.
struct PartOptions {
  HeaderStyle style = HeaderStyle::full;
  /// The most bytes of a part; yggdrasil programs use 2^20 with ZeroMQ, MPI and RabbitMQ, and 2048
  /// with IPC and REST.
  std::uint64_t max_part_bytes = UINT64_MAX;
  /// Address of the channel on which the other parts follow; written as `__meta__.address` where
  /// there are any.
  std::string address;
};

/// A message ready to be sent. Owns its frame and views the body's segments: keep those.
class MessageParts {
 public:
  std::size_t count() const noexcept { return begins_.size(); }
  /// The segments of one part, in order, for writev. The first part has the frame and the beginning
  /// of the body, the others are bare slices of the body, which MessageReader joins.
  std::span<const Segment> part(std::size_t index) const noexcept;
  /// The segments of all parts.
  std::span<const Segment> all() const noexcept { return segments_; }
  /// Bytes of the whole message.
  std::uint64_t size() const noexcept { return size_; }
  /// The id that was written, if build_frame() made it or not.
  const std::string& id() const noexcept { return id_; }
  /// True if the header was too long for a part and continues in the body (`in_data`).
  bool in_data() const noexcept { return in_data_; }

 private:
  friend MessageParts make_parts(const Header&, std::span<const Segment>, const PartOptions&);
  std::vector<char> frame_;
  std::vector<Segment> segments_;
  std::vector<std::size_t> begins_;  // index of the first segment of each part
  std::uint64_t size_ = 0;
  std::string id_;
  bool in_data_ = false;
};

/// Returns a message cut into parts of at most max_part_bytes. The header of several parts gets an
/// id and the address. If it is too long for a part, all of it but `__meta__` moves to the front of
/// the body (`__meta__.in_data`). Throws as build_frame(), and Status::limit for too long
/// `__meta__`.
MessageParts make_parts(const Header& header, std::span<const Segment> body,
                        const PartOptions& options = {});
/// The same with a body in one piece.
MessageParts make_parts(const Header& header, std::string_view body,
                        const PartOptions& options = {});

/// What the pieces are that a MessageReader is fed.
enum class Transport : std::uint8_t {
  /// A stream such as a pipe or TCP: messages follow each other, each has a frame, and pieces begin
  /// and end anywhere.
  stream,
  /// Packets such as those of ZeroMQ: a message begins at the beginning of a packet, which also
  /// holds its header, and ends with a packet: that one or, if its body is longer, a later one
  /// (multi-part messages). A packet without a frame where a message begins is a message of its
  /// own, all body.
  packets,
};

/// A message that was read.
struct ReceivedMessage : Message {
  bool framed = true;        ///< false: a packet without a frame; the header holds the size alone
  std::uint64_t offset = 0;  ///< where it began, in bytes since the reader was made
  std::uint64_t body_offset = 0;    ///< where its body begins, likewise
  std::shared_ptr<const void> pin;  ///< keeps `body` alive; else it is valid until the next feed()
};

/// Reassembles messages. Which messages and which error come out depends on the bytes (and, for
/// packets, on where these end), never on how they are cut into pieces for a stream. Time is linear
/// in the bytes. Memory is bounded by limits.max_header_bytes, the body of one message and what was
/// fed at once; a body whose declared size is more than limits.max_input_bytes or
/// limits.max_memory_bytes is refused as soon as its header is there. For one thread.
class MessageReader {
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
  /// Afterwards the stream is lost: every further call throws the same error.
  std::optional<ReceivedMessage> next();

  /// No more bytes will come. Throws Status::truncated if a message was begun, with how many bytes
  /// are missing.
  void finish() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace polycodec
