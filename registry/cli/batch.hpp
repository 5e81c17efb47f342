// SPDX-License-Identifier: MIT
// Many files converted at once.
#pragma once

#include "context.hpp"

#include <string>
#include <vector>

namespace polycodec::cli {

struct Batch {
  std::vector<std::string> inputs;
  std::string out_dir;
  unsigned jobs = 0;    ///< threads; 0: one for each processor
  bool resume = false;  ///< leave out inputs whose output is there and not older
};

/// Converts every input to a file of the same name, with the extension of the format, in `out_dir`.
/// Each output is whole or not there. A failure does not end the others; a summary lists all of
/// them at the end. Returns the exit status: exit_refused if anything failed. Throws
/// Status::option, before anything is written, if two inputs would have the same output.
int convert_batch(Context& context, const Batch& batch);

}  // namespace polycodec::cli
