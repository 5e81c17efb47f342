// SPDX-License-Identifier: MIT
// The notation for places in a value: `$` is the root, `.name` and `["any key"]` a member, `[3]` an
// item, and `<payload>` a part that has no name of its own in the data (the payload of an
// extension, the content of a list).
#pragma once

#include <polycodec/error.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace polycodec {

namespace detail {
/// Puts a step after the root of the path of an error.
void put_step(Error& error, std::string step);
}  // namespace detail

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

/// The parts of a value that have no name of their own in the data.
enum class Part : std::uint8_t {
  key,         ///< of an entry of a map, or of a member
  value,       ///< of an entry whose key is not a text
  payload,     ///< of an extension
  target,      ///< of a reference
  attributes,  ///< the metadata of a node or an array
  member,      ///< of a union, or of an array of unions
  field,       ///< a column without a name
  content,     ///< of an array of lists, options or indices
  chunk,       ///< of an array in chunks
};

/// The word for a part, such as "payload".
std::string_view part_word(Part part) noexcept;

/// Appends an unnamed part: `<payload>`, or with its number `<chunk 2>`.
void append_part(std::string& path, Part part);
void append_part(std::string& path, Part part, std::uint64_t index);

/// Returns what append_key() and append_index() append.
std::string key_step(std::string_view key);
std::string index_step(std::uint64_t index);

/// The longest path that at_step() makes longer.
inline constexpr std::size_t max_grown_path = 4096;

namespace detail {
/// at_step() with the step that step() returns, which is called after an Error alone.
template <class Step, class Body>
decltype(auto) with_step(Step&& step, Body&& body) {
  try {
    return body();
  } catch (const RootedError&) {
    throw;
  } catch (Error& error) {
    put_step(error, step());
    throw;
  }
}
}  // namespace detail

/// Calls body(), and returns what it returns. An Error that leaves it gets a step, the member `key`
/// or the item `index`, in front of its path: `$.b` within item 3 becomes `$[3].b`. So an encoder
/// says where in the value it failed, and builds no path before it fails. What Call::report_loss()
/// throws keeps its path, which is one of the whole value.
template <class Body>
decltype(auto) at_step(std::string_view key, Body&& body) {
  return detail::with_step([&] { return key_step(key); }, body);
}
template <class Body>
decltype(auto) at_step(std::uint64_t index, Body&& body) {
  return detail::with_step([&] { return index_step(index); }, body);
}

/// Adds a step to a path, and takes it off again, also when an error passes.
class PathStep {
 public:
  PathStep(std::string& path, std::string_view key) : PathStep(path) { append_key(path, key); }
  PathStep(std::string& path, std::uint64_t index) : PathStep(path) { append_index(path, index); }
  PathStep(std::string& path, Part part) : PathStep(path) { append_part(path, part); }
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
