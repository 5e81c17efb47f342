// SPDX-License-Identifier: MIT
// `polycodec decode`, `encode`, `convert` and `validate`: from bytes to values and back.
#include <base/scratch_arena.hpp>
#include <model/mesh/convert.hpp>
#include <model/type/print.hpp>
#include <polycodec/text.hpp>

#include "batch.hpp"
#include "commands.hpp"
#include "core/convert/infer.hpp"
#include "core/value/host_meter.hpp"
#include "stream_convert.hpp"
#include "tools/common/terminal.hpp"

#include <algorithm>
#include <memory>
#include <optional>

namespace polycodec::cli {
namespace {

struct Files {
  std::string in, out;
  bool plain = false;
  bool pretty = false;
  bool exact = false;
};

int run_decode(Context& context, const Files& files) {
  if (files.plain && files.exact)
    throw Error(Status::option, "--exact: it is for text with types; leave out --plain");
  const Read decoded = context.read_file(files.in);
  TextOptions options;
  options.plain = files.plain;
  options.exact = files.exact;
  options.indent = files.pretty ? 2 : 0;
  options.limits = context.limits();
  options.budget = context.call_options().budget;
  std::string text = to_text(decoded.value.view(), options);
  text += '\n';
  context.write_output(text, context.options.output);
  if (decoded.value.is_partial()) context.note("this is a part of the value");
  context.report_losses();
  return exit_done;
}

/// What follows the files in the line of a conversion.
std::string words_for(const Check& check) {
  switch (check.kept) {
    case Kept::same:
      return ", same value";
    case Kept::same_items:
      return ", same items";
    case Kept::same_numbers:
      return ", same numbers";
    case Kept::different:
      return ", different in " + check.difference->path + " (" + check.difference->reason + ")";
    default:
      return check.reason.empty() ? "" : ", not compared: " + check.reason;
  }
}

int run_convert(Context& context, const Files& files, bool from_text) {
  if (from_text) context.options.from = typed_json_name;
  std::optional<Source> on_input;
  if (files.in == "-" && files.out == "-" && !context.options.json && can_convert_stream(context)) {
    on_input = convert_stream(context);
    if (!on_input) return exit_done;
  }
  const Source source = on_input ? *on_input : context.open_input(files.in);
  const std::string& out = files.out.empty() ? context.options.output : files.out;
  context.set_destination(out);
  const Read decoded = context.read(source);
  const std::string format = context.output_format(out.empty() ? "-" : out, decoded.value.view());
  Check check;
  const std::uint64_t bytes = context.encode_to(decoded.value.view(), format, out, &check);
  const std::string from(decoded.codec_name());
  const auto lost = context.report_losses();
  if (context.options.json) {
    Json object{{"ok", true},
                {"in", {{"file", files.in}, {"codec", from}, {"bytes", source.bytes().size()}}},
                {"out", {{"file", out}, {"codec", format}, {"bytes", bytes}}}};
    if (decoded.value.is_partial()) object["partial"] = true;
    add_report(object, check, lost, context.options.lossy);
    context.print_json(object, out.empty() || out == "-");  // standard output holds the data
  } else if (!out.empty() && out != "-") {
    const char* const part = decoded.value.is_partial() ? ", in part" : "";
    context.note(files.in + " (" + from + part + ") -> " + out + " (" + format + ", " +
                 human_size(bytes) + ")" + words_for(check));
  }
  return exit_done;
}

/// Throws Error(range, `mesh.index_out_of_range`) if a mesh has an index without a row. A codec
/// keeps such an index, because the file says it.
void check_indices(const Read& decoded, const Limits& limits) try {
  HostMeter meter(decoded.value.view(), limits);
  charge_all(decoded.value.view(), 8, meter);
  ScratchArena arena(limits.memory_for(UINT64_MAX));
  Builder out(arena.abi());
  Losses ignored;
  (void)mesh::mesh_of(NodeView(decoded.value.view()), out, ignored);
} catch (Error& error) {
  // Other errors: the names are a mesh's, the values are not.
  if (error.detail() == "mesh.index_out_of_range") throw error.codec(decoded.codec->name);
  if (error.code() == Status::limit || error.code() == Status::memory) throw;
}

int run_validate(Context& context, const Files& files) {
  const Read decoded = context.read_file(files.in);  // with full validation
  if (is_model(decoded.codec)) check_indices(decoded, context.limits());
  const std::string codec(decoded.codec_name());
  const std::string type = type::print(infer_type(decoded.value.view(), context.limits()));
  context.print_result(Json{{"ok", true}, {"file", files.in}, {"codec", codec}, {"type", type}},
                       styled(Style::good, "valid") + " " + codec + ": " + type);
  return exit_done;
}

}  // namespace

void describe_decode(Command& command, Context& context) {
  command.help = "Print a file's value as text: type and value";
  command.example = "polycodec decode in.data --plain";
  auto files = std::make_shared<Files>();
  command.add("FILE", &files->in, "The file; - is standard input").required();
  command.add("--plain", &files->plain, "Print the value alone, without its type");
  command.add("--pretty", &files->pretty, "Indent the output");
  command.add("--exact", &files->exact,
              "Print how the value is stored, too: the text reads back bit for bit");
  command.add("-o,--output OUT", &context.options.output, "Write there instead of standard output");
  context.add_input_options(command);
  context.add_projection_options(command);
  context.add_sync_option(command);
  context.add_loss_option(command);
  // The output is one JSON object anyway: the option makes errors JSON, too.
  context.add_common_options(command);
  command.run = [&context, files] { return run_decode(context, *files); };
}

void describe_encode(Command& command, Context& context) {
  command.help = "Encode a value that is given as text";
  command.example = "polycodec encode value.json --to NAME -o out.data";
  auto files = std::make_shared<Files>();
  command.add("FILE", &files->in, "A file in typed JSON; - is standard input").required();
  context.add_output_options(command, "The file to write; - or nothing is standard output");
  context.add_sync_option(command);
  context.add_loss_option(command);
  context.add_compare_option(command);
  context.add_common_options(command);
  command.run = [&context, files] { return run_convert(context, *files, true); };
}

void describe_convert(Command& command, Context& context) {
  command.help = "Convert files to another format";
  command.example = "polycodec convert in.data out.data";
  auto batch = std::make_shared<Batch>();
  auto plain = std::make_shared<bool>(false);
  command
      .add("FILE", &batch->inputs,
           "IN OUT: the file to read and the file to write, - being standard input or "
           "output (then say --to). "
           "With --out-dir: all files to read")
      .required();
  command.add_section("Many files", [&] {
    command.add("--out-dir DIR", &batch->out_dir,
                "Convert every FILE to a file in this directory; needs --to");
    command
        .add("-j,--jobs N", &batch->jobs,
             "With --out-dir: files at a time; by default one for each processor")
        .range(1, 1024);
    command.add("-r,--recursive", &batch->search.is_recursive,
                "With --out-dir: convert all files below the directories among FILE");
    command.add("--include PATTERN", &batch->search.include,
                "Of files found in directories, only those, such as '*.bin' (repeatable)");
    command.add("--exclude PATTERN", &batch->search.exclude,
                "Of files found in directories, all but those (repeatable)");
    command.add("--shard I/N", &batch->shard,
                "With --out-dir: convert part I of N, the same files wherever it runs");
    command.add("--report OUT", &batch->report,
                "With --out-dir: write what became of each file, as JSON lines");
    command
        .add("--retries N", &batch->retries,
             "With --out-dir: try a file again after an error of the machine or of a plugin's "
             "process")
        .range(0, 8);
    command.add("--resume", &batch->resume,
                "With --out-dir: leave out files that are done: by the report, else those that are "
                "not newer than their output");
  });
  context.add_input_options(command);
  context.add_projection_options(command);
  context.add_output_options(command, "The file to write, in place of OUT");
  command.add_section("Output", [&] {
    command.add("--plain", plain.get(), "Write the value alone, as plain JSON (see jq)");
  });
  context.add_sync_option(command);
  context.add_loss_option(command);
  context.add_compare_option(command);
  context.add_common_options(command);
  command.run = [&context, batch, plain] {
    if (!batch->out_dir.empty()) {
      if (*plain) throw Error(Status::option, "--plain: it is for one file; leave out --out-dir");
      return convert_batch(context, *batch);
    }
    std::vector<std::string>& files = batch->inputs;
    if (!context.options.output.empty()) files.push_back(context.options.output);
    if (files.size() != 2)
      throw Error(Status::option,
                  "convert takes IN and OUT, or any number of files with --out-dir");
    const Files one{.in = files[0], .out = files[1], .plain = *plain};
    if (!one.plain) return run_convert(context, one, false);
    context.options.output = one.out == "-" ? "" : one.out;
    return run_decode(context, one);
  };
}

void describe_validate(Command& command, Context& context) {
  command.help = "Check a file completely, and print its type";
  command.example = "polycodec validate in.data";
  auto files = std::make_shared<Files>();
  command.add("FILE", &files->in, "The file; - is standard input").required();
  context.add_input_options(command);
  context.add_common_options(command);
  command.run = [&context, files] { return run_validate(context, *files); };
}

}  // namespace polycodec::cli
