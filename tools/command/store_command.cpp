// SPDX-License-Identifier: MIT
// `polycodec store`: files that hold several values by name.
#include <base/quote.hpp>

#include "collection_report.hpp"
#include "commands.hpp"
#include "tools/common/terminal.hpp"

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace polycodec::cli {
namespace {

struct Wish {
  std::string file, name, in;
  bool unowned = false;
};

Collection open_collection(Context& context, const std::string& file) {
  const auto& options = context.options;
  return Collection(context.registry(), file, options.to, options.to_options,
                    context.call_options());
}

int run_list(Context& context, const Wish& wish) {
  const auto all = open_collection(context, wish.file).list();
  if (context.options.json) {
    Json values = Json::list();
    for (const auto& entry : all) values.push_back(entry_json(entry));
    context.print_json(Json{{"ok", true}, {"file", wish.file}, {"values", std::move(values)}});
    return exit_done;
  }
  for (const auto& entry : all) {
    std::size_t packed = 0, missing = 0;
    for (const auto& blob : entry.blobs) {
      packed += blob.filter.empty() ? 0 : 1;
      missing += blob.bytes ? 0 : 1;
    }
    std::string line = shown_name(entry) + ": " + human_size(blob_bytes(entry)) + " in " +
                       std::to_string(entry.blobs.size()) + " blobs";
    if (packed != 0) line += ", " + std::to_string(packed) + " of them compressed";
    if (missing != 0)
      line += styled(Style::bad, ", " + std::to_string(missing) + " of them missing");
    context.print(line);
  }
  return exit_done;
}

/// Says what was done to the value, and what stayed.
int report(Context& context, const Wish& wish, const std::string& what, const char* where,
           const std::vector<std::string>& kept) {
  if (context.options.json) {
    Json json{{"ok", true}, {"file", wish.file}, {what, wish.name}};
    if (!kept.empty()) json["kept"] = kept;
    context.print_json(json);
    return exit_done;
  }
  context.note(what + " " + quote(wish.name) + where + wish.file);
  if (!kept.empty())
    context.note("kept " + std::to_string(kept.size()) + " blobs of no recorded owner (" +
                 quote(kept.front()) + (kept.size() > 1 ? ", ..." : "") +
                 "): any value may name them; give --unowned to remove such blobs too");
  return exit_done;
}

int run_change(Context& context, const Wish& wish, bool replace) {
  Collection collection = open_collection(context, wish.file);
  const Read decoded = context.read_file(wish.in);
  if (replace)
    return report(context, wish, "replaced", " in ",
                  collection.replace(wish.name, decoded.value.view(), wish.unowned));
  collection.add(wish.name, decoded.value.view());
  return report(context, wish, "added", " in ", {});
}

int run_delete(Context& context, const Wish& wish) {
  return report(context, wish, "deleted", " from ",
                open_collection(context, wish.file).remove(wish.name, wish.unowned));
}

}  // namespace

void describe_store(Command& command, Context& context) {
  command.help = "List and change the values of a file that holds several";
  command.example = "polycodec store list values.data";
  const auto add = [&](const char* name, const char* what, const char* operands, bool names,
                       bool reads, auto run) {
    Command& sub = command.add_command(
        name, what, std::string("polycodec store ") + name + " values.data" + operands);
    auto wish = std::make_shared<Wish>();
    sub.add("FILE", &wish->file, "The archive or directory that holds the values").required();
    if (names) sub.add("NAME", &wish->name, "The name of the value").required();
    if (reads) {
      sub.add("IN", &wish->in, "The file to read the value from; - is standard input").required();
      context.add_input_options(sub);
    }
    sub.add("-t,--to NAME", &context.options.to,
            "Codec of FILE (default: by its content, else its extension)");
    sub.add("--to-options JSON", &context.options.to_options, "Options of that codec as JSON");
    if (names && name != std::string_view("add"))
      sub.add("--unowned", &wish->unowned,
              "Remove what the value reads even if no owner is recorded");
    context.add_common_options(sub);
    sub.run = [&context, wish, run] { return run(context, *wish); };
  };
  add("list", "Print names, sizes and blobs", "", false, false, run_list);
  add("add", "Add a value (creates FILE; fails if NAME exists)", " name in.data", true, true,
      [](Context& c, const Wish& w) { return run_change(c, w, false); });
  add("replace", "Replace a value by another", " name in.data", true, true,
      [](Context& c, const Wish& w) { return run_change(c, w, true); });
  add("delete", "Remove a value and its blobs", " name", true, false, run_delete);
}

}  // namespace polycodec::cli
