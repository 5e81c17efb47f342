// SPDX-License-Identifier: MIT
#include <base/quote.hpp>
#include <polycodec/collection.hpp>
#include <polycodec/text.hpp>

#include "registry/c/match.hpp"
#include "registry/c/options.hpp"
#include "registry/c/sink.hpp"
#include "registry/c/store.hpp"

#include <filesystem>
#include <optional>

namespace polycodec::c {
namespace {

const CallOptions& no_options() {
  static const CallOptions none;
  return none;
}

/// Runs `body` with the options of a call, which cost nothing where there are none.
template <class Body>
void with_options(const polycodec_call_options* given, const polycodec_opened_codec& codec,
                  const Body& body) {
  if (given == nullptr) return body(no_options());
  body(call_options(given, codec.limits));
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
          const CallOptions& call, const polycodec_call_options* given) {
  const Value options = options_document(format.options);
  ReadOptions how;
  static_cast<CallOptions&>(how) = call;
  set_read_flags(how, given);
  how.codec = format.codec;
  how.options = options.view();
  how.filters = format.filters;
  return registry.registry.read(source, how);
}

/// The codec for a file: the given one, or as the extension or a rule says.
Format output_format(const polycodec_registry& registry, NodeView value, const std::string& path,
                     Format given) {
  if (!given.codec.empty()) return given;
  const std::filesystem::path name(path);
  std::string extension = name.extension().string();
  std::ranges::transform(extension, extension.begin(), [](unsigned char letter) {
    return static_cast<char>(letter >= 'A' && letter <= 'Z' ? letter + 32 : letter);
  });
  auto codecs = registry.registry.find_by_extension(extension);
  std::erase_if(codecs, [](const CodecInfo* codec) { return !codec->can_encode; });
  if (codecs.size() > 1) {
    std::string names;
    for (const CodecInfo* codec : codecs) names += (names.empty() ? "" : ", ") + codec->name;
    throw Error(Status::ambiguous, "several codecs write " + quote(extension) + " files (" + names +
                                       "): name one in the format");
  }
  if (codecs.size() == 1) return given.codec = codecs.front()->name, given;
  if (extension == ".json") return given.codec = typed_json_name, given;
  RuleFacts facts;
  const std::string file = name.filename().string();
  facts.file = file;
  facts.value = value.raw();
  if (const auto rule = registry.config.choose(facts))
    return {rule->codec, given.options.empty() ? rule->options : given.options,
            given.filters.empty() ? rule->filters : given.filters};
  throw Error(Status::option, "cannot choose an output format for " + quote_path(path) +
                                  ": no codec writes " + quote(extension) +
                                  "; name one in the format");
}

void write(const polycodec_registry& registry, const Value& value, const std::string& path,
           const Format& given, const CallOptions& call, const WriteOptions& options) {
  const Format format = output_format(registry, value.view(), path, given);
  if (value.is_partial() && !call.allow_partial)
    throw Error(Status::invalid,
                "the value was decoded with a projection, so parts of it may be missing: allow "
                "partial values to write it");
  if (format.codec == typed_json_name) {
    TextOptions text;
    text.limits = call.limits ? *call.limits : registry.registry.options().limits;
    text.budget = call.budget;
    return write_file(path, to_text(value.view(), text) + "\n", options);
  }
  const CodecInfo* const codec = registry.registry.find(format.codec);
  if (codec != nullptr && (codec->outputs & POLYCODEC_INPUT_BYTES) == 0) {
    encode_to_container(registry.registry, value.view(), format.codec, format.options, path, call,
                        options);
    return;
  }
  SegmentSink sink;
  registry.registry.codec_with_json(format.codec, format.options, format.filters)
      .encode(value, sink, call);
  write_file(path, sink.segments(), options);
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
    if (wanted.codec.empty()) c::throw_argument("format", "names no codec");
    c::make(codec, in.codec_with_json(wanted.codec, wanted.options, wanted.filters),
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
  return c::enter(error, [&] {
    const Codec& with = c::need(codec, "codec").codec;
    const Source& from = c::need(source, "source").source;
    c::place(value, "value");
    auto made = std::make_unique<polycodec_value>();
    c::with_options(call, *codec, [&](const CallOptions& options) {
      with.decode_into(made->value, from, options);
    });
    *value = made.release();
  });
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
    value->building = false;
    c::with_options(call, *codec,
                    [&](const CallOptions& options) { with.decode_into(to, view, options); });
  });
}

int32_t polycodec_opened_codec_encode(const polycodec_opened_codec* codec, polycodec_value* value,
                                      const polycodec_call_options* call, polycodec_sink* sink,
                                      polycodec_error* error) {
  return c::enter(error, [&] {
    const Codec& with = c::need(codec, "codec").codec;
    auto& what = c::need(value, "value");
    Sink& to = c::sink_of(sink);
    c::with_options(call, *codec,
                    [&](const CallOptions& options) { with.encode(what.value, to, options); });
    try {
      c::check_bound(to);
      c::keep_for(to, what);
    } catch (...) {
      to.reset();
      throw;
    }
  });
}

int32_t polycodec_opened_codec_encode_store(const polycodec_opened_codec* codec,
                                            polycodec_value* value,
                                            const polycodec_call_options* call,
                                            polycodec_store_writer* writer,
                                            polycodec_error* error) {
  return c::enter(error, [&] {
    const Codec& with = c::need(codec, "codec").codec;
    const Value& what = c::need(value, "value").value;
    BlobSink& to = c::writer_of(writer);
    c::with_options(call, *codec, [&](const CallOptions& options) {
      if (what.is_partial() && !options.allow_partial)
        throw Error(Status::invalid, "the value is partial: allow partial values to write it");
      with.encode(what.view(), to, options);
    });
  });
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
    const CallOptions options = c::call_options(call, in.registry.options().limits);
    auto made = std::make_unique<polycodec_value>();
    Read found = c::read(in, from, wanted, options, call);
    made->value = std::move(found.value);
    if (match != nullptr) {
      Match how;
      how.codec = found.codec;
      how.by = found.by;
      how.score = found.by == ChosenBy::content ? 90 : 100;
      how.reason = found.reason;
      c::fill_match(*match, how);
      match->codec = found.codec != nullptr ? to_bytes(found.codec->name)
                     : found.raw            ? to_bytes(raw_body_name)
                                            : to_bytes(typed_json_name);
    }
    *value = made.release();
  });
}

