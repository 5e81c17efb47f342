// SPDX-License-Identifier: MIT
// An open registry: its catalog, the host that its plugins see, and what is opened with defaults.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/node_view.hpp>

#include "core/call/thread_pool.hpp"
#include "registry/call/call.hpp"
#include "registry/load/catalog.hpp"

#include <atomic>
#include <memory>
#include <vector>

namespace polycodec {

class Opened;
class CodecInstance;
class FilterInstance;

/// The table that plugins call: it answers through the Session of the call, and its log lines go
/// to `log`.
std::shared_ptr<const polycodec_host> make_host(const LogHook& log);

/// What the handles of a registry share. [thread-safe]
class Session : public CallHost, public std::enable_shared_from_this<Session> {
 public:
  /// See Registry::open and Registry::derive.
  static std::shared_ptr<const Session> open(const RegistryOptions& options);
  static std::shared_ptr<const Session> derive(const Session& base, const ProgramObjects& objects);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// The session whose call this is.
  static const Session& of(const CallContext& call) noexcept {
    return static_cast<const Session&>(call.terms().host);
  }

  /// Opens a codec or filter with options of a caller: see Registry::codec. What is returned holds
  /// the session.
  std::shared_ptr<const CodecInstance> open_codec(const CodecSlot& slot, NodeView given,
                                                  OptionsFrom from) const;
  std::shared_ptr<const FilterInstance> open_filter(const CodecSlot& slot, NodeView given,
                                                    OptionsFrom from) const;

 private:
  Session(std::shared_ptr<const Catalog> found, std::shared_ptr<const polycodec_host> host,
          std::shared_ptr<ThreadPool> pool);
  template <class Instance>
  std::shared_ptr<const Instance> open(const CodecSlot& slot, NodeView given,
                                       OptionsFrom from) const;

  // What CallHost refers to. Instances may use it until they are released.
  std::shared_ptr<const Catalog> catalog_;
  std::shared_ptr<const polycodec_host> host_;
  std::shared_ptr<ThreadPool> threads_;  // shared with what is derived
  /// The instances with default options, in the order of the catalog's slots; each is made when it
  /// is first wanted.
  mutable std::vector<std::atomic<const Opened*>> defaults_;
};

}  // namespace polycodec
