// SPDX-License-Identifier: MIT
// `polycodec inspect`: what is in a file, for users.
#include "collection_report.hpp"
#include "commands.hpp"
#include "common/statistics.hpp"
#include "common/terminal.hpp"
#include "value_tree.hpp"

#include <unistd.h>

#include <cstdio>
#include <memory>
#include <optional>

namespace polycodec::cli {
namespace {

struct Choices {
  std::string file;
  std::size_t depth = 6;
  std::size_t most = 40;
};

Json tree_json(const TreeNode& node) {
  Json object{{"label", node.label}, {"what", node.what}};
  if (!node.preview.empty()) object["preview"] = node.preview;
  if (!node.children.empty()) {
    object["children"] = Json::array();
    for (const TreeNode& child : node.children) object["children"].push_back(tree_json(child));
  }
  if (node.omitted != 0) object["omitted"] = node.omitted;
  return object;
}

Json column_json(const ColumnStatistics& c) {
  Json object{{"path", c.path},
              {"type", dtype_name(c.dtype)},
              {"count", c.count},
              {"missing", c.missing},
              {"nan", c.nans}};
  if (c.has_numbers()) {
    object["minimum"] = format_number(c.minimum, c.dtype);
    object["maximum"] = format_number(c.maximum, c.dtype);
    if (c.finite != 0) object["mean"] = static_cast<double>(c.mean);
    object["histogram"] = c.histogram;
  }
  return object;
}

Json buffer_json(const BufferUse& b) {
  Json object{{"path", b.path}, {"role", b.role}, {"length", b.length}};
  object["offset"] = b.in_input ? Json(b.offset) : Json();
  return object;
}

std::string columns_text(const Survey& found, std::size_t most) {
  std::vector<std::vector<std::string>> rows{
      {"column", "type", "count", "missing", "minimum", "maximum", "mean", "histogram"}};
  for (const ColumnStatistics& c : found.columns) {
    if (rows.size() > most) break;
    rows.push_back({c.path, std::string(dtype_name(c.dtype)), std::to_string(c.count),
                    std::to_string(c.missing)});
    auto& row = rows.back();
    row.push_back(c.has_numbers() ? format_number(c.minimum, c.dtype) : "-");
    row.push_back(c.has_numbers() ? format_number(c.maximum, c.dtype) : "-");
    char mean[40];
    std::snprintf(mean, sizeof mean, "%.6g", static_cast<double>(c.mean));
    row.push_back(c.finite != 0 ? mean : "-");
    row.push_back(c.finite != 0 ? sparkline(c) : "");
    if (c.nans != 0) row.back() += "  " + std::to_string(c.nans) + " NaN";
  }
  std::string text = styled(Style::bold, "Numeric columns") + "\n" + text_table(rows);
  const std::uint64_t hidden = found.columns.size() + 1 - rows.size() + found.omitted_columns;
  if (hidden != 0) text += "  ... " + std::to_string(hidden) + " more (--most)\n";
  return text;
}

std::string buffers_text(const Survey& found, std::size_t most) {
  std::vector<std::vector<std::string>> rows{{"buffer", "role", "offset", "length"}};
  for (const BufferUse& b : found.buffers) {
    if (rows.size() > most) break;
    rows.push_back({b.path, b.role, b.in_input ? std::to_string(b.offset) : "in memory",
                    std::to_string(b.length)});
  }
  std::string text = styled(Style::bold, "Array buffers") + "\n" + text_table(rows);
  const std::uint64_t hidden = found.buffers.size() + 1 - rows.size();
  if (hidden != 0) text += "  ... " + std::to_string(hidden) + " more (--most)\n";
  return text;
}

/// The types of the values of a collection, where all of them were read.
std::optional<std::string> type_of(const Json& entry, const Value& value, bool only) {
  const std::string& name = entry["name"].get_ref<const std::string&>();
  if (only && name.empty()) return value.type();
  const NodeView root(value.root());
  const auto found = root.is_object() ? root.find(name) : std::nullopt;
  if (!found) return std::nullopt;
  const polycodec_item part{found->raw(), nullptr, 0};
  return value.type(&part);
}

/// `entries` with their types.
std::string entries_text(const Json& entries, std::size_t most) {
  std::vector<std::vector<std::string>> values{{"value", "bytes", "blobs", "type"}};
  std::vector<std::vector<std::string>> blobs{{"blob", "bytes", "compression"}};
  const auto text = [](const Json& of, const char* otherwise) {
    return of.is_null()     ? std::string(otherwise)
           : of.is_string() ? of.get<std::string>()
                            : text_of(of);
  };
  std::size_t all_blobs = 0;
  for (const Json& entry : entries) {
    all_blobs += entry["blobs"].size();
    if (values.size() <= most)
      values.push_back({shown_name(entry), std::to_string(blob_bytes(entry)),
                        std::to_string(entry["blobs"].size()),
                        text(entry["type"], "").substr(0, 200)});
    for (const Json& blob : entry["blobs"])
      if (blobs.size() <= most)
        blobs.push_back({text(blob["name"], ""), text(blob["bytes"], "missing"),
                         text(blob["compression"], "none")});
  }
  const auto more = [](std::size_t hidden) {
    return hidden == 0 ? std::string() : "  ... " + std::to_string(hidden) + " more (--most)\n";
  };
  std::string all = styled(Style::bold, "Values by name") + "\n" + text_table(values) +
                    more(entries.size() + 1 - values.size());
  if (all_blobs == 0) return all;
  return all + styled(Style::bold, "Blobs") + "\n" + text_table(blobs) +
         more(all_blobs + 1 - blobs.size());
}

/// What there is to say of a value.
struct Findings {
  std::string type;
  Survey survey;
  TreeNode tree;
  std::optional<Json> entries;  ///< of a collection, with their types
};

Findings look_at(const Run& run, const Choices& choices, const Input& input, const Read& decoded) {
  const Activity activity("Measuring", !run.options.quiet);
  Findings found;
  decoded.budget.walk([&] {
    found.type = decoded.value.type();
    found.survey = survey(decoded.root(), input.bytes(), run.options.threads);
    TreeOptions options;
    options.max_depth = choices.depth;
    found.tree = make_tree(decoded.value, options);
    if (decoded.match.filters.empty())  // else the values are in what filters unpack
      found.entries = entries_of(run, choices.file, decoded.codec_name());
    if (!found.entries) return;
    for (Json& entry : *found.entries) {
      const auto type = type_of(entry, decoded.value, found.entries->size() == 1);
      entry["type"] = type ? Json(*type) : Json();
    }
  });
  return found;
}

std::string chosen_how(const Match& match) {
  return std::string(chosen_by_name(match.by)) + ": " + match.reason;
}

/// The first line.
std::string heading(const Choices& choices, const Input& input, const Match& match) {
  std::string text = styled(Style::bold, choices.file) + ": " + styled(Style::name, match.codec);
  if (!match.filters.empty()) text += " in " + match.filters;
  if (!input.bytes().empty()) text += ", " + human_size(input.bytes().size());
  return text + styled(Style::dim, " (" + chosen_how(match) + ")") + "\n";
}

/// Shows the heading on a terminal before a long file is read. Returns the choice that it names, or
/// nothing if that is not known yet.
std::optional<Match> show_early(const Run& run, const Choices& choices, const Input& input) {
  constexpr std::size_t least = std::size_t{4} << 20, start = std::size_t{64} << 10;
  if (run.out.is_json() || !is_terminal(STDOUT_FILENO) || !run.options.from.empty() ||
      input.bytes().size() < least)
    return {};
  try {
    EndsAtOnce nothing_begun;
    // To choose the codec of a compressed file takes as long as to unpack it.
    const Source first = Source::view(input.bytes().substr(0, start), {.name = input.name});
    if (!run.registry().choose(first).filters.empty()) return {};
    Match match = run.registry().choose(input.source);
    nothing_begun.end();
    run.out.print(heading(choices, input, match));
    return match;
  } catch (const Error&) {
    return {};  // reading says what is wrong
  }
}

int run_inspect(const Run& run, const Choices& choices) {
  const Input input = run.open_input(choices.file);
  const std::optional<Match> shown = show_early(run, choices, input);
  Format from = run.from();
  // What errors say of a file depends on how its codec was chosen, but for its content.
  const bool is_chosen = shown && shown->by == ChosenBy::content;
  if (is_chosen) from.codec = shown->codec;
  Read decoded = run.read(input, from);
  if (is_chosen) decoded.match = *shown;
  const Findings all = look_at(run, choices, input, decoded);
  const Survey& found = all.survey;

  if (run.out.is_json()) {
    Json object{{"file", choices.file},
                {"codec", decoded.codec_name()},
                {"chosen_by", chosen_how(decoded.match)},
                {"bytes", input.bytes().size()},
                {"type", all.type}};
    if (!decoded.match.filters.empty()) object["filters"] = decoded.match.filters;
    if (decoded.value.is_partial()) object["partial"] = true;
    object["tree"] = tree_json(all.tree);
    object["columns"] = Json::array();
    for (const auto& c : found.columns) object["columns"].push_back(column_json(c));
    object["buffers"] = Json::array();
    for (const auto& b : found.buffers) object["buffers"].push_back(buffer_json(b));
    object["complete"] = found.complete;
    if (all.entries) object["values"] = *all.entries;
    run.out.print_json(object);
    return exit_done;
  }
  std::string text = heading(choices, input, decoded.match);
  if (shown && text == heading(choices, input, *shown)) text.clear();
  text += styled(Style::bold, "Type") + "\n  " +
          (all.type.size() > 2000 ? all.type.substr(0, 2000) + "..." : all.type) + "\n";
  text += styled(Style::bold, decoded.value.is_partial() ? "Part of the value" : "Value") + "\n" +
          render(all.tree, static_cast<std::size_t>(terminal_width()));
  if (all.entries) text += entries_text(*all.entries, choices.most);
  if (!found.columns.empty()) text += columns_text(found, choices.most);
  if (!found.buffers.empty()) text += buffers_text(found, choices.most);
  if (!found.complete)
    text += "  figures end here: the rest takes more than " + std::to_string(found.units) +
            " units of work\n";
  run.out.print(text);
  return exit_done;
}

}  // namespace

void describe_inspect(Command& command, CommonOptions& options) {
  command.help = "Show type, tree, statistics and buffers of a file";
  command.example = "polycodec inspect in.data";
  auto choices = std::make_shared<Choices>();
  command.add("FILE", &choices->file, "The file; - is standard input").required();
  command.add("--depth", &choices->depth, "Levels of the tree to show").show_default();
  command.add("--most", &choices->most, "Columns, buffers and values to show").show_default();
  add_projection_options(command, options);
  add_input_options(command, options);
  add_common_options(command, options);
  command.run = [choices](const Run& run) { return run_inspect(run, *choices); };
}

}  // namespace polycodec::cli
