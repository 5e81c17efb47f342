// SPDX-License-Identifier: MIT
#include "handle.hpp"

#include <algorithm>

namespace polycodec_python {

nb::object attribute(const char* module, const char* name) {
  return nb::module_::import_(module).attr(name);
}

void raise(CallError& failure, nb::object cause) {
  const polycodec::Error error = failure.error(failure.raw()->code);
  const nb::object offset =
      error.offset() == POLYCODEC_NO_OFFSET ? nb::none() : nb::object(nb::int_(error.offset()));
  const nb::object exception = attribute("polycodec._errors", "make")(
      static_cast<int>(error.code()), str_of(error.message()), offset, str_of(error.path()),
      str_of(error.detail()), str_of(error.codec()));
  if (cause.is_valid()) PyException_SetCause(exception.ptr(), cause.release().ptr());
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception.ptr())), exception.ptr());
  throw nb::python_error();
}

void raise(polycodec_status code, const std::string& message, const std::string& path) {
  CallError failure;
  polycodec::fill_error(failure.raw(), static_cast<polycodec::Status>(code), message,
                        POLYCODEC_NO_OFFSET, {}, path);
  raise(failure);
}

void raise_number(nb::handle object, std::string_view name, std::string_view range) {
  PyErr_Clear();
  const bool is_integer = PyIndex_Check(object.ptr()) != 0;
  std::string message(name);
  message.append(is_integer ? " is out of range: must be " : " must be ").append(range);
  if (!is_integer) message.append(", not ").append(nb::type_name(object.type()).c_str());
  raise(is_integer ? POLYCODEC_ERROR_RANGE : POLYCODEC_ERROR_TYPE, message);
}

SinkHandle new_sink(std::uint32_t flags, std::uint64_t max_bytes) {
  SinkHandle sink;
  call(polycodec_sink_create, flags, max_bytes, sink.out());
  return sink;
}

nb::str text_of(SinkHandle& sink) {
  polycodec_bytes bytes;
  call(polycodec_sink_bytes, sink.get(), &bytes);
  return str_of(view_of(bytes));
}

nb::object bytes_object(SinkHandle& sink) {
  const polycodec_bytes* segments = nullptr;
  std::uint64_t n = 0;
  call(polycodec_sink_segments, sink.get(), &segments, &n);
  std::uint64_t size = 0;
  for (std::uint64_t i = 0; i < n; ++i) size += segments[i].size;
  PyObject* made = PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(size));
  if (made == nullptr) throw nb::python_error();
  char* to = PyBytes_AsString(made);
  for (std::uint64_t i = 0; i < n; ++i) {
    if (segments[i].size != 0) std::memcpy(to, segments[i].data, segments[i].size);
    to += segments[i].size;
  }
  return nb::steal(made);
}

namespace {

/// Adds a dict of names to booleans, as most options are. The module json takes longer than a
/// small call. Returns false for any other dict.
bool put_flags(std::string& json, nb::handle dict) {
  PyObject* key = nullptr;
  PyObject* value = nullptr;
  Py_ssize_t at = 0;
  json = "{";
  while (PyDict_Next(dict.ptr(), &at, &key, &value) != 0) {
    if (!PyUnicode_CheckExact(key) || (value != Py_True && value != Py_False)) return false;
    const std::string_view name = view_of(key);
    const auto is_plain = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
    if (!std::all_of(name.begin(), name.end(), is_plain)) return false;
    json += json.size() == 1 ? "\"" : ",\"";
    json += name;
    json += value == Py_True ? "\":true" : "\":false";
  }
  json += '}';
  return true;
}

}  // namespace

std::string to_json(nb::handle value) {
  if (value.is_none()) return {};
  if (PyUnicode_Check(value.ptr())) return std::string(view_of(value));
  if (std::string flags; PyDict_CheckExact(value.ptr()) && put_flags(flags, value)) return flags;
  return std::string(view_of(attribute("json", "dumps")(value)));
}

nb::object from_json(nb::handle text) {
  return attribute("json", "loads")(text);
}

}  // namespace polycodec_python
