// SPDX-License-Identifier: MIT
// `polycodec schema`: the schema of a file's value, and values against schemas.
#include <polycodec/schema.hpp>
#include <polycodec/text.hpp>

#include "commands.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace polycodec::cli {
namespace {

struct Choices {
  std::string schema, file;
  std::string defaults = "all";
  std::string rounding = "floats";
  bool minimal = false;
  bool pretty = false;
};

schema::Schema read_schema(Context& context, const std::string& file) {
  return schema::Schema::parse(context.open_input(file).bytes(), context.limits(),
                               schema::Precision::bytes, context.registry().type_names());
}

Json problems_json(const std::vector<schema::Problem>& problems) {
  Json list = Json::list();
  for (const schema::Problem& problem : problems)
    list.push_back(
        {{"path", problem.path}, {"keyword", problem.keyword}, {"reason", problem.reason}});
  return list;
}

std::string line(const schema::Problem& problem) {
  return problem.path + ": " + problem.reason + " (" + problem.keyword + ")";
}

int run_infer(Context& context, const Choices& choices) {
  const Read decoded = context.read_file(choices.file);
  schema::InferOptions options;
  options.minimal = choices.minimal;
  schema::PrintOptions print;
  print.indent = choices.pretty ? 2 : 0;
  const std::string text =
      schema::infer(decoded.value.view(), options, context.limits()).to_json(print);
  context.write_output(text + "\n", context.options.output.empty() ? "-" : context.options.output);
  return exit_done;
}

int run_validate(Context& context, const Choices& choices) {
  const schema::Schema schema = read_schema(context, choices.schema);
  const Read decoded = context.read_file(choices.file);
  std::vector<schema::Problem> warnings;
  schema::ValidateOptions options;
  options.warnings = &warnings;
  const auto problems = schema::validate(schema, decoded.value.view(), options, context.limits());
  if (context.options.json) {
    context.print_json(Json{{"ok", problems.empty()},
                            {"file", choices.file},
                            {"problems", problems_json(problems)},
                            {"warnings", problems_json(warnings)}});
  } else {
    for (const schema::Problem& problem : problems) context.print(line(problem));
    for (const schema::Problem& warning : warnings) context.note(line(warning));
    if (problems.empty()) context.print(choices.file + ": fits");
  }
  return problems.empty() ? exit_done : exit_refused;
}

int run_normalize(Context& context, const Choices& choices) {
  const schema::Schema schema = read_schema(context, choices.schema);
  Read decoded = context.read_file(choices.file);
  std::vector<schema::Problem> warnings;
  schema::NormalizeOptions options;
  options.warnings = &warnings;
  options.defaults = choices.defaults == "none"       ? schema::Defaults::none
                     : choices.defaults == "required" ? schema::Defaults::required
                                                      : schema::Defaults::all;
  options.rounding = choices.rounding == "none"  ? schema::Rounding::none
                     : choices.rounding == "all" ? schema::Rounding::all
                                                 : schema::Rounding::floats;
  const Value made = schema::normalize(schema, std::move(decoded.value), options, context.limits());
  for (const schema::Problem& warning : warnings) context.note(line(warning));
  const std::string file = context.options.output.empty() ? "-" : context.options.output;
  const bool as_text = file == "-" && context.options.to.empty();
  const std::string format =
      as_text ? std::string(typed_json_name) : context.output_format(file, made.view());
  context.encode_to(made.view(), format, file);
  return exit_done;
}

}  // namespace

void describe_schema(Command& command, Context& context) {
  command.help = "Infer schemas, check values, and make them fit";
  command.example = "polycodec schema infer in.data";
  const auto choices = std::make_shared<Choices>();

  Command& infer = command.add_command("infer", "Print the schema of a file's value",
                                       "polycodec schema infer in.data --pretty");
  infer.add("FILE", &choices->file, "The file; - is standard input").required();
  infer.add("--minimal", &choices->minimal,
            "Omit shapes and lengths of strings, as in message headers");
  infer.add("--pretty", &choices->pretty, "Over several lines");
  infer.add("-o,--output", &context.options.output, "Where the schema goes; - is standard output");
  infer.run = [&context, choices] { return run_infer(context, *choices); };

  Command& validate = command.add_command("validate", "Check a file's value against a schema",
                                          "polycodec schema validate schema.json in.data");
  validate.add("SCHEMA", &choices->schema, "The schema, JSON").required();
  validate.add("FILE", &choices->file, "The file; - is standard input").required();
  context.add_json_option(validate);
  validate.run = [&context, choices] { return run_validate(context, *choices); };

  Command& normalize =
      command.add_command("normalize", "Make a file's value fit a schema",
                          "polycodec schema normalize schema.json in.json -o out.json");
  normalize.add("SCHEMA", &choices->schema, "The schema, JSON").required();
  normalize.add("FILE", &choices->file, "The file; - is standard input").required();
  normalize
      .add("--defaults", &choices->defaults,
           "Which absent properties get their default: none, required, all")
      .one_of({"none", "required", "all"})
      .show_default();
  normalize
      .add("--rounding", &choices->rounding,
           "Which numbers may be rounded: none, floats (what becomes a float), all (integers, too)")
      .one_of({"none", "floats", "all"})
      .show_default();
  context.add_output_options(normalize, "the value");
  normalize.run = [&context, choices] { return run_normalize(context, *choices); };

  for (Command* each : {&infer, &validate, &normalize}) {
    context.add_input_options(*each);
    context.add_registry_options(*each);
  }
}

}  // namespace polycodec::cli
