// SPDX-License-Identifier: MIT
#include <polycodec/quote.hpp>

#include "core/dispatch/dispatch.hpp"
#include "core/dispatch/function_table.hpp"
#include "core/frame/message.hpp"
#include "core/io/file_sink.hpp"
#include "core/io/mapping_guard.hpp"
#include "core/text/text.hpp"
#include "core/value/host_meter.hpp"
#include "registry/c/match.hpp"
#include "registry/c/options.hpp"
#include "registry/c/select.hpp"
#include "registry/c/sink.hpp"
#include "registry/c/store.hpp"
#include "registry/codec/check_written.hpp"
#include "registry/codec/collection.hpp"
#include "registry/codec/convert_values.hpp"
#include "registry/codec/unpack.hpp"
#include "registry/document/json_schema.hpp"

#include <filesystem>
#include <mutex>
#include <vector>

namespace polycodec::c {
namespace {

const CallOptions& no_options() {
  static const CallOptions none;
  return none;
}

/// Runs body(options, reporter) with the options of a call, which cost nothing where there are
/// none. The body says what was written.
template <class Body>
void with_options(const polycodec_call_options* given, const polycodec_opened_codec& codec,
                  const Body& body) {
  Reporter reporter;
  if (given == nullptr) return static_cast<void>(body(no_options(), reporter));
  const CallOptions options = call_options(given, codec.limits, &reporter);
  reporter.end(body(options, reporter));
}

/// Throws if the call asks for what a codec that is open already can no longer learn.
void check_tolerant(const polycodec_call_options* call, const Codec& codec) {
  if (has_flag(call, POLYCODEC_CALL_TOLERANT) && !codec.is_tolerant())
    throw Error(Status::option,
                "POLYCODEC_CALL_TOLERANT is for calls that open the codec: open this one with the "
                "option 'tolerant'");
}

/// Options as a document, or null.
Value options_document(const std::string& json) {
  if (json.empty()) return {};
  Value value = parse_json(json, {}, DuplicateKeys::refuse);
  if (!value.view().is_object())
    throw Error(Status::option, "options of a codec are a JSON object");
  return value;
}

Read read(const polycodec_registry& registry, const Source& source, const Format& format,
          const CallOptions& call, const polycodec_call_options* given,
          const std::string& destination = {}) {
  const Value options = options_document(format.options);
  ReadOptions how;
  static_cast<CallOptions&>(how) = call;
  set_read_flags(how, given);
  how.codec = format.codec;
  how.options = options.view();
  how.filters = format.filters;
  how.options_from = format.from;
  how.destination = destination;
  return registry.registry.read(source, how);
}

std::string destination_of(const polycodec_call_options* checked) {
  return checked == nullptr ? std::string() : string(checked->destination, "destination");
}

/// Runs body(). Where mapped inputs are guarded, one that was cut short is the error: it says more
/// than what zeros look like.
template <class Body>
void intact(const Body& body) {
  try {
    body();
  } catch (const Error&) {
    posix::check_mappings();
    throw;
  }
  posix::check_mappings();
}

/// The extension of a file in small letters, with the dot.
std::string extension_of(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::ranges::transform(extension, extension.begin(), [](unsigned char letter) {
    return static_cast<char>(letter >= 'A' && letter <= 'Z' ? letter + 32 : letter);
  });
  return extension;
}

/// The codecs that write named blobs, if the extension is that of a store of them.
std::string writers_of_blobs(const Registry& registry, const std::string& extension) {
  const auto is_store = [&](const CodecInfo& store) {
    return std::ranges::find(store.extensions, extension) != store.extensions.end();
  };
  if (std::ranges::none_of(registry.stores(), is_store)) return {};
  std::string names;
  for (const CodecInfo& codec : registry.codecs())
    if (codec.can_encode && (codec.outputs & POLYCODEC_INPUT_STORE) != 0)
      names += (names.empty() ? "" : ", ") + codec.name;
  return names;
}

/// The codecs that write files of that extension.
std::vector<const CodecInfo*> writers_of(const Registry& registry, const std::string& path) {
  auto codecs = extension_of(path).empty() ? std::vector<const CodecInfo*>()
                                           : registry.find_by_extension(path);
  std::erase_if(codecs, [](const CodecInfo* codec) { return !codec->can_encode; });
  return codecs;
}

/// The codec for a file, whose name has no extension of a compression: the given one, or as the
/// extension or a rule says.
Format output_format(const polycodec_registry& registry, NodeView value, const std::string& path,
                     Format given) {
  if (!given.codec.empty()) return given;
  const std::filesystem::path name(path);
  const std::string extension = extension_of(path);
  const auto codecs = writers_of(registry.registry, path);
  if (codecs.size() > 1) {
    std::string names;
    for (const CodecInfo* codec : codecs) names += (names.empty() ? "" : ", ") + codec->name;
    throw Error(Status::ambiguous, "several codecs write " + quote(extension) + " files (" + names +
                                       "): use to.codec to name one")
        .detail("format.unknown");
  }
  if (codecs.size() == 1) return given.codec = codecs.front()->name, given;
  RuleFacts facts;
  const std::string file = name.filename().string();
  facts.file = file;
  facts.value = value.raw();
  if (const auto rule = registry.config.choose(facts))
    return {rule->codec, given.options.empty() ? rule->options : given.options,
            given.filters.empty() ? rule->filters : given.filters,
            given.options.empty() && given.filters.empty() ? OptionsFrom::host : given.from};
  const std::string writers = writers_of_blobs(registry.registry, extension);
  std::error_code ignored;
  throw Error(Status::option,
              "cannot choose an output format for " + quote_path(path) + ": " +
                  (std::filesystem::is_directory(name, ignored)
                       ? std::string("it is a directory: name a file in it")
                   : extension.empty() ? std::string("it has no extension")
                   : writers.empty()   ? "no codec writes " + quote(extension)
                                       : quote(extension) + " is a store of named blobs") +
                  "; use to.codec" +
                  (writers.empty() ? "" : ", of a codec that writes blobs: " + writers))
      .detail("format.unknown");
}

/// The same with the options and the compression that the name of a file says. Filters of the
/// caller, also none, go before the latter.
Format file_format(const polycodec_registry& registry, NodeView value, const std::string& path,
                   const Format& given) {
  const PlainName plain = registry.registry.plain_name(path);
  Format chosen = output_format(registry, value, plain.name, given);
  if (given.filters.empty()) chosen.filters = join_filters(chosen.filters, plain.filters);
  if (const CodecInfo* const codec = registry.registry.find(chosen.codec))
    chosen.options = options_for_file(codec->options_schema, chosen.options, plain.name);
  return chosen;
}

/// The codec that is named, or the one for an output.
Format opened_format(const polycodec_registry& registry, const polycodec_format& given,
                     const std::string& path, const Format& wanted) {
  if (!wanted.codec.empty()) return wanted;
  if (path.empty()) throw_argument("format", "names no codec and no path");
  const NodeView value =
      given.value == nullptr ? NodeView() : need(given.value, "value").value.view();
  return file_format(registry, value, path, wanted);
}

/// What was written, for the struct of the caller.
struct Output {
  std::uint64_t bytes = 0;
  std::string codec;
  bool is_partial = false;
  Check check;
  std::string from = {};
};

void check_result(const polycodec_result* result) {
  if (result != nullptr && result->struct_size < sizeof *result)
    throw_struct_size("polycodec_result", result->struct_size, sizeof *result);
}

void fill_result(polycodec_result* to, const Output& from) {
  if (to == nullptr) return;
  static constexpr std::int32_t words[] = {POLYCODEC_KEPT_SAME, POLYCODEC_KEPT_SAME_ITEMS,
                                           POLYCODEC_KEPT_SAME_NUMBERS, POLYCODEC_KEPT_DIFFERENT,
                                           POLYCODEC_KEPT_UNKNOWN};
  to->kept = words[static_cast<std::size_t>(from.check.kept)];
  to->bytes = from.bytes;
  to->is_partial = from.is_partial ? 1 : 0;
  to->reserved = 0;
  detail::copy_text(to->codec, from.codec);
  const bool is_different = from.check.difference.has_value();
  detail::copy_text(to->reason, is_different ? from.check.difference->reason : from.check.reason);
  detail::copy_text(to->path, is_different ? from.check.difference->path : std::string());
  detail::copy_text(to->from, from.from);
}

/// Options of a call that writes.
class Writing {
 public:
  /// `notes`: somebody asks for the paths.
  Writing(const CallOptions& given, bool notes) : options(given) {
    if (!notes) return;
    options.on_loss = [this, hear = given.on_loss](LossClass loss, std::string_view path,
                                                   std::string_view what) {
      {
        const std::scoped_lock lock(mutex_);
        lost_.emplace_back(path);
      }
      if (hear) hear(loss, path, what);
    };
    if (!given.on_loss) options.losses = given.losses & default_losses;
  }
  Writing(const Writing&) = delete;
  Writing& operator=(const Writing&) = delete;

