// SPDX-License-Identifier: MIT
// Making values: nodes and columnar arrays in an arena.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/bytes.hpp>
#include <polycodec/call.hpp>
#include <polycodec/dtype.hpp>
#include <polycodec/error.hpp>

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <span>
#include <string_view>
#include <type_traits>

namespace polycodec {

/// A node to build a value with: 16 bytes. It may point into the arena that it was made in.
using Node = polycodec_node;

/// One member of an object to be built.
struct Member {
  std::string_view name;
  Node value;
};

class ListBuilder;
class ObjectBuilder;

/// Makes nodes in an arena. Not owning; for one thread. Functions that take text or bytes come in
/// two kinds: `*_view` borrows memory that outlives the value (the input, a literal), `*_copy`
/// copies it into the arena. Everything throws what the arena reports when it has no memory:
/// Error(Status::limit) or Status::memory.
class Builder {
 public:
  explicit Builder(polycodec_arena* arena) noexcept : arena_(arena) {}
  explicit Builder(const Call& call) noexcept : arena_(call.arena()) {}

  polycodec_arena* arena() const noexcept { return arena_; }

  /// `count` uninitialized objects of trivial type T.
  template <class T>
  T* allocate(std::uint64_t count) {
    static_assert(std::is_trivially_destructible_v<T>);
    const std::uint64_t at =
        (reinterpret_cast<std::uintptr_t>(arena_->cursor) + alignof(T) - 1) & ~(alignof(T) - 1);
    const std::uint64_t end = reinterpret_cast<std::uintptr_t>(arena_->limit);
    if (arena_->cursor == nullptr || at > end || count > (end - at) / sizeof(T)) [[unlikely]]
      return static_cast<T*>(grow(count, sizeof(T), alignof(T)));
    auto* p = arena_->cursor + (at - reinterpret_cast<std::uintptr_t>(arena_->cursor));
    arena_->cursor = p + count * sizeof(T);
    return reinterpret_cast<T*>(p);
  }

  /// Changes the number of objects at `memory` (from this arena, or NULL with old_count 0) from
  /// `old_count` to `count`; it may move. For what grows without a known end.
  template <class T>
  T* resize(T* memory, std::uint64_t old_count, std::uint64_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    return static_cast<T*>(resize(memory, old_count, count, sizeof(T), alignof(T)));
  }
  /// Takes over an object that owns memory which the value will view: release(object) is called
  /// when the value dies, or before this throws. `extent`: that memory, which nobody writes to any
  /// more.
  void adopt(void* object, void (*release)(void* object), std::string_view extent);

  /// One object, copied into the arena.
  template <class T>
  T* store(const T& object) {
    T* p = allocate<T>(1);
    std::memcpy(static_cast<void*>(p), &object, sizeof(T));
    return p;
  }

  /// `items`, copied into the arena.
  template <class T>
  T* store_all(std::span<const T> items) {
    T* p = allocate<T>(items.size());
    if (!items.empty()) std::memcpy(static_cast<void*>(p), items.data(), items.size_bytes());
    return p;
  }

  std::string_view copy_text(std::string_view text) {
    return {store_all(std::span<const char>(text.data(), text.size())), text.size()};
  }

  // -- scalars --
  static Node null() noexcept { return polycodec_node_make(POLYCODEC_KIND_NULL, 0, 0); }
  static Node boolean(bool value) noexcept {
    auto n = polycodec_node_make(POLYCODEC_KIND_BOOLEAN, POLYCODEC_DTYPE_BOOLEAN, 0);
    n.as.u64 = value ? 1 : 0;
    return n;
  }
  /// A signed integer; `dtype` INT8 to INT64 is its declared width, which the value must fit.
  static Node integer(std::int64_t value, std::uint8_t dtype = POLYCODEC_DTYPE_INT64) noexcept {
    auto n = polycodec_node_make(POLYCODEC_KIND_SIGNED, dtype, 0);
    n.as.i64 = value;
    return n;
  }
  static Node unsigned_integer(std::uint64_t value,
                               std::uint8_t dtype = POLYCODEC_DTYPE_UINT64) noexcept {
    auto n = polycodec_node_make(POLYCODEC_KIND_UNSIGNED, dtype, 0);
    n.as.u64 = value;
    return n;
  }
  static Node real(double value) noexcept {
    auto n = polycodec_node_make(POLYCODEC_KIND_FLOAT, POLYCODEC_DTYPE_FLOAT64, 0);
    n.as.f64 = value;
    return n;
  }
  static Node real32(float value) noexcept {
    auto n = polycodec_node_make(POLYCODEC_KIND_FLOAT, POLYCODEC_DTYPE_FLOAT32, 0);
    n.as.f32 = value;
    return n;
  }
  static Node real16(std::uint16_t bits) noexcept {
    auto n = polycodec_node_make(POLYCODEC_KIND_FLOAT, POLYCODEC_DTYPE_FLOAT16, 0);
    n.as.u64 = bits;
    return n;
  }
  /// INT128, UINT128, FLOAT128 or COMPLEX*: `bytes` in host byte order are copied.
  Node wide(std::uint8_t dtype, const void* bytes);

