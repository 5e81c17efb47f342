// SPDX-License-Identifier: MIT
// A conversation in messages: values in, messages out, and the reverse, with what the first message
// settled.
#pragma once

#include <polycodec/codec_handle.hpp>
#include <polycodec/export.hpp>
#include <polycodec/message.hpp>
#include <polycodec/registry.hpp>
#include <polycodec/schema.hpp>
#include <polycodec/value.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace polycodec {

/// Whose headers and bodies are written. All are read.
enum class Dialect : std::uint8_t {
  /// As yggdrasil programs of today read and write them, and at the top level what their
  /// specification asks for.
  current,
  /// As the specification says: the type of the body, precision in bits, units and shape at the top
  /// level, no
  /// `__meta__`, and scalars and arrays as bare base64.
  document,
  /// As programs before version 1.9: `datatype` with precision in bits, base64 with newlines.
  legacy,
};

/// The word for a dialect, as options have it: "current", "document", "legacy-1.8".
POLYCODEC_API std::string_view dialect_name(Dialect dialect) noexcept;
/// The dialect of that word, or nothing.
POLYCODEC_API std::optional<Dialect> find_dialect(std::string_view name) noexcept;

/// How a channel sends and what it does with what it receives.
struct ChannelOptions {
  Dialect dialect = Dialect::current;
  /// Current dialect: write `__meta__` and the fields that are needed, but no type, size and id at
  /// the top level.
  bool meta_only = false;
  /// What is sent: name or alias of a codec, its options and the filters after it as JSON (see
  /// Registry::codec_with_json). The dialects document and legacy take the codec yggdrasil alone.
  std::string codec{default_message_codec};
  std::string codec_options;
  std::string filters;
  /// See PartOptions.
  std::uint64_t max_part_bytes = UINT64_MAX;
  std::string address;
  std::string model;  ///< the sender's name, written as `__meta__.model`; empty: none
  /// Say in the first message what all values are (`serializer.datatype`), as yggdrasil programs
  /// do; later values are then made to fit it. Only for the codec yggdrasil. Messages of the codecs
  /// obj and ply (if that is text) name the serializer of yggdrasil programs that reads them.
  bool declare = true;
  /// Make received values fit the datatype that the first header declared; otherwise they stay as
  /// they come.
  bool normalize = true;
  CallOptions call;  ///< limits, validation, cancelling
};

/// A message to be sent. It views the value that was packed: keep that, unchanged, until the parts
/// are written.
class OutgoingMessage {
 public:
  const MessageParts& parts() const noexcept { return parts_; }

 private:
  friend class Channel;
  std::unique_ptr<SegmentSink> body_;
  Value owned_;  // where the value had to be changed before it was written
  MessageParts parts_;
};

/// A message that was received and understood.
struct IncomingMessage {
  Header header;
  BodyFormat::Kind kind = BodyFormat::Kind::coded;
  ControlSign sign = ControlSign::none;  ///< for control messages
  const CodecInfo* codec = nullptr;      ///< of a coded body
  Value value;                           ///< for raw and control messages the body as bytes
};

/// One end of a channel. Knows nothing of transports: parts go out by whatever sends bytes, and
/// messages come in from a MessageReader. What a message says never names a file, loads a library
/// outside the policy, or runs code. For one thread (several channels may share a registry).
class POLYCODEC_API Channel {
 public:
  /// Throws Status::option for options that make no sense. Codecs are opened when they are first
  /// used.
  explicit Channel(Registry registry, ChannelOptions options = {});
  ~Channel();
  Channel(Channel&&) noexcept;
  Channel& operator=(Channel&&) noexcept;

  const ChannelOptions& options() const noexcept;

  // -- sending --

  /// The message for a value. `extra` may hold further members of `__meta__` and of the top level
  /// (such as request_id and response_address), an id, and a type. Throws what opening and encoding
  /// throw; and for a value that does not fit the datatype of the first message what
  /// schema::normalize() throws.
  OutgoingMessage pack(NodeView value, const Header& extra = {});
  /// A message whose body is these bytes as they stand (`raw`); keep them until the parts are
  /// written.
  OutgoingMessage pack_raw(std::string_view bytes, const Header& extra = {}) const;
  /// The message that ends the stream.
  OutgoingMessage pack_end() const { return pack_raw(end_of_stream_body); }

  // -- receiving --

  /// Decodes a message: by the codec that its header names or implies (see body_format()) if the
  /// policy allows it. A packet without a frame is a control message or a body of the codec
  /// yggdrasil. The first datatype that a header of a decoded message declares
  /// (`serializer.datatype`) holds for all later ones: values are made to fit it. Throws Error,
  /// with offsets that count as those of the message do, from the first byte that was received; the
  /// channel can go on with the next message afterwards.
  IncomingMessage unpack(const ReceivedMessage& message);
  /// The same for a message whose bytes the caller keeps alive as long as the value. Offsets count
  /// from its body.
  IncomingMessage unpack(const Message& message);

  /// The datatype that the first message received declared, or null.
  const schema::Schema* received_datatype() const noexcept;
  /// The datatype that was sent with the first message, or null.
  const schema::Schema* sent_datatype() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace polycodec
