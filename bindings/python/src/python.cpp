// SPDX-License-Identifier: MIT
#include "python.hpp"

#include <polycodec/detail/advice.hpp>

#include <algorithm>
#include <cstring>
#include <exception>
#include <typeinfo>
#include <utility>

namespace polycodec_python {

nb::object attribute(const char* module, const char* name) {
  return nb::module_::import_(module).attr(name);
}

void set_exception(const Error& error, nb::object cause) {
  const nb::object offset =
      error.offset() == Error::no_offset ? nb::none() : nb::object(nb::int_(error.offset()));
  static PyObject* make = nullptr;  // lives as long as the process
  if (make == nullptr) make = attribute("polycodec._errors", "make").release().ptr();
  constexpr polycodec::detail::Spelling words{.tolerant = "tolerant=True",
                                              .lossy = "on_loss=\"warn\" or a function",
                                              .compare = "no comparison",
                                              .from_codec = "codec=\"NAME\"",
                                              .to_codec = "codec=\"NAME\"",
                                              .from = {"codec=\"NAME\", options=", ""},
                                              .to = {"codec=\"NAME\", options=", ""},
                                              .limits = {"limits=", ""},
                                              .is_python = true};
  const nb::object exception = nb::handle(make)(
      static_cast<int>(error.code()), str_of(polycodec::detail::spelled(error, words)), offset,
      str_of(error.path()), str_of(error.detail()), str_of(error.codec()));
  if (cause.is_valid()) PyException_SetCause(exception.ptr(), cause.release().ptr());
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception.ptr())), exception.ptr());
}

void raise(const Error& error, nb::object cause) {
  set_exception(error, std::move(cause));
  throw nb::python_error();
}

void translate_errors() {
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      try {
        std::rethrow_exception(thrown);
      } catch (const std::bad_cast&) {  // of nanobind: what the program gave has another type
        throw Error(Status::type,
                    "an argument, or an attribute of one, has another type than it must");
      }
    } catch (const Error& error) {
      try {
        set_exception(error);
      } catch (nb::python_error& failure) {
        failure.restore();
      }
    }
  });
}

void refuse_number(nb::handle object, std::string_view name, std::string_view range) {
  PyErr_Clear();
  const bool is_integer = PyIndex_Check(object.ptr()) != 0;
  std::string message(name);
  message.append(is_integer ? " is out of range: must be " : " must be ").append(range);
  if (!is_integer) message.append(", not ").append(nb::type_name(object.type()).c_str());
  throw Error(is_integer ? Status::range : Status::type, message);
}

nb::object bytes_object(std::span<const polycodec_bytes> pieces) {
  std::uint64_t size = 0;
  for (const polycodec_bytes& piece : pieces) size += piece.size;
  PyObject* made = PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(size));
  if (made == nullptr) throw nb::python_error();
  char* to = PyBytes_AsString(made);
  for (const polycodec_bytes& piece : pieces) {
    if (piece.size != 0) std::memcpy(to, piece.data, piece.size);
    to += piece.size;
  }
  return nb::steal(made);
}

Buffer::Buffer(nb::handle object) {
  if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_CONTIG_RO) == 0) return;
  if (PyErr_ExceptionMatches(PyExc_TypeError) == 0 &&
      PyErr_ExceptionMatches(PyExc_BufferError) == 0)
    throw nb::python_error();
  PyErr_Clear();
  const bool is_text = PyUnicode_Check(object.ptr()) != 0;
  throw Error(Status::type, std::string("bytes, or an object with a contiguous buffer of bytes, "
                                        "are needed, not ") +
                                nb::type_name(object.type()).c_str() +
                                (is_text ? ": polycodec.open() reads a file by its name" : ""));
}

bool is_true(nb::handle object) {
  const int answer = PyObject_IsTrue(object.ptr());
  if (answer < 0) throw nb::python_error();
  return answer != 0;
}

std::string path_or_empty(nb::handle path) {
  return path.is_none() ? std::string() : path_of(path);
}

std::string path_of(nb::handle path) {
  PyObject* encoded = nullptr;
  const bool is_path =
      PyUnicode_Check(path.ptr()) || PyBytes_Check(path.ptr()) || nb::hasattr(path, "__fspath__");
  if (!is_path)
    throw Error(Status::type, std::string("a path must be str, bytes or os.PathLike, not ") +
                                  nb::type_name(path.type()).c_str());
  if (PyUnicode_FSConverter(path.ptr(), &encoded) == 0) {
    if (PyErr_ExceptionMatches(PyExc_ValueError) == 0) throw nb::python_error();
    PyErr_Clear();
    throw Error(Status::invalid, "a path must not have a byte of zero");
  }
  const nb::object kept = nb::steal(encoded);
  return {PyBytes_AsString(encoded), static_cast<std::size_t>(PyBytes_Size(encoded))};
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

nb::object from_json(std::string_view text) {
  return attribute("json", "loads")(str_of(text));
}

}  // namespace polycodec_python
