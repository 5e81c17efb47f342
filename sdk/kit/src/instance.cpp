// SPDX-License-Identifier: MIT
#include <polycodec/sink.hpp>
#include <polycodec/store.hpp>
#include <polycodec/validate.hpp>

#include "case.hpp"
#include "guarded_bytes.hpp"
#include "plugin.hpp"
#include "test_memory.hpp"

#include <algorithm>
#include <memory>

namespace polycodec::kit {

Instance::Instance(Plugin& plugin, const polycodec_codec& codec, View options) : codec_(codec) {
  Answer answer;
  answer.error = make_error();
  answer.code =
      codec.open(plugin.host().abi(), options.is_null() ? nullptr : options.raw(), &instance_, &answer.error);
  check_answer(answer, 0, "open");
  if (!answer.ok()) fail("open failed: " + answer.text());
}

Instance::~Instance() {
  codec_.close(instance_);
}

Answer Instance::decode_input(const polycodec_input& input, std::uint64_t size, Value& out,
                              const CallSettings& settings) const {
  const Call call(settings.limits, settings.cancelled);
  Answer answer;
  answer.error = make_error();
  polycodec_error* const error = settings.pass_error ? &answer.error : nullptr;
  const polycodec_node* root = nullptr;
  polycodec_arena* arena = out.prepare(settings.limits.max_memory_bytes);
  if (settings.refuse_memory_from != never || settings.requests != nullptr) {
    auto small = std::make_shared<CountingArena>(settings.refuse_memory_from);
    answer.code = codec_.decode(instance_, call.abi(), &input, small->abi(), &root, error);
    if (settings.requests != nullptr) *settings.requests = small->requests();
    out.pin(std::move(small));
  } else {
    answer.code = codec_.decode(instance_, call.abi(), &input, arena, &root, error);
  }
  if (settings.pass_error) check_answer(answer, size, "decode");
  if (!answer.ok()) return answer;
  require(root != nullptr, "decode returned OK and no value");
  try {
    validate(root, settings.limits, Validation::full);
  } catch (const Error& e) {
    // What the host refuses because of a limit is refused, whoever sees it first.
    if (e.code() != Status::limit) fail("the decoded value is not valid: " + e.describe());
    answer.code = fill_error(&answer.error, e);
    return answer;
  }
  out.set_root(root);
  return answer;
}

Answer Instance::decode(const Encoded& encoded, Value& out, const CallSettings& settings) const {
  if (!encoded.is_store) {
    const auto bytes = std::make_shared<GuardedBytes>(encoded.bytes());
    const polycodec_input input = {sizeof input, 1, to_bytes(bytes->view()), nullptr, {nullptr, 0}};
    const Answer answer = decode_input(input, bytes->view().size(), out, settings);
    out.pin(bytes);
    return answer;
  }
  const auto store = std::make_shared<MemoryStore>(encoded.parts);
  const polycodec_input input = {sizeof input, 0, {nullptr, 0}, &store->abi(), {nullptr, 0}};
  std::uint64_t largest = 0;
  for (const auto& part : encoded.parts) largest = std::max<std::uint64_t>(largest, part.second.size());
  const Answer answer = decode_input(input, largest, out, settings);
  out.pin(store);
  return answer;
}

Answer Instance::encode(View value, Encoded& out, const CallSettings& settings) const {
  const Call call(settings.limits, settings.cancelled);
  // A codec that takes only stores writes blobs; one that takes both is asked for plain bytes.
  out.is_store = (codec_.capabilities & (POLYCODEC_TAKES_BYTES | POLYCODEC_TAKES_BYTES_AND_STORE)) == 0;
  CollectingSink sink(settings, out.is_store);
  Answer answer;
  answer.error = make_error();
  answer.code =
      codec_.encode(instance_, call.abi(), value.raw(), sink.abi(), settings.pass_error ? &answer.error : nullptr);
  if (settings.pass_error) check_answer(answer, POLYCODEC_NO_OFFSET, "encode");
  if (settings.requests != nullptr) *settings.requests = sink.requests();
  sink.check();
  out.parts = sink.take_parts();
  return answer;
}

}  // namespace polycodec::kit