  // -- text and bytes --
  static Node string_view(std::string_view text) noexcept {
    return blob(POLYCODEC_KIND_STRING, text.data(), text.size());
  }
  Node string_copy(std::string_view text) { return string_view(copy_text(text)); }
  /// A copy of text of unknown origin: a lenient string where it is not UTF-8.
  Node text_copy(std::string_view text);
  static Node bytes_view(std::string_view bytes) noexcept {
    return blob(POLYCODEC_KIND_BINARY, bytes.data(), bytes.size());
  }
  Node bytes_copy(std::string_view bytes) { return bytes_view(copy_text(bytes)); }

  // -- containers --
  /// A LIST or TUPLE of items that are pushed one by one: `auto list = out.list();
  /// list.push(item);`
  ListBuilder list();
  ListBuilder tuple();
  /// An OBJECT of members that are pushed one by one: `object.push("name", value);`
  ObjectBuilder object();
  /// A LIST of `size` nodes that the caller fills at `*nodes`.
  Node list(std::uint64_t size, Node** nodes) {
    return container(POLYCODEC_KIND_LIST, size, size, nodes);
  }
  Node list(std::span<const Node> items) { return filled(POLYCODEC_KIND_LIST, items); }
  Node list(std::initializer_list<Node> items) {
    return list(std::span(items.begin(), items.size()));
  }
  Node tuple(std::span<const Node> items) { return filled(POLYCODEC_KIND_TUPLE, items); }
  Node tuple(std::initializer_list<Node> items) {
    return tuple(std::span(items.begin(), items.size()));
  }
  /// An OBJECT of `size` members: the caller fills 2 * size nodes, key, value, key, value, at
  /// `*nodes`.
  Node object(std::uint64_t size, Node** nodes) {
    return container(POLYCODEC_KIND_OBJECT, size, size * 2, nodes);
  }
  /// An OBJECT; the names are copied.
  Node object(std::span<const Member> members);
  Node object(std::initializer_list<Member> members) {
    return object(std::span(members.begin(), members.size()));
  }
  /// A MAP of `size` entries: 2 * size nodes as for object(), keys of any kind.
  Node map(std::uint64_t size, Node** nodes) {
    return container(POLYCODEC_KIND_MAP, size, size * 2, nodes);
  }

  // -- others --
  /// An extension; the name is copied.
  Node extension(std::string_view name, const Node& payload);
  /// `node` with metadata (an OBJECT); a node that has metadata already gets these instead.
  Node annotated(const Node& node, const Node& metadata);
  /// A timestamp; see polycodec_time for what count and nanoseconds mean in each unit.
  Node timestamp(std::int64_t count, std::uint32_t nanoseconds, std::uint32_t unit) {
    auto n = polycodec_node_make(POLYCODEC_KIND_TIMESTAMP, POLYCODEC_DTYPE_TIMESTAMP64, 0);
    n.as.time = store(polycodec_time{count, nanoseconds, unit});
    return n;
  }
  Node duration(std::int64_t count, std::uint32_t unit) {
    auto n = polycodec_node_make(POLYCODEC_KIND_DURATION, POLYCODEC_DTYPE_DURATION64, 0);
    n.as.time = store(polycodec_time{count, 0, unit});
    return n;
  }
  Node tagged(std::int64_t tag, const Node& member) {
    auto n = polycodec_node_make(POLYCODEC_KIND_UNION, 0, 0);
    n.as.tagged = store(polycodec_tagged{tag, store(member)});
    return n;
  }
  /// A REFERENCE to a node of the same value.
  static Node reference(const Node* target) noexcept {
    auto n = polycodec_node_make(POLYCODEC_KIND_REFERENCE, 0, 0);
    n.as.node = target;
    return n;
  }

  // -- columnar arrays --
  /// A node for a columnar array of this arena.
  static Node array(const polycodec_array* array) noexcept {
    auto n = polycodec_node_make(POLYCODEC_KIND_ARRAY, 0, 0);
    n.as.array = array;
    return n;
  }

  /// A zeroed array of this layout and length, for the caller to complete.
  polycodec_array* new_array(polycodec_layout layout, std::uint64_t length);

  /// A C-contiguous leaf that views `buffer` from its start. `shape` is copied; the product of
  /// shape times item_size must equal buffer.size() (the caller has checked it).
  polycodec_array* ndarray(std::string_view buffer, std::uint32_t dtype, std::uint32_t item_size,
                           std::span<const std::int64_t> shape,
                           std::uint8_t byte_order = host_byte_order);

  /// A 1-d leaf over contiguous elements of a C++ type; views `elements`.
  template <class T>
  polycodec_array* vector(std::span<const T> elements) {
    static_assert(dtype_of<T> != POLYCODEC_DTYPE_NONE);
    const std::int64_t shape[] = {static_cast<std::int64_t>(elements.size())};
    return ndarray(bytes_of(elements), dtype_of<T>, sizeof(T), shape);
  }

