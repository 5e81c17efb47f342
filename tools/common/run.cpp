// SPDX-License-Identifier: MIT
#include "common/run.hpp"

#include <polycodec/quote.hpp>

#include "common/log.hpp"
#include "common/projection.hpp"
#include "common/terminal.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <optional>

namespace polycodec::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t default_losses =
    POLYCODEC_LOSSES_OF(POLYCODEC_LOSS_NOTE) | POLYCODEC_LOSSES_OF(POLYCODEC_LOSS_RETYPED);

std::int32_t configured_level(const Registry& registry) {
  static constexpr const char* words[] = {"debug", "info", "warning", "error"};
  const Value settings = registry.describe(About::settings);
  for (const View setting : settings.view())
    if (setting["key"].as_string() == "log_level")
      return static_cast<std::int32_t>(std::ranges::find(words, setting["value"].as_string()) -
                                       std::begin(words));
  return POLYCODEC_LOG_WARNING;
}

/// Options of a codec, which are to be a JSON object.
const std::string& checked(const std::string& json, const char* option) {
  if (json.empty()) return json;
  try {
    const Value value = Value::parse(json);
    if (!value.view().is_object()) throw Error(Status::option, "a JSON object is expected");
  } catch (const Error& error) {
    throw Error(Status::option, std::string(option) + ": " + error.message(), error.offset());
  }
  return json;
}

bool writes_bytes(const Registry& registry, const std::string& codec) {
  const Value facts = registry.describe(About::codec, codec);
  const auto outputs = facts.view().find("outputs");
  if (!outputs) return true;
  for (const View part : *outputs)
    if (part.as_string() == "bytes") return true;
  return false;
}

}  // namespace

/// What the options and the configuration say, once a call needs it.
struct Run::Opened {
  std::mutex mutex;  // call_once() aborts the program where an exception finds no memory
  Registry registry;
  Limits limits;
};

Registry open_registry(const CommonOptions& options, std::uint32_t flags) try {
  RegistryOptions how;
  how.flags = POLYCODEC_REGISTRY_GUARD | flags;
  if (options.config.empty()) {
    how.flags |= POLYCODEC_REGISTRY_DEFAULT_CONFIG;
  } else {
    const Source config = Source::file(options.config);
    how.layers.push_back({std::string(config.bytes()), options.config});
  }
  if (!options.limits.empty())
    how.layers.push_back({R"({"limits": )" + options.limits + "}", "--limits"});
  for (const std::string& path : options.plugin_paths) {
    if (std::error_code ignored; fs::is_regular_file(path, ignored))
      throw Error(Status::option, "--plugin-path: " + quote_path(path) +
                                      " is a file: name the directory that it is in");
    how.add_paths.push_back(fs::absolute(path).lexically_normal().string());
  }
  how.isolation = options.isolate;
  how.threads = UINT32_MAX;
  if (options.quiet) return Registry::open(how);
  // Values of any registry may log as long as the program runs.
  static LogPrinter printer;
  static const Log log = [](std::int32_t level, std::string_view origin, std::string_view text) {
    printer(level, origin, text);
  };
  how.log = &log;
  const bool is_configured = !options.config.empty() || std::getenv("POLYCODEC_CONFIG") != nullptr;
  if (options.verbose || !is_configured)
    printer.set_level(options.verbose ? POLYCODEC_LOG_DEBUG : POLYCODEC_LOG_WARNING);
  const Registry registry = Registry::open(how);
  if (!options.verbose && is_configured) printer.set_level(configured_level(registry));
  return registry;
} catch (const Error& error) {
  // A file that is not there is as wrong as one that is not a configuration.
  if (error.code() != Status::io) throw;
  throw Error(Status::option, "the configuration: " + error.message());
}

Run::Run(CommonOptions given)
    : options(std::move(given)),
      out(options.json, options.quiet),
      opened_(std::make_shared<Opened>()) {}

Run::Run(const Run& other, CommonOptions given)
    : options(std::move(given)), out(options.json, options.quiet), opened_(other.opened_) {}

const Registry& Run::registry() const {
  const std::scoped_lock lock(opened_->mutex);
  if (!opened_->registry) {
    opened_->registry = open_registry(options);
    opened_->limits = opened_->registry.limits();
  }
  return opened_->registry;
}

const Limits& Run::limits() const {
  static_cast<void>(registry());
  return opened_->limits;
}

Input Run::open_input(const std::string& file, int opened) const {
  SourceOptions how{.name = file, .copy = options.no_mmap, .limits = limits()};
  if (opened >= 0) {
    how.map = !options.no_mmap;
    return {Source::descriptor(opened, how), file};
  }
  if (file != "-") {
    std::error_code ignored;
    if (file.find_first_of("*?") != file.npos && !fs::exists(file, ignored))
      throw Error(Status::io, "no file is called " + quote_path(file) +
                                  ": leave the quotes out, so that the shell replaces the pattern");
    return {Source::file(file, how), file};
  }
  how.name = "standard input";
  const EndsAtOnce nothing_begun;
  // Ctrl-C from before: what is to come may take for ever.
  if (interrupted()) throw Error(Status::cancelled, "interrupted before standard input was read");
  return {Source::descriptor(STDIN_FILENO, how), how.name};
}