  std::vector<std::string> lost() {
    const std::scoped_lock lock(mutex_);
    return lost_;
  }

  CallOptions options;

 private:
  std::mutex mutex_;
  std::vector<std::string> lost_;
};

/// How an output is written, before there is a value.
struct Prepared {
  Format format;
  std::optional<Codec> codec;  // unless it writes several blobs
};

/// Opens the codec of an output, so that what is wrong with it is known before a long input is
/// read. Nothing if a rule may choose it by the value.
std::optional<Prepared> prepare(const polycodec_registry& registry, const std::string& path,
                                const Format& given) {
  const Registry& in = registry.registry;
  if (given.codec.empty() && !registry.config.rules.empty() &&
      writers_of(in, in.plain_name(path).name).empty())
    return std::nullopt;
  Prepared made{file_format(registry, NodeView(), path, given), std::nullopt};
  const CodecInfo* const codec = in.find(made.format.codec);
  if (codec != nullptr && codec->can_encode && (codec->outputs & POLYCODEC_INPUT_BYTES) == 0)
    return made;
  const Format& format = made.format;
  made.codec = in.codec_with_json(format.codec, format.options, format.filters, format.from);
  made.codec->require_encode();
  return made;
}

/// `input`: what the value was read from, or null.
Output write(const polycodec_registry& registry, const Value& value, const std::string& path,
             const Format& given, const CallOptions& call, const WriteOptions& how,
             Reporter& reporter, bool compares, const Source* input = nullptr,
             const std::optional<Prepared>& prepared = std::nullopt) {
  const Format format =
      prepared ? prepared->format : file_format(registry, value.view(), path, given);
  if (value.is_partial() && !call.allow_partial)
    throw Error(Status::invalid,
                "the value was decoded with a projection, so parts of it may be missing: allow "
                "partial values to write it");
  const Registry& in = registry.registry;
  const CodecInfo* const codec = in.find(format.codec);
  Output output;
  output.codec = codec != nullptr ? codec->name : format.codec;
  output.is_partial = value.is_partial();
  Writing writing(call, compares);
  WriteOptions options = how;
  if (compares) {
    output.check.reason = "the output is a stream";  // or else this is called
    options.check = [&](const std::string& written) {
      // What the value does not need of the input gives room to what is read of the output.
      if (input != nullptr && input->is_mapped()) posix::release_pages(input->bytes());
      output.check = check_written(
          in, value.view(),
          {written, path, output.codec, format.options, format.filters, writing.lost()},
          writing.options);
    };
  }
  if (codec != nullptr && (codec->outputs & POLYCODEC_INPUT_BYTES) == 0) {
    if (has_filters(format.filters))
      throw Error(Status::unsupported,
                  "this codec writes several blobs, and compression and filters take one run of "
                  "bytes: write " +
                      quote_path(in.plain_name(path).name))
          .codec(output.codec);
    output.bytes = encode_to_container(in, value.view(), format.codec, format.options, path,
                                       writing.options, options, format.from);
  } else {
    FileSink sink(path, options);
    reporter.set_output(&sink);
    const Codec with =
        prepared ? *prepared->codec
                 : in.codec_with_json(format.codec, format.options, format.filters, format.from);
    with.encode(value, sink, writing.options);
    reporter.set_output(nullptr);
    sink.finish();
    output.bytes = sink.size();
  }
  return output;
}

/// Writes what a value of bytes or text is, without a codec.
Output write_bytes(const Value& value, const std::string& path, const WriteOptions& how) {
  const View view = value.view();
  if (!view.is_string() && !view.is_binary())
    throw_argument("value", "must be bytes or a string, which POLYCODEC_WRITE_BYTES writes");
  const std::string_view bytes = view.as_bytes();
  write_file(path, bytes, how);
  return {bytes.size(), std::string(), value.is_partial(), {}};
}

bool compares(const polycodec_call_options* call) noexcept {
  return has_flag(call, POLYCODEC_CALL_COMPARE);
}

/// Throws unless the codec has streams of that direction.
void need_stream(const Registry& registry, const Codec& codec, bool CodecInfo::*ability) {
  if (codec.info().*ability) return;
  std::string names;
  for (const CodecInfo& other : registry.codecs())
    if (other.*ability) names += (names.empty() ? "" : ", ") + other.name;
  throw Error(Status::unsupported, "values of " + codec.info().name +
                                       " do not follow each other in a stream, as those of " +
                                       names + " do: convert the whole of it")
      .codec(codec.info().name);
}

/// The codec that reads the values of a stream.
Codec stream_codec(const Registry& registry, const Source& source, const Format& format,
                   const CallOptions& options, bool is_tolerant) {
  if (!source.has_bytes() || is_framed(source.bytes()))
    throw Error(Status::unsupported,
                quote_path(std::string(source.name())) + " is " +
                    (source.has_bytes() ? "a framed message" : "a store of named blobs") +
                    ", and no stream of values: convert the whole of it");
  std::string codec = format.codec;
  if (codec.empty()) {
    DecodeOptions how;
    static_cast<CallOptions&>(how) = options;
    codec = registry.choose(source, how).codec->name;
  }
  std::string with = format.options;
  const CodecInfo* const info = registry.find(codec);
  if (is_tolerant && info != nullptr && has_tolerant(info->options_schema))
    with = with_tolerant(info->options_schema, with);
  return registry.codec_with_json(codec, with, format.filters, format.from);
}

/// Converts the values of a stream one by one.
Output convert_each(const polycodec_registry& registry, const Source& source, const Format& from,
                    const std::string& path, const Format& to, const polycodec_call_options& call,
                    CallOptions& options, const WriteOptions& how) {
  const Registry& in = registry.registry;
  if (!options.projection.is_all() || call.select.size != 0 || !options.member.empty())
    throw Error(Status::option, "values of a stream are converted whole: ask for no part of them");
  const Format format = file_format(registry, NodeView(), path, to);
  const Codec writer =
      in.codec_with_json(format.codec, format.options, format.filters, format.from);
  need_stream(in, writer, &CodecInfo::can_write_stream);
  writer.refuse_compressed(source);
  const Codec reader =
      stream_codec(in, source, from, options, has_flag(&call, POLYCODEC_CALL_TOLERANT));
  need_stream(in, reader, &CodecInfo::can_read_stream);
  const ConvertedValues done =
      convert_values(source, reader, writer, path, options, how, compares(&call));
  return {done.bytes, writer.info().name, false, done.check, reader.info().name};
}

/// What a codec makes of a source: body(codec, source, options, value).
template <class Body>
int32_t make_value(const polycodec_opened_codec* codec, const polycodec_source* source,
                   const polycodec_call_options* call, polycodec_value** value,
                   polycodec_error* error, Body body) {
  return enter(error, [&] {
    const Codec& with = need(codec, "codec").codec;
    const Source& from = need(source, "source").source;
    place(value, "value");
    check_tolerant(call, with);
    std::unique_ptr<polycodec_value> made;
    intact([&] {
      with_options(call, *codec, [&](const CallOptions& options, Reporter& reporter) {
        reporter.set_input(from);
        made = decode_selected(
            call, options, [&](const CallOptions& how, Value& to) { body(with, from, how, to); });
        return std::uint64_t{0};
      });
    });
    *value = made.release();
  });
}

}  // namespace
}  // namespace polycodec::c

