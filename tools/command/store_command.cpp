// SPDX-License-Identifier: MIT
// `polycodec store`: files that hold several values, or blobs, by name.
#include <polycodec/quote.hpp>

#include "collection_report.hpp"
#include "commands.hpp"
#include "common/terminal.hpp"

#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace polycodec::cli {
namespace {

struct Wish {
  std::string file, name, in, out;
  bool unowned = false;
  bool blobs = false;
};

/// The collection that the options name.
Collection open_collection(const Run& run, const std::string& file, std::vector<Loss>& losses) {
  return Collection(run.registry(), file, run.to(), run.call(losses));
}

/// Lists the blobs of a store, whatever they are. Throws Status::unsupported for another file.
int list_blobs(const Run& run, const std::string& file) {
  const Input input = run.open_input(file);
  Json all = Json::array();
  std::string text;
  about_input(input.name, [&] {
    const OpenedStore store(run.registry(), input.source);
    for (const polycodec_store_entry& entry : store.entries()) {
      const std::string name(to_string_view(entry.name));
      all.push_back({{"name", name}, {"bytes", entry.size}});
      text += name + ": " + human_size(entry.size) + "\n";
    }
  });
  run.out.print_result({{"ok", true}, {"file", file}, {"blobs", all}},
                       text.empty() ? "no blobs" : text);
  return exit_done;
}

/// True of the errors of a file with blobs that no codec knows.
bool is_without_codec(const Error& error) {
  return error.code() == Status::not_found || error.code() == Status::ambiguous ||
         error.code() == Status::unsupported;
}

/// The values in a file; nothing where no codec is named or found for them, but the file may be a
/// store of anything.
std::optional<Json> values_of(const Run& run, const std::string& file,
                              std::optional<Error>& why_none) try {
  std::vector<Loss> losses;
  return entries_of(open_collection(run, file, losses));
} catch (const Error& error) {
  if (!run.options.to.empty() || !is_without_codec(error)) throw;
  why_none = error;
  return std::nullopt;
}

int run_list(const Run& run, const Wish& wish) {
  if (wish.blobs) return list_blobs(run, wish.file);
  std::optional<Error> why_none;
  const std::optional<Json> values = values_of(run, wish.file, why_none);
  if (!values) try {
      const int status = list_blobs(run, wish.file);
      run.out.note("these are blobs: no codec was found that reads values of them");
      return status;
    } catch (const Error& error) {
      if (error.code() != Status::unsupported) throw;
      throw *why_none;  // it is not a store at all
    }
  const Json& all = *values;
  if (run.out.is_json()) {
    run.out.print_json({{"ok", true}, {"file", wish.file}, {"values", all}});
    return exit_done;
  }
  for (const Json& entry : all) {
    std::size_t packed = 0, missing = 0;
    for (const Json& blob : entry["blobs"]) {
      packed += blob["compression"].is_null() ? 0 : 1;
      missing += blob["bytes"].is_null() ? 1 : 0;
    }
    std::string line = shown_name(entry) + ": " + human_size(blob_bytes(entry)) + " in " +
                       std::to_string(entry["blobs"].size()) + " blobs";
    if (packed != 0) line += ", " + std::to_string(packed) + " of them compressed";
    if (missing != 0)
      line += styled(Style::bad, ", " + std::to_string(missing) + " of them missing");
    run.out.print(line);
  }
  return exit_done;
}

int run_get(const Run& run, const Wish& wish) {
  const Input input = run.open_input(wish.file);
  about_input(input.name, [&] {
    const OpenedStore store(run.registry(), input.source);
    run.write_output(store.read(wish.name), wish.out);
  });
  return exit_done;
}

/// Says what was done to the value, and what stayed.
int report(const Run& run, const Wish& wish, const std::string& what, const char* where,
           const std::vector<std::string>& kept) {
  if (run.out.is_json()) {
    Json json{{"ok", true}, {"file", wish.file}, {what, wish.name}};
    if (!kept.empty()) json["kept"] = kept;
    run.out.print_json(json);
    return exit_done;
  }
  run.out.note(what + " " + quote(wish.name) + where + wish.file);
  if (!kept.empty())
    run.out.note("kept " + std::to_string(kept.size()) + " blobs of no recorded owner (" +
                 quote(kept.front()) + (kept.size() > 1 ? ", ..." : "") +
                 "): any value may name them; give --unowned to remove such blobs too");
  return exit_done;
}

int run_change(const Run& run, const Wish& wish, bool replace) {
  std::vector<Loss> losses;
  Collection collection = open_collection(run, wish.file, losses);
  const Read decoded = run.read_file(wish.in);
  std::vector<std::string> kept;
  if (replace)
    kept = collection.replace(wish.name, decoded.value, wish.unowned);
  else
    collection.add(wish.name, decoded.value);
  run.out.note_losses(losses);
  return report(run, wish, replace ? "replaced" : "added", " in ", kept);
}

int run_delete(const Run& run, const Wish& wish) {
  std::vector<Loss> losses;
  return report(run, wish, "deleted", " from ",
                open_collection(run, wish.file, losses).remove(wish.name, wish.unowned));
}

}  // namespace

void describe_store(Command& command, CommonOptions& options) {
  command.help = "List and change the values, or read the blobs, of one file";
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
      add_input_options(sub, options);
    }
    sub.add("-t,--to NAME", &options.to,
            "Codec of FILE (default: by its content, else its extension)");
    sub.add("--to-options JSON", &options.to_options, "Options of that codec as JSON");
    if (names && name != std::string_view("add"))
      sub.add("--unowned", &wish->unowned,
              "Remove what the value reads even if no owner is recorded");
    if (name == std::string_view("list"))
      sub.add("--blobs", &wish->blobs, "List the blobs alone, whatever they hold");
    add_common_options(sub, options);
    sub.run = [wish, run](const Run& with) { return run(with, *wish); };
  };
  add("list", "Print the values with their blobs, else the blobs", "", false, false, run_list);
  add("add", "Add a value (creates FILE; fails if NAME exists)", " name in.data", true, true,
      [](const Run& r, const Wish& w) { return run_change(r, w, false); });
  add("replace", "Replace a value by another", " name in.data", true, true,
      [](const Run& r, const Wish& w) { return run_change(r, w, true); });
  add("delete", "Remove a value and its blobs", " name", true, false, run_delete);

  Command& get = command.add_command("get", "Print the bytes of one blob",
                                     "polycodec store get values.data name.json -o out.json");
  auto wish = std::make_shared<Wish>();
  get.add("FILE", &wish->file, "An archive, a directory or a file of a store format").required();
  get.add("BLOB", &wish->name, "The name of the blob, as `store list --blobs` prints it")
      .required();
  get.add("-o,--output OUT", &wish->out, "Write there instead of standard output");
  add_mapping_option(get, options);
  add_sync_option(get, options);
  add_common_options(get, options);
  get.run = [wish](const Run& run) { return run_get(run, *wish); };
}

}  // namespace polycodec::cli
