// SPDX-License-Identifier: MIT
// `polycodec inspect`: what is in a file, for users.
#include <base/depth.hpp>
#include <base/dtype_names.hpp>
#include <model/type/print.hpp>

#include "collection_report.hpp"
#include "commands.hpp"
#include "core/convert/infer.hpp"
#include "tools/common/statistics.hpp"
#include "tools/common/terminal.hpp"
#include "value_tree.hpp"

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

Json tree_json(const TreeNode& node, std::size_t depth = 0) {
  check_stack(depth);
  Json object{{"label", node.label}, {"what", node.what}};
  if (!node.preview.empty()) object["preview"] = node.preview;
  if (!node.children.empty()) {
    object["children"] = Json::list();
    for (const TreeNode& child : node.children)
      object["children"].push_back(tree_json(child, depth + 1));
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
std::optional<std::string> type_of(const Collection::Entry& entry, NodeView root, bool only,
                                   const Limits& limits) {
  if (only && entry.name.empty()) return type::print(infer_type(root, limits));
  const auto found = root.is_object() ? root.find(entry.name) : std::nullopt;
  return found ? std::optional(type::print(infer_type(*found, limits))) : std::nullopt;
}

std::string entries_text(const std::vector<Collection::Entry>& entries, NodeView root,
                         const Limits& limits, std::size_t most) {
  std::vector<std::vector<std::string>> values{{"value", "bytes", "blobs", "type"}};
  std::vector<std::vector<std::string>> blobs{{"blob", "bytes", "compression"}};
  std::size_t all_blobs = 0;
  for (const auto& entry : entries) {
    all_blobs += entry.blobs.size();
    if (values.size() <= most)
      values.push_back(
          {shown_name(entry), std::to_string(blob_bytes(entry)), std::to_string(entry.blobs.size()),
           type_of(entry, root, entries.size() == 1, limits).value_or("").substr(0, 200)});
    for (const auto& blob : entry.blobs)
      if (blobs.size() <= most)
        blobs.push_back({blob.name, blob.bytes ? std::to_string(*blob.bytes) : "missing",
                         blob.filter.empty() ? "none" : blob.filter});
  }
  const auto more = [](std::size_t hidden) {
    return hidden == 0 ? std::string() : "  ... " + std::to_string(hidden) + " more (--most)\n";
  };
  std::string text = styled(Style::bold, "Values by name") + "\n" + text_table(values) +
                     more(entries.size() + 1 - values.size());
  if (all_blobs == 0) return text;
  return text + styled(Style::bold, "Blobs") + "\n" + text_table(blobs) +
         more(all_blobs + 1 - blobs.size());
}

int run_inspect(Context& context, const Choices& choices) {
  const Source source = context.open_input(choices.file);
  const Read decoded = context.read(source);
  const NodeView root = decoded.value.view();
  const std::string type = type::print(infer_type(root, context.limits()));
  const Activity activity("Measuring", !context.options.quiet);
  const Survey found = survey(root, source.bytes());
  TreeOptions tree_options;
  tree_options.max_depth = choices.depth;
  const TreeNode tree = make_tree(root, tree_options);
  const std::string codec(decoded.codec_name());
  const std::string chosen = std::string(chosen_by_name(decoded.by)) + ": " + decoded.reason;
  const auto entries = entries_of(context, choices.file, decoded.codec);

  if (context.options.json) {
    Json object{{"file", choices.file},
                {"codec", codec},
                {"chosen_by", chosen},
                {"bytes", source.bytes().size()},
                {"type", type}};
    if (decoded.value.is_partial()) object["partial"] = true;
    object["tree"] = tree_json(tree);
    object["columns"] = Json::list();
    for (const auto& c : found.columns) object["columns"].push_back(column_json(c));
    object["buffers"] = Json::list();
    for (const auto& b : found.buffers) object["buffers"].push_back(buffer_json(b));
    object["complete"] = found.complete;
    if (entries) {
      object["values"] = Json::list();
      for (const auto& entry : *entries) {
        object["values"].push_back(entry_json(entry));
        const auto type_text = type_of(entry, root, entries->size() == 1, context.limits());
        object["values"].back()["type"] = type_text ? Json(*type_text) : Json();
      }
    }
    context.print_json(object);
    return exit_done;
  }
  std::string text = styled(Style::bold, choices.file) + ": " + styled(Style::name, codec);
  if (source.has_bytes()) text += ", " + human_size(source.bytes().size());
  text += styled(Style::dim, " (" + chosen + ")") + "\n";
  text += styled(Style::bold, "Type") + "\n  " +
          (type.size() > 2000 ? type.substr(0, 2000) + "..." : type) + "\n";
  text += styled(Style::bold, decoded.value.is_partial() ? "Part of the value" : "Value") + "\n" +
          render(tree, static_cast<std::size_t>(terminal_width()));
  if (entries) text += entries_text(*entries, root, context.limits(), choices.most);
  if (!found.columns.empty()) text += columns_text(found, choices.most);
  if (!found.buffers.empty()) text += buffers_text(found, choices.most);
  if (!found.complete)
    text += "  figures end here: the rest takes more than " + std::to_string(found.units) +
            " units of work\n";
  context.print(text);
  return exit_done;
}

}  // namespace

void describe_inspect(Command& command, Context& context) {
  command.help = "Show type, tree, statistics and buffers of a file";
  command.example = "polycodec inspect in.data";
  auto choices = std::make_shared<Choices>();
  command.add("FILE", &choices->file, "The file; - is standard input").required();
  command.add("--depth", &choices->depth, "Levels of the tree to show").show_default();
  command.add("--most", &choices->most, "Columns, buffers and values to show").show_default();
  context.add_projection_options(command);
  context.add_input_options(command);
  context.add_common_options(command);
  command.run = [&context, choices] { return run_inspect(context, *choices); };
}

}  // namespace polycodec::cli
