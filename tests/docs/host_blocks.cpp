// SPDX-License-Identifier: MIT
// The C++ that pages show to authors of hosts, as they show it. It is compiled, and tests/docs
// compares it with the pages.
#include <polycodec/polycodec.hpp>

#include <unistd.h>

void use(std::string_view name, const polycodec::View& item);

// docs/arrow.md
void share(const polycodec::Registry& registry) {
  const polycodec::Value value = registry.read("events.awkd");
  ArrowArrayStream stream;
  value.to_arrow(&stream);
  stream.release(&stream);
}

// docs/hosts.md
void use(float number);
double read_and_build() {
  // clang-format off
  const auto registry = polycodec::Registry::open();
  const polycodec::Value value = registry.read("mesh.ply", {.columns = {"vertex.x"}, .threads = 4});
  const polycodec::View x = value.find("vertex.x");
  if (x.is<float>())
    for (const float each : x.as<float>()) use(each);
  const std::vector<double> copied = value.numbers<double>("vertex.x");

  const polycodec::NdView<double> matrix = value.view().nd<double>();
  double trace = 0;
  for (std::uint64_t i = 0; i < matrix.shape(0) && i < matrix.shape(1); ++i) trace += matrix(i, i);

  const auto made = polycodec::Value::build([](polycodec::Builder& out) {
    return out.object({{"name", out.string_copy("point")}, {"x", polycodec::Builder::real(1.5)}});
  });
  polycodec::Sink out;
  registry.codec("msgpack-ndarray").encode(made, out);
  // clang-format on
  return trace + copied.at(0);
}

// docs/messages.md
void use(const polycodec::Value& value);
void receive(int socket, polycodec::Channel& channel) {
  char buffer[65536];
  for (ssize_t n; (n = ::read(socket, buffer, sizeof buffer)) > 0;) {
    channel.feed({buffer, static_cast<std::size_t>(n)});
    while (const auto in = channel.next())
      if (in->control == 0) use(in->value);
  }
}

// docs/plugin-search.md
void open() {
  const polycodec::Registry registry = polycodec::Registry::open();
  const polycodec::Codec codec = registry.codec("msgpack-ndarray");
  const polycodec::Value value = codec.decode(polycodec::Source::file("data.msgpack"));
}

// docs/schemas.md
void make_fit(const polycodec::Value& received) {
  // clang-format off
  const auto wanted = polycodec::Schema::parse(R"({"type":"scalar","subtype":"float","precision":8,"units":"m"})");
  const polycodec::Value fit = wanted.normalize(received);
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
