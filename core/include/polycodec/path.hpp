// SPDX-License-Identifier: MIT
// The notation for places in a value: `$` is the root, `.name` and `["any key"]` a member, `[3]` an item, and
// `<payload>` a part that has no name of its own in the data (the payload of an extension, the content of a list).
#pragma once

#include <polycodec/export.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace polycodec {

/// The path of the root.
inline constexpr std::string_view path_root = "$";

/// Keys longer than this many bytes are cut in paths: a hostile key must not make a hostile message.
inline constexpr std::size_t max_path_key = 80;

/// Appends the member `key`: `.key` if it is an ASCII identifier, otherwise `["key"]` with JSON's escapes; bytes that
/// are not UTF-8 are written as `\xNN`.
POLYCODEC_API void append_key(std::string& path, std::string_view key);

/// Appends item `index`: `[index]`.
inline void append_index(std::string& path, std::uint64_t index) {
  path += '[';
  path += std::to_string(index);
  path += ']';
}

/// Appends an unnamed part: `<part>`, or `<part index>`.
inline void append_part(std::string& path, std::string_view part) {
  path.append("<").append(part).append(">");
}
inline void append_part(std::string& path, std::string_view part, std::uint64_t index) {
  path.append("<").append(part).append(" ").append(std::to_string(index)).append(">");
}

}  // namespace polycodec
