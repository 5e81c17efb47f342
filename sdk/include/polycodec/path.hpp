// SPDX-License-Identifier: MIT
// The notation for places in a value: `$` is the root, `.name` and `["any key"]` a member, `[3]` an
// item, and `<payload>` a part that has no name of its own in the data (the payload of an
// extension, the content of a list).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace polycodec {

/// Keys longer than this many bytes are cut in paths: a hostile key must not make a hostile
/// message.
inline constexpr std::size_t max_path_key = 80;

/// The path of the root.
inline constexpr std::string_view path_root = "$";

/// Appends the member `key`: `.key` if it is an ASCII identifier, otherwise `["key"]` with the
/// escapes of quote().
void append_key(std::string& path, std::string_view key);

/// Appends item `index`: `[index]`.
void append_index(std::string& path, std::uint64_t index);

/// Appends an unnamed part: `<part>`, or `<part index>`.
void append_part(std::string& path, std::string_view part);
void append_part(std::string& path, std::string_view part, std::uint64_t index);

/// Returns what append_key() and append_index() append.
std::string key_step(std::string_view key);
std::string index_step(std::uint64_t index);

/// A part of a value that has no name of its own, as a step.
struct PathPart {
  std::string_view name;
};

/// Adds a step to a path, and takes it off again, also when an error passes.
class PathStep {
 public:
  PathStep(std::string& path, std::string_view key) : PathStep(path) { append_key(path, key); }
  PathStep(std::string& path, std::uint64_t index) : PathStep(path) { append_index(path, index); }
  PathStep(std::string& path, PathPart part) : PathStep(path) { append_part(path, part.name); }
  ~PathStep() { path_.resize(size_); }
  PathStep(const PathStep&) = delete;
  PathStep& operator=(const PathStep&) = delete;

 private:
  explicit PathStep(std::string& path) : path_(path), size_(path.size()) {}
  std::string& path_;
  std::size_t size_;
};

}  // namespace polycodec

#include <polycodec/detail/path_inline.hpp>
