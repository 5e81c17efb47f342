// SPDX-License-Identifier: MIT
// `polycodec fastbin infer`: a schema for what a file holds.
#include "fastbin/schema/infer.hpp"
#include "fastbin/schema/print.hpp"
#include "fastbin_command.hpp"

#include <memory>

namespace polycodec::cli {
namespace {

struct Wish {
  std::string file;
  std::string root = "Root";
  std::string name_space = "inferred";
};

int run(Context& context, const Wish& wish) {
  const Source source = context.open_input(wish.file);
  const auto decoded = context.decode(source);
  const fastbin::Schema schema = fastbin::infer_schema(Item(decoded.value.view()), wish.root, wish.name_space);
  context.write_output(fastbin::schema_to_json(schema), context.options.output);
  return exit_done;
}

}  // namespace

void add_fastbin_infer(CLI::App& fastbin, Context& context, Action& action) {
  CLI::App* command = fastbin.add_subcommand("infer", "Write the schema with which a file's value can be encoded");
  auto wish = std::make_shared<Wish>();
  command->add_option("FILE", wish->file, "A file of any format, or text notation; - is standard input")->required();
  command->add_option("--root", wish->root, "Name of the outermost struct")->type_name("NAME")->capture_default_str();
  command->add_option("--namespace", wish->name_space, "Namespace of the schema")
      ->type_name("NAME")
      ->capture_default_str();
  command->add_option("-o,--output", context.options.output, "Write there instead of standard output")
      ->type_name("OUT");
  context.add_input_options(*command);
  context.add_registry_options(*command);
  context.add_json_option(*command);  // the output is one JSON object anyway; the option makes errors JSON, too
  command->callback([&, wish] { action = [&, wish] { return run(context, *wish); }; });
}

}  // namespace polycodec::cli
