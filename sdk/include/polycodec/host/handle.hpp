// SPDX-License-Identifier: MIT
// What all of <polycodec/polycodec.hpp> is made of: owners of handles, and the calls themselves. A
// program includes polycodec.hpp.
#pragma once

#include <polycodec/bytes.hpp>
#include <polycodec/error.hpp>
#include <polycodec/host.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace polycodec {
inline namespace host {
namespace border {

[[noreturn, gnu::cold, gnu::noinline]] inline void raise(const CallError& error,
                                                         std::int32_t code) {
  throw error.error(code);
}

/// Calls a function of host.h, whose last parameter is the error, and throws the whole error
/// that it reports. Every call of this library goes through here.
template <class... Parameters, class... Arguments>
void call(std::int32_t (*function)(Parameters...), const Arguments&... arguments) {
  CallError error;
  if (const std::int32_t code = function(arguments..., error.raw()); code != POLYCODEC_OK)
      [[unlikely]]
    raise(error, code);
}

/// Where a function writes the handle that it makes.
struct Place {
  template <class Handle>
  static typename Handle::Raw** of(Handle& handle) noexcept {
    return &handle.raw_;
  }
};

/// A handle with one owner. The handle of an object that was moved from, or made by default, is
/// null: all functions then throw Status::invalid.
template <class T, auto release>
class Owned {
 public:
  using Raw = T;
  Owned() noexcept = default;
  /// Takes over a handle of host.h, or null.
  explicit Owned(T* raw) noexcept : raw_(raw) {}
  Owned(Owned&& other) noexcept : raw_(std::exchange(other.raw_, nullptr)) {}
  Owned& operator=(Owned&& other) noexcept {
    Owned taken(std::move(other));
    std::swap(raw_, taken.raw_);
    return *this;
  }
  ~Owned() {
    if (raw_ != nullptr) release(raw_);
  }
  explicit operator bool() const noexcept { return raw_ != nullptr; }
  /// For functions of host.h. It stays this object's.
  T* raw() const noexcept { return raw_; }

 private:
  friend struct Place;
  T* raw_ = nullptr;
};

/// A handle that the library counts. As Owned, but copies share it; they are cheap and safe on any
/// thread.
template <class T, T* (*retain)(T*), auto release>
class Counted : public Owned<T, release> {
 public:
  using Owned<T, release>::Owned;
  Counted() noexcept = default;
  Counted(const Counted& other) noexcept : Owned<T, release>(retain(other.raw())) {}
  Counted(Counted&&) noexcept = default;
  Counted& operator=(const Counted& other) noexcept { return *this = Counted(other); }
  Counted& operator=(Counted&&) noexcept = default;
};

/// What a function makes through the pointer before its error.
template <class Handle, class... Parameters, class... Arguments>
Handle make(std::int32_t (*function)(Parameters...), const Arguments&... arguments) {
  Handle made;
  call(function, arguments..., Place::of(made));
  return made;
}

/// A struct of host.h with its size and nothing else.
template <class T>
T empty() noexcept {
  T made{};
  made.struct_size = sizeof made;
  return made;
}

/// An object that the library keeps until it calls give_back<T>() with it.
template <class T>
void give_back(void* object) {
  delete static_cast<T*>(object);
}

inline std::vector<polycodec_bytes> all_bytes(const std::vector<std::string>& texts) {
  std::vector<polycodec_bytes> all;
  all.reserve(texts.size());
  for (const std::string& text : texts) all.push_back(to_bytes(text));
  return all;
}

}  // namespace border
}  // namespace host
}  // namespace polycodec
