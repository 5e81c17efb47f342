// SPDX-License-Identifier: MIT
// Memory that is refused, at every place where a plugin asks for some, and memory that it keeps.
#include "cases.hpp"

#include <malloc.h>

#include <algorithm>

namespace polycodec::kit {
namespace {

// A plugin may do without the memory.
bool is_about_memory(const Answer& answer) {
  return answer.ok() || answer.code == POLYCODEC_ERROR_MEMORY ||
         answer.code == POLYCODEC_ERROR_LIMIT;
}

/// Runs `run` once, and again with each of its requests of one kind refused, or with some spread
/// over them if they are many. Returns how many were refused.
template <class Run, class Fits>
unsigned refuse_each(const std::string& what, std::size_t size, std::uint64_t Usage::*requests,
                     std::uint64_t CallSettings::*refuse_from, Run run, Fits fits) {
  Usage usage;
  CallSettings settings;
  settings.count = true;
  settings.usage = &usage;
  if (!run(settings).ok()) return 0;
  const std::uint64_t total = usage.*requests;
  const std::uint64_t step = total / tries_for(size, 300) + 1;
  for (std::uint64_t i = 0; i < total; i += step) {
    note(what + ", request " + std::to_string(i) + " fails");
    settings.*refuse_from = i;
    const Answer answer = run(settings);
    require(fits(answer), "request " + std::to_string(i) + " fails: " + answer.text() +
                              ", where that is not the reason");
  }
  return static_cast<unsigned>(total);
}

void check_arena(const Subject& subject, const Settings&) {
  for_each_call(subject, "it asks the arena for nothing",
                [](const std::string& what, auto run, std::size_t size) {
                  return refuse_each(what, size, &Usage::arena_requests,
                                     &CallSettings::refuse_arena, run, is_about_memory);
                });
}

void check_file(const Subject& subject, const Settings&) {
  for_each_sample(subject, "it asks no file or store for anything", [&](const Encoded& sample) {
    const auto read = [&](const CallSettings& refusing) {
      Reading value;
      return subject.read(sample, value, refusing);
    };
    return refuse_each("reading " + sample.name, sample.size(), &Usage::file_requests,
                       &CallSettings::refuse_file, read,
                       [](const Answer& answer) { return answer.code == POLYCODEC_ERROR_IO; });
  });
}

/// Bytes that malloc has given out and not got back; 0 where that is not known.
std::size_t heap_in_use() {
  return ::mallinfo2().uordblks;
}

// What some rounds keep may be a cache that grows. What all rounds keep is a leak.
void check_freed(const Subject& subject, const Settings& settings) {
  std::vector<Sample> values;
  if (subject.entry().can_write) values = values_of(subject);
  std::vector<Encoded> samples = samples_or_none(subject, values);
  if (samples.size() > 8) samples.resize(8);
  // Each is written hundreds of times, so of many values only some.
  const std::size_t step = values.size() / 32 + 1;
  const auto round = [&] {
    const SubjectPointer own = open_subject(settings, subject.entry());
    for (const Encoded& sample : samples) {
      Reading value;
      own->read(sample, value);
      Encoded cut = sample;
      for (auto& part : cut.parts) part.second.resize(part.second.size() / 2);
      own->read(cut, value);
    }
    for (std::size_t i = 0; i < values.size(); i += step) {
      Encoded encoded;
      own->write(values[i], encoded);
    }
  };
  constexpr int rounds = 64;
  constexpr std::size_t most = std::size_t{rounds} * 32;
  const auto kept_by_rounds = [&] {
    const std::size_t before = heap_in_use();
    for (int i = 0; i < rounds; ++i) round();
    return std::max(before, heap_in_use()) - before;
  };
  kept_by_rounds();
  if (heap_in_use() == 0) skip("this malloc does not count");
  std::size_t kept = kept_by_rounds();
  for (int again = 0; again < 2 && kept >= most; ++again) kept = std::min(kept, kept_by_rounds());
  require(kept < most, std::to_string(kept) + " bytes were not freed after " +
                           std::to_string(rounds) + " rounds of open, read, write and release");
}

}  // namespace

std::span<const SubjectCase> memory_cases() {
  static constexpr SubjectCase cases[] = {
      {for_all, "arena-refuses", "an arena that fails ends the call with an error", check_arena},
      {for_values | reading, "file-refuses", "a file that is not read ends the call with an error",
       check_file},
      {for_all, "memory-freed", "open, calls and release keep no memory", check_freed},
  };
  return cases;
}

}  // namespace polycodec::kit
