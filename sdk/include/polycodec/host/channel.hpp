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
  /// 0, or the number of the control message that it is; its value is then null.
  std::int32_t control = 0;
  std::string header;  ///< as JSON
};

/// One end of a channel of messages. For one thread.
class Channel : public border::Owned<polycodec_channel, polycodec_channel_free> {
 public:
  using Owned::Owned;
  /// `options`: JSON, or empty; see polycodec_channel_open.
  explicit Channel(const Registry& registry, std::string_view options = {})
      : Channel(border::make<Channel>(polycodec_channel_open, registry.raw(), to_bytes(options))) {}

  /// The message for a value. `header`: JSON of further members of the header, or empty.
  Message pack(const Value& value, std::string_view header = {}) {
    return border::make<Message>(polycodec_channel_pack, raw(), value.raw(), to_bytes(header));
  }
  /// Takes a copy of bytes that were received: a piece of a stream of any size.
  void feed(std::string_view bytes) {
    border::call(polycodec_channel_feed, raw(), to_bytes(bytes));
  }
  /// Decodes the next message, if all of it is there.
  std::optional<Received> next() {
    Received received =
        received_by([&](polycodec_value** value, std::int32_t* control, polycodec_sink* header) {
          border::call(polycodec_channel_next, raw(), value, control, header);
        });
    if (!received.value) return std::nullopt;
    return received;
  }
  /// Decodes a whole message or packet.
  Received unpack(const Source& message) {
    return received_by([&](polycodec_value** value, std::int32_t* control, polycodec_sink* header) {
      border::call(polycodec_channel_unpack, raw(), message.raw(), value, control, header);
    });
  }

 private:
  template <class Receive>
  static Received received_by(const Receive& receive) {
    const Sink header = Sink::contiguous();
    Received received;
    receive(border::Place::of(received.value), &received.control, header.raw());
    received.header = header.bytes();
    return received;
  }
};

}  // namespace host
}  // namespace polycodec
