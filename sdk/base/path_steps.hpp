// SPDX-License-Identifier: MIT
// Paths as users and programs write them, read step by step (polycodec/path.hpp is how errors
// print them).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace polycodec {

/// The steps of a path: `[$][.]name`, and then `.name`, `["any key"]` and `[3]` as often as needed.
/// `$` alone is the root; it and the dot of the first name may be left out. A name is all that
/// comes before the next `.` or `[`; a key is a JSON string. A `$` that no step follows is part of
/// a name. The text must stay as long as this is used.
class PathSteps {
 public:
  struct Step {
    std::string name;
    std::uint64_t index = 0;
    bool is_index = false;
  };

  /// Throws as next().
  explicit PathSteps(std::string_view path);
  bool is_done() const noexcept { return at_ == path_.size(); }
  /// The path up to the next step in the full form, with `$`.
  std::string taken() const;
  /// Takes a step. Throws Error(Status::option) with the offset in the text.
  Step next();

 private:
  [[noreturn]] void fail() const;

  std::string_view path_;
  std::size_t at_ = 0;
};

/// The path with its `$` and first dot. Throws Error(Status::option) for what is not a path.
std::string full_path(std::string_view path);

}  // namespace polycodec
