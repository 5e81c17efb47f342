// SPDX-License-Identifier: MIT
// Where an error is, in terms of the value: `$.a[3]`.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/path.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace polycodec::msgpack_ndarray {

/// Appends the step to child node number `child` of `container` (a LIST, TUPLE, OBJECT or MAP):
/// `[3]`, `.name`, `["odd name"]`, `<value 3>` for entries without a text key and `<key 3>` for a
/// key itself.
inline void append_step(std::string& path, const polycodec_node& container, std::uint64_t child) {
  if (container.kind != POLYCODEC_KIND_OBJECT && container.kind != POLYCODEC_KIND_MAP) {
    append_index(path, child);
    return;
  }
  if (child % 2 == 0) {
    append_part(path, Part::key, child / 2);
    return;
  }
  const polycodec_node& key = container.as.nodes[child - 1];
  if (key.kind != POLYCODEC_KIND_STRING) {
    append_part(path, Part::value, child / 2);
    return;
  }
  const std::string_view name(static_cast<const char*>(key.as.data),
                              static_cast<std::size_t>(polycodec_node_size(&key)));
  append_key(path, name);
}

/// The path of an error in what is at `before`; one that is whole already stays.
inline std::string placed(const std::string& before, const std::string& path) {
  return path.starts_with('$') ? path : before + path;
}

/// The path in the whole value, if `path` begins with the `$` of a part of it that is at `part`.
inline std::string inside(const std::string& part, const std::string& path) {
  return part + path.substr(std::min<std::size_t>(1, path.size()));
}

}  // namespace polycodec::msgpack_ndarray
