// SPDX-License-Identifier: MIT
#include <polycodec/error.hpp>

#include "registry/isolation/proxies.hpp"

#include <memory>

namespace polycodec::isolation {
namespace {

struct CodecInstanceProxy {
  CodecInstanceProxy(IsolatedPlugin& plugin, std::uint64_t index, polycodec_call* call,
                     const polycodec_node* options)
      : instance(plugin, index, call, options) {}
  polycodec_instance abi{};
  InstanceProxy instance;
};

const InstanceProxy& instance_of(const polycodec_instance* self) noexcept {
  return static_cast<const CodecInstanceProxy*>(self->private_data)->instance;
}

std::int32_t decode(const polycodec_instance* self, polycodec_call* call,
                    const polycodec_input* input, const polycodec_node** root,
                    polycodec_error* error) {
  return guard(error, [&] {
    const InstanceProxy& instance = instance_of(self);
    const bool reads_parts = input->file != nullptr || input->store != nullptr;
    InstanceCall in(instance, call, reads_parts ? Exchange::unknown_bytes : input->bytes.size);
    const StagedInput* const staged = in.exchange.stage(*input);
    const bool trusts = instance.trusts_parts();
    if (trusts) instance.note_trust();
    const Message answer =
        in.exchange.run(Op::decode, instance.number(), number(staged), trusts ? 1 : 0);
    if (answer.a[field::released] != 0) instance.note_parts(answer.a[field::has_copied] != 0);
    *root = in.exchange.take_value(answer);
  });
}

std::int32_t encode(const polycodec_instance* self, polycodec_call* call,
                    const polycodec_node* root, const polycodec_output* output,
                    polycodec_error* error) {
  return guard(error, [&] {
    const InstanceProxy& instance = instance_of(self);
    InstanceCall in(instance, call, Exchange::unknown_bytes);
    const StagedOutput* const staged = in.exchange.stage(*output);
    const polycodec_node* const value = in.exchange.stage(root);
    const Message answer =
        in.exchange.run(Op::encode, instance.number(), number(value), number(staged));
    in.exchange.take_output(answer, output->sink);
  });
}

std::int32_t encoded_size(const polycodec_instance* self, polycodec_call* call,
                          const polycodec_node* root, std::uint64_t* size, polycodec_error* error) {
  return guard(error, [&] {
    const InstanceProxy& instance = instance_of(self);
    InstanceCall in(instance, call, Exchange::unknown_bytes);
    const polycodec_node* const value = in.exchange.stage(root);
    *size = in.exchange.run(Op::encoded_size, instance.number(), number(value)).a[field::result];
  });
}

std::int32_t list(const polycodec_instance* self, polycodec_call* call,
                  const polycodec_store* store, const polycodec_node** contents,
                  polycodec_error* error) {
  return guard(error, [&] {
    const InstanceProxy& instance = instance_of(self);
    InstanceCall in(instance, call, Exchange::unknown_bytes);
    auto* const staged = new (in.exchange.allocate(sizeof(StagedStore), 8))
        StagedStore(in.exchange.stage_store(store));
    *contents =
        in.exchange.take_value(in.exchange.run(Op::list, instance.number(), number(staged)));
  });
}

std::int32_t open(const polycodec_codec* self, polycodec_call* call, const polycodec_node* options,
                  const polycodec_instance** instance, polycodec_error* error) {
  return guard(error, [&] {
    const auto& codec = *static_cast<const ObjectProxy<polycodec_codec>*>(self->private_data);
    auto made = std::make_unique<CodecInstanceProxy>(*codec.plugin, codec.index, call, options);
    polycodec_instance& abi = made->abi;
    abi.struct_size = sizeof abi;
    abi.private_data = made.get();
    if (made->instance.has(0)) abi.decode = &decode;
    if (made->instance.has(1)) abi.encode = &encode;
    if (made->instance.has(2)) abi.encoded_size = &encoded_size;
    if (made->instance.has(3))
      abi.open_reader = [](const polycodec_instance* of, polycodec_call* in,
                           polycodec_reader** reader, polycodec_error* failure) {
        return guard(failure, [&] { *reader = isolation::open_reader(instance_of(of), in); });
      };
    if (made->instance.has(4))
      abi.open_writer = [](const polycodec_instance* of, polycodec_call* in,
                           polycodec_writer** writer, polycodec_error* failure) {
        return guard(failure, [&] { *writer = isolation::open_writer(instance_of(of), in); });
      };
    if (made->instance.has(5)) abi.list = &list;
    abi.release = [](const polycodec_instance* of) {
      delete static_cast<const CodecInstanceProxy*>(of->private_data);
    };
    *instance = &made.release()->abi;
  });
}

}  // namespace

bool shall_repeat(const polycodec_instance* instance) noexcept {
  return instance->decode == &decode && instance_of(instance).distrust_parts();
}

InstanceProxy::InstanceProxy(IsolatedPlugin& plugin, std::uint64_t index, polycodec_call* call,
                             const polycodec_node* options)
    : plugin_(plugin.shared_from_this()), index_(index), number_(plugin.new_number()) {
  if (options != nullptr)
    options_ = ValueCopier(memory_.abi(), {}, {}, call->limits->max_depth, call->limits->max_nodes)
                   .root(options);
  Seat seat(plugin_);
  Served none;
  Exchange exchange(seat, call, 0, none);
  open_in(exchange);
  functions_ = exchange.run(Op::open, number_).a[field::result];
}

void sniff(IsolatedPlugin& plugin, std::uint64_t index, polycodec_call* call,
           const polycodec_input& input, polycodec_sniff& found) {
  Seat seat(plugin.shared_from_this());
  Served served;
  Exchange exchange(seat, call, input.bytes.size, served);
  const Message answer = exchange.run(Op::sniff, index, number(exchange.stage(input)));
  found.score = static_cast<std::uint32_t>(answer.a[field::result]);
  detail::copy_text(found.reason, exchange.text(answer, field::bytes));
  exchange.finish(answer);
}

void fill(ObjectProxy<polycodec_codec>& proxy, bool can_sniff) {
  fill_object(proxy, can_sniff);
  proxy.abi.open = &open;
}

}  // namespace polycodec::isolation
