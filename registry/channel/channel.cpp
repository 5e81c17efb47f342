// SPDX-License-Identifier: MIT
#include "registry/channel/channel.hpp"

#include <base/json_writer.hpp>
#include <polycodec/error.hpp>

#include "core/call/budget.hpp"
#include "core/schema/schema.hpp"
#include "core/text/text.hpp"
#include "core/value/host_meter.hpp"
#include "registry/choose/sniff.hpp"
#include "registry/codec/datatype_fields.hpp"
#include "registry/codec/serializer.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace polycodec {

namespace {

/// Options of the codec with the dialect among them.
std::string with_dialect(const std::string& options, Dialect dialect) {
  if (dialect == Dialect::current) return options;
  const Value given = parse_json(options.empty() ? "{}" : options);
  if (!given.view().is_object()) throw Error(Status::option, "codec_options is not a JSON object");
  if (given.view().find("dialect"))
    throw Error(Status::option,
                "the dialect is an option of the channel and not of the codec as well");
  JsonObjectText all;
  all.add("dialect", to_json_string(dialect_name(dialect)));
  for (std::uint64_t i = 0; i < given.view().size(); ++i)
    all.add(given.view().key(i).as_string(), to_json(given.view().value(i)));
  return all.end();
}

/// The first bytes of a body.
std::string start_of(std::span<const Segment> body) {
  std::string start;
  for (const Segment& s : body)
    start.append(static_cast<const char*>(s.data),
                 std::min(s.size, serializer_head_size - start.size()));
  return start;
}

HeaderStyle style_of(const ChannelOptions& options) {
  if (options.dialect != Dialect::current) return HeaderStyle::legacy;
  return options.meta_only ? HeaderStyle::meta_only : HeaderStyle::full;
}

/// One budget for all that is done with a message: decoding, encoding, making it fit. It is that of
/// the options, if they have one.
class MessageBudget {
 public:
  MessageBudget(const Limits& limits, CallOptions& call)
      : call_(call),
        given_(call.budget != nullptr),
        own_(limits, call.cancel, call.deadline),
        scope_(given_ ? *call.budget : own_) {
    if (!given_) call.budget = {std::shared_ptr<void>(), &own_};
  }
  /// Of a message that is packed: what the value's own memory earns.
  void earn(NodeView value) {
    if (!given_) earn_later(own_, value);
  }
  ~MessageBudget() {
    if (!given_) call_.budget.reset();
  }
  MessageBudget(const MessageBudget&) = delete;
  MessageBudget& operator=(const MessageBudget&) = delete;

 private:
  CallOptions& call_;
  const bool given_;
  Budget own_;
  const BudgetScope scope_;
};

}  // namespace

struct Channel::State {
  Registry registry;
  ChannelOptions options;
  CallOptions call;             // of the message at hand: with its budget
  std::optional<Codec> sender;  // of what is sent, once it was needed
  std::optional<schema::Schema> sent, received;
  /// The codec of the message before: most messages of a channel have the same.
  std::optional<Codec> codec;
  std::string codec_options;

  const Limits& limits() const {
    return options.call.limits ? *options.call.limits : registry.options().limits;
  }
  const Codec& sending();
  void add_type(Header& header, NodeView value, std::string_view start);
  bool has_geometry() const;
  void add_serializer(Header& header, std::string_view start) const;
  NodeView fitted(NodeView value, Value& owned) const;
  PartOptions part_options() const;
  const Codec& receiving(const Match& choice);
  void decode(IncomingMessage& incoming, const Message& message,
              const std::shared_ptr<const void>& pin);
  IncomingMessage unpack(const Message& message, bool framed, std::uint64_t body_offset,
                         const std::shared_ptr<const void>& pin);
};

Channel::Channel(Registry registry, ChannelOptions options)
    : state_(new State{std::move(registry), std::move(options), {}, {}, {}, {}, {}, {}}) {
  ChannelOptions& o = state_->options;
  state_->call = o.call;
  if (const CodecInfo* info = state_->registry.find(o.codec)) o.codec = info->name;
  if (o.dialect != Dialect::current && (o.codec != default_message_codec || !o.filters.empty()))
    throw Error(Status::option, "messages of the dialect " + std::string(dialect_name(o.dialect)) +
                                    " have bodies of the codec " +
                                    std::string(default_message_codec) + ", not of " + o.codec +
                                    (o.filters.empty() ? "" : " with filters"));
  o.codec_options = with_dialect(o.codec_options, o.dialect);
}

Channel::~Channel() = default;
Channel::Channel(Channel&&) noexcept = default;
Channel& Channel::operator=(Channel&&) noexcept = default;

const ChannelOptions& Channel::options() const noexcept {
  return state_->options;
}

const Codec& Channel::State::sending() {
  if (!sender)
    sender = registry.codec_with_json(options.codec, options.codec_options, options.filters);
  return *sender;
}

PartOptions Channel::State::part_options() const {
  return {style_of(options), options.max_part_bytes, options.address};
}

/// Says in the header what the body is, as far as the dialect and the place in the channel ask for
/// it. `start`: of the body.
void Channel::State::add_type(Header& header, NodeView value, std::string_view start) {
  if (options.codec != default_message_codec || !options.filters.empty()) {
    if (header.type.empty() && style_of(options) == HeaderStyle::full)
      header.type = is_own_type(options.codec) ? options.codec : type_word(value);
    return;
  }
  // Meshes are leaves of their own where their codecs are there to write them.
  const std::string leaf = geometry_type(value);
  const bool is_leaf =
      !leaf.empty() && (options.dialect != Dialect::current || start.starts_with(leaf_start));
  const auto infer = [&](bool is_minimal) {
    schema::InferOptions how;
    how.minimal = is_minimal;
    how.geometry = (leaf.empty() || is_leaf) && has_geometry();
    return schema::infer(value, how, limits());
  };
  if (options.dialect != Dialect::current) {
    // The body alone does not say what it is: each header does, with the shape.
    return add_datatype(header, infer(false), options.dialect);
  }
  if (options.declare && !sent) {
    sent = infer(true);
    add_datatype(header, *sent, Dialect::current);
  }
  if (header.type.empty() && style_of(options) == HeaderStyle::full)
    header.type = is_leaf ? leaf : type_word(value);
}

