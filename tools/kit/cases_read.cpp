// SPDX-License-Identifier: MIT
// Bytes that nobody meant well: whatever comes, the answer keeps the contract.
#include "cases.hpp"
#include "changes.hpp"
#include "test_files.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <random>
#include <thread>

namespace polycodec::kit {
namespace {

/// Bounds that keep a hostile count from using up the machine, far above what the sample needs.
CallSettings bounded(std::size_t size) {
  CallSettings settings;
  settings.limits.max_memory_bytes = (std::uint64_t{64} << 20) + 64 * std::uint64_t{size};
  settings.limits.max_output_bytes = settings.limits.max_memory_bytes;
  settings.limits.max_elements = std::uint64_t{1} << 24;
  settings.limits.max_nodes = std::uint64_t{1} << 22;
  return settings;
}

// Any answer will do, if it keeps the contract: Subject::read() checks that.
void try_read(const Subject& subject, const Encoded& input) {
  Reading value;
  subject.read(input, value, bounded(input.size()));
}

/// Calls spoil(good, bytes, read) for each part of each sample: it changes `bytes`, and read(how)
/// reads what comes of it.
template <class Spoil>
void for_each_part(const Subject& subject, Problems& problems, Spoil spoil) {
  for (const Encoded& sample : samples_to_damage(subject))
    for (std::size_t part = 0; part < sample.parts.size(); ++part) {
      Encoded changed = sample;
      const std::string& good = sample.parts[part].second;
      problems.did(good.empty() ? 0 : 1);
      spoil(good, changed.parts[part].second, [&](const std::string& how) {
        note(sample.name + ", part " + std::to_string(part) + " " + how);
        problems.run(sample.name + " " + how, [&] { try_read(subject, changed); });
      });
    }
  problems.check("what there is to read has no bytes");
}

void check_reads(const Subject& subject, const Settings&) {
  constexpr const char* nothing =
      "nothing was read: it reads nothing that it writes, and has no fixtures";
  std::size_t found = 0, inputs = 0;
  try {
    for (const Encoded& sample : samples_of(subject)) {
      Reading value;
      ++inputs;
      found += subject.read(sample, value).ok() ? 1u : 0u;
    }
  } catch (const Skip&) {  // there are no samples
  }
  if (found == 0) skip(nothing);
  tally().inputs += inputs;
  tally().read += found;
  remark(std::to_string(found) + " of " + std::to_string(inputs) + " inputs, " +
         std::to_string(subject.entry().fixtures.size()) + " fixtures");
}

void check_truncation(const Subject& subject, const Settings&) {
  Problems problems;
  for_each_part(subject, problems, [](const std::string& good, std::string& bytes, auto read) {
    for (const std::size_t size : offsets_in(good.size(), 4096)) {
      bytes = good.substr(0, size);
      read("cut to " + std::to_string(size));
    }
  });
}

void check_bit_flips(const Subject& subject, const Settings&) {
  Problems problems;
  for_each_part(subject, problems, [](const std::string& good, std::string& bytes, auto read) {
    // All bits of small samples, of larger ones a share that meets every position.
    const auto flip = [&](std::size_t at, unsigned bit) {
      bytes[at] = static_cast<char>(good[at] ^ (1 << bit));
      read("with bit " + std::to_string(at * 8 + bit) + " flipped");
      bytes[at] = good[at];
    };
    for (const std::size_t at : offsets_in(good.size(), 4096))
      for (unsigned bit = 0; bit < 8; ++bit)
        if (good.size() <= 1024 || at % 8 == bit) flip(at, bit);
  });
}

// Bytes that formats use for lengths and types, put where they do not belong: four alike are a
// large number in most encodings.
void check_spoiled_bytes(const Subject& subject, const Settings&) {
  Problems problems;
  for_each_part(subject, problems, [](const std::string& good, std::string& bytes, auto read) {
    for (const std::size_t at : offsets_in(good.size(), 1024))
      for (const char value : {'\0', '\x7f', '\x80', '\xff'}) {
        const std::size_t size = std::min<std::size_t>(4, good.size() - at);
        bytes.replace(at, size, size, value);
        read("spoiled at " + std::to_string(at));
        bytes.replace(at, size, good, at, size);
      }
  });
}

// Bytes as they come, then after the start of good samples. The generator is the same everywhere.
void check_random_bytes(const Subject& subject, const Settings&) {
  std::mt19937 random(20240607);
  const auto fill = [&random](std::string& bytes, std::size_t from) {
    for (std::size_t i = from; i < bytes.size(); ++i) bytes[i] = static_cast<char>(random() & 0xff);
  };
  Problems problems;
  for (unsigned round = 0; round < 3000 && !subject.takes_store(); ++round) {
    Encoded noise;
    noise.parts.emplace_back(std::string(), std::string(random() % 200, '\0'));
    fill(noise.parts[0].second, 0);
    note("noise of round " + std::to_string(round));
    problems.run("noise of round " + std::to_string(round), [&] { try_read(subject, noise); });
  }
  if (!subject.takes_store()) problems.did(1);
  for_each_part(subject, problems, [&](const std::string& good, std::string& bytes, auto read) {
    const std::size_t rounds = good.empty() ? 0 : tries_for(good.size(), 40);
    for (std::size_t round = 0; round < rounds; ++round) {
      bytes = good;
      fill(bytes, random() % good.size());
      read("with noise, round " + std::to_string(round));
    }
  });
}

void check_empty_input(const Subject& subject, const Settings&) {
  Encoded empty;
  empty.is_store = subject.takes_store();
  if (!empty.is_store) empty.parts.emplace_back();
  note("no input at all");
  try_read(subject, empty);
  if (!empty.is_store) return;
  for (const Encoded& sample : samples_of(subject))
    for (std::size_t part = 0; part < sample.parts.size(); ++part) {
      Encoded without = sample;
      without.parts.erase(without.parts.begin() + static_cast<std::ptrdiff_t>(part));
      note(sample.name + " without blob " + sample.parts[part].first);
      try_read(subject, without);
    }
}

// -- sniffing -------------------------------------------------------------------------------------

std::uint32_t sniff_once(const Subject& subject, std::string_view head,
                         const polycodec_file* file) {
  polycodec_input input{};
  input.struct_size = sizeof input;
  input.parts = POLYCODEC_INPUT_BYTES | (file != nullptr ? POLYCODEC_INPUT_FILE : 0u);
  input.bytes = to_bytes(head);
  input.file = file;
  polycodec_sniff sniff{};
  sniff.struct_size = sizeof sniff;
  const auto call = subject.make_call();
  const Answer answer = call->run("sniff", head.size(), [&](polycodec_error* error) {
    return subject.sniff(call->abi(), input, sniff, error);
  });
  require(answer.ok(), "sniff failed: " + answer.text());
  require(sniff.score <= 100, "sniff gave a score of " + std::to_string(sniff.score));
  require(std::memchr(sniff.reason, 0, sizeof sniff.reason) != nullptr,
          "sniff gave a reason without an end");
  return sniff.score;
}

void check_sniff(const Subject& subject, const Settings&) {
  sniff_once(subject, {}, nullptr);  // skips where there is no sniff function
  Problems problems;
  for (const Encoded& sample : samples_of(subject)) {
    const TestFile whole(sample.bytes());
    const std::string_view head = whole.bytes().substr(0, 4096);
    note("sniffing " + sample.name);
    problems.run(sample.name, [&] {
      require(sample.is_store || sniff_once(subject, head, whole.abi()) > 0,
              "rules out what the format itself reads");
      for (std::size_t size = 0; size < std::min<std::size_t>(head.size(), 64); ++size) {
        const TestFile cut(head.substr(0, size));
        sniff_once(subject, cut.bytes(), size % 2 == 0 ? cut.abi() : nullptr);
      }
    });
  }
  std::mt19937 random(7);
  for (unsigned round = 0; round < 500; ++round) {
    std::string noise(random() % 100, '\0');
    for (char& c : noise) c = static_cast<char>(random() & 0xff);
    problems.run("noise", [&] { sniff_once(subject, noise, nullptr); });
  }
  problems.check();
}

// -- threads --------------------------------------------------------------------------------------

// All threads share one subject and open some of their own; each must get what a single thread got.
void check_threads(const Subject& subject, const Settings& settings) {
  std::vector<Sample> values;
  if (subject.entry().can_write) values = values_of(subject);
  const std::vector<Encoded> samples = samples_or_none(subject, values);
  std::vector<Encoded> expected(values.size());
  std::vector<char> writes(values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    writes[i] = subject.write(values[i], expected[i]).ok() ? 1 : 0;
  std::vector<Reading> results(samples.size());
  for (std::size_t i = 0; i < samples.size(); ++i) subject.read(samples[i], results[i]);

  Problems problems;
  std::mutex mutex;
  std::atomic<unsigned> waiting = 8;
  const auto work = [&] {
    --waiting;
    while (waiting > 0) std::this_thread::yield();
    const std::string problem = failure_of([&] {
      for (unsigned round = 0; round < 5; ++round) {
        const SubjectPointer own = open_subject(settings, subject.entry());
        const Subject& used = round % 2 == 0 ? subject : *own;
        for (std::size_t i = 0; i < samples.size(); ++i) {
          Reading value;
          require(used.read(samples[i], value).ok(), samples[i].name + " is not read");
          const std::string why = first_difference(results[i].view(), value.view(), ChangeSet());
          require(why.empty(), samples[i].name + " differs: " + why);
        }
        for (std::size_t i = 0; i < values.size(); ++i) {
          Encoded encoded;
          const bool ok = used.write(values[i], encoded).ok();
          require(ok == (writes[i] != 0) && (!ok || encoded.parts == expected[i].parts),
                  values[i].name + " differs");
        }
      }
    });
    const std::scoped_lock lock(mutex);
    if (!problem.empty()) problems.add("with 8 threads", problem);
  };
  std::vector<std::thread> threads;
  threads.reserve(8);
  for (int i = 0; i < 8; ++i) threads.emplace_back(work);
  for (auto& thread : threads) thread.join();
  problems.check();
}

}  // namespace

std::span<const SubjectCase> read_cases() {
  static constexpr SubjectCase cases[] = {
      {for_values | reading | due, "reads", "it reads something: what it writes, or a fixture",
       check_reads},
      {for_all | reading, "truncation",
       "input cut at any byte is an error with a message, or a valid value", check_truncation},
      {for_all | reading, "bit-flips", "input with a bit flipped likewise", check_bit_flips},
      {for_all | reading, "spoiled-bytes", "input with wrong lengths and types likewise",
       check_spoiled_bytes},
      {for_all | reading, "random-bytes", "bytes without meaning likewise", check_random_bytes},
      {for_all | reading, "empty-input", "no input, or a blob that is missing, likewise",
       check_empty_input},
      {for_values | reading, "sniff", "sniff keeps its contract and knows the format's own bytes",
       check_sniff},
      {for_all, "threads", "8 threads share an instance and open their own", check_threads},
  };
  return cases;
}

}  // namespace polycodec::kit
