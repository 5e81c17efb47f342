// SPDX-License-Identifier: MIT
#include "core/value/value.hpp"

#include "core/value/arena.hpp"

namespace polycodec {

Value::Value() noexcept = default;
Value::~Value() = default;
Value::Value(Value&& other) noexcept {
  swap(other);
}

std::uint64_t Value::used_bytes() const noexcept {
  return arena_ ? arena_->used_bytes() : 0;
}

bool Value::contains(const void* data, std::uint64_t size) const noexcept {
  return size == 0 || (arena_ != nullptr && arena_->contains(data, size));
}

const Origin* Value::origin() const noexcept {
  return arena_ ? arena_->origin() : nullptr;
}

polycodec_arena* Value::prepare(std::uint64_t max_memory, Budget* budget) {
  set_root(nullptr);
  if (arena_)
    arena_->reset(max_memory, budget);
  else
    arena_ = std::make_unique<Arena>(max_memory, budget);
  return arena_->abi();
}

void Value::pin(std::shared_ptr<const void> owner, std::string_view bytes) {
  if (!arena_) arena_ = std::make_unique<Arena>();
  if (owner || !bytes.empty()) arena_->keep(std::move(owner), bytes);
}

void Value::keep(std::shared_ptr<const Value> other) {
  const Regions* const regions = other->arena_.get();
  if (regions == nullptr) return;  // a value of nothing
  if (!arena_) arena_ = std::make_unique<Arena>();
  arena_->keep(std::move(other), {}, regions);
}

}  // namespace polycodec
