// SPDX-License-Identifier: MIT
#include "context.hpp"

#include <base/quote.hpp>
#include <model/type/type.hpp>
#include <polycodec/collection.hpp>
#include <polycodec/message.hpp>
#include <polycodec/registry.hpp>
#include <polycodec/sink.hpp>
#include <polycodec/text.hpp>

#include "core/convert/infer.hpp"
#include "core/io/file_sink.hpp"
#include "core/io/mapping_guard.hpp"
#include "projection.hpp"
#include "registry/config/config_limits.hpp"
#include "registry/config/schema.hpp"
#include "registry/isolation/rule.hpp"
#include "terminal.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>

namespace polycodec::cli {
namespace {

std::string extension_of(const std::string& file) {
  std::string extension = std::filesystem::path(file).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(), [](unsigned char c) {
    return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
  });
  return extension;
}

Value options_value(const std::string& json, const char* option) {
  if (json.empty()) return {};
  try {
    Value value = parse_json(json);
    if (!value.view().is_object()) throw Error(Status::option, "a JSON object is expected");
    return value;
  } catch (const Error& error) {
    throw Error(Status::option, std::string(option) + ": " + error.message(), error.offset());
  }
}

void write_all(std::FILE* stream, std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stream) != text.size() || std::fflush(stream) != 0)
    throw Error(Status::io,
                "cannot write to standard output: " + std::generic_category().message(errno));
}

}  // namespace

std::atomic<bool>& interrupted() {
  static std::atomic<bool> flag{false};
  return flag;
}

std::atomic<bool>& ends_at_once() {
  static std::atomic<bool> flag{false};
  return flag;
}

std::filesystem::path own_directory() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
}

