// SPDX-License-Identifier: MIT
// Filters and functions of an isolated plugin.
#include <polycodec/error.hpp>

#include "registry/isolation/proxies.hpp"

#include <memory>

namespace polycodec::isolation {
namespace {

struct FilterInstanceProxy {
  FilterInstanceProxy(IsolatedPlugin& plugin, std::uint64_t index, polycodec_call* call,
                      const polycodec_node* options)
      : instance(plugin, index, call, options) {}
  polycodec_filter_instance abi{};
  InstanceProxy instance;
};

const InstanceProxy& instance_of(const polycodec_filter_instance* self) noexcept {
  return static_cast<const FilterInstanceProxy*>(self->private_data)->instance;
}

std::int32_t encode(const polycodec_filter_instance* self, polycodec_call* call,
                    const polycodec_bytes* pieces, std::uint64_t n, polycodec_sink* sink,
                    polycodec_error* error) {
  return guard(error, [&] {
    const InstanceProxy& instance = instance_of(self);
    std::uint64_t all = n * sizeof *pieces;
    for (std::uint64_t i = 0; i < n; ++i) all += pieces[i].size;
    InstanceCall in(instance, call, all);
    auto* const staged =
        static_cast<polycodec_bytes*>(in.exchange.allocate(n * sizeof *pieces, alignof(void*)));
    for (std::uint64_t i = 0; i < n; ++i) staged[i] = in.exchange.stage(pieces[i]);
    in.exchange.take_output(
        in.exchange.run(Op::filter_encode, instance.number(), number(staged), n), sink);
  });
}

std::int32_t decode(const polycodec_filter_instance* self, polycodec_call* call,
                    polycodec_bytes given, std::uint64_t expected, polycodec_sink* sink,
                    polycodec_error* error) {
  return guard(error, [&] {
    const InstanceProxy& instance = instance_of(self);
    InstanceCall in(instance, call, given.size);
    const polycodec_bytes staged = in.exchange.stage(given);
    in.exchange.take_output(in.exchange.run(Op::filter_decode, instance.number(),
                                            number(staged.data), staged.size, expected),
                            sink);
  });
}

std::int32_t decoded_size(const polycodec_filter_instance* self, polycodec_call* call,
                          polycodec_bytes given, std::uint64_t* size, polycodec_error* error) {
  return guard(error, [&] {
    const InstanceProxy& instance = instance_of(self);
    InstanceCall in(instance, call, given.size);
    const polycodec_bytes staged = in.exchange.stage(given);
    *size = in.exchange.run(Op::filter_size, instance.number(), number(staged.data), staged.size)
                .a[field::result];
  });
}

std::int32_t open(const polycodec_filter* self, polycodec_call* call, const polycodec_node* options,
                  const polycodec_filter_instance** instance, polycodec_error* error) {
  return guard(error, [&] {
    const auto& filter = *static_cast<const ObjectProxy<polycodec_filter>*>(self->private_data);
    auto made = std::make_unique<FilterInstanceProxy>(*filter.plugin, filter.index, call, options);
    polycodec_filter_instance& abi = made->abi;
    abi.struct_size = sizeof abi;
    abi.private_data = made.get();
    if (made->instance.has(0)) abi.encode = &encode;
    if (made->instance.has(1)) abi.decode = &decode;
    if (made->instance.has(2)) abi.decoded_size = &decoded_size;
    abi.release = [](const polycodec_filter_instance* of) {
      delete static_cast<const FilterInstanceProxy*>(of->private_data);
    };
    *instance = &made.release()->abi;
  });
}

std::int32_t call_function(const polycodec_function* self, polycodec_call* call,
                           const polycodec_node* args, const polycodec_node* kwargs,
                           const polycodec_node** root, polycodec_error* error) {
  return guard(error, [&] {
    const auto& function = *static_cast<const FunctionProxy*>(self->private_data);
    Seat seat(function.plugin->shared_from_this());
    Served none;
    Exchange exchange(seat, call, Exchange::unknown_bytes, none);
    const polycodec_node* const first = exchange.stage(args);
    const polycodec_node* const named = exchange.stage(kwargs);
    *root = exchange.take_value(
        exchange.run(Op::call_function, function.index, number(first), number(named)));
  });
}

}  // namespace

void fill(ObjectProxy<polycodec_filter>& proxy, bool can_sniff) {
  fill_object(proxy, can_sniff);
  proxy.abi.open = &open;
}

void fill(FunctionProxy& proxy) {
  polycodec_function& abi = proxy.abi;
  abi.struct_size = sizeof abi;
  abi.n_path = static_cast<std::uint32_t>(proxy.path.size());
  abi.path = proxy.path.data();
  abi.doc = "of an isolated plugin";
  abi.private_data = &proxy;
  abi.call = &call_function;
}

bool is_function_of(const polycodec_function& function, const IsolatedPlugin& plugin) noexcept {
  return function.call == &call_function &&
         static_cast<const FunctionProxy*>(function.private_data)->plugin == &plugin;
}

}  // namespace polycodec::isolation
