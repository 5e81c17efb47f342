// SPDX-License-Identifier: MIT
// What all of the binding uses: polycodec, its errors as exceptions of Python, text and numbers.
#pragma once

#include <polycodec/polycodec.hpp>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace polycodec_python {

namespace nb = nanobind;
namespace host = polycodec::host;
using polycodec::Error;
using polycodec::Status;
using polycodec::to_bytes;
using polycodec::to_string_view;
using polycodec::View;

// Functions throw Error where the library reports one, or the binding finds one itself. It becomes
// an exception of Python where it leaves the binding.

/// Sets the exception of Python for an error. `cause`: the exception of a codec in Python, or null.
void set_exception(const Error& error, nb::object cause = {});
/// The same, and throws it.
[[noreturn]] void raise(const Error& error, nb::object cause = {});
/// Makes nanobind do that with what functions throw.
void translate_errors();

/// Bytes that decode or encode in much less than the time in which Ctrl-C must work. A call that
/// encodes so few keeps the interpreter locked: others wait for it no longer than for its objects.
constexpr std::uint64_t short_data = 4096;

inline std::string_view view_of(nb::handle text) {
  Py_ssize_t size = 0;
  const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (data == nullptr) throw nb::python_error();
  return {data, static_cast<std::size_t>(size)};
}
/// Those of `bytes`.
inline std::string_view bytes_of(nb::handle bytes) noexcept {
  return {PyBytes_AsString(bytes.ptr()), static_cast<std::size_t>(PyBytes_Size(bytes.ptr()))};
}
inline nb::str str_of(std::string_view text) {
  PyObject* made =
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogateescape");
  if (made == nullptr) throw nb::python_error();
  return nb::steal<nb::str>(made);
}

/// Throws for an argument that is not a number of the right kind: Status::range if it is out of
/// range, else Status::type.
[[noreturn]] void refuse_number(nb::handle object, std::string_view name, std::string_view range);

/// The number of an argument, or of an attribute of an object of the program.
template <class T>
T number(nb::handle object, std::string_view name) {
  T result{};
  if (nb::try_cast<T>(object, result)) return result;
  if constexpr (std::is_integral_v<T>)
    refuse_number(object, name,
                  "an integer from " + std::to_string(std::numeric_limits<T>::min()) + " to " +
                      std::to_string(std::numeric_limits<T>::max()));
  else
    refuse_number(object, name, "a number");
}

/// Pieces one after another, copied once, as bytes of Python.
nb::object bytes_object(std::span<const polycodec_bytes> pieces);

/// The content of an object with the buffer protocol. The interpreter is locked as long as it
/// lives.
class Buffer {
 public:
  /// Throws Status::type for an object without one, or whose bytes are not contiguous.
  explicit Buffer(nb::handle object);
  ~Buffer() { PyBuffer_Release(&view_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  std::string_view bytes() const noexcept {
    return {static_cast<const char*>(view_.buf), static_cast<std::size_t>(view_.len)};
  }
  bool is_read_only() const noexcept { return view_.readonly != 0; }

 private:
  Py_buffer view_;
};

/// What bool(object) says. Raises what that raises.
bool is_true(nb::handle object);

/// A path as bytes. Raises TypeError for anything else.
std::string path_of(nb::handle path);
/// The same, and empty for None.
std::string path_or_empty(nb::handle path);

/// False if the interpreter is gone: objects of Python are then left alone. While it ends, the
/// thread that ends it still has it.
inline bool has_interpreter() noexcept {
  return Py_IsInitialized() != 0 || PyGILState_GetThisThreadState() != nullptr;
}

/// An attribute of a module of the package, imported when it is first asked for.
nb::object attribute(const char* module, const char* name);

/// JSON for a value of Python, and back. None is an empty text; a str is JSON already.
std::string to_json(nb::handle value);
nb::object from_json(std::string_view text);

}  // namespace polycodec_python
