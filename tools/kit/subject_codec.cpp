// SPDX-License-Identifier: MIT
// A codec under test.
#include "subjects.hpp"

namespace polycodec::kit {

CodecSubject::CodecSubject(Plugin& plugin, const Entry& entry, const polycodec_node* options)
    : OpenedSubject(plugin, entry, find_object(plugin.tables().codecs, entry.name), options) {}

bool CodecSubject::takes_store() const noexcept {
  const std::uint32_t takes = entry().can_read ? object().inputs : object().outputs;
  return takes != 0 && (takes & (POLYCODEC_INPUT_BYTES | POLYCODEC_INPUT_FILE)) == 0;
}

std::vector<CorpusEntry> all_entries() {
  std::vector<CorpusEntry> all = corpus();
  all.insert(all.end(), lone_corpus().begin(), lone_corpus().end());
  return all;
}

std::vector<Sample> all_samples() {
  std::vector<Sample> samples;
  for (const CorpusEntry& e : all_entries())
    samples.push_back(build_sample(std::string(e.name), e.make));
  return samples;
}

std::vector<Sample> CodecSubject::values() const {
  return all_samples();
}

Answer CodecSubject::do_read(const Encoded& encoded, Reading& out, Call& call) const {
  polycodec_input input{};
  input.struct_size = sizeof input;
  std::shared_ptr<TestFile> file;
  if (encoded.is_store) {
    const auto store = std::make_shared<TestStore>(encoded.parts);
    input.parts = POLYCODEC_INPUT_STORE;
    input.store = store->abi();
    call.others.add(store->regions());
    out.owners.insert(out.owners.begin(), store);
  } else {
    file = std::make_shared<TestFile>(encoded.bytes());
    const std::uint32_t takes = object().inputs == 0 ? POLYCODEC_INPUT_BYTES : object().inputs;
    input.parts = takes & (POLYCODEC_INPUT_BYTES | POLYCODEC_INPUT_FILE);
    if ((takes & POLYCODEC_INPUT_BYTES) != 0) input.bytes = to_bytes(file->bytes());
    if ((takes & POLYCODEC_INPUT_FILE) != 0) input.file = file->abi();
    call.others.add(file->bytes());
    out.owners.insert(out.owners.begin(), file);
  }
  const Answer answer = call.run("decode", encoded.largest_part(), [&](polycodec_error* error) {
    return instance().decode(&instance(), call.abi(), &input, &out.root, error);
  });
  if (call.settings().usage != nullptr && file) call.settings().usage->looked = file->looked_at();
  return answer;
}

Answer CodecSubject::do_write(const Sample& value, Encoded& out, Call& call) const {
  TestSink sink(call.sink_settings());
  TestStoreWriter store(call.sink_settings());
  polycodec_output output{};
  output.struct_size = sizeof output;
  output.parts = out.is_store ? POLYCODEC_INPUT_STORE : POLYCODEC_INPUT_BYTES;
  if (out.is_store)
    output.store = store.abi();
  else
    output.sink = sink.abi();
  const Answer answer = call.run("encode", POLYCODEC_NO_OFFSET, [&](polycodec_error* error) {
    return instance().encode(&instance(), call.abi(), value.root, &output, error);
  });
  require(!answer.ok() || !(sink.has_refused() || store.has_refused()),
          "encode returned OK although the sink failed");
  sink.check(call.regions());
  store.check(call.regions());
  call.count_sink(sink.requests() + store.requests(), sink.copied());
  out.parts = out.is_store ? store.parts() : Parts{{std::string(), sink.bytes()}};
  return answer;
}

}  // namespace polycodec::kit