void Context::add_registry_options(Command& command) {
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

void Context::add_input_options(Command& command) {
  command.add_section("Input", [&] {
    command.add(
        "-f,--from NAME", &options.from,
        "Codec of the input (default: chosen by header, content, extension); 'text' is typed JSON");
    command.add("--from-options JSON", &options.from_options, "Options of that codec as JSON");
    command.add(
        "--tolerant", &options.tolerant,
        "Mend what is wrong in the input and report each place: strict=false for the codec");
    command.add("--from-filters JSON", &options.from_filters,
                "Filters after that codec as JSON, such as [{\"id\": \"zstd\"}]; needs --from");
    command.add(
        "--as-is", &options.as_is,
        "Do not make the value of a framed message fit the datatype that its header declares");
    add_mapping_option(command);
  });
}

void Context::add_projection_options(Command& command) {
  command.add_section("Input", [&] {
    command.add("--columns PATHS", &options.columns,
                "Read these members alone, such as vertex.x,vertex.y; other keys are written "
                "[\"any key\"]");
    command.add(
        "--rows FROM:TO", &options.rows,
        "Read these rows alone, of each column or of the whole value; counted from 0, without "
        "TO");
  });
}

void Context::add_mapping_option(Command& command) {
  command.add("--no-mmap", &options.no_mmap,
              "Read input files into memory instead of mapping them");
}

void Context::add_output_options(Command& command, const std::string& what) {
  command.add_section("Output", [&] {
    command.add("-t,--to NAME", &options.to,
                "Codec of the output (default: by the output's extension); 'text' is typed JSON");
    command.add("--to-options JSON", &options.to_options, "Options of that codec as JSON");
    command.add("--to-filters JSON", &options.to_filters,
                "Filters after that codec as JSON, such as [{\"id\": \"zstd\"}]");
    if (!what.empty()) command.add("-o,--output OUT", &options.output, what);
  });
}

void Context::add_sync_option(Command& command) {
  command.add_section("Output", [&] {
    command
        .add("--sync WHEN", &options.sync,
             "Wait for the disk: none, at the end, or after each file")
        .one_of({"none", "end", "file"})
        .show_default();
  });
}

void Context::add_loss_option(Command& command) {
  command.add_section("Output", [&] {
    command.add("--lossy", &options.lossy,
                "Leave out what the result cannot hold, and print each loss, instead of refusing");
  });
}

void Context::add_compare_option(Command& command) {
  command.add_section("Output", [&] {
    command.add("--no-compare", &options.no_compare,
                "Do not read the output back to compare it with the input");
  });
}

void Context::add_json_option(Command& command) {
  command.add("--json", &options.json, "Print one JSON object instead of text");
}

const Configuration& Context::configuration() {
  if (configuration_) return *configuration_;
  Configuration c = [&] {
    try {
      return options.config.empty() ? load_default_config() : load_config(options.config);
    } catch (const Error& e) {
      // A file that is not there is as wrong as one that is not a configuration.
      if (e.code() != Status::io) throw;
      throw Error(Status::option, "the configuration: " + e.message());
    }
  }();
  c.registry.threads = UINT32_MAX;
  if (!options.limits.empty())
    c.registry.limits = parse_limits(options.limits, c.registry.limits, &c.registry.notices);
  const Value said = options.limits.empty() ? Value() : parse_json(options.limits);
  for (std::uint64_t i = 0; said.view().is_object() && i < said.view().size(); ++i)
    c.said_by.emplace("limits." + std::string(said.view().key(i).as_string()), "--limits");
  read_isolation_text(options.isolate, c.registry.policy);
  if (!options.isolate.empty())
    c.said_by.emplace(std::string("policy") + ".isolation", "--isolate");
  for (const std::string& path : options.plugin_paths)
    c.registry.add_paths.push_back(std::filesystem::absolute(path).lexically_normal());
  if (!options.plugin_paths.empty())
    c.said_by.emplace(std::string("plugins") + ".add_paths", "--plugin-path");
  const auto level =
      options.verbose ? POLYCODEC_LOG_DEBUG : c.log_level.value_or(POLYCODEC_LOG_WARNING);
  if (!options.quiet && !c.registry.log) c.registry.log = spdlog_log_hook(level);
  return configuration_.emplace(std::move(c));
}

void Context::isolate_foreign_plugins() {
  (void)configuration();
  Policy& policy = configuration_->registry.policy;
  const auto relax = [](IsolationRule& rule) {
    if (rule.mode == IsolationMode::in_process) rule.mode = IsolationMode::automatic;
  };
  relax(policy.isolation);
  for (auto& [pattern, rule] : policy.isolation_of) relax(rule);
}

const Registry& Context::registry() {
  if (!registry_) registry_ = Registry::open(configuration().registry);
  return *registry_;
}

CallOptions Context::call_options() {
  CallOptions call;
  call.limits = limits();
  call.threads = options.threads;
  call.cancel = &interrupted();
  call.budget = budget_;
  call.projection = projection_of(options.columns, options.rows);
  call.allow_partial = !call.projection.is_all();
  call.losses = options.lossy ? all_losses : default_losses;
  call.on_loss = [this](LossClass loss, std::string_view path, std::string_view what) {
    const std::scoped_lock lock(losses_mutex_);
    losses_.push_back({std::string(path), std::string(what), loss});
  };
  return call;
}

Source Context::open_input(const std::string& file, int opened) {
  input_name_ = file == "-" ? "standard input" : file;
  const FileAccess access = options.no_mmap ? FileAccess::read : FileAccess::map;
  if (opened >= 0) return Source::descriptor(opened, file, limits(), access);
  if (file == "-") {
    const Limits& bounds = limits();
    const EndsAtOnce nothing_begun;
    return Source::descriptor(STDIN_FILENO, "standard input", bounds);
  }
  return Source::open(file, limits(), access);
}

std::string Context::from_options() const {
  if (!options.tolerant) return options.from_options;
  const Value given = options_value(options.from_options, "--from-options");
  if (given.view().is_null() || View(given.view()).size() == 0) return R"({"strict": false})";
  std::string json = options.from_options;
  return json.insert(json.rfind('}'), R"(, "strict": false)");
}

Read Context::read(const Source& source) {
  const Activity activity("Decoding " + std::string(source.name()), !options.quiet);
  input_name_ = source.name();
  if (!options.from_filters.empty() && options.from.empty())
    throw Error(Status::option,
                "--from-filters requires --from: the codec cannot be detected in filtered data");
  const Value codec_options = options_value(from_options(), "--from-options");
  ReadOptions read_options;
  scope_.reset();
  budget_ = make_budget(limits(), &interrupted());
  scope_.emplace(*budget_);
  static_cast<CallOptions&>(read_options) = call_options();
  read_options.codec = options.from;
  read_options.options = codec_options.view();
  read_options.filters = options.from_filters;
  read_options.fit = !options.as_is;
  read_options.destination = options.destination;
  try {
    Read decoded = registry().read(source, read_options);
    posix::check_mappings();
    mapped_ = source.is_mapped() ? source.bytes() : std::string_view();
    pin_ = source.pin();
    return decoded;
  } catch (const Error&) {
    posix::check_mappings();  // what was read in vain says more than what zeros look like
    throw;
  }
}

void Context::set_destination(const std::string& file) {
  options.destination = options.to.empty() ? extension_of(file) : options.to;
}

std::string Context::output_format(const std::string& file, NodeView value) {
  rule_options_.clear();
  rule_filters_.clear();
  if (!options.to.empty()) return options.to;
  if (const std::string extension = extension_of(file); !extension.empty() && file != "-") {
    auto codecs = registry().find_by_extension(file);
    std::erase_if(codecs, [](const CodecInfo* c) { return !c->can_encode; });
    if (codecs.size() == 1) return codecs.front()->name;
    if (codecs.size() > 1) {
      std::string names;
      for (const CodecInfo* c : codecs) names += (names.empty() ? "" : ", ") + c->name;
      throw Error(Status::ambiguous, "several codecs write " + quote(extension) + " files (" +
                                         names + "): choose one with --to");
    }
  }
  RuleFacts facts;
  const std::string name = std::filesystem::path(file).filename().string();
  facts.file = name;
  facts.value = NodeView(value).raw();
  if (const auto rule = configuration().choose(facts)) {
    rule_options_ = rule->options;
    rule_filters_ = rule->filters;
    return rule->codec;
  }
  const std::string extension = extension_of(file);
  throw Error(Status::option, "cannot choose an output format for " + quote_path(file) + ": " +
                                  (extension.empty() ? "the name has no extension"
                                                     : "no codec writes " + quote(extension)) +
                                  "; use --to NAME (see 'polycodec list')");
}

std::uint64_t Context::encode_to(NodeView value, const std::string& format, const std::string& file,
                                 Check* check) {
  const Activity activity("Encoding " + file, !options.quiet);
  written_options_ = options.to_options.empty() ? rule_options_ : options.to_options;
  static_cast<void>(options_value(written_options_, "--to-options"));  // says what is wrong
  const CodecInfo* codec = registry().find(format);
  if (codec != nullptr)
    written_options_ = options_for_file(codec->options_schema, written_options_, file);
  if (codec != nullptr && (codec->outputs & POLYCODEC_INPUT_BYTES) == 0) {
    if (file == "-" || file.empty())
      throw Error(
          Status::option,
          quote(format) + " writes named blobs: say where to with -o (a file or a directory)");
    return encode_to_container(registry(), value, format, written_options_, file, call_options(),
                               checking(value, format, "", file, check));
  }
  const std::string& filters = options.to_filters.empty() ? rule_filters_ : options.to_filters;
  const Codec encoder = registry().codec_with_json(format, written_options_, filters);
  const std::uint64_t most = limits().max_output_bytes;
  if (!file.empty() && file != "-") {
    FileSink sink(file, checking(value, format, filters, file, check), most);
    encoder.encode(value, sink, call_options());
    sink.finish();
    return sink.size();
  }
  static_cast<void>(checking(value, format, filters, file, check));  // says that it is a stream
  SegmentSink sink(most);
  encoder.encode(value, sink, call_options());
  write_output(sink.segments(), file);
  return sink.size();
}

std::unique_ptr<Context> Context::worker() {
  auto other = std::make_unique<Context>();
  other->options = options;
  other->options.quiet = true;
  other->configuration_ = configuration();
  other->registry_ = registry();
  return other;
}

std::vector<Loss> Context::report_losses() {
  const std::scoped_lock lock(losses_mutex_);
  std::vector<Loss> all = std::exchange(losses_, {});
  for (const Loss& loss : all) note(describe(loss));
  return all;
}

void Context::write_output(std::span<const Segment> segments, const std::string& file,
                           const WriteOptions& how) {
  posix::check_mappings();
  if (!file.empty() && file != "-") {
    write_file(file, segments, how);
  } else if (is_terminal(STDOUT_FILENO)) {
    std::string all;
    for (const Segment& segment : segments) all += to_string_view(segment.data, segment.size);
    write_all(stdout, printable(all));
  } else {
    write_descriptor(STDOUT_FILENO, segments, "standard output");
  }
}

void Context::print_json(const Json& object, bool on_error_stream) {
  on_error_stream ? note(object.text(json_compact)) : print(object.text(2));
}

void Context::print(std::string_view text) {
  posix::check_mappings();
  std::string line = printable(text);
  if (!line.ends_with('\n')) line += '\n';
  write_all(stdout, line);
}

void Context::note(std::string_view text) {
  if (!options.quiet) std::fprintf(stderr, "%s\n", printable(text).c_str());
}

Json to_json(const Error& error) {
  Json object{{"code", status_name(error.code())}, {"message", error.message()}};
  if (!error.codec().empty()) object["codec"] = error.codec();
  if (!error.detail().empty()) object["detail"] = error.detail();
  if (error.offset() != Error::no_offset) object["offset"] = error.offset();
  if (!error.path().empty()) object["path"] = error.path();
  return object;
}

/// The file that the error is about, for errors of codecs and those at a byte: other errors name
/// their file, or are about an option or a codec.
std::string Context::file_of(const Error& error) const {
  const bool is_of_data = !error.codec().empty() || error.offset() != Error::no_offset ||
                          error.code() == Status::ambiguous;
  const bool is_named = error.message().find(input_name_) != std::string::npos;
  return is_of_data && !is_named && error.code() != Status::option ? input_name_ : std::string();
}

int Context::report(const Error& error) {
  if (error.code() == Status::io && is_without_reader(STDOUT_FILENO)) end_like_a_filter();
  const std::string file = file_of(error);
  const std::string text = styled(Style::bad, "polycodec:", true) + " " + file +
                           (file.empty() ? "" : ": ") + error.describe();
  std::fprintf(stderr, "%s\n", printable(text).c_str());
  if (options.json) {
    Json object{{"ok", false}, {"error", to_json(error)}};
    if (!file.empty()) object["file"] = file;
    std::fputs(printable(object.text(2) + "\n").c_str(), stdout);
  }
  if (compares && !interrupted()) return exit_usage;
  switch (error.code()) {
    case Status::option:
      return exit_usage;
    case Status::plugin:
      return exit_no_codec;
    // What the data asked for and may not has a word of its own; what the policy denies has none.
    case Status::denied:
      return error.detail().empty() ? exit_no_codec : exit_refused;
    // A codec that reports not_found misses a part of its input; without a codec it is the codec
    // that is missing.
    case Status::not_found:
      return error.codec().empty() ? exit_no_codec : exit_refused;
    case Status::cancelled:
      return interrupted() ? exit_interrupted : exit_refused;
    default:
      return exit_refused;
  }
}

}  // namespace polycodec::cli
