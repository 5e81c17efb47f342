// SPDX-License-Identifier: MIT
// The one error type of polycodec: what is wrong, where in the bytes, where in the value.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/bytes.hpp>
#include <polycodec/utf8.hpp>

#include <cstdint>
#include <cstring>
#include <exception>
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
/// that is none.
constexpr std::string_view status_name(Status status) noexcept {
  constexpr std::string_view names[] = {
      "ok",     "truncated", "trailing",  "malformed", "unsupported", "limit",
      "type",   "range",     "not_found", "denied",    "ambiguous",   "option",
      "plugin", "invalid",   "io",        "memory",    "cancelled",   "internal"};
  static_assert(std::size(names) == POLYCODEC_STATUS_COUNT);
  const auto index = static_cast<std::uint32_t>(status);
  return index < std::size(names) ? names[index] : std::string_view("unknown");
}

/// An error of decoding, encoding or loading. Thrown by the C++ interfaces; plugins may throw it
/// inside their codecs (the SDK's thunks turn it into a polycodec_error). Copyable, owns its texts.
/// Its type information is visible, so that a host catches by type what the host libraries throw.
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

  /// One line for people: `codec: message (detail, at byte N, in path)`, leaving out what is not
  /// known.
  std::string describe() const {
    std::string text = codec_.empty() ? std::string() : codec_ + ": ";
    text += message_;
    std::string where;
    const auto add = [&where](const std::string& part) {
      where += (where.empty() ? "" : ", ") + part;
    };
    if (!detail_.empty()) add(detail_);
    if (offset_ != no_offset) add("at byte " + std::to_string(offset_));
    if (!path_.empty()) add("in " + path_);
    return where.empty() ? text : text + " (" + where + ")";
  }

 private:
  Status code_;
  std::uint64_t offset_;
  std::string message_, detail_, path_, codec_;
};

namespace detail {

/// Copies text into a NUL-terminated field, cut at a UTF-8 character boundary where it does not
/// fit. Messages quote what stands in the input: bytes that are not UTF-8, and NUL, become '?'.
template <std::size_t N>
void copy_text(char (&field)[N], std::string_view text) noexcept {
  std::size_t size = 0;
  while (!text.empty()) {
    char32_t code_point = 0;
    const std::size_t length =
        decode_one(reinterpret_cast<const std::uint8_t*>(text.data()), text.size(), code_point);
    const std::size_t taken = length == 0 ? 1 : length;
    if (size + taken >= N) break;
    std::memcpy(field + size, text.data(), taken);
    if (length == 0 || text[0] == '\0') field[size] = '?';
    size += taken;
    text.remove_prefix(taken);
  }
  field[size] = '\0';
}

/// The text of a NUL-terminated field; a field without a NUL (a plugin broke the contract) ends
/// with the field.
template <std::size_t N>
std::string_view field_text(const char (&field)[N]) noexcept {
  const void* end = std::memchr(field, 0, N);
  return {field,
          end == nullptr ? N : static_cast<std::size_t>(static_cast<const char*>(end) - field)};
}

}  // namespace detail

/// Fills a C error from its parts and returns the code. Never throws.
inline std::int32_t fill_error(polycodec_error* error, Status code, std::string_view message,
                               std::uint64_t offset = POLYCODEC_NO_OFFSET,
                               std::string_view detail_word = {},
                               std::string_view path = {}) noexcept {
  error->code = static_cast<std::int32_t>(code);
  error->offset = offset;
  detail::copy_text(error->detail, detail_word);
  detail::copy_text(error->path, path);
  detail::copy_text(error->message, message);
  return error->code;
}

/// Fills a C error from a C++ one.
inline std::int32_t fill_error(polycodec_error* error, const Error& e) noexcept {
  return fill_error(error, e.code(), e.message(), e.offset(), e.detail(), e.path());
}

/// An empty C error, ready to be handed to a plugin or the host.
inline polycodec_error make_error() noexcept {
  polycodec_error error;
  error.struct_size = sizeof error;
  fill_error(&error, Status::ok, {});
  return error;
}

/// The C++ error for a failed call: `code` is what the call returned, `error` what it filled in.
inline Error to_error(std::int32_t code, const polycodec_error& error) {
  const bool known = code > 0 && code < POLYCODEC_STATUS_COUNT;
  std::string message(detail::field_text(error.message));
  if (message.empty())
    message =
        known ? std::string(status_name(static_cast<Status>(code))) : "failed without a message";
  return Error(known ? static_cast<Status>(code) : Status::plugin, std::move(message), error.offset)
      .detail(detail::field_text(error.detail))
      .path(detail::field_text(error.path));
}

/// Calls a function of the ABI, whose last parameter is the error, and throws what it reports.
template <class Function, class... Arguments>
void invoke(Function* function, Arguments... arguments) {
  auto error = make_error();
  if (const std::int32_t code = function(arguments..., &error); code != POLYCODEC_OK) [[unlikely]]
    throw to_error(code, error);
}

/// Runs `body` and turns whatever it throws into a status and a filled error: the wall that no
/// exception passes. `body` returns void.
template <class Body>
std::int32_t guard(polycodec_error* error, Body&& body) noexcept {
  try {
    std::forward<Body>(body)();
    return POLYCODEC_OK;
  } catch (const Error& e) {
    return fill_error(error, e);
  } catch (const std::bad_alloc&) {
    return fill_error(error, Status::memory, "out of memory");
  } catch (const std::exception& e) {
    return fill_error(error, Status::internal, e.what());
  } catch (...) {
    return fill_error(error, Status::internal, "an exception of unknown type");
  }
}

}  // namespace polycodec
