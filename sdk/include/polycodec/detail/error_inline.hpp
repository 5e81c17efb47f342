// SPDX-License-Identifier: MIT
// The functions of Error and of C errors. polycodec/error.hpp includes this header itself.
#pragma once

#include <polycodec/detail/utf8_char.hpp>
#include <polycodec/error.hpp>

#include <cstdint>
#include <cstring>
#include <exception>
#include <iterator>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace polycodec {

namespace detail {

inline constexpr std::string_view status_names[] = {
    "ok",     "truncated", "trailing",  "malformed", "unsupported", "limit",
    "type",   "range",     "not_found", "denied",    "ambiguous",   "option",
    "plugin", "invalid",   "io",        "memory",    "cancelled",   "internal"};
static_assert(std::size(status_names) == POLYCODEC_STATUS_COUNT);

}  // namespace detail

inline std::string_view status_name(Status status) noexcept {
  const auto index = static_cast<std::uint32_t>(status);
  return index < POLYCODEC_STATUS_COUNT ? detail::status_names[index] : std::string_view("unknown");
}

[[gnu::noinline]] inline std::string Error::describe() const {
  std::string text = codec_.empty() ? std::string() : codec_ + ": ";
  text += message_;
  std::string where;
  const auto add = [&where](const std::string& part) {
    where.append(where.empty() ? "" : ", ").append(part);
  };
  if (!detail_.empty()) add(detail_);
  if (offset_ != no_offset) add(std::string("at byte ") + std::to_string(offset_));
  if (!path_.empty()) add(std::string("in ") + path_);
  return where.empty() ? text : text + " (" + where + ")";
}

namespace detail {

[[gnu::noinline]] inline void copy_text(std::span<char> field, std::string_view text) noexcept {
  std::size_t size = 0;
  while (!text.empty()) {
    char32_t code_point = 0;
    const std::size_t length =
        decode_one(reinterpret_cast<const std::uint8_t*>(text.data()), text.size(), code_point);
    const std::size_t taken = length == 0 ? 1 : length;
    if (size + taken >= field.size()) break;
    std::memcpy(field.data() + size, text.data(), taken);
    if (length == 0 || text[0] == '\0') field[size] = '?';
    size += taken;
    text.remove_prefix(taken);
  }
  field[size] = '\0';
}

inline std::string_view field_text(std::span<const char> field) noexcept {
  const void* end = std::memchr(field.data(), 0, field.size());
  return {field.data(),
          end == nullptr ? field.size()
                         : static_cast<std::size_t>(static_cast<const char*>(end) - field.data())};
}

[[gnu::noinline]] inline std::int32_t fill_from_exception(polycodec_error* error) noexcept {
  try {
    throw;
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

}  // namespace detail

[[gnu::noinline]] inline std::int32_t fill_error(polycodec_error* error, Status code,
                                                 std::string_view message, std::uint64_t offset,
                                                 std::string_view detail_word,
                                                 std::string_view path) noexcept {
  error->code = static_cast<std::int32_t>(code);
  error->offset = offset;
  detail::copy_text(error->detail, detail_word);
  detail::copy_text(error->path, path);
  detail::copy_text(error->message, message);
  return error->code;
}

[[gnu::noinline]] inline std::int32_t fill_error(polycodec_error* error, const Error& e) noexcept {
  return fill_error(error, e.code(), e.message(), e.offset(), e.detail(), e.path());
}

[[gnu::noinline]] inline Error to_error(std::int32_t code, const polycodec_error& error) {
  const bool known = code > 0 && code < POLYCODEC_STATUS_COUNT;
  std::string message(detail::field_text(error.message));
  if (message.empty())
    message =
        known ? std::string(status_name(static_cast<Status>(code))) : "failed without a message";
  return Error(known ? static_cast<Status>(code) : Status::plugin, std::move(message), error.offset)
      .detail(detail::field_text(error.detail))
      .path(detail::field_text(error.path));
}

}  // namespace polycodec
