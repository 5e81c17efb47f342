// SPDX-License-Identifier: MIT
#include "registry/isolation/copy_value.hpp"

#include <base/edges.hpp>
#include <polycodec/dtype.hpp>
#include <polycodec/error.hpp>

#include "registry/isolation/protocol.hpp"

#include <cstring>
#include <string>

namespace polycodec::isolation {
namespace {

/// Thrown at the first reference of a value whose nodes were not taken down.
struct HasReferences {};

constexpr std::uint64_t large_buffer = 4096;

}  // namespace

const polycodec_node* ValueCopier::root(const polycodec_node* root) {
  const auto cursor = to_->cursor;
  const std::uint64_t most = max_nodes_;
  try {
    return nodes(root, 1, 0);
  } catch (const HasReferences&) {
    tracks_ = true;
    max_nodes_ = most;
    seen_.clear();
    buffers_.clear();
    // In the worker pointers of its own nodes may lead to the first copy already.
    if (own_.size == 0) to_->cursor = cursor;
  }
  const polycodec_node* const copy = nodes(root, 1, 0);
  // What is referred to is mostly in a block of the value. Else it is copied alone, unless that of
  // another reference has it in a block.
  for (std::size_t i = 0; i < references_.size(); ++i) {
    const polycodec_node* const target = *references_[i];
    if (!seen_.contains(target)) {
      nodes(target, 1, 0);
      lone_.insert(target);
    }
  }
  for (const polycodec_node** const reference : references_)
    if (const auto known = seen_.find(*reference); known != seen_.end())
      *reference = static_cast<const polycodec_node*>(known->second);
  return copy;
}

void* ValueCopier::allocate(std::uint64_t size, std::uint64_t align) {
  auto error = make_error();
  void* const memory = polycodec_arena_alloc(to_, size, align, &error);
  if (memory == nullptr) throw to_error(error.code, error);
  return memory;
}

template <class T>
std::remove_const_t<T>* ValueCopier::copy_of(T* from, std::uint64_t count) {
  if (count > (std::uint64_t{1} << 48) / sizeof(T))
    throw Error(Status::limit, "a part of the value is too large to be copied: raise the limits");
  auto* const copy = static_cast<std::remove_const_t<T>*>(allocate(count * sizeof(T), alignof(T)));
  if (count != 0) std::memcpy(copy, from, static_cast<std::size_t>(count * sizeof(T)));
  return copy;
}

void ValueCopier::check(std::uint32_t depth, std::uint64_t count) {
  if (depth > max_depth_)
    throw Error(Status::limit,
                "the value is nested deeper than max_depth (" + std::to_string(max_depth_) + ")");
  if (count > max_nodes_)
    throw Error(Status::limit, "the value has more nodes than max_nodes allows: raise max_nodes");
  max_nodes_ -= count;
}

/// Copies what one node or array points to, and leads the pointers there.
struct ValueCopier::Copying : EdgeVisitor {
  ValueCopier& by;
  std::uint32_t depth;  // of what is inside

