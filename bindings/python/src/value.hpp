// SPDX-License-Identifier: MIT
// polycodec.Value and polycodec.Array.
#pragma once

#include "handle.hpp"

#include <memory>
#include <utility>

namespace polycodec_python {

class Deferred;

/// A value, or a part of one. It does not change, and keeps the bytes that it views.
class Value {
 public:
  explicit Value(ValueHandle handle, nb::object codec = nb::none(), SourceHandle source = {})
      : handle_(std::move(handle)), codec_(std::move(codec)), source_(std::move(source)) {}
  /// A value that is decoded when it is first used. `codec` may be None: then it is not known yet.
  Value(std::shared_ptr<Deferred> deferred, nb::object codec, SourceHandle source)
      : codec_(std::move(codec)), source_(std::move(source)), deferred_(std::move(deferred)) {}

  /// The handle. The interpreter is locked: a value that was not decoded yet is so now, and what
  /// decoding raises is raised.
  const ValueHandle& handle() const {
    if (deferred_ != nullptr) resolve();
    return handle_;
  }
  polycodec_value* get() const { return handle().get(); }
  const nb::object& codec() const {
    if (deferred_ != nullptr && codec_.is_none()) resolve();
    return codec_;
  }
  /// The bytes that were decoded, or null.
  polycodec_source* source() const noexcept { return source_.get(); }

  /// The root without metadata and references.
  const polycodec_node* proper() const;
  /// The array that the value is, or null.
  const polycodec_array* array() const;
  /// The number of items, members or rows. Raises TypeError for other values.
  std::uint64_t size() const;

  /// A part by name, path, index or slice, or by a tuple of these.
  Value part(nb::handle key) const;

 private:
  Value member(std::string_view name) const;
  Value item(std::int64_t i) const;
  Value slice(nb::handle slice) const;
  Value of_path(std::string_view path) const;
  Value of_node(const polycodec_node* node) const;
  /// A part as a value, of a list or array up to `n` items from `first` on.
  Value of_item(const polycodec_item& item, std::uint64_t first, std::uint64_t n) const;
  /// The first `n` items: columns may be longer than their record.
  Value of_array(const polycodec_array* array, std::uint64_t n = UINT64_MAX) const;

  void resolve() const;

  mutable ValueHandle handle_;
  mutable nb::object codec_;  // the name of the codec that decoded it, or None
  SourceHandle source_;
  mutable std::shared_ptr<Deferred> deferred_;  // until it is decoded
};

/// A columnar array of a value as it is stored, for adapters of other libraries.
struct Array {
  ValueHandle owner;
  const polycodec_array* raw;
};

/// The array of numpy that views a leaf, read-only. Raises MismatchError if numpy has no such type.
nb::object numpy_of(const polycodec_array& leaf, const ValueHandle& owner);

/// The buffer protocol of values.
PyType_Slot* value_buffer_slots();

void bind_value(nb::module_& module);
void bind_array(nb::module_& module);
void bind_exchange(nb::class_<Value>& value);
void bind_exchange_functions(nb::module_& module);
void bind_registry(nb::module_& module);
void bind_schema(nb::module_& module);
void bind_channel(nb::module_& module);
void bind_stream(nb::module_& module);

}  // namespace polycodec_python
