// SPDX-License-Identifier: MIT
#include "context.hpp"

#include <polycodec/collection.hpp>
#include <polycodec/datatype_fields.hpp>
#include <polycodec/file.hpp>
#include <polycodec/infer.hpp>
#include <polycodec/json.hpp>
#include <polycodec/log.hpp>
#include <polycodec/message.hpp>
#include <polycodec/pipeline.hpp>
#include <polycodec/schema/normalise.hpp>
#include <polycodec/store.hpp>
#include <polycodec/text.hpp>

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
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c); });
  return extension;
}

/// True if the bytes begin like text notation: an object whose first key is "type".
bool looks_like_text(std::string_view bytes) {
  constexpr std::string_view blanks = " \t\r\n";
  const auto next = [&](char wanted) {
    const auto at = bytes.find_first_not_of(blanks);
    if (at == bytes.npos || bytes[at] != wanted) return false;
    bytes.remove_prefix(at + 1);
    return true;
  };
  if (!next('{') || !next('"') || !bytes.starts_with("type\"")) return false;
  bytes.remove_prefix(5);
  return next(':') && next('"');
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
    throw Error(Status::io, "cannot write to standard output: " + std::generic_category().message(errno));
}

}  // namespace

std::atomic<bool>& interrupted() {
  static std::atomic<bool> flag{false};
  return flag;
}

void Context::add_registry_options(CLI::App& command) {
  command.add_option("--config", options.config, "Configuration file (default: $POLYCODEC_CONFIG)")
      ->type_name("FILE");
  command.add_option("--plugin-path", options.plugin_paths, "Search this folder for plugins first (repeatable)")
      ->type_name("DIR");
  command.add_option("--limits", options.limits, R"(Limits as JSON, such as '{"max_depth": 64}')")->type_name("JSON");
  command.add_flag("-q,--quiet", options.quiet, "Print results only, no remarks and no progress");
  command.add_flag("-v,--verbose", options.verbose, "Log what the registry does to standard error");
}

void Context::add_input_options(CLI::App& command) {
  command
      .add_option("--from", options.from,
                  "Codec of the input (default: chosen by header, content, extension); 'text' is the text notation")
      ->type_name("NAME");
  command.add_option("--from-options", options.from_options, "Options of that codec as JSON")->type_name("JSON");
  command
      .add_option("--from-then", options.from_then,
                  "Byte codecs behind that codec as JSON, such as [{\"id\": \"zstd\"}]; needs --from")
      ->type_name("JSON");
  command.add_flag("--as-is", options.as_is,
                   "Do not make the value of a framed message fit the datatype that its header declares");
}

void Context::add_output_options(CLI::App& command, const std::string& what) {
  command
      .add_option("--to", options.to,
                  "Codec of the output (default: by the output's extension); 'text' is the text notation")
      ->type_name("NAME");
  command.add_option("--to-options", options.to_options, "Options of that codec as JSON")->type_name("JSON");
  command
      .add_option("--to-then", options.to_then, "Byte codecs behind that codec as JSON, such as [{\"id\": \"zstd\"}]")
      ->type_name("JSON");
  if (!what.empty()) command.add_option("-o,--output", options.output, what)->type_name("OUT");
}

void Context::add_loss_option(CLI::App& command) {
  command.add_flag("--lossy", options.lossy,
                   "Leave out what the result cannot hold, and print each loss, instead of refusing");
}

void Context::add_json_option(CLI::App& command) {
  command.add_flag("--json", options.json, "Print one JSON object instead of text for people");
}

const Configuration& Context::configuration() {
  if (configuration_) return *configuration_;
  Configuration c = [&] {
    try {
      return options.config.empty() ? load_default_config() : load_config(options.config);
    } catch (const Error& e) {
      // A file that is not there is as wrong as one that is no configuration.
      if (e.code() != Status::io) throw;
      throw Error(Status::option, "the configuration: " + e.message());
    }
  }();
  if (!options.limits.empty()) c.registry.limits = parse_limits(options.limits, c.registry.limits);
  for (const std::string& path : options.plugin_paths)
    c.registry.add_paths.push_back(std::filesystem::absolute(path).lexically_normal());
  const auto level = options.verbose ? POLYCODEC_LOG_DEBUG : c.log_level.value_or(POLYCODEC_LOG_WARNING);
  if (!options.quiet && !c.registry.log) c.registry.log = spdlog_log_hook(level);
  return configuration_.emplace(std::move(c));
}

