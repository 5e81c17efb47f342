// SPDX-License-Identifier: MIT
// A folder for one test, gone afterwards.
#pragma once

#include "error_of.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

namespace polycodec::test {

class TemporaryFolder : public ::testing::Test {
 protected:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "polycodec-test-XXXXXX").native();
    if (::mkdtemp(name.data()) == nullptr) throw std::filesystem::filesystem_error("mkdtemp", std::error_code());
    folder = name;
  }
  ~TemporaryFolder() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }
  std::filesystem::path write(const std::filesystem::path& name, std::string_view content) const {
    const auto path = folder / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary).write(content.data(), static_cast<std::streamsize>(content.size()));
    return path;
  }
  static std::string slurp(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  /// How many names the folder has, hidden ones included.
  std::ptrdiff_t count() const {
    return std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator());
  }

  std::filesystem::path folder;
};

}  // namespace polycodec::test
