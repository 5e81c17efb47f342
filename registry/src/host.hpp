// SPDX-License-Identifier: MIT
// The table of functions that plugins call.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/call_options.hpp>
#include <polycodec/log.hpp>

namespace polycodec {

struct Catalog;

/// The host as one catalog offers it. Not to be moved: plugins keep its address.
struct HostTable {
  polycodec_host abi{};
  const Catalog* catalog = nullptr;  // null: the host of init functions, which belongs to no catalog
  LogHook log;

  HostTable() = default;
  HostTable(const HostTable&) = delete;
  HostTable& operator=(const HostTable&) = delete;
  void set(const Catalog* owner, LogHook hook);
};

/// One call of decode or encode with what applies to it. What a plugin asks for in the course of it is granted on the
/// same terms.
struct CallContext {
  CallContext(const Catalog& owner, const CallOptions& options);
  /// A call that a plugin makes in the course of another.
  CallContext(const CallContext& outer, std::uint32_t depth);
  /// The same call, for a codec whose data may call `calls` if nobody says otherwise.
  CallContext(const CallContext& same, const Whitelist& calls);
  CallContext(const CallContext&) = delete;
  CallContext& operator=(const CallContext&) = delete;

  /// The context of a call that a plugin passes back. Throws Status::plugin if it is none of ours.
  static const CallContext& of(const polycodec_call* call);

  const Catalog& catalog;
  Limits limits;
  polycodec_limits abi_limits;
  Validation validation;
  const std::atomic<bool>* cancel;
  const Whitelist* whitelist;              // of the caller or the registry, or null
  const Whitelist* codec_calls = nullptr;  // what the codec says that it needs: applies if there is no other
  const LossHook* on_loss;                 // null: nothing may be lost
  polycodec_call abi;
};

}  // namespace polycodec