bool Channel::State::has_geometry() const {
  return std::ranges::all_of(geometry_types, [&](std::string_view name) {
    const CodecInfo* found = registry.find(name);
    return found != nullptr && found->can_encode;
  });
}

/// Names the serializer of the body where other programs have one of the codec's name.
void Channel::State::add_serializer(Header& header, std::string_view start) const {
  if (!options.declare || !options.filters.empty() || header.find("serializer") != nullptr) return;
  if (has_serializer(options.codec, start))
    header.fields.push_back(
        {"serializer", JsonObjectText().add("seritype", to_json_string(options.codec)).end()});
}

/// The value, or one made from it that fits the datatype that was sent.
NodeView Channel::State::fitted(NodeView value, Value& owned) const {
  if (!sent || !schema::first_problem(*sent, value, limits())) return value;
  owned =
      Value::build([&](Builder& out) { return schema::normalize(*sent, value, out, {}, limits()); },
                   limits().memory_for(UINT64_MAX));
  return owned.view();
}

OutgoingMessage Channel::pack(NodeView value, const Header& extra) {
  State& state = *state_;
  MessageBudget budget(state.limits(), state.call);
  budget.earn(value);
  const Codec& codec = state.sending();
  OutgoingMessage message;
  Header header = extra;
  if (!header.codec.empty() || !header.codec_version.empty() || !header.options.empty())
    throw Error(Status::invalid,
                "the codec of a message is that of its channel; no header says another");
  const bool first = !state.sent;
  const NodeView fitting = state.fitted(value, message.owned_);
  message.body_ = std::make_unique<SegmentSink>(state.limits().max_output_bytes);
  codec.encode(fitting, *message.body_, state.call);
  try {
    const std::string start = start_of(message.body_->segments());
    state.add_type(header, fitting, start);
    if (!state.options.model.empty() && header.find("model", true) == nullptr)
      header.meta.push_back({"model", to_json(Value::build([&](Builder&) {
                                                return Builder::string_view(state.options.model);
                                              }).view())});
    const bool is_default = codec.info().name == default_message_codec && codec.filters().empty();
    if (!is_default) codec.describe(header);
    state.add_serializer(header, start);
    message.parts_ = make_parts(header, message.body_->segments(), state.part_options());
  } catch (...) {
    if (first) state.sent.reset();  // the peer has not heard of it
    throw;
  }
  return message;
}

OutgoingMessage Channel::pack_raw(std::string_view bytes, const Header& extra) const {
  OutgoingMessage message;
  Header header = extra;
  if (header.find("raw") == nullptr) header.fields.push_back({"raw", "true"});
  if (header.type.empty() && style_of(state_->options) == HeaderStyle::full) header.type = "bytes";
  message.parts_ = make_parts(header, bytes, state_->part_options());
  return message;
}

const Codec& Channel::State::receiving(const Match& choice) {
  if (!codec || codec->info().name != choice.codec->name || codec_options != choice.options) {
    codec = registry.codec_with_json(choice.codec->name, choice.options, {}, OptionsFrom::others);
    codec_options = choice.options;
  }
  return *codec;
}

void Channel::State::decode(IncomingMessage& incoming, const Message& message,
                            const std::shared_ptr<const void>& pin) {
  DecodeOptions decode_options;
  static_cast<CallOptions&>(decode_options) = call;
  const Match choice = registry.choose(message, decode_options);
  incoming.codec = choice.codec;
  if (choice.codec == nullptr || !choice.filters.empty()) {
    registry.decode_into(incoming.value, Source::shared(message.body, pin), choice, decode_options);
    return;
  }
  receiving(choice).decode_into(incoming.value, message.body, call);
  incoming.value.pin(pin);
}

IncomingMessage Channel::State::unpack(const Message& message, bool framed,
                                       std::uint64_t body_offset,
                                       const std::shared_ptr<const void>& pin) {
  const MessageBudget budget(limits(), call);
  IncomingMessage incoming;
  incoming.header = message.header;
  incoming.kind = body_format(message.header, message.body).kind;
  if (incoming.kind == BodyFormat::Kind::control) incoming.sign = control_sign(message.body);
  try {
    decode(incoming, message, pin);
  } catch (Error& e) {
    if (e.offset() != Error::no_offset) e.offset(e.offset() + body_offset);
    if (e.code() == Status::option) throw header_options_error(e);
    throw;
  }
  // Without __meta__ each header describes its own body, shape included, and was needed to decode
  // it.
  if (incoming.kind != BodyFormat::Kind::coded || !framed || message.header.legacy) return incoming;
  if (!received) received = declared_datatype(message.header, limits(), registry.type_names());
  if (received && options.normalize)
    incoming.value = schema::normalize(*received, std::move(incoming.value), {}, limits());
  return incoming;
}

IncomingMessage Channel::unpack(const ReceivedMessage& message) {
  return state_->unpack(message, message.framed, message.body_offset, message.pin);
}

IncomingMessage Channel::unpack(const Message& message) {
  return state_->unpack(message, true, 0, nullptr);
}

}  // namespace polycodec
