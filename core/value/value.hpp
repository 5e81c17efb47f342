// SPDX-License-Identifier: MIT
// Values: owning, checking, comparing and converting them.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/builder.hpp>
#include <polycodec/node_view.hpp>
#include <polycodec/view.hpp>

#include "core/call/limits.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace polycodec {

class Arena;
class Budget;
struct Origin;
namespace type {
class Type;
}  // namespace type

/// Owns the arena of a value, which keeps what the value views (mapped files, buffers, the codec
/// that made it). Views taken from it are valid as long as it lives, also when it is moved. Reading
/// one value from several threads is safe.
class Value {
 public:
  /// The null value.
  Value() noexcept;
  ~Value();
  Value(Value&& other) noexcept;
  Value& operator=(Value&& other) noexcept {
    Value(std::move(other)).swap(*this);
    return *this;
  }
  void swap(Value& other) noexcept {
    arena_.swap(other.arena_);
    std::swap(root_, other.root_);
    std::swap(partial_, other.partial_);
  }

  /// Builds a value: `make(Builder&)` returns the root node.
  template <class Make>
  requires std::is_invocable_r_v<polycodec_node, Make, Builder&>
  static Value build(Make&& make, std::uint64_t max_memory = UINT64_MAX) {
    Value value;
    Builder builder(value.prepare(max_memory));
    value.set_root(builder.root(std::forward<Make>(make)(builder)));
    return value;
  }

  NodeView view() const noexcept { return root_ == nullptr ? NodeView() : NodeView(root_); }
  const polycodec_node* root() const noexcept { return view().raw(); }
  /// True if a projection may have left out parts of it (see CallOptions::projection).
  bool is_partial() const noexcept { return partial_; }
  /// Bytes that the value consists of.
  std::uint64_t used_bytes() const noexcept;
  /// True if [data, data + size) is memory of the value: of its arena or of what that keeps.
  bool contains(const void* data, std::uint64_t size) const noexcept;

  // -- for those who decode into a value --
  /// Empties the value and gives an arena to decode into; keeps memory of the value before.
  polycodec_arena* prepare(std::uint64_t max_memory, Budget* budget = nullptr);
  void set_root(const polycodec_node* root, bool partial = false) noexcept {
    root_ = root;
    partial_ = partial;
  }
  /// Keeps `owner` (null: the caller does) as long as the value, which may point to `bytes`.
  void pin(std::shared_ptr<const void> owner, std::string_view bytes = {});
  /// Keeps `other`, parts of which this value has: its memory is of this value as well.
  void keep(std::shared_ptr<const Value> other);
  Arena& arena() noexcept { return *arena_; }
  /// Where it comes from; null if it was not decoded.
  const Origin* origin() const noexcept;

 private:
  std::unique_ptr<Arena> arena_;
  const polycodec_node* root_ = nullptr;
  bool partial_ = false;
};

/// How much memory of freed arenas the process keeps for the next ones (default 128 MiB; 0: none):
/// at most 8 MiB once no arena has used it for 1/4 s. [thread-safe]
void set_arena_pool_bytes(std::uint64_t bytes) noexcept;
/// Gives this memory back now. [thread-safe]
void trim() noexcept;

/// How much of a value is looked at.
enum class Validation : std::uint8_t {
  /// Every node and array header, but no element: the cost depends on the number of nodes, not on
  /// the data. Afterwards every leaf element lies inside its buffer and all lengths fit together.
  structure,
  /// Also the content of buffers: offsets, indices, tags, UTF-8, booleans, padding. Afterwards
  /// every function of View and NodeView is safe for every index within the lengths. The default
  /// for untrusted input.
  full,
};

/// Checks the value at `root`. Throws Error(Status::invalid) with path and message at the first
/// rule of the value model that is broken, Error(Status::limit) where depth, nodes or elements
/// exceed `limits`. What can't be seen is trusted: that pointers point to memory of the value, and
/// the size of structure columns. Targets of references are checked too, each once; cycles through
/// plain pointers end at the limit of depth or nodes. Needs O(depth) memory (and O(references),
/// O(columns of a record)). [thread-safe]
void validate(const polycodec_node* root, const Limits& limits, Validation validation);
inline void validate(NodeView value, const Limits& limits, Validation validation) {
  validate(value.raw(), limits, validation);
}

