// SPDX-License-Identifier: MIT
// polycodec.Registry.
#pragma once

#include "call.hpp"
#include "from_python.hpp"
#include "value.hpp"

#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

namespace polycodec_python {

/// The codecs that a program may use. Values keep what they need of it.
class Registry {
 public:
  Registry(nb::handle config, nb::handle plugin_paths, nb::handle add_paths, bool environment,
           bool builtins, nb::handle limits, nb::handle allowlist, nb::handle allow_also,
           nb::handle isolation, nb::handle log, nb::handle codecs);
  explicit Registry(host::Registry handle) : handle_(std::move(handle)) {}

  const host::Registry& handle() const noexcept { return handle_; }

  Value decode(nb::handle data, nb::handle codec, nb::handle name, nb::handle options,
               nb::handle filters, const nb::kwargs& call);
  /// The same without further arguments, which takes a fifth of the time for small data.
  nb::object decode(nb::handle data, nb::handle codec);
  nb::object encode(nb::handle object, nb::handle codec);
  Value open(nb::handle path, nb::handle codec, nb::handle options, nb::handle filters,
             nb::handle copy, bool lazy, const nb::kwargs& call);
  /// Decodes the blobs of an object of Python; see source_of_store().
  Value decode_store(nb::handle store, nb::handle codec, nb::handle options,
                     const nb::kwargs& call);
  nb::object encode(nb::handle object, nb::handle codec, nb::handle options, nb::handle filters,
                    nb::handle metadata, const nb::kwargs& call);
  void save(nb::handle object, nb::handle path, nb::handle codec, nb::handle options,
            nb::handle filters, nb::handle metadata, bool keep, bool sync, nb::handle root,
            const nb::kwargs& call);
  void convert(nb::handle source, nb::handle path, nb::handle codec, nb::handle options,
               nb::handle filters, nb::handle from, nb::handle from_options,
               nb::handle from_filters, bool keep, bool sync, nb::handle root,
               const nb::kwargs& call);
  /// Calls a function of a plugin with values of the objects of a list and of a dict, or None.
  Value call(nb::str function, nb::handle args, nb::handle keywords, const nb::kwargs& call);
  Value decode_source(const host::Source& source, const Format& format, CallOptions& options);
  /// What bounds the input of a call that the program reads.
  Bounds bounds(const CallOptions& options) const { return {&handle_, options.host().limits}; }
  nb::dict blobs(nb::handle source);
  nb::bytes read_blob(nb::handle source, nb::str name);
  nb::object choices(nb::handle data, nb::handle name);
  nb::object format_for(nb::handle path);
  /// The codec of a format. The last ones are kept. Not for typed JSON, which has none.
  host::Codec opened(const Format& format);

 private:
  struct Opened {
    host::Format format;
    host::Codec codec;
  };
  struct Facts {
    bool writes_store;  // named blobs
    bool runs_here;     // in this process, and without the interpreter
    bool reads_bytes;   // and nothing else
  };
  /// The codec of the last call that had no further arguments.
  struct Last {
    nb::object name;  // as it was given
    host::Codec codec;
    Facts facts;
  };

  /// The bytes of a value. `call`: null for one without further arguments, of a codec that runs
  /// here.
  nb::object encoded(const host::Value& value, const host::Codec& codec, std::uint64_t weight,
                     CallOptions* call);
  /// The same of a value of few bytes, which are copied into one buffer.
  nb::object encoded_short(const host::Value& value, const host::Codec& codec);
  /// Null for a codec that needs more than decode() and encode() of small data do.
  const Last* last(nb::handle codec);

  /// Of an open codec.
  Facts facts(const Format& format);

  host::Registry handle_;
  std::unordered_map<std::string, Facts> facts_;
  std::vector<Opened> opened_;  // the last one that was used first
  Last last_;
  std::optional<host::Sink> sink_, short_sink_;  // empty, for the next call
};

/// A path, or an object with the buffer protocol.
host::Source source_of(nb::handle source, std::string_view name, const Bounds& bounds);

/// While it lives, codecs in Python on this thread find an object of the call that runs them.
template <class T>
class Current {
 public:
  explicit Current(T* object) noexcept : outer_(std::exchange(current_, object)) {}
  ~Current() { current_ = outer_; }
  Current(const Current&) = delete;
  Current& operator=(const Current&) = delete;
  /// May be null, or of a call around this one.
  static T* get() noexcept { return current_; }

 private:
  static inline thread_local T* current_ = nullptr;
  T* outer_;
};

using CurrentValue = Current<const host::Value>;    // that is encoded
using CurrentSource = Current<const host::Source>;  // that is decoded

/// Codecs of Python classes for the library; see polycodec.codec. On success the library owns them.
class ProgramCodecs {
 public:
  explicit ProgramCodecs(nb::handle codecs);
  ~ProgramCodecs();
  ProgramCodecs(const ProgramCodecs&) = delete;
  ProgramCodecs& operator=(const ProgramCodecs&) = delete;
  const polycodec_objects* objects() const noexcept {
    return codecs_.empty() ? nullptr : &objects_;
  }
  void taken() noexcept { codecs_.clear(); }

 private:
  std::vector<const polycodec_codec*> codecs_;
  polycodec_objects objects_{};
};

}  // namespace polycodec_python
