// SPDX-License-Identifier: MIT
// A directory for one test, gone afterwards.
#pragma once

#include "error_of.hpp"
#include "files.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <iterator>
#include <string>
#include <string_view>

namespace polycodec::test {

class InTemporaryDirectory : public ::testing::Test {
 protected:
  std::filesystem::path write(const std::filesystem::path& name, std::string_view content) const {
    const auto path = directory / name;
    std::filesystem::create_directories(path.parent_path());
    write_file(path, content);
    return path;
  }
  /// How many names the directory has, hidden ones included.
  std::ptrdiff_t count() const {
    return std::distance(std::filesystem::directory_iterator(directory),
                         std::filesystem::directory_iterator());
  }

 private:
  const TemporaryDirectory temporary_;

 protected:
  const std::filesystem::path& directory = temporary_.path();
};

}  // namespace polycodec::test
