// SPDX-License-Identifier: MIT
// The functions of Error and of C errors. polycodec/error.hpp includes this header itself.
#pragma once

#include <polycodec/detail/hex.hpp>
#include <polycodec/detail/utf8_char.hpp>
#include <polycodec/error.hpp>

#include <cstddef>
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

namespace detail {

/// The path of a deep place is as long as that is deep: its beginning and end tell it.
[[gnu::noinline]] inline std::string shortened(const std::string& path) {
  constexpr std::size_t most = 240;
  std::size_t head = 100, tail = path.size() - 100;
  if (path.size() <= most) return path;
  const auto is_inside = [&](std::size_t at) {
    return (static_cast<unsigned char>(path[at]) & 0xc0) == 0x80;
  };
  while (head > 0 && is_inside(head)) --head;
  while (tail + 1 < path.size() && is_inside(tail)) ++tail;
  return path.substr(0, head) + "..." + path.substr(tail);
}

}  // namespace detail

[[gnu::noinline]] inline std::string Error::describe() const {
  std::string text = codec_.empty() ? std::string() : codec_ + ": ";
  text += message_;
  std::string where;
  const auto add = [&where](const std::string& part) {
    where.append(where.empty() ? "" : ", ").append(part);
  };
  if (!detail_.empty()) add(detail_);
  if (offset_ != no_offset) add(std::string("at byte ") + std::to_string(offset_));
  if (!path_.empty()) add("in " + detail::shortened(path_));
  return where.empty() ? text : text + " (" + where + ")";
}

namespace detail {

/// Takes the first character off the text: its size, and whether it is one.
inline std::pair<std::size_t, bool> take_character(std::string_view text) noexcept {
  char32_t code_point = 0;
  const std::size_t length =
      decode_one(reinterpret_cast<const std::uint8_t*>(text.data()), text.size(), code_point);
  return {length == 0 ? 1 : length, length != 0};
}

[[gnu::noinline]] inline bool copy_text(std::span<char> field, std::string_view text) noexcept {
  std::size_t size = 0;
  while (!text.empty()) {
    const auto [taken, is_character] = take_character(text);
    if (size + taken >= field.size()) break;
    std::memcpy(field.data() + size, text.data(), taken);
    if (!is_character || text[0] == '\0') field[size] = '?';
    size += taken;
    text.remove_prefix(taken);
  }
  field[size] = '\0';
  return text.empty();
}

[[gnu::noinline]] inline std::string clean_text(std::string_view text, std::size_t most) {
  std::string clean;
  while (!text.empty()) {
    const auto [taken, is_character] = take_character(text);
    const auto first = static_cast<unsigned char>(text[0]);
    const char escaped[] = {'\\', 'x', hex_digits[first / 16], hex_digits[first % 16]};
    const bool is_control = (first < 0x20 && first != '\t' && first != '\n') || first == 0x7f;
    const std::string_view piece = !is_character ? std::string_view("?")
                                   : is_control  ? std::string_view(escaped, sizeof escaped)
                                                 : text.substr(0, taken);
    if (clean.size() + piece.size() > most) break;
    clean.append(piece);
    text.remove_prefix(taken);
  }
  return clean;
}

inline std::string_view field_text(std::span<const char> field) noexcept {
  const void* end = std::memchr(field.data(), 0, field.size());
  return {field.data(),
          end == nullptr ? field.size()
                         : static_cast<std::size_t>(static_cast<const char*>(end) - field.data())};
}

[[gnu::noinline]] inline void say(const polycodec_error& error, std::string_view message,
                                  std::string_view path) noexcept {
  try {
    // A path that takes all of it would leave no room for the advice.
    const std::string where = clean_text(path, max_error_bytes / 2);
    const std::string what = clean_text(message, max_error_bytes - where.size());
    error.say(error.say_data, to_bytes(what), to_bytes(where));
  } catch (...) {  // NOLINT: without memory what fits into the fields must do
  }
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
  const bool has_path = detail::copy_text(error->path, path);
  const bool has_message = detail::copy_text(error->message, message);
  if (detail::has_say(*error)) {
    error->codec[0] = '\0';
    if (!(has_path && has_message) && error->say != nullptr) detail::say(*error, message, path);
  }
  return error->code;
}

[[gnu::noinline]] inline std::int32_t fill_error(polycodec_error* error, const Error& e) noexcept {
  fill_error(error, e.code(), e.message(), e.offset(), e.detail(), e.path());
  if (detail::has_say(*error)) detail::copy_text(error->codec, e.codec());
  return error->code;
}

namespace detail {

[[gnu::noinline]] inline Error error_of(std::int32_t code, const polycodec_error& error,
                                        std::string_view message, std::string_view path) {
  const bool known = code > 0 && code < POLYCODEC_STATUS_COUNT;
  std::string what = clean_text(message, max_error_bytes);
  if (what.empty())
    what = known ? std::string(status_name(static_cast<Status>(code))) : "failed without a message";
  Error made(known ? static_cast<Status>(code) : Status::plugin, std::move(what), error.offset);
  made.detail(field_text(error.detail)).path(clean_text(path, max_error_bytes));
  if (has_say(error)) made.codec(clean_text(field_text(error.codec), sizeof error.codec));
  return made;
}

}  // namespace detail

inline Error to_error(std::int32_t code, const polycodec_error& error) {
  return detail::error_of(code, error, detail::field_text(error.message),
                          detail::field_text(error.path));
}

[[gnu::noinline]] inline void CallError::hear(polycodec_bytes message,
                                              polycodec_bytes path) noexcept {
  if (whole_ != nullptr) return;
  constexpr std::uint64_t most = detail::max_error_bytes;
  const auto text = [](polycodec_bytes bytes) {
    const std::uint64_t size = bytes.data == nullptr ? 0 : bytes.size;
    return to_string_view(bytes.data, size < most ? size : most);
  };
  try {
    std::string where = detail::clean_text(text(path), most / 2);
    std::string what = detail::clean_text(text(message), most - where.size());
    whole_ = new Whole{std::move(what), std::move(where)};
  } catch (...) {  // NOLINT: without memory what fits into the fields must do
  }
}

[[gnu::noinline]] inline Error CallError::error(std::int32_t code) const {
  if (whole_ == nullptr) return to_error(code, error_);
  return detail::error_of(code, error_, whole_->message, whole_->path);
}

}  // namespace polycodec
