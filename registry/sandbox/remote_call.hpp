// SPDX-License-Identifier: MIT
// The call and the host as a plugin in a worker sees them: each function asks the host.
#pragma once

#include <polycodec/abi.h>

#include "core/dispatch/function_table.hpp"
#include "registry/isolation/channel.hpp"
#include "registry/isolation/copy_value.hpp"
#include "registry/isolation/range_memory.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace polycodec::sandbox {

using isolation::Channel;
using isolation::Message;
using isolation::Op;
using isolation::RangeArena;

/// What a worker has of the host: the socket and the segments.
struct Link {
  Channel channel;
  std::uint64_t in = 0, in_size = 0, out = 0, out_size = 0;
  isolation::Range file;  // of the host, mapped for this request
  isolation::Range window;
  RangeArena arena;                          // in `out`
  std::map<std::string, std::string> types;  // that plugins have asked for
  const FunctionTable* functions = nullptr;  // of the plugin
  std::uint64_t stack_bytes = 0;
  std::uint64_t credit = 0;  // of the request, while no call has it
  bool has_told = false;     // the host of something in the course of the request

  const isolation::CallHeader& header() const noexcept {
    return *isolation::pointer<const isolation::CallHeader>(in);
  }
  /// True if the host has these bytes as well.
  bool shares(const void* data, std::uint64_t size) const noexcept {
    return in_range().holds(data, size) || out_range().holds(data, size) || file.holds(data, size);
  }
  isolation::Range in_range() const noexcept { return {in, in_size}; }
  isolation::Range out_range() const noexcept { return {out, out_size}; }
};

/// What a plugin logs outside of calls goes there at once from now on. Null: it waits for the next
/// call.
void send_lines_to(const Channel* channel) noexcept;
/// Sends the lines that wait, in the course of a call.
void log_waiting_lines();

/// The functions of the host. Its calls are those of RemoteCall.
extern const polycodec_host remote_host;

/// One call of a plugin's function, with the credit of the link.
class RemoteCall {
 public:
  /// `persistent`: what is made lives longer than the request, in `arena`.
  RemoteCall(Link& link, polycodec_arena* arena, bool persistent);
  /// The same in the course of another call, which gets its credit back at the end.
  RemoteCall(polycodec_call* outer, polycodec_arena* arena, bool persistent);
  RemoteCall(const RemoteCall&) = delete;
  RemoteCall& operator=(const RemoteCall&) = delete;
  ~RemoteCall();

  polycodec_call* abi() noexcept { return &abi_; }
  Link& link() const noexcept { return link_; }
  bool is_persistent() const noexcept { return persistent_; }
  static RemoteCall& of(polycodec_call* call);
  /// Sends a message for a call and waits for the reply. Throws what the host reports.
  static Message ask(polycodec_call* call, Message message);

 private:
  Link& link_;
  bool persistent_;
  polycodec_call* outer_ = nullptr;
  polycodec_call abi_{};
};

/// Arguments of a question to the host, packed in the worker's arena as long as it lives.
class Packed {
 public:
  explicit Packed(polycodec_call* call);
  Packed(const Packed&) = delete;
  Packed& operator=(const Packed&) = delete;
  ~Packed();
  const void* bytes(const void* data, std::uint64_t size);
  const polycodec_node* value(const polycodec_node* root);
  /// A message about the function of this name.
  Message function(Op op, FunctionPath path);
  /// Text as two numbers of a message.
  void text(Message& message, std::size_t at, polycodec_bytes text);
  /// Sends the message with the place of the arguments.
  Message ask(Message message);

 private:
  polycodec_call* call_;
  Link& link_;
  std::uint8_t* begin_;
};

}  // namespace polycodec::sandbox