Read Run::read(const Input& input, const Format& from, const std::string& destination) const {
  const Activity activity("Decoding " + input.name, !options.quiet);
  Read read;
  read.budget = budget();
  CallOptions how = call(read.losses, read.budget);
  how.destination = destination;
  how.select = options.select;
  about_input(input.name,
              [&] { read.value = registry().decode(input.source, how, from, &read.match); });
  out.note_losses(read.losses);
  return read;
}

Written Run::write(const Value& value, const std::string& file, const Format& to,
                   const Budget& budget, std::uint32_t flags) const {
  const Activity activity("Encoding " + file, !options.quiet);
  Written written;
  written.file = is_standard_output(file) ? "-" : file;
  CallOptions how = call(written.losses, budget);
  how.flags |= flags;
  if (!is_standard_output(file)) {
    static_cast<Result&>(written) = registry().write(value, file, to, how, write_options());
  } else {
    const Codec codec =
        !to.codec.empty() ? registry().codec(to) : registry().codec_for("-", value, to);
    written.codec = codec.name();
    if (!writes_bytes(registry(), written.codec))
      throw Error(Status::option,
                  polycodec::quote(written.codec) +
                      " writes named blobs: say where to with -o (a file or a directory)");
    Sink sink(limits().max_output_bytes);
    codec.encode(value, sink, how);
    written.bytes = sink.size();
    written.is_partial = value.is_partial();
    out.write(sink);
  }
  out.note_losses(written.losses);
  return written;
}

Written Run::convert(const Input& input, const Format& from, const std::string& file) const {
  const Format format = to();
  if (is_standard_output(file)) {
    Read read = this->read(input, from, format.codec);
    Written written =
        about_input(input.name, [&] { return write(read.value, file, format, read.budget); });
    written.from = read.codec_name();
    if (!options.no_compare) written.reason = "the output is a stream";
    written.losses.insert(written.losses.begin(), read.losses.begin(), read.losses.end());
    return written;
  }
  const Activity activity("Converting " + input.name, !options.quiet);
  Written written;
  written.file = file;
  CallOptions how = call(written.losses);
  how.select = options.select;
  if (!options.no_compare) how.flags |= POLYCODEC_CALL_COMPARE;
  if (options.stream) how.flags |= POLYCODEC_CALL_STREAM;
  static_cast<Result&>(written) = about_input(input.name, [&] {
    return registry().convert(input.source, file, from, format, how, write_options());
  });
  out.note_losses(written.losses);
  return written;
}

void Run::write_output(std::string_view bytes, const std::string& file) const {
  is_standard_output(file) ? out.write(bytes)
                           : registry().write_bytes(bytes, file, write_options());
}

Format Run::from() const {
  if (!options.from_filters.empty() && options.from.empty())
    throw Error(Status::option,
                "--from-filters requires --from: the codec cannot be detected in filtered data");
  return {options.from, checked(options.from_options, "--from-options"), options.from_filters};
}

Format Run::to() const {
  return {options.to, checked(options.to_options, "--to-options"), options.to_filters};
}

CallOptions Run::call(std::vector<Loss>& losses, const Budget& budget) const {
  CallOptions call;
  if (set_projection(call, options.columns, options.rows)) call.flags |= POLYCODEC_CALL_PARTIAL;
  if (options.as_is) call.flags |= POLYCODEC_CALL_AS_IS;
  if (options.tolerant) call.flags |= POLYCODEC_CALL_TOLERANT;
  call.threads = options.threads;
  if (budget)
    call.budget = budget;
  else
    call.cancel = cancel_flag();
  if (options.lossy && options.lossless)
    throw Error(Status::option, "--lossy allows what --lossless rejects: choose one");
  if (options.lossless) call.flags |= POLYCODEC_CALL_LOSSLESS;
  call.losses = options.lossless ? 0 : options.lossy ? all_losses : default_losses;
  call.on_loss = [&losses](LossClass loss, std::string_view path, std::string_view what) {
    losses.push_back({std::string(path), std::string(what), loss});
  };
  return call;
}

void rethrow_about(const std::string& input, const Error& error) {
  // Others name their file, or are about an option or a codec.
  const bool is_of_data = !error.codec().empty() || error.offset() != Error::no_offset ||
                          error.code() == Status::ambiguous;
  const bool is_named = error.message().find(input) != std::string::npos;
  if (is_of_data && !is_named && error.code() != Status::option) throw InputError(error, input);
  throw Error(error);
}

void add_kept(Json& object, const Result& result) {
  static constexpr const char* words[] = {"unknown", "same", "same_items", "same_numbers",
                                          "different"};
  if (result.kept == Kept::unknown && result.reason.empty()) return;
  object["kept"] = words[static_cast<std::size_t>(result.kept)];
  if (result.kept == Kept::unknown) object["not_compared"] = result.reason;
  if (result.kept == Kept::different)
    object["difference"] = {{"path", result.path}, {"what", result.reason}};
}

void add_report(Json& object, const Result& result, const std::vector<Loss>& losses, bool always) {
  constexpr std::uint32_t retyped = POLYCODEC_LOSSES_OF(POLYCODEC_LOSS_RETYPED);
  const Json lost = to_json(losses, ~retyped), changed = to_json(losses, retyped);
  add_kept(object, result);
  if (always || !lost.empty()) object["lost"] = lost;
  if (!changed.empty()) object["retyped"] = changed;
}

}  // namespace polycodec::cli
