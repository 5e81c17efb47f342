// SPDX-License-Identifier: MIT
// `polycodec fastbin generate`: code that reads and writes the buffers of a schema.
#include "fastbin/generator/generate.hpp"

#include <base/quote.hpp>
#include <polycodec/sink.hpp>

#include "commands.hpp"
#include "fastbin/schema/names.hpp"
#include "fastbin/schema/parse.hpp"

#include <filesystem>
#include <memory>

namespace polycodec::cli {
namespace {

namespace fs = std::filesystem;

struct Wish {
  std::string schema;
  std::string language = "cpp";
  std::string directory;
  std::string name;
};

int run(Context& context, const Wish& wish) {
  const std::string name = wish.name.empty() ? fastbin::default_name(wish.schema) : wish.name;
  if (const std::string problem = fastbin::name_problem(name); !problem.empty())
    throw Error(Status::option, problem);
  const Source source = context.open_input(wish.schema);
  const fastbin::Schema schema =
      fastbin::parse_schema(source.bytes(), wish.schema == "-" ? "standard input" : wish.schema);
  const std::vector<fastbin::GeneratedFile> files = wish.language == "julia"
                                                        ? fastbin::generate_julia(schema, name)
                                                        : fastbin::generate_cpp(schema, name);

  std::error_code error;
  fs::create_directories(wish.directory, error);
  if (error)
    throw Error(Status::io, "cannot make " + quote_path(wish.directory) + ": " + error.message());
  std::vector<std::string> written;
  for (const fastbin::GeneratedFile& file : files) {
    const fs::path path = fs::path(wish.directory) / file.name;
    write_file(path, file.text, {.root = wish.directory});
    written.push_back(path.string());
  }
  if (context.options.json) {
    context.print_json(Json{{"ok", true}, {"files", written}});
  } else if (!context.options.quiet) {
    std::string lines;
    for (const std::string& path : written) lines += (lines.empty() ? "" : "\n") + path;
    context.print(lines);
  }
  return exit_done;
}

}  // namespace

void describe_fastbin_generate(Command& command, Context& context) {
  command.help = "Write code that reads and writes the buffers of a schema, and print its files";
  auto wish = std::make_shared<Wish>();
  command.add("SCHEMA", &wish->schema, "The schema, a JSON file; - reads it from standard input")
      .required();
  command.add("--language", &wish->language, "cpp or julia")
      .one_of({"cpp", "julia"})
      .show_default();
  command
      .add("-o,--out-dir DIR", &wish->directory,
           "The directory to write to, made if it is not there")
      .required();
  command.add("--name NAME", &wish->name,
              "Name of the generated file (default: that of SCHEMA up to its first dot)");
  context.add_json_option(command);
  command.add("--quiet", &context.options.quiet, "Do not print the files");
  command.run = [&context, wish] { return run(context, *wish); };
}

}  // namespace polycodec::cli
