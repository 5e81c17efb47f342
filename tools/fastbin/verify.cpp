// SPDX-License-Identifier: MIT
// `polycodec fastbin verify`: whether a file is a buffer of a schema.
#include <polycodec/text.hpp>

#include "commands.hpp"

#include <memory>

namespace polycodec::cli {
namespace {

struct Wish {
  std::string schema, file, root;
  bool strict = false;
};

int run(Context& context, const Wish& wish) {
  Json options{{"schema_file", wish.schema}};
  if (!wish.root.empty()) options["root"] = wish.root;
  if (wish.strict) {
    options["utf8"] = "strict";
    options["unknown_enum"] = "refuse";
    options["trailing"] = "refuse";
  }
  context.options.from = "fastbin";
  context.options.from_options = options.text(json_compact);
  const Source source = context.open_input(wish.file);
  const auto decoded = context.read(source);
  if (context.options.json)
    context.print_json(Json{{"ok", true}, {"file", wish.file}, {"bytes", source.bytes().size()}});
  else
    context.note(wish.file + ": valid");
  return exit_done;
}

}  // namespace

void describe_fastbin_verify(Command& command, Context& context) {
  command.help = "Check every size, count, index and boolean of a buffer";
  auto wish = std::make_shared<Wish>();
  command.add("SCHEMA", &wish->schema, "The schema, a JSON file").required();
  command.add("FILE", &wish->file, "The buffer; - is standard input").required();
  command.add("--root NAME", &wish->root,
              "The struct that it holds (default: the one that no other uses)");
  command.add("--strict", &wish->strict,
              "Reject also enum values without a name, strings that are not UTF-8 and bytes after "
              "the root");
  context.add_mapping_option(command);
  context.add_common_options(command);
  command.run = [&context, wish] { return run(context, *wish); };
}

}  // namespace polycodec::cli