using namespace polycodec;

int32_t polycodec_registry_open_codec(const polycodec_registry* registry,
                                      const polycodec_format* format,
                                      polycodec_opened_codec** codec, polycodec_error* error) {
  return c::enter(error, [&] {
    const Registry& in = c::need(registry, "registry").registry;
    const c::Format wanted = c::format_of(&c::place(format, "format"), "polycodec_format");
    c::place(codec, "codec");
    const std::string path = c::string(format->path, "polycodec_format.path");
    const c::Format chosen = c::opened_format(*registry, *format, path, wanted);
    c::make(codec, in.codec_with_json(chosen.codec, chosen.options, chosen.filters, chosen.from),
            in.options().limits);
  });
}

polycodec_opened_codec* polycodec_opened_codec_retain(polycodec_opened_codec* codec) {
  return c::retain(codec);
}
void polycodec_opened_codec_release(polycodec_opened_codec* codec) {
  c::release(codec);
}

int32_t polycodec_opened_codec_describe(const polycodec_opened_codec* codec, polycodec_sink* sink,
                                        polycodec_error* error) {
  return c::enter(error, [&] {
    const Codec& of = c::need(codec, "codec").codec;
    c::put(c::sink_of(sink), of.to_json());
  });
}

int32_t polycodec_opened_codec_decode(const polycodec_opened_codec* codec,
                                      const polycodec_source* source,
                                      const polycodec_call_options* call, polycodec_value** value,
                                      polycodec_error* error) {
  return c::make_value(codec, source, call, value, error,
                       [](const Codec& with, const Source& from, const CallOptions& options,
                          Value& made) { with.decode_into(made, from, options); });
}

