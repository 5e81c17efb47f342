// SPDX-License-Identifier: MIT
// `polycodec decode`, `encode`, `convert` and `validate`: from bytes to values and back.
#include <polycodec/mesh.hpp>

#include "batch.hpp"
#include "commands.hpp"
#include "common/terminal.hpp"
#include "print_value.hpp"
#include "stream_convert.hpp"
#include "view/mesh_assets.hpp"

#include <memory>
#include <optional>

namespace polycodec::cli {
namespace {

struct Files {
  std::string in, out;
};

int run_decode(const Run& run, const std::string& file, const Printing& printing) {
  check_printing(printing);
  const Read decoded = run.read_file(file);
  print_value(run, decoded.value, decoded.budget, printing);
  return exit_done;
}

/// What follows the files in the line of a conversion.
std::string words_for(const Result& result) {
  switch (result.kept) {
    case Kept::same:
      return ", same value";
    case Kept::same_items:
      return ", same items";
    case Kept::same_numbers:
      return ", same numbers";
    case Kept::different:
      return ", different in " + result.path + " (" + result.reason + ")";
    default:
      return result.reason.empty() ? "" : ", not compared: " + result.reason;
  }
}

int run_convert(const Run& run, const Files& files, bool from_text) {
  std::optional<Input> on_input;
  if (files.in == "-" && files.out == "-" && !run.out.is_json() && can_convert_stream(run)) {
    on_input = convert_stream(run);
    if (!on_input) return exit_done;
  }
  if (run.options.stream && (files.in == "-" || files.out == "-"))
    throw Error(Status::option,
                "--stream: name two files; values on standard input are converted one by one "
                "without it, where IN and OUT are - and --from and --to name codecs with streams");
  const Input input = on_input ? *on_input : run.open_input(files.in);
  Format from = run.from();
  if (from_text) from.codec = "text";
  const Written done = convert_with_assets(run, input, from, files.out);
  if (run.out.is_json()) {
    Json object{{"ok", true},
                {"in", {{"file", files.in}, {"codec", done.from}, {"bytes", input.bytes().size()}}},
                {"out", {{"file", files.out}, {"codec", done.codec}, {"bytes", done.bytes}}}};
    if (done.is_partial) object["partial"] = true;
    add_report(object, done, done.losses, run.options.lossy);
    run.out.print_json(object, done.file == "-");  // standard output holds the data
  } else if (done.file != "-") {
    run.out.note(files.in + " (" + done.from + (done.is_partial ? ", in part" : "") + ") -> " +
                 files.out + " (" + done.codec + ", " + human_size(done.bytes) + ")" +
                 words_for(done));
  }
  return exit_done;
}

/// True if the codec's values are meshes.
bool is_model(const Run& run, const std::string& codec) {
  if (codec == "raw") return false;
  const Value facts = run.registry().describe(About::codec, codec);
  const auto types = facts.view().find("media_types");
  for (std::uint64_t i = 0; types && i < types->size(); ++i)
    if (types->child(i).as_string().starts_with("model/")) return true;
  return false;
}

/// Throws Error(range, `mesh.index_out_of_range`) if a mesh has an index without a row. A codec
/// keeps such an index, because the file says it.
void check_indices(const Run& run, const Read& decoded) try {
  const Budget budget = decoded.value.budget(run.limits(), cancel_flag());
  static_cast<void>(Value::build(
      [&](Builder& out) {
        static_cast<void>(as_mesh(decoded.value.view(),
                                  {.on_work = [&](std::uint64_t units) { budget.spend(units); }},
                                  out));
        return Builder::null();
      },
      {}, run.limits().max_memory_bytes));
} catch (Error& error) {
  // Other errors: the names are a mesh's, the values are not.
  if (error.detail() == "mesh.index_out_of_range") throw error.codec(decoded.codec_name());
  if (error.code() == Status::limit || error.code() == Status::memory) throw;
}

int run_validate(const Run& run, const Files& files) {
  const Input input = run.open_input(files.in);
  const Read decoded = run.read(input);  // with full validation
  const std::string& codec = decoded.codec_name();
  if (mesh_form(decoded.value.view()) != MeshForm::none && is_model(run, codec))
    about_input(input.name, [&] { check_indices(run, decoded); });
  std::string type;
  decoded.budget.walk([&] { type = decoded.value.type(); });
  run.out.print_result(Json{{"ok", true}, {"file", files.in}, {"codec", codec}, {"type", type}},
                       styled(Style::good, "valid") + " " + codec + ": " + type);
  return exit_done;
}

}  // namespace

void describe_decode(Command& command, CommonOptions& options) {
  command.help = "Print a file's value as text: type and value";
  command.example = "polycodec decode in.data --plain";
  auto file = std::make_shared<std::string>();
  auto printing = std::make_shared<Printing>();
  command.add("FILE", file.get(), "The file; - is standard input").required();
  add_printing_options(command, *printing);
  add_input_options(command, options);
  add_projection_options(command, options);
  add_sync_option(command, options);
  add_loss_option(command, options);
  // The output is one JSON object anyway: the option makes errors JSON, too.
  add_common_options(command, options);
  command.run = [file, printing](const Run& run) { return run_decode(run, *file, *printing); };
}

void describe_encode(Command& command, CommonOptions& options) {
  command.help = "Encode a value that is given as text";
  command.example = "polycodec encode value.json --to NAME -o out.data";
  auto files = std::make_shared<Files>();
  command.add("FILE", &files->in, "A file in typed JSON; - is standard input").required();
  add_output_options(command, options, "The file to write; - or nothing is standard output");
  add_sync_option(command, options);
  add_loss_option(command, options);
  add_compare_option(command, options);
  add_common_options(command, options);
  command.run = [files](const Run& run) {
    try {
      return run_convert(run, {.in = files->in, .out = run.options.output}, true);
    } catch (const InputError& error) {
      if (error.detail() != "text.syntax") throw;
      const Error advised = with_advice(error, "`polycodec convert` reads other formats");
      throw InputError(advised, error.file());
    }
  };
}

void describe_convert(Command& command, CommonOptions& options) {
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
  add_input_options(command, options);
  add_projection_options(command, options);
  add_output_options(command, options, "The file to write, in place of OUT");
  command.add_section("Output", [&] {
    command.add("--plain", plain.get(), "Write the value alone, as plain JSON (see jq)");
    command.add("--stream", &options.stream,
                "Convert values that follow each other one by one, in little memory");
  });
  add_sync_option(command, options);
  add_loss_option(command, options);
  add_asset_options(command, options);
  add_compare_option(command, options);
  add_common_options(command, options);
  command.run = [batch, plain](const Run& run) {
    if (!batch->out_dir.empty()) {
      if (*plain) throw Error(Status::option, "--plain: it is for one file; leave out --out-dir");
      return convert_batch(run, *batch);
    }
    std::vector<std::string> files = batch->inputs;
    if (!run.options.output.empty()) files.push_back(run.options.output);
    if (files.size() != 2)
      throw Error(Status::option,
                  "convert takes IN and OUT, such as 'polycodec convert mesh.ply mesh.obj', or any "
                  "number of files with --out-dir");
    return *plain ? run_decode(run, files[0], {.out = files[1], .plain = true})
                  : run_convert(run, {.in = files[0], .out = files[1]}, false);
  };
}

void describe_validate(Command& command, CommonOptions& options) {
  command.help = "Check a file completely, and print its type";
  command.example = "polycodec validate in.data";
  auto files = std::make_shared<Files>();
  command.add("FILE", &files->in, "The file; - is standard input").required();
  add_input_options(command, options);
  add_common_options(command, options);
  command.run = [files](const Run& run) { return run_validate(run, *files); };
}

}  // namespace polycodec::cli
