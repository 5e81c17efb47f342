// SPDX-License-Identifier: MIT
// The buffer protocol of values: leaves of numbers, strings and bytes.
#include <polycodec/array_view.hpp>

#include "value.hpp"

#include <algorithm>
#include <memory>
#include <string>

namespace polycodec_python {
namespace {

/// The character of the module struct for an element type, or nothing.
const char* format_of(std::uint32_t dtype) noexcept {
  switch (dtype) {
    case POLYCODEC_DTYPE_BOOLEAN:
      return "?";
    case POLYCODEC_DTYPE_INT8:
      return "b";
    case POLYCODEC_DTYPE_INT16:
      return "h";
    case POLYCODEC_DTYPE_INT32:
      return "i";
    case POLYCODEC_DTYPE_INT64:
      return "q";
    case POLYCODEC_DTYPE_UINT8:
      return "B";
    case POLYCODEC_DTYPE_UINT16:
      return "H";
    case POLYCODEC_DTYPE_UINT32:
      return "I";
    case POLYCODEC_DTYPE_UINT64:
      return "Q";
    case POLYCODEC_DTYPE_FLOAT16:
      return "e";
    case POLYCODEC_DTYPE_FLOAT32:
      return "f";
    case POLYCODEC_DTYPE_FLOAT64:
      return "d";
    default:
      return nullptr;
  }
}

int refuse(Py_buffer* view, const char* why) noexcept {
  view->obj = nullptr;
  PyErr_SetString(PyExc_BufferError, why);
  return -1;
}

int leaf_buffer(PyObject* self, const polycodec_array& a, Py_buffer* view, int flags) {
  const char* code = format_of(a.dtype);
  if (code == nullptr) return refuse(view, "the elements have no format: use to_numpy()");
  const polycodec::ArrayView all(a);
  const bool contiguous = all.is_contiguous();
  if (!contiguous && ((flags & PyBUF_STRIDES) != PyBUF_STRIDES ||
                      (flags & (PyBUF_C_CONTIGUOUS | PyBUF_F_CONTIGUOUS | PyBUF_ANY_CONTIGUOUS) &
                       ~PyBUF_STRIDES) != 0))
    return refuse(view, "the array is not contiguous: use to_numpy().copy()");
  const bool swapped = a.byte_order != polycodec::host_byte_order && a.item_size > 1;
  if (swapped && (flags & PyBUF_FORMAT) == 0)
    return refuse(view, "the elements are in the other byte order: use to_numpy()");
  auto format = std::make_unique<std::string>();
  if (swapped) format->push_back(a.byte_order == POLYCODEC_BIG_ENDIAN ? '>' : '<');
  format->append(code);
  static char nothing;
  view->buf = a.data == nullptr ? &nothing : const_cast<void*>(a.data);
  view->len = static_cast<Py_ssize_t>(all.element_count() * a.item_size);
  view->itemsize = a.item_size;
  view->readonly = 1;
  view->ndim = static_cast<int>(a.ndim);
  // Py_ssize_t and int64_t are of one size, and nobody writes to these.
  view->shape = (flags & PyBUF_ND) != 0
                    ? reinterpret_cast<Py_ssize_t*>(const_cast<std::int64_t*>(a.shape))
                    : nullptr;
  view->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES
                      ? reinterpret_cast<Py_ssize_t*>(const_cast<std::int64_t*>(a.strides))
                      : nullptr;
  view->suboffsets = nullptr;
  view->format = (flags & PyBUF_FORMAT) != 0 ? format->data() : nullptr;
  view->internal = format.release();
  Py_INCREF(self);
  view->obj = self;
  return 0;
}

}  // namespace

int value_buffer(PyObject* self, Py_buffer* view, int flags) noexcept {
  view->obj = nullptr;
  if ((flags & PyBUF_WRITABLE) != 0) return refuse(view, "values are read-only");
  try {
    if (!nb::inst_ready(self)) return refuse(view, "the value was never made");
    const Value* value = nb::inst_ptr<Value>(self);
    const polycodec_node* n = value->proper();
    if (n->kind == POLYCODEC_KIND_BINARY || n->kind == POLYCODEC_KIND_STRING) {
      view->internal = nullptr;
      return PyBuffer_FillInfo(view, self, const_cast<void*>(n->as.data),
                               static_cast<Py_ssize_t>(polycodec_node_size(n)), 1, flags);
    }
    if (n->kind == POLYCODEC_KIND_ARRAY && n->as.array->layout == POLYCODEC_LAYOUT_NDARRAY)
      return leaf_buffer(self, *n->as.array, view, flags);
  } catch (const std::exception&) {
    return refuse(view, "no memory");
  }
  return refuse(view, "only bytes, strings and arrays of numbers have a buffer");
}

void release_value_buffer(PyObject*, Py_buffer* view) noexcept {
  delete static_cast<std::string*>(view->internal);
}

}  // namespace polycodec_python
