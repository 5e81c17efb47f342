// SPDX-License-Identifier: MIT
// The functions of Builder. polycodec/builder.hpp includes this header itself. None is expanded
// where it is called.
#pragma once

#include <polycodec/builder.hpp>
#include <polycodec/detail/clear.hpp>
#include <polycodec/detail/utf8_char.hpp>

#include <cstdint>
#include <span>
#include <string_view>

namespace polycodec {

[[gnu::noinline]] inline void* Builder::grow(std::uint64_t count, std::uint64_t size,
                                             std::uint64_t align) {
  void* p = nullptr;
  invoke(arena_->grow, arena_, count > UINT64_MAX / size ? UINT64_MAX : count * size, align, &p);
  return p;
}

[[gnu::noinline]] inline void* Builder::resize(void* memory, std::uint64_t old_count,
                                               std::uint64_t count, std::uint64_t size,
                                               std::uint64_t align) {
  if (count > UINT64_MAX / size) count = UINT64_MAX / size;
  invoke(arena_->resize, arena_, &memory, old_count * size, count * size, align);
  return memory;
}

[[gnu::noinline]] inline void Builder::adopt(void* object, void (*release)(void* object),
                                             std::string_view extent) {
  const polycodec_bytes extents[] = {to_bytes(extent)};
  invoke(arena_->adopt, arena_, object, release, +extents, std::uint64_t{1});
}

[[gnu::noinline]] inline Node Builder::text_copy(std::string_view text) {
  Node node = string_copy(text);
  if (!detail::is_utf8(text)) node.dtype = POLYCODEC_STRING_LENIENT;
  return node;
}

[[gnu::noinline]] inline Node Builder::wide(std::uint8_t dtype, const void* bytes) {
  auto n = polycodec_node_make(POLYCODEC_KIND_WIDE, dtype, 0);
  n.as.data = store_all(std::span<const char>(static_cast<const char*>(bytes), dtype_size(dtype)));
  return n;
}

[[gnu::noinline]] inline Node Builder::object(std::span<const Member> members) {
  Node* nodes;
  const auto n = object(members.size(), &nodes);
  for (const Member& m : members) {
    *nodes++ = string_copy(m.name);
    *nodes++ = m.value;
  }
  return n;
}

[[gnu::noinline]] inline Node Builder::extension(std::string_view name, const Node& payload) {
  auto n = polycodec_node_make(POLYCODEC_KIND_EXTENSION, 0, 0);
  n.as.extension = store(polycodec_extension{to_bytes(copy_text(name)), store(payload)});
  return n;
}

[[gnu::noinline]] inline Node Builder::annotated(const Node& node, const Node& metadata) {
  struct Parts {
    polycodec_annotated annotated;
    Node metadata, node;
  };
  auto* const parts = allocate<Parts>(1);
  parts->metadata = metadata;
  const bool is_annotated = node.kind == POLYCODEC_KIND_ANNOTATED;
  if (!is_annotated) parts->node = node;
  parts->annotated = {is_annotated ? node.as.annotated->node : &parts->node, &parts->metadata};
  auto n = polycodec_node_make(POLYCODEC_KIND_ANNOTATED, 0, 0);
  n.as.annotated = &parts->annotated;
  return n;
}

[[gnu::noinline]] inline polycodec_array* Builder::new_array(polycodec_layout layout,
                                                             std::uint64_t length) {
  auto* a = allocate<polycodec_array>(1);
  detail::clear(*a);
  a->struct_size = sizeof *a;
  a->layout = static_cast<std::uint8_t>(layout);
  a->byte_order = host_byte_order;
  a->length = length;
  return a;
}

[[gnu::noinline]] inline polycodec_array* Builder::ndarray(std::string_view buffer,
                                                           std::uint32_t dtype,
                                                           std::uint32_t item_size,
                                                           std::span<const std::int64_t> shape,
                                                           std::uint8_t byte_order) {
  polycodec_array* a =
      new_array(POLYCODEC_LAYOUT_NDARRAY, shape.empty() ? 1 : static_cast<std::uint64_t>(shape[0]));
  auto* dimensions = allocate<std::int64_t>(shape.size() * 2);
  auto* strides = dimensions + shape.size();
  auto stride = static_cast<std::int64_t>(item_size);
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    dimensions[axis] = shape[axis];
    strides[axis] = stride;
    // Unsigned, because the product may wrap for an array that has no elements: then no stride is
    // ever used.
    stride =
        static_cast<std::int64_t>(static_cast<std::uint64_t>(stride) *
                                  static_cast<std::uint64_t>(shape[axis] > 1 ? shape[axis] : 1));
  }
  a->dtype = static_cast<std::uint8_t>(dtype);
  a->item_size = item_size;
  a->byte_order = byte_order;
  a->data = a->buffer = buffer.data();
  a->buffer_size = buffer.size();
  a->ndim = static_cast<std::uint32_t>(shape.size());
  a->shape = dimensions;
  a->strides = strides;
  return a;
}