int32_t polycodec_opened_codec_decode_into(const polycodec_opened_codec* codec,
                                           polycodec_bytes bytes,
                                           const polycodec_call_options* call,
                                           polycodec_value* value, polycodec_error* error) {
  return c::enter(error, [&] {
    const Codec& with = c::need(codec, "codec").codec;
    Value& to = c::need(value, "value").value;
    if (value->holders.load(std::memory_order_acquire) != 1)
      c::throw_argument("value", "has several holders");
    const std::string_view view = c::text(bytes, "bytes");
    c::check_tolerant(call, with);
    value->building = false;
    c::with_options(call, *codec, [&](const CallOptions& options, c::Reporter& reporter) {
      if (call != nullptr && call->select.size != 0)
        throw Error(Status::option,
                    "polycodec_call_options.select is for values of their own: use "
                    "polycodec_opened_codec_decode()");
      if (call != nullptr) reporter.set_input(Source::view(view));
      with.decode_into(to, view, options);
      return std::uint64_t{0};
    });
  });
}

int32_t polycodec_opened_codec_encode(const polycodec_opened_codec* codec, polycodec_value* value,
                                      const polycodec_call_options* call, polycodec_sink* sink,
                                      polycodec_store_writer* writer, polycodec_result* result,
                                      polycodec_error* error) {
  return c::enter(error, [&] {
    const Codec& with = c::need(codec, "codec").codec;
    auto& what = c::need(value, "value");
    if ((sink == nullptr) == (writer == nullptr))
      c::throw_argument("sink", "or 'writer' must be NULL, and the other one not");
    c::check_result(result);
    if (c::compares(call) && writer != nullptr)
      throw Error(Status::option,
                  "POLYCODEC_CALL_COMPARE is for files and sinks: use polycodec_encode_file()");
    std::uint64_t bytes = 0;
    if (writer != nullptr) {
      BlobSink& to = c::writer_of(writer);
      c::with_options(call, *codec, [&](const CallOptions& options, c::Reporter& reporter) {
        if (what.value.is_partial() && !options.allow_partial)
          throw Error(Status::invalid, "the value is partial: allow partial values to write it");
        reporter.set_value(what.value);
        with.encode(what.value.view(), to, options);
        return bytes = to.size();
      });
    } else {
      Sink& to = c::sink_of(sink);
      try {
        c::with_options(call, *codec, [&](const CallOptions& options, c::Reporter& reporter) {
          const std::uint64_t before = to.size();
          reporter.set_value(what.value);
          reporter.set_output(&to);
          if (c::compares(call)) {
            CallOptions reporting = options;
            reporting.report_retyped = true;
            with.encode(what.value, to, reporting);
          } else {
            with.encode(what.value, to, options);
          }
          reporter.set_output(nullptr);
          return bytes = to.size() - before;
        });
        c::check_bound(to);
        c::keep_for(to, what);
      } catch (...) {
        to.reset();
        throw;
      }
    }
    c::fill_result(result, {bytes, with.info().name, what.value.is_partial(), {}});
  });
}