  /// A strided 1-d leaf: `length` elements, `stride` bytes apart, from `data`, inside `buffer`.
  polycodec_array* strided(std::string_view buffer, const void* data, std::uint64_t length,
                           std::int64_t stride, std::uint32_t dtype, std::uint32_t item_size,
                           std::uint8_t byte_order = host_byte_order);

  /// The same with a shape: `strides` in bytes, one for each dimension; both are copied.
  polycodec_array* strided(std::string_view buffer, const void* data,
                           std::span<const std::int64_t> shape,
                           std::span<const std::int64_t> strides, std::uint32_t dtype,
                           std::uint32_t item_size, std::uint8_t byte_order = host_byte_order);

  /// A record of named columns (names copied); an empty `names` makes a tuple.
  polycodec_array* record(std::uint64_t length, std::span<const std::string_view> names,
                          std::span<const polycodec_array* const> columns);

  /// Lists by offsets (length + 1 contiguous integers, viewed). `flags`: POLYCODEC_ARRAY_STRING,
  /// _BINARY or 0.
  template <class Offset>
  polycodec_array* list_offsets(std::span<const Offset> offsets, const polycodec_array* content,
                                std::uint8_t flags = 0) {
    polycodec_array* a =
        with_children(POLYCODEC_LAYOUT_LIST_OFFSETS, offsets.size() - 1, {{content}});
    a->offsets = column(offsets);
    a->flags = flags;
    return a;
  }

  /// The chunks one after another.
  polycodec_array* chunked(std::span<const polycodec_array* const> chunks);

  /// An array of this layout over `children`, which are copied as pointers.
  polycodec_array* with_children(polycodec_layout layout, std::uint64_t length,
                                 std::span<const polycodec_array* const> children);

  /// A structure column that views contiguous integers.
  template <class T>
  static polycodec_column column(std::span<const T> items) noexcept {
    static const T none{};
    return {items.empty() ? &none : items.data(), sizeof(T), dtype_of<T>, 0};
  }

  /// The root of a value: `node` in the arena.
  const Node* root(const Node& node) { return store(node); }

 private:
  static Node blob(std::uint8_t kind, const void* data, std::uint64_t size) noexcept {
    auto n = polycodec_node_make(kind, 0, size);
    n.as.data = data;
    return n;
  }
  Node container(std::uint8_t kind, std::uint64_t size, std::uint64_t count, Node** nodes) {
    auto n = polycodec_node_make(kind, 0, size);
    n.as.nodes = *nodes = allocate<Node>(count);
    return n;
  }
  Node filled(std::uint8_t kind, std::span<const Node> items) {
    auto n = polycodec_node_make(kind, 0, items.size());
    n.as.nodes = store_all(items);
    return n;
  }
  void* grow(std::uint64_t count, std::uint64_t size, std::uint64_t align);
  void* resize(void* memory, std::uint64_t old_count, std::uint64_t count, std::uint64_t size,
               std::uint64_t align);

  polycodec_arena* arena_;
};

/// Items of a list, pushed one by one. For one thread; the Builder's arena outlives it.
class ListBuilder {
 public:
  ListBuilder(Builder& out, polycodec_kind kind) noexcept : out_(out), kind_(kind) {}

  std::uint64_t size() const noexcept { return size_; }
  /// Appends an item.
  void push(const Node& item) {
    if (size_ == capacity_) [[unlikely]]
      grow();
    nodes_[size_++] = item;
  }
  /// The list so far.
  operator Node() const noexcept {
    Node n = polycodec_node_make(static_cast<std::uint8_t>(kind_), 0,
                                 kind_ == POLYCODEC_KIND_OBJECT ? size_ / 2 : size_);
    n.as.nodes = nodes_;
    return n;
  }

 private:
  void grow();

  Builder& out_;
  Node* nodes_ = nullptr;
  std::uint64_t size_ = 0;
  std::uint64_t capacity_ = 0;
  polycodec_kind kind_;
};

/// Members of an object, pushed one by one; names are copied. As ListBuilder.
class ObjectBuilder {
 public:
  explicit ObjectBuilder(Builder& out) noexcept : out_(out), nodes_(out, POLYCODEC_KIND_OBJECT) {}
  std::uint64_t size() const noexcept { return nodes_.size() / 2; }
  void push(std::string_view name, const Node& value) {
    nodes_.push(out_.string_copy(name));
    nodes_.push(value);
  }
  operator Node() const noexcept { return nodes_; }

 private:
  Builder& out_;
  ListBuilder nodes_;
};

inline ListBuilder Builder::list() {
  return {*this, POLYCODEC_KIND_LIST};
}
inline ListBuilder Builder::tuple() {
  return {*this, POLYCODEC_KIND_TUPLE};
}
inline ObjectBuilder Builder::object() {
  return ObjectBuilder(*this);
}

}  // namespace polycodec

#include <polycodec/detail/builder_inline.hpp>
