// SPDX-License-Identifier: MIT
// The `polycodec` command.
#include "commands.hpp"

#include <string>

namespace polycodec::cli {
namespace {

struct BuiltIn {
  const char* name;
  void (*describe)(Command& command, CommonOptions& options);
  const char* section;  ///< of the help
};

constexpr BuiltIn built_ins[] = {{"inspect", describe_inspect, "Look"},
                                 {"validate", describe_validate, "Look"},
                                 {"detect", describe_sniff, "Look"},
                                 {"sniff", describe_sniff, "Look"},
                                 {"diff", describe_diff, "Look"},
                                 {"hash", describe_hash, "Look"},
                                 {"convert", describe_convert, "Convert"},
                                 {"decode", describe_decode, "Convert"},
                                 {"encode", describe_encode, "Convert"},
                                 {"report", describe_report, "Convert"},
                                 {"store", describe_store, "Convert"},
                                 {"schema", describe_schema, "Describe"},
                                 {"type", describe_type, "Describe"},
                                 {"message", describe_message, "Messages"},
                                 {"negotiate", describe_negotiate, "Messages"},
                                 {"list", describe_list, "Codecs and plugins"},
                                 {"info", describe_info, "Codecs and plugins"},
                                 {"call", describe_call, "Codecs and plugins"},
                                 {"doctor", describe_doctor, "Codecs and plugins"},
                                 {"plugin", describe_plugin, "Codecs and plugins"},
                                 {"config", describe_config, "Codecs and plugins"}};

void define(Command& program, CommonOptions& options, std::string_view only) {
  program.example = "polycodec inspect FILE";
  for (const BuiltIn& command : built_ins)
    if (only.empty() || only == command.name) {
      Command& made = program.add_command(command.name, {});
      made.section = command.section;
      command.describe(made, options);
    }
}

}  // namespace
}  // namespace polycodec::cli

int main(int argc, char** argv) {
  return polycodec::cli::run_program("polycodec",
                                     "Inspect, check and convert files of many formats", argc, argv,
                                     polycodec::cli::define);
}
