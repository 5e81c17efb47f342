// SPDX-License-Identifier: MIT
// polycodec.Value and polycodec.Array.
#pragma once

#include "python.hpp"

#include <memory>
#include <optional>
#include <string_view>
#include <utility>

namespace polycodec_python {

class Deferred;
class FileStamp;

/// A value, or a part of one. It does not change, and keeps the bytes that it views.
class Value {
 public:
  explicit Value(host::Value handle, nb::object codec = nb::none(), host::Source source = {})
      : handle_(std::move(handle)), codec_(std::move(codec)), source_(std::move(source)) {}
  /// A value in whose `arena` nothing keeps the `bytes` that it views: this does, until somebody
  /// else may get the handle.
  Value(host::Value handle, polycodec_arena* arena, nb::object codec, nb::object bytes)
      : handle_(std::move(handle)),
        codec_(std::move(codec)),
        bytes_(std::move(bytes)),
        arena_(arena) {}
  /// A value that is decoded when it is first used. `codec` may be None: then it is not known yet.
  Value(std::shared_ptr<Deferred> deferred, nb::object codec, host::Source source)
      : codec_(std::move(codec)), source_(std::move(source)), deferred_(std::move(deferred)) {}

  /// The part of `whole` at one of its nodes, whose handle is made when it is first needed.
  static Value within(const host::Value& whole, const polycodec_node* node) {
    Value part(whole);
    part.part_ = node;
    return part;
  }

  /// The handle. The interpreter is locked: a value that was not decoded yet is so now, and what
  /// decoding raises is raised. So is that the file which the value views was written to.
  const host::Value& handle() const {
    (void)holder();
    if (part_ != nullptr) make_handle();
    return handle_;
  }
  /// The same, or the handle of a value that this one is a part of.
  const host::Value& holder() const {
    (void)lent();
    if (arena_ != nullptr) share();
    return handle_;
  }
  /// The same for what ends before this.
  const host::Value& lent() const {
    if (stamp_ != nullptr) check_file();
    if (deferred_ != nullptr) resolve();
    return handle_;
  }
  const polycodec_node* root() const {
    const host::Value& keeps = lent();
    return part_ != nullptr ? part_ : keeps.root();
  }
  const nb::object& codec() const {
    if (deferred_ != nullptr && codec_.is_none()) resolve();
    return codec_;
  }
  /// The same value, which views a file.
  Value of_file(std::shared_ptr<const FileStamp> stamp) && {
    stamp_ = std::move(stamp);
    return std::move(*this);
  }
  /// The bytes that were decoded, or nothing.
  std::optional<std::string_view> source() const;

  /// The root without metadata and references.
  const polycodec_node* proper() const;
  /// The array that the value is, or null.
  const polycodec_array* array() const;
  /// The same, or what it chooses its items from where they are optional or in chunks. It has the
  /// names of the columns.
  const polycodec_array* records() const;
  /// The number of items, members or rows. Raises TypeError for other values.
  std::uint64_t size() const;

  /// A part by name, path, index or slice, by a tuple of these, or as numpy chooses items.
  Value part(nb::handle key) const;
  /// The item at `i`, which is less than size().
  Value item(std::uint64_t i) const;
  /// Member `i` of an object or a map.
  Value member_at(std::uint64_t i) const {
    return of_same_file(within(holder(), &proper()->as.nodes[2 * i + 1]));
  }

 private:
  Value part_at(nb::handle key) const;
  void check_file() const;
  Value member(std::string_view name) const;
  Value member_of(nb::handle key) const;
  Value item_at(std::int64_t i) const;
  Value item_of(std::uint64_t i) const;
  Value slice(nb::handle slice) const;
  Value chosen(nb::handle key) const;
  Value of_same_file(Value part) const {
    if (stamp_ != nullptr) part.stamp_ = stamp_;
    return part;
  }

  void resolve() const;
  void share() const;
  void make_handle() const;

  mutable host::Value handle_;
  mutable const polycodec_node* part_ = nullptr;  // the root, if it is not that of the handle
  mutable nb::object codec_;                      // the name of the codec that decoded it, or None
  host::Source source_;
  nb::object bytes_;                            // instead of a source, or null
  mutable polycodec_arena* arena_ = nullptr;    // that does not keep them yet
  mutable std::shared_ptr<Deferred> deferred_;  // until it is decoded
  std::shared_ptr<const FileStamp> stamp_;      // of a file that the value views, or null
};

/// A columnar array of a value as it is stored, for adapters of other libraries.
struct Array {
  host::Value owner;
  const polycodec_array* raw;
};

/// The class of values, which has no subclasses.
inline nb::handle value_type() {
  static const nb::handle type = nb::type<Value>();
  return type;
}

/// The object of Python of a value.
nb::object object_of(Value value);

/// The keys of an object or a map, or the names of columns. Throws Status::type for other values.
nb::list keys_of(const Value& value);

/// The array of numpy that views a leaf, read-only. Throws Status::type if numpy has no such type.
nb::object numpy_of(const polycodec_array& leaf, const host::Value& owner);

/// A value of typed or plain JSON; `registry` may be null.
Value parsed(nb::str text, nb::handle type, const host::Registry* registry);

/// The buffer protocol of values, and what a loop calls: methods cost twice as much as slots.
PyType_Slot* value_slots();
int value_buffer(PyObject* self, Py_buffer* view, int flags) noexcept;
void release_value_buffer(PyObject* self, Py_buffer* view) noexcept;

void bind_items(nb::module_& module);
void bind_value(nb::module_& module);
void bind_array(nb::module_& module);
void bind_exchange(nb::class_<Value>& value);
void bind_exchange_functions(nb::module_& module);
void bind_registry(nb::module_& module);
void bind_codec(nb::module_& module);
void bind_schema(nb::module_& module);
void bind_channel(nb::module_& module);
void bind_stream(nb::module_& module);

}  // namespace polycodec_python
