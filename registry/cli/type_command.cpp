// SPDX-License-Identifier: MIT
// `polycodec type`: the canonical text of a type.
#include <polycodec/type/parse.hpp>
#include <polycodec/type/print.hpp>

#include "commands.hpp"

#include <memory>

namespace polycodec::cli {

void add_type(CLI::App& app, Context& context, Action& action) {
  CLI::App* command = app.add_subcommand("type", "Print a type in canonical form, or say where it is wrong");
  auto text = std::make_shared<std::string>();
  auto dynd = std::make_shared<bool>(false);
  command->add_option("TEXT", *text, "A type in datashape notation; - reads it from standard input")->required();
  command->add_flag("--dynd", *dynd, "Accept DyND's notation only, without polycodec's additions");
  context.add_json_option(*command);
  command->callback([&, text, dynd] {
    action = [&, text, dynd] {
      std::string input = *text;
      if (input == "-") input = std::string(context.open_input("-").bytes());
      type::ParseOptions options;
      options.strict_dynd = *dynd;
      const type::Type type = type::parse(input, options);
      if (context.options.json)
        context.print_json(Json{{"type", type::print(type)}, {"concrete", type.is_concrete()}});
      else
        context.print(type::print(type));
      return exit_done;
    };
  });
}

}  // namespace polycodec::cli
