// SPDX-License-Identifier: MIT
// `polycodec call`: what a function makes of arguments, as data that names it would get it.
#include <polycodec/quote.hpp>

#include "commands.hpp"
#include "print_value.hpp"

#include <memory>
#include <vector>

namespace polycodec::cli {
namespace {

struct FunctionCall {
  std::string name, keywords;
  std::vector<std::string> arguments;
  Printing printing;
};

/// An argument: JSON, or the value of the file FILE as @FILE.
Value value_of(const Run& run, const std::string& argument, const std::string& what) {
  if (argument.starts_with('@')) return run.read_file(argument.substr(1)).value;
  try {
    return Value::parse(argument, {}, &run.registry());
  } catch (const Error& error) {
    throw Error(error.code() == Status::malformed ? Status::option : error.code(),
                what + " " + quote(argument) + " is not JSON: " + error.message() +
                    "; give a string as '\"text\"', and a file as @FILE")
        .offset(error.offset());
  }
}

/// Throws Status::not_found for a name that no function has, and does nothing for one as JSON.
void check_name(const Run& run, const std::string& name) {
  if (name.starts_with('[')) return;
  for (const Json& about : parse_json(run.registry().description(About::functions)))
    if (joined(about["name"], ".") == name) return;
  throw Error(Status::not_found, "no function is called " + quote(name) +
                                     ": `polycodec list --functions` shows the names");
}

int run_call(const Run& run, const FunctionCall& wish) {
  check_printing(wish.printing);
  check_name(run, wish.name);
  std::vector<Value> values;
  for (std::size_t i = 0; i < wish.arguments.size(); ++i)
    values.push_back(value_of(run, wish.arguments[i], "argument " + std::to_string(i + 1)));
  Draft draft(run.limits().max_memory_bytes);
  std::vector<Node> nodes;
  for (const Value& value : values) {
    draft.keep(value);
    nodes.push_back(Node(*value.root()));
  }
  const Value args = draft.finish(draft.out().list(nodes));
  const Value keywords =
      wish.keywords.empty() ? Value() : value_of(run, wish.keywords, "--keywords:");
  if (keywords && !keywords.view().is_object())
    throw Error(Status::option, "--keywords: a JSON object is expected");
  std::vector<Loss> losses;
  const Value made = run.registry().call(wish.name, args, keywords, run.call(losses));
  run.out.note_losses(losses);
  print_value(run, made, made.budget(run.limits(), cancel_flag()), wish.printing);
  return exit_done;
}

}  // namespace

void describe_call(Command& command, CommonOptions& options) {
  command.help = "Call a function of a plugin, and print its result";
  command.example = "polycodec call NAME '[1, 2.5]' @in.data";
  auto wish = std::make_shared<FunctionCall>();
  command.add("NAME", &wish->name, "Its name, such as stats.median, or the parts as a JSON list")
      .required();
  command.add("ARG", &wish->arguments,
              "The arguments: each is JSON, plain or with a type, or @FILE for a file's value");
  command.add("--keywords JSON", &wish->keywords, "Arguments by name: a JSON object, or @FILE");
  add_printing_options(command, wish->printing);
  add_input_options(command, options);
  add_common_options(command, options);
  command.run = [wish](const Run& run) { return run_call(run, *wish); };
}

}  // namespace polycodec::cli
