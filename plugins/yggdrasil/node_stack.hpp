// SPDX-License-Identifier: MIT
// The nodes of containers that are not closed yet.
#pragma once

#include <polycodec/abi.h>

#include <cstddef>
#include <cstring>
#include <memory>

namespace polycodec::yggdrasil {

/// A stack of nodes. The reader keeps the top in a register and says where it is before it calls
/// others.
class NodeStack {
 public:
  polycodec_node* begin() noexcept { return nodes_.get(); }
  const polycodec_node* begin() const noexcept { return nodes_.get(); }
  polycodec_node* limit() noexcept { return nodes_.get() + capacity_; }
  std::size_t size() const noexcept { return size_; }
  void set_size(std::size_t size) noexcept { size_ = size; }
  std::size_t capacity() const noexcept { return capacity_; }

  /// Room for `more` nodes behind the first size() ones.
  void reserve(std::size_t more) {
    if (capacity_ - size_ >= more) return;
    const std::size_t capacity = (capacity_ + more) * 2;
    std::unique_ptr<polycodec_node[]> larger(new polycodec_node[capacity]);
    if (size_ != 0)
      std::memcpy(static_cast<void*>(larger.get()), nodes_.get(), size_ * sizeof(polycodec_node));
    nodes_ = std::move(larger);
    capacity_ = capacity;
  }

 private:
  std::unique_ptr<polycodec_node[]> nodes_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace polycodec::yggdrasil
