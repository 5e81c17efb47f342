// SPDX-License-Identifier: MIT
// A filter under test.
#include "subjects.hpp"

#include <random>

namespace polycodec::kit {

FilterSubject::FilterSubject(Plugin& plugin, const Entry& entry, const polycodec_node* options)
    : OpenedSubject(plugin, entry, find_object(plugin.tables().filters, entry.name), options) {}

std::vector<Sample> FilterSubject::values() const {
  std::vector<Sample> values;
  const auto add = [&](std::string name, const std::string& bytes) {
    values.push_back(
        build_sample(std::move(name), [&](Builder& out) { return out.bytes_copy(bytes); }));
  };
  std::mt19937 random(1);
  std::string noise(70001, '\0');
  for (char& c : noise) c = static_cast<char>(random() & 0xff);
  add("nothing", "");
  add("one_byte", "a");
  add("words", "one, two, three, two, one, three, two, one");
  add("noise_16", noise.substr(0, 16));
  add("noise_1000", noise.substr(0, 1000));
  add("noise", noise);
  add("zeros", std::string(100000, '\0'));
  return values;
}

Answer FilterSubject::decode(std::string_view bytes, std::uint64_t expected_size, std::string& out,
                             Call& call) const {
  const GuardedBytes input(bytes);
  SinkSettings settings = call.sink_settings();
  settings.contiguous = true;
  settings.fixed_size = expected_size;
  TestSink sink(settings);
  std::uint64_t said = POLYCODEC_SIZE_UNKNOWN;
  if (instance().decoded_size != nullptr) {
    const Answer sized = call.run("decoded_size", bytes.size(), [&](polycodec_error* error) {
      return instance().decoded_size(&instance(), call.abi(), to_bytes(input.view()), &said, error);
    });
    if (!sized.ok()) said = POLYCODEC_SIZE_UNKNOWN;
  }
  const Answer answer = call.run("decode", bytes.size(), [&](polycodec_error* error) {
    return instance().decode(&instance(), call.abi(), to_bytes(input.view()), expected_size,
                             sink.abi(), error);
  });
  sink.check(call.regions());
  call.count_sink(sink.requests(), sink.copied());
  require(!answer.ok() || !sink.has_refused(), "decode returned OK although the sink failed");
  out = sink.bytes();
  require(
      !answer.ok() || said == POLYCODEC_SIZE_UNKNOWN || said == out.size(),
      "decoded_size said " + std::to_string(said) + ", decode wrote " + std::to_string(out.size()));
  return answer;
}

Answer FilterSubject::encode(const std::vector<polycodec_bytes>& pieces, std::string& out,
                             Call& call) const {
  TestSink sink(call.sink_settings());
  const Answer answer = call.run("encode", POLYCODEC_NO_OFFSET, [&](polycodec_error* error) {
    return instance().encode(&instance(), call.abi(), pieces.data(), pieces.size(), sink.abi(),
                             error);
  });
  require(!answer.ok() || !sink.has_refused(), "encode returned OK although the sink failed");
  sink.check(call.regions());
  call.count_sink(sink.requests(), sink.copied());
  out = sink.bytes();
  return answer;
}

Answer FilterSubject::do_read(const Encoded& input, Reading& out, Call& call) const {
  const auto bytes = std::make_shared<std::string>();
  const Answer answer = decode(input.bytes(), POLYCODEC_SIZE_UNKNOWN, *bytes, call);
  const auto node = std::make_shared<Node>(Builder::bytes_view(*bytes));
  call.others.add(*bytes);
  call.others.add(node.get(), sizeof(Node));
  out.owners.insert(out.owners.end(), {bytes, node});
  out.root = node.get();
  return answer;
}

Answer FilterSubject::do_write(const Sample& value, Encoded& out, Call& call) const {
  // Three pieces, one of them empty.
  const std::string_view all = value.view().as_bytes();
  const std::size_t half = all.size() / 2;
  const std::vector<polycodec_bytes> pieces = {
      to_bytes(all.substr(0, half)), {nullptr, 0}, to_bytes(all.substr(half))};
  out.parts = {{std::string(), std::string()}};
  return encode(pieces, out.parts[0].second, call);
}

}  // namespace polycodec::kit
