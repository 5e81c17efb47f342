// SPDX-License-Identifier: MIT
// `polycodec schema`: the schema of a file's value, and values against schemas.
#include <polycodec/json.hpp>
#include <polycodec/schema/infer.hpp>
#include <polycodec/schema/normalise.hpp>
#include <polycodec/schema/schema.hpp>
#include <polycodec/schema/validate.hpp>

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
  return schema::Schema::parse(context.open_input(file).bytes(), context.limits());
}

Json problems_json(const std::vector<schema::Problem>& problems) {
  Json list = Json::array();
  for (const schema::Problem& problem : problems)
    list.push_back({{"path", problem.path}, {"keyword", problem.keyword}, {"reason", problem.reason}});
  return list;
}

std::string line(const schema::Problem& problem) {
  return problem.path + ": " + problem.reason + " (" + problem.keyword + ")";
}

int run_infer(Context& context, const Choices& choices) {
  const Source source = context.open_input(choices.file);
  const Context::Decoded decoded = context.decode(source);
  schema::InferOptions options;
  options.minimal = choices.minimal;
  schema::PrintOptions print;
  print.indent = choices.pretty ? 2 : 0;
  const std::string text = schema::infer(decoded.value.view(), options, context.limits()).to_json(print);
  context.write_output(text + "\n", context.options.output.empty() ? "-" : context.options.output);
  return exit_done;
}

int run_validate(Context& context, const Choices& choices) {
  const schema::Schema schema = read_schema(context, choices.schema);
  const Source source = context.open_input(choices.file);
  const Context::Decoded decoded = context.decode(source);
  std::vector<schema::Problem> remarks;
  schema::ValidateOptions options;
  options.remarks = &remarks;
  const auto problems = schema::validate(schema, decoded.value.view(), options, context.limits());
  if (context.options.json) {
    context.print_json(Json{{"ok", problems.empty()},
                            {"file", choices.file},
                            {"problems", problems_json(problems)},
                            {"remarks", problems_json(remarks)}});
  } else {
    for (const schema::Problem& problem : problems) context.print(line(problem));
    for (const schema::Problem& remark : remarks) context.remark(line(remark));
    if (problems.empty()) context.print(choices.file + ": fits");
  }
  return problems.empty() ? exit_done : exit_refused;
}

int run_normalise(Context& context, const Choices& choices) {
  const schema::Schema schema = read_schema(context, choices.schema);
  const Source source = context.open_input(choices.file);
  Context::Decoded decoded = context.decode(source);
  std::vector<schema::Problem> remarks;
  schema::NormaliseOptions options;
  options.remarks = &remarks;
  options.defaults = choices.defaults == "none"       ? schema::Defaults::none
                     : choices.defaults == "required" ? schema::Defaults::required
                                                      : schema::Defaults::all;
  options.rounding = choices.rounding == "none"  ? schema::Rounding::none
                     : choices.rounding == "all" ? schema::Rounding::all
                                                 : schema::Rounding::floats;
  const Value made = schema::normalise(schema, std::move(decoded.value), options, context.limits());
  for (const schema::Problem& remark : remarks) context.remark(line(remark));
  const std::string file = context.options.output.empty() ? "-" : context.options.output;
  const bool as_text = file == "-" && context.options.to.empty();
  const std::string format = as_text ? std::string(text_format) : context.output_format(file, made.view());
  context.encode_to(made.view(), format, file);
  return exit_done;
}

}  // namespace

void add_schema(CLI::App& app, Context& context, Action& action) {
  CLI::App* group = app.add_subcommand("schema", "Describe values by schemas, check them, and make them fit");
  group->require_subcommand(1);
  const auto choices = std::make_shared<Choices>();

  CLI::App* infer = group->add_subcommand("infer", "Print the schema of a file's value");
  infer->add_option("FILE", choices->file, "The file; - is standard input")->required();
  infer->add_flag("--minimal", choices->minimal, "Without shapes and lengths of texts, as in message headers");
  infer->add_flag("--pretty", choices->pretty, "Over several lines");
  infer->add_option("-o,--output", context.options.output, "Where the schema goes; - is standard output");
  infer->callback(
      [&context, &action, choices] { action = [&context, choices] { return run_infer(context, *choices); }; });

  CLI::App* validate = group->add_subcommand("validate", "Check a file's value against a schema");
  validate->add_option("SCHEMA", choices->schema, "The schema, JSON")->required();
  validate->add_option("FILE", choices->file, "The file; - is standard input")->required();
  context.add_json_option(*validate);
  validate->callback(
      [&context, &action, choices] { action = [&context, choices] { return run_validate(context, *choices); }; });

  CLI::App* normalise =
      group->add_subcommand("normalise", "Make a file's value fit a schema: cast, convert units, fill in defaults");
  normalise->add_option("SCHEMA", choices->schema, "The schema, JSON")->required();
  normalise->add_option("FILE", choices->file, "The file; - is standard input")->required();
  normalise
      ->add_option("--defaults", choices->defaults, "Which absent properties get their default: none, required, all")
      ->check(CLI::IsMember({"none", "required", "all"}))
      ->capture_default_str();
  normalise
      ->add_option("--rounding", choices->rounding,
                   "Which numbers may be rounded: none, floats (what becomes a float), all (integers, too)")
      ->check(CLI::IsMember({"none", "floats", "all"}))
      ->capture_default_str();
  context.add_output_options(*normalise, "the value");
  normalise->callback(
      [&context, &action, choices] { action = [&context, choices] { return run_normalise(context, *choices); }; });

  for (CLI::App* command : {infer, validate, normalise}) {
    context.add_input_options(*command);
    context.add_registry_options(*command);
  }
}

}  // namespace polycodec::cli
