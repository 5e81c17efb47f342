// SPDX-License-Identifier: MIT
// `polycodec type`: the canonical text of a type.
#include <model/type/parse.hpp>
#include <model/type/print.hpp>

#include "commands.hpp"

#include <memory>

namespace polycodec::cli {

void describe_type(Command& command, Context& context) {
  command.help = "Check a type expression, and print its canonical form";
  command.example = "polycodec type '3 * {x: int32}'";
  auto text = std::make_shared<std::string>();
  auto strict = std::make_shared<bool>(false);
  command.add("TEXT", text.get(), "A type in datashape notation; - reads it from standard input")
      .required();
  command.add("--strict", strict.get(), "Accept datashape alone, without polycodec's additions");
  context.add_common_options(command);
  command.run = [&context, text, strict] {
    std::string input = *text;
    if (input == "-") input = std::string(context.open_input("-").bytes());
    type::ParseOptions options;
    options.strict_dynd = *strict;
    const type::Type type = context.registry().parse_type(input, options);
    context.print_result(Json{{"type", type::print(type)}, {"concrete", type.is_concrete()}},
                         type::print(type));
    return exit_done;
  };
}

}  // namespace polycodec::cli
