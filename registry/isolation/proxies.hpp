// SPDX-License-Identifier: MIT
// Objects of the ABI that stand for those of an isolated plugin.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/error.hpp>

#include "core/value/arena.hpp"
#include "registry/isolation/exchange.hpp"
#include "registry/isolation/isolated_plugin.hpp"

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace polycodec::isolation {

/// A codec, filter or store format: its place in the manifest.
template <class T>
struct ObjectProxy {
  T abi{};
  std::string name;
  IsolatedPlugin* plugin = nullptr;
  std::uint64_t index = 0;
};

struct FunctionProxy {
  polycodec_function abi{};
  std::vector<const char*> path;
  IsolatedPlugin* plugin = nullptr;
  std::uint64_t index = 0;
};

/// Fill the functions of a proxy, whose other fields are set.
void fill(ObjectProxy<polycodec_codec>& proxy, bool can_sniff);
void fill(ObjectProxy<polycodec_filter>& proxy, bool can_sniff);
void fill(ObjectProxy<polycodec_store_format>& proxy, bool can_sniff);
void fill(FunctionProxy& proxy);
/// True if the function is a proxy of one of `plugin`.
bool is_function_of(const polycodec_function& function, const IsolatedPlugin& plugin) noexcept;

/// Asks the plugin to look at an input.
void sniff(IsolatedPlugin& plugin, std::uint64_t index, polycodec_call* call,
           const polycodec_input& input, polycodec_sniff& found);

/// Sets what codecs, filters and store formats have in common.
template <class T>
void fill_object(ObjectProxy<T>& proxy, bool can_sniff) {
  proxy.abi.struct_size = sizeof proxy.abi;
  proxy.abi.name = proxy.name.c_str();
  proxy.abi.private_data = &proxy;
  if (!can_sniff) return;
  proxy.abi.sniff = [](const T* self, polycodec_call* call, const polycodec_input* input,
                       polycodec_sniff* found, polycodec_error* error) {
    return guard(error, [&] {
      const auto& object = *static_cast<const ObjectProxy<T>*>(self->private_data);
      sniff(*object.plugin, object.index, call, *input, *found);
    });
  };
}

/// True if a value of the last call had pointers to memory of its worker because the worker had
/// left out the search for them, and another call of decode() will search. False for other
/// instances.
bool shall_repeat(const polycodec_instance* instance) noexcept;

/// An instance with its options, which each worker opens when it first needs it.
class InstanceProxy {
 public:
  /// Opens it in one worker, to learn whether the options are right.
  InstanceProxy(IsolatedPlugin& plugin, std::uint64_t index, polycodec_call* call,
                const polycodec_node* options);
  InstanceProxy(const InstanceProxy&) = delete;
  InstanceProxy& operator=(const InstanceProxy&) = delete;
  ~InstanceProxy() { plugin_->forget(number_); }

  std::shared_ptr<IsolatedPlugin> plugin() const noexcept { return plugin_; }
  std::uint64_t number() const noexcept { return number_; }
  /// True if the instance has its function number `bit`, in the order of the ABI's struct.
  bool has(unsigned bit) const noexcept { return (functions_ >> bit & 1) != 0; }
  /// The worker of the exchange opens the instance first, if it has it not.
  void open_in(Exchange& exchange) const { exchange.open_first(index_, options_, number_); }

  /// True if large values had no parts in the worker's own memory so far, so that the worker need
  /// not search for them: the host finds them when it validates. Others are rare.
  bool trusts_parts() const noexcept { return parts_ == Parts::shared; }
  /// Takes down whether a worker had to copy parts of a large value.
  void note_parts(bool were_copied) const noexcept {
    auto before = Parts::unknown;
    if (were_copied)
      parts_ = Parts::own;
    else
      parts_.compare_exchange_strong(before, Parts::shared);
  }
  /// A value that was not searched may have had such parts. Returns true if there was one.
  bool distrust_parts() const noexcept {
    parts_ = Parts::own;
    return has_trusted_;
  }
  void note_trust() const noexcept { has_trusted_ = true; }

 private:
  std::shared_ptr<IsolatedPlugin> plugin_;
  std::uint64_t index_, number_, functions_ = 0;
  Arena memory_;
  const polycodec_node* options_ = nullptr;
  enum class Parts : std::uint8_t { unknown, shared, own };
  mutable std::atomic<Parts> parts_{Parts::unknown};
  mutable std::atomic<bool> has_trusted_{false};
};

/// A worker with the instance, and one exchange with it.
struct InstanceCall {
  InstanceCall(const InstanceProxy& of, polycodec_call* call, std::uint64_t bytes)
      : seat(of.plugin()), exchange(seat, call, bytes, served) {
    of.open_in(exchange);
  }
  Seat seat;
  Served served;
  Exchange exchange;
};

/// Open a reader or writer of a codec's stream, which has a worker of its own.
polycodec_reader* open_reader(const InstanceProxy& instance, polycodec_call* call);
polycodec_writer* open_writer(const InstanceProxy& instance, polycodec_call* call);

}  // namespace polycodec::isolation
