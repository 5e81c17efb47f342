// SPDX-License-Identifier: MIT
#include "print_value.hpp"

#include <polycodec/writer.hpp>

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
  const Sink text = Sink::contiguous();
  budget.walk([&] {
    value.print(
        text,
        {.plain = printing.plain, .exact = printing.exact, .indent = printing.pretty ? 2u : 0u});
  });
  Writer end(text.raw());
  end.put_u8('\n');
  end.flush();
  run.write_output(text.bytes(), printing.out);
  if (value.is_partial()) run.out.note("this is a part of the value");
}

}  // namespace polycodec::cli
