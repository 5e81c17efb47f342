// SPDX-License-Identifier: MIT
// What the parts of the decoder share: where it is in the value, and what the limits leave.
#pragma once

#include <base/wanted.hpp>
#include <polycodec/abi.h>
#include <polycodec/builder.hpp>
#include <polycodec/codec.hpp>

#include "codec.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

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

  /// Room for `more` nodes after the first size() ones.
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

/// One decoding of a body. The stack and the frames are the reader's; others ask for the path.
struct Decoding {
  /// A container that is not closed yet. Its nodes are those of the stack from `first` on.
  struct Frame {
    std::size_t first;
    bool object;
    const Datatype* type;  ///< what a header says about it, or NULL
    const char* label;     ///< a JSON text inside of a leaf: its name in paths; otherwise NULL
    const Wanted* wanted = nullptr;  ///< its members that are; NULL: everything
    const char* start = nullptr;     ///< its first character, where some members are wanted
  };

  Decoding(const Settings& with, const Call& of, Builder& to)
      : settings(with),
        call(of),
        out(to),
        nodes_left(of.limits().max_nodes),
        max_depth(of.limits().max_depth) {}

  /// Takes nodes from those that the limit allows. Throws Error(Status::limit).
  void take_nodes(std::uint64_t count, std::uint64_t offset);
  /// Notes that the value is so deep. Throws Error(Status::limit).
  void take_levels(std::uint64_t depth, std::uint64_t offset);
  [[noreturn, gnu::cold]] void too_many_nodes(std::uint64_t offset) const;
  [[noreturn, gnu::cold]] void too_deep(std::uint64_t offset) const;

  /// Where the reader is, as a path.
  std::string path() const;
  /// True for an item that is the first in its list.
  bool is_first_item() const noexcept {
    return !frames.empty() && frames.back().label == nullptr && !frames.back().object &&
           frames.back().first == stack.size();
  }
  [[noreturn, gnu::cold]] void fail(Status status, const char* detail, std::string message,
                                    std::uint64_t offset) const;
  /// Throws the error with what is not known where it was thrown.
  [[noreturn, gnu::cold]] void fail_at(const Error& error, std::uint64_t offset) const;

  const Settings& settings;
  const Call& call;
  Builder& out;
  NodeStack stack;
  std::vector<Frame> frames;
  std::uint64_t nodes_left;
  std::uint32_t max_depth;
  std::uint32_t deepest = 0;
};

}  // namespace polycodec::yggdrasil
