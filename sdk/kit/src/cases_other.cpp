// SPDX-License-Identifier: MIT
// Threads, sniffing and streams.
#include "cases.hpp"
#include "changes.hpp"
#include "opened_codec.hpp"
#include "samples.hpp"

#include <atomic>
#include <cstring>
#include <mutex>
#include <random>
#include <thread>

namespace polycodec::kit {
namespace {

constexpr std::size_t largest_sample = 16384;

// All threads share one instance and open some of their own; each must get what a single thread got.
void check_threads(const Settings& settings, const CodecInfo& info) {
  const OpenedCodec codec(settings, info);
  const auto samples = samples_of(settings, codec.instance, largest_sample);
  const auto values = corpus_values();
  std::vector<Encoded> expected(values.size());
  std::vector<bool> encodes(values.size());
  for (std::size_t i = 0; info.can_encode && i < values.size(); ++i)
    encodes[i] = codec.instance.encode(values[i].value.view(), expected[i]).ok();

  Problems problems;
  std::mutex mutex;
  std::atomic<unsigned> waiting = 8;
  const auto work = [&] {
    --waiting;
    while (waiting > 0) std::this_thread::yield();
    try {
      for (unsigned round = 0; round < 5; ++round) {
        const OpenedCodec own(settings, info);
        const Instance& instance = round % 2 == 0 ? codec.instance : own.instance;
        for (const Encoded& sample : samples) {
          Value value;
          require(!info.can_decode || instance.decode(sample, value).ok(), sample.name + " does not decode");
        }
        for (std::size_t i = 0; info.can_encode && i < values.size(); ++i) {
          Encoded encoded;
          const bool ok = instance.encode(values[i].value.view(), encoded).ok();
          require(ok == encodes[i] && (!ok || encoded.parts == expected[i].parts), values[i].name + " differs");
        }
      }
    } catch (const Failure& f) {
      const std::scoped_lock lock(mutex);
      problems.add("with 8 threads", f.message);
    }
  };
  std::vector<std::thread> threads;
  threads.reserve(8);
  for (int i = 0; i < 8; ++i) threads.emplace_back(work);
  for (auto& thread : threads) thread.join();
  problems.check();
}

std::uint32_t sniff_once(const polycodec_codec& codec, std::string_view head, std::uint64_t total) {
  polycodec_sniff sniff = {};
  sniff.struct_size = sizeof sniff;
  Answer answer;
  answer.error = make_error();
  answer.code = codec.sniff(to_bytes(head), total, &sniff, &answer.error);
  check_answer(answer, head.size(), "sniff");
  require(answer.ok(), "sniff failed: " + answer.text());
  require(sniff.score <= 100, "sniff gave a score of " + std::to_string(sniff.score));
  require(std::memchr(sniff.reason, 0, sizeof sniff.reason) != nullptr, "sniff gave a reason without an end");
  return sniff.score;
}

void check_sniff(const Settings& settings, const CodecInfo& info) {
  const OpenedCodec codec(settings, info);
  if (codec.instance.codec().sniff == nullptr) skip("the codec has no sniff function");
  Problems problems;
  for (const Encoded& sample : samples_of(settings, codec.instance, largest_sample)) {
    const std::string_view head = sample.bytes().substr(0, 4096);
    note("sniffing " + sample.name);
    problems.run(sample.name, [&] {
      require(sniff_once(codec.instance.codec(), head, sample.bytes().size()) > 0 || sample.is_store,
              "rules out what the codec itself reads");
      sniff_once(codec.instance.codec(), head, UINT64_MAX);
      for (std::size_t size = 0; size < std::min<std::size_t>(head.size(), 64); ++size)
        sniff_once(codec.instance.codec(), std::string(head.substr(0, size)), UINT64_MAX);
    });
  }
  std::mt19937 random(7);
  for (unsigned round = 0; round < 500; ++round) {
    std::string noise(random() % 100, '\0');
    for (char& c : noise) c = static_cast<char>(random() & 0xff);
    problems.run("noise", [&] { sniff_once(codec.instance.codec(), noise, noise.size()); });
  }
  problems.check();
}

struct StreamAnswer : Answer {
  const polycodec_node* root = nullptr;
  std::uint64_t consumed = 0;
  std::uint64_t wanted = 0;
};

StreamAnswer next_in_stream(const Instance& instance, std::string_view bytes, bool final, Value& value) {
  const Call call;
  StreamAnswer answer;
  answer.error = make_error();
  answer.code = instance.codec().stream_next(instance.raw(), call.abi(), to_bytes(bytes), final ? 1 : 0,
                                             value.prepare(call.limits().max_memory_bytes), &answer.root,
                                             &answer.consumed, &answer.wanted, &answer.error);
  check_answer(answer, bytes.size(), "stream_next");
  if (answer.ok() && answer.root != nullptr) {
    require(
        answer.consumed > 0 && answer.consumed <= bytes.size(),
        "stream_next consumed " + std::to_string(answer.consumed) + " of " + std::to_string(bytes.size()) + " bytes");
    value.set_root(answer.root);
  }
  return answer;
}

void check_stream_of(const Instance& instance, const Encoded& sample) {
  const std::string one(sample.bytes());
  Value value;
  const StreamAnswer whole = next_in_stream(instance, one, true, value);
  require(whole.ok() && whole.root != nullptr, "a whole message is not found");
  if (whole.consumed != one.size()) return;  // the sample is several messages
  const std::string two = one + one;
  require(next_in_stream(instance, two, false, value).consumed == one.size(),
          "with another message behind it, another number of bytes is consumed");
  for (std::size_t size = 0; size < one.size(); ++size) {
    note(sample.name + ", " + std::to_string(size) + " bytes of the stream");
    const std::string part = one.substr(0, size);
    const StreamAnswer more = next_in_stream(instance, part, false, value);
    require(more.ok(), std::to_string(size) + " bytes of a good stream are refused: " + more.text());
    if (more.root == nullptr)
      require(more.wanted > size && more.wanted <= one.size(),
              "after " + std::to_string(size) + " bytes " + std::to_string(more.wanted) +
                  " are wanted, of a message of " + std::to_string(one.size()));
    if (size == 0) continue;
    const StreamAnswer end = next_in_stream(instance, part, true, value);
    require(!end.ok() || end.root != nullptr, "the end of the stream inside a message is not an error");
  }
}

void check_stream(const Settings& settings, const CodecInfo& info) {
  const OpenedCodec codec(settings, info);
  Problems problems;
  for (const Encoded& sample : distinct_samples_of(settings, codec.instance, 2048))
    problems.run(sample.name, [&] { check_stream_of(codec.instance, sample); });
  problems.check();
}

}  // namespace

void add_other_cases(std::vector<Case>& cases, const Settings& s, const CodecInfo& info) {
  const auto add = [&](const char* name, const char* title, void (*check)(const Settings&, const CodecInfo&)) {
    cases.push_back({"codec/" + info.name + "/" + name, title, [&s, info, check] { check(s, info); }});
  };
  add("threads", "8 threads share an instance and open their own", check_threads);
  if (info.can_decode) add("sniff", "sniff keeps its contract and knows the codec's own bytes", check_sniff);
  if (info.can_stream) add("stream", "messages are found in a stream that comes in pieces", check_stream);
}

}  // namespace polycodec::kit
