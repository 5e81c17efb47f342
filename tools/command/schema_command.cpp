// SPDX-License-Identifier: MIT
// `polycodec schema`: the schema of a file's value, and values against schemas.
#include "commands.hpp"

#include <memory>
#include <string>
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

Schema read_schema(const Run& run, const std::string& file) {
  const Input input = run.open_input(file);
  return about_input(input.name, [&] { return Schema::parse(input.bytes(), &run.registry()); });
}

Json problems_json(const std::vector<Problem>& problems) {
  Json list = Json::array();
  for (const Problem& problem : problems)
    list.push_back(
        {{"path", problem.path}, {"keyword", problem.keyword}, {"reason", problem.reason}});
  return list;
}

std::string line(const Problem& problem) {
  return problem.path + ": " + problem.reason + " (" + problem.keyword + ")";
}

/// Runs body(), which walks over a value of this input.
template <class Body>
void walk(const Read& decoded, const std::string& file, const Body& body) {
  about_input(file, [&] { decoded.budget.walk(body); });
}

int run_infer(const Run& run, const Choices& choices) {
  const Read decoded = run.read_file(choices.file);
  std::string text;
  walk(decoded, choices.file, [&] {
    text = Schema::infer(decoded.value, choices.minimal ? POLYCODEC_SCHEMA_MINIMAL : 0u)
               .text(choices.pretty ? 2 : 0);
  });
  run.write_output(text + "\n", run.options.output);
  return exit_done;
}

int run_validate(const Run& run, const Choices& choices) {
  const Schema schema = read_schema(run, choices.schema);
  const Read decoded = run.read_file(choices.file);
  std::vector<Problem> problems, warnings;
  walk(decoded, choices.file, [&] { problems = schema.validate(decoded.value, &warnings); });
  if (run.out.is_json()) {
    run.out.print_json({{"ok", problems.empty()},
                        {"file", choices.file},
                        {"problems", problems_json(problems)},
                        {"warnings", problems_json(warnings)}});
  } else {
    for (const Problem& problem : problems) run.out.print(line(problem));
    for (const Problem& warning : warnings) run.out.note(line(warning));
    if (problems.empty()) run.out.print(choices.file + ": fits");
  }
  return problems.empty() ? exit_done : exit_refused;
}

int run_normalize(const Run& run, const Choices& choices) {
  const Schema schema = read_schema(run, choices.schema);
  const Read decoded = run.read_file(choices.file);
  const Defaults defaults = choices.defaults == "none"       ? Defaults::none
                            : choices.defaults == "required" ? Defaults::required
                                                             : Defaults::all;
  const Rounding rounding = choices.rounding == "none"  ? Rounding::none
                            : choices.rounding == "all" ? Rounding::all
                                                        : Rounding::floats;
  Value made;
  std::vector<Problem> warnings;
  walk(decoded, choices.file,
       [&] { made = schema.normalize(decoded.value, defaults, rounding, &warnings); });
  for (const Problem& warning : warnings) run.out.note(line(warning));
  Format to = run.to();
  if (is_standard_output(run.options.output) && to.codec.empty()) to.codec = "text";
  (void)run.write(made, run.options.output, to, decoded.budget);
  return exit_done;
}

}  // namespace

void describe_schema(Command& command, CommonOptions& options) {
  command.help = "Infer schemas, check values, and make them fit";
  command.example = "polycodec schema infer in.data";
  const auto choices = std::make_shared<Choices>();

  Command& infer = command.add_command("infer", "Print the schema of a file's value",
                                       "polycodec schema infer in.data --pretty");
  infer.add("FILE", &choices->file, "The file; - is standard input").required();
  infer.add("--minimal", &choices->minimal,
            "Omit shapes and lengths of strings, as in message headers");
  infer.add("--pretty", &choices->pretty, "Over several lines");
  infer.add("-o,--output", &options.output, "Where the schema goes; - is standard output");
  infer.run = [choices](const Run& run) { return run_infer(run, *choices); };

  Command& validate = command.add_command("validate", "Check a file's value against a schema",
                                          "polycodec schema validate schema.json in.data");
  validate.add("SCHEMA", &choices->schema, "The schema, JSON").required();
  validate.add("FILE", &choices->file, "The file; - is standard input").required();
  add_json_option(validate, options);
  validate.run = [choices](const Run& run) { return run_validate(run, *choices); };

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
  add_output_options(normalize, options, "the value");
  normalize.run = [choices](const Run& run) { return run_normalize(run, *choices); };

  for (Command* each : {&infer, &validate, &normalize}) {
    add_input_options(*each, options);
    add_registry_options(*each, options);
  }
}

}  // namespace polycodec::cli
