// SPDX-License-Identifier: MIT
// Reading document nodes without copying them.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/array_view.hpp>
#include <polycodec/dtype.hpp>
#include <polycodec/error.hpp>
#include <polycodec/half.hpp>

#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

namespace polycodec {

/// A document node. Not owning: it lives as long as its value. Cheap to copy; safe to read from several threads.
/// Attributes are looked through: kind() and all reads are those of the node proper.
/// The as_* functions throw Error(Status::type) if the node is of another kind, Status::range if a number does not
/// fit.
class View {
 public:
  View() noexcept : View(null_node()) {}
  explicit View(const polycodec_node* node) noexcept : outer_(node), node_(node) {
    if (node_->kind == POLYCODEC_ANNOTATED) node_ = node_->as.annotated->node;
  }

  /// The node itself, with its annotation if it has one.
  const polycodec_node* raw() const noexcept { return outer_; }
  /// The node proper, without annotation.
  const polycodec_node* node() const noexcept { return node_; }

  polycodec_kind kind() const noexcept { return static_cast<polycodec_kind>(node_->kind); }
  std::uint32_t dtype() const noexcept { return node_->dtype; }
  /// Bytes of a string, items of a list, members of an object; 0 for kinds without a size.
  std::uint64_t size() const noexcept { return polycodec_node_size(node_); }

  bool is_null() const noexcept { return kind() == POLYCODEC_NULL; }
  bool is_string() const noexcept { return kind() == POLYCODEC_STRING; }
  bool is_list() const noexcept { return kind() == POLYCODEC_LIST; }
  bool is_object() const noexcept { return kind() == POLYCODEC_OBJECT; }
  bool is_map() const noexcept { return kind() == POLYCODEC_MAP; }
  bool is_array() const noexcept { return kind() == POLYCODEC_ARRAY; }
  bool is_integer() const noexcept { return kind() == POLYCODEC_SIGNED || kind() == POLYCODEC_UNSIGNED; }
  bool is_number() const noexcept { return is_integer() || kind() == POLYCODEC_REAL; }

  bool as_bool() const {
    expect(POLYCODEC_BOOLEAN, "a boolean");
    return node_->as.u64 != 0;
  }

  std::int64_t as_int64() const {
    if (kind() == POLYCODEC_UNSIGNED) {
      if (node_->as.u64 > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) throw_range("int64");
      return static_cast<std::int64_t>(node_->as.u64);
    }
    expect(POLYCODEC_SIGNED, "an integer");
    return node_->as.i64;
  }

  std::uint64_t as_uint64() const {
    if (kind() == POLYCODEC_SIGNED) {
      if (node_->as.i64 < 0) throw_range("uint64");
      return static_cast<std::uint64_t>(node_->as.i64);
    }
    expect(POLYCODEC_UNSIGNED, "an integer");
    return node_->as.u64;
  }

  /// A float of any width, or an integer that a double holds exactly.
  double as_double() const {
    if (is_integer()) {
      const bool negative = kind() == POLYCODEC_SIGNED && node_->as.i64 < 0;
      const std::uint64_t magnitude = negative ? std::uint64_t{0} - node_->as.u64 : node_->as.u64;
      const auto value = static_cast<double>(magnitude);
      if (value >= 18446744073709551616.0 || static_cast<std::uint64_t>(value) != magnitude) throw_range("float64");
      return negative ? -value : value;
    }
    expect(POLYCODEC_REAL, "a number");
    return real(*node_);
  }

  /// The bytes of a STRING (UTF-8, unless lenient decoding was asked for).
  std::string_view as_string() const {
    expect(POLYCODEC_STRING, "a string");
    return {static_cast<const char*>(node_->as.data), static_cast<std::size_t>(size())};
  }

  /// The bytes of a BINARY or STRING.
  std::span<const std::byte> as_bytes() const {
    if (kind() != POLYCODEC_STRING) expect(POLYCODEC_BINARY, "bytes");
    return {static_cast<const std::byte*>(node_->as.data), static_cast<std::size_t>(size())};
  }

  ArrayView as_array() const {
    expect(POLYCODEC_ARRAY, "an array");
    return ArrayView(*node_->as.array);
  }

  /// Items of a LIST or TUPLE.
  std::span<const polycodec_node> items() const {
    if (kind() != POLYCODEC_TUPLE) expect(POLYCODEC_LIST, "a list");
    return {node_->as.nodes, static_cast<std::size_t>(size())};
  }

