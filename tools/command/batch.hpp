// SPDX-License-Identifier: MIT
// Many files converted at once.
#pragma once

#include "common/run.hpp"
#include "file_list.hpp"

#include <string>
#include <vector>

namespace polycodec::cli {

struct Batch {
  std::vector<std::string> inputs;
  std::string out_dir;
  unsigned jobs = 0;     ///< threads; 0: one for each processor
  unsigned retries = 0;  ///< how often a file is tried again after an error that may pass
  bool resume = false;   ///< leave out inputs whose output is there
  FileSearch search;     ///< files in directories
  std::string shard;     ///< I/N: convert this part of the files; empty: all
  std::string report;    ///< write a report there (docs/command-line.md); empty: none
};

/// Converts every input to a file of the same name, with the extension of the format, in `out_dir`.
/// Files that were found in a directory keep their place below it. Each output is whole or not
/// there. A failure does not end the others; a summary lists all of them at the end. A found file
/// of a format that no codec knows is skipped. Returns the exit status: exit_refused if anything
/// failed. Throws Status::option, before anything is written, if two inputs would have the same
/// output.
///
/// To resume means: with a report, to leave out a file that it says is done, if size, time, content
/// and terms are those of then; without one, a file that is not newer than its output.
int convert_batch(const Run& run, const Batch& batch);

}  // namespace polycodec::cli
