// SPDX-License-Identifier: MIT
#include "source.hpp"

#include <memory>

namespace polycodec_python {
namespace {

void release_buffer(void* owner) noexcept {
  if (!has_interpreter()) return;
  const nb::gil_scoped_acquire locked;
  delete static_cast<Buffer*>(owner);
}

}  // namespace

void release_object(void* object) noexcept {
  if (!has_interpreter()) return;
  const nb::gil_scoped_acquire locked;
  Py_DECREF(static_cast<PyObject*>(object));
}

nb::object copy_of(std::string_view bytes) {
  const polycodec_bytes all = to_bytes(bytes);
  return bytes_object({&all, 1});
}

bool is_immutable(nb::handle data) {
  if (PyBytes_CheckExact(data.ptr())) return true;
  return PyMemoryView_Check(data.ptr()) != 0 && PyBytes_CheckExact(data.attr("obj").ptr());
}

host::Source source_of_buffer(nb::handle data, std::string_view name) {
  const host::SourceOptions options{.name = std::string(name), .changing = !is_immutable(data)};
  if (PyBytes_CheckExact(data.ptr())) {
    char* bytes = nullptr;
    Py_ssize_t size = 0;
    PyBytes_AsStringAndSize(data.ptr(), &bytes, &size);
    Py_INCREF(data.ptr());
    return host::Source::adopt({bytes, static_cast<std::size_t>(size)}, data.ptr(), &release_object,
                               options);
  }
  auto view = std::make_unique<Buffer>(data);
  if (!view->is_read_only()) return source_of_buffer(copy_of(view->bytes()), name);
  const std::string_view bytes = view->bytes();
  return host::Source::adopt(bytes, view.release(), &release_buffer, options);
}

host::Source source_of_path(nb::handle path, bool copy, const host::Limits& limits) {
  const std::string name = path_of(path);
  const nb::gil_scoped_release unlocked;
  return host::Source::file(name, {.copy = copy, .limits = limits});
}

}  // namespace polycodec_python
