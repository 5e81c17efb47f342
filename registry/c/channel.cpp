// SPDX-License-Identifier: MIT
#include "registry/channel/channel.hpp"

#include <polycodec/quote.hpp>

#include "core/text/text.hpp"
#include "registry/c/options.hpp"
#include "registry/c/sink.hpp"
#include "registry/document/json_document.hpp"

#include <vector>

namespace polycodec::c {

/// Options of a channel of this interface.
struct ChannelWishes {
  ChannelOptions channel;
  Limits limits;
  Transport transport = Transport::stream;
  bool decodes = true;
};

}  // namespace polycodec::c

struct polycodec_channel : polycodec::c::HandleOf<7> {
  polycodec_channel(polycodec::Registry registry, polycodec::c::ChannelWishes wishes)
      : channel(std::move(registry), std::move(wishes.channel)),
        reader(wishes.limits, wishes.transport),
        limits(wishes.limits),
        decodes(wishes.decodes) {}
  polycodec::Channel channel;
  polycodec::MessageReader reader;
  const polycodec::Limits limits;
  const bool decodes;
  bool ended = false;
};

namespace polycodec::c {
namespace {

void read_options(std::string_view json, ChannelWishes& wishes) {
  ChannelOptions& options = wishes.channel;
  if (json.empty()) return;
  const JsonDocument document(json, "options of the channel", Status::option);
  static const Value schema = parse_json(R"({"type": "object", "additionalProperties": false,
"properties": {"codec": {"type": "string"}, "options": {"type": "object"},
"filters": {"type": "array"}, "dialect": {"type": "string"}, "meta_only": {"type": "boolean"},
"max_part_bytes": {"type": "integer", "minimum": 1}, "address": {"type": "string"},
"model": {"type": "string"}, "declare": {"type": "boolean"}, "normalize": {"type": "boolean"},
"decode": {"type": "boolean"}, "packets": {"type": "boolean"}}})");
  document.check(schema.view());
  const NodeView root = document.root();
  const auto json_at = [&](const char* key) {
    const auto found = root.find(key);
    return found ? to_json(*found, json_compact) : std::string();
  };
  if (root.find("codec")) options.codec = text_at(root, "codec");
  options.codec_options = json_at("options");
  options.filters = json_at("filters");
  if (root.find("dialect")) {
    const std::string word = text_at(root, "dialect");
    const auto dialect = find_dialect(word);
    if (!dialect)
      throw Error(Status::option,
                  "unknown dialect " + quote(word) + ": must be current, document or legacy-1.8");
    options.dialect = *dialect;
  }
  options.meta_only = bool_at(root, "meta_only", options.meta_only);
  if (const auto most = root.find("max_part_bytes")) options.max_part_bytes = most->as_uint64();
  options.address = text_at(root, "address");
  options.model = text_at(root, "model");
  options.declare = bool_at(root, "declare", options.declare);
  options.normalize = bool_at(root, "normalize", options.normalize);
  wishes.decodes = bool_at(root, "decode", true);
  if (bool_at(root, "packets", false)) wishes.transport = Transport::packets;
}

/// Members of a header that the caller adds. Returns whether they say that the body is raw.
bool read_header(std::string_view json, Header& header) {
  bool is_raw = false;
  if (json.empty()) return is_raw;
  const JsonDocument document(json, "header", Status::option);
  if (!document.root().is_object()) document.fail({}, "must be an object");
  const auto each = [](NodeView object, const auto& act) {
    for (std::uint64_t i = 0; i < object.size(); ++i)
      act(object.key(i).as_string(), object.value(i));
  };
  each(document.root(), [&](std::string_view name, NodeView value) {
    if (name == "id" && value.is_string()) {
      header.id = value.as_string();
    } else if (name == "type" && value.is_string()) {
      header.type = value.as_string();
    } else if (name == "__meta__" && value.is_object()) {
      each(value, [&](std::string_view member, NodeView of) {
        if (member == "id" && of.is_string())
          header.id = of.as_string();
        else
          header.meta.push_back({std::string(member), to_json(of, json_compact)});
      });
    } else {
      if (name == "raw" && value.kind() == POLYCODEC_KIND_BOOLEAN) is_raw = value.as_bool();
      header.fields.push_back({std::string(name), to_json(value, json_compact)});
    }
  });
  return is_raw;
}

/// The message for a value, or the one that ends the stream.
OutgoingMessage packed(Channel& channel, const polycodec_value* value, std::string_view json) {
  Header header;
  const bool is_raw = read_header(json, header);
  if (value == nullptr) return channel.pack_raw(end_of_stream_body, header);
  const NodeView root = value->value.view();
  if (!is_raw) return channel.pack(root, header);
  if (root.kind() != POLYCODEC_KIND_BINARY)
    throw Error(Status::type, "the header says that the body is raw, and the value is not bytes");
  return channel.pack_raw(root.as_bytes(), header);
}

/// Decodes a message, if this channel does, and hands it to the caller.
void deliver(polycodec_channel& by, const ReceivedMessage& message, polycodec_value** value,
             std::int32_t* control, Sink* header) {
  IncomingMessage incoming;
  if (by.decodes) {
    incoming = by.channel.unpack(message);
  } else {
    incoming.header = message.header;
    incoming.sign = control_sign(message.body);
    incoming.value = Value::build([&](Builder&) { return Builder::bytes_view(message.body); });
    incoming.value.pin(message.pin, message.body);
  }
  auto made = std::make_unique<polycodec_value>(std::move(incoming.value));
  if (header != nullptr && message.framed) put(*header, header_to_json(incoming.header));
  *control = static_cast<std::int32_t>(incoming.sign);
  *value = made.release();
}

}  // namespace
}  // namespace polycodec::c