[[gnu::noinline]] inline polycodec_array* Builder::strided(std::string_view buffer,
                                                           const void* data, std::uint64_t length,
                                                           std::int64_t stride, std::uint32_t dtype,
                                                           std::uint32_t item_size,
                                                           std::uint8_t byte_order) {
  const std::int64_t shape[] = {static_cast<std::int64_t>(length)};
  polycodec_array* a = ndarray(buffer, dtype, item_size, shape, byte_order);
  a->data = data;
  *const_cast<std::int64_t*>(a->strides) = stride;
  return a;
}

[[gnu::noinline]] inline polycodec_array* Builder::strided(
    std::string_view buffer, const void* data, std::span<const std::int64_t> shape,
    std::span<const std::int64_t> strides, std::uint32_t dtype, std::uint32_t item_size,
    std::uint8_t byte_order) {
  polycodec_array* a = ndarray(buffer, dtype, item_size, shape, byte_order);
  a->data = data;
  a->strides = store_all(strides);
  return a;
}

[[gnu::noinline]] inline polycodec_array* Builder::record(
    std::uint64_t length, std::span<const std::string_view> names,
    std::span<const polycodec_array* const> columns) {
  polycodec_array* a = with_children(POLYCODEC_LAYOUT_RECORD, length, columns);
  if (!names.empty()) {
    auto* copied = allocate<polycodec_bytes>(names.size());
    for (std::size_t i = 0; i < names.size(); ++i) copied[i] = to_bytes(copy_text(names[i]));
    a->names = copied;
  }
  return a;
}

[[gnu::noinline]] inline polycodec_array* Builder::chunked(
    std::span<const polycodec_array* const> chunks) {
  auto* starts = allocate<std::uint64_t>(chunks.size() + 1);
  starts[0] = 0;
  for (std::size_t i = 0; i < chunks.size(); ++i) starts[i + 1] = starts[i] + chunks[i]->length;
  polycodec_array* a = with_children(POLYCODEC_LAYOUT_CHUNKED, starts[chunks.size()], chunks);
  a->offsets = column(std::span<const std::uint64_t>(starts, chunks.size() + 1));
  return a;
}

[[gnu::noinline]] inline polycodec_array* Builder::with_children(
    polycodec_layout layout, std::uint64_t length,
    std::span<const polycodec_array* const> children) {
  polycodec_array* a = new_array(layout, length);
  a->children = store_all(children);
  a->n_children = static_cast<std::uint32_t>(children.size());
  return a;
}

[[gnu::noinline]] inline void ListBuilder::grow() {
  const std::uint64_t more = capacity_ == 0 ? 8 : capacity_ * 2;
  nodes_ = out_.resize(nodes_, capacity_, more);
  capacity_ = more;
}

}  // namespace polycodec