const Registry& Context::registry() {
  if (!registry_) registry_ = Registry::open(configuration().registry);
  return *registry_;
}

CallOptions Context::call_options() {
  CallOptions call;
  call.limits = limits();
  call.cancel = &interrupted();
  if (options.lossy)
    call.on_loss = [this](std::string_view path, std::string_view what) {
      const std::scoped_lock lock(losses_mutex_);
      losses_.push_back({std::string(path), std::string(what)});
    };
  return call;
}

Source Context::open_input(const std::string& file) {
  if (file == "-") return Source::descriptor(STDIN_FILENO, "standard input", limits());
  return Source::open(file, limits());
}

namespace {

// The files beside a file, for codecs that can look at them.
Source with_companions(const Source& source, const Choice& choice, const Limits& limits) {
  if (choice.codec == nullptr || !choice.codec->takes_bytes_and_store || source.store() || choice.body_offset != 0)
    return source;
  const std::filesystem::path path(source.name());
  std::error_code ignored;  // standard input has no folder, whatever its name
  if (!std::filesystem::is_regular_file(path, ignored)) return source;
  const auto parent = path.parent_path();
  return Source::with_store(source, FolderStore::companions(parent.empty() ? "." : parent, limits));
}

}  // namespace

/// As a receiver does: see Channel::unpack(). A header without __meta__ describes its own body, which was decoded by
/// it.
void Context::fit_to_header(Value& value, const Source& source) {
  const Message message = parse_message(source.bytes(), limits());
  if (const auto datatype = declared_datatype(message.header, limits()))
    value = schema::normalise(*datatype, std::move(value), {}, limits());
}

Context::Decoded Context::decode(const Source& source) {
  Decoded decoded;
  const bool begins = source.has_bytes() && looks_like_text(source.bytes());
  // As for outputs: `.json` is text notation unless a codec claims the extension.
  const bool named = source.has_bytes() && !is_framed(source.bytes()) && source.name().ends_with(".json") &&
                     registry().find_by_extension(".json").empty();
  const bool text = options.from == text_format || (options.from.empty() && (begins || named));
  const Activity activity("Decoding " + std::string(source.name()), !options.quiet);
  if (text) {
    decoded.value = parse_text(source.bytes(), limits());
    decoded.chosen = !options.from.empty() ? "--from"
                     : begins              ? "it begins like text notation"
                                           : "its extension is .json";
    return decoded;
  }
  if (!options.from_then.empty()) {
    if (options.from.empty())
      throw Error(Status::option, "--from-then needs --from: bytes do not tell what is behind them");
    const Pipeline pipeline = Pipeline::make(registry(), options.from, options.from_options, options.from_then);
    decoded.value = pipeline.decode(source, call_options());
    decoded.codec = registry().find(pipeline.info().name);
    decoded.chosen = "--from";
    return decoded;
  }
  const Value codec_options = options_value(options.from_options, "--from-options");
  DecodeOptions decode_options;
  static_cast<CallOptions&>(decode_options) = call_options();
  decode_options.codec = options.from;
  decode_options.options = codec_options.view();
  const Choice choice = registry().choose(source, decode_options);
  try {
    registry().decode_into(decoded.value, with_companions(source, choice, limits()), choice, decode_options);
  } catch (const Error& e) {
    if (e.code() != Status::option || choice.options.empty() || !options.from_options.empty()) throw;
    throw header_options_error(e);
  }
  if (choice.body_offset != 0 && choice.codec != nullptr && !options.as_is) fit_to_header(decoded.value, source);
  decoded.codec = choice.codec;
  decoded.raw = choice.codec == nullptr;
  decoded.chosen = std::string(chosen_by_name(choice.by)) + (choice.reason.empty() ? "" : ": " + choice.reason);
  return decoded;
}

std::string Context::Decoded::codec_name() const {
  return codec != nullptr ? codec->name : std::string(raw ? raw_format : text_format);
}

