// SPDX-License-Identifier: MIT
#include "registry/isolation/copy_value.hpp"

#include <polycodec/detail/layout_fields.hpp>
#include <polycodec/dtype.hpp>
#include <polycodec/error.hpp>

#include "core/wire/frame_header.hpp"
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
T* ValueCopier::copy_of(const T* from, std::uint64_t count) {
  if (count > (std::uint64_t{1} << 48) / sizeof(T))
    throw Error(Status::limit, "a part of the value is too large to be copied: raise the limits");
  auto* const copy = static_cast<T*>(allocate(count * sizeof(T), alignof(T)));
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
    if (!is_in_place(copy[i])) fix(copy[i], depth);
  return copy;
}

/// True if the node holds no pointer, or one to bytes that both processes have. Most nodes of a
/// large value are such, so this is what its export costs.
inline bool ValueCopier::is_in_place(const polycodec_node& node) const noexcept {
  switch (node.kind) {
    case POLYCODEC_KIND_STRING:
    case POLYCODEC_KIND_BINARY: {
      const std::uint64_t size = polycodec_node_size(&node);
      return size == 0 || is_shared(node.as.data, size);
    }
    case POLYCODEC_KIND_NULL:
    case POLYCODEC_KIND_BOOLEAN:
    case POLYCODEC_KIND_SIGNED:
    case POLYCODEC_KIND_UNSIGNED:
    case POLYCODEC_KIND_FLOAT:
      return true;
    default:
      return false;
  }
}

void ValueCopier::fix(polycodec_node& node, std::uint32_t depth) {
  const std::uint64_t size = polycodec_node_size(&node);
  switch (node.kind) {
    case POLYCODEC_KIND_WIDE:
      node.as.data = bytes(node.as.data, dtype_size(node.dtype));
      return;
    case POLYCODEC_KIND_STRING:
    case POLYCODEC_KIND_BINARY:
      node.as.data = size < large_buffer ? bytes(node.as.data, size) : buffer(node.as.data, size);
      return;
    case POLYCODEC_KIND_LIST:
    case POLYCODEC_KIND_TUPLE:
      node.as.nodes = nodes(node.as.nodes, size, depth + 1);
      return;
    case POLYCODEC_KIND_OBJECT:
    case POLYCODEC_KIND_MAP:
      node.as.nodes = nodes(node.as.nodes, 2 * size, depth + 1);
      return;
    case POLYCODEC_KIND_ARRAY:
      node.as.array = array(node.as.array, depth + 1);
      return;
    case POLYCODEC_KIND_EXTENSION: {
      if (is_stray(node.as.extension, sizeof(polycodec_extension))) return;
      auto* const copy = is_shared(node.as.extension, sizeof(polycodec_extension))
                             ? const_cast<polycodec_extension*>(node.as.extension)
                             : copy_of(node.as.extension, 1);
      node.as.extension = copy;
      if (is_constant(copy, sizeof *copy)) return;
      fix(copy->name);
      copy->payload = nodes(copy->payload, 1, depth + 1);
      return;
    }
    case POLYCODEC_KIND_REFERENCE:
      if (is_constant(node.as.node, sizeof node)) return;
      if (!tracks_) throw HasReferences();
      references_.push_back(&node.as.node);
      return;
    case POLYCODEC_KIND_ANNOTATED: {
      if (is_stray(node.as.annotated, sizeof(polycodec_annotated))) return;
      auto* const copy = is_shared(node.as.annotated, sizeof(polycodec_annotated))
                             ? const_cast<polycodec_annotated*>(node.as.annotated)
                             : copy_of(node.as.annotated, 1);
      node.as.annotated = copy;
      if (is_constant(copy, sizeof *copy)) return;
      copy->node = nodes(copy->node, 1, depth + 1);
      copy->metadata = nodes(copy->metadata, 1, depth + 1);
      return;
    }
    case POLYCODEC_KIND_TIMESTAMP:
    case POLYCODEC_KIND_DURATION:
      if (!is_shared(node.as.time, sizeof(polycodec_time)) &&
          !is_stray(node.as.time, sizeof(polycodec_time)))
        node.as.time = copy_of(node.as.time, 1);
      return;
    case POLYCODEC_KIND_UNION: {
      if (is_stray(node.as.tagged, sizeof(polycodec_tagged))) return;
      auto* const copy = is_shared(node.as.tagged, sizeof(polycodec_tagged))
                             ? const_cast<polycodec_tagged*>(node.as.tagged)
                             : copy_of(node.as.tagged, 1);
      node.as.tagged = copy;
      if (!is_constant(copy, sizeof *copy)) copy->node = nodes(copy->node, 1, depth + 1);
      return;
    }
    default:
      return;
  }
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
  fix(*copy, depth);
  return copy;
}

void ValueCopier::fix(polycodec_array& a, std::uint32_t depth) {
  if (a.buffer_size != 0 && a.layout == POLYCODEC_LAYOUT_NDARRAY) {
    const void* const moved = buffer(a.buffer, a.buffer_size);
    const std::uint64_t data = number(a.data) - number(a.buffer) + number(moved);
    a.data = pointer<const void>(data);
    a.buffer = moved;
  }
  if (a.layout == POLYCODEC_LAYOUT_NDARRAY) {
    a.shape = static_cast<const std::int64_t*>(bytes(a.shape, std::uint64_t{a.ndim} * 8, 8));
    a.strides = static_cast<const std::int64_t*>(bytes(a.strides, std::uint64_t{a.ndim} * 8, 8));
  }
  fix(a.index, a, false);
  fix(a.tags, a, true);
  if (!children_of(a).empty() && !is_stray(a.children, a.n_children * sizeof *a.children)) {
    check(depth, a.n_children);
    if (!own_.holds(a.children, a.n_children * sizeof *a.children))
      a.children = copy_of(a.children, a.n_children);
    auto** const children = const_cast<const polycodec_array**>(a.children);
    for (std::uint32_t i = 0; i < a.n_children; ++i) children[i] = array(children[i], depth + 1);
  }
  if (names_of(a) != nullptr && a.n_children != 0 &&
      !is_stray(a.names, a.n_children * sizeof *a.names)) {
    if (!own_.holds(a.names, a.n_children * sizeof *a.names))
      a.names = copy_of(a.names, a.n_children);
    auto* const names = const_cast<polycodec_bytes*>(a.names);
    for (std::uint32_t i = 0; i < a.n_children; ++i) fix(names[i]);
  }
  if (a.layout == POLYCODEC_LAYOUT_DOCUMENT) a.nodes = nodes(a.nodes, a.length, depth + 1);
  if (a.metadata != nullptr) a.metadata = nodes(a.metadata, 1, depth + 1);
}

void ValueCopier::fix(polycodec_column& column, const polycodec_array& of, bool second) {
  const auto items = wire::column_items(of.layout, of.length, of.n_children, second);
  if (!items || *items == 0 || column.data == nullptr) return;
  const auto span = wire::column_span(*items, column.stride, dtype_size(column.dtype));
  if (!span) throw Error(Status::invalid, "a column of the value overflows");
  const auto low = static_cast<std::uint64_t>(span->low);
  const std::uint64_t first = number(column.data) + low;
  const auto size = static_cast<std::uint64_t>(span->high) - low;
  column.data = pointer<const void>(number(buffer(pointer<const void>(first), size)) - low);
}

void ValueCopier::fix(polycodec_bytes& part) {
  part.data = bytes(part.data, part.size);
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
