// SPDX-License-Identifier: MIT
// Messages of values (docs/messages.md). A program includes polycodec.hpp.
#pragma once

#include <polycodec/host/registry.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace polycodec {
inline namespace host {

/// What a message with a header begins with.
inline constexpr std::string_view message_separator = "YGG_MSG_HEAD";

/// The codec of channels that name none.
inline constexpr std::string_view default_message_codec = "yggdrasil";

/// A message to send. Keeps its value.
class Message : public border::Owned<polycodec_message, polycodec_message_free> {
 public:
  using Owned::Owned;
  /// The pieces of part `part`, from 0 on, which live as long as this. Nothing after the last part.
  std::optional<std::span<const polycodec_bytes>> part(std::uint64_t part) const& {
    const polycodec_bytes* first = nullptr;
    std::uint64_t n = 0;
    try {
      border::call(polycodec_message_part, raw(), part, &first, &n);
    } catch (const Error& error) {
      if (error.code() == Status::range) return std::nullopt;
      throw;
    }
    return std::span<const polycodec_bytes>{first, static_cast<std::size_t>(n)};
  }
  std::optional<std::span<const polycodec_bytes>> part(std::uint64_t) const&& = delete;
  /// A copy of all parts, one after another, as they follow each other in a stream of bytes.
  std::string bytes() const {
    std::string all;
    for (std::uint64_t i = 0;; ++i) {
      const auto pieces = part(i);
      if (!pieces) return all;
      for (const polycodec_bytes& piece : *pieces) all.append(to_string_view(piece));
    }
  }
};

/// A message that was received.
struct Received {
  Value value;
  /// 0, or the number of the control message that it is; its value is the bytes of the body.
  std::int32_t control = 0;
  std::string header;  ///< as JSON; empty for a packet without one
};

/// One end of a channel of messages. For one thread.
class Channel {
 public:
  /// `options`: JSON, or empty; see polycodec_channel_open. `call` applies to each message.
  explicit Channel(const Registry& registry, std::string_view options = {},
                   const CallOptions& call = default_call)
      : call_(call),
        channel_(call_->make<Handle>(polycodec_channel_open, registry.raw(), to_bytes(options),
                                     call_->raw())) {}

  /// The message for a value. `header`: JSON of further members of the header, or empty; see
  /// polycodec_channel_pack.
  Message pack(const Value& value, std::string_view header = {}) {
    return call_->make<Message>(polycodec_channel_pack, channel_.raw(), value.raw(),
                                to_bytes(header));
  }
  /// The message that ends the stream.
  Message pack_end(std::string_view header = {}) { return pack(Value(), header); }
  /// Takes a copy of bytes that were received: a piece of a stream of any size, or a packet.
  void feed(std::string_view bytes) {
    border::call(polycodec_channel_feed, channel_.raw(), to_bytes(bytes), std::int32_t{0});
  }
  /// Says that no more bytes will be fed.
  void end_of_input() {
    border::call(polycodec_channel_feed, channel_.raw(), polycodec_bytes{}, std::int32_t{1});
  }
  /// Decodes the next message, if all of it is there. Throws Status::truncated for an incomplete
  /// last one.
  std::optional<Received> next() {
    Received received =
        received_by([&](polycodec_value** value, std::int32_t* control, polycodec_sink* header) {
          call_->call(polycodec_channel_next, channel_.raw(), value, control, header);
        });
    if (!received.value) return std::nullopt;
    return received;
  }
  /// Decodes a whole message or packet.
  Received unpack(const Source& message) {
    return received_by([&](polycodec_value** value, std::int32_t* control, polycodec_sink* header) {
      call_->call(polycodec_channel_unpack, channel_.raw(), message.raw(), value, control, header);
    });
  }

 private:
  using Handle = border::Owned<polycodec_channel, polycodec_channel_free>;
  template <class Receive>
  static Received received_by(const Receive& receive) {
    const Sink header = Sink::contiguous();
    Received received;
    receive(border::Place::of(received.value), &received.control, header.raw());
    received.header = header.bytes();
    return received;
  }

  border::KeptCall call_;  // before the channel, which uses it
  Handle channel_;
};

}  // namespace host
}  // namespace polycodec
