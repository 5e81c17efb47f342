// SPDX-License-Identifier: MIT
// What is written of good values.
#include "cases.hpp"
#include "changes.hpp"
#include "layouts.hpp"
#include "variants.hpp"

#include <optional>
#include <set>

namespace polycodec::kit {
namespace {

void require_polite_refusal(const Answer& answer) {
  const bool polite = answer.code == POLYCODEC_ERROR_UNSUPPORTED ||
                      answer.code == POLYCODEC_ERROR_TYPE || answer.code == POLYCODEC_ERROR_RANGE;
  require(polite, "a value may be rejected as unsupported, type or range, not as " + answer.text());
}

constexpr const char* nothing_written = "it writes no value of the corpus or of a fixture";

/// Calls check(value, bytes) for each value that is written, and collects what is wrong. Throws
/// Skip if there is none.
template <class Check>
void for_each_written(const Subject& subject, const CallSettings& settings, Check check) {
  for_each_value(subject, nothing_written, [&](const Sample& value) {
    Encoded bytes;
    const Answer answer = subject.write(value, bytes, settings);
    if (!answer.ok()) return require_polite_refusal(answer), 0u;
    check(value, bytes);
    return 1u;
  });
}

/// What a codec may change, and which of it was seen to change.
struct Tolerance {
  ChangeSet allowed;
  std::set<std::string_view> seen;

  explicit Tolerance(const Settings& settings)
      : allowed(settings.changes ? ChangeSet(*settings.changes) : ChangeSet::all()) {}
  explicit Tolerance(const ChangeSet& changes) : allowed(changes) {}

