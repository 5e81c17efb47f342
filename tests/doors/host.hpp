// SPDX-License-Identifier: MIT
// The host API as the doors use it: owners of its handles, and errors as exceptions.
#pragma once

#include <polycodec/host.h>

#include <nlohmann/json.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace polycodec::doors {

using Json = nlohmann::ordered_json;

/// An error in the parts that every door shows: code, detail, offset, path; `message` is for
/// people.
struct Refusal {
  Json parts;
  std::string message;
};

inline polycodec_bytes bytes_of(std::string_view text) noexcept {
  return {text.data(), text.size()};
}
inline std::string text_of(polycodec_bytes bytes) {
  return bytes.size == 0 ? std::string()
                         : std::string(static_cast<const char*>(bytes.data),
                                       static_cast<std::size_t>(bytes.size));
}

/// Calls a function of the host API, whose last parameter is the error.
template <class... Params, class... Args>
void call(std::int32_t (*function)(Params...), Args&&... args) {
  polycodec_error error{};
  error.struct_size = sizeof error;
  error.offset = POLYCODEC_NO_OFFSET;
  const std::int32_t code = function(std::forward<Args>(args)..., &error);
  if (code == POLYCODEC_OK) return;
  Json parts{{"code", polycodec_status_name(code)}};
  if (error.detail[0] != '\0') parts["detail"] = error.detail;
  if (error.offset != POLYCODEC_NO_OFFSET) parts["offset"] = error.offset;
  if (error.path[0] != '\0') parts["path"] = error.path;
  throw Refusal{std::move(parts), error.message};
}

template <auto release>
struct Releaser {
  template <class T>
  void operator()(T* handle) const noexcept {
    release(handle);
  }
};
template <class T, auto release>
using Owner = std::unique_ptr<T, Releaser<release>>;

using Registry = Owner<polycodec_registry, polycodec_registry_release>;
using Codec = Owner<polycodec_opened_codec, polycodec_opened_codec_release>;
using Source = Owner<polycodec_source, polycodec_source_release>;
using Value = Owner<polycodec_value, polycodec_value_release>;
using Sink = Owner<polycodec_sink, polycodec_sink_free>;

inline void release_file(const polycodec_file* file) {
  file->release(file);
}
inline void release_store(const polycodec_store* store) {
  store->release(store);
}
using File = Owner<const polycodec_file, release_file>;
using Store = Owner<const polycodec_store, release_store>;

/// What a function makes through the pointer before its error.
template <class Handle, class... Params, class... Args>
Handle make(std::int32_t (*function)(Params...), Args&&... args) {
  typename Handle::pointer made = nullptr;
  call(function, std::forward<Args>(args)..., &made);
  return Handle(made);
}

/// The text that `write(sink, error)` writes.
template <class Write>
std::string written(Write&& write) {
  const Sink sink = make<Sink>(polycodec_sink_create, POLYCODEC_SINK_CONTIGUOUS, std::uint64_t{0});
  write(sink.get());
  polycodec_bytes all{};
  call(polycodec_sink_bytes, sink.get(), &all);
  return text_of(all);
}

}  // namespace polycodec::doors
