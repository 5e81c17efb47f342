// SPDX-License-Identifier: MIT
// What every codec of files must survive: vectors of its format that were cut or damaged.
#pragma once

#include "shipped.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <random>
#include <string>

namespace polycodec::test {

/// An error that bad bytes may lead to: one with a word of the format, and no fault of the codec's
/// own.
inline void expect_sound(const Error& error) {
  EXPECT_NE(error.code(), Status::internal) << error.what();
  EXPECT_NE(error.code(), Status::invalid) << error.what();
  EXPECT_FALSE(error.detail().empty()) << error.what();
}

/// Calls `survive` with all beginnings (of long files: 300) of every good vector.
template <class Survive>
void cut_everywhere(const std::filesystem::path& directory, const char* extension,
                    const Survive& survive) {
  for (auto path : descriptions(directory)) {
    const std::string file = read_file(path.replace_extension(extension));
    const auto step = is_isolated()        ? file.size() / 15 + 1
                      : file.size() > 4000 ? file.size() / 300
                                           : 1;
    for (std::size_t size = 0; size < file.size(); size += step)
      survive(std::string(file, 0, size));
  }
}

/// Calls `survive` with 200 damaged forms of every good vector: up to three bits near the start are
/// flipped.
template <class Survive>
void flip_bits(const std::filesystem::path& directory, const char* extension,
               const Survive& survive) {
  std::mt19937 random(7);
  for (auto path : descriptions(directory)) {
    const std::string file = read_file(path.replace_extension(extension));
    if (file.empty()) continue;
    for (int i = 0; i < rounds(200); ++i) {
      std::string flipped = file;
      for (auto n = 1 + random() % 3; n != 0; --n) {
        auto& byte = flipped[random() % std::min<std::size_t>(flipped.size(), 3000)];
        byte = static_cast<char>(byte ^ (1 << random() % 8));
      }
      survive(flipped);
    }
  }
}

}  // namespace polycodec::test
