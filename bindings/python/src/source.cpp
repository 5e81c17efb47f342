// SPDX-License-Identifier: MIT
#include "source.hpp"

#include <memory>

namespace polycodec_python {
namespace {

void release_buffer(void* owner) noexcept {
  const std::unique_ptr<Py_buffer> view(static_cast<Py_buffer*>(owner));
  if (!has_interpreter()) return;
  const nb::gil_scoped_acquire locked;
  PyBuffer_Release(view.get());
}

}  // namespace

void release_object(void* object) noexcept {
  if (!has_interpreter()) return;
  const nb::gil_scoped_acquire locked;
  Py_DECREF(static_cast<PyObject*>(object));
}

bool is_immutable(nb::handle data) {
  if (PyBytes_CheckExact(data.ptr())) return true;
  return PyMemoryView_Check(data.ptr()) != 0 && PyBytes_CheckExact(data.attr("obj").ptr());
}

SourceHandle source_of_buffer(nb::handle data, std::string_view name) {
  SourceHandle source;
  if (PyBytes_CheckExact(data.ptr())) {
    char* bytes = nullptr;
    Py_ssize_t size = 0;
    PyBytes_AsStringAndSize(data.ptr(), &bytes, &size);
    Py_INCREF(data.ptr());
    call(polycodec_source_from_bytes, polycodec_bytes{bytes, static_cast<std::uint64_t>(size)},
         data.ptr(), &release_object, bytes_of(name), source.out());
    return source;
  }
  auto view = std::make_unique<Py_buffer>();
  if (PyObject_GetBuffer(data.ptr(), view.get(), PyBUF_CONTIG_RO) != 0) throw nb::python_error();
  if (view->readonly == 0) {
    PyObject* copy = PyBytes_FromStringAndSize(static_cast<const char*>(view->buf), view->len);
    PyBuffer_Release(view.get());
    if (copy == nullptr) throw nb::python_error();
    return source_of_buffer(nb::steal(copy), name);
  }
  const polycodec_bytes bytes{view->buf, static_cast<std::uint64_t>(view->len)};
  call(is_immutable(data) ? &polycodec_source_from_bytes : &polycodec_source_from_changing_bytes,
       bytes, view.release(), &release_buffer, bytes_of(name), source.out());
  return source;
}

SourceHandle source_of_path(nb::handle path, bool copy, const polycodec_limits& limits) {
  PyObject* encoded = nullptr;
  if (PyUnicode_FSConverter(path.ptr(), &encoded) == 0) throw nb::python_error();
  const nb::object kept = nb::steal(encoded);
  char* bytes = nullptr;
  Py_ssize_t size = 0;
  PyBytes_AsStringAndSize(encoded, &bytes, &size);
  SourceHandle source;
  Failure failure;
  std::int32_t code = 0;
  {
    const nb::gil_scoped_release unlocked;
    code = polycodec_source_open({bytes, static_cast<std::uint64_t>(size)},
                                 copy ? POLYCODEC_SOURCE_COPY : 0, &limits, source.out(), &failure);
  }
  if (code != POLYCODEC_OK) raise(failure);
  return source;
}

}  // namespace polycodec_python
