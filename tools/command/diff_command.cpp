// SPDX-License-Identifier: MIT
// `polycodec diff`: where two values differ, whatever formats they are in.
#include "commands.hpp"
#include "common/terminal.hpp"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>

namespace polycodec::cli {
namespace {

struct DiffWish {
  std::string a, b, from_b, from_b_options;
  CompareOptions tolerance;  // of numbers
  bool ignore_attributes = false;
  bool by_value = false;
  bool unordered = false;
  std::uint64_t most = 100;
};

std::string shortest(double number) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, number).ptr};
}

std::string differences_text(const Json& all) {
  std::string text;
  std::uint64_t kept = 0;
  for (const Json& group : all["groups"]) {
    const auto count = group["count"].get<std::uint64_t>();
    kept += count;
    if (count > 1) {
      text += styled(Style::bold, group["pattern"].get_ref<const std::string&>()) + ": " +
              std::to_string(count) + " differences (" +
              group["kind"].get_ref<const std::string&>() + ")";
      if (const auto deviation = group.value("deviation", 0.0); deviation > 0)
        text += ", the largest is " + shortest(deviation);
      text += "\n";
    }
    for (const Json& one : group["first"])
      text += (count > 1 ? "  " : "") + one["path"].get<std::string>() + ": " +
              one["reason"].get_ref<const std::string&>() + "\n";
    if (count > group["first"].size()) text += "  ...\n";
  }
  const auto count = all["count"].get<std::uint64_t>();
  if (kept < count)
    text += std::to_string(count - kept) + " differences at other places; use --max to see more\n";
  return text;
}

void check_tolerance(const char* option, double value) {
  if (!(value >= 0) || !std::isfinite(value))
    throw Error(Status::option, "invalid " + std::string(option) + " '" + shortest(value) +
                                    "': must be a number of at least 0");
}

int compare_files(const Run& run, const DiffWish& wish) {
  check_tolerance("--abs", wish.tolerance.absolute);
  check_tolerance("--rel", wish.tolerance.relative);
  if (wish.a == "-" && wish.b == "-")
    throw Error(Status::option, "A and B are both standard input: give a file for one of them");
  const Read a = run.read_file(wish.a);
  Format from = run.from();
  if (!wish.from_b.empty()) from = {.codec = wish.from_b};
  if (!wish.from_b_options.empty()) from.options = wish.from_b_options;
  const Read b = run.read(run.open_input(wish.b), from);

  CompareOptions how = wish.tolerance;
  how.max_groups = wish.most;
  if (wish.unordered) how.flags |= POLYCODEC_COMPARE_UNORDERED;
  if (wish.ignore_attributes) how.flags |= POLYCODEC_COMPARE_NO_METADATA;
  if (wish.by_value)
    how.flags |= POLYCODEC_COMPARE_NUMBERS | POLYCODEC_COMPARE_FLOATS | POLYCODEC_COMPARE_LISTS;
  if (how.absolute > 0 || how.relative > 0) how.flags |= POLYCODEC_COMPARE_FLOATS;
  const Activity activity("Comparing", !run.options.quiet);
  const Json all = json_of(a.value.differences(b.value, how));
  const bool is_equal = all["count"] == 0;

  const auto side = [](const std::string& file, const Read& read) {
    return Json{{"file", file}, {"codec", read.codec_name()}};
  };
  if (run.out.is_json()) {
    Json object{{"ok", is_equal}, {"a", side(wish.a, a)}, {"b", side(wish.b, b)}};
    object.update(all);
    run.out.print_json(object);
  } else if (!is_equal) {
    run.out.print(differences_text(all));
  }
  return is_equal ? exit_done : exit_refused;
}

}  // namespace

void describe_diff(Command& command, CommonOptions& options) {
  command.help = "Show where the values of two files differ";
  command.example = "polycodec diff a.data b.data --rel 1e-6";
  auto wish = std::make_shared<DiffWish>();
  command.add("A", &wish->a, "The first file; - is standard input").required();
  command.add("B", &wish->b, "The second file").required();
  command.add("--abs NUMBER", &wish->tolerance.absolute,
              "Numbers that differ by no more than this are equal");
  command.add("--rel NUMBER", &wish->tolerance.relative,
              "Numbers that differ by no more than this share of the larger one are equal");
  command.add("--by-value", &wish->by_value,
              "Types do not count: 2 equals 2.0, NaN equals NaN, a tuple equals a list");
  command.add("--unordered", &wish->unordered, "Order of members does not count");
  command.add("--no-attributes", &wish->ignore_attributes,
              "Units and other attributes do not count");
  command.add("--max N", &wish->most, "Show no more than N places (all differences are counted)")
      .range(1, 1000000)
      .show_default();
  command.add("--from-b NAME", &wish->from_b, "Codec of B, if it is not that of --from");
  command.add("--from-b-options JSON", &wish->from_b_options, "Options of that codec as JSON");
  add_input_options(command, options);
  add_common_options(command, options);
  command.compares = true;
  command.run = [wish](const Run& run) { return compare_files(run, *wish); };
}

}  // namespace polycodec::cli