int32_t polycodec_opened_codec_list(const polycodec_opened_codec* codec,
                                    const polycodec_source* source,
                                    const polycodec_call_options* call, polycodec_value** value,
                                    polycodec_error* error) {
  return c::make_value(codec, source, call, value, error,
                       [](const Codec& with, const Source& from, const CallOptions& options,
                          Value& made) { made = with.list(from, options); });
}

int32_t polycodec_decode(const polycodec_registry* registry, const polycodec_source* source,
                         const polycodec_format* format, const polycodec_call_options* call,
                         polycodec_value** value, polycodec_match* match, polycodec_error* error) {
  return c::enter(error, [&] {
    const auto& in = c::need(registry, "registry");
    const Source& from = c::need(source, "source").source;
    const c::Format wanted = c::format_of(format, "polycodec_format");
    c::place(value, "value");
    if (match != nullptr) c::check_match(*match);
    c::Reporter reporter;
    const CallOptions options = c::call_options(call, in.registry.options().limits, &reporter);
    reporter.set_input(from);
    std::unique_ptr<polycodec_value> made;
    Read found;
    c::intact([&] {
      made = c::decode_selected(call, options, [&](const CallOptions& how, Value& to) {
        found = c::read(in, from, wanted, how, call, c::destination_of(call));
        to = std::move(found.value);
      });
    });
    reporter.end();
    if (match != nullptr) {
      Match how;
      how.codec = found.codec;
      how.by = found.by;
      how.score = found.score;
      how.reason = found.reason;
      how.filters = found.filters;
      c::fill_match(*match, how);
    }
    *value = made.release();
  });
}

