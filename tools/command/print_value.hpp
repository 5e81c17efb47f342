// SPDX-License-Identifier: MIT
// How `decode` and `call` print a value.
#pragma once

#include "common/run.hpp"

#include <string>

namespace polycodec::cli {

struct Printing {
  std::string out;  ///< a file; `-` or empty: standard output
  bool plain = false;
  bool pretty = false;
  bool exact = false;
};

/// Adds --plain, --pretty, --exact and --output.
void add_printing_options(Command& command, Printing& printing);

/// Throws Status::option for options that exclude each other.
void check_printing(const Printing& printing);

/// Writes the value as text, under a budget for walks over it.
void print_value(const Run& run, const Value& value, const Budget& budget,
                 const Printing& printing);

}  // namespace polycodec::cli
