// SPDX-License-Identifier: MIT
// `polycodec hash`: the content address of a value, whatever format it is in.
#include "commands.hpp"
#include "common/terminal.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace polycodec::cli {
namespace {

struct Wish {
  std::string file;
  bool logical = false;
};

int run_hash(const Run& run, const Wish& wish) {
  const Read decoded = run.read_file(wish.file);
  const Activity activity("Hashing " + wish.file, !run.options.quiet);
  std::string digest;
  std::uint64_t bytes = 0;
  decoded.budget.walk([&] {
    digest = run.registry().address(decoded.value, wish.logical ? Address::logical : Address::exact,
                                    &bytes);
  });
  Json object{{"ok", true},
              {"file", wish.file},
              {"codec", decoded.codec_name()},
              {"sha256", digest},
              {"bytes", bytes}};
  if (wish.logical) object["address"] = "logical";
  run.out.print_result(object, digest + "  " + wish.file);
  return exit_done;
}

}  // namespace

void describe_hash(Command& command, CommonOptions& options) {
  command.help = "Print the content address of a file's value";
  command.example = "polycodec hash in.data";
  auto wish = std::make_shared<Wish>();
  command.add("FILE", &wish->file, "The file; - is standard input").required();
  command.add("--logical", &wish->logical,
              "Print the address that lists, arrays and tuples of equal items share");
  add_input_options(command, options);
  add_common_options(command, options);
  command.run = [wish](const Run& run) { return run_hash(run, *wish); };
}

}  // namespace polycodec::cli
