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
  std::string name_space;
};

/// A line about each name of an enum that is another name of a value.
std::vector<std::string> alias_warnings(const std::string& file, const fastbin::Schema& schema) {
  std::vector<std::string> lines;
  for (const fastbin::Enum& e : schema.enums)
    for (const fastbin::EnumMember& m : e.members)
      if (e.is_alias(m)) {
        const std::string first = quote(e.find(m.bits)->name);
        lines.push_back(file + ":" + std::to_string(m.line) + ": enums." + e.name + ".members." +
                        m.name + ": the value " + e.value_text(m) + " is that of " + first +
                        ": an alias, read as " + first);
      }
  return lines;
}

int run_generate(const Run& run, const Wish& wish) {
  const std::string name = wish.name.empty() ? fastbin::default_name(wish.schema) : wish.name;
  if (const std::string problem = fastbin::name_problem(name); !problem.empty())
    throw Error(Status::option, problem + "; --name gives another one");
  if (!wish.name_space.empty())
    if (const std::string problem = fastbin::namespace_problem(wish.name_space); !problem.empty())
      throw Error(Status::option, "--namespace: " + problem);
  const Input input = run.open_input(wish.schema);
  fastbin::Schema schema = fastbin::parse_schema(input.bytes(), input.name);
  const std::vector<std::string> warnings = alias_warnings(input.name, schema);
  for (const std::string& warning : warnings) run.out.note("warning: " + warning);
  if (!wish.name_space.empty()) schema.name_space = wish.name_space;
  if (schema.name_space.empty()) schema.name_space = name;
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
    run.out.print_json(Json{{"ok", true}, {"files", written}, {"warnings", warnings}});
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
  command.add("--namespace NAME", &wish->name_space,
              "Namespace of the code, such as a::b (default: that of the schema, or else NAME)");
  add_json_option(command, options);
  command.add("--quiet", &options.quiet, "Do not print the files");
  command.run = [wish](const Run& run) { return run_generate(run, *wish); };
}

}  // namespace polycodec::cli
