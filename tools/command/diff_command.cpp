// SPDX-License-Identifier: MIT
// `polycodec diff`: where two values differ, whatever formats they are in.
#include "commands.hpp"
#include "core/value/budget.hpp"
#include "core/value/differences.hpp"
#include "core/value/host_meter.hpp"
#include "registry/choose/descriptions.hpp"
#include "tools/common/terminal.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace polycodec::cli {
namespace {

struct DiffWish {
  std::string a, b, from_b, from_b_options;
  Tolerance tolerance;
  bool ignore_attributes = false;
  bool by_value = false;
  bool unordered = false;
  std::uint64_t most = 100;
};

std::string shortest(double number) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, number).ptr};
}

std::string differences_text(const Differences& all) {
  std::string text;
  std::uint64_t kept = 0;
  for (const DifferenceGroup& group : all.groups) {
    kept += group.count;
    if (group.count > 1) {
      text += styled(Style::bold, group.pattern) + ": " + std::to_string(group.count) +
              " differences (" + std::string(difference_word(group.kind)) + ")";
      if (group.deviation > 0) text += ", the largest is " + shortest(group.deviation);
      text += "\n";
    }
    for (const Difference& one : group.first)
      text += (group.count > 1 ? "  " : "") + one.path + ": " + one.reason + "\n";
    if (group.count > group.first.size()) text += "  ...\n";
  }
  if (kept < all.count)
    text +=
        std::to_string(all.count - kept) + " differences at other places; use --max to see more\n";
  return text;
}

void check_tolerance(const char* option, double value) {
  if (!(value >= 0) || !std::isfinite(value))
    throw Error(Status::option, "invalid " + std::string(option) + " '" + shortest(value) +
                                    "': must be a number of at least 0");
}

int compare_files(Context& context, const DiffWish& wish) {
  context.compares = true;
  check_tolerance("--abs", wish.tolerance.absolute);
  check_tolerance("--rel", wish.tolerance.relative);
  if (wish.a == "-" && wish.b == "-")
    throw Error(Status::option, "A and B are both standard input: give a file for one of them");
  const Read a = context.read_file(wish.a);
  if (!wish.from_b.empty()) {
    context.options.from = wish.from_b;
    context.options.from_options.clear();
    context.options.from_filters.clear();
  }
  if (!wish.from_b_options.empty()) context.options.from_options = wish.from_b_options;
  const Read b = context.read_file(wish.b);

  CompareOptions options;
  options.unordered_objects = wish.unordered;
  options.metadata = !wish.ignore_attributes;
  options.numbers_by_value = options.floats_by_value = options.lists_by_content = wish.by_value;
  if (wish.tolerance.absolute > 0 || wish.tolerance.relative > 0) options.floats_by_value = true;
  options.max_depth = context.limits().max_depth;
  options.budget = make_budget(context.limits(), &interrupted());
  // What was read of both, not of the last one alone.
  for (const Value* value : {&a.value, &b.value}) add_origin(*options.budget, *value);
  DifferenceBounds bounds;
  bounds.groups = static_cast<std::size_t>(wish.most);
  const Activity activity("Comparing", !context.options.quiet);
  const Differences all =
      all_differences(View(a.value.view()), View(b.value.view()), options, wish.tolerance, bounds);

  const auto side = [](const std::string& file, const Read& read) {
    return Json{{"file", file}, {"codec", std::string(read.codec_name())}};
  };
  if (context.options.json)
    context.print_json(Json{{"ok", all.empty()},
                            {"a", side(wish.a, a)},
                            {"b", side(wish.b, b)},
                            {"count", all.count},
                            {"groups", groups_json(all, true)}});
  else if (!all.empty())
    context.print(differences_text(all));
  return all.empty() ? exit_done : exit_refused;
}

}  // namespace

void describe_diff(Command& command, Context& context) {
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
  context.add_input_options(command);
  context.add_common_options(command);
  command.run = [&context, wish] { return compare_files(context, *wish); };
}

}  // namespace polycodec::cli
