// SPDX-License-Identifier: MIT
// Runs the command in a folder of its own, as its users do.
#pragma once

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace polycodec::test {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct Finished {
  int status = -1;
  std::string out, err;
};

inline std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

inline std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class Command : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "polycodec_cli_XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  Finished run(const std::vector<std::string>& arguments, const std::string& input = "",
               const std::string& environment = "") {
    std::ofstream(folder_ / "stdin", std::ios::binary) << input;
    std::string line = "cd " + quoted(folder_.string()) + " && env -u POLYCODEC_CONFIG -u POLYCODEC_PLUGIN_PATH " +
                       environment + " " + quoted(POLYCODEC_COMMAND);
    for (const std::string& a : arguments) line += " " + quoted(a);
    line += " < stdin > stdout 2> stderr";
    const int status = std::system(line.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read(folder_ / "stdout"),
            read(folder_ / "stderr")};
  }

  static std::string vector(const std::string& name) {
    return std::string(POLYCODEC_TEST_VECTORS) + "/msgpack_ndarray/" + name + ".msgpack";
  }
  void write(const std::string& name, const std::string& bytes) {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
  }

  fs::path folder_;
};

}  // namespace polycodec::test
