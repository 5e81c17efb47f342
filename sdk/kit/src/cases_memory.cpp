// SPDX-License-Identifier: MIT
// Memory that is refused, at every place where a plugin asks the host for some.
#include "cases.hpp"
#include "opened_codec.hpp"
#include "samples.hpp"

#include <algorithm>

namespace polycodec::kit {
namespace {

constexpr std::size_t largest_sample = 16384;
constexpr std::uint64_t most_tries = 300;

/// Calls `attempt(i)` for every i below `total`, or for some spread over them if they are many.
template <class Attempt>
void for_each_index(std::uint64_t total, Attempt attempt) {
  const std::uint64_t step = total / most_tries + 1;
  for (std::uint64_t i = 0; i < total; i += step) attempt(i);
}

bool is_about_memory(const Answer& answer) {
  return answer.code == POLYCODEC_ERROR_MEMORY || answer.code == POLYCODEC_ERROR_LIMIT;
}

void check_arena(const Settings& settings, const CodecInfo& info) {
  const OpenedCodec codec(settings, info);
  Problems problems;
  for (const Encoded& sample : distinct_samples_of(settings, codec.instance, largest_sample)) {
    std::uint64_t requests = 0;
    CallSettings counting;
    counting.requests = &requests;
    Value value;
    if (!codec.instance.decode(sample, value, counting).ok()) continue;
    for_each_index(std::uint64_t{requests}, [&](std::uint64_t i) {
      problems.run(sample.name, [&] {
        note(sample.name + ", allocation " + std::to_string(i) + " refused");
        counting.refuse_memory_from = i;
        Value partial;
        const Answer answer = codec.instance.decode(sample, partial, counting);
        require(answer.ok() || is_about_memory(answer),
                "allocation " + std::to_string(i) + " refused: " + answer.text() + ", where memory is the reason");
      });
    });
  }
  problems.check();
}

// The host's allocate(), from open to close, over one decode and one encode of everything.
void check_host(const Settings& settings, const CodecInfo& info) {
  Plugin& plugin = Plugin::get(settings);
  const polycodec_codec& codec = plugin.codec(info.name);
  const auto use_once = [&] {
    void* instance = nullptr;
    Answer answer;
    answer.error = make_error();
    answer.code = codec.open(plugin.host().abi(), nullptr, &instance, &answer.error);
    check_answer(answer, 0, "open");
    if (answer.ok()) codec.close(instance);
    return answer;
  };
  plugin.host().refuse_allocation(never);
  use_once();
  for_each_index(plugin.host().allocations_asked(), [&](std::uint64_t i) {
    note("open, host allocation " + std::to_string(i) + " refused");
    plugin.host().refuse_allocation(i);
    const Answer answer = use_once();
    require(answer.ok() || is_about_memory(answer), "open without memory: " + answer.text());
  });

  plugin.host().refuse_allocation(never);
  const OpenedCodec opened(settings, info);
  const auto samples = samples_of(settings, opened.instance, largest_sample);
  const auto values = corpus_values();
  const auto run_all = [&](bool must_be_memory) {
    for (const Encoded& sample : samples) {
      Value value;
      const Answer answer = opened.instance.decode(sample, value);
      if (must_be_memory)
        require(answer.ok() || is_about_memory(answer), sample.name + " without host memory: " + answer.text());
    }
    for (const CorpusValue& v : values) {
      Encoded encoded;
      if (info.can_encode) opened.instance.encode(v.value.view(), encoded);
    }
  };
  plugin.host().refuse_allocation(never);
  run_all(false);
  for_each_index(std::min<std::uint64_t>(plugin.host().allocations_asked(), 20), [&](std::uint64_t i) {
    note("host allocation " + std::to_string(i) + " refused");
    plugin.host().refuse_allocation(i);
    run_all(true);
  });
  plugin.host().refuse_allocation(never);
}

void check_decode_releases(const Settings& settings, const CodecInfo& info) {
  const OpenedCodec codec(settings, info);
  const std::int64_t before = codec.plugin.host().blocks_held();
  for (const Encoded& sample : distinct_samples_of(settings, codec.instance, largest_sample)) {
    Value value;
    codec.instance.decode(sample, value);
    Encoded cut = sample;
    for (auto& part : cut.parts) part.second.resize(part.second.size() / 2);
    codec.instance.decode(cut, value);
  }
  const std::int64_t after = codec.plugin.host().blocks_held();
  // Something may be kept for the next call, but not more with every call.
  const std::int64_t allowed = 16;
  require(after - before <= allowed,
          std::to_string(after - before) + " blocks of host memory are kept after decoding");
}

}  // namespace

void add_memory_cases(std::vector<Case>& cases, const Settings& s, const CodecInfo& info) {
  const auto add = [&](const char* name, const char* title, void (*check)(const Settings&, const CodecInfo&)) {
    cases.push_back({"codec/" + info.name + "/" + name, title, [&s, info, check] { check(s, info); }});
  };
  if (info.can_decode) {
    add("arena-refuses", "an arena that refuses ends the decode with an error", check_arena);
    add("host-memory-freed", "decoding does not pile up the host's memory", check_decode_releases);
  }
  add("host-refuses", "a host that refuses memory gets an error", check_host);
}

}  // namespace polycodec::kit
