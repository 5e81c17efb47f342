// SPDX-License-Identifier: MIT
#include "registry.hpp"

#include "deferred.hpp"
#include "from_python.hpp"
#include "held.hpp"
#include "program_store.hpp"
#include "source.hpp"
#include "to_python.hpp"

#include <algorithm>
#include <utility>

namespace polycodec_python {
namespace {

/// Output whose memory is kept for the next call.
constexpr Py_ssize_t max_kept_output = 8 << 20;

/// A log that calls the function which `find` returns. It lives as long as the process, because
/// values of the registry may log.
template <class Find>
const host::Log* log_by(Find find) {
  return new host::Log([find](std::int32_t level, std::string_view origin, std::string_view text) {
    if (!has_interpreter()) return;
    const nb::gil_scoped_acquire locked;
    try {
      const nb::object function = find();
      if (!function.is_none()) function(level, str_of(origin), str_of(text));
    } catch (nb::python_error& error) {
      error.discard_as_unraisable("the log of polycodec");
    }
  });
}

const host::Log* log_to(nb::handle function) {
  auto* const held = new Held(nb::borrow(function));
  return log_by([held] { return held->object(); });
}

/// What a registry without a log of its own reports goes to the module logging.
const host::Log* log_of_python() {
  static const auto* const log = log_by([] { return attribute("polycodec._logging", "log"); });
  return log;
}

/// Codecs that stay open. A program may give other options with each call.
constexpr std::size_t max_opened = 64;

/// The object with metadata, which may be None.
nb::object annotated(nb::handle object, nb::handle metadata) {
  if (metadata.is_none()) return nb::borrow(object);
  return attribute("polycodec._kinds", "Annotated")(object, metadata);
}

bool is_opened(std::string_view codec) noexcept {
  return codec != "raw";  // a body as it is
}

/// Whether a codec is neither one of Python nor in a process of its own.
bool runs_here(const host::Registry& registry, const host::Value& about) {
  const std::string_view plugin = about.find("plugin.id").as_string();
  if (plugin.empty()) return false;
  const host::Value record = registry.describe(host::About::plugin, plugin);
  return record.find("isolation").is_null();
}

/// Whether a codec takes bytes and nothing else.
bool reads_bytes(const host::Value& about) {
  const std::optional<View> inputs = about.view().find("inputs");
  return inputs && inputs->size() == 1 && about.find("inputs[0]").as_string() == "bytes";
}

}  // namespace

host::Source source_of(nb::handle source, std::string_view name, const Bounds& bounds) {
  const bool is_path = PyUnicode_Check(source.ptr()) || nb::hasattr(source, "__fspath__");
  return is_path ? source_of_path(source, Take::map, bounds.all()) : source_of_buffer(source, name);
}

Registry::Registry(nb::handle config, nb::handle plugin_paths, nb::handle add_paths,
                   bool environment, bool builtins, nb::handle limits, nb::handle allowlist,
                   nb::handle allow_also, nb::handle isolation, nb::handle log, nb::handle codecs) {
  host::RegistryOptions options;
  if (std::string text = to_json(config); !text.empty())
    options.layers.push_back({std::move(text), "the configuration of the registry"});
  options.flags = (environment ? 0u : POLYCODEC_REGISTRY_NO_ENVIRONMENT) |
                  (builtins ? 0u : POLYCODEC_REGISTRY_NO_BUILTINS) |
                  (environment && config.is_none() ? POLYCODEC_REGISTRY_DEFAULT_CONFIG : 0u);
  options.plugin_paths = strings_of(plugin_paths);
  options.add_paths = strings_of(add_paths);
  options.limits = limits_of(limits);
  options.allowlist = to_json(allowlist);
  options.allow_also = to_json(allow_also);
  options.isolation = to_json(isolation);
  options.threads = UINT32_MAX;
  ProgramCodecs program(codecs);
  options.objects = program.objects();
  options.log = log.is_none() ? log_of_python() : log_to(log);
  handle_ = host::Registry::open(options);
  program.taken();
}

host::Codec Registry::opened(const Format& format) {
  const auto is_wanted = [&](const Opened& one) {
    return one.format.codec == format.codec && one.format.options == format.options &&
           one.format.filters == format.filters && one.format.of_others == format.of_others;
  };
  auto at = std::find_if(opened_.begin(), opened_.end(), is_wanted);
  if (at == opened_.end()) {
    Opened made{format, handle_.codec(format)};
    if (opened_.size() == max_opened) opened_.pop_back();
    at = opened_.insert(opened_.end(), std::move(made));
  }
  if (at != opened_.begin()) std::rotate(opened_.begin(), at, at + 1);
  return opened_.front().codec;
}

const Registry::Last* Registry::last(nb::handle codec) {
  if (codec.ptr() == last_.name.ptr()) return &last_;
  if (!PyUnicode_CheckExact(codec.ptr())) return nullptr;
  const Format format(codec, nb::none(), nb::none(), false);
  if (!is_opened(format.codec)) return nullptr;
  Last next{nb::borrow(codec), opened(format), facts(format)};
  if (!next.facts.runs_here) return nullptr;
  last_ = std::move(next);
  return &last_;
}

Registry::Facts Registry::facts(const Format& format) {
  const auto at = facts_.find(format.codec);
  if (at != facts_.end()) return at->second;
  const host::Value about = handle_.describe(host::About::codec, format.codec);
  const Facts facts{
      nb::cast<bool>(attribute("polycodec._stores", "writes_store")(nb::find(this), format.name)),
      runs_here(handle_, about), reads_bytes(about)};
  facts_.emplace(format.codec, facts);
  return facts;
}

Value Registry::decode_source(const host::Source& source, const Format& format,
                              CallOptions& options) {
  host::Value value;
  const CurrentSource decoded(&source);
  const std::size_t size = source.bytes().size();
  const bool is_short = size != 0 && size <= short_data;
  if (!format.codec.empty() && !options.is_tolerant() && is_opened(format.codec)) {
    const host::Codec codec = opened(format);
    options.run([&](const host::CallOptions& call) { value = codec.decode(source, call); },
                is_short);
    return Value(std::move(value), format.name, source);
  }
  host::Match match;
  options.run(
      [&](const host::CallOptions& call) { value = handle_.decode(source, call, format, &match); },
      is_short);
  return Value(std::move(value), str_of(match.codec), source);
}

Value Registry::decode(nb::handle data, nb::handle codec, nb::handle name, nb::handle options,
                       nb::handle filters, const nb::kwargs& given) {
  CallOptions call(given);
  const Format format(codec, options, filters, call.of_others());
  return decode_source(source_of_buffer(data, name.is_none() ? std::string_view() : view_of(name)),
                       format, call);
}

nb::object Registry::decode(nb::handle data, nb::handle codec) {
  const std::string_view bytes =
      PyBytes_CheckExact(data.ptr()) ? bytes_of(data) : std::string_view();
  const bool is_short = !bytes.empty() && bytes.size() <= short_data;
  const Last* const found = is_short ? last(codec) : nullptr;
  if (found == nullptr || !found->facts.reads_bytes)
    return object_of(decode(data, codec, nb::none(), nb::none(), nb::none(),
                            nb::borrow<nb::kwargs>(nb::dict())));
  const host::Codec with = found->codec;  // a log in Python may change what is last
  host::Value value;
  polycodec_arena* arena = nullptr;
  host::border::call(polycodec_value_create, std::uint64_t{0}, host::border::Place::of(value),
                     &arena);
  with.decode_into(value, bytes);
  return object_of(Value(std::move(value), arena, nb::borrow(codec), nb::borrow(data)));
}

Value Registry::open(nb::handle path, nb::handle codec, nb::handle options, nb::handle filters,
                     nb::handle copy, bool lazy, const nb::kwargs& given) {
  auto call = std::make_unique<CallOptions>(given);
  auto format = std::make_unique<const Format>(codec, options, filters, call->of_others());
  const auto take = !copy.is_none() ? (is_true(copy) ? Take::read : Take::map)
                    : lazy          ? Take::map
                                    : Take::by_size;
  std::shared_ptr<const FileStamp> stamp;
  host::Source source = source_of_path(path, take, bounds(*call).all(), &stamp);
  if (!lazy) return decode_source(source, *format, *call).of_file(std::move(stamp));
  // A codec that does not exist is an error here, and a file that does not fit it one later.
  if (!format->codec.empty() && is_opened(format->codec)) opened(*format);
  auto deferred =
      std::make_shared<Deferred>(nb::find(this), source, std::move(format), std::move(call));
  return Value(std::move(deferred), nb::borrow(codec), std::move(source)).of_file(std::move(stamp));
}

Value Registry::decode_store(nb::handle store, nb::handle codec, nb::handle options,
                             const nb::kwargs& given) {
  CallOptions call(given);
  const Format format(codec, options, nb::none(), call.of_others());
  return decode_source(source_of_store(store, bounds(call).all().max_input_bytes), format, call);
}

nb::object Registry::encode(nb::handle object, nb::handle codec, nb::handle options,
                            nb::handle filters, nb::handle metadata, const nb::kwargs& given) {
  CallOptions call(given);
  const Format format(codec, options, filters, call.of_others());
  const host::Codec opened_codec = opened(format);
  const nb::object whole = annotated(object, metadata);
  if (facts(format).writes_store)
    return attribute("polycodec._stores", "encode")(nb::find(this), whole, codec, options, filters,
                                                    given);
  std::uint64_t weight = 0;
  const host::Value value = value_of(whole, false, &weight, bounds(call), &call);
  return encoded(value, opened_codec, weight, &call);
}

nb::object Registry::encode(nb::handle object, nb::handle codec) {
  const Last* const found = last(codec);
  if (found == nullptr || found->facts.writes_store)
    return encode(object, codec, nb::none(), nb::none(), nb::none(),
                  nb::borrow<nb::kwargs>(nb::dict()));
  const host::Codec with = found->codec;
  std::uint64_t weight = 0;
  const host::Value value = value_of(object, false, &weight, {&handle_, {}});
  return encoded(value, with, weight, nullptr);
}

nb::object Registry::encoded(const host::Value& value, const host::Codec& codec,
                             std::uint64_t weight, CallOptions* call) {
  if (call == nullptr && weight <= short_data) return encoded_short(value, codec);
  const CurrentValue current(&value);
  // A call inside of this one finds no sink and makes its own.
  std::optional<host::Sink> sink = std::exchange(sink_, std::nullopt);
  if (!sink) sink.emplace();
  CallOptions plain;
  (call == nullptr ? plain : *call)
      .run([&](const host::CallOptions& how) { codec.encode(value, *sink, how); },
           weight <= short_data);
  nb::object bytes = bytes_object(sink->segments());
  sink->reset();
  if (PyBytes_Size(bytes.ptr()) <= max_kept_output) sink_ = std::move(sink);
  return bytes;
}

nb::object Registry::encoded_short(const host::Value& value, const host::Codec& codec) {
  std::optional<host::Sink> sink = std::exchange(short_sink_, std::nullopt);
  if (!sink) sink = host::Sink::contiguous();
  codec.encode(value, *sink);
  nb::object bytes = copy_of(sink->bytes());
  sink->reset();
  if (PyBytes_Size(bytes.ptr()) <= max_kept_output) short_sink_ = std::move(sink);
  return bytes;
}

void Registry::save(nb::handle object, nb::handle path, nb::handle codec, nb::handle options,
                    nb::handle filters, nb::handle metadata, bool keep, bool sync, nb::handle root,
                    const nb::kwargs& given) {
  CallOptions call(given);
  const Format format(codec, options, filters, call.of_others());
  const std::string to = path_of(path);
  const host::WriteOptions write{.keep = keep, .sync = sync, .root = path_or_empty(root)};
  const host::Value value =
      value_of(annotated(object, metadata), false, nullptr, bounds(call), &call);
  const CurrentValue encoded(&value);
  call.run([&](const host::CallOptions& how) { handle_.write(value, to, format, how, write); });
}

void Registry::convert(nb::handle source, nb::handle path, nb::handle codec, nb::handle options,
                       nb::handle filters, nb::handle from, nb::handle from_options,
                       nb::handle from_filters, bool keep, bool sync, nb::handle root,
                       const nb::kwargs& given) {
  CallOptions call(given);
  const Format to_format(codec, options, filters, call.of_others());
  const Format from_format(from, from_options, from_filters, call.of_others());
  const std::string to = path_of(path);
  const host::WriteOptions write{.keep = keep, .sync = sync, .root = path_or_empty(root)};
  const host::Source input = source_of(source, {}, bounds(call));
  call.run([&](const host::CallOptions& how) {
    handle_.convert(input, to, from_format, to_format, how, write);
  });
}

Value Registry::call(nb::str function, nb::handle args, nb::handle keywords,
                     const nb::kwargs& given) {
  CallOptions call(given);
  const auto value = [&](nb::handle object) {
    return object.is_none() ? host::Value() : value_of(object, false, nullptr, bounds(call), &call);
  };
  const host::Value list = value(args), named = value(keywords);
  host::Value made;
  call.run([&](const host::CallOptions& how) {
    made = handle_.call(view_of(function), list, named, how);
  });
  return Value(std::move(made));
}

nb::dict Registry::blobs(nb::handle source) {
  const host::Source from = source_of(source, {}, {&handle_, {}});
  std::optional<host::OpenedStore> store;
  std::vector<polycodec_store_entry> entries;
  {
    const nb::gil_scoped_release unlocked;
    store.emplace(handle_, from);
    entries = store->entries();
  }
  nb::dict sizes;
  for (const polycodec_store_entry& entry : entries)
    sizes[str_of(to_string_view(entry.name))] = entry.size;
  return sizes;
}

nb::bytes Registry::read_blob(nb::handle source, nb::str name) {
  const host::Source from = source_of(source, {}, {&handle_, {}});
  const std::string_view wanted = view_of(name);
  std::optional<host::OpenedStore> store;
  std::string_view bytes;
  {
    const nb::gil_scoped_release unlocked;
    store.emplace(handle_, from);
    bytes = store->read(wanted);
  }
  return nb::bytes(bytes.data(), bytes.size());
}

nb::object Registry::choices(nb::handle data, nb::handle name) {
  const host::Source source =
      source_of(data, name.is_none() ? std::string_view() : view_of(name), {&handle_, {}});
  return to_python(handle_.candidates(source));
}

nb::object Registry::format_for(nb::handle path) {
  const host::Codec codec = handle_.codec_for(path_of(path), host::Value());
  return to_python(codec.describe());
}

}  // namespace polycodec_python
