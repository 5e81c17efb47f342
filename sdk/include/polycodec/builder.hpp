// SPDX-License-Identifier: MIT
// Making values: nodes and columnar arrays in an arena.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/array_view.hpp>
#include <polycodec/dtype.hpp>
#include <polycodec/error.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace polycodec {

/// One member of an object to be built.
struct Member {
  std::string_view name;
  polycodec_node value;
};

/// Makes nodes in an arena. Not owning; for one thread. Functions that take text or bytes come in two kinds: `*_view`
/// borrows memory that outlives the value (the input, a literal), `*_copy` copies it into the arena.
/// Everything throws Error(Status::limit) when the arena refuses memory.
class Builder {
 public:
  explicit Builder(polycodec_arena* arena) noexcept : arena_(arena) {}

  polycodec_arena* arena() const noexcept { return arena_; }

  /// `count` uninitialised objects of trivial type T.
  template <class T>
  T* allocate(std::uint64_t count) {
    static_assert(std::is_trivially_destructible_v<T>);
    if (count > UINT64_MAX / sizeof(T)) [[unlikely]]
      throw_memory(UINT64_MAX);
    void* p = polycodec_arena_alloc(arena_, count * sizeof(T), alignof(T));
    if (p == nullptr) [[unlikely]]
      throw_memory(count * sizeof(T));
    return static_cast<T*>(p);
  }

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
  static polycodec_node null() noexcept { return polycodec_node_make(POLYCODEC_NULL, 0, 0); }
  static polycodec_node boolean(bool value) noexcept {
    auto n = polycodec_node_make(POLYCODEC_BOOLEAN, POLYCODEC_BOOL, 0);
    n.as.u64 = value ? 1 : 0;
    return n;
  }
  /// A signed integer; `dtype` INT8..INT64 is its declared width, which the value must fit.
  static polycodec_node integer(std::int64_t value, std::uint8_t dtype = POLYCODEC_INT64) noexcept {
    auto n = polycodec_node_make(POLYCODEC_SIGNED, dtype, 0);
    n.as.i64 = value;
    return n;
  }
  static polycodec_node unsigned_integer(std::uint64_t value, std::uint8_t dtype = POLYCODEC_UINT64) noexcept {
    auto n = polycodec_node_make(POLYCODEC_UNSIGNED, dtype, 0);
    n.as.u64 = value;
    return n;
  }
  static polycodec_node real(double value) noexcept {
    auto n = polycodec_node_make(POLYCODEC_REAL, POLYCODEC_FLOAT64, 0);
    n.as.f64 = value;
    return n;
  }
  static polycodec_node real32(float value) noexcept {
    auto n = polycodec_node_make(POLYCODEC_REAL, POLYCODEC_FLOAT32, 0);
    n.as.f32 = value;
    return n;
  }
  static polycodec_node real16(std::uint16_t bits) noexcept {
    auto n = polycodec_node_make(POLYCODEC_REAL, POLYCODEC_FLOAT16, 0);
    n.as.u64 = bits;
    return n;
  }
  /// INT128, UINT128, FLOAT128 or COMPLEX*: `bytes` in host byte order are copied.
  polycodec_node wide(std::uint8_t dtype, const void* bytes) {
    auto n = polycodec_node_make(POLYCODEC_WIDE, dtype, 0);
    n.as.data = store_all(std::span<const std::byte>(static_cast<const std::byte*>(bytes), dtype_size(dtype)));
    return n;
  }

  // -- text and bytes --
  static polycodec_node string_view(std::string_view text) noexcept {
    return blob(POLYCODEC_STRING, text.data(), text.size());
  }
  polycodec_node string_copy(std::string_view text) { return string_view(copy_text(text)); }
  static polycodec_node bytes_view(std::span<const std::byte> bytes) noexcept {
    return blob(POLYCODEC_BINARY, bytes.data(), bytes.size());
  }
  polycodec_node bytes_copy(std::span<const std::byte> bytes) { return bytes_view({store_all(bytes), bytes.size()}); }

