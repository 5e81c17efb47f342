// SPDX-License-Identifier: MIT
// Limits, the budget of work, and canceling: whatever the input says, the call stays within what
// the host allows.
#include <polycodec/builder.hpp>

#include "cases.hpp"

#include <algorithm>

namespace polycodec::kit {
namespace {

constexpr std::size_t largest_limited = 65536;

// Reads every sample with a small limit. A value that comes out has been checked against the limits
// by Subject::read(); what is refused must be refused as a limit.
template <class T>
void check_under(const Subject& subject, const Settings& settings, T polycodec_limits::*limit,
                 T most, const char* name) {
  CallSettings tight;
  tight.limits.*limit = most;
  for_each_sample(subject, settings, largest_limited, [&](const Encoded& sample) {
    Reading value;
    const Answer answer = subject.read(sample, value, tight);
    require(answer.ok() || answer.code == POLYCODEC_ERROR_LIMIT,
            std::string("with a small ") + name + ": " + answer.text() +
                ", where a limit is the reason");
  });
}

void check_depth(const Subject& subject, const Settings& settings) {
  check_under(subject, settings, &polycodec_limits::max_depth, 3u, "max_depth");
}
void check_nodes(const Subject& subject, const Settings& settings) {
  check_under(subject, settings, &polycodec_limits::max_nodes, std::uint64_t{4}, "max_nodes");
}
void check_elements(const Subject& subject, const Settings& settings) {
  check_under(subject, settings, &polycodec_limits::max_elements, std::uint64_t{2}, "max_elements");
}
void check_memory(const Subject& subject, const Settings& settings) {
  for (const std::uint64_t bytes : {0u, 1024u, 20000u})
    check_under(subject, settings, &polycodec_limits::max_memory_bytes, bytes, "max_memory_bytes");
}

// -- the budget -----------------------------------------------------------------------------------

void check_work(const Subject& subject, const Settings& settings) {
  for_each_call(subject, settings, largest_limited, [](const std::string& what, auto run) {
    Usage usage;
    CallSettings counting;
    counting.usage = &usage;
    if (!run(counting).ok()) return;
    const std::uint64_t work = usage.work;
    for (const std::uint64_t units : {std::uint64_t{0}, work / 2, work - 1}) {
      if (units >= work) continue;
      CallSettings tight;
      tight.limits.max_work = units;
      const Answer answer = run(tight);
      require(answer.code == POLYCODEC_ERROR_LIMIT,
              what + " takes " + std::to_string(work) + " units of work; with " +
                  std::to_string(units) + " it answers " + answer.text() + " instead of limit");
    }
  });
}

// Small inputs may be done before the plugin asks; large ones must end: see check_charges().
void check_cancelled(const Subject& subject, const Settings& settings) {
  CallSettings cancelled;
  cancelled.cancelled = true;
  for_each_call(subject, settings, largest_limited, [&](const std::string& what, auto run) {
    if (!run(CallSettings()).ok()) return;
    const Answer answer = run(cancelled);
    require(answer.ok() || answer.code == POLYCODEC_ERROR_CANCELLED,
            what + ", cancelled: " + answer.text());
  });
}

/// Values that are much work for all who take them, with the units that they cost at least: a
/// sixteenth of an item each, or of 16 bytes.
struct Heavy {
  Sample value;
  std::uint64_t least_work;
};

std::vector<Heavy> heavy_values(Kind kind) {
  std::vector<Heavy> heavy;
  constexpr std::uint64_t count = 2000000;
  if (kind == Kind::codec) {
    for (const bool texts : {false, true})
      heavy.push_back({build_sample(texts ? "2000000 strings" : "2000000 items",
                                    [&](Builder& out) {
                                      // No two neighbors alike, so that no codec can take the list
                                      // for an array.
                                      ListBuilder list = out.list();
                                      for (std::uint64_t i = 0; i < count; ++i)
                                        list.push(texts   ? Builder::string_view("some text")
                                                  : i % 2 ? Builder::null()
                                                          : Builder::integer(300));
                                      return Node(list);
                                    }),
                       count / 16});
    return heavy;
  }
  std::string bytes(std::size_t{32} << 20, '\0');
  std::uint32_t random = 1;
  for (char& c : bytes) c = static_cast<char>((random = random * 1664525 + 1013904223) >> 30);
  heavy.push_back({build_sample("32 MiB",
                                [&](Builder& out) {
                                  const Node blob = out.bytes_copy(bytes);
                                  if (kind == Kind::filter) return blob;
                                  ObjectBuilder blobs = out.object();
                                  blobs.push("a", blob);
                                  return Node(blobs);
                                }),
                   bytes.size() / 16 / 16});
  return heavy;
}

// What is much work must be charged, and so it also ends when the host cancels it.
void check_charges(const Subject& subject, const Settings&) {
  Usage usage;
  CallSettings counting;
  counting.usage = &usage;
  CallSettings cancelled;
  cancelled.cancelled = true;
  for (const Heavy& heavy : heavy_values(subject.entry().kind)) {
    const auto check = [&](const char* function, const Answer& stopped) {
      require(usage.work >= heavy.least_work, std::string(function) + " of " + heavy.value.name +
                                                  " was charged " + std::to_string(usage.work) +
                                                  " units of work, at least " +
                                                  std::to_string(heavy.least_work) + " are due");
      require(stopped.code == POLYCODEC_ERROR_CANCELLED,
              std::string(function) + " of " + heavy.value.name + " does not end when cancelled");
    };
    note("writing " + heavy.value.name);
    Encoded encoded;
    Encoded unused;
    if (!subject.write(heavy.value, encoded, counting).ok()) continue;
    check("writing", subject.write(heavy.value, unused, cancelled));
    if (!subject.entry().can_read) return;
    note("reading " + heavy.value.name);
    Reading value;
    const Answer read = subject.read(encoded, value, counting);
    require(read.ok(), "what was written is not read: " + read.text());
    // A store gives its blobs in place: only a codec and a filter make something.
    if (subject.entry().kind != Kind::store)
      check("reading", subject.read(encoded, value, cancelled));
    return;
  }
  skip("it writes none of the values that are much work");
}

}  // namespace

std::span<const SubjectCase> limit_cases() {
  static constexpr SubjectCase cases[] = {
      {for_all | reading, "max-depth", "reading honors max_depth", check_depth},
      {for_all | reading, "max-nodes", "reading honors max_nodes", check_nodes},
      {for_all | reading, "max-elements", "reading honors max_elements", check_elements},
      {for_all | reading, "max-memory", "reading honors max_memory_bytes", check_memory},
      {for_all, "max-work", "a call ends with a limit where its budget of work ends", check_work},
      {for_all, "cancel", "a cancelled call ends as cancelled, or was done before",
       check_cancelled},
      {for_values | writing, "charges", "much work is charged, and ends when it is cancelled",
       check_charges},
  };
  return cases;
}

}  // namespace polycodec::kit
