// SPDX-License-Identifier: MIT
#include "registry.hpp"

#include "deferred.hpp"
#include "from_python.hpp"
#include "program_store.hpp"
#include "source.hpp"

#include <algorithm>

namespace polycodec_python {
namespace {

/// Bytes that decode in much less than the time in which Ctrl-C must work.
constexpr std::uint64_t short_input = 4096;

/// Output whose memory is kept for the next call.
constexpr Py_ssize_t max_kept_output = 1 << 20;

/// `data` is the function. It lives as long as the process, because values of the registry may log.
void log_to(void* data, std::int32_t level, polycodec_bytes origin, polycodec_bytes text) {
  if (!has_interpreter()) return;
  const nb::gil_scoped_acquire locked;
  try {
    nb::handle(static_cast<PyObject*>(data))(level, str_of(view_of(origin)), str_of(view_of(text)));
  } catch (nb::python_error& error) {
    error.discard_as_unraisable("the log of polycodec");
  }
}

/// Codecs that stay open. A program may give other options with each call.
constexpr std::size_t max_opened = 64;

bool is_opened(std::string_view codec) noexcept {
  return codec != "raw";  // a body as it is
}

polycodec_write_options write_options(bool keep, bool sync, const std::string& root) noexcept {
  polycodec_write_options options{};
  options.struct_size = sizeof options;
  options.flags = (keep ? POLYCODEC_WRITE_KEEP : 0u) | (sync ? POLYCODEC_WRITE_SYNC : 0u);
  options.root = bytes_of(root);
  return options;
}

/// Empty for None.
std::string path_text(nb::handle path) {
  if (path.is_none()) return {};
  PyObject* encoded = nullptr;
  if (PyUnicode_FSConverter(path.ptr(), &encoded) == 0) throw nb::python_error();
  const nb::object kept = nb::steal(encoded);
  return {PyBytes_AsString(encoded), static_cast<std::size_t>(PyBytes_Size(encoded))};
}

/// A path, or an object with the buffer protocol.
SourceHandle source_of(nb::handle source, std::string_view name, const Bounds& bounds) {
  const bool is_path = PyUnicode_Check(source.ptr()) || nb::hasattr(source, "__fspath__");
  return is_path ? source_of_path(source, false, bounds.all()) : source_of_buffer(source, name);
}

}  // namespace

Registry::Registry(nb::handle config, nb::handle plugin_paths, nb::handle add_paths,
                   bool environment, bool builtins, nb::handle limits, nb::handle allowlist,
                   nb::handle isolation, nb::handle log, nb::handle codecs) {
  const std::string text = to_json(config);
  const std::string allowed = to_json(allowlist);
  const std::string isolated = to_json(isolation);
  Strings instead;
  Strings added;
  for (nb::handle path : plugin_paths) instead.add(path);
  for (nb::handle path : add_paths) added.add(path);
  const polycodec_limits bounds = limits_of(limits);
  ProgramCodecs program(codecs);
  polycodec_registry_options options{};
  options.struct_size = sizeof options;
  if (!environment) options.flags |= POLYCODEC_REGISTRY_NO_ENVIRONMENT;
  if (!builtins) options.flags |= POLYCODEC_REGISTRY_NO_BUILTINS;
  if (environment && config.is_none()) options.flags |= POLYCODEC_REGISTRY_DEFAULT_CONFIG;
  const polycodec_layer layer{bytes_of(text), bytes_of("the configuration of the registry")};
  options.layers = &layer;
  options.n_layers = text.empty() ? 0 : 1;
  options.plugin_paths = instead.data();
  options.n_plugin_paths = instead.size();
  options.add_paths = added.data();
  options.n_add_paths = added.size();
  options.limits = &bounds;
  options.allowlist = bytes_of(allowed);
  options.isolation = bytes_of(isolated);
  options.threads = UINT32_MAX;
  options.objects = program.objects();
  if (!log.is_none()) {
    options.log = &log_to;
    options.log_data = nb::borrow(log).release().ptr();
  }
  call(polycodec_registry_open, &options, handle_.out());
  program.taken();
}

CodecHandle Registry::opened(const Format& format) {
  const auto is_wanted = [&](const Opened& one) {
    return one.codec == format.codec() && one.options == format.options() &&
           one.filters == format.filters() && one.flags == format.flags();
  };
  auto at = std::find_if(opened_.begin(), opened_.end(), is_wanted);
  if (at == opened_.end()) {
    Opened made{
        std::string(format.codec()), format.options(), format.filters(), format.flags(), {}};
    call(polycodec_registry_open_codec, get(), format.raw(), made.handle.out());
    if (opened_.size() == max_opened) opened_.pop_back();
    at = opened_.insert(opened_.end(), std::move(made));
  }
  if (at != opened_.begin()) std::rotate(opened_.begin(), at, at + 1);
  return opened_.front().handle;
}

bool Registry::writes_store(const Format& format) {
  const std::string codec(format.codec());
  const auto at = writes_store_.find(codec);
  if (at != writes_store_.end()) return at->second;
  const bool answer =
      nb::cast<bool>(attribute("polycodec._stores", "writes_store")(nb::find(this), format.name()));
  writes_store_.emplace(codec, answer);
  return answer;
}

Value Registry::decode_source(const SourceHandle& source, const Format& format,
                              CallOptions& options) {
  ValueHandle value;
  polycodec_bytes bytes{};
  call(polycodec_source_bytes, source.get(), &bytes);
  const bool is_short = bytes.size != 0 && bytes.size <= short_input;
  if (format.raw() != nullptr && is_opened(format.codec())) {
    const CodecHandle codec = opened(format);
    options.run(
        [&](const polycodec_call_options* call, polycodec_error* error) {
          return polycodec_opened_codec_decode(codec.get(), source.get(), call, value.out(), error);
        },
        is_short);
    return Value(std::move(value), format.name(), source);
  }
  polycodec_match match{};
  match.struct_size = sizeof match;
  options.run(
      [&](const polycodec_call_options* call, polycodec_error* error) {
        return polycodec_decode(get(), source.get(), format.raw(), call, value.out(), &match,
                                error);
      },
      is_short);
  return Value(std::move(value), str_of(view_of(match.codec)), source);
}

Value Registry::decode(nb::handle data, nb::handle codec, nb::handle name, nb::handle options,
                       nb::handle filters, const nb::kwargs& given) {
  CallOptions call(given);
  const Format format(codec, options, filters, call.format_flags());
  return decode_source(source_of_buffer(data, name.is_none() ? std::string_view() : view_of(name)),
                       format, call);
}

Value Registry::open(nb::handle path, nb::handle codec, nb::handle options, nb::handle filters,
                     bool copy, bool lazy, const nb::kwargs& given) {
  auto call = std::make_unique<CallOptions>(given);
  auto format = std::make_unique<const Format>(codec, options, filters, call->format_flags());
  SourceHandle source = source_of_path(path, copy, bounds(*call).all());
  if (!lazy) return decode_source(source, *format, *call);
  // A codec that does not exist is an error here, and a file that does not fit it one later.
  if (format->raw() != nullptr && is_opened(format->codec())) opened(*format);
  auto deferred =
      std::make_shared<Deferred>(nb::find(this), source, std::move(format), std::move(call));
  return Value(std::move(deferred), nb::borrow(codec), std::move(source));
}

Value Registry::decode_store(nb::handle store, nb::handle codec, nb::handle options,
                             const nb::kwargs& given) {
  CallOptions call(given);
  const Format format(codec, options, nb::none(), call.format_flags());
  return decode_source(source_of_store(store, {}, bounds(call).all().max_input_bytes), format,
                       call);
}

nb::object Registry::encode(nb::handle object, nb::handle codec, nb::handle options,
                            nb::handle filters, const nb::kwargs& given) {
  CallOptions call(given);
  const Format format(codec, options, filters, call.format_flags());
  const CodecHandle opened_codec = opened(format);
  if (writes_store(format))
    return attribute("polycodec._stores", "encode")(nb::find(this), object, codec, options, filters,
                                                    given);
  std::uint64_t weight = 0;
  const ValueHandle value = value_of(object, false, &weight, bounds(call));
  // A call inside of this one finds no sink and makes its own.
  SinkHandle sink = std::move(sink_);
  if (sink.get() == nullptr) sink = new_sink(0);
  call.run(
      [&](const polycodec_call_options* call_options, polycodec_error* error) {
        return polycodec_opened_codec_encode(opened_codec.get(), value.get(), call_options,
                                             sink.get(), nullptr, nullptr, error);
      },
      weight <= short_input);
  nb::object bytes = bytes_object(sink);
  polycodec_python::call(polycodec_sink_reset, sink.get());
  if (PyBytes_Size(bytes.ptr()) <= max_kept_output) sink_ = std::move(sink);
  return bytes;
}

void Registry::save(nb::handle object, nb::handle path, nb::handle codec, nb::handle options,
                    nb::handle filters, bool keep, bool sync, nb::handle root,
                    const nb::kwargs& given) {
  CallOptions call(given);
  const Format format(codec, options, filters, call.format_flags());
  const std::string to = path_text(path);
  const std::string below = path_text(root);
  const polycodec_write_options write = write_options(keep, sync, below);
  const ValueHandle value = value_of(object, false, nullptr, bounds(call));
  call.run([&](const polycodec_call_options* call_options, polycodec_error* error) {
    return polycodec_encode_file(get(), value.get(), bytes_of(to), format.raw(), call_options,
                                 &write, nullptr, error);
  });
}

void Registry::convert(nb::handle source, nb::handle path, nb::handle codec, nb::handle options,
                       nb::handle filters, nb::handle from, nb::handle from_options,
                       nb::handle from_filters, bool keep, bool sync, nb::handle root,
                       const nb::kwargs& given) {
  CallOptions call(given);
  const Format to_format(codec, options, filters, call.format_flags());
  const Format from_format(from, from_options, from_filters, call.format_flags());
  const std::string to = path_text(path);
  const std::string below = path_text(root);
  const polycodec_write_options write = write_options(keep, sync, below);
  const SourceHandle input = source_of(source, {}, bounds(call));
  call.run([&](const polycodec_call_options* call_options, polycodec_error* error) {
    return polycodec_convert(get(), input.get(), from_format.raw(), bytes_of(to), to_format.raw(),
                             call_options, &write, nullptr, error);
  });
}

nb::object Registry::choices(nb::handle data, nb::handle name) {
  const SourceHandle source =
      source_of(data, name.is_none() ? std::string_view() : view_of(name), Bounds{get(), nullptr});
  polycodec_match match{};
  match.struct_size = sizeof match;
  SinkHandle sink = new_sink();
  CallError none_chosen;
  static_cast<void>(
      polycodec_registry_choose(get(), source.get(), &match, sink.get(), none_chosen.raw()));
  const nb::str candidates = text_of(sink);
  if (view_of(candidates).empty()) raise(none_chosen);
  return from_json(candidates);
}

}  // namespace polycodec_python
