// SPDX-License-Identifier: MIT
// Refusals: the words of the format, and the path of what was refused, put together only when there is something to
// refuse.
#pragma once

#include <polycodec/error.hpp>
#include <polycodec/varint.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace polycodec::dynd {

/// Throws with one of the words that docs of the format list, such as `varint-overlong`.
[[noreturn, gnu::cold, gnu::noinline]] inline void refuse(Status status, std::string_view word, std::string message,
                                                          std::uint64_t offset = Error::no_offset) {
  throw Error(status, std::move(message), offset).detail(word);
}

[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_limit(std::string message,
                                                                std::uint64_t offset = Error::no_offset) {
  refuse(Status::limit, "limit", std::move(message), offset);
}

[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_varint(VarintStatus status, const char* what,
                                                                 std::uint64_t offset, std::uint64_t end) {
  const std::string name(what);
  if (status == VarintStatus::truncated) refuse(Status::truncated, "truncated", "the input ends within " + name, end);
  if (status == VarintStatus::overlong)
    refuse(Status::malformed, "varint-overlong", name + " is not written in its shortest form", offset);
  refuse(Status::malformed, "varint-overflow", name + " does not fit in 64 bits", offset);
}

/// Puts a step, such as `[3]`, before the path of an error that comes from inside.
inline void prefix_path(Error& error, std::string_view step) {
  const std::string& inner = error.path();
  std::string path = "$";
  path += step;
  if (!inner.empty()) path.append(inner, 1);
  error.path(path);
}

inline std::string index_step(std::uint64_t i) {
  return '[' + std::to_string(i) + ']';
}

inline std::string field_step(std::string_view name) {
  bool plain = !name.empty() && !(name[0] >= '0' && name[0] <= '9');
  for (const char c : name)
    plain = plain && ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_');
  if (plain) return '.' + std::string(name);
  std::string step = "[\"";
  for (const char c : name.substr(0, 64)) {
    if (c == '"' || c == '\\') step += '\\';
    step += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
  }
  return step + "\"]";
}

}  // namespace polycodec::dynd
