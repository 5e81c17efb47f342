// SPDX-License-Identifier: MIT
// Objects of Python as values.
#pragma once

#include "call.hpp"
#include "python.hpp"
#include "value.hpp"

#include <memory>
#include <string>

namespace polycodec_python {

/// Bounds for what other libraries produce while an object is read: the limits of the call, and
/// those of the registry (or null).
struct Bounds {
  const host::Registry* registry = nullptr;
  host::Limits limits = {};
  host::Limits all() const;
};

/// Builds nodes in an arena from objects of Python. It views immutable bytes and the elements of
/// arrays of numpy, which the arena then keeps. Structure is copied: others may write to it.
class FromPython {
 public:
  /// `draft`: the value that is built, which keeps other values; null for a codec's call, in which
  /// values must not occur. `copy`: copies arrays that can be written to.
  FromPython(polycodec::Builder& out, host::Draft* draft, bool copy, Bounds bounds = {})
      : out_(out), draft_(draft), copy_(copy), bounds_(bounds) {}

  /// The node for `object`. Throws Status::type, with the path, for an object that has no kind.
  polycodec_node node(nb::handle object) { return node(object, 0); }
  /// What adapters could not keep of objects so far.
  const Losses& losses() const noexcept { return losses_; }
  /// The bytes that were built and adopted so far.
  std::uint64_t weight() const noexcept { return weight_; }

 private:
  template <class T>
  T* allocate(std::uint64_t n) {
    weight_ += n * sizeof(T);
    return out_.allocate<T>(n);
  }
  /// A container whose items are read, as a step of the path to them.
  class Inside {
   public:
    explicit Inside(FromPython& of) : of_(of), outer_(of.innermost_) {
      of.deeper();
      of.innermost_ = this;
    }
    ~Inside() {
      of_.innermost_ = outer_;
      --of_.depth_;
    }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;
    void append_to(std::string& path) const;

    PyObject* key = nullptr;  ///< of a member, which the caller keeps; null: item `index`
    Py_ssize_t index = 0;

   private:
    FromPython& of_;
    const Inside* outer_;
  };
  /// Strings that are keys of many dicts, with their nodes.
  struct Keys;
  struct DeleteKeys {
    void operator()(Keys* keys) const noexcept;
  };

  void adopt(nb::object owner, std::string_view extent);
  /// Memory of `owner`, or a copy of it.
  std::string_view memory_of(PyObject* owner, std::string_view memory);
  polycodec_node string(PyObject* text);
  polycodec_node bytes(PyObject* bytes);
  polycodec_node integer(PyObject* number);
  polycodec_node sequence(PyObject* items, std::uint8_t kind);
  polycodec_node dict(PyObject* dict);
  polycodec_node key(PyObject* text);
  /// Fills `to` with the node of an object whose reading runs no code of Python; false for others.
  bool scalar(PyObject* object, polycodec_node& to);
  /// `adapted`: the steps from the object in its container to this one.
  polycodec_node node(nb::handle object, std::uint32_t adapted);
  nb::object adapted_of(nb::handle object);
  polycodec_node other(nb::handle object, std::uint32_t adapted);
  polycodec_node time(nb::handle time);
  polycodec_node value(const host::Value& other);
  const polycodec_array* ndarray(nb::handle array);
  const polycodec_array* layout(nb::handle layout);
  const polycodec_array* child(nb::handle part);
  void column(nb::handle columns, const char* name, polycodec_column& to);
  polycodec_node payload(nb::handle object);
  const polycodec_node* metadata(nb::handle dict);
  void lose(nb::handle losses);
  std::string path() const;
  void deeper();
  [[noreturn]] void fail(Status code, const std::string& message);

  polycodec::Builder& out_;
  host::Draft* draft_;
  bool copy_;
  Bounds bounds_;
  std::uint64_t weight_ = 0;
  std::uint32_t depth_ = 0;
  Losses losses_;
  const Inside* innermost_ = nullptr;
  std::uint32_t n_dicts_ = 0;
  std::unique_ptr<Keys, DeleteKeys> keys_;
};

/// The batches of a capsule of an Arrow stream. Throws Status::limit if they do not end.
host::Value from_arrow_stream(nb::handle capsule, const host::Limits& limits);

/// A value of an object: itself if it is one already. `weight` (or null) receives its size in
/// bytes, or UINT64_MAX for a value that was one. `call` reports what adapters could not keep;
/// without it this raises like refuse().
host::Value value_of(nb::handle object, bool copy, std::uint64_t* weight = nullptr,
                     const Bounds& bounds = {}, const CallOptions* call = nullptr);

}  // namespace polycodec_python
