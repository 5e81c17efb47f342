// SPDX-License-Identifier: MIT
#include <polycodec/value.hpp>

namespace polycodec {

polycodec_arena* Value::prepare(std::uint64_t max_memory) {
  root_ = nullptr;
  if (arena_)
    arena_->reset(max_memory);
  else
    arena_ = std::make_unique<Arena>(max_memory);
  pins_.clear();
  return arena_->abi();
}

}  // namespace polycodec
