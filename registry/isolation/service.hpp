// SPDX-License-Identifier: MIT
// What a worker may ask the host in the course of a request.
#pragma once

#include "registry/isolation/exchange.hpp"

#include <string>
#include <vector>

namespace polycodec::isolation {

/// Serves the worker of one exchange. The worker may send anything, and can change what it refers
/// to: all is copied before it is looked at.
class Service {
 public:
  explicit Service(Exchange& exchange) noexcept : x_(exchange) {}
  /// The reply to a message. Errors of the host are in the reply; throws Error if the message makes
  /// no sense, with the worker ended.
  Message answer(const Message& message);

 private:
  void serve(const Message& m, Message& reply);
  /// Puts what serve() failed with into the reply.
  void report(Message& reply, CallError& failure);
  void read_file(const Message& m, Message& reply);
  void serve_blobs(const Message& m, Message& reply);
  void call_function(const Message& m, Message& reply);
  bool may_call(const Message& m) const;
  /// The name of the function that a message is about.
  std::vector<std::string> function_name(const Relocator& region, const Message& m) const;
  void decode(const Message& m, Message& reply);
  void encode(const Message& m, Message& reply);
  /// A copy of text of the worker.
  std::string text(std::uint64_t at, std::uint64_t size) const;
  /// Bytes of the worker, which it may change at any time.
  polycodec_bytes bytes(std::uint64_t at, std::uint64_t size) const;
  /// The memory of an argument, copied and validated.
  Relocator region(const Message& m) const;
  const polycodec_node* value(Relocator& region, std::uint64_t at) const;
  const polycodec_host& host() const noexcept { return *x_.call_->host; }

  Exchange& x_;
};

}  // namespace polycodec::isolation
