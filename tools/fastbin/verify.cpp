// SPDX-License-Identifier: MIT
// `polycodec fastbin verify`: whether a file is a buffer of a schema.
#include "commands.hpp"

#include <memory>

namespace polycodec::cli {
namespace {

struct Wish {
  std::string schema, file, root;
  bool strict = false;
};

int run_verify(const Run& run, const Wish& wish) {
  Json options{{"schema_file", wish.schema}};
  if (!wish.root.empty()) options["root"] = wish.root;
  if (wish.strict) {
    options["utf8"] = "strict";
    options["unknown_enum"] = "refuse";
    options["trailing"] = "refuse";
  }
  const Input input = run.open_input(wish.file);
  const Read decoded = run.read(input, Format{"fastbin", text_of(options)});
  if (run.out.is_json())
    run.out.print_json(Json{{"ok", true}, {"file", wish.file}, {"bytes", input.bytes().size()}});
  else
    run.out.note(wish.file + ": valid");
  return exit_done;
}

}  // namespace

void describe_fastbin_verify(Command& command, CommonOptions& options) {
  command.help = "Check every size, count, index and boolean of a buffer";
  auto wish = std::make_shared<Wish>();
  command.add("SCHEMA", &wish->schema, "The schema, a JSON file").required();
  command.add("FILE", &wish->file, "The buffer; - is standard input").required();
  command.add("--root NAME", &wish->root,
              "The struct that it holds (default: the one that no other uses)");
  command.add("--strict", &wish->strict,
              "Reject also enum values without a name, strings that are not UTF-8 and bytes after "
              "the root");
  add_mapping_option(command, options);
  add_common_options(command, options);
  command.run = [wish](const Run& run) { return run_verify(run, *wish); };
}

}  // namespace polycodec::cli
