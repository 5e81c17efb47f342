// SPDX-License-Identifier: MIT
// The one error type of polycodec: what is wrong, where in the bytes, where in the value.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/bytes.hpp>

#include <cstdint>
#include <exception>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace polycodec {

/// What kind of failure; the values are those of the C ABI (see polycodec_status for when each is
/// used).
enum class Status : std::int32_t {
  ok = POLYCODEC_OK,
  truncated = POLYCODEC_ERROR_TRUNCATED,
  trailing = POLYCODEC_ERROR_TRAILING,
  malformed = POLYCODEC_ERROR_MALFORMED,
  unsupported = POLYCODEC_ERROR_UNSUPPORTED,
  limit = POLYCODEC_ERROR_LIMIT,
  type = POLYCODEC_ERROR_TYPE,
  range = POLYCODEC_ERROR_RANGE,
  not_found = POLYCODEC_ERROR_NOT_FOUND,
  denied = POLYCODEC_ERROR_DENIED,
  ambiguous = POLYCODEC_ERROR_AMBIGUOUS,
  option = POLYCODEC_ERROR_OPTION,
  plugin = POLYCODEC_ERROR_PLUGIN,
  invalid = POLYCODEC_ERROR_INVALID,
  io = POLYCODEC_ERROR_IO,
  memory = POLYCODEC_ERROR_MEMORY,
  cancelled = POLYCODEC_ERROR_CANCELLED,
  internal = POLYCODEC_ERROR_INTERNAL,
};

/// The name of a status in lower case with underscores, such as "not_found"; "unknown" for a number
/// that is not one.
std::string_view status_name(Status status) noexcept;

/// An error of decoding, encoding or loading. Thrown by the C++ interfaces; plugins may throw it
/// inside their codecs (the SDK's thunks turn it into a polycodec_error). Copyable, owns its
/// strings. Its type information is visible, so that a host catches by type what the host libraries
/// throw.
class __attribute__((visibility("default"))) Error : public std::exception {
 public:
  static constexpr std::uint64_t no_offset = POLYCODEC_NO_OFFSET;

  Error(Status code, std::string message, std::uint64_t offset = no_offset)
      : code_(code), offset_(offset), message_(std::move(message)) {}

  /// Sets the format's own word for it, such as "ndarray.size_mismatch". Returns *this, to chain in
  /// a throw.
  Error& detail(std::string_view word) & { return detail_.assign(word), *this; }
  Error&& detail(std::string_view word) && { return detail_.assign(word), std::move(*this); }
  /// Sets the path in the value, such as `$.a[3].data`.
  Error& path(std::string_view path) & { return path_.assign(path), *this; }
  Error&& path(std::string_view path) && { return path_.assign(path), std::move(*this); }
  /// Sets the byte offset.
  Error& offset(std::uint64_t offset) & { return offset_ = offset, *this; }
  Error&& offset(std::uint64_t offset) && { return offset_ = offset, std::move(*this); }
  /// Sets the canonical name of the codec that reported it; filled in by the host.
  Error& codec(std::string_view name) & { return codec_.assign(name), *this; }
  Error&& codec(std::string_view name) && { return codec_.assign(name), std::move(*this); }

  Status code() const noexcept { return code_; }
  std::uint64_t offset() const noexcept { return offset_; }
  const std::string& detail() const noexcept { return detail_; }
  const std::string& path() const noexcept { return path_; }
  const std::string& codec() const noexcept { return codec_; }
  /// The message alone, without code, offset and path.
  const std::string& message() const noexcept { return message_; }
  const char* what() const noexcept override { return message_.c_str(); }

  /// A human-readable line: `codec: message (detail, at byte N, in path)`, leaving out what is not
  /// known.
  std::string describe() const;

 private:
  Status code_;
  std::uint64_t offset_;
  std::string message_, detail_, path_, codec_;
};

