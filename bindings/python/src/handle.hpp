// SPDX-License-Identifier: MIT
// Handles of the library, and its errors as exceptions of Python.
#pragma once

#include <polycodec/error.hpp>
#include <polycodec/host.h>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace polycodec_python {

namespace nb = nanobind;
using polycodec::CallError;

/// One holder of a counted handle, or none.
template <class T, T* (*Retain)(T*), void (*Release)(T*)>
class Shared {
 public:
  Shared() = default;
  explicit Shared(T* raw) noexcept : raw_(raw) {}
  Shared(const Shared& other) noexcept : raw_(Retain(other.raw_)) {}
  Shared(Shared&& other) noexcept : raw_(std::exchange(other.raw_, nullptr)) {}
  Shared& operator=(Shared other) noexcept {
    std::swap(raw_, other.raw_);
    return *this;
  }
  ~Shared() { Release(raw_); }
  T* get() const noexcept { return raw_; }
  /// A place for a result of the library. The handle holds nothing before.
  T** out() noexcept { return &raw_; }

 private:
  T* raw_ = nullptr;
};

using RegistryHandle =
    Shared<polycodec_registry, polycodec_registry_retain, polycodec_registry_release>;
using CodecHandle =
    Shared<polycodec_opened_codec, polycodec_opened_codec_retain, polycodec_opened_codec_release>;
using SourceHandle = Shared<polycodec_source, polycodec_source_retain, polycodec_source_release>;
using ValueHandle = Shared<polycodec_value, polycodec_value_retain, polycodec_value_release>;
using SchemaHandle = Shared<polycodec_schema, polycodec_schema_retain, polycodec_schema_release>;

/// The one owner of a handle that is not counted.
template <class T, void (*Free)(T*)>
class Unique {
 public:
  Unique() = default;
  explicit Unique(T* raw) noexcept : raw_(raw) {}
  Unique(Unique&& other) noexcept : raw_(std::exchange(other.raw_, nullptr)) {}
  Unique& operator=(Unique&& other) noexcept {
    std::swap(raw_, other.raw_);
    return *this;
  }
  ~Unique() { Free(raw_); }
  T* get() const noexcept { return raw_; }
  T** out() noexcept { return &raw_; }

 private:
  T* raw_ = nullptr;
};

using SinkHandle = Unique<polycodec_sink, polycodec_sink_free>;
using FramesHandle = Unique<polycodec_frames, polycodec_frames_free>;
using ChannelHandle = Unique<polycodec_channel, polycodec_channel_free>;
using MessageHandle = Unique<polycodec_message, polycodec_message_free>;

/// Throws the exception for a failed call. `cause`: the exception of a codec in Python, or null.
[[noreturn]] void raise(CallError& failure, nb::object cause = {});
/// Throws an exception that this binding finds itself. `path`: where in the value.
[[noreturn]] void raise(polycodec_status code, const std::string& message,
                        const std::string& path = {});

/// Calls a function of the library that does no work of a codec, with the interpreter locked.
template <class Function, class... Arguments>
void call(Function&& function, Arguments&&... arguments) {
  CallError failure;
  if (function(std::forward<Arguments>(arguments)..., failure.raw()) != POLYCODEC_OK)
    raise(failure);
}

inline polycodec_bytes bytes_of(std::string_view text) noexcept {
  return {text.data(), text.size()};
}
inline std::string_view view_of(polycodec_bytes bytes) noexcept {
  return {static_cast<const char*>(bytes.data), static_cast<std::size_t>(bytes.size)};
}
inline std::string_view view_of(nb::handle text) {
  Py_ssize_t size = 0;
  const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (data == nullptr) throw nb::python_error();
  return {data, static_cast<std::size_t>(size)};
}
inline nb::str str_of(std::string_view text) {
  PyObject* made =
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogateescape");
  if (made == nullptr) throw nb::python_error();
  return nb::steal<nb::str>(made);
}

/// Raises for an argument that is not a number of the right kind: InvalidError if it is out of
/// range, else MismatchError.
[[noreturn]] void raise_number(nb::handle object, std::string_view name, std::string_view range);

/// The number of an argument, or of an attribute of an object of the program.
template <class T>
T number(nb::handle object, std::string_view name) {
  T result{};
  if (nb::try_cast<T>(object, result)) return result;
  if constexpr (std::is_integral_v<T>)
    raise_number(object, name,
                 "an integer from " + std::to_string(std::numeric_limits<T>::min()) + " to " +
                     std::to_string(std::numeric_limits<T>::max()));
  else
    raise_number(object, name, "a number");
}

/// A sink, what it holds as text, and as bytes of Python.
SinkHandle new_sink(std::uint32_t flags = POLYCODEC_SINK_CONTIGUOUS, std::uint64_t max_bytes = 0);
nb::str text_of(SinkHandle& sink);
nb::object bytes_object(SinkHandle& sink);

/// False if the interpreter is gone: objects of Python are then left alone. While it ends, the
/// thread that ends it still has it.
inline bool has_interpreter() noexcept {
  return Py_IsInitialized() != 0 || PyGILState_GetThisThreadState() != nullptr;
}

/// An attribute of a module of the package, imported when it is first asked for.
nb::object attribute(const char* module, const char* name);

/// JSON for a value of Python, and back. None is an empty text; a str is JSON already.
std::string to_json(nb::handle value);
nb::object from_json(nb::handle text);

}  // namespace polycodec_python