/// What counts as a difference. By default all that a value says: kinds, element types, bits of
/// numbers, order of members, attributes. How it is stored never counts: a list of nodes equals any
/// array of its items, a missing item null, a fixed-size text a string.
struct CompareOptions {
  /// Integers and floats compare by their mathematical value, whatever their types (2 equals 2.0; a
  /// NaN equals a NaN and -0.0 equals 0.0); times likewise, whatever their units between seconds
  /// and nanoseconds.
  bool numbers_by_value = false;
  /// Floats of one type compare by value: every NaN equals every NaN, -0.0 equals 0.0. Otherwise by
  /// bits.
  bool floats_by_value = false;
  /// A tuple equals a list of the same items, and a reference what it refers to.
  bool lists_by_content = false;
  /// Members of objects may come in any order (members of one name in theirs). Entries of maps stay
  /// ordered.
  bool unordered_objects = false;
  /// Attributes count: 1 cm is not 1 m. Of nodes, and of arrays and their columns where both values
  /// have the same columns. An empty object of attributes is like none.
  bool metadata = true;
  /// Deeper values are refused with Error(Status::limit).
  std::uint32_t max_depth = 512;
  /// As TextOptions::budget.
  std::shared_ptr<Budget> budget = {};
};

/// Where two values differ first, and in what.
struct Difference {
  std::string path;    ///< as in path.hpp
  std::string reason;  ///< human-readable
};

/// The first difference of two valid values in their order; nothing if they are equal. References
/// are equal if their targets are; cycles are compared once. [thread-safe]
std::optional<Difference> first_difference(const View& a, const View& b,
                                           const CompareOptions& options = {});

inline bool equal(const View& a, const View& b, const CompareOptions& options = {}) {
  return !first_difference(a, b, options).has_value();
}

// All functions build in the arena of `out` and take valid values. Results may view memory of the
// source (strings, buffers that need no change): they live no longer than it. Memory beside the
// arena does not grow with the value. They throw Error(Status::limit) if the arena or a limit
// refuses, with the path of the item where there is one.

/// `leaf` C-contiguous and in `byte_order`: itself if it is so already, otherwise a copy with the
/// same attributes.
const polycodec_array* make_contiguous(const polycodec_array& leaf, Builder& out,
                                       std::uint8_t byte_order = host_byte_order);

/// The elements of `leaf` as `dtype` (a boolean, number or complex), C-contiguous in host byte
/// order. Throws Error(Status::range) if a number can't be exactly the same (every bit of a float
/// counts, also of a NaN and of -0.0), Error(Status::type) if the types have nothing in common.
const polycodec_array* cast(const polycodec_array& leaf, std::uint32_t dtype, Builder& out);

/// The value with document nodes only: no columnar arrays anywhere, except under references, which
/// stay as they are. Attributes of columns inside records have no place in a document and are lost.
polycodec_node to_document(const View& item, Builder& out, const Limits& limits = {});

/// The items of a list as one columnar array in plain form: contiguous leaves in host order, lists
/// by offsets, no indices and chunks. `element` is the type of one item: scalars, times and fixed
/// strings become leaves (with inner dimensions for `3 * 4 * T`), string and bytes lists of
/// strings, `var * T` and `N * T` lists, {...} and (...) records, `?T` an option (a byte mask where
/// the content has a natural filler, an index otherwise), union[...] a union of its alternatives by
/// tag, annotated types carry their annotations as attributes. What no form holds (any, null, map,
/// extension, ...) becomes an array of documents. Numbers may be stored in a wider or narrower type
/// if exact. Throws Error(Status::type) or Error(Status::range), with the path of the item, where
/// an item does not fit.
const polycodec_array* to_columns(const View& list, const type::Type& element, Builder& out,
                                  const Limits& limits = {});

/// The same, of the type that infer_type() finds (`any` if items differ too much).
const polycodec_array* to_columns(NodeView list, Builder& out, const Limits& limits = {});

/// An array in plain form: dictionaries, indices and chunks resolved, leaves contiguous and in host
/// order, rows of records split into a column for each field. Attributes stay with the array and
/// its columns.
const polycodec_array* materialize(const polycodec_array& array, Builder& out,
                                   const Limits& limits = {});

/// Where interleave() puts the fields of a row.
enum class RowLayout : std::uint8_t {
  packed,   ///< one after another
  aligned,  ///< each at a multiple of its alignment, as a C struct of these fields
};

/// A record with all columns in one buffer, row after row: each column is a strided view. The
/// columns must be leaves (Error(Status::type) otherwise); the elements are in host byte order.
const polycodec_array* interleave(const polycodec_array& record, Builder& out,
                                  RowLayout layout = RowLayout::packed);

}  // namespace polycodec
