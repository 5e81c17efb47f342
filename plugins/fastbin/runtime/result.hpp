// SPDX-License-Identifier: MIT
// What reading and writing fastbin buffers can answer: a value, or what is wrong and where.
#pragma once

#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

namespace fastbin_runtime {
inline namespace v1 {

/// Kinds of errors.
enum class Code : std::uint8_t {
  truncated,          ///< the buffer or the enclosing part ends too early
  not_finalized,      ///< the size word of a struct is 0: it was never finished
  bad_size,           ///< a size word is too small or no multiple of 8
  out_of_range,       ///< a size word runs past what encloses it
  reserved_bits,      ///< reserved bits of a size word are set
  bad_pad,            ///< more padding than there is content
  bad_length,         ///< the content is no multiple of the element size
  bad_count,          ///< a count of elements disagrees with the size
  bad_variant_index,  ///< a variant holds an alternative that the schema does not know
  bad_variant_size,   ///< the sizes of a variant disagree with each other or with its alternative
  bad_bool,           ///< a boolean is neither 0 nor 1
  bad_enum,           ///< the value of an enum has no name; only with Options::known_enums
  size_mismatch,      ///< bytes are left after the last member of a struct
  trailing,           ///< bytes follow the root; only with Options::whole_buffer
  no_room,            ///< writing: the buffer is too small
  too_large,          ///< writing: more bytes than the format can say
  out_of_order,       ///< writing in order: a member is not the next one
  not_closed,         ///< writing in order: a part is still open, or has been closed before
};

/// The name of a code, such as "out_of_range".
constexpr std::string_view to_string(Code code) noexcept {
  constexpr std::string_view names[] = {
      "truncated", "not_finalized", "bad_size",      "out_of_range",      "reserved_bits",
      "bad_pad",   "bad_length",    "bad_count",     "bad_variant_index", "bad_variant_size",
      "bad_bool",  "bad_enum",      "size_mismatch", "trailing",          "no_room",
      "too_large", "out_of_order",  "not_closed"};
  return names[static_cast<std::size_t>(code)];
}

/// What is wrong, and where.
struct Error {
  Code code = Code::truncated;
  std::uint64_t offset = 0;  ///< bytes from the start of the root
  std::string path;          ///< the member, such as "readings[3].station"; empty for the root
  std::string message;       ///< for people: what was found and what was expected

  /// All of it in one line.
  std::string text() const {
    std::string line(to_string(code));
    line += " at offset " + std::to_string(offset);
    if (!path.empty()) line += " (" + path + ")";
    return line + ": " + message;
  }
  friend std::ostream& operator<<(std::ostream& out, const Error& error) {
    return out << error.text();
  }
};

/// A value or an error. Without an error it is no larger than the value and a null pointer.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) noexcept : value_(std::move(value)) {}
  Result(std::unique_ptr<Error> error) noexcept : error_(std::move(error)) {}

  /// True if there is a value.
  explicit operator bool() const noexcept { return !error_; }
  /// The value; only if there is one.
  T& operator*() noexcept { return value_; }
  const T& operator*() const noexcept { return value_; }
  T* operator->() noexcept { return &value_; }
  const T* operator->() const noexcept { return &value_; }
  /// The error; only if there is one.
  const Error& error() const noexcept { return *error_; }
  /// Takes the error out, to hand it on as another Result.
  std::unique_ptr<Error> take_error() noexcept { return std::move(error_); }

 private:
  T value_{};
  std::unique_ptr<Error> error_;
};

/// What reading checks beyond what must hold.
struct Options {
  bool known_enums = false;  ///< refuse values of enums that have no name
  bool whole_buffer =
      false;  ///< refuse bytes after the root; a buffer may be larger than what is in it
};

}  // namespace v1
}  // namespace fastbin_runtime
