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
  polycodec_source_options options{};
  options.struct_size = sizeof options;
  options.name = bytes_of(name);
  if (PyBytes_CheckExact(data.ptr())) {
    char* bytes = nullptr;
    Py_ssize_t size = 0;
    PyBytes_AsStringAndSize(data.ptr(), &bytes, &size);
    Py_INCREF(data.ptr());
    options.bytes = {bytes, static_cast<std::uint64_t>(size)};
    options.owner = data.ptr();
    options.release = &release_object;
    call(polycodec_source_open, &options, source.out());
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
  options.flags = is_immutable(data) ? 0 : POLYCODEC_SOURCE_CHANGING;
  options.bytes = {view->buf, static_cast<std::uint64_t>(view->len)};
  options.owner = view.release();
  options.release = &release_buffer;
  call(polycodec_source_open, &options, source.out());
  return source;
}

SourceHandle source_of_path(nb::handle path, bool copy, const polycodec_limits& limits) {
  PyObject* encoded = nullptr;
  if (PyUnicode_FSConverter(path.ptr(), &encoded) == 0) throw nb::python_error();
  const nb::object kept = nb::steal(encoded);
  char* bytes = nullptr;
  Py_ssize_t size = 0;
  PyBytes_AsStringAndSize(encoded, &bytes, &size);
  polycodec_source_options options{};
  options.struct_size = sizeof options;
  options.from = POLYCODEC_SOURCE_PATH;
  options.path = {bytes, static_cast<std::uint64_t>(size)};
  options.flags = copy ? POLYCODEC_SOURCE_COPY : 0;
  options.limits = &limits;
  SourceHandle source;
  CallError failure;
  std::int32_t code = 0;
  {
    const nb::gil_scoped_release unlocked;
    code = polycodec_source_open(&options, source.out(), failure.raw());
  }
  if (code != POLYCODEC_OK) raise(failure);
  return source;
}

}  // namespace polycodec_python
