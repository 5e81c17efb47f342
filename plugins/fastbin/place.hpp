// SPDX-License-Identifier: MIT
// Where the reader of a buffer is, kept on its stack and put into words only when something is
// wrong.
#pragma once

#include <base/path.hpp>
#include <polycodec/error.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace polycodec::fastbin {

/// A step of a path: a member, or an item of a vector. The root has no outer place.
struct Place {
  const Place* outer = nullptr;
  std::string_view name;
  std::uint64_t index = 0;
  bool is_item = false;

  static Place member(const Place& outer, std::string_view name) noexcept {
    return {&outer, name, 0, false};
  }
  static Place item(const Place& outer, std::uint64_t index) noexcept {
    return {&outer, {}, index, true};
  }

  std::string text() const {
    if (outer == nullptr) return std::string(path_root);
    std::string path = outer->text();
    if (is_item)
      append_index(path, index);
    else
      append_key(path, name);
    return path;
  }
};

/// Throws with the word of the format for what is wrong, such as "bad_size", and where.
[[noreturn, gnu::cold, gnu::noinline]] inline void refuse(Status status, std::string_view word,
                                                          const Place& place, std::uint64_t offset,
                                                          std::string message) {
  throw Error(status, std::move(message), offset).detail(word).path(place.text());
}

}  // namespace polycodec::fastbin
