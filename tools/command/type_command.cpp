// SPDX-License-Identifier: MIT
// `polycodec type`: the canonical text of a type.
#include "commands.hpp"

#include <memory>

namespace polycodec::cli {

void describe_type(Command& command, CommonOptions& options) {
  command.help = "Check a type expression, and print its canonical form";
  command.example = "polycodec type '3 * {x: int32}'";
  auto text = std::make_shared<std::string>();
  auto strict = std::make_shared<bool>(false);
  command.add("TEXT", text.get(), "A type in datashape notation; - reads it from standard input")
      .required();
  command.add("--strict", strict.get(), "Accept datashape alone, without polycodec's additions");
  add_common_options(command, options);
  command.run = [text, strict](const Run& run) {
    std::string notation = *text;
    if (notation == "-") {
      const Input input = run.open_input("-");
      notation = input.bytes();
    }
    const Type type(notation, &run.registry(), *strict ? POLYCODEC_TYPE_STRICT : 0u);
    run.out.print_result(Json{{"type", type.text()}, {"concrete", type.is_concrete()}},
                         type.text());
    return exit_done;
  };
}

}  // namespace polycodec::cli
