// SPDX-License-Identifier: MIT
#include "registry/session/session.hpp"

#include <polycodec/error.hpp>

#include "registry/document/json_schema.hpp"
#include "registry/isolation/load_isolated.hpp"
#include "registry/session/instance.hpp"

#include <utility>

namespace polycodec {
namespace {

class Starter final : public PluginStarter {
  std::shared_ptr<const polycodec_host> host(const LogHook& log) const override {
    return make_host(log);
  }
  std::shared_ptr<const LoadedPlugin> start_isolated(
      const PluginSlot& slot, const Policy& policy, const IsolationRule& rule, const LogHook& log,
      const std::atomic<bool>* cancel) const override {
    return isolation::load_isolated(slot, policy, rule, log, cancel);
  }
};

const PluginStarter& starter() {
  static const Starter only;
  return only;
}

}  // namespace

Session::Session(std::shared_ptr<const Catalog> found, std::shared_ptr<const polycodec_host> host,
                 std::shared_ptr<ThreadPool> pool)
    : CallHost{*found, *host, *pool},
      catalog_(std::move(found)),
      host_(std::move(host)),
      threads_(std::move(pool)),
      defaults_(catalog_->slots.size()) {}

Session::~Session() {
  for (const auto& instance : defaults_) delete instance.load(std::memory_order_acquire);
}

std::shared_ptr<const Session> Session::open(const RegistryOptions& options) {
  return std::shared_ptr<const Session>(new Session(
      Catalog::make(options, starter()), make_host(options.log), std::make_shared<ThreadPool>()));
}

std::shared_ptr<const Session> Session::derive(const Session& base, const ProgramObjects& objects) {
  return std::shared_ptr<const Session>(new Session(
      Catalog::derive(base.catalog, objects), make_host(base.catalog.options.log), base.threads_));
}

template <class Instance>
std::shared_ptr<const Instance> Session::open(const CodecSlot& slot, NodeView given,
                                              OptionsFrom from) const {
  // Asked here and not only when something is decoded: what the policy denies is not even loaded.
  if (!slot.decode_refusal.empty() && !slot.encode_refusal.empty())
    throw Error(Status::denied, slot.decode_refusal + "; " + slot.encode_refusal)
        .codec(slot.info->name);
  const bool none = given.is_null() || (given.is_object() && given.size() == 0);
  if (none) {
    // The session owns its default instances, and who holds one holds the session.
    auto& kept = defaults_[catalog.number_of(slot)];
    const Opened* first = kept.load(std::memory_order_acquire);
    if (first == nullptr) {
      auto made = std::make_unique<const Instance>(*this, slot, slot.default_options.view());
      if (kept.compare_exchange_strong(first, made.get(), std::memory_order_acq_rel))
        first = made.release();
    }
    return {shared_from_this(), static_cast<const Instance*>(first)};
  }
  Value merged;
  try {
    if (from != OptionsFrom::host) refuse_host_only(slot.schema, given);
    merged = merge_options(slot.schema, slot.default_options.view(), given);
  } catch (Error& e) {
    e.codec(slot.info->name);
    throw;
  }
  struct Both {
    std::shared_ptr<const Session> session;
    Instance instance;  // goes first
    Both(std::shared_ptr<const Session> owner, const CodecSlot& of, NodeView options)
        : session(std::move(owner)), instance(*session, of, options) {}
  };
  auto both = std::make_shared<const Both>(shared_from_this(), slot, merged.view());
  const Instance* const instance = &both->instance;
  return {std::move(both), instance};
}

std::shared_ptr<const CodecInstance> Session::open_codec(const CodecSlot& slot, NodeView given,
                                                         OptionsFrom from) const {
  return open<CodecInstance>(slot, given, from);
}

std::shared_ptr<const FilterInstance> Session::open_filter(const CodecSlot& slot, NodeView given,
                                                           OptionsFrom from) const {
  return open<FilterInstance>(slot, given, from);
}

}  // namespace polycodec
