// SPDX-License-Identifier: MIT
// What every codec of files must survive: the bad vectors of its format, and good ones that were
// cut or damaged.
#pragma once

#include "codec_calls.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <random>
#include <string>

namespace polycodec::test {

/// Every file of `directory`/bad must be refused with the word that its description names (or pass,
/// if that says so).
template <class Codec>
void expect_bad_vectors_refused(const std::filesystem::path& directory, const char* extension) {
  const auto all = descriptions(directory / "bad");
  EXPECT_FALSE(all.empty());
  for (auto path : all) {
    const std::string error = nlohmann::json::parse(read_file(path))["error"].get<std::string>();
    const std::string file = read_file(path.replace_extension(extension));
    const std::string word = refusal(make<Codec>(), file);
    const bool may_pass = error.find("accept") != std::string::npos;
    if (may_pass && word.empty()) continue;
    EXPECT_NE(error.find(word.empty() ? "nothing" : word), std::string::npos)
        << path << ": " << word << ", " << error;
  }
}

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
    const std::size_t step = file.size() > 4000 ? file.size() / 300 : 1;
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
    for (int i = 0; i < 200; ++i) {
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
