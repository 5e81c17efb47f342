// SPDX-License-Identifier: MIT
// Runs the command in a directory of its own, as its users do.
#pragma once

#include "run.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace polycodec::test {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* polycodec_command = POLYCODEC_BIN_DIR "/polycodec";

class Command : public ::testing::Test {
 protected:
  Finished run(const std::vector<std::string>& arguments, const std::string& input = "",
               const std::string& environment = "") {
    std::string line =
        "env -u POLYCODEC_CONFIG -u POLYCODEC_PLUGIN_PATH "
        "-u POLYCODEC_PLUGIN_SYSTEM_PATH -u VIRTUAL_ENV -u CONDA_PREFIX -u XDG_DATA_HOME HOME=" +
        shell_word(directory_.string()) + " " + environment + " " + shell_word(polycodec_command);
    for (const std::string& a : arguments) line += " " + shell_word(a);
    return run_line(directory_, line, input);
  }

  static std::string vector(const std::string& name) {
    return std::string(POLYCODEC_TEST_VECTORS) + "/msgpack_ndarray/" + name + ".msgpack";
  }
  void write(const std::string& name, const std::string& bytes) {
    write_file(directory_ / name, bytes);
  }

  const TemporaryDirectory temporary_;
  const fs::path& directory_ = temporary_.path();
};

}  // namespace polycodec::test