namespace detail {

/// An Error whose path begins at the root of the whole value, so that at_step() adds nothing.
class __attribute__((visibility("default"))) RootedError : public Error {
 public:
  explicit RootedError(Error error) : Error(std::move(error)) {}
};

/// Copies text into a NUL-terminated field, cut at a UTF-8 character boundary where it does not
/// fit: then false. Messages quote what is in the input: bytes that are not UTF-8, and NUL, become
/// '?'.
bool copy_text(std::span<char> field, std::string_view text) noexcept;
/// At most `most` bytes of UTF-8: bytes that are not are '?', and control characters but tab and
/// newline are escaped.
std::string clean_text(std::string_view text, std::size_t most);
/// Of the message and path of an error, together.
inline constexpr std::size_t max_error_bytes = std::size_t{64} << 10;
/// True if the caller's struct has say() and what is before it.
inline bool has_say(const polycodec_error& error) noexcept {
  constexpr std::uint32_t most = 4096;  // of any version to come
  return error.struct_size >= sizeof error && error.struct_size <= most;
}
/// The text of a NUL-terminated field; a field without a NUL (a plugin broke the contract) ends
/// with the field.
std::string_view field_text(std::span<const char> field) noexcept;
/// Fills the error from the exception that is being handled, and returns its code.
std::int32_t fill_from_exception(polycodec_error* error) noexcept;

}  // namespace detail

/// Fills a C error from its parts and returns the code. Never throws.
std::int32_t fill_error(polycodec_error* error, Status code, std::string_view message,
                        std::uint64_t offset = POLYCODEC_NO_OFFSET,
                        std::string_view detail_word = {}, std::string_view path = {}) noexcept;
/// Fills a C error from a C++ one.
std::int32_t fill_error(polycodec_error* error, const Error& e) noexcept;
/// An empty C error, ready to be handed to a plugin or the host.
inline polycodec_error make_error() noexcept {
  polycodec_error error;
  error.struct_size = sizeof error;
  error.code = POLYCODEC_OK;
  error.offset = POLYCODEC_NO_OFFSET;
  error.detail[0] = error.path[0] = error.message[0] = error.codec[0] = '\0';
  error.say = nullptr;
  error.say_data = nullptr;
  return error;
}
/// The C++ error for a failed call: `code` is what the call returned, `error` what it filled in.
Error to_error(std::int32_t code, const polycodec_error& error);

/// The C error of one call, which receives the whole message and path.
class CallError {
 public:
  CallError() noexcept : error_(make_error()) {
    error_.say = [](void* self, polycodec_bytes message, polycodec_bytes path) {
      static_cast<CallError*>(self)->hear(message, path);
    };
    error_.say_data = this;
  }
  CallError(const CallError&) = delete;
  CallError& operator=(const CallError&) = delete;
  ~CallError() { delete whole_; }

  /// For the call; lives as long as this.
  polycodec_error* raw() noexcept { return &error_; }
  /// Keeps the first message and path, of which it takes max_error_bytes.
  void hear(polycodec_bytes message, polycodec_bytes path) noexcept;
  /// What the call reported, which returned `code`.
  Error error(std::int32_t code) const;
  /// True if the fields of raw() hold less than error() gives.
  bool is_cut() const noexcept { return whole_ != nullptr; }

 private:
  struct Whole {
    std::string message, path;
  };
  polycodec_error error_;
  Whole* whole_ = nullptr;  // few errors need it
};

/// Calls a function of the ABI, whose last parameter is the error, and throws what it reports.
template <class Function, class... Arguments>
void invoke(Function* function, Arguments... arguments) {
  CallError error;
  if (const std::int32_t code = function(arguments..., error.raw()); code != POLYCODEC_OK)
      [[unlikely]]
    throw error.error(code);
}

/// Runs `body` and turns whatever it throws into a status and a filled error: the wall that no
/// exception passes. `body` returns void.
template <class Body>
std::int32_t guard(polycodec_error* error, Body&& body) noexcept {
  try {
    std::forward<Body>(body)();
    return POLYCODEC_OK;
  } catch (...) {
    return detail::fill_from_exception(error);
  }
}

}  // namespace polycodec

#include <polycodec/detail/error_inline.hpp>
