// SPDX-License-Identifier: MIT
// Two programs exchange values: the receiver offers what it reads, the sender chooses a codec for
// each kind of value and sends many small and some large ones. The transport is whatever moves
// messages.
#pragma once

#include "registry/channel/channel.hpp"

#include <cstdint>
#include <cstdio>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace exchange {

/// Moves whole messages. Errors are polycodec::Error.
class Transport {
 public:
  virtual ~Transport() = default;
  virtual void send(const polycodec::MessageParts& parts) = 0;
  /// The next message; nothing if the peer has closed its end.
  virtual std::optional<polycodec::ReceivedMessage> receive() = 0;
  /// The first message; nothing if the peer offers nothing.
  virtual std::optional<polycodec::ReceivedMessage> receive_offer() { return receive(); }
  /// The most bytes of one part.
  virtual std::uint64_t max_part_bytes() const { return UINT64_MAX; }
};

struct Plan {
  std::uint64_t small = 100000;  ///< small documents
  std::uint64_t large = 10;      ///< arrays of 8 MB
};

inline void send_text(Transport& transport, const std::string& whole) {
  const polycodec::Message message = polycodec::parse_message(whole);
  polycodec::PartOptions options;
  options.max_part_bytes = transport.max_part_bytes();
  transport.send(polycodec::make_parts(message.header, message.body, options));
}

/// The sender's end. Returns the exit status of its program.
inline int send_values(Transport& transport, const polycodec::Registry& registry,
                       const Plan& plan) {
  using namespace polycodec;
  const auto first = transport.receive_offer();
  const bool silent = !first || negotiation_step(first->header) != NegotiationStep::offer;
  const Offer offer = silent ? offer_of_silent_peer() : parse_offer(first->body);

  std::vector<double> numbers(1000000);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = 0.5 * static_cast<double>(i);
  const Value large = Value::build(
      [&](Builder& out) { return Builder::array(out.vector(std::span<const double>(numbers))); });
  const auto small = [](std::uint64_t i) {
    return Value::build([&](Builder& out) {
      return out.object({{"i", Builder::integer(static_cast<std::int64_t>(i))},
                         {"text", Builder::string_view("small")}});
    });
  };

  const auto send_all = [&](const Value& example, std::uint64_t count, auto&& value_of) {
    const Agreement agreement = agree(registry, nullptr, offer, example.view());
    std::fprintf(stderr, "sender: %s\n", agreement.explain().c_str());
    if (!silent) send_text(transport, choice_message(agreement));
    if (agreement.codec.empty()) return false;
    ChannelOptions options;
    options.codec = agreement.codec;
    options.codec_options = agreement.options;
    options.max_part_bytes = transport.max_part_bytes();
    // Nothing tells a peer that knows no choices of other values: the datatype of its first message
    // holds for all.
    Header any;
    options.declare = !silent;
    if (silent)
      any.fields.push_back({"serializer", R"({"seritype":"default","datatype":{"type":"any"}})"});
    Channel channel(registry, options);
    for (std::uint64_t i = 0; i < count; ++i)
      transport.send(channel.pack(value_of(i), i == 0 ? any : Header()).parts());
    return true;
  };
  Value current;
  const bool sent = send_all(small(0), plan.small,
                             [&](std::uint64_t i) {
                               current = small(i);
                               return current.view();
                             }) &&
                    send_all(large, plan.large, [&](std::uint64_t) { return large.view(); });
  transport.send(Channel(registry).pack_end().parts());
  return sent ? 0 : 1;
}

/// The receiver's end: offers `codecs` (null: says nothing, as a program that knows only
/// yggdrasil), and counts.
inline int receive_values(Transport& transport, const polycodec::Registry& registry,
                          const polycodec::Offer* offer) {
  using namespace polycodec;
  try {
    if (offer != nullptr) send_text(transport, offer_message(*offer));
  } catch (const Error& error) {  // what a peer sent before it went is still worth reading
    std::fprintf(stderr, "receiver: nobody reads the offer: %s\n", error.describe().c_str());
  }
  std::optional<Channel> channel(registry);
  std::uint64_t small = 0, large = 0;
  std::string codecs;
  for (;;) {
    const auto message = transport.receive();
    if (!message) throw Error(Status::truncated, "the peer went away without an end of the stream");
    if (negotiation_step(message->header) == NegotiationStep::choice) {
      const Agreement agreement = parse_choice(message->body);
      std::fprintf(stderr, "receiver: the sender chose %s\n", agreement.explain().c_str());
      channel.emplace(registry);  // other values, another datatype
      continue;
    }
    const IncomingMessage incoming = channel->unpack(*message);
    if (incoming.sign == ControlSign::end_of_stream) break;
    if (incoming.codec != nullptr && codecs.find(incoming.codec->name) == std::string::npos)
      codecs += (codecs.empty() ? "" : " ") + incoming.codec->name;
    const NodeView value = incoming.value.view();
    if (value.is_array() && value.as_array().length == 1000000)
      ++large;
    else if (value.is_object() && value.at("i").as_uint64() == small)
      ++small;
    else
      throw Error(Status::invalid, "the peer sent something else");
  }
  std::printf("received %llu small and %llu large values by %s\n",
              static_cast<unsigned long long>(small), static_cast<unsigned long long>(large),
              codecs.empty() ? "no codec" : codecs.c_str());
  return small + large == 0 ? 1 : 0;
}

/// Runs one end, and says what went wrong.
template <class End>
int run(const char* who, End&& end) {
  try {
    return end();
  } catch (const polycodec::Error& error) {
    std::fprintf(stderr, "%s: %s\n", who, error.describe().c_str());
    return 1;
  }
}

}  // namespace exchange
