// SPDX-License-Identifier: MIT
// `polycodec fastbin verify`: whether a file is a buffer of a schema.
#include "fastbin_command.hpp"

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
  if (wish.strict) options.update(Json{{"utf8", "strict"}, {"unknown_enum", "refuse"}, {"trailing", "refuse"}});
  context.options.from = "fastbin";
  context.options.from_options = options.dump();
  const Source source = context.open_input(wish.file);
  const auto decoded = context.decode(source);
  if (context.options.json)
    context.print_json(Json{{"ok", true}, {"file", wish.file}, {"bytes", source.bytes().size()}});
  else
    context.remark(wish.file + ": valid");
  return exit_done;
}

}  // namespace

void add_fastbin_verify(CLI::App& fastbin, Context& context, Action& action) {
  CLI::App* command = fastbin.add_subcommand("verify", "Check every size, count, index and truth value of a buffer");
  auto wish = std::make_shared<Wish>();
  command->add_option("SCHEMA", wish->schema, "The schema, a JSON file")->required();
  command->add_option("FILE", wish->file, "The buffer; - is standard input")->required();
  command->add_option("--root", wish->root, "The struct that it holds (default: the one that no other uses)")
      ->type_name("NAME");
  command->add_flag("--strict", wish->strict,
                    "Refuse enum values without a name, texts that are not UTF-8 and bytes behind the root as well");
  context.add_registry_options(*command);
  context.add_json_option(*command);
  command->callback([&, wish] { action = [&, wish] { return run(context, *wish); }; });
}

}  // namespace polycodec::cli
