// SPDX-License-Identifier: MIT
#include "registry/sandbox/remote_call.hpp"

#include <polycodec/bytes.hpp>
#include <polycodec/error.hpp>

#include "core/dispatch/dispatch.hpp"
#include "registry/call/call.hpp"
#include "registry/sandbox/remote_files.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

namespace polycodec::sandbox {

using isolation::number;
using isolation::pointer;

namespace {

/// Left for what the worker itself does when a plugin has used its part of the stack.
constexpr std::uint64_t stack_reserve = std::uint64_t{512} << 10;

const void* stack_limit(std::uint64_t most, std::uint64_t all) noexcept {
  const std::uint64_t left = std::min(most, all - std::min(all, stack_reserve));
  return pointer<const void>(number(__builtin_frame_address(0)) - left);
}

std::int32_t spend(polycodec_call* self, std::uint64_t units, polycodec_error* error) {
  return guard(error, [&] {
    Message message;
    message.op = Op::spend;
    message.a[0] = units;
    RemoteCall::ask(self, message);
  });
}

/// One part after another: a worker has one thread.
std::int32_t parallel_for(polycodec_call* self, std::uint64_t n, std::uint64_t grain,
                          polycodec_body body, void* data, polycodec_error* error) {
  const std::uint64_t step = std::max<std::uint64_t>(grain, 1);
  polycodec_call child = *self;
  child.projection = nullptr;
  std::int32_t code = POLYCODEC_OK;
  for (std::uint64_t from = 0; from < n && code == POLYCODEC_OK; from += std::min(step, n - from))
    code = body(data, &child, from, from + std::min(step, n - from), error);
  self->credit = child.credit;
  return code;
}

std::int32_t report_loss(polycodec_call* self, std::int32_t loss, polycodec_bytes path,
                         polycodec_bytes what, polycodec_error* error) {
  return guard(error, [&] {
    Packed packed(self);
    Message message;
    message.op = Op::report_loss;
    message.a[0] = static_cast<std::uint64_t>(loss);
    packed.text(message, 1, path);
    packed.text(message, 3, what);
    packed.ask(message);
  });
}

/// A line that a plugin logged outside of a call.
struct WaitingLine {
  std::int32_t level;
  std::string text;
};
thread_local polycodec_call* current_call = nullptr;
constexpr std::size_t most_waiting = 16, longest_waiting = 1000;
std::vector<WaitingLine> waiting;
const Channel* lines_to = nullptr;
std::size_t sent_lines = 0;

void log_line(const polycodec_host*, std::int32_t level, polycodec_bytes text) {
  auto error = make_error();
  if (current_call == nullptr) {
    guard(&error, [&] {
      const auto begin = to_string_view(text).substr(0, longest_waiting);
      if (lines_to == nullptr) {
        if (waiting.size() < most_waiting) waiting.push_back({level, std::string(begin)});
      } else if (sent_lines < isolation::most_lines) {
        ++sent_lines;
        Message message;
        message.op = Op::log;
        lines_to->send(message, {}, std::to_string(level) + std::string(begin));
      }
    });
    return;
  }
  guard(&error, [&] {
    Packed packed(current_call);
    Message message;
    message.op = Op::log;
    message.a[0] = static_cast<std::uint64_t>(level);
    packed.text(message, 1, text);
    packed.ask(message);
  });
}

/// What the host gave lives as long as the request.
const polycodec_node* keep(polycodec_call* call, const polycodec_node* root) {
  if (!RemoteCall::of(call).is_persistent()) return root;
  isolation::ValueCopier copier(call->arena, {}, {}, call->limits->max_depth,
                                call->limits->max_nodes);
  return copier.root(root);
}

bool may_call(polycodec_call* call, FunctionPath path) {
  Packed packed(call);
  return packed.ask(packed.function(Op::may_call, path)).a[0] != 0;
}

/// Calls a function of the plugin that the host lets data call, as the host would.
const polycodec_node* call_own(polycodec_call* call, FunctionPath path, const polycodec_node* args,
                               const polycodec_node* kwargs) {
  static const Allowlist everything({{"*"}});
  const RemoteCall& outer = RemoteCall::of(call);
  RemoteCall inner(call, call->arena, outer.is_persistent());
  inner.abi()->depth = nested_depth(call->depth, call->limits->max_depth);
  inner.abi()->projection = nullptr;
  DispatchContext context;
  context.call = inner.abi();
  return dispatch(*outer.link().functions, everything, path, args, kwargs, context);
}

std::int32_t call_function(const polycodec_host*, polycodec_call* call, const polycodec_bytes* path,
                           std::uint64_t n_path, const polycodec_node* args,
                           const polycodec_node* kwargs, const polycodec_node** result,
                           polycodec_error* error) {
  return guard(error, [&] {
    const auto name = function_path(path, n_path);
    if (RemoteCall::of(call).link().functions->find(name) != nullptr && may_call(call, name)) {
      *result = call_own(call, name, args, kwargs);
      return;
    }
    Packed packed(call);
    Message message = packed.function(Op::host_function, name);
    message.a[2] = number(packed.value(args));
    message.a[3] = number(packed.value(kwargs));
    *result = keep(call, pointer<const polycodec_node>(packed.ask(message).a[0]));
  });
}

std::int32_t decode_with(const polycodec_host*, polycodec_call* call, polycodec_bytes codec,
                         const polycodec_node* options, const polycodec_input* input,
                         const polycodec_node** root, polycodec_error* error) {
  return guard(error, [&] {
    Packed packed(call);
    polycodec_input given = *input;
    if (!RemoteCall::of(call).link().in_range().holds(given.bytes.data, given.bytes.size))
      given.bytes.data = packed.bytes(given.bytes.data, given.bytes.size);
    given.name.data = packed.bytes(given.name.data, given.name.size);
    given.member.data = packed.bytes(given.member.data, given.member.size);
    Message message;
    message.op = Op::host_decode;
    packed.text(message, 0, codec);
    message.a[2] = number(packed.value(options));
    message.a[3] = number(packed.bytes(&given, sizeof given));
    message.a[4] = RemoteFile::handle_of(input->file);
    message.a[5] = RemoteStore::handle_of(input->store);
    *root = keep(call, pointer<const polycodec_node>(packed.ask(message).a[0]));
  });
}

std::int32_t encode_with(const polycodec_host*, polycodec_call* call, polycodec_bytes codec,
                         const polycodec_node* options, const polycodec_node* root,
                         const polycodec_output* output, polycodec_error* error) {
  return guard(error, [&] {
    Message reply;
    const isolation::Handle writer = RemoteWriter::handle_of(output->store);
    if (writer != 0) static_cast<RemoteWriter*>(output->store->private_data)->flush(call);
    {
      Packed packed(call);
      Message message;
      message.op = Op::host_encode;
      packed.text(message, 0, codec);
      message.a[2] = number(packed.value(options));
      message.a[3] = number(packed.value(root));
      message.a[4] = writer;
      packed.text(message, 5, output->name);
      packed.text(message, 7, output->member);
      message.a[9] = output->sink != nullptr ? 1 : 0;
      reply = packed.ask(message);
    }
    if (output->sink != nullptr)
      invoke(&polycodec_sink_put, output->sink, pointer<const void>(reply.a[0]), reply.a[1]);
  });
}

std::int32_t lookup_type(const polycodec_host*, polycodec_call* call, polycodec_bytes name,
                         polycodec_bytes* notation, polycodec_error* error) {
  return guard(error, [&] {
    auto& types = RemoteCall::of(call).link().types;
    const std::string key(to_string_view(name));
    auto known = types.find(key);
    if (known == types.end()) {
      Packed packed(call);
      Message message;
      message.op = Op::host_type;
      packed.text(message, 0, name);
      message = packed.ask(message);
      known =
          types
              .emplace(key,
                       std::string(to_string_view(pointer<const void>(message.a[0]), message.a[1])))
              .first;
    }
    *notation = to_bytes(known->second);
  });
}

}  // namespace

void send_lines_to(const Channel* channel) noexcept {
  lines_to = channel;
}

void log_waiting_lines() {
  for (const WaitingLine& line : std::exchange(waiting, {}))
    log_line(&remote_host, line.level, to_bytes(line.text));
}

const polycodec_host remote_host = {sizeof(polycodec_host),
                                    POLYCODEC_ABI_VERSION,
                                    {"polycodec", 9},
                                    {POLYCODEC_VERSION, sizeof POLYCODEC_VERSION - 1},
                                    nullptr,
                                    &log_line,
                                    &call_function,
                                    &decode_with,
                                    &encode_with,
                                    &lookup_type};

RemoteCall::RemoteCall(Link& link, polycodec_arena* arena, bool persistent)
    : link_(link), persistent_(persistent) {
  const isolation::CallHeader& header = link.header();
  abi_.struct_size = sizeof abi_;
  abi_.depth = header.depth;
  abi_.credit = link.credit;
  abi_.arena = arena;
  abi_.limits = &header.limits;
  abi_.host = &remote_host;
  abi_.stack_limit = stack_limit(header.limits.max_stack_bytes, link.stack_bytes);
  abi_.projection = header.has_projection != 0 ? &header.projection : nullptr;
  abi_.private_data = this;
  abi_.spend = &spend;
  abi_.parallel_for = &parallel_for;
  abi_.report_loss = &report_loss;
  current_call = &abi_;
}

RemoteCall::RemoteCall(polycodec_call* outer, polycodec_arena* arena, bool persistent)
    : RemoteCall(of(outer).link_, arena, persistent) {
  outer_ = outer;
  abi_.credit = outer->credit;
}

RemoteCall::~RemoteCall() {
  (outer_ == nullptr ? link_.credit : outer_->credit) = abi_.credit;
  current_call = outer_;
}

RemoteCall& RemoteCall::of(polycodec_call* call) {
  if (call == nullptr || call->private_data == nullptr)
    throw Error(Status::plugin, "the plugin asked the host for something outside of a call");
  return *static_cast<RemoteCall*>(call->private_data);
}

Message RemoteCall::ask(polycodec_call* call, Message message) {
  Link& link = of(call).link_;
  message.credit = call->credit;
  if (!link.channel.send(message) || link.channel.receive(message) != isolation::Received::packet)
    ::_exit(0);  // the host is gone
  call->credit = message.credit;
  if (message.code != POLYCODEC_OK) {
    CallError failure;
    const auto text = [&](std::size_t at) {
      return to_bytes(to_string_view(pointer<const void>(message.a[at]), message.a[at + 1]));
    };
    *failure.raw() = message.error;
    if (message.a[isolation::field::whole_message + 1] != 0)
      failure.hear(text(isolation::field::whole_message), text(isolation::field::whole_path));
    throw failure.error(message.code);
  }
  return message;
}

Packed::Packed(polycodec_call* call) : call_(call), link_(RemoteCall::of(call).link()) {
  auto* const abi = link_.arena.abi();
  const std::uint64_t aligned = (number(abi->cursor) + 63) & ~std::uint64_t{63};
  begin_ = abi->cursor;
  if (aligned <= number(abi->limit)) abi->cursor = pointer<std::uint8_t>(aligned);
}

Packed::~Packed() {
  link_.arena.abi()->cursor = begin_;
}

const void* Packed::bytes(const void* data, std::uint64_t size) {
  if (size == 0) return nullptr;
  auto error = make_error();
  void* const copy = polycodec_arena_alloc(link_.arena.abi(), size, 8, &error);
  if (copy == nullptr) throw to_error(error.code, error);
  std::memcpy(copy, data, static_cast<std::size_t>(size));
  return copy;
}

const polycodec_node* Packed::value(const polycodec_node* root) {
  if (root == nullptr) return nullptr;
  isolation::ValueCopier copier(link_.arena.abi(), {}, {}, call_->limits->max_depth,
                                call_->limits->max_nodes);
  return copier.root(root);
}

Message Packed::function(Op op, FunctionPath path) {
  std::vector<polycodec_bytes> parts;
  for (const std::string_view part : path)
    parts.push_back({bytes(part.data(), part.size()), part.size()});
  Message message;
  message.op = op;
  message.a[0] = number(bytes(parts.data(), parts.size() * sizeof(polycodec_bytes)));
  message.a[1] = parts.size();
  return message;
}

void Packed::text(Message& message, std::size_t at, polycodec_bytes text) {
  message.a[at] = number(bytes(text.data, text.size));
  message.a[at + 1] = text.size;
}

Message Packed::ask(Message message) {
  message.a[10] = (number(begin_) + 63) & ~std::uint64_t{63};
  message.a[11] = number(link_.arena.abi()->cursor);
  link_.has_told = true;
  return RemoteCall::ask(call_, message);
}

}  // namespace polycodec::sandbox