  void bytes(const void*& data, std::uint64_t size) {
    data = size < large_buffer ? by.bytes(data, size) : by.buffer(data, size);
  }
  void nodes(const polycodec_node*& block, std::uint64_t count) {
    block = by.nodes(block, count, depth);
  }
  void metadata(const polycodec_node*& attributes) { nodes(attributes, 1); }
  void target(const polycodec_node*& node) {
    if (by.is_constant(node, sizeof *node)) return;
    if (!by.tracks_) throw HasReferences();
    by.references_.push_back(&node);
  }
  void array(const polycodec_array*& of) { of = by.array(of, depth); }
  template <class T>
  bool table(T*& of, std::uint64_t count) {
    const std::uint64_t size = count * sizeof *of;
    if (by.is_constant(of, size) || by.is_stray(of, size)) return false;
    if (count != 0 && !by.own_.holds(of, size)) of = by.copy_of(of, count);
    return true;
  }
  void buffer(polycodec_array& leaf) {
    if (leaf.buffer_size == 0) return;
    const void* const moved = by.buffer(leaf.buffer, leaf.buffer_size);
    leaf.data = pointer<const void>(number(leaf.data) - number(leaf.buffer) + number(moved));
    leaf.buffer = moved;
  }
  void extents(const std::int64_t*& of, std::uint32_t ndim) {
    of = static_cast<const std::int64_t*>(by.bytes(of, ndim * sizeof *of, alignof(std::int64_t)));
  }
  void column(polycodec_column& of, std::uint64_t items) {
    const auto span = column_span(items, of.stride, dtype_size(of.dtype));
    if (!span) throw Error(Status::invalid, "a column of the value overflows");
    const auto low = static_cast<std::uint64_t>(span->low);
    const auto* const first = pointer<const void>(number(of.data) + low);
    of.data = pointer<const void>(number(by.buffer(first, span->size())) - low);
  }
};

const polycodec_node* ValueCopier::nodes(const polycodec_node* block, std::uint64_t count,
                                         std::uint32_t depth) {
  if (count == 0 || is_constant(block, count * sizeof *block)) return block;
  if (is_stray(block, count * sizeof *block)) return block;
  check(depth, count);
  if (tracks_)
    if (const auto known = blocks_.find(block);
        known != blocks_.end() && known->second.count >= count)
      return known->second.copy;
  polycodec_node* const copy = own_.holds(block, count * sizeof *block)
                                   ? const_cast<polycodec_node*>(block)
                                   : copy_of(block, count);
  if (tracks_) {
    blocks_[block] = {copy, count};
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto [known, fresh] = seen_.emplace(block + i, copy + i);
      if (!fresh && lone_.erase(block + i) != 0) known->second = copy + i;
    }
  }
  for (std::uint64_t i = 0; i < count; ++i)
    if (!is_in_place(copy[i])) for_each_edge(copy[i], Copying{{}, *this, depth + 1});
  return copy;
}

/// True if the node holds no pointer, or one to bytes that both processes have. Most nodes of a
/// large value are such, so this is what its export costs.
inline bool ValueCopier::is_in_place(const polycodec_node& node) const noexcept {
  if (node.kind != POLYCODEC_KIND_STRING && node.kind != POLYCODEC_KIND_BINARY)
    return has_no_edge(node);
  const std::uint64_t size = polycodec_node_size(&node);
  return size == 0 || is_shared(node.as.data, size);
}

const polycodec_array* ValueCopier::array(const polycodec_array* from, std::uint32_t depth) {
  if (is_constant(from, sizeof *from) || is_stray(from, sizeof *from)) return from;
  check(depth, 1);
  if (const auto known = seen_.find(from); known != seen_.end())
    return static_cast<const polycodec_array*>(known->second);
  polycodec_array* const copy =
      own_.holds(from, sizeof *from) ? const_cast<polycodec_array*>(from) : copy_of(from, 1);
  copy->struct_size = sizeof *copy;
  seen_.emplace(from, copy);
  for_each_edge(*copy, Copying{{}, *this, depth + 1});
  return copy;
}

const void* ValueCopier::bytes(const void* data, std::uint64_t size, std::uint64_t align) {
  if (size == 0 || is_shared(data, size) || is_stray(data, size)) return data;
  void* const copy = allocate(size, align);
  std::memcpy(copy, data, static_cast<std::size_t>(size));
  return copy;
}

const void* ValueCopier::buffer(const void* data, std::uint64_t size) {
  if (size == 0 || is_shared(data, size)) return data;
  // Columns of a table of rows share one buffer.
  if (!buffers_.empty() && buffers_.back().original == data && buffers_.back().size >= size)
    return pointer<const void>(buffers_.back().begin);
  const void* const copy = bytes(data, size, 64);
  if (copy != data && size >= large_buffer) buffers_.push_back({number(copy), size, data});
  return copy;
}

}  // namespace polycodec::isolation
