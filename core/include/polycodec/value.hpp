// SPDX-License-Identifier: MIT
// A decoded or built value, with everything that it is made of.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/builder.hpp>
#include <polycodec/export.hpp>
#include <polycodec/node_view.hpp>

#include <cstdint>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

namespace polycodec {

class Arena;
class Budget;

/// Owns the arena of a value, which keeps what the value views (mapped files, buffers, the codec
/// that made it). Views taken from it are valid as long as it lives, also when it is moved. Reading
/// one value from several threads is safe.
class POLYCODEC_API Value {
 public:
  /// The null value.
  Value() noexcept;
  ~Value();
  Value(Value&& other) noexcept;
  Value& operator=(Value&& other) noexcept {
    Value(std::move(other)).swap(*this);
    return *this;
  }
  void swap(Value& other) noexcept {
    arena_.swap(other.arena_);
    std::swap(root_, other.root_);
    std::swap(partial_, other.partial_);
  }

  /// Builds a value: `make(Builder&)` returns the root node.
  template <class Make>
  requires std::is_invocable_r_v<polycodec_node, Make, Builder&>
  static Value build(Make&& make, std::uint64_t max_memory = UINT64_MAX) {
    Value value;
    Builder builder(value.prepare(max_memory));
    value.set_root(builder.root(std::forward<Make>(make)(builder)));
    return value;
  }

  NodeView view() const noexcept { return root_ == nullptr ? NodeView() : NodeView(root_); }
  const polycodec_node* root() const noexcept { return view().raw(); }
  /// True if a projection may have left out parts of it (see CallOptions::projection).
  bool is_partial() const noexcept { return partial_; }
  /// Bytes that the value consists of.
  std::uint64_t used_bytes() const noexcept;
  /// True if [data, data + size) is memory of the value: of its arena or of what that keeps.
  bool contains(const void* data, std::uint64_t size) const noexcept;

  // -- for those who decode into a value --

  /// Empties the value and gives an arena to decode into; keeps memory of the value before.
  polycodec_arena* prepare(std::uint64_t max_memory, Budget* budget = nullptr);
  void set_root(const polycodec_node* root, bool partial = false) noexcept {
    root_ = root;
    partial_ = partial;
  }
  /// Keeps `owner` (may be null: then the caller does) as long as the value, which may point to
  /// `bytes`.
  void pin(std::shared_ptr<const void> owner, std::string_view bytes = {});
  Arena& arena() noexcept { return *arena_; }

 private:
  std::unique_ptr<Arena> arena_;
  const polycodec_node* root_ = nullptr;
  bool partial_ = false;
};

/// How much memory of freed arenas the process keeps for the next ones (default 128 MiB; 0: none).
/// [thread-safe]
POLYCODEC_API void set_arena_pool_bytes(std::uint64_t bytes) noexcept;

}  // namespace polycodec
