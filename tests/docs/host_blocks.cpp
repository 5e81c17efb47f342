// SPDX-License-Identifier: MIT
// The C++ that pages show to authors of hosts, as they show it. It is compiled, and tests/docs
// compares it with the pages.
#include <polycodec/arrow.hpp>
#include <polycodec/channel.hpp>
#include <polycodec/message.hpp>
#include <polycodec/registry.hpp>
#include <polycodec/schema.hpp>

#include <memory>
#include <string>
#include <utility>

using namespace polycodec;

void use(std::string_view name, const View& item);

// docs/arrow.md
void share(const Registry& registry) {
  auto value = std::make_shared<const Value>(registry.decode(Source::file("events.awkd")));
  ArrowArrayStream stream;
  export_arrow_stream(value, value->view(), stream);
  stream.release(&stream);
}

// docs/messages.md
void receive(int socket, Channel& channel, const Limits& limits) {
  MessageReader reader(limits);
  while (auto message = read_message(socket, reader, "peer")) {
    IncomingMessage in = channel.unpack(*message);
    if (in.sign == ControlSign::end_of_stream) break;
  }
}

// docs/plugin-search.md
void open() {
  const polycodec::Registry registry = polycodec::Registry::open();
  const polycodec::Codec codec = registry.codec("msgpack-ndarray");
  const polycodec::Value value = codec.decode(polycodec::Source::file("data.msgpack"));
}

// docs/schemas.md
void make_fit(Value received) {
  // clang-format off
  const auto wanted = polycodec::schema::Schema::parse(R"({"type":"scalar","subtype":"float","precision":8,"units":"m"})");
  polycodec::Value fit = polycodec::schema::normalize(wanted, std::move(received));
  // clang-format on
}

// docs/value-model.md
// clang-format off
void visit(const polycodec::View& value) {
  if (value.is_list())
    for (polycodec::View item : value) visit(item);
  else if (value.is_object())
    for (std::uint64_t i = 0; i < value.size(); ++i) use(value.name(i), value.child(i));
}
// clang-format on
