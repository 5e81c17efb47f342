// SPDX-License-Identifier: MIT
// `polycodec decode`, `encode`, `convert` and `validate`: from bytes to values and back.
#include <polycodec/infer.hpp>
#include <polycodec/text.hpp>
#include <polycodec/type/print.hpp>

#include "batch.hpp"
#include "commands.hpp"
#include "mesh_report.hpp"
#include "stream_convert.hpp"
#include "terminal.hpp"

#include <CLI/App.hpp>
#include <CLI/Validators.hpp>

#include <memory>
#include <optional>

namespace polycodec::cli {
namespace {

struct Files {
  std::string in, out;
  bool plain = false;
  bool pretty = false;
};

int run_decode(Context& context, const Files& files) {
  const Source source = context.open_input(files.in);
  const Context::Decoded decoded = context.decode(source);
  TextOptions options;
  options.plain = files.plain;
  options.indent = files.pretty ? 2 : 0;
  options.limits = context.limits();
  std::string text = to_text(decoded.value.view(), options);
  text += '\n';
  context.write_output(text, context.options.output);
  context.report_losses();
  return exit_done;
}

int run_convert(Context& context, const Files& files, bool from_text) {
  if (from_text) context.options.from = text_format;
  std::optional<Source> on_input;
  if (files.in == "-" && files.out == "-" && !context.options.json && can_convert_stream(context)) {
    on_input = convert_stream(context);
    if (!on_input) return exit_done;
  }
  const Source source = on_input ? *on_input : context.open_input(files.in);
  const Context::Decoded decoded = context.decode(source);
  const std::string& out = files.out.empty() ? context.options.output : files.out;
  const std::string format = context.output_format(out.empty() ? "-" : out, decoded.value.view());
  const std::uint64_t bytes = context.encode_to(decoded.value.view(), format, out);
  const std::string from = decoded.codec_name();
  const Json lost = context.report_losses();
  if (context.options.json) {
    Json object{{"ok", true},
                {"in", {{"file", files.in}, {"codec", from}, {"bytes", source.bytes().size()}}},
                {"out", {{"file", out}, {"codec", format}, {"bytes", bytes}}}};
    if (context.options.lossy) object["lost"] = lost;
    if (out.empty() || out == "-")
      context.remark(object.dump());  // standard output holds the data
    else
      context.print_json(object);
  } else if (!out.empty() && out != "-") {
    context.remark(files.in + " (" + from + ") -> " + out + " (" + format + ", " + human_size(bytes) + ")");
  }
  return exit_done;
}

int run_validate(Context& context, const Files& files) {
  const Source source = context.open_input(files.in);
  const Context::Decoded decoded = context.decode(source);  // with full validation
  if (is_model(decoded.codec)) {
    const auto mesh = report_mesh(Item(decoded.value.view()), context.limits());
    if (mesh && mesh->problems.count != 0)
      throw Error(Status::range, std::to_string(mesh->problems.count) + " indices out of range, the first at " +
                                     mesh->problems.shown[0])
          .detail("mesh.index_out_of_range")
          .codec(decoded.codec->name);
  }
  const std::string codec = decoded.codec_name();
  const std::string type = type::print(infer_type(decoded.value.view(), context.limits()));
  if (context.options.json)
    context.print_json(Json{{"ok", true}, {"file", files.in}, {"codec", codec}, {"type", type}});
  else
    context.print(styled(Style::good, "valid") + " " + codec + ": " + type);
  return exit_done;
}

}  // namespace

void add_decode(CLI::App& app, Context& context, Action& action) {
  CLI::App* command = app.add_subcommand("decode", "Print a file's value in text notation: type and value as JSON");
  auto files = std::make_shared<Files>();
  command->add_option("FILE", files->in, "The file; - is standard input")->required();
  command->add_flag("--plain", files->plain, "Print the value alone, without its type");
  command->add_flag("--pretty", files->pretty, "Indent the output");
  command->add_option("-o,--output", context.options.output, "Write there instead of standard output")
      ->type_name("OUT");
  context.add_input_options(*command);
  context.add_loss_option(*command);
  context.add_registry_options(*command);
  context.add_json_option(*command);  // the output is one JSON object anyway; the option makes errors JSON, too
  command->callback([&, files] { action = [&, files] { return run_decode(context, *files); }; });
}

void add_encode(CLI::App& app, Context& context, Action& action) {
  CLI::App* command = app.add_subcommand("encode", "Encode a value that is written in text notation");
  auto files = std::make_shared<Files>();
  command->add_option("FILE", files->in, "A JSON file in text notation; - is standard input")->required();
  context.add_output_options(*command, "The file to write; - or nothing is standard output");
  context.add_loss_option(*command);
  context.add_registry_options(*command);
  context.add_json_option(*command);
  command->callback([&, files] { action = [&, files] { return run_convert(context, *files, true); }; });
}

void add_convert(CLI::App& app, Context& context, Action& action) {
  CLI::App* command = app.add_subcommand("convert", "Turn a file, or many, into another format");
  auto batch = std::make_shared<Batch>();
  command
      ->add_option(
          "FILE", batch->inputs,
          "IN OUT: the file to read and the file to write, - being standard input or output (then say --to). "
          "With --out-dir: all files to read")
      ->required();
  command->add_option("--out-dir", batch->out_dir, "Convert every FILE to a file in this folder; needs --to")
      ->type_name("DIR");
  command->add_option("--jobs", batch->jobs, "With --out-dir: files at a time; by default one for each processor")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  command->add_flag("--resume", batch->resume,
                    "With --out-dir: leave out files whose output is there and not older than they are");
  context.add_input_options(*command);
  context.add_output_options(*command, "");
  context.add_loss_option(*command);
  context.add_registry_options(*command);
  context.add_json_option(*command);
  command->callback([&, batch] {
    action = [&, batch] {
      if (!batch->out_dir.empty()) return convert_batch(context, *batch);
      if (batch->inputs.size() != 2)
        throw Error(Status::option, "convert takes IN and OUT, or any number of files with --out-dir");
      return run_convert(context, {.in = batch->inputs[0], .out = batch->inputs[1]}, false);
    };
  });
}

void add_validate(CLI::App& app, Context& context, Action& action) {
  CLI::App* command = app.add_subcommand("validate", "Check a file completely; says its type, or where it is wrong");
  auto files = std::make_shared<Files>();
  command->add_option("FILE", files->in, "The file; - is standard input")->required();
  context.add_input_options(*command);
  context.add_registry_options(*command);
  context.add_json_option(*command);
  command->callback([&, files] { action = [&, files] { return run_validate(context, *files); }; });
}

}  // namespace polycodec::cli
