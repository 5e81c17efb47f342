// SPDX-License-Identifier: MIT
// Limits and cancelling: whatever the input says, the call stays within what the host allows.
#include "cases.hpp"
#include "opened_codec.hpp"
#include "samples.hpp"

#include <algorithm>

namespace polycodec::kit {
namespace {

constexpr std::size_t largest_sample = 65536;

// Decodes every sample under `limits`. A value that comes out has been checked against them by Instance::decode();
// what is refused must be refused as a limit.
void check_under(const Settings& settings, const CodecInfo& info, const CallSettings& tight, const char* what) {
  const OpenedCodec codec(settings, info);
  Problems problems;
  for (const Encoded& sample : distinct_samples_of(settings, codec.instance, largest_sample)) {
    note(sample.name + " under a small " + what);
    problems.run(sample.name, [&] {
      Value plain;
      if (!codec.instance.decode(sample, plain).ok()) return;
      Value value;
      const Answer answer = codec.instance.decode(sample, value, tight);
      require(answer.ok() || answer.code == POLYCODEC_ERROR_LIMIT,
              std::string("with a small ") + what + ": " + answer.text() + ", where a limit is the reason");
    });
  }
  problems.check();
}

void check_depth(const Settings& settings, const CodecInfo& info) {
  CallSettings tight;
  tight.limits.max_depth = 3;
  check_under(settings, info, tight, "max_depth");
}
void check_nodes(const Settings& settings, const CodecInfo& info) {
  CallSettings tight;
  tight.limits.max_nodes = 4;
  check_under(settings, info, tight, "max_nodes");
}
void check_elements(const Settings& settings, const CodecInfo& info) {
  CallSettings tight;
  tight.limits.max_elements = 2;
  check_under(settings, info, tight, "max_elements");
}
void check_memory(const Settings& settings, const CodecInfo& info) {
  for (const std::uint64_t bytes : {0u, 1024u, 20000u}) {
    CallSettings tight;
    tight.limits.max_memory_bytes = bytes;
    check_under(settings, info, tight, "max_memory_bytes");
  }
}

void check_encode_depth(const Settings& settings, const CodecInfo& info) {
  const OpenedCodec codec(settings, info);
  for (const CorpusValue& v : corpus_values()) {
    if (v.name != "nested_64") continue;
    Encoded encoded;
    if (!codec.instance.encode(v.value.view(), encoded).ok()) skip("the codec does not encode nested lists");
    CallSettings tight;
    tight.limits.max_depth = 10;
    const Answer answer = codec.instance.encode(v.value.view(), encoded, tight);
    require(answer.code == POLYCODEC_ERROR_LIMIT,
            "64 nested lists under max_depth 10: " + (answer.ok() ? std::string("encoded") : answer.text()) +
                ", where a limit was expected");
  }
}

bool ok_or_cancelled(const Answer& answer) {
  return answer.ok() || answer.code == POLYCODEC_ERROR_CANCELLED;
}

// Small inputs may be done before the codec asks; large ones must end, which the time limit of the case watches.
void check_cancelled(const Settings& settings, const CodecInfo& info) {
  const OpenedCodec codec(settings, info);
  CallSettings cancelled;
  cancelled.cancelled = true;
  Problems problems;
  if (info.can_decode) {
    for (const Encoded& sample : samples_of(settings, codec.instance, largest_sample))
      problems.run(sample.name, [&] {
        Value value;
        const Answer answer = codec.instance.decode(sample, value, cancelled);
        require(ok_or_cancelled(answer), "decode, cancelled: " + answer.text());
      });
  }
  if (info.can_encode) {
    for (const CorpusValue& v : corpus_values())
      problems.run(v.name, [&] {
        Encoded plain;
        if (!codec.instance.encode(v.value.view(), plain).ok()) return;
        Encoded encoded;
        const Answer answer = codec.instance.encode(v.value.view(), encoded, cancelled);
        require(ok_or_cancelled(answer), "encode, cancelled: " + answer.text());
      });
  }
  problems.check();
}

// A long list of small items is work for any codec that takes it: it must ask before it is through.
void check_cancelled_midway(const Settings& settings, const CodecInfo& info) {
  const OpenedCodec codec(settings, info);
  constexpr std::uint64_t count = 2000000;
  for (const bool texts : {false, true}) {
    const Value value = Value::build([&](Builder& out) {
      polycodec_node* items;
      const auto list = out.list(count, &items);
      // No two neighbours alike, so that no codec can take the list for an array.
      for (std::uint64_t i = 0; i < count; ++i)
        items[i] = texts ? Builder::string_view("some text") : i % 2 ? Builder::null() : Builder::integer(300);
      return list;
    });
    Encoded encoded;
    if (!codec.instance.encode(value.view(), encoded).ok()) continue;
    CallSettings cancelled;
    cancelled.cancelled = true;
    Encoded unused;
    note("encoding 2000000 items, cancelled");
    const Answer encoding = codec.instance.encode(value.view(), unused, cancelled);
    require(encoding.code == POLYCODEC_ERROR_CANCELLED, "encode of 2000000 items does not ask call->cancelled");
    if (!info.can_decode) return;
    Value decoded;
    note("decoding 2000000 items, cancelled");
    const Answer decoding = codec.instance.decode(encoded, decoded, cancelled);
    require(decoding.code == POLYCODEC_ERROR_CANCELLED, "decode of 2000000 items does not ask call->cancelled");
    return;
  }
  skip("the codec does not encode long lists of small items");
}

}  // namespace

void add_limit_cases(std::vector<Case>& cases, const Settings& s, const CodecInfo& info) {
  const auto add = [&](const char* name, const char* title, void (*check)(const Settings&, const CodecInfo&)) {
    cases.push_back({"codec/" + info.name + "/" + name, title, [&s, info, check] { check(s, info); }});
  };
  if (info.can_decode) {
    add("max-depth", "decode honours max_depth", check_depth);
    add("max-nodes", "decode honours max_nodes", check_nodes);
    add("max-elements", "decode honours max_elements", check_elements);
    add("max-memory", "decode honours max_memory_bytes", check_memory);
  }
  if (info.can_encode) {
    add("encode-depth", "encode honours max_depth", check_encode_depth);
    add("cancel-midway", "long work ends when the host cancels it", check_cancelled_midway);
  }
  add("cancel", "a cancelled call ends as cancelled, or was done before", check_cancelled);
}

}  // namespace polycodec::kit
