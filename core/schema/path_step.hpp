// SPDX-License-Identifier: MIT
// A step into a value or schema, for as long as the walk is there.
#pragma once

#include <base/path.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace polycodec::schema {

/// Adds a key or an index to a path, and takes it off again, also when an error passes.
class PathStep {
 public:
  PathStep(std::string& path, std::string_view key) : path_(path), size_(path.size()) {
    append_key(path, key);
  }
  PathStep(std::string& path, std::uint64_t index) : path_(path), size_(path.size()) {
    append_index(path, index);
  }
  ~PathStep() { path_.resize(size_); }
  PathStep(const PathStep&) = delete;
  PathStep& operator=(const PathStep&) = delete;

 private:
  std::string& path_;
  std::size_t size_;
};

}  // namespace polycodec::schema
