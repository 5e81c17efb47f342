// SPDX-License-Identifier: MIT
// A length in centimeters through a message and a schema that wants meters.
#include <polycodec/builder.hpp>
#include <polycodec/channel.hpp>
#include <polycodec/schema.hpp>

#include <cstdio>
#include <string>

int main() {
  using namespace polycodec;
  const Registry registry = Registry::open();
  Channel sender(registry), receiver(registry);
  const Value length = Value::build([](Builder& out) {
    return out.annotated(Builder::real(150.0), out.object({{"units", Builder::string_view("cm")}}));
  });
  const OutgoingMessage sent = sender.pack(length.view());
  std::string bytes;
  for (const Segment& s : sent.parts().all())
    bytes.append(static_cast<const char*>(s.data), s.size);
  IncomingMessage received = receiver.unpack(parse_message(bytes));
  const auto wanted =
      schema::Schema::parse(R"({"type":"scalar","subtype":"float","precision":8,"units":"m"})");
  const Value meters = schema::normalize(wanted, std::move(received.value));
  std::printf("%g %s\n", meters.view().as_double(),
              std::string(meters.view().metadata()->at("units").as_string()).c_str());
}
