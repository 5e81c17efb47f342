// SPDX-License-Identifier: MIT
// What the host offers to plugins.
#include "core/dispatch/dispatch.hpp"
#include "core/value/arena.hpp"
#include "core/value/value_parts.hpp"
#include "registry/session/instance.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

namespace polycodec {
namespace {

struct HostTable {
  polycodec_host abi{};
  LogHook log;
};

void log_line(const polycodec_host* self, std::int32_t level, polycodec_bytes text) {
  const auto& hook = static_cast<const HostTable*>(self->private_data)->log;
  if (!hook || level < POLYCODEC_LOG_DEBUG) return;
  const auto known = std::min<std::int32_t>(level, POLYCODEC_LOG_PLUGIN_MISBEHAVING);
  auto error = make_error();
  guard(&error,
        [&] { hook(static_cast<polycodec_log_level>(known), "plugin", to_string_view(text)); });
}

std::int32_t call_function(const polycodec_host*, polycodec_call* call, const polycodec_bytes* path,
                           std::uint64_t n_path, const polycodec_node* args,
                           const polycodec_node* kwargs, const polycodec_node** result,
                           polycodec_error* error) {
  return guard(error, [&] {
    CallContext& outer = CallContext::of(call);
    CallContext inner(outer);
    const Allowlist& allowlist = outer.allowlist();
    inner.set_codec_calls(allowlist);
    static const FunctionTable empty;
    const auto parts = function_path(path, n_path);
    // A function that the allowlist does not allow must not even get its plugin loaded.
    const FunctionTable* functions =
        allowlist.allows(parts) ? outer.catalog().functions_for(parts) : nullptr;
    DispatchContext context;
    context.call = inner.abi();
    context.on_denied = [&](const Denial& denial) {
      outer.catalog().log(POLYCODEC_LOG_WARNING,
                          "denied the call of " + std::string(denial.function) +
                              "; the allowlist is " + std::string(denial.specifiers));
    };
    *result = dispatch(functions != nullptr ? *functions : empty, allowlist, parts, args, kwargs,
                       context);
    inner.settle();
    // The result may point into the arguments.
    const LazyRegions read([&] {
      MemoryParts extents;
      for (const polycodec_node* const node : {args, kwargs}) {
        if (node == nullptr) continue;
        const MemoryParts more = parts_of(NodeView(node), inner.limits().max_depth);
        extents.insert(extents.end(), more.begin(), more.end());
      }
      unite(extents);
      return extents;
    });
    try {
      inner.accept(*result, &read);
    } catch (const Error& e) {
      throw Error(e.code(), describe_path(parts) + ": " + e.message())
          .detail(e.detail())
          .path(e.path());
    }
  });
}

/// What a plugin asks for may be what its input asked for. The instance lives as long as what is in
/// the arena of the call.
const CodecInstance& open_for_plugin(CallContext& call, const polycodec_bytes& codec,
                                     const polycodec_node* options) {
  const CodecSlot& slot = call.catalog().need(Kind::codec, to_string_view(codec));
  const NodeView given = options == nullptr ? NodeView() : NodeView(options);
  auto instance = Session::of(call).open_codec(slot, given, OptionsFrom::others);
  const CodecInstance& opened = *instance;
  static_cast<Arena*>(call.abi()->arena->private_data)->keep(std::move(instance), {}, &opened);
  return opened;
}

/// Bytes of a file that others may change are copied: without a file the codec cannot know it.
polycodec_bytes steady(const CallContext& call, polycodec_bytes bytes) {
  if (bytes.size == 0 || !call.arena().may_change(bytes.data, bytes.size)) return bytes;
  auto error = make_error();
  void* const copy = polycodec_arena_alloc(call.arena().abi(), bytes.size, 64, &error);
  if (copy == nullptr) throw to_error(error.code, error);
  std::memcpy(copy, bytes.data, static_cast<std::size_t>(bytes.size));
  return {copy, bytes.size};
}

std::int32_t decode_with(const polycodec_host*, polycodec_call* call, polycodec_bytes codec,
                         const polycodec_node* options, const polycodec_input* input,
                         const polycodec_node** root, polycodec_error* error) {
  return guard(error, [&] {
    CallContext inner(CallContext::of(call));
    polycodec_input given = *input;
    if (given.file == nullptr) given.bytes = steady(inner, given.bytes);
    // The plugin may have made the bytes, which the arena then knows nothing of.
    const LazyRegions read([&] { return MemoryParts(1, to_string_view(given.bytes)); });
    *root = open_for_plugin(inner, codec, options).decode(inner, given, {}, &read);
  });
}

std::int32_t encode_with(const polycodec_host*, polycodec_call* call, polycodec_bytes codec,
                         const polycodec_node* options, const polycodec_node* root,
                         const polycodec_output* output, polycodec_error* error) {
  return guard(error, [&] {
    CallContext inner(CallContext::of(call));
    open_for_plugin(inner, codec, options).encode(inner, root, *output);
  });
}

std::int32_t lookup_type(const polycodec_host*, polycodec_call* call, polycodec_bytes name,
                         polycodec_bytes* notation, polycodec_error* error) {
  return guard(error, [&] {
    const auto found = CallContext::of(call).catalog().type_notation(to_string_view(name));
    static_cast<Arena*>(call->arena->private_data)->keep(nullptr, found);
    *notation = to_bytes(found);
  });
}

}  // namespace

std::shared_ptr<const polycodec_host> make_host(const LogHook& log) {
  const auto table = std::make_shared<HostTable>();
  table->log = log;
  polycodec_host& abi = table->abi;
  abi.struct_size = sizeof abi;
  abi.abi = POLYCODEC_ABI_VERSION;
  abi.name = to_bytes("polycodec");
  abi.version = to_bytes(POLYCODEC_VERSION);
  abi.private_data = table.get();
  abi.log = &log_line;
  abi.call_function = &call_function;
  abi.decode_with = &decode_with;
  abi.encode_with = &encode_with;
  abi.lookup_type = &lookup_type;
  return {table, &abi};
}

}  // namespace polycodec
