// SPDX-License-Identifier: MIT
// `polycodec fastbin generate`: code that reads and writes the buffers of a schema.
#include <polycodec/file.hpp>

#include "fastbin/generator/generate.hpp"
#include "fastbin/schema/names.hpp"
#include "fastbin/schema/parse.hpp"
#include "fastbin_command.hpp"

#include <filesystem>
#include <memory>

namespace polycodec::cli {
namespace {

namespace fs = std::filesystem;

struct Wish {
  std::string schema;
  std::string language = "cpp";
  std::string folder;
  std::string name;
};

int run(Context& context, const Wish& wish) {
  const std::string name = wish.name.empty() ? fastbin::default_name(wish.schema) : wish.name;
  if (const std::string problem = fastbin::name_problem(name); !problem.empty()) throw Error(Status::option, problem);
  const Source source = context.open_input(wish.schema);
  const fastbin::Schema schema =
      fastbin::parse_schema(source.bytes(), wish.schema == "-" ? "standard input" : wish.schema);
  const std::vector<fastbin::GeneratedFile> files =
      wish.language == "julia" ? fastbin::generate_julia(schema, name) : fastbin::generate_cpp(schema, name);

  std::error_code error;
  fs::create_directories(wish.folder, error);
  if (error) throw Error(Status::io, "cannot make '" + wish.folder + "': " + error.message());
  Json written = Json::array();
  for (const fastbin::GeneratedFile& file : files) {
    const fs::path path = fs::path(wish.folder) / file.name;
    write_file(path, file.text);
    written.push_back(path.string());
  }
  if (context.options.json) {
    context.print_json(Json{{"ok", true}, {"files", written}});
  } else if (!context.options.quiet) {
    std::string lines;
    for (const Json& path : written) lines += (lines.empty() ? "" : "\n") + path.get<std::string>();
    context.print(lines);
  }
  return exit_done;
}

}  // namespace

void add_fastbin_generate(CLI::App& fastbin, Context& context, Action& action) {
  CLI::App* command = fastbin.add_subcommand(
      "generate", "Write code that reads and writes the buffers of a schema, and print its files");
  auto wish = std::make_shared<Wish>();
  command->add_option("SCHEMA", wish->schema, "The schema, a JSON file; - reads it from standard input")->required();
  command->add_option("--language", wish->language, "cpp or julia")
      ->check(CLI::IsMember({"cpp", "julia"}))
      ->capture_default_str();
  command->add_option("--out", wish->folder, "The folder to write to, made if it is not there")
      ->type_name("DIR")
      ->required();
  command
      ->add_option("--name", wish->name, "Name of the generated file (default: that of SCHEMA up to its first dot)")
      ->type_name("NAME");
  context.add_json_option(*command);
  command->add_flag("--quiet", context.options.quiet, "Do not print the files");
  command->callback([&, wish] { action = [&, wish] { return run(context, *wish); }; });
}

}  // namespace polycodec::cli
