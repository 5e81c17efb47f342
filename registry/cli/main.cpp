// SPDX-License-Identifier: MIT
// The `polycodec` command.
#include "commands.hpp"

#include <string>

namespace polycodec::cli {
namespace {

struct BuiltIn {
  const char* name;
  void (*describe)(Command& command, Context& context);
};

constexpr BuiltIn built_ins[] = {
    {"list", describe_list},       {"info", describe_info},           {"doctor", describe_doctor},
    {"config", describe_config},   {"type", describe_type},           {"sniff", describe_sniff},
    {"inspect", describe_inspect}, {"decode", describe_decode},       {"encode", describe_encode},
    {"convert", describe_convert}, {"validate", describe_validate},   {"hash", describe_hash},
    {"message", describe_message}, {"negotiate", describe_negotiate}, {"schema", describe_schema},
    {"store", describe_store},     {"plugin", describe_plugin}};

void define(Command& program, Context& context, std::string_view only) {
  for (const BuiltIn& command : built_ins)
    if (only.empty() || only == command.name)
      command.describe(program.add_command(command.name, {}), context);
}

}  // namespace
}  // namespace polycodec::cli

int main(int argc, char** argv) {
  return polycodec::cli::run_program(
      "polycodec", "Looks into files of many formats, checks them, and turns them into each other.",
      argc, argv, polycodec::cli::define);
}