std::string Context::output_format(const std::string& file, View value) {
  rule_options_.clear();
  rule_then_.clear();
  if (!options.to.empty()) return options.to;
  if (const std::string extension = extension_of(file); !extension.empty() && file != "-") {
    auto codecs = registry().find_by_extension(extension);
    std::erase_if(codecs, [](const CodecInfo* c) { return !c->can_encode; });
    if (codecs.size() == 1) return codecs.front()->name;
    if (codecs.size() > 1) {
      std::string names;
      for (const CodecInfo* c : codecs) names += (names.empty() ? "" : ", ") + c->name;
      throw Error(Status::ambiguous,
                  "several codecs write '" + extension + "' files (" + names + "): choose one with --to");
    }
    if (extension == ".json") return std::string(text_format);
  }
  RuleFacts facts;
  const std::string name = std::filesystem::path(file).filename().string();
  facts.file = name;
  const type::Type type = infer_type(value, limits());
  facts.type = &type;
  if (const auto rule = configuration().choose(facts)) {
    rule_options_ = rule->options;
    rule_then_ = rule->then;
    return rule->codec;
  }
  throw Error(Status::option,
              "which format is '" + file + "' to have? Its extension tells none: choose one with --to");
}

std::uint64_t Context::encode_to(View value, const std::string& format, const std::string& file) {
  const Activity activity("Encoding " + file, !options.quiet);
  if (format == text_format) {
    std::string text = to_text(value);
    text += '\n';
    write_output(text, file);
    return text.size();
  }
  const std::string& to_options = options.to_options.empty() ? rule_options_ : options.to_options;
  const CodecInfo* codec = registry().find(format);
  if (codec != nullptr && codec->takes_store && !codec->takes_bytes) {
    if (file == "-" || file.empty())
      throw Error(Status::option, "'" + format + "' writes named blobs: say where to with -o (a file or a folder)");
    return encode_to_container(registry(), value, format, to_options, file, call_options());
  }
  const std::string& then = options.to_then.empty() ? rule_then_ : options.to_then;
  SegmentSink sink(limits().max_output_bytes);
  if (then.empty()) {
    const Value codec_options = options_value(to_options, "--to-options");
    registry().encode(value, format, codec_options.view(), sink, call_options());
  } else {
    Pipeline::make(registry(), format, to_options, then).encode(value, sink, call_options());
  }
  if (file == "-" || file.empty())
    write_descriptor(STDOUT_FILENO, sink.segments(), "standard output");
  else
    write_file(file, sink.segments());
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

Json Context::report_losses() {
  Json all = Json::array();
  const std::scoped_lock lock(losses_mutex_);
  for (const Loss& loss : std::exchange(losses_, {})) {
    all.push_back({{"path", loss.path}, {"what", loss.what}});
    remark(styled(Style::bad, "lost", true) + " " + loss.path + ": " + loss.what);
  }
  return all;
}

void Context::write_output(std::string_view bytes, const std::string& file) {
  if (file.empty() || file == "-")
    write_all(stdout, bytes);
  else
    write_file(file, bytes);
}

void Context::print_json(const Json& object) {
  print(object.dump(2, ' ', false, Json::error_handler_t::replace));
}

void Context::print(std::string_view text) {
  std::string line(text);
  if (!line.ends_with('\n')) line += '\n';
  write_all(stdout, line);
}

void Context::remark(std::string_view text) {
  if (!options.quiet) std::fprintf(stderr, "%.*s\n", static_cast<int>(text.size()), text.data());
}

Error header_options_error(const Error& error) {
  return Error(Status::malformed, "the message header: " + error.message(), error.offset())
      .detail("message.header")
      .codec(error.codec())
      .path("$.options");
}

Json to_json(const Error& error) {
  Json object{{"code", status_name(error.code())}, {"message", error.message()}};
  if (!error.codec().empty()) object["codec"] = error.codec();
  if (!error.detail().empty()) object["detail"] = error.detail();
  if (error.offset() != Error::no_offset) object["offset"] = error.offset();
  if (!error.path().empty()) object["path"] = error.path();
  return object;
}

int Context::report(const Error& error) {
  const std::string text = styled(Style::bad, "polycodec:", true) + " " + error.describe();
  std::fprintf(stderr, "%s\n", text.c_str());
  if (options.json) {
    const std::string object =
        Json{{"ok", false}, {"error", to_json(error)}}.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
    std::fwrite(object.data(), 1, object.size(), stdout);
  }
  switch (error.code()) {
    case Status::option:
      return exit_usage;
    case Status::plugin:
      return exit_no_codec;
    // What the data asked for and may not has a word of its own; what the policy denies has none.
    case Status::denied:
      return error.detail().empty() ? exit_no_codec : exit_refused;
    // A codec that reports not_found misses a part of its input; without a codec it is the codec that is missing.
    case Status::not_found:
      return error.codec().empty() ? exit_no_codec : exit_refused;
    default:
      return exit_refused;
  }
}

}  // namespace polycodec::cli
