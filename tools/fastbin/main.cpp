// SPDX-License-Identifier: MIT
// `polycodec fastbin`: tools for fastbin schemas, beside decoding and encoding.
#include "commands.hpp"

int main(int argc, char** argv) {
  using namespace polycodec::cli;
  return run_program("polycodec fastbin", "Check, compare and compile schemas of fastbin buffers",
                     argc, argv, [](Command& program, CommonOptions& options, std::string_view) {
                       program.example = "polycodec fastbin verify schema.json out.fastbin";
                       describe_fastbin_verify(program.add_command("verify", {}), options);
                       describe_fastbin_infer(program.add_command("infer", {}), options);
                       describe_fastbin_diff(program.add_command("diff", {}), options);
                       describe_fastbin_generate(program.add_command("generate", {}), options);
                     });
}