  /// Item i of a LIST or TUPLE; throws Status::range if there is none.
  View operator[](std::uint64_t i) const {
    const auto all = items();
    if (i >= all.size()) throw_index(i, all.size());
    return View(&all[static_cast<std::size_t>(i)]);
  }

  /// Keys and values of an OBJECT or MAP, alternating: 2 * size() nodes.
  std::span<const polycodec_node> entries() const {
    if (kind() != POLYCODEC_MAP) expect(POLYCODEC_OBJECT, "an object");
    return {node_->as.nodes, static_cast<std::size_t>(size() * 2)};
  }
  View key(std::uint64_t i) const { return View(&entries()[static_cast<std::size_t>(2 * i)]); }
  View value(std::uint64_t i) const { return View(&entries()[static_cast<std::size_t>(2 * i + 1)]); }

  /// The first member of an OBJECT (or entry of a MAP) with this string as key; nothing if there is none.
  std::optional<View> find(std::string_view name) const {
    const auto all = entries();
    for (std::size_t i = 0; i < all.size(); i += 2) {
      const View k(&all[i]);
      if (k.is_string() && k.as_string() == name) return View(&all[i + 1]);
    }
    return std::nullopt;
  }

  /// The member of an OBJECT with this name; throws Status::not_found if there is none.
  View at(std::string_view name) const {
    if (const auto found = find(name)) return *found;
    throw Error(Status::not_found, "no member '" + std::string(name) + "'");
  }

  const polycodec_extension& as_extension() const {
    expect(POLYCODEC_EXTENSION, "an extension");
    return *node_->as.extension;
  }
  const polycodec_time& as_time() const {
    if (kind() != POLYCODEC_TIMEDELTA) expect(POLYCODEC_DATETIME, "a time");
    return *node_->as.time;
  }
  const polycodec_variant& as_variant() const {
    expect(POLYCODEC_VARIANT, "a member of a union");
    return *node_->as.variant;
  }
  /// The node that a REFERENCE points to.
  View target() const {
    expect(POLYCODEC_REFERENCE, "a reference");
    return View(node_->as.node);
  }

  /// The attributes (an OBJECT), or nothing.
  std::optional<View> attributes() const {
    if (outer_->kind != POLYCODEC_ANNOTATED) return std::nullopt;
    return View(outer_->as.annotated->attributes);
  }

  /// The value of a REAL node of any width.
  static double real(const polycodec_node& node) noexcept {
    switch (node.dtype) {
      case POLYCODEC_FLOAT32:
        return static_cast<double>(node.as.f32);
      case POLYCODEC_FLOAT16:
        return half_to_float(static_cast<std::uint16_t>(node.as.u64));
      default:
        return node.as.f64;
    }
  }

  /// The word for a kind in messages, such as "list".
  static std::string_view kind_name(std::uint32_t kind) noexcept {
    constexpr std::string_view names[POLYCODEC_KIND_COUNT] = {
        "null",     "boolean",     "integer",          "unsigned integer",
        "float",    "wide number", "string",           "bytes",
        "list",     "tuple",       "object",           "map",
        "array",    "extension",   "reference",        "annotated",
        "datetime", "timedelta",   "member of a union"};
    return kind < POLYCODEC_KIND_COUNT ? names[kind] : std::string_view("unknown kind");
  }

 private:
  static const polycodec_node* null_node() noexcept {
    static constexpr polycodec_node node{};
    return &node;
  }

  void expect(polycodec_kind wanted, const char* what) const {
    if (node_->kind != wanted) [[unlikely]]
      throw_kind(what);
  }
  [[noreturn]] void throw_kind(const char* what) const {
    throw Error(Status::type, std::string("expected ") + what + ", found " + std::string(kind_name(node_->kind)));
  }
  [[noreturn]] static void throw_range(const char* what) {
    throw Error(Status::range, std::string("the number does not fit in ") + what);
  }
  [[noreturn]] static void throw_index(std::uint64_t i, std::uint64_t size) {
    throw Error(Status::range, "no item " + std::to_string(i) + ": the list has " + std::to_string(size));
  }

  const polycodec_node* outer_;
  const polycodec_node* node_;
};

}  // namespace polycodec
