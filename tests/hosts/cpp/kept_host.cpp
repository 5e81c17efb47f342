// SPDX-License-Identifier: MIT
// A host in C++ that is kept as it was compiled (tests/abi/kept/build_host.sh): each class once,
// with a directory for its files as the only argument. It ends with 0.
#include <polycodec/polycodec.hpp>

#include <cstdio>
#include <string>

namespace {

int failures = 0;

void expect(bool right, const char* what) {
  if (right) return;
  std::fprintf(stderr, "failed: %s\n", what);
  ++failures;
}

void run(const std::string& directory) {
  using namespace polycodec;
  RegistryOptions options;
  options.limits.max_nodes = 100000;
  options.threads = 2;
  const Registry registry = Registry::open(options);
  const Codec codec = registry.codec("msgpack-ndarray");
  const Value made = Value::build([](Builder& out) {
    double* const x = out.allocate<double>(2);
    x[0] = 0.5, x[1] = 1.5;
    return out.object({{"x", Builder::array(out.vector(std::span<const double>(x, 2)))},
                       {"n", Builder::integer(7)}});
  });
  const std::string bytes = codec.encode(made);
  int heard = 0;
  CallOptions call;
  call.limits.max_work = 1000000000;
  call.on_progress = [&](const polycodec_progress&) { return ++heard != 0; };
  const Value value = codec.decode(Source::view(bytes), call);
  expect(heard != 0, "progress");
  expect(value.equals(made) && value.text() == made.text() && value.type() == made.type(), "value");
  double sum = 0;
  for (const double x : value.find("x").as<double>()) sum += x;
  expect(sum == 2.0 && value.numbers<float>("x").at(1) == 1.5F, "numbers");
  expect(value.part("x").numbers<double>().size() == 2, "part");

  const std::string path = directory + "/kept_cpp.msgpack";
  registry.write(value, path);
  Match match;
  expect(registry.decode(Source::file(path), default_call, {}, &match).equals(value), "file");
  expect(
      match.codec == "msgpack-ndarray" && registry.choose(Source::file(path)).codec == match.codec,
      "choice");
  Stream stream(codec, Source::owned(bytes + bytes));
  int count = 0;
  for (const Value& each : stream) count += each.equals(value) ? 1 : 0;
  expect(count == 2, "stream");
  Channel sender(registry, R"({"codec": "msgpack-ndarray"})"), receiver(registry);
  receiver.feed(sender.pack(value).bytes());
  expect(receiver.next().value().value.numbers<int>("n").at(0) == 7, "message");
  const Budget budget(registry);
  budget.spend(1);
  expect(Type("3 * int32").is_concrete(), "type");
  expect(Frames(value).raw() != nullptr, "frames");
  ArrowArrayStream arrow;
  value.to_arrow(&arrow);
  expect(!Value::from_arrow(&arrow).type().empty(), "Arrow");
  try {
    (void)registry.codec("msgpak");
    expect(false, "an error");
  } catch (const Error& error) {
    expect(error.code() == Status::not_found &&
               error.message().find("did you mean 'msgpack'") != std::string::npos,
           "the message of an error");
  }
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 2) return 2;
  run(argv[1]);
  return failures == 0 ? 0 : 1;
} catch (const polycodec::Error& error) {
  std::fprintf(stderr, "%s\n", error.describe().c_str());
  return 1;
}
