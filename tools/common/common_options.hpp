// SPDX-License-Identifier: MIT
// The options that commands share. They do not change once the command line is parsed.
#pragma once

#include "common/command.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace polycodec::cli {

/// What a user gave; each command offers the options that make sense for it.
struct CommonOptions {
  std::string from, to, from_options, to_options, from_filters, to_filters, config, limits, output,
      isolate;
  std::string columns, rows, select;
  std::vector<std::string> plugin_paths;
  bool json = false;
  bool quiet = false;
  bool verbose = false;
  bool lossy = false;
  bool lossless = false;
  bool tolerant = false;
  bool as_is = false;
  bool no_mmap = false;
  bool no_compare = false;
  bool stream = false;
  std::string assets;  ///< copy, link, embed, or empty: as link, and nothing is checked
  bool replace_assets = false;
  std::string sync = "end";
  std::string output_root;    ///< see WriteOptions::root; empty: outputs are named by the user
  std::uint32_t threads = 0;  ///< of one call; 0: one for each processor
};

// Each adds options to a command, whose values go to `options`.

void add_registry_options(Command& command, CommonOptions& options);
void add_json_option(Command& command, CommonOptions& options);
/// Those of the registry, and --json.
void add_common_options(Command& command, CommonOptions& options);
/// --from and what belongs to it.
void add_input_options(Command& command, CommonOptions& options);
/// --to and what belongs to it, and --output with the help `what` unless that is empty.
void add_output_options(Command& command, CommonOptions& options, const std::string& what);
/// --columns, --rows and --select.
void add_projection_options(Command& command, CommonOptions& options);
/// --no-mmap, for commands without the other options of inputs.
void add_mapping_option(Command& command, CommonOptions& options);
/// --sync.
void add_sync_option(Command& command, CommonOptions& options);
/// --lossy and --lossless. Without them notes may be lost, and numbers change their type.
void add_loss_option(Command& command, CommonOptions& options);
/// --assets and --replace-assets.
void add_asset_options(Command& command, CommonOptions& options);
/// --no-compare.
void add_compare_option(Command& command, CommonOptions& options);

}  // namespace polycodec::cli