int32_t polycodec_encode_file(const polycodec_registry* registry, const polycodec_value* value,
                              polycodec_bytes path, const polycodec_format* format,
                              const polycodec_call_options* call,
                              const polycodec_write_options* write, polycodec_error* error) {
  return c::enter(error, [&] {
    const auto& in = c::need(registry, "registry");
    const Value& what = c::need(value, "value").value;
    c::write(in, what, c::string(path, "path"), c::format_of(format, "polycodec_format"),
             c::call_options(call, in.registry.options().limits), c::write_options(write));
  });
}

int32_t polycodec_convert(const polycodec_registry* registry, const polycodec_source* source,
                          const polycodec_format* from, polycodec_bytes path,
                          const polycodec_format* to, const polycodec_call_options* call,
                          const polycodec_write_options* write, polycodec_error* error) {
  return c::enter(error, [&] {
    const auto& in = c::need(registry, "registry");
    const Source& what = c::need(source, "source").source;
    const std::string file = c::string(path, "path");
    const c::Format reading = c::format_of(from, "polycodec_format");
    const c::Format writing = c::format_of(to, "polycodec_format");
    const WriteOptions how = c::write_options(write);
    const Limits& limits = in.registry.options().limits;
    CallOptions options = c::call_options(call, limits);
    options.budget =
        make_budget(options.limits ? *options.limits : limits, options.cancel, options.deadline);
    const Read found = c::read(in, what, reading, options, call);
    // Who asks for a part wants that part in the file.
    options.allow_partial = true;
    c::write(in, found.value, file, writing, options, how);
  });
}
