// SPDX-License-Identifier: MIT
// `polycodec hash`: the content address of a value, whatever format it is in.
#include "commands.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace polycodec::cli {
namespace {

struct Wish {
  std::string file;
  bool logical = false;
};

int run_hash(Context& context, const Wish& wish) {
  const Read decoded = context.read_file(wish.file);
  std::uint64_t bytes = 0;
  const std::string digest = context.registry().address(
      decoded.value.view(), wish.logical ? Address::logical : Address::exact,
      context.call_options(), &bytes);
  const std::string codec(decoded.codec_name());
  Json object{
      {"ok", true}, {"file", wish.file}, {"codec", codec}, {"sha256", digest}, {"bytes", bytes}};
  if (wish.logical) object["address"] = "logical";
  context.print_result(object, digest + "  " + wish.file);
  return exit_done;
}

}  // namespace

void describe_hash(Command& command, Context& context) {
  command.help = "Print the content address of a file's value";
  command.example = "polycodec hash in.data";
  auto wish = std::make_shared<Wish>();
  command.add("FILE", &wish->file, "The file; - is standard input").required();
  command.add("--logical", &wish->logical,
              "Print the address that lists, arrays and tuples of equal items share");
  context.add_input_options(command);
  context.add_common_options(command);
  command.run = [&context, wish] { return run_hash(context, *wish); };
}

}  // namespace polycodec::cli
