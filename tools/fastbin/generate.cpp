// SPDX-License-Identifier: MIT
// `polycodec fastbin generate`: code that reads and writes the buffers of a schema.
#include "fastbin/generator/generate.hpp"

#include <polycodec/quote.hpp>

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

int run_generate(const Run& run, const Wish& wish) {
  const std::string name = wish.name.empty() ? fastbin::default_name(wish.schema) : wish.name;
  if (const std::string problem = fastbin::name_problem(name); !problem.empty())
    throw Error(Status::option, problem);
  const Input input = run.open_input(wish.schema);
  const fastbin::Schema schema = fastbin::parse_schema(input.bytes(), input.name);
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
    run.registry().write_bytes(file.text, path.string(), {.root = wish.directory});
    written.push_back(path.string());
  }
  if (run.out.is_json()) {
    run.out.print_json(Json{{"ok", true}, {"files", written}});
  } else if (!run.out.is_quiet()) {
    std::string lines;
    for (const std::string& path : written) lines += (lines.empty() ? "" : "\n") + path;
    run.out.print(lines);
  }
  return exit_done;
}

}  // namespace

void describe_fastbin_generate(Command& command, CommonOptions& options) {
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
  add_json_option(command, options);
  command.add("--quiet", &options.quiet, "Do not print the files");
  command.run = [wish](const Run& run) { return run_generate(run, *wish); };
}

}  // namespace polycodec::cli
