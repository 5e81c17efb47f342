// SPDX-License-Identifier: MIT
// Two programs exchange values: the receiver offers what it reads, the sender chooses a codec for
// each kind of value and sends many small and some large ones. The transport is whatever moves
// messages.
#pragma once

#include <polycodec/polycodec.hpp>

#include <cstdint>
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace exchange {

/// Moves messages, in pieces. Errors are polycodec::Error.
class Transport {
 public:
  virtual ~Transport() = default;
  virtual void send(const polycodec::Message& message) = 0;
  /// The next bytes that were received; nothing if the peer has closed its end.
  virtual std::optional<std::string> receive() = 0;
  /// The first bytes; nothing if the peer offers nothing.
  virtual std::optional<std::string> receive_offer() { return receive(); }
  /// Options of both ends of a channel, as members of a JSON object.
  virtual std::string options() const { return R"("packets": false)"; }
};

struct Plan {
  std::uint64_t small = 100000;  ///< small documents
  std::uint64_t large = 10;      ///< arrays of 8 MB
};

/// One end of the conversation. Values of one kind follow those of another, so what arrives is not
/// made to fit the datatype of the first.
inline polycodec::Channel open_channel(const polycodec::Registry& registry,
                                       const Transport& transport, const std::string& more = "") {
  return polycodec::Channel(registry,
                            "{" + transport.options() + R"(, "normalize": false)" + more + "}");
}

/// Sends a step of the negotiation: `offer` or `choice`.
inline void send_step(Transport& transport, const polycodec::Registry& registry, const char* step,
                      std::string_view json) {
  using namespace polycodec;
  const Value body = Value::build([&](Builder& out) { return out.bytes_copy(json); });
  const std::string header = std::string(R"({"raw": true, "negotiation": ")") + step + "\"}";
  transport.send(open_channel(registry, transport).pack(body, header));
}

/// A text that the header of a message has, or empty.
inline std::string in_header(const polycodec::Received& received, std::string_view name) {
  if (received.header.find(name) == std::string::npos) return {};
  const polycodec::Value header = polycodec::Value::parse(received.header);
  const auto found = header.view().find(name);
  return found && found->is_string() ? std::string(found->as_string()) : std::string();
}

inline std::optional<polycodec::Received> next(Transport& transport, polycodec::Channel& channel) {
  for (;;) {
    if (auto received = channel.next()) return received;
    const auto bytes = transport.receive();
    if (!bytes) {
      channel.end_of_input();
      return channel.next();
    }
    channel.feed(*bytes);
  }
}

/// What was agreed, and why the codecs before it were passed over.
inline std::string explanation(const polycodec::Value& agreement) {
  using polycodec::View;
  const View view(agreement.view());
  const View codec = view["codec"];
  std::string text = codec.is_null() ? "no codec" : std::string(codec.as_string());
  text += ": " + std::string(view["reason"].as_string());
  for (const View verdict : view["verdicts"])
    text += (verdict["fits"].as_bool() ? "\n  + " : "\n  - ") +
            std::string(verdict["codec"].as_string()) + ": " +
            std::string(verdict["reason"].as_string());
  return text;
}

/// The sender's end. Returns the exit status of its program.
inline int send_values(Transport& transport, const polycodec::Registry& registry,
                       const Plan& plan) {
  using namespace polycodec;
  std::string offer = R"({"codecs": [{"codec": "yggdrasil"}]})";  // of a peer that offers nothing
  bool silent = true;
  if (const auto bytes = transport.receive_offer()) {
    Channel first = open_channel(registry, transport);
    first.feed(*bytes);
    const auto received = next(transport, first);
    silent = !received || in_header(*received, "negotiation") != "offer";
    if (!silent) offer = received->value.view().as_bytes();
  }

  const Value large = Value::build([](Builder& out) {
    const std::span<double> numbers(out.allocate<double>(1000000), 1000000);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = 0.5 * static_cast<double>(i);
    return Builder::array(out.vector(std::span<const double>(numbers)));
  });
  const auto small = [](std::uint64_t i) {
    return Value::build([&](Builder& out) {
      return out.object({{"i", Builder::integer(static_cast<std::int64_t>(i))},
                         {"text", out.string_copy("small")}});
    });
  };

  const auto send_all = [&](const Value& example, std::uint64_t count, auto&& value_of) {
    const Value agreement = registry.agree(offer, example);
    std::fprintf(stderr, "sender: %s\n", explanation(agreement).c_str());
    TextOptions plain;
    plain.plain = true;
    if (!silent) send_step(transport, registry, "choice", agreement.text(plain));
    const View view(agreement.view());
    if (view["codec"].is_null()) return false;
    // Nothing tells a peer that knows no choices of other values: the datatype of its first message
    // holds for all.
    std::string more = R"(, "codec": ")" + std::string(view["codec"].as_string()) + "\"";
    if (silent) more += R"(, "declare": false)";
    Channel channel = open_channel(registry, transport, more);
    const char* const any =
        R"({"serializer": {"seritype": "default", "datatype": {"type": "any"}}})";
    for (std::uint64_t i = 0; i < count; ++i)
      transport.send(channel.pack(value_of(i), silent && i == 0 ? any : ""));
    return true;
  };
  const bool sent = send_all(small(0), plan.small, small) &&
                    send_all(large, plan.large, [&](std::uint64_t) { return large; });
  transport.send(open_channel(registry, transport).pack_end());
  return sent ? 0 : 1;
}

/// The receiver's end: offers codecs as JSON (null: says nothing, as a program that knows only
/// yggdrasil), and counts.
inline int receive_values(Transport& transport, const polycodec::Registry& registry,
                          const std::string* offer) {
  using namespace polycodec;
  try {
    if (offer != nullptr) send_step(transport, registry, "offer", *offer);
  } catch (const Error& error) {  // what a peer sent before it went is still worth reading
    std::fprintf(stderr, "receiver: nobody reads the offer: %s\n", error.describe().c_str());
  }
  Channel channel = open_channel(registry, transport);
  std::uint64_t small = 0, large = 0;
  std::string codecs;
  for (;;) {
    const auto received = next(transport, channel);
    if (!received)
      throw Error(Status::truncated, "the peer went away without an end of the stream");
    if (received->control != 0) break;
    if (in_header(*received, "negotiation") == "choice") {
      const Value agreement = Value::parse(received->value.view().as_bytes());
      std::fprintf(stderr, "receiver: the sender chose %s\n", explanation(agreement).c_str());
      continue;
    }
    std::string codec = in_header(*received, "codec");
    if (codec.empty()) codec = default_message_codec;
    if (codecs.find(codec) == std::string::npos) codecs += (codecs.empty() ? "" : " ") + codec;
    const View value(received->value.view());
    if (value.is_list() && value.size() == 1000000)
      ++large;
    else if (value.is_object() && value["i"].as_int64() == static_cast<std::int64_t>(small))
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
