// SPDX-License-Identifier: MIT
// An opened codec or filter, and the calls to it.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/builder.hpp>
#include <polycodec/error.hpp>
#include <polycodec/node_view.hpp>

#include "core/call/border.hpp"
#include "core/call/plugin_error.hpp"
#include "core/value/arena.hpp"
#include "registry/document/json_schema.hpp"
#include "registry/load/policy.hpp"
#include "registry/session/session.hpp"

#include <cstdint>
#include <memory>
#include <string_view>

namespace polycodec {

/// What codecs, filters and stores have in common when they are opened: the plugin that they keep,
/// and an arena that lives as long. What a value points into: that arena and the plugin's
/// constants, and those of all others that the registry has loaded.
class Opened : public Regions {
 public:
  Opened(const Session& owner, const CodecSlot& of);
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;
  virtual ~Opened();

  const CodecInfo& info() const noexcept { return *slot.info; }
  std::string_view region_of(const void* data, std::uint64_t size) const noexcept override;

  const Session& session;
  const CodecSlot& slot;

 protected:
  /// The C object of the slot.
  template <class T>
  const T& object() const noexcept {
    return *static_cast<const T*>(plugin_->objects[slot.index]);
  }
  /// Runs a call of the plugin. An exception that leaves it is an error with the codec's name.
  template <class Body>
  auto invoke(Body&& body) const {
    try {
      return across_border(body);
    } catch (Error& e) {
      e.codec(info().name);
      throw;
    }
  }
  /// Calls a function of the plugin, whose last parameter is an error, in `context`; then settles.
  /// Throws what it reports, with the name of the codec.
  template <class Function, class... Arguments>
  void call(CallContext& context, Function* function, Arguments... arguments) const {
    PluginError error;
    const std::int32_t code = invoke([&] { return function(arguments..., error.raw()); });
    if (code != POLYCODEC_OK) throw error.error(code).codec(info().name);
    context.settle();
  }
  /// Calls open() of the object, which makes `*made`.
  template <class T, class Made>
  void open(NodeView options, const Made** made) {
    const CallOptions defaults;
    const CallTerms terms(session, defaults);
    CallContext context(terms, arena_.abi());
    const T& with = object<T>();
    Builder out(arena_.abi());
    options = with_files(slot.schema, options, out);
    call(context, with.open, &with, context.abi(), options.is_null() ? nullptr : options.raw(),
         made);
    arena_.settle();
    if (*made == nullptr || (*made)->release == nullptr)
      throw error(Status::plugin, "open() reported success and made nothing");
  }
  void require(Right right) const {
    if (right == Right::decode ? !may_decode_ : !may_encode_) [[unlikely]]
      refuse(right);
  }
  [[noreturn]] void refuse(Right right) const;
  Error error(Status status, const std::string& message) const {
    return Error(status, message).codec(info().name);
  }

  std::shared_ptr<const LoadedPlugin> plugin_;
  Arena arena_;
  const bool may_decode_, may_encode_;
};

/// A codec with its options. Immutable; for any number of threads. Errors have the codec's name.
class CodecInstance final : public Opened {
 public:
  /// Opens; `options` may be null. Throws Error.
  CodecInstance(const Session& owner, const CodecSlot& of, NodeView options);
  ~CodecInstance() override;

  /// Decodes `input` into the arena of the call and validates; `member`: which of the named values
  /// of a store, if not empty. The value lies in what the arena keeps, and in `read` (or null).
  const polycodec_node* decode(CallContext& call, const polycodec_input& input,
                               std::string_view member = {}, const Regions* read = nullptr) const;
  /// Encodes; the caller drops what was written on failure.
  void encode(CallContext& call, const polycodec_node* root, const polycodec_output& output) const;
  std::uint64_t encoded_size(CallContext& call, const polycodec_node* root) const;
  /// Throws unless the codec can and may write.
  void require_encode() const { require(Right::encode); }
  /// See polycodec_instance.list.
  const polycodec_node* list(CallContext& call, const polycodec_store* store) const;
  polycodec_reader* open_reader(CallContext& call) const;
  polycodec_writer* open_writer(CallContext& call) const;
  /// One step of a reader. True: there is a value, which accept() is to validate.
  bool next(CallContext& call, polycodec_reader* reader, polycodec_step& step) const;
  /// Validates what a call has made. The value lies in what the arena keeps, and in `read` (or
  /// null).
  void accept(const CallContext& call, const polycodec_node* root,
              const Regions* read = nullptr) const;
  /// Runs a function of a reader or writer.
  template <class Function, class... Arguments>
  void run(CallContext& context, Function* function, Arguments... arguments) const {
    call(context, function, arguments...);
  }

  const polycodec_codec& abi() const noexcept { return object<polycodec_codec>(); }
  const polycodec_instance* handle = nullptr;
  const bool is_tolerant;  ///< its option `tolerant` is true

 private:
  void choose_parts(polycodec_input& input, CallContext& call) const;
};

/// A filter with its options; likewise.
class FilterInstance final : public Opened {
 public:
  FilterInstance(const Session& owner, const CodecSlot& of, NodeView options);
  ~FilterInstance() override;

  void encode(CallContext& call, const polycodec_bytes* pieces, std::uint64_t n,
              polycodec_sink* sink) const;
  void decode(CallContext& call, std::string_view bytes, polycodec_sink* sink) const;

  const polycodec_filter_instance* handle = nullptr;
};

}  // namespace polycodec
