// SPDX-License-Identifier: MIT
// What a node or an array points to: one list of the pointers that kinds and layouts have, for all
// who follow, copy or move them.
#pragma once

#include <polycodec/detail/layout_fields.hpp>
#include <polycodec/dtype.hpp>
#include <polycodec/items.h>

#include <cstdint>
#include <type_traits>

namespace polycodec {

/// Passes over all edges. A visitor derives from it and has functions of these names for the edges
/// that it wants. Of a const node or array they get values; of another one each pointer is an
/// lvalue, which they may change, and so must be the structs and tables that table() leads to.
struct EdgeVisitor {
  /// `(const void*& data, std::uint64_t size)`: of a number, a text, bytes, or a name.
  static void bytes(const auto&...) {}
  /// `(const polycodec_node*& block, std::uint64_t count)`: nodes that are parts of this one.
  static void nodes(const auto&...) {}
  /// `(const polycodec_node*& attributes)`: one node.
  static void metadata(const auto&...) {}
  /// `(const polycodec_node*& node)`: what a reference refers to.
  static void target(const auto&...) {}
  /// `(const polycodec_array*& array)`: of a node, or a child.
  static void array(const auto&...) {}
  /// `(const T*& of, std::uint64_t count)`: structs between a node and its parts, and the tables of
  /// children and names. False: what is in them is not visited.
  static bool table(const auto&...) { return true; }
  /// `(polycodec_array& leaf)`: its buffer, in which its elements are.
  static void buffer(const auto&...) {}
  /// `(const std::int64_t*& extents, std::uint32_t ndim)`: a shape, or strides.
  static void extents(const auto&...) {}
  /// `(polycodec_column& column, std::uint64_t items)`: one that is there, and has items.
  static void column(const auto&...) {}
};

namespace detail {

/// What an edge of an `Of` leads to, which a visitor of an `Of` that is not const may change.
template <class Of, class T>
auto& writable(const T& of) noexcept {
  if constexpr (std::is_const_v<Of>)
    return of;
  else
    return const_cast<T&>(of);
}

}  // namespace detail

/// True for the kinds whose nodes have no edge: most nodes of a large value.
inline bool has_no_edge(const polycodec_node& n) noexcept {
  switch (n.kind) {
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

/// Visits each pointer of a node once. Those that its kind does not use are not looked at, and
/// none is read through but those for which table() is true.
template <class Node, class Visitor>
requires std::is_same_v<std::remove_const_t<Node>, polycodec_node>
void for_each_edge(Node& n, Visitor&& visit) {
  const std::uint64_t size = polycodec_node_size(&n);
  switch (n.kind) {
    case POLYCODEC_KIND_WIDE:
      return visit.bytes(n.as.data, dtype_size(n.dtype));
    case POLYCODEC_KIND_STRING:
    case POLYCODEC_KIND_BINARY:
      return visit.bytes(n.as.data, size);
    case POLYCODEC_KIND_LIST:
    case POLYCODEC_KIND_TUPLE:
      return visit.nodes(n.as.nodes, size);
    case POLYCODEC_KIND_OBJECT:
    case POLYCODEC_KIND_MAP:
      return visit.nodes(n.as.nodes, 2 * size);
    case POLYCODEC_KIND_ARRAY:
      return visit.array(n.as.array);
    case POLYCODEC_KIND_REFERENCE:
      return visit.target(n.as.node);
    case POLYCODEC_KIND_EXTENSION: {
      if (!visit.table(n.as.extension, std::uint64_t{1})) return;
      auto& extension = detail::writable<Node>(*n.as.extension);
      visit.bytes(extension.name.data, extension.name.size);
      return visit.nodes(extension.payload, std::uint64_t{1});
    }
    case POLYCODEC_KIND_ANNOTATED: {
      if (!visit.table(n.as.annotated, std::uint64_t{1})) return;
      auto& annotated = detail::writable<Node>(*n.as.annotated);
      visit.nodes(annotated.node, std::uint64_t{1});
      return visit.metadata(annotated.metadata);
    }
    case POLYCODEC_KIND_UNION:
      if (visit.table(n.as.tagged, std::uint64_t{1}))
        visit.nodes(detail::writable<Node>(*n.as.tagged).node, std::uint64_t{1});
      return;
    case POLYCODEC_KIND_TIMESTAMP:
    case POLYCODEC_KIND_DURATION:
      visit.table(n.as.time, std::uint64_t{1});
      return;
    default:
      return;
  }
}

/// The same for an array. How much there is, is read before anything is visited: a visitor that
/// changes pointers of memory where structs overlap cannot change it.
template <class Array, class Visitor>
requires std::is_same_v<std::remove_const_t<Array>, polycodec_array>
void for_each_edge(Array& a, Visitor&& visit) {
  const std::uint32_t layout = a.layout, ndim = a.ndim, n_children = a.n_children;
  const std::uint64_t length = a.length;
  if (a.metadata != nullptr) visit.metadata(a.metadata);
  if (layout == POLYCODEC_LAYOUT_NDARRAY) {
    visit.buffer(a);
    visit.extents(a.shape, ndim);
    return visit.extents(a.strides, ndim);
  }
  const auto column = [&](auto& of, int second) {
    const std::uint64_t items = polycodec_column_length(layout, length, n_children, second);
    if (items != 0 && of.data != nullptr) visit.column(of, items);
  };
  column(a.index, 0);
  column(a.tags, 1);
  if (uses(layout, ArrayFields::children) && visit.table(a.children, std::uint64_t{n_children})) {
    const auto* const children = a.children;
    for (std::uint32_t i = 0; i < n_children; ++i)
      visit.array(detail::writable<Array>(children[i]));
  }
  if (uses(layout, ArrayFields::names) && a.names != nullptr &&
      visit.table(a.names, std::uint64_t{n_children})) {
    const auto* const names = a.names;
    for (std::uint32_t i = 0; i < n_children; ++i) {
      auto& name = detail::writable<Array>(names[i]);
      visit.bytes(name.data, name.size);
    }
  }
  if (layout == POLYCODEC_LAYOUT_DOCUMENT) visit.nodes(a.nodes, length);
}

}  // namespace polycodec
