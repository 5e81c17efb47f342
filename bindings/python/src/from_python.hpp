// SPDX-License-Identifier: MIT
// Objects of Python as values.
#pragma once

#include "handle.hpp"
#include "value.hpp"

#include <string>
#include <vector>

namespace polycodec_python {

/// Bounds for what other libraries produce while an object is read: the limits of the call, those
/// of the registry, or both null.
struct Bounds {
  const polycodec_registry* registry = nullptr;
  const polycodec_limits* limits = nullptr;
  polycodec_limits all() const;
};

/// Builds nodes in an arena from objects of Python. It views immutable bytes and the elements of
/// arrays of numpy, which the arena then keeps. Structure is copied: others may write to it.
class FromPython {
 public:
  /// `value`: the value that is built, which keeps other values; null if the arena is that of a
  /// codec's call. Then values must not occur. `copy`: copies arrays that can be written to.
  FromPython(polycodec_arena* arena, polycodec_value* value, bool copy, Bounds bounds = {})
      : arena_(arena), value_(value), copy_(copy), bounds_(bounds) {}

  /// The node for `object`. Raises TypeError, with the path, for an object that has no kind.
  polycodec_node node(nb::handle object) { return node(object, 0); }
  /// The same as a node in the arena.
  const polycodec_node* root(nb::handle object);
  /// The bytes that were built and adopted so far.
  std::uint64_t weight() const noexcept { return weight_; }

 private:
  template <class T>
  T* allocate(std::uint64_t n);
  void adopt(nb::object owner, const void* data, std::uint64_t size);
  polycodec_node string(PyObject* text);
  polycodec_node bytes(PyObject* bytes);
  polycodec_node integer(PyObject* number);
  polycodec_node sequence(PyObject* items, std::uint8_t kind);
  polycodec_node dict(PyObject* dict);
  /// `adapted`: the steps from the object in its container to this one.
  polycodec_node node(nb::handle object, std::uint32_t adapted);
  polycodec_node other(nb::handle object, std::uint32_t adapted);
  polycodec_node time(nb::handle time);
  polycodec_node value(nb::handle value);
  polycodec_node array(const polycodec_array* array);
  const polycodec_array* ndarray(nb::handle array);
  const polycodec_array* layout(nb::handle layout);
  const polycodec_array* child(nb::handle part);
  void column(nb::handle columns, const char* name, polycodec_column& to);
  polycodec_bytes buffer_of(nb::handle interface, nb::handle array, std::uint64_t size);
  polycodec_node payload(nb::handle object);
  void enter(nb::object step);
  void leave();
  void deeper();
  [[noreturn]] void fail(polycodec_status code, const std::string& message);

  polycodec_arena* arena_;
  polycodec_value* value_;
  bool copy_;
  Bounds bounds_;
  std::uint64_t weight_ = 0;
  std::uint32_t depth_ = 0;
  std::vector<nb::object> path_;  // names and indices of the containers around
};

template <class T>
T* FromPython::allocate(std::uint64_t n) {
  CallError failure;
  void* memory = polycodec_arena_alloc(arena_, n * sizeof(T), alignof(T), failure.raw());
  if (memory == nullptr) raise(failure);
  weight_ += n * sizeof(T);
  return static_cast<T*>(memory);
}

/// The batches of a capsule of an Arrow stream. Raises LimitError if they do not end.
Value from_arrow_stream(nb::handle capsule, const polycodec_limits& limits);

/// A value of an object: itself if it is one already. `weight` (or null) receives its size in
/// bytes, or UINT64_MAX for a value that was one.
ValueHandle value_of(nb::handle object, bool copy, std::uint64_t* weight = nullptr,
                     Bounds bounds = {});

}  // namespace polycodec_python
