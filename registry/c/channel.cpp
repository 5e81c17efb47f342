// SPDX-License-Identifier: MIT
#include <base/quote.hpp>
#include <polycodec/channel.hpp>
#include <polycodec/text.hpp>

#include "registry/c/sink.hpp"
#include "registry/config/json_document.hpp"

#include <vector>

struct polycodec_channel : polycodec::c::HandleOf<7> {
  polycodec_channel(polycodec::Registry registry, polycodec::ChannelOptions options,
                    const polycodec::Limits& limits)
      : channel(std::move(registry), std::move(options)), reader(limits) {}
  polycodec::Channel channel;
  polycodec::MessageReader reader;
};

struct polycodec_message : polycodec::c::HandleOf<8> {
  polycodec::OutgoingMessage message;
  std::shared_ptr<const polycodec::Value> value;
  std::vector<std::vector<polycodec_bytes>> parts;
};

namespace polycodec::c {
namespace {

ChannelOptions channel_options(std::string_view json) {
  ChannelOptions options;
  if (json.empty()) return options;
  JsonDocument document(json, "options of the channel", Status::option);
  static const Value schema = parse_json(R"({"type": "object", "additionalProperties": false,
"properties": {"codec": {"type": "string"}, "options": {"type": "object"},
"filters": {"type": "array"}, "dialect": {"type": "string"}, "meta_only": {"type": "boolean"},
"max_part_bytes": {"type": "integer", "minimum": 1}, "address": {"type": "string"},
"model": {"type": "string"}, "declare": {"type": "boolean"}, "normalize": {"type": "boolean"}}})");
  (void)document.check(schema.view());
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
    if (!dialect) throw Error(Status::option, "unknown dialect " + quote(word));
    options.dialect = *dialect;
  }
  options.meta_only = bool_at(root, "meta_only", options.meta_only);
  if (const auto most = root.find("max_part_bytes"))
    options.max_part_bytes = static_cast<std::uint64_t>(most->as_int64());
  options.address = text_at(root, "address");
  options.model = text_at(root, "model");
  options.declare = bool_at(root, "declare", options.declare);
  options.normalize = bool_at(root, "normalize", options.normalize);
  return options;
}

/// Members of a header that the caller adds.
Header header_of(std::string_view json) {
  Header header;
  if (json.empty()) return header;
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
        header.meta.push_back({std::string(member), to_json(of, json_compact)});
      });
    } else {
      header.fields.push_back({std::string(name), to_json(value, json_compact)});
    }
  });
  return header;
}

/// Hands a message that was understood to the caller.
void deliver(IncomingMessage incoming, polycodec_value** value, std::int32_t* control,
             Sink* header) {
  auto made = std::make_unique<polycodec_value>(std::move(incoming.value));
  if (header != nullptr) put(*header, header_to_json(incoming.header));
  *control = static_cast<std::int32_t>(incoming.sign);
  *value = made.release();
}

}  // namespace
}  // namespace polycodec::c

using namespace polycodec;

int32_t polycodec_channel_open(const polycodec_registry* registry, polycodec_bytes options,
                               polycodec_channel** channel, polycodec_error* error) {
  return c::enter(error, [&] {
    const Registry& in = c::need(registry, "registry").registry;
    c::place(channel, "channel");
    c::make(channel, in, c::channel_options(c::text(options, "options")), in.options().limits);
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
    auto& what = c::need(value, "value");
    c::place(message, "message");
    auto made = std::make_unique<polycodec_message>();
    made->message = by.channel.pack(what.value.view(), c::header_of(c::text(header, "header")));
    const MessageParts& parts = made->message.parts();
    for (std::size_t i = 0; i < parts.count(); ++i) {
      auto& pieces = made->parts.emplace_back();
      for (const Segment& segment : parts.part(i))
        pieces.push_back({segment.data, std::uint64_t{segment.size}});
    }
    made->value = c::share(what);
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

int32_t polycodec_channel_feed(polycodec_channel* channel, polycodec_bytes bytes,
                               polycodec_error* error) {
  return c::enter(error, [&] {
    auto& to = c::need(channel, "channel");
    to.reader.feed(c::text(bytes, "bytes"));
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
      *value = nullptr;
      *control = 0;
      return;
    }
    if (received->pin != nullptr)
      return c::deliver(from.channel.unpack(*received), value, control, to);
    // The bytes are the reader's, and go with the next feed.
    ReceivedMessage kept = *received;
    auto copy = std::make_shared<const std::string>(received->body);
    kept.body = *copy;
    kept.pin = copy;
    c::deliver(from.channel.unpack(kept), value, control, to);
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
      static_cast<Message&>(received) = parse_message(bytes);
    } else {
      received.body = bytes;
      received.header.size = bytes.size();
    }
    received.body_offset = static_cast<std::uint64_t>(received.body.data() - bytes.data());
    received.pin = from.pin();
    c::deliver(by.channel.unpack(received), value, control, to);
  });
}
