// SPDX-License-Identifier: MIT
// `polycodec fastbin infer`: a schema for what a file holds.
#include "fastbin/schema/infer.hpp"

#include "commands.hpp"
#include "fastbin/schema/print.hpp"

#include <memory>

namespace polycodec::cli {
namespace {

struct Wish {
  std::string file;
  std::string root = "Root";
  std::string name_space = "inferred";
};

int run(Context& context, const Wish& wish) {
  const auto decoded = context.read_file(wish.file);
  const fastbin::Schema schema =
      fastbin::infer_schema(NodeView(decoded.value.view()), wish.root, wish.name_space);
  context.write_output(fastbin::schema_to_json(schema), context.options.output);
  return exit_done;
}

}  // namespace

void describe_fastbin_infer(Command& command, Context& context) {
  command.help = "Write the schema with which a file's value can be encoded";
  auto wish = std::make_shared<Wish>();
  command.add("FILE", &wish->file, "A file of any format, or typed JSON; - is standard input")
      .required();
  command.add("--root NAME", &wish->root, "Name of the outermost struct").show_default();
  command.add("--namespace NAME", &wish->name_space, "Namespace of the schema").show_default();
  command.add("-o,--output OUT", &context.options.output, "Write there instead of standard output");
  context.add_input_options(command);
  // The output is one JSON object anyway: the option makes errors JSON, too.
  context.add_common_options(command);
  command.run = [&context, wish] { return run(context, *wish); };
}

}  // namespace polycodec::cli
