// SPDX-License-Identifier: MIT
// A value, or the error that stands in its place: the non-throwing form of what can fail in the
// ordinary course.
#pragma once

#include <polycodec/error.hpp>

#include <exception>
#include <new>
#include <type_traits>
#include <utility>
#include <variant>

namespace polycodec {

/// Holds a T or an Error. Test it before use: value() throws the Error if there is no value.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return ok(); }

  T& value() & { return check(), *std::get_if<0>(&state_); }
  const T& value() const& { return check(), *std::get_if<0>(&state_); }
  T&& value() && { return check(), std::move(*std::get_if<0>(&state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  /// The error; only to be called if there is one.
  const Error& error() const noexcept { return *std::get_if<1>(&state_); }

 private:
  void check() const {
    if (!ok()) throw error();
  }
  std::variant<T, Error> state_;
};

/// Success, or an Error.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}
  bool ok() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return ok(); }
  /// Throws the error if there is one.
  void value() const {
    if (!ok()) throw error();
  }
  /// The error; only to be called if there is one.
  const Error& error() const noexcept { return *std::get_if<1>(&state_); }

 private:
  std::variant<std::monostate, Error> state_;
};

/// Runs `body` and returns what it returns, or the Error for what it threw. Other exceptions become
/// Status::memory or Status::internal.
template <class Body>
auto attempt(Body&& body) -> Result<std::invoke_result_t<Body>> {
  try {
    if constexpr (std::is_void_v<std::invoke_result_t<Body>>) {
      std::forward<Body>(body)();
      return {};
    } else {
      return std::forward<Body>(body)();
    }
  } catch (const Error& e) {
    return e;
  } catch (const std::bad_alloc&) {
    return Error(Status::memory, "out of memory");
  } catch (const std::exception& e) {
    return Error(Status::internal, e.what());
  }
}

}  // namespace polycodec