  // -- containers --
  /// A LIST of `size` nodes that the caller fills at `*nodes`.
  polycodec_node list(std::uint64_t size, polycodec_node** nodes) {
    return container(POLYCODEC_LIST, size, size, nodes);
  }
  polycodec_node list(std::span<const polycodec_node> items) { return filled(POLYCODEC_LIST, items, items.size()); }
  polycodec_node list(std::initializer_list<polycodec_node> items) {
    return list(std::span(items.begin(), items.size()));
  }
  polycodec_node tuple(std::span<const polycodec_node> items) { return filled(POLYCODEC_TUPLE, items, items.size()); }
  polycodec_node tuple(std::initializer_list<polycodec_node> items) {
    return tuple(std::span(items.begin(), items.size()));
  }
  /// An OBJECT of `size` members: the caller fills 2 * size nodes, key, value, key, value, at `*nodes`.
  polycodec_node object(std::uint64_t size, polycodec_node** nodes) {
    return container(POLYCODEC_OBJECT, size, size * 2, nodes);
  }
  /// An OBJECT; the names are copied.
  polycodec_node object(std::span<const Member> members) {
    polycodec_node* nodes;
    const auto n = object(members.size(), &nodes);
    for (const Member& m : members) {
      *nodes++ = string_copy(m.name);
      *nodes++ = m.value;
    }
    return n;
  }
  polycodec_node object(std::initializer_list<Member> members) {
    return object(std::span(members.begin(), members.size()));
  }
  /// A MAP of `size` entries: 2 * size nodes as for object(), keys of any kind.
  polycodec_node map(std::uint64_t size, polycodec_node** nodes) {
    return container(POLYCODEC_MAP, size, size * 2, nodes);
  }

  // -- others --
  /// An extension; the name is copied.
  polycodec_node extension(std::string_view name, const polycodec_node& payload) {
    auto n = polycodec_node_make(POLYCODEC_EXTENSION, 0, 0);
    n.as.extension = store(polycodec_extension{to_bytes(copy_text(name)), store(payload)});
    return n;
  }
  /// `node` with attributes (an OBJECT); a node that has attributes already gets these instead.
  polycodec_node annotated(const polycodec_node& node, const polycodec_node& attributes) {
    auto n = polycodec_node_make(POLYCODEC_ANNOTATED, 0, 0);
    const polycodec_node* inner = node.kind == POLYCODEC_ANNOTATED ? node.as.annotated->node : store(node);
    n.as.annotated = store(polycodec_annotated{inner, store(attributes)});
    return n;
  }
  /// A point in time; see polycodec_time for what count and nanoseconds mean in each unit.
  polycodec_node datetime(std::int64_t count, std::uint32_t nanoseconds, std::uint32_t unit) {
    auto n = polycodec_node_make(POLYCODEC_DATETIME, POLYCODEC_DATETIME64, 0);
    n.as.time = store(polycodec_time{count, nanoseconds, unit});
    return n;
  }
  polycodec_node timedelta(std::int64_t count, std::uint32_t unit) {
    auto n = polycodec_node_make(POLYCODEC_TIMEDELTA, POLYCODEC_TIMEDELTA64, 0);
    n.as.time = store(polycodec_time{count, 0, unit});
    return n;
  }
  polycodec_node variant(std::int64_t tag, const polycodec_node& member) {
    auto n = polycodec_node_make(POLYCODEC_VARIANT, 0, 0);
    n.as.variant = store(polycodec_variant{tag, store(member)});
    return n;
  }
  /// A REFERENCE to a node of the same value.
  static polycodec_node reference(const polycodec_node* target) noexcept {
    auto n = polycodec_node_make(POLYCODEC_REFERENCE, 0, 0);
    n.as.node = target;
    return n;
  }

  // -- columnar arrays --
  /// A node for a columnar array of this arena.
  static polycodec_node array(const polycodec_array* array) noexcept {
    auto n = polycodec_node_make(POLYCODEC_ARRAY, 0, 0);
    n.as.array = array;
    return n;
  }

  /// A zeroed array of this form and length, for the caller to complete.
  polycodec_array* new_array(polycodec_form form, std::uint64_t length) {
    auto* a = allocate<polycodec_array>(1);
    std::memset(static_cast<void*>(a), 0, sizeof *a);
    a->struct_size = sizeof *a;
    a->form = static_cast<std::uint8_t>(form);
    a->byte_order = host_byte_order;
    a->length = length;
    return a;
  }

