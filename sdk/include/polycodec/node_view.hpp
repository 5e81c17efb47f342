// SPDX-License-Identifier: MIT
// Raw access to document nodes, for hot loops. Everything else walks a value with View.
#pragma once

#include <polycodec/view.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace polycodec {

/// A document node as it is stored: an ARRAY is an ARRAY, not a list. Metadata is transparent:
/// kind() and all reads are those of the node proper. Not owning; cheap to copy; safe to read from
/// several threads. Errors as in View.
class NodeView {
 public:
  NodeView() noexcept : NodeView(&detail::null_node) {}
  explicit NodeView(const polycodec_node* node) noexcept
      : outer_(node), node_(polycodec_node_proper(node)) {}
  /// The same value, to be walked as any other.
  operator View() const noexcept { return View(outer_); }

  /// The node itself, with its annotation if it has one.
  const polycodec_node* raw() const noexcept { return outer_; }
  /// The node proper, without annotation.
  const polycodec_node* node() const noexcept { return node_; }
  /// The metadata (an OBJECT), or nothing.
  std::optional<NodeView> metadata() const noexcept {
    if (outer_ == node_) return std::nullopt;
    return NodeView(outer_->as.annotated->metadata);
  }

  polycodec_kind kind() const noexcept { return static_cast<polycodec_kind>(node_->kind); }
  std::uint32_t dtype() const noexcept { return node_->dtype; }
  /// Bytes of a string, items of a list, members of an object; 0 for kinds without a size.
  std::uint64_t size() const noexcept { return polycodec_node_size(node_); }

  bool is_null() const noexcept { return kind() == POLYCODEC_KIND_NULL; }
  bool is_string() const noexcept { return kind() == POLYCODEC_KIND_STRING; }
  bool is_list() const noexcept { return kind() == POLYCODEC_KIND_LIST; }
  bool is_object() const noexcept { return kind() == POLYCODEC_KIND_OBJECT; }
  bool is_map() const noexcept { return kind() == POLYCODEC_KIND_MAP; }
  bool is_array() const noexcept { return kind() == POLYCODEC_KIND_ARRAY; }
  bool is_integer() const noexcept {
    return kind() == POLYCODEC_KIND_SIGNED || kind() == POLYCODEC_KIND_UNSIGNED;
  }
  bool is_number() const noexcept { return is_integer() || kind() == POLYCODEC_KIND_FLOAT; }

  bool as_bool() const { return View(node_).as_bool(); }
  std::int64_t as_int64() const { return View(node_).as_int64(); }
  std::uint64_t as_uint64() const { return View(node_).as_uint64(); }
  double as_double() const { return View(node_).as_double(); }
  polycodec_time as_time() const { return View(node_).as_time(); }
  std::string_view as_string() const {
    expect(POLYCODEC_KIND_STRING, "a string");
    return to_string_view(node_->as.data, size());
  }
  /// The bytes of a BINARY or STRING.
  std::string_view as_bytes() const {
    if (!is_string()) expect(POLYCODEC_KIND_BINARY, "bytes");
    return to_string_view(node_->as.data, size());
  }
  const polycodec_array& as_array() const {
    expect(POLYCODEC_KIND_ARRAY, "an array");
    return *node_->as.array;
  }
  const polycodec_extension& as_extension() const {
    expect(POLYCODEC_KIND_EXTENSION, "an extension");
    return *node_->as.extension;
  }
  const polycodec_tagged& as_tagged() const {
    expect(POLYCODEC_KIND_UNION, "a member of a union");
    return *node_->as.tagged;
  }
  /// The node that a REFERENCE points to.
  NodeView target() const {
    expect(POLYCODEC_KIND_REFERENCE, "a reference");
    return NodeView(node_->as.node);
  }

  /// Items of a LIST or TUPLE.
  std::span<const polycodec_node> items() const {
    if (kind() != POLYCODEC_KIND_TUPLE) expect(POLYCODEC_KIND_LIST, "a list");
    return {node_->as.nodes, static_cast<std::size_t>(size())};
  }
  /// Item i of a LIST or TUPLE; throws Status::range if there is none.
  NodeView operator[](std::uint64_t i) const {
    const auto all = items();
    if (i >= all.size()) [[unlikely]]
      throw_index(i);
    return NodeView(&all[static_cast<std::size_t>(i)]);
  }
  /// Keys and values of an OBJECT or MAP, alternating: 2 * size() nodes.
  std::span<const polycodec_node> entries() const {
    if (!is_map()) expect(POLYCODEC_KIND_OBJECT, "an object");
    return {node_->as.nodes, static_cast<std::size_t>(size() * 2)};
  }
  NodeView key(std::uint64_t i) const {
    return NodeView(&entries()[static_cast<std::size_t>(2 * i)]);
  }
  NodeView value(std::uint64_t i) const {
    return NodeView(&entries()[static_cast<std::size_t>(2 * i + 1)]);
  }
  /// The first member of an OBJECT (or entry of a MAP) with this string as key, if there is one.
  std::optional<NodeView> find(std::string_view name) const;
  /// The member of an OBJECT with this name; throws Status::not_found if there is none.
  NodeView at(std::string_view name) const;

 private:
  void expect(polycodec_kind wanted, const char* what) const {
    if (node_->kind != wanted) [[unlikely]]
      throw_kind(what);
  }
  [[noreturn, gnu::cold]] void throw_kind(const char* what) const;
  [[noreturn, gnu::cold]] void throw_index(std::uint64_t i) const;

  const polycodec_node* outer_;
  const polycodec_node* node_;
};

}  // namespace polycodec

#include <polycodec/detail/node_view_inline.hpp>
