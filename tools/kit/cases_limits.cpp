// SPDX-License-Identifier: MIT
// Limits, the budget of work, and canceling: whatever the input says, the call stays within what
// the host allows.
#include <polycodec/builder.hpp>

#include "cases.hpp"
#include "layouts.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace polycodec::kit {
namespace {

constexpr const char* nothing_called = "no call of it succeeds";

/// Requires that an answer under a small limit is a limit, if it is an error.
unsigned require_limit(const Answer& answer, const char* name) {
  require(
      answer.ok() || answer.code == POLYCODEC_ERROR_LIMIT,
      std::string("with a small ") + name + ": " + answer.text() + ", where a limit is the reason");
  return 1;
}

// Reads every sample with a small limit, and calls a function with values of every kind. A value
// that comes out has been checked against the limits by Subject; what is refused must be refused as
// a limit.
template <class T>
void check_under(const Subject& subject, T polycodec_limits::*limit, T most, const char* name) {
  CallSettings tight;
  tight.limits.*limit = most;
  if (subject.entry().kind == Kind::function)
    return for_each_call(subject, nothing_called, [&](const std::string&, auto run, std::size_t) {
      return run(CallSettings()).ok() ? require_limit(run(tight), name) : 0u;
    });
  for_each_sample(subject, nothing_called, [&](const Encoded& sample) {
    Reading value;
    return require_limit(subject.read(sample, value, tight), name);
  });
}

void check_depth(const Subject& subject, const Settings&) {
  check_under(subject, &polycodec_limits::max_depth, 3u, "max_depth");
}
void check_nodes(const Subject& subject, const Settings&) {
  check_under(subject, &polycodec_limits::max_nodes, std::uint64_t{4}, "max_nodes");
}
void check_elements(const Subject& subject, const Settings&) {
  check_under(subject, &polycodec_limits::max_elements, std::uint64_t{2}, "max_elements");
}
void check_memory(const Subject& subject, const Settings&) {
  for (const std::uint64_t bytes : {0u, 1024u, 20000u})
    check_under(subject, &polycodec_limits::max_memory_bytes, bytes, "max_memory_bytes");
}

// -- the budget -----------------------------------------------------------------------------------

void check_work(const Subject& subject, const Settings& settings) {
  // A module is charged for its time, too, which is another in each run.
  const bool is_module = settings.library.extension() == ".wasm";
  for_each_call(subject, nothing_called, [&](const std::string& what, auto run, std::size_t) {
    Usage usage;
    CallSettings counting;
    counting.usage = &usage;
    if (!run(counting).ok()) return 0u;
    const std::uint64_t work = usage.work;
    for (const std::uint64_t units : {std::uint64_t{0}, work / 2, work - 1}) {
      if (units >= work) continue;
      CallSettings tight;
      tight.limits.max_work = units;
      tight.usage = &usage;
      const Answer answer = run(tight);
      if (is_module && answer.ok() && usage.work <= units) continue;
      require(answer.code == POLYCODEC_ERROR_LIMIT,
              what + " takes " + std::to_string(work) + " units of work; with " +
                  std::to_string(units) + " it answers " + answer.text() + " instead of limit");
    }
    return 1u;
  });
}

// Small inputs may be done before the plugin asks; large ones must end: see check_charges().
void check_cancelled(const Subject& subject, const Settings&) {
  CallSettings cancelled;
  cancelled.cancelled = true;
  for_each_call(subject, nothing_called, [&](const std::string& what, auto run, std::size_t) {
    if (!run(CallSettings()).ok()) return 0u;
    const Answer answer = run(cancelled);
    require(answer.ok() || answer.code == POLYCODEC_ERROR_CANCELLED,
            what + ", cancelled: " + answer.text());
    return 1u;
  });
}

/// Values that are much work, with the units that writing and reading cost at least. What is
/// copied, made or looked at costs a unit for 16 bytes. A sixteenth of that is due, and of an item.
struct Heavy {
  Sample value;
  std::uint64_t least_work;  ///< for what the value is, whatever is copied
};

/// 32 MiB of words that compress.
Heavy heavy_bytes(Kind kind) {
  std::string bytes(std::size_t{32} << 20, '\0');
  std::uint32_t random = 1;
  for (char& c : bytes) c = static_cast<char>((random = random * 1664525 + 1013904223) >> 30);
  return {build_sample("32 MiB",
                       [&](Builder& out) {
                         const Node blob = out.bytes_copy(bytes);
                         if (kind == Kind::filter) return blob;
                         ObjectBuilder blobs = out.object();
                         blobs.push("a", blob);
                         return Node(blobs);
                       }),
          bytes.size() / 16 / 16};
}

Heavy heavy_list(bool texts) {
  constexpr std::uint64_t count = 2000000;
  return {build_sample(texts ? "2000000 strings" : "2000000 items",
                       [&](Builder& out) {
                         // No two neighbors alike, so that no codec can take the list for an array.
                         ListBuilder list = out.list();
                         for (std::uint64_t i = 0; i < count; ++i)
                           list.push(texts   ? Builder::string_view("some text")
                                     : i % 2 ? Builder::null()
                                             : Builder::integer(300));
                         return Node(list);
                       }),
          count / 16};
}

/// Elements with gaps, which cannot be referred to: `shape` of a dtype.
Heavy heavy_array(const char* name, std::uint32_t dtype, std::uint32_t item,
                  std::vector<std::int64_t> shape) {
  Sample value = build_sample(name, [&](Builder& out) {
    std::uint64_t size = item;
    for (const std::int64_t n : shape) size *= static_cast<std::uint64_t>(n);
    auto* const bytes = out.allocate<std::uint8_t>(size);
    for (std::uint64_t i = 0; i < size; ++i) bytes[i] = static_cast<std::uint8_t>(i * 7 % 64);
    return Builder::array(out.ndarray(to_string_view(bytes, size), dtype, item, shape));
  });
  return {*placed(value, Placement::all_apart), 0};
}

Heavy heavy_table() {
  constexpr std::uint64_t rows = 300000;
  return {
      build_sample("a table of 300000 rows",
                   [&](Builder& out) {
                     auto* const x = out.allocate<double>(rows);
                     auto* const ends = out.allocate<std::int64_t>(rows + 1);
                     auto* const letters = out.allocate<std::uint8_t>(rows);
                     for (std::uint64_t i = 0; i < rows; ++i) {
                       x[i] = static_cast<double>(i % 1000);
                       letters[i] = static_cast<std::uint8_t>('a' + i % 26);
                     }
                     for (std::uint64_t i = 0; i <= rows; ++i)
                       ends[i] = static_cast<std::int64_t>(i);
                     const std::string_view names[] = {"x", "name"};
                     const polycodec_array* columns[] = {
                         out.vector(std::span<const double>(x, rows)),
                         out.list_offsets(std::span<const std::int64_t>(ends, rows + 1),
                                          out.vector(std::span<const std::uint8_t>(letters, rows)),
                                          POLYCODEC_ARRAY_STRING)};
                     return Builder::array(out.record(rows, names, columns));
                   }),
      0};
}

/// Columns of numbers: members of an object, or of an array.
Heavy heavy_columns(bool object, std::uint64_t rows, std::uint64_t columns) {
  const std::string name = (object ? "an object of " : "a table of ") + std::to_string(columns) +
                           " columns, " + std::to_string(rows) + " rows";
  return {build_sample(name,
                       [&](Builder& out) {
                         auto* const x = out.allocate<double>(rows);
                         auto* const n = out.allocate<std::int32_t>(rows);
                         for (std::uint64_t i = 0; i < rows; ++i) {
                           x[i] = static_cast<double>(i % 1000) / 8;
                           n[i] = static_cast<std::int32_t>(i % 100000);
                         }
                         std::vector<const polycodec_array*> arrays;
                         std::vector<std::string_view> names;
                         for (std::uint64_t i = 0; i < columns; ++i) {
                           names.push_back(out.copy_text("c" + std::to_string(i)));
                           arrays.push_back(
                               i % 2 == 0 ? out.vector(std::span<const double>(x, rows))
                                          : out.vector(std::span<const std::int32_t>(n, rows)));
                         }
                         if (!object) return Builder::array(out.record(rows, names, arrays));
                         ObjectBuilder members = out.object();
                         for (std::uint64_t i = 0; i < columns; ++i)
                           members.push(names[i], Builder::array(arrays[i]));
                         return Node(members);
                       }),
          0};
}

/// Writes and reads a heavy value; false if it is not written.
bool check_heavy(const Subject& subject, const Heavy& heavy) {
  Usage usage;
  CallSettings counting;
  counting.usage = &usage;
  CallSettings cancelled;
  cancelled.cancelled = true;
  const auto check = [&](const std::string& function, std::uint64_t least, auto run_again) {
    // Small parts may be free, large ones not.
    constexpr std::uint64_t free = std::uint64_t{1} << 20;
    const std::uint64_t bytes = usage.copied + usage.made + usage.looked;
    const std::uint64_t due = std::max(least, bytes < free ? 0 : bytes / 16 / 16);
    const std::string what = function + " of " + heavy.value.name;
    require(usage.work >= due, what + " was charged " + std::to_string(usage.work) +
                                   " units of work, at least " + std::to_string(due) +
                                   " are due (" + std::to_string(bytes) +
                                   " bytes were copied, made or looked at)");
    if (due == 0) return;
    const Answer stopped = run_again(cancelled);
    require(stopped.code == POLYCODEC_ERROR_CANCELLED, what + " does not end when cancelled");
  };
  note("writing " + heavy.value.name);
  Encoded encoded;
  if (!subject.write(heavy.value, encoded, counting).ok()) return false;
  check("writing", heavy.least_work, [&](const CallSettings& how) {
    Encoded unused;
    return subject.write(heavy.value, unused, how);
  });
  if (!subject.entry().can_read) return true;
  note("reading " + heavy.value.name);
  usage = {};
  Reading value;
  const Answer read = subject.read(encoded, value, counting);
  require(read.ok(), "what was written is not read: " + read.text());
  // A store gives its blobs in place: only a codec and a filter make something.
  if (subject.entry().kind == Kind::store) return true;
  const auto read_again = [&](const CallSettings& how) {
    return subject.read(encoded, value, how);
  };
  check("reading", heavy.least_work, read_again);
  if (subject.entry().kind != Kind::codec || encoded.is_store || encoded.size() == 0) return true;
  // What is rejected at its end has been read.
  encoded.parts[0].second.pop_back();
  usage = {};
  if (!subject.read(encoded, value, counting).ok())
    check("reading what is cut short", 0, read_again);
  return true;
}

// What is much work must be charged, and so it also ends when the host cancels it.
void check_charges(const Subject& subject, const Settings&) {
  Problems problems;
  const auto check = [&](const Heavy& heavy) {
    bool written = false;
    problems.run(heavy.value.name, [&] { written = check_heavy(subject, heavy); });
    problems.did(written ? 1 : 0);
    return written;
  };
  if (subject.entry().kind != Kind::codec) {
    check(heavy_bytes(subject.entry().kind));
  } else {
    if (!check(heavy_list(false))) check(heavy_list(true));
    check(heavy_array("a column of 500000", POLYCODEC_DTYPE_FLOAT64, 8, {500000}));
    check(heavy_array("a picture of 1000 x 1000 x 3", POLYCODEC_DTYPE_UINT8, 1, {1000, 1000, 3}));
    check(heavy_table());
    for (const bool object : {false, true}) {
      const Heavy columns = heavy_columns(object, 300000, 2);
      check(columns);
      check({*placed(columns.value, Placement::all_apart), 0});
      check(heavy_columns(object, 2, 10000));
    }
    std::vector<Sample> values = fixture_values(subject);
    constexpr std::size_t most = 12;
    const std::size_t step = values.size() / most + 1;
    for (std::size_t i = 0; i < values.size(); i += step) {
      note("enlarging " + values[i].name);
      const std::optional<Sample> large = enlarged(values[i]);
      if (!large || !check({*large, 0})) continue;
      if (const auto apart = placed(*large, Placement::all_apart)) check({*apart, 0});
    }
  }
  problems.check("it writes none of the values that are much work");
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
