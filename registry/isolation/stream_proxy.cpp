// SPDX-License-Identifier: MIT
// Readers and writers of streams. They have state, so each has a worker of its own.
#include <polycodec/error.hpp>

#include "core/call/border.hpp"
#include "registry/isolation/proxies.hpp"

#include <memory>
#include <utility>

namespace polycodec::isolation {
namespace {

/// A reader or writer in a worker.
template <class T>
struct StreamProxy {
  StreamProxy(const InstanceProxy& instance, polycodec_call* call, Op opening)
      : seat(instance.plugin()), number(seat.plugin->new_number()) {
    Exchange exchange(seat, call, 0, served);
    instance.open_in(exchange);
    exchange.run(opening, instance.number(), 0, number);
    abi.struct_size = sizeof abi;
    abi.private_data = this;
    abi.release = [](T* self) { delete static_cast<StreamProxy*>(self->private_data); };
  }
  StreamProxy(const StreamProxy&) = delete;
  StreamProxy& operator=(const StreamProxy&) = delete;
  ~StreamProxy() {
    if (seat.worker != nullptr) seat.worker->close(number);
  }
  static StreamProxy& of(T* self) noexcept {
    return *static_cast<StreamProxy*>(self->private_data);
  }

  T abi{};
  Seat seat;
  Served served;
  HeldBytes held;
  std::uint64_t number;
};

std::int32_t next(polycodec_reader* self, polycodec_call* call, polycodec_step* step,
                  polycodec_error* error) {
  return guard(error, [&] {
    auto& reader = StreamProxy<polycodec_reader>::of(self);
    Exchange exchange(reader.seat, call, step->bytes.size, reader.served);
    auto* const staged = new (exchange.allocate(sizeof *step, 8)) polycodec_step(*step);
    HeldBytes held = std::exchange(reader.held, {});
    staged->bytes = exchange.stage(step->bytes, held);
    const Message answer = exchange.run(Op::next, reader.number, number(staged));
    step->root = exchange.take_value(answer);
    step->consumed = answer.a[field::second];
    held.consume(step->consumed);
    reader.held = std::move(held);
    step->wanted = answer.a[field::third];
  });
}

std::int32_t write(polycodec_writer* self, polycodec_call* call, polycodec_sink* sink,
                   const polycodec_node* root, Op op, polycodec_error* error) {
  return guard(error, [&] {
    auto& writer = StreamProxy<polycodec_writer>::of(self);
    Exchange exchange(writer.seat, call, Exchange::unknown_bytes, writer.served);
    const polycodec_node* const value = exchange.stage(root);
    exchange.take_output(exchange.run(op, writer.number, number(value)), sink);
  });
}

}  // namespace

polycodec_reader* open_reader(const InstanceProxy& instance, polycodec_call* call) {
  auto made = std::make_unique<StreamProxy<polycodec_reader>>(instance, call, Op::open_reader);
  made->abi.next = &next;
  return &made.release()->abi;
}

polycodec_writer* open_writer(const InstanceProxy& instance, polycodec_call* call) {
  auto made = std::make_unique<StreamProxy<polycodec_writer>>(instance, call, Op::open_writer);
  made->abi.append = [](polycodec_writer* self, polycodec_call* in, polycodec_sink* sink,
                        const polycodec_node* root, polycodec_error* error) {
    return write(self, in, sink, root, Op::append, error);
  };
  made->abi.finish = [](polycodec_writer* self, polycodec_call* in, polycodec_sink* sink,
                        polycodec_error* error) {
    return write(self, in, sink, nullptr, Op::finish, error);
  };
  return &made.release()->abi;
}

}  // namespace polycodec::isolation
