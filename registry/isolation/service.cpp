// SPDX-License-Identifier: MIT
#include "registry/isolation/service.hpp"

#include <polycodec/error.hpp>

#include "core/call/limits.hpp"
#include "core/io/sink.hpp"
#include "core/value/value.hpp"
#include "registry/call/call.hpp"
#include "registry/isolation/proxies.hpp"
#include "registry/load/catalog.hpp"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

namespace polycodec::isolation {
namespace {

constexpr std::uint64_t max_text = std::uint64_t{1} << 20;
constexpr std::uint32_t max_log_lines = 1000;
constexpr std::uint64_t max_path_parts = 64;

}  // namespace

Message Service::answer(const Message& message) {
  Message reply;
  reply.op = message.op;
  // The last answer of this kind has been used.
  x_.note_staged();
  if (x_.transient_ != nullptr) x_.staging_.abi()->cursor = std::exchange(x_.transient_, nullptr);
  CallError failure;
  reply.code = guard(failure.raw(), [&] { serve(message, reply); });
  if (reply.code != POLYCODEC_OK) report(reply, failure);
  pointer<CallHeader>(x_.worker().in->begin())->limits = *x_.call_->limits;
  // Loops of the plugin may hold a part of their credit meanwhile, and give it back later.
  x_.granted_ = x_.granted_ - message.credit + x_.call_->credit;
  reply.credit = x_.call_->credit;
  x_.call_->credit = 0;
  return reply;
}

void Service::report(Message& reply, CallError& failure) {
  reply.a = {};
  reply.error = *failure.raw();
  if (!failure.is_cut() || x_.seat_.worker == nullptr) return;
  auto* const before = x_.staging_.abi()->cursor;
  try {
    const Error whole = failure.error(reply.code);
    const auto put = [&](std::size_t at, const std::string& text) {
      void* const copy = x_.allocate(text.size(), 8);
      std::memcpy(copy, text.data(), text.size());
      reply.a[at] = number(copy);
      reply.a[at + 1] = text.size();
    };
    put(field::whole_message, whole.message());
    put(field::whole_path, whole.path());
    x_.transient_ = before;
  } catch (const std::exception&) {  // without memory what fits into the fields must do
    x_.staging_.abi()->cursor = before;
    reply.a = {};
  }
}

polycodec_bytes Service::bytes(std::uint64_t at, std::uint64_t size) const {
  if (size != 0 && !x_.worker().out->holds(at, size) && !x_.worker().in->holds(at, size))
    throw Error(Status::plugin, "the isolated plugin passed memory that the host has not");
  return {pointer<const void>(at), size};
}

std::string Service::text(std::uint64_t at, std::uint64_t size) const {
  if (size > max_text)
    throw Error(Status::limit, "a text of " + std::to_string(size) +
                                   " bytes is longer than a message of an isolated plugin may be");
  return std::string(to_string_view(bytes(at, size)));
}

Relocator Service::region(const Message& m) const {
  const std::uint64_t begin = m.a[10], end = m.a[11];
  if (end < begin) throw Error(Status::plugin, "the isolated plugin passed a torn argument");
  static_cast<void>(bytes(begin, end - begin));
  return x_.copy(begin, end, false);
}

const polycodec_node* Service::value(Relocator& region, std::uint64_t at) const {
  if (at == 0) return nullptr;
  const polycodec_node* const root = region.root(pointer<const polycodec_node>(at));
  Limits limits;
  limits.max_depth = x_.call_->limits->max_depth;
  limits.max_nodes = x_.call_->limits->max_nodes;
  limits.max_elements = x_.call_->limits->max_elements;
  validate(root, limits, Validation::full, &region);
  return root;
}

void Service::serve(const Message& m, Message& reply) {
  polycodec_call* const call = x_.call_;
  switch (m.op) {
    case Op::spend:
      invoke(call->spend, call, m.a[0]);
      return x_.buy_credit();
    case Op::report_loss: {
      const std::string path = text(m.a[1], m.a[2]), what = text(m.a[3], m.a[4]);
      return invoke(call->report_loss, call, static_cast<std::int32_t>(m.a[0]), to_bytes(path),
                    to_bytes(what));
    }
    case Op::log:
      if (++x_.logged_ <= max_log_lines) {
        const std::string line = text(m.a[1], m.a[2]);
        host().log(&host(), static_cast<std::int32_t>(m.a[0]), to_bytes(line));
      }
      return;
    case Op::file_size: {
      const auto* file = x_.served_.get<const polycodec_file>(Served::Kind::file, m.a[0]);
      return invoke(file->size, file, call, &reply.a[0]);
    }
    case Op::file_read:
      return read_file(m, reply);
    case Op::output_write: {
      auto* file = x_.served_.get<polycodec_output_file>(Served::Kind::output, m.a[0]);
      const polycodec_bytes data = bytes(m.a[2], m.a[3]);
      return invoke(file->write_at, file, call, m.a[1], data.data, data.size);
    }
    case Op::output_truncate: {
      auto* file = x_.served_.get<polycodec_output_file>(Served::Kind::output, m.a[0]);
      return invoke(file->truncate, file, call, m.a[1]);
    }
    case Op::output_sync: {
      auto* file = x_.served_.get<polycodec_output_file>(Served::Kind::output, m.a[0]);
      return invoke(file->sync, file, call);
    }
    case Op::blobs_entry:
    case Op::blobs_find:
    case Op::blobs_read:
    case Op::blobs_begin:
    case Op::blobs_data:
    case Op::blobs_remove:
      return serve_blobs(m, reply);
    case Op::host_function:
      return call_function(m, reply);
    case Op::may_call:
      reply.a[0] = may_call(m) ? 1 : 0;
      return;
    case Op::host_decode:
      return decode(m, reply);
    case Op::host_encode:
      return encode(m, reply);
    case Op::host_type: {
      const std::string name = text(m.a[0], m.a[1]);
      polycodec_bytes notation{};
      invoke(host().lookup_type, &host(), call, to_bytes(name), &notation);
      notation = x_.stage(notation);
      reply.a[0] = number(notation.data);
      reply.a[1] = notation.size;
      return;
    }
    default:
      x_.fail("it sent a message of an unknown kind");
  }
}

void Service::read_file(const Message& m, Message& reply) {
  const auto* file = x_.served_.get<const polycodec_file>(Served::Kind::file, m.a[0]);
  const bool in_place = m.a[3] != 0;
  if (in_place) {
    polycodec_bytes found{};
    invoke(file->view, file, x_.call_, m.a[1], m.a[2], &found);
    found = x_.stage(found);
    reply.a[0] = number(found.data);
    reply.a[1] = found.size;
    return;
  }
  auto* const before = x_.staging_.abi()->cursor;
  void* const buffer = x_.allocate(m.a[2], 64);
  x_.transient_ = before;
  invoke(file->read_at, file, x_.call_, m.a[1], buffer, m.a[2], &reply.a[1]);
  reply.a[0] = number(buffer);
}

void Service::serve_blobs(const Message& m, Message& reply) {
  polycodec_call* const call = x_.call_;
  const auto put = [&](std::size_t at, polycodec_bytes bytes) {
    bytes = x_.stage(bytes);
    reply.a[at] = number(bytes.data);
    reply.a[at + 1] = bytes.size;
  };
  const auto store = [&] {
    return x_.served_.get<const polycodec_store>(Served::Kind::store, m.a[0]);
  };
  const auto writer = [&] {
    return x_.served_.get<polycodec_store_writer>(Served::Kind::writer, m.a[0]);
  };
  switch (m.op) {
    case Op::blobs_entry: {
      polycodec_store_entry entry{};
      entry.struct_size = sizeof entry;
      invoke(store()->entry, store(), call, m.a[1], &entry);
      put(0, entry.name);
      put(2, entry.owner);
      reply.a[4] = entry.size;
      return;
    }
    case Op::blobs_find: {
      const std::string name = text(m.a[1], m.a[2]);
      return invoke(store()->find, store(), call, to_bytes(name), &reply.a[0]);
    }
    case Op::blobs_read: {
      polycodec_bytes content{};
      invoke(store()->read, store(), call, m.a[1], m.a[2], m.a[3], &content);
      return put(0, content);
    }
    case Op::blobs_begin: {
      const std::string name = text(m.a[1], m.a[2]), owner = text(m.a[3], m.a[4]);
      x_.blobs_.erase(m.a[0]);
      polycodec_sink* sink = nullptr;
      invoke(writer()->begin_blob, writer(), call, to_bytes(name), to_bytes(owner), &sink);
      x_.blobs_[m.a[0]] = sink;
      return;
    }
    case Op::blobs_data: {
      const auto blob = x_.blobs_.find(m.a[0]);
      if (blob == x_.blobs_.end())
        throw Error(Status::plugin, "the isolated plugin writes to a blob that it has not begun");
      const polycodec_bytes data = bytes(m.a[1], m.a[2]);
      return invoke(&polycodec_sink_put, blob->second, data.data, data.size);
    }
    default: {
      const std::string owner = text(m.a[2], m.a[3]);
      return invoke(writer()->remove, writer(), call, m.a[1], to_bytes(owner));
    }
  }
}

std::vector<std::string> Service::function_name(const Relocator& region, const Message& m) const {
  if (m.a[1] > max_path_parts)
    throw Error(Status::limit, "the name of a function has too many parts");
  const auto* parts =
      static_cast<const polycodec_bytes*>(region.find(m.a[0], m.a[1] * sizeof(polycodec_bytes)));
  if (parts == nullptr) throw Error(Status::plugin, "the isolated plugin passed no function name");
  std::vector<std::string> names;
  for (std::uint64_t i = 0; i < m.a[1]; ++i)
    names.push_back(text(number(parts[i].data), parts[i].size));
  return names;
}

// What a plugin makes of its own values does not have to be copied and checked on the way: the
// whole value is in the end, and so an array that it has twice stays one. Where data may not call
// the function, the worker asks for the call, and is told why not.
bool Service::may_call(const Message& m) const {
  const std::vector<std::string> names = function_name(region(m), m);
  const std::vector<std::string_view> path(names.begin(), names.end());
  const CallContext& context = CallContext::of(x_.call_);
  if (!context.allowlist().allows(path)) return false;
  const FunctionTable* const table = context.catalog().functions_for(path);
  const polycodec_function* const function = table == nullptr ? nullptr : table->find(path);
  return function != nullptr && is_function_of(*function, *x_.seat_.plugin);
}

void Service::call_function(const Message& m, Message& reply) {
  Relocator moved = region(m);
  const std::vector<std::string> names = function_name(moved, m);
  std::vector<polycodec_bytes> path;
  for (const std::string& name : names) path.push_back(to_bytes(name));
  const polycodec_node* const args = value(moved, m.a[2]);
  const polycodec_node* const kwargs = value(moved, m.a[3]);
  const polycodec_node* found = nullptr;
  invoke(host().call_function, &host(), x_.call_, path.data(), std::uint64_t{path.size()}, args,
         kwargs, &found);
  reply.a[0] = number(x_.stage(found));
}

void Service::decode(const Message& m, Message& reply) {
  Relocator moved = region(m);
  const std::string codec = text(m.a[0], m.a[1]);
  const polycodec_node* const options = value(moved, m.a[2]);
  const auto* given =
      static_cast<const polycodec_input*>(moved.find(m.a[3], sizeof(polycodec_input)));
  if (given == nullptr) throw Error(Status::plugin, "the isolated plugin passed no input");
  polycodec_input input = *given;
  const std::string name = text(number(input.name.data), input.name.size);
  const std::string member = text(number(input.member.data), input.member.size);
  input.struct_size = sizeof input;
  input.name = to_bytes(name);
  input.member = to_bytes(member);
  input.file =
      m.a[4] == 0 ? nullptr : x_.served_.get<const polycodec_file>(Served::Kind::file, m.a[4]);
  input.store =
      m.a[5] == 0 ? nullptr : x_.served_.get<const polycodec_store>(Served::Kind::store, m.a[5]);
  if (input.bytes.size != 0) {
    const void* bytes_now = moved.find(number(input.bytes.data), input.bytes.size);
    if (bytes_now == nullptr) throw Error(Status::plugin, "the isolated plugin passed no input");
    input.bytes.data = bytes_now;
  }
  const polycodec_node* found = nullptr;
  invoke(host().decode_with, &host(), x_.call_, to_bytes(codec), options, &input, &found);
  reply.a[0] = number(x_.stage(found));
}

void Service::encode(const Message& m, Message& reply) {
  Relocator moved = region(m);
  const std::string codec = text(m.a[0], m.a[1]);
  const std::string name = text(m.a[5], m.a[6]), member = text(m.a[7], m.a[8]);
  const polycodec_node* const options = value(moved, m.a[2]);
  const polycodec_node* const root = value(moved, m.a[3]);
  if (root == nullptr) throw Error(Status::plugin, "the isolated plugin passed no value");
  BufferSink sink;
  sink.set_max_bytes(x_.call_->limits->max_output_bytes);
  polycodec_output output{};
  output.struct_size = sizeof output;
  output.name = to_bytes(name);
  output.member = to_bytes(member);
  if (m.a[9] != 0) {
    output.parts = POLYCODEC_INPUT_BYTES;
    output.sink = sink.abi();
  }
  if (m.a[4] != 0) {
    output.parts |= m.a[9] != 0 ? POLYCODEC_INPUT_COMPANIONS : POLYCODEC_INPUT_STORE;
    output.store = x_.served_.get<polycodec_store_writer>(Served::Kind::writer, m.a[4]);
  }
  invoke(host().encode_with, &host(), x_.call_, to_bytes(codec), options, root, &output);
  auto* const before = x_.staging_.abi()->cursor;
  const std::string_view made = sink.view();
  void* const copy = x_.allocate(made.size(), 64);
  if (!made.empty()) std::memcpy(copy, made.data(), made.size());
  x_.transient_ = before;
  reply.a[0] = number(copy);
  reply.a[1] = made.size();
}

}  // namespace polycodec::isolation
