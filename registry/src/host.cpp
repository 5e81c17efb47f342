// SPDX-License-Identifier: MIT
#include "host.hpp"

#include <polycodec/array_view.hpp>
#include <polycodec/dispatch.hpp>

#include "catalog.hpp"
#include "instance.hpp"
#include "schema.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace polycodec {
namespace {

/// Codecs inside codecs use up the machine's stack, whatever the limits say about values.
constexpr std::uint32_t max_nested_calls = 32;

HostTable& table(const polycodec_host* host) noexcept {
  return *static_cast<HostTable*>(host->host_data);
}

void* POLYCODEC_ABI allocate(const polycodec_host*, std::uint64_t size, std::uint64_t align) {
  if (align == 0 || (align & (align - 1)) != 0 || size > SIZE_MAX / 2 || align > SIZE_MAX / 4) return nullptr;
  void* memory = nullptr;
  const auto least = std::max<std::size_t>(static_cast<std::size_t>(align), sizeof(void*));
  return ::posix_memalign(&memory, least, std::max<std::size_t>(static_cast<std::size_t>(size), 1)) == 0 ? memory
                                                                                                         : nullptr;
}

void POLYCODEC_ABI free_memory(const polycodec_host*, void* memory) {
  std::free(memory);
}

void POLYCODEC_ABI log_line(const polycodec_host* host, std::int32_t level, polycodec_bytes text) {
  const auto& hook = table(host).log;
  if (!hook || level < POLYCODEC_LOG_DEBUG) return;
  const auto known = std::min<std::int32_t>(level, POLYCODEC_LOG_PLUGIN_MISBEHAVING);
  guard(nullptr, [&] { hook(static_cast<polycodec_log_level>(known), "plugin", to_string_view(text)); });
}

std::uint32_t next_depth(const CallContext& outer) {
  const std::uint32_t depth = outer.abi.depth + 1;
  if (depth > std::min(max_nested_calls, outer.limits.max_depth))
    throw Error(Status::limit, "codecs are nested in codecs more than " + std::to_string(depth - 1) + " deep");
  return depth;
}

std::int32_t POLYCODEC_ABI call_function(const polycodec_host* host, const polycodec_call* call,
                                         const polycodec_bytes* path, std::uint64_t n_path,
                                         const polycodec_node* args, const polycodec_node* kwargs,
                                         polycodec_arena* arena, const polycodec_node** result,
                                         polycodec_error* error) {
  return guard(error, [&] {
    const CallContext& outer = CallContext::of(call);
    CallContext inner(outer, next_depth(outer));
    inner.codec_calls = outer.codec_calls;
    static const Whitelist nothing;
    static const FunctionTable empty;
    const Whitelist& whitelist = outer.whitelist != nullptr     ? *outer.whitelist
                                 : outer.codec_calls != nullptr ? *outer.codec_calls
                                                                : nothing;
    const auto parts = function_path(path, n_path);
    // A function that the whitelist does not admit must not even get its plugin loaded.
    const FunctionTable* functions = whitelist.admits(parts) ? outer.catalog.functions_for(parts) : nullptr;
    DispatchContext context;
    context.host = host;
    context.call = &inner.abi;
    context.arena = arena;
    context.on_denied = [&](const Denial& denial) {
      outer.catalog.log(POLYCODEC_LOG_WARNING, "denied the call of " + std::string(denial.function) +
                                                   "; the whitelist is " + std::string(denial.specifiers));
    };
    *result = dispatch(functions != nullptr ? *functions : empty, whitelist, parts, args, kwargs, context);
  });
}

/// What a plugin asks for may be what its input asked for.
std::shared_ptr<const CodecInstance> open_for_plugin(const Catalog& catalog, const polycodec_bytes& codec,
                                                     const polycodec_node* options) {
  if (options == nullptr) return catalog.open_codec(to_string_view(codec), View());
  const CodecSlot& slot = catalog.need(to_string_view(codec));
  const Json given = json_from_view(View(options));
  refuse_host_only(*slot.schema, given);
  return catalog.open_slot(slot, given);
}

std::int32_t POLYCODEC_ABI decode_with(const polycodec_host*, const polycodec_call* call, polycodec_bytes codec,
                                       const polycodec_node* options, polycodec_bytes bytes, polycodec_arena* arena,
                                       const polycodec_node** result, polycodec_error* error) {
  return guard(error, [&] {
    const CallContext& outer = CallContext::of(call);
    const CallContext inner(outer, next_depth(outer));
    const auto instance = open_for_plugin(outer.catalog, codec, options);
    polycodec_input input{};
    input.struct_size = sizeof input;
    input.has_bytes = 1;
    input.bytes = bytes;
    *result = instance->decode(inner, input, arena);
  });
}

std::int32_t POLYCODEC_ABI encode_with(const polycodec_host*, const polycodec_call* call, polycodec_bytes codec,
                                       const polycodec_node* options, const polycodec_node* node,
                                       polycodec_sink* sink, polycodec_error* error) {
  return guard(error, [&] {
    const CallContext& outer = CallContext::of(call);
    const CallContext inner(outer, next_depth(outer));
    const auto instance = open_for_plugin(outer.catalog, codec, options);
    instance->encode(inner, node, sink);
  });
}

std::int32_t POLYCODEC_ABI lookup_type(const polycodec_host* host, polycodec_bytes name, polycodec_bytes* notation,
                                       polycodec_error* error) {
  return guard(error, [&] {
    const Catalog* catalog = table(host).catalog;
    if (catalog == nullptr) throw Error(Status::not_found, "types cannot be looked up through the host of init()");
    *notation = to_bytes(catalog->type_notation(to_string_view(name)));
  });
}

std::int32_t POLYCODEC_ABI cancelled(const polycodec_call* call) {
  const auto* context = static_cast<const CallContext*>(call->host_data);
  return context->cancel != nullptr && context->cancel->load(std::memory_order_relaxed) ? 1 : 0;
}

void POLYCODEC_ABI lost(const polycodec_call* call, polycodec_bytes path, polycodec_bytes what) {
  const auto* context = static_cast<const CallContext*>(call->host_data);
  guard(nullptr, [&] { (*context->on_loss)(to_string_view(path), to_string_view(what)); });
}

}  // namespace

