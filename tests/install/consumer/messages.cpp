// SPDX-License-Identifier: MIT
// A length in feet through a message and a schema that wants meters.
#include <polycodec/polycodec.hpp>

#include <cstdio>
#include <string>

int main() {
  using namespace polycodec;
  const Registry registry = Registry::open();
  Channel sender(registry), receiver(registry);
  const Value length = Value::build([](Builder& out) {
    return out.annotated(Builder::real(5.0), out.object({{"units", out.string_copy("ft")}}));
  });
  receiver.feed(sender.pack(length).bytes());
  const auto received = receiver.next();
  const auto wanted =
      Schema::parse(R"({"type":"scalar","subtype":"float","precision":8,"units":"m"})");
  const Value meters = wanted.normalize(received.value().value);
  const View units = View(meters.view().metadata())["units"];
  std::printf("%g %s\n", meters.view().as_double(), std::string(units.as_string()).c_str());
}
