// SPDX-License-Identifier: MIT
// Values on their way into linear memory and out of it.
#pragma once

#include <base/seeded_hash.hpp>
#include <polycodec/abi.h>

#include "registry/wasm/machine.hpp"

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace polycodec::wasm {

/// Copies a value of the host, which is valid, into linear memory. Large buffers are listed in
/// `machine.originals`. Throws Error(limit).
class ValueIn {
 public:
  explicit ValueIn(Machine& machine) noexcept : m_(machine) {}
  Address root(const polycodec_node* root);

 private:
  struct Copying;
  Address nodes(const polycodec_node* block, std::uint64_t count);
  polycodec_node node(polycodec_node from);
  Address array(const polycodec_array& from);
  Address bytes(const void* data, std::uint64_t size, std::uint64_t align = 1);

  Machine& m_;
  bool tracks_ = false;  // the value has references, so each node has to keep its identity
  std::unordered_map<const void*, Address> arrays_, nodes_;
  std::unordered_map<const void*, Original> buffers_;
  std::vector<std::pair<Address, const polycodec_node*>> references_;
};

/// Turns the value at an address in linear memory into one of the host, which is not valid yet:
/// validation finds what is wrong with it. The value may be anything. Nothing outside of linear
/// memory is read, and each pointer of the result leads into it, the input or `arena`.
class ValueOut {
 public:
  /// The value does not fit into a copy: it has to stay in place.
  struct NeedsPlace {};

  /// What the value refers to of `input` becomes the host's own.
  /// `most_copied`: all is copied into `arena`, and that may be so many bytes. 0: nodes, names,
  /// columns and buffers stay in place, and the instance must never run again.
  ValueOut(Machine& machine, Original input, std::uint64_t most_copied, polycodec_arena* arena,
           const polycodec_limits& limits);
  ~ValueOut();
  ValueOut(const ValueOut&) = delete;
  ValueOut& operator=(const ValueOut&) = delete;
  /// Throws Error(plugin, limit), and NeedsPlace for a copy.
  const polycodec_node* root(Address root);

 private:
  struct Moving;
  const polycodec_node* nodes(std::uint64_t block, std::uint64_t count, std::uint32_t depth);
  const polycodec_array* array(std::uint64_t from, std::uint32_t depth);
  /// The bytes at an address.
  const void* bytes(std::uint64_t from, std::uint64_t size, std::uint64_t align = 1);
  /// Structs that are changed: their place, or a copy of it.
  void* structs(std::uint64_t from, std::uint64_t size);
  /// True if the struct at the address has been changed in place already. Throws Error(plugin) if
  /// another one has a part of its memory: a pointer of one would change sizes of the other, which
  /// have been checked.
  template <class T>
  bool is_done(std::uint64_t at);
  /// The same for nodes of which none has been changed; false if one may have been.
  bool claim(std::uint64_t at, std::uint64_t count) noexcept;
  void* allocate(std::uint64_t size, std::uint64_t align);
  void spend(std::uint64_t parts, std::uint32_t depth);
  /// Throws Error(plugin) if bytes of the value have a part of a struct that was changed in place:
  /// they would show addresses of the host.
  void check_shown();

  Machine& m_;
  const Original input_;
  const bool in_place_;
  const std::uint64_t most_copied_;
  polycodec_arena* arena_;
  const std::uint32_t max_depth_;
  std::uint64_t left_;  // parts
  std::uint64_t copied_ = 0;
  Marks done_;  // for each 8 bytes, whose they are
  SeededMap<std::uint64_t, const polycodec_array*> arrays_;
  std::vector<std::uint64_t> targets_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> shown_;  // bytes in place
};

}  // namespace polycodec::wasm
