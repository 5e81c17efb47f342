// SPDX-License-Identifier: MIT
#include "print_value.hpp"

namespace polycodec::cli {

void add_printing_options(Command& command, Printing& printing) {
  command.add("--plain", &printing.plain, "Print the value alone, without its type");
  command.add("--pretty", &printing.pretty, "Indent the output");
  command.add("--exact", &printing.exact,
              "Print how the value is stored, too: the text reads back bit for bit");
  command.add("-o,--output OUT", &printing.out, "Write there instead of standard output");
}

void check_printing(const Printing& printing) {
  if (printing.plain && printing.exact)
    throw Error(Status::option, "--exact: it is for text with types; leave out --plain");
}

void print_value(const Run& run, const Value& value, const Budget& budget,
                 const Printing& printing) {
  std::string text;
  budget.walk([&] {
    text = value.text(
        {.plain = printing.plain, .exact = printing.exact, .indent = printing.pretty ? 2u : 0u});
  });
  text += '\n';
  run.write_output(text, printing.out);
  if (value.is_partial()) run.out.note("this is a part of the value");
}

}  // namespace polycodec::cli