  /// A C-contiguous leaf that views `buffer` from its start. `shape` is copied; the product of shape times item_size
  /// must equal buffer.size() (the caller has checked it).
  polycodec_array* ndarray(std::span<const std::byte> buffer, std::uint32_t dtype, std::uint32_t item_size,
                           std::span<const std::int64_t> shape, std::uint8_t byte_order = host_byte_order) {
    polycodec_array* a = new_array(POLYCODEC_FORM_NDARRAY, shape.empty() ? 1 : static_cast<std::uint64_t>(shape[0]));
    auto* extents = allocate<std::int64_t>(shape.size() * 2);
    auto* strides = extents + shape.size();
    auto stride = static_cast<std::int64_t>(item_size);
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      extents[axis] = shape[axis];
      strides[axis] = stride;
      // Unsigned, because the product may wrap for an array that has no elements: then no stride is ever used.
      stride = static_cast<std::int64_t>(static_cast<std::uint64_t>(stride) *
                                         static_cast<std::uint64_t>(std::max<std::int64_t>(shape[axis], 1)));
    }
    a->dtype = static_cast<std::uint8_t>(dtype);
    a->item_size = item_size;
    a->byte_order = byte_order;
    a->data = a->buffer = buffer.data();
    a->buffer_size = buffer.size();
    a->ndim = static_cast<std::uint32_t>(shape.size());
    a->shape = extents;
    a->strides = strides;
    return a;
  }

  /// A 1-d leaf over contiguous elements of a C++ type; views `elements`.
  template <class T>
  polycodec_array* vector(std::span<const T> elements) {
    static_assert(dtype_of<T> != POLYCODEC_DTYPE_NONE);
    const std::int64_t shape[] = {static_cast<std::int64_t>(elements.size())};
    return ndarray(std::as_bytes(elements), dtype_of<T>, sizeof(T), shape);
  }

  /// A strided 1-d leaf: `length` elements, `stride` bytes apart, from `data`, inside `buffer`.
  polycodec_array* strided(std::span<const std::byte> buffer, const void* data, std::uint64_t length,
                           std::int64_t stride, std::uint32_t dtype, std::uint32_t item_size,
                           std::uint8_t byte_order = host_byte_order) {
    const std::int64_t shape[] = {static_cast<std::int64_t>(length)};
    polycodec_array* a = ndarray(buffer, dtype, item_size, shape, byte_order);
    a->data = data;
    *const_cast<std::int64_t*>(a->strides) = stride;
    return a;
  }

  /// A record of named columns (names copied); an empty `names` makes a tuple.
  polycodec_array* record(std::uint64_t length, std::span<const std::string_view> names,
                          std::span<const polycodec_array* const> columns) {
    polycodec_array* a = with_children(POLYCODEC_FORM_RECORD, length, columns);
    if (!names.empty()) {
      auto* copied = allocate<polycodec_bytes>(names.size());
      for (std::size_t i = 0; i < names.size(); ++i) copied[i] = to_bytes(copy_text(names[i]));
      a->names = copied;
    }
    return a;
  }

  /// Lists by offsets (length + 1 contiguous integers, viewed). `flags`: POLYCODEC_ARRAY_TEXT, _BINARY or 0.
  template <class Offset>
  polycodec_array* list_offsets(std::span<const Offset> offsets, const polycodec_array* content,
                                std::uint8_t flags = 0) {
    polycodec_array* a = with_children(POLYCODEC_FORM_LIST_OFFSETS, offsets.size() - 1, {{content}});
    a->index = column(offsets);
    a->flags = flags;
    return a;
  }

  /// The chunks one after another.
  polycodec_array* chunked(std::span<const polycodec_array* const> chunks) {
    auto* starts = allocate<std::uint64_t>(chunks.size() + 1);
    starts[0] = 0;
    for (std::size_t i = 0; i < chunks.size(); ++i) starts[i + 1] = starts[i] + chunks[i]->length;
    polycodec_array* a = with_children(POLYCODEC_FORM_CHUNKED, starts[chunks.size()], chunks);
    a->index = column(std::span<const std::uint64_t>(starts, chunks.size() + 1));
    return a;
  }

  /// An array of this form over `children`, which are copied as pointers.
  polycodec_array* with_children(polycodec_form form, std::uint64_t length,
                                 std::span<const polycodec_array* const> children) {
    polycodec_array* a = new_array(form, length);
    a->children = store_all(children);
    a->n_children = static_cast<std::uint32_t>(children.size());
    return a;
  }

  /// A structure column that views contiguous integers.
  template <class T>
  static polycodec_column column(std::span<const T> items) noexcept {
    static const T none{};
    return {items.empty() ? &none : items.data(), sizeof(T), dtype_of<T>, 0};
  }

  /// The root of a value: `node` in the arena.
  const polycodec_node* root(const polycodec_node& node) { return store(node); }

 private:
  static polycodec_node blob(std::uint8_t kind, const void* data, std::uint64_t size) noexcept {
    auto n = polycodec_node_make(kind, 0, size);
    n.as.data = data;
    return n;
  }
  polycodec_node container(std::uint8_t kind, std::uint64_t size, std::uint64_t count, polycodec_node** nodes) {
    auto n = polycodec_node_make(kind, 0, size);
    n.as.nodes = *nodes = allocate<polycodec_node>(count);
    return n;
  }
  polycodec_node filled(std::uint8_t kind, std::span<const polycodec_node> items, std::uint64_t size) {
    auto n = polycodec_node_make(kind, 0, size);
    n.as.nodes = store_all(items);
    return n;
  }
  [[noreturn]] static void throw_memory(std::uint64_t bytes) {
    throw Error(Status::limit,
                "the value needs more memory than the limits allow (" + std::to_string(bytes) + " bytes more)");
  }

  polycodec_arena* arena_;
};

}  // namespace polycodec