using namespace polycodec;

int32_t polycodec_channel_open(const polycodec_registry* registry, polycodec_bytes options,
                               const polycodec_call_options* call, polycodec_channel** channel,
                               polycodec_error* error) {
  return c::enter(error, [&] {
    const Registry& in = c::need(registry, "registry").registry;
    c::place(channel, "channel");
    c::ChannelWishes wishes;
    c::read_options(c::text(options, "options"), wishes);
    wishes.channel.call = c::call_options(call, in.options().limits);
    wishes.limits = wishes.channel.call.limits.value_or(in.options().limits);
    if (c::has_flag(call, POLYCODEC_CALL_AS_IS)) wishes.channel.normalize = false;
    c::make(channel, in, std::move(wishes));
  });
}

void polycodec_channel_free(polycodec_channel* channel) {
  c::release(channel);
}

int32_t polycodec_channel_pack(polycodec_channel* channel, polycodec_value* value,
                               polycodec_bytes header, polycodec_message** message,
                               polycodec_error* error) {
  return c::enter(error, [&] {
    auto& by = c::need(channel, "channel");
    if (value != nullptr) c::need(value, "value");
    c::place(message, "message");
    auto made = std::make_unique<polycodec_message>();
    const auto packed = std::make_shared<const OutgoingMessage>(
        c::packed(by.channel, value, c::text(header, "header")));
    const MessageParts& parts = packed->parts();
    for (std::size_t i = 0; i < parts.count(); ++i) {
      auto& pieces = made->parts.emplace_back();
      for (const Segment& segment : parts.part(i))
        pieces.push_back({segment.data, std::uint64_t{segment.size}});
    }
    made->viewed = packed;
    if (value != nullptr) made->value = c::share(*value);
    *message = made.release();
  });
}

int32_t polycodec_message_part(const polycodec_message* message, uint64_t part,
                               const polycodec_bytes** pieces, uint64_t* n,
                               polycodec_error* error) {
  return c::enter(error, [&] {
    const auto& of = c::need(message, "message");
    c::place(pieces, "pieces");
    c::place(n, "n");
    if (part >= of.parts.size())
      throw Error(Status::range, "the message has " + std::to_string(of.parts.size()) + " parts");
    *pieces = of.parts[static_cast<std::size_t>(part)].data();
    *n = of.parts[static_cast<std::size_t>(part)].size();
  });
}

void polycodec_message_free(polycodec_message* message) {
  c::release(message);
}

int32_t polycodec_channel_feed(polycodec_channel* channel, polycodec_bytes bytes, int32_t is_last,
                               polycodec_error* error) {
  return c::enter(error, [&] {
    auto& to = c::need(channel, "channel");
    const std::string_view piece = c::text(bytes, "bytes");
    if (to.ended) c::throw_argument("channel", "has ended: no more bytes may be fed");
    // The end alone is no packet.
    if (!piece.empty() || is_last == 0) to.reader.feed(piece);
    to.ended = is_last != 0;
  });
}

int32_t polycodec_channel_next(polycodec_channel* channel, polycodec_value** value,
                               int32_t* control, polycodec_sink* header, polycodec_error* error) {
  return c::enter(error, [&] {
    auto& from = c::need(channel, "channel");
    c::place(value, "value");
    c::place(control, "control");
    Sink* const to = header == nullptr ? nullptr : &c::sink_of(header);
    const auto received = from.reader.next();
    if (!received) {
      if (from.ended) from.reader.finish();
      *value = nullptr;
      *control = 0;
      return;
    }
    if (received->pin != nullptr) return c::deliver(from, *received, value, control, to);
    // The bytes are the reader's, and go with the next feed.
    ReceivedMessage kept = *received;
    auto copy = std::make_shared<const std::string>(received->body);
    kept.body = *copy;
    kept.pin = copy;
    c::deliver(from, kept, value, control, to);
  });
}

int32_t polycodec_channel_unpack(polycodec_channel* channel, const polycodec_source* message,
                                 polycodec_value** value, int32_t* control, polycodec_sink* header,
                                 polycodec_error* error) {
  return c::enter(error, [&] {
    auto& by = c::need(channel, "channel");
    const Source& given = c::need(message, "message").source;
    c::place(value, "value");
    c::place(control, "control");
    Sink* const to = header == nullptr ? nullptr : &c::sink_of(header);
    // A message is taken apart where it lies: nobody may change it meanwhile.
    const Source from =
        given.is_stable() ? given : Source::owned(std::string(given.bytes()), "message");
    const std::string_view bytes = from.bytes();
    ReceivedMessage received;
    received.framed = is_framed(bytes);
    if (received.framed) {
      static_cast<Message&>(received) = parse_message(bytes, by.limits);
    } else {
      received.body = bytes;
      received.header.size = bytes.size();
    }
    received.body_offset = static_cast<std::uint64_t>(received.body.data() - bytes.data());
    received.pin = from.pin();
    c::deliver(by, received, value, control, to);
  });
}