int32_t polycodec_encode_file(const polycodec_registry* registry, const polycodec_value* value,
                              polycodec_bytes path, const polycodec_format* format,
                              const polycodec_call_options* call,
                              const polycodec_write_options* write, polycodec_result* result,
                              polycodec_error* error) {
  return c::enter(error, [&] {
    const auto& in = c::need(registry, "registry");
    const Value& what = c::need(value, "value").value;
    c::check_result(result);
    c::Reporter reporter;
    const Limits& limits = in.registry.options().limits;
    CallOptions options = c::call_options(call, limits, &reporter);
    reporter.set_value(what);
    if (c::compares(call) && options.budget == nullptr) {
      // What is written is read back on what the value earns.
      options.budget =
          make_budget(options.limits ? *options.limits : limits, options.cancel, options.deadline);
      earn(*options.budget, what);
    }
    const std::string file = c::string(path, "path");
    const WriteOptions how = c::write_options(write);
    const bool is_bytes = write != nullptr && (write->flags & POLYCODEC_WRITE_BYTES) != 0;
    if (is_bytes && (format != nullptr || c::compares(call)))
      throw Error(Status::option, "POLYCODEC_WRITE_BYTES takes no codec: leave format NULL");
    const c::Output output =
        is_bytes ? c::write_bytes(what, file, how)
                 : c::write(in, what, file, c::format_of(format, "polycodec_format"), options, how,
                            reporter, c::compares(call));
    reporter.end(output.bytes);
    c::fill_result(result, output);
  });
}

