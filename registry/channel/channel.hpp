// SPDX-License-Identifier: MIT
// Conversations in messages. Two programs agree on a codec: the receiver offers what it reads, the
// sender chooses for each type of value. A channel turns values into messages, and the reverse.
#pragma once

#include "core/frame/message.hpp"
#include "core/schema/schema.hpp"
#include "registry/codec/datatype_fields.hpp"
#include "registry/codec/registry.hpp"
#include "registry/config/config.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec {

/// One codec that a receiver reads.
struct OfferedCodec {
  std::string codec;                       ///< canonical name
  std::vector<std::string> versions;       ///< versions of its format; empty: any
  std::vector<std::string> types;          ///< type patterns, such as `N * float64`; empty: any
  std::optional<std::uint64_t> max_bytes;  ///< the longest body that is read; nothing: any
  friend bool operator==(const OfferedCodec&, const OfferedCodec&) = default;
};

/// What a receiver reads, most welcome first.
struct Offer {
  std::string peer;  ///< who offers, for rules and logs; may be empty
  std::vector<OfferedCodec> codecs;
  friend bool operator==(const Offer&, const Offer&) = default;
};

/// The most codecs of an offer, and versions and types of each.
inline constexpr std::size_t max_offered = 256;

/// Reads an offer: `{"peer": TEXT, "codecs": [{"codec": NAME, "versions": [TEXT], "types": [TEXT],
/// "max_bytes": N}]}`. Only "codecs" and "codec" are required. Throws what parse_json() throws, and
/// Status::malformed (detail `negotiation.offer`) with the path of the error.
Offer parse_offer(std::string_view json, const Limits& limits = {});
/// The same text again, in canonical form.
std::string to_json(const Offer& offer);

/// An offer of the codecs that `registry` has and its policy lets decode, in the order of
/// `preferred` (names or aliases; unknown ones throw Status::not_found), or if that is empty in
/// order of name.
Offer make_offer(const Registry& registry, std::string peer = {},
                 std::span<const std::string> preferred = {},
                 std::optional<std::uint64_t> max_bytes = {});
/// What is assumed of a peer that offers nothing: a program that speaks yggdrasil.
Offer offer_of_silent_peer();

/// What came of one codec of an offer.
struct Verdict {
  std::string codec;
  bool fits = false;
  std::string reason;  ///< human-readable
};

/// The sender's decision for a value. It depends on offer, value, registry and rules alone.
struct Agreement {
  std::string codec;              ///< empty: none of the offered codecs can be used for this value
  std::string version;            ///< of its format
  std::string options;            ///< from the rule that chose it, as JSON; or empty
  std::string reason;             ///< why this one, human-readable
  std::vector<Verdict> verdicts;  ///< in the order of the offer

  /// All of it in lines, for both sides.
  std::string explain() const;
};

/// Chooses among the offered codecs that can encode the value: the one that the sender's rules
/// (`configuration`, may be null) name, otherwise the first. Throws only Status::cancelled and
/// Status::memory; any other error is the reason of a verdict.
Agreement agree(const Registry& registry, const Configuration* configuration, const Offer& offer,
                NodeView value, const CallOptions& options = {});

// -- as messages: `"negotiation": "offer"` or `"choice"` in the header, JSON as body --

/// What a message has to do with negotiation.
enum class NegotiationStep : std::uint8_t { none, offer, choice };
NegotiationStep negotiation_step(const Header& header) noexcept;

/// The whole message.
std::string offer_message(const Offer& offer);
/// `{"codec": NAME or null, "version": TEXT, "reason": TEXT, "verdicts": [{"codec", "fits",
/// "reason"}]}`
std::string choice_message(const Agreement& agreement);
/// Reads the body of a choice. Throws as parse_offer(), detail `negotiation.choice`.
Agreement parse_choice(std::string_view json, const Limits& limits = {});

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
class Channel {
 public:
  /// Throws Status::option for options that make no sense. Codecs are opened when they are first
  /// used.
  explicit Channel(Registry registry, ChannelOptions options = {});
  ~Channel();
  Channel(Channel&&) noexcept;
  Channel& operator=(Channel&&) noexcept;

  const ChannelOptions& options() const noexcept;

  // -- sending --

  /// Returns the message for a value. `extra` may hold further members of `__meta__` and of the top
  /// level, an id, and a type. Throws as opening, encoding and schema::normalize().
  OutgoingMessage pack(NodeView value, const Header& extra = {});
  /// Returns a message whose body is these bytes (`raw`); keep them until the parts are written.
  OutgoingMessage pack_raw(std::string_view bytes, const Header& extra = {}) const;
  /// The message that ends the stream.
  OutgoingMessage pack_end() const { return pack_raw(end_of_stream_body); }

  // -- receiving --

  /// Decodes a message by the codec that body_format() gives. A packet without a frame is a control
  /// message or a body of the codec yggdrasil. The first datatype that a header declares
  /// (`serializer.datatype`) holds for all later values. Throws Error with offsets from the first
  /// byte that was received; the channel can then read the next message.
  IncomingMessage unpack(const ReceivedMessage& message);
  /// The same for a message whose bytes the caller keeps alive as long as the value. Offsets count
  /// from its body.
  IncomingMessage unpack(const Message& message);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace polycodec
