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

int run_infer(const Run& run, const Wish& wish) {
  const Read decoded = run.read_file(wish.file);
  const fastbin::Schema schema = fastbin::infer_schema(decoded.root(), wish.root, wish.name_space);
  run.write_output(fastbin::schema_to_json(schema), run.options.output);
  return exit_done;
}

}  // namespace

void describe_fastbin_infer(Command& command, CommonOptions& options) {
  command.help = "Write the schema with which a file's value can be encoded";
  auto wish = std::make_shared<Wish>();
  command.add("FILE", &wish->file, "A file of any format, or typed JSON; - is standard input")
      .required();
  command.add("--root NAME", &wish->root, "Name of the outermost struct").show_default();
  command.add("--namespace NAME", &wish->name_space, "Namespace of the schema").show_default();
  command.add("-o,--output OUT", &options.output, "Write there instead of standard output");
  add_input_options(command, options);
  // The output is one JSON object anyway: the option makes errors JSON, too.
  add_common_options(command, options);
  command.run = [wish](const Run& run) { return run_infer(run, *wish); };
}

}  // namespace polycodec::cli
