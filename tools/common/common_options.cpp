// SPDX-License-Identifier: MIT
#include "common/common_options.hpp"

namespace polycodec::cli {

void add_registry_options(Command& command, CommonOptions& options) {
  command.add_section("Registry and log", [&] {
    command.add("--config FILE", &options.config,
                "Configuration file (default: $POLYCODEC_CONFIG)");
    command.add("--plugin-path DIR", &options.plugin_paths,
                "Search this directory for plugins first (repeatable)");
    command.add("--limits JSON", &options.limits, R"(Limits as JSON, such as '{"max_depth": 64}')");
    command
        .add("--isolate MODE", &options.isolate,
             "Where all plugins run: auto, in-process or process (default: as configured)")
        .one_of({"auto", "in-process", "process"});
    command
        .add("--threads N", &options.threads,
             "Threads for one input (default: one for each processor, or their share of each job)")
        .range(1, 1024);
    command.add("-q,--quiet", &options.quiet, "Print results only, no notes and no progress");
    command.add("-v,--verbose", &options.verbose, "Log what the registry does to standard error");
  });
}

void add_input_options(Command& command, CommonOptions& options) {
  command.add_section("Input", [&] {
    command.add(
        "-f,--from NAME", &options.from,
        "Codec of the input (default: chosen by header, content, extension); 'text' is typed JSON");
    command.add("--from-options JSON", &options.from_options, "Options of that codec as JSON");
    command.add(
        "--tolerant", &options.tolerant,
        "Mend what is wrong in the input and report each place: tolerant=true for the codec");
    command.add("--from-filters JSON", &options.from_filters,
                "Filters after that codec as JSON, such as [{\"id\": \"zstd\"}]; needs --from");
    command.add(
        "--as-is", &options.as_is,
        "Do not make the value of a framed message fit the datatype that its header declares");
    add_mapping_option(command, options);
  });
}

void add_projection_options(Command& command, CommonOptions& options) {
  command.add_section("Input", [&] {
    command.add("--columns PATHS", &options.columns,
                "Read these members alone, such as vertex.x,vertex.y; other keys are written "
                "[\"any key\"]");
    command.add(
        "--rows FROM:TO", &options.rows,
        "Read these rows alone, of each column or of the whole value; counted from 0, without "
        "TO");
    command.add("--select PATH", &options.select,
                "Take this part in place of the whole value, such as vertex or list[3].points");
  });
}

void add_mapping_option(Command& command, CommonOptions& options) {
  command.add("--no-mmap", &options.no_mmap,
              "Read input files into memory instead of mapping them");
}

void add_output_options(Command& command, CommonOptions& options, const std::string& what) {
  command.add_section("Output", [&] {
    command.add("-t,--to NAME", &options.to,
                "Codec of the output (default: by the output's extension); 'text' is typed JSON");
    command.add("--to-options JSON", &options.to_options, "Options of that codec as JSON");
    command.add("--to-filters JSON", &options.to_filters,
                "Filters after that codec as JSON, such as [{\"id\": \"zstd\"}]");
    if (!what.empty()) command.add("-o,--output OUT", &options.output, what);
  });
}

void add_sync_option(Command& command, CommonOptions& options) {
  command.add_section("Output", [&] {
    command
        .add("--sync WHEN", &options.sync,
             "Wait for the disk: none, at the end, or after each file")
        .one_of({"none", "end", "file"})
        .show_default();
  });
}

void add_loss_option(Command& command, CommonOptions& options) {
  command.add_section("Output", [&] {
    command.add("--lossy", &options.lossy,
                "Leave out what the result cannot hold, and print each loss");
    command.add("--lossless", &options.lossless,
                "Reject every loss, also notes, numbers of another type and what was mended");
  });
}

void add_asset_options(Command& command, CommonOptions& options) {
  command.add_section("Output", [&] {
    command
        .add("--assets HOW", &options.assets,
             "Textures of meshes: copy them beside OUT, link or embed them")
        .one_of({"copy", "link", "embed"});
    command.add("--replace-assets", &options.replace_assets,
                "Replace files beside OUT that have the names of its textures and materials");
  });
}

void add_compare_option(Command& command, CommonOptions& options) {
  command.add_section("Output", [&] {
    command.add("--no-compare", &options.no_compare,
                "Do not read the output back to compare it with the input");
  });
}

void add_json_option(Command& command, CommonOptions& options) {
  command.add("--json", &options.json, "Print one JSON object instead of text");
}

void add_common_options(Command& command, CommonOptions& options) {
  add_registry_options(command, options);
  add_json_option(command, options);
}

}  // namespace polycodec::cli