int32_t polycodec_convert(const polycodec_registry* registry, const polycodec_source* source,
                          const polycodec_format* from, polycodec_bytes path,
                          const polycodec_format* to, const polycodec_call_options* call,
                          const polycodec_write_options* write, polycodec_result* result,
                          polycodec_error* error) {
  return c::enter(error, [&] {
    const auto& in = c::need(registry, "registry");
    const Source& what = c::need(source, "source").source;
    const std::string file = c::string(path, "path");
    const c::Format reading = c::format_of(from, "polycodec_format");
    const c::Format writing = c::format_of(to, "polycodec_format");
    const WriteOptions how = c::write_options(write);
    // The value is gone at the end of the call, so that a part of it may lie in a file.
    Limits limits = in.registry.options().limits;
    if (limits.max_resident_bytes == Limits::by_input)
      limits.max_resident_bytes = Limits::half_of_machine();
    c::check_result(result);
    c::Reporter reporter;
    CallOptions options = c::call_options(call, limits, &reporter);
    reporter.set_input(what);
    if (!options.limits) options.limits = limits;
    if (options.budget == nullptr)
      options.budget = make_budget(*options.limits, options.cancel, options.deadline);
    if (c::has_flag(call, POLYCODEC_CALL_STREAM)) {
      c::Output output;
      c::intact(
          [&] { output = c::convert_each(in, what, reading, file, writing, *call, options, how); });
      reporter.end(output.bytes);
      return c::fill_result(result, output);
    }
    const auto prepared = c::prepare(in, file, writing);
    std::unique_ptr<polycodec_value> found;
    std::string from_codec;
    c::intact([&] {
      found = c::decode_selected(call, options, [&](const CallOptions& decoding, Value& made) {
        Read read =
            c::read(in, what, reading, decoding, call,
                    writing.codec.empty() ? c::extension_of(in.registry.plain_name(file).name)
                                          : writing.codec);
        from_codec = read.codec_name();
        made = std::move(read.value);
      });
    });
    // Who asks for a part wants that part in the file.
    options.allow_partial = true;
    c::Output output = c::write(in, found->value, file, writing, options, how, reporter,
                                c::compares(call), &what, prepared);
    output.from = std::move(from_codec);
    reporter.end(output.bytes);
    c::fill_result(result, output);
  });
}

int32_t polycodec_registry_call(const polycodec_registry* registry, polycodec_bytes name,
                                polycodec_value* args, polycodec_value* kwargs,
                                const polycodec_call_options* call, polycodec_value** value,
                                polycodec_error* error) {
  return c::enter(error, [&] {
    const Registry& in = c::need(registry, "registry").registry;
    const std::string_view wanted = c::text(name, "name");
    c::place(value, "value");
    const auto shared = [](polycodec_value* given, const char* what) {
      return given == nullptr ? nullptr : c::share(c::need(given, what));
    };
    const auto with = shared(args, "args"), named = shared(kwargs, "kwargs");
    if (with != nullptr && !with->view().is_list()) c::throw_argument("args", "is not a list");
    const Value document =
        wanted.starts_with('[') ? parse_json(wanted, in.options().limits) : Value();
    const auto parts =
        document.view().is_list() ? std::vector<std::string>() : in.function_called(wanted);
    const auto path = document.view().is_list()
                          ? function_path(document.view())
                          : std::vector<std::string_view>(parts.begin(), parts.end());
    c::Reporter reporter;
    const CallOptions options = c::call_options(call, in.options().limits, &reporter);
    Value made = in.call(path, with, named, options);
    reporter.end();
    c::make(value, std::move(made));
  });
}