  std::string compare(const View& before, const View& after) {
    std::string why = first_difference(before, after, allowed);
    if (!why.empty()) return why;
    for (const Change& change : known_changes())
      if (allowed.has(change.name) &&
          !first_difference(before, after, allowed.without(change.name)).empty())
        seen.insert(change.name);
    return {};
  }
};

void check_round_trip(const Subject& subject, const Settings& settings) {
  Tolerance tolerance(settings);
  for_each_written(subject, {}, [&](const Sample& value, const Encoded& bytes) {
    if (!subject.entry().can_read) return;
    Reading read;
    const Answer back = subject.read(bytes, read);
    require(back.ok(), "what was written is not read: " + back.text());
    const std::string why = tolerance.compare(value.view(), read.view());
    require(why.empty(), why);

    // Once through, nothing changes any more: no change hides others that are not allowed.
    Encoded second;
    const Answer rewritten = subject.write({value.name, read.root, read.regions, nullptr}, second);
    require(rewritten.ok(), "what was read is not written: " + rewritten.text());
    Reading last;
    const Answer end = subject.read(second, last);
    require(end.ok(), "what was written the second time is not read: " + end.text());
    const std::string later = first_difference(read.view(), last.view(), ChangeSet());
    require(later.empty(), "the second time through: " + later);
  });
  std::string names;
  for (const std::string_view name : tolerance.seen)
    names += (names.empty() ? "" : ", ") + std::string(name);
  if (!settings.changes && !names.empty()) remark("values come back equal but for " + names);
}

void check_writes(const Subject& subject, const Settings&) {
  unsigned values = 0, written = 0;
  const auto count = [&](const Sample& value) {
    Encoded bytes;
    ++values;
    if (!subject.write(value, bytes).ok()) return 0u;
    ++written;
    return 1u;
  };
  for_each_value(subject, "nothing was written: give it fixtures, whose values it then writes",
                 count);
  tally().values += values;
  tally().written += written;
  remark(std::to_string(written) + " of " + std::to_string(values) + " values");
}

/// Reads what was written of `given`, and compares it with `value`.
void require_same(const Subject& subject, const Sample& value, const Encoded& given,
                  Tolerance& tolerance) {
  Reading read;
  const Answer back = subject.read(given, read);
  require(back.ok(), "what was written is not read: " + back.text());
  const std::string why = tolerance.compare(value.view(), read.view());
  require(why.empty(), why);
}

// A value is the same in any memory.
void check_strides(const Subject& subject, const Settings& settings) {
  if (!subject.entry().can_read) skip("it reads nothing, so nothing can be compared");
  Tolerance tolerance(settings);
  for_each_value(subject, "it writes no value with strided arrays", [&](const Sample& value) {
    Encoded bytes;
    unsigned tried = 0;
    for (const Placement placement :
         {Placement::rows_apart, Placement::all_apart, Placement::swapped}) {
      const std::optional<Sample> other = placed(value, placement);
      if (!other) continue;
      if (tried == 0 && !subject.write(value, bytes).ok()) return 0u;
      ++tried;
      note("with " + other->name);
      const Answer answer = subject.write(*other, bytes);
      if (!answer.ok() && placement == Placement::swapped) {
        require_polite_refusal(answer);
        continue;
      }
      require(answer.ok(), "with its elements apart: " + answer.text());
      require_same(subject, *other, bytes, tolerance);
    }
    return tried;
  });
}

// Metadata that are dropped are lost: a codec reports that, and the kit allows no losses.
void check_metadata(const Subject& subject, const Settings& settings) {
  if (!subject.entry().can_read) skip("it reads nothing, so nothing can be compared");
  Tolerance tolerance(settings.changes ? ChangeSet(*settings.changes)
                                       : ChangeSet::all().without("drops-attributes"));
  for_each_value(subject, nothing_written, [&](const Sample& value) {
    Encoded bytes;
    if (!subject.write(value, bytes).ok()) return 0u;
    unsigned tried = 0;
    for (const Sample& noted : with_metadata(value)) {
      ++tried;
      note("with " + noted.name);
      const Answer answer = subject.write(noted, bytes);
      if (!answer.ok()) {
        require_polite_refusal(answer);
        continue;
      }
      const std::string why = failure_of([&] { require_same(subject, noted, bytes, tolerance); });
      require(why.empty(), why + " (" + noted.name + ": write them, or call report_loss)");
    }
    return tried;
  });
}

// A value that is nearly right is rejected, or comes back as it was.
void check_near_values(const Subject& subject, const Settings& settings) {
  if (!subject.entry().can_read) skip("it reads nothing, so nothing can be compared");
  Tolerance tolerance(settings);
  Problems problems;
  for (const Sample& value : fixture_values(subject))
    for (const Sample& near : nearly(value))
      problems.run(near.name, [&] {
        note(near.name);
        Encoded bytes;
        const Answer answer = subject.write(near, bytes);
        if (answer.ok())
          require_same(subject, near, bytes, tolerance);
        else
          require_polite_refusal(answer);
        problems.did(1);
      });
  problems.check("no fixture that is read has members or an array");
}

void check_deterministic(const Subject& subject, const Settings& settings) {
  const SubjectPointer other = open_subject(settings, subject.entry());
  for_each_written(subject, {}, [&](const Sample& value, const Encoded& bytes) {
    Encoded second;
    require(subject.write(value, second).ok() && bytes.parts == second.parts,
            "the second time gives other bytes");
    require(other->write(value, second).ok() && bytes.parts == second.parts,
            "another instance gives other bytes");
  });
}

void check_small_windows(const Subject& subject, const Settings&) {
  CallSettings small;
  small.small_windows = true;
  for_each_written(subject, small, [&](const Sample& value, const Encoded& narrow) {
    Encoded wide;
    require(subject.write(value, wide).ok() && wide.parts == narrow.parts,
            "gives other bytes where windows are small");
  });
}

// Each place where the sink can refuse.
void check_refusing_sink(const Subject& subject, const Settings&) {
  CallSettings counting;
  counting.small_windows = true;
  Usage usage;
  counting.usage = &usage;
  for_each_written(subject, counting, [&](const Sample& value, const Encoded& whole) {
    const std::uint64_t requests = usage.sink_requests;
    const std::uint64_t step = requests / tries_for(whole.size(), 40) + 1;
    for (std::uint64_t i = 0; i < requests; i += step) {
      CallSettings refusing = counting;
      refusing.refuse_sink = i;
      Encoded cut;
      const Answer answer = subject.write(value, cut, refusing);
      require(answer.code == POLYCODEC_ERROR_MEMORY || answer.code == POLYCODEC_ERROR_LIMIT,
              "request " + std::to_string(i) +
                  " of the sink failed for lack of memory: " + answer.text());
    }
  });
}

void check_output_limit(const Subject& subject, const Settings&) {
  for_each_written(subject, {}, [&](const Sample& value, const Encoded& whole) {
    if (whole.size() == 0) return;
    CallSettings bounded;
    bounded.limits.max_output_bytes = whole.largest_part() - 1;
    Encoded cut;
    const Answer answer = subject.write(value, cut, bounded);
    require(answer.code == POLYCODEC_ERROR_LIMIT,
            "more than max_output_bytes is answered by " + answer.text() + " instead of limit");
  });
}

}  // namespace

std::span<const SubjectCase> write_cases() {
  static constexpr SubjectCase cases[] = {
      {for_values | writing | due, "writes",
       "it writes something: a value of the corpus, or of a fixture", check_writes},
      {for_values | writing, "round-trip",
       "values of the corpus and of fixtures come back equal, or are rejected politely",
       check_round_trip},
      {for_codecs | writing, "near-values",
       "a value that is nearly that of a fixture comes back equal, or is rejected politely",
       check_near_values},
      {for_codecs | writing, "strides",
       "a value is written alike, however its elements lie in memory", check_strides},
      {for_codecs | writing, "metadata", "metadata come back, or their loss is reported",
       check_metadata},
      {for_values | writing, "deterministic", "the same value gives the same bytes",
       check_deterministic},
      {for_codecs | for_filters | writing, "small-windows",
       "windows of any size give the same bytes", check_small_windows},
      {for_codecs | for_filters | writing, "refusing-sink",
       "a sink that fails ends the call with an error", check_refusing_sink},
      {for_codecs | for_filters | writing, "output-limit", "max_output_bytes is honored",
       check_output_limit},
  };
  return cases;
}

}  // namespace polycodec::kit
