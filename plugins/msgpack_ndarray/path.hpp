// SPDX-License-Identifier: MIT
// Where an error is, in terms of the value: `$.a[3]`.
#pragma once

#include <polycodec/abi.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace polycodec::msgpack_ndarray {

/// Appends the step to child node number `child` of `container` (a LIST, TUPLE, OBJECT or MAP): `[3]`, `.name`,
/// `["odd name"]`, `{value 3}` for entries without a text key and `{key 3}` for a key itself.
inline void append_step(std::string& path, const polycodec_node& container, std::uint64_t child) {
  if (container.kind != POLYCODEC_OBJECT && container.kind != POLYCODEC_MAP) {
    path += '[' + std::to_string(child) + ']';
    return;
  }
  const std::string entry = std::to_string(child / 2);
  if (child % 2 == 0) {
    path += "{key " + entry + '}';
    return;
  }
  const polycodec_node& key = container.as.nodes[child - 1];
  if (key.kind != POLYCODEC_STRING) {
    path += "{value " + entry + '}';
    return;
  }
  const std::string_view name(static_cast<const char*>(key.as.data),
                              static_cast<std::size_t>(polycodec_node_size(&key)));
  bool plain = !name.empty() && !(name[0] >= '0' && name[0] <= '9');
  for (const char c : name)
    plain = plain && ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_');
  if (plain) {
    path += '.';
    path += name;
    return;
  }
  path += "[\"";
  for (const char c : name.substr(0, 64)) {
    if (c == '"' || c == '\\') path += '\\';
    path += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
  }
  path += "\"]";
}

/// The path of an error in what stands at `before`; one that is whole already stays.
inline std::string placed(const std::string& before, const std::string& path) {
  return path.starts_with('$') ? path : before + path;
}

}  // namespace polycodec::msgpack_ndarray
