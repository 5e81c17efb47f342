// SPDX-License-Identifier: MIT
// A decoded or built value, with everything that it stands on.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/arena.hpp>
#include <polycodec/builder.hpp>
#include <polycodec/export.hpp>
#include <polycodec/view.hpp>

#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace polycodec {

/// Owns the arena of a value and pins what the value views (mapped files, buffers). Views taken from it are valid as
/// long as it lives, also when it is moved. Reading one value from several threads is safe. Libraries need no pin:
/// plugins are never unmapped.
class POLYCODEC_API Value {
 public:
  /// The null value.
  Value() noexcept = default;
  Value(Value&& other) noexcept { swap(other); }
  Value& operator=(Value&& other) noexcept {
    Value(std::move(other)).swap(*this);
    return *this;
  }
  void swap(Value& other) noexcept {
    pins_.swap(other.pins_);
    arena_.swap(other.arena_);
    std::swap(root_, other.root_);
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

  View view() const noexcept { return root_ == nullptr ? View() : View(root_); }
  const polycodec_node* root() const noexcept { return view().raw(); }

  // -- for those who decode into a value --

  /// Empties the value and gives an arena to decode into; keeps memory of the value before. Drops all pins.
  polycodec_arena* prepare(std::uint64_t max_memory);
  void set_root(const polycodec_node* root) noexcept { root_ = root; }
  /// Keeps `owner` alive as long as the value.
  void pin(std::shared_ptr<const void> owner) {
    if (owner) pins_.push_back(std::move(owner));
  }
  Arena& arena() noexcept { return *arena_; }

 private:
  // The pins die after the arena: adopted objects may refer to pinned input.
  std::vector<std::shared_ptr<const void>> pins_;
  std::unique_ptr<Arena> arena_;
  const polycodec_node* root_ = nullptr;
};

}  // namespace polycodec