void HostTable::set(const Catalog* owner, LogHook hook) {
  catalog = owner;
  log = std::move(hook);
  abi.struct_size = sizeof abi;
  abi.abi_major = POLYCODEC_ABI_MAJOR;
  abi.name = to_bytes("polycodec");
  abi.version = to_bytes(POLYCODEC_VERSION);
  abi.host_data = this;
  abi.allocate = &allocate;
  abi.free = &free_memory;
  abi.log = &log_line;
  abi.call_function = &call_function;
  abi.decode_with = &decode_with;
  abi.encode_with = &encode_with;
  abi.lookup_type = &lookup_type;
}

CallContext::CallContext(const Catalog& owner, const CallOptions& options)
    : catalog(owner),
      limits(options.limits ? *options.limits : owner.options.limits),
      abi_limits(limits.to_abi()),
      validation(options.validation),
      cancel(options.cancel),
      whitelist(options.whitelist ? options.whitelist.get() : owner.options.whitelist.get()),
      on_loss(options.on_loss ? &options.on_loss : nullptr),
      abi{sizeof abi,  0,
          &abi_limits, cancel != nullptr ? &cancelled : nullptr,
          this,        on_loss != nullptr ? &lost : nullptr} {}

CallContext::CallContext(const CallContext& outer, std::uint32_t depth)
    : catalog(outer.catalog),
      limits(outer.limits),
      abi_limits(outer.abi_limits),
      validation(outer.validation),
      cancel(outer.cancel),
      whitelist(outer.whitelist),
      on_loss(outer.on_loss),
      abi{sizeof abi, depth, &abi_limits, outer.abi.cancelled, this, outer.abi.lost} {}

CallContext::CallContext(const CallContext& same, const Whitelist& calls) : CallContext(same, same.abi.depth) {
  codec_calls = &calls;
}

const CallContext& CallContext::of(const polycodec_call* call) {
  if (call == nullptr || call->host_data == nullptr)
    throw Error(Status::plugin, "the plugin asked the host for something outside of a call");
  return *static_cast<const CallContext*>(call->host_data);
}

}  // namespace polycodec
