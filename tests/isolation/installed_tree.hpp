// SPDX-License-Identifier: MIT
// The command, its library and plugins in a tree of their own, as they are installed: tests may put
// plugins into the directories of that tree.
#pragma once

#include "tests/cli/command.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::test {

class InstalledTree : public Command {
 protected:
  InstalledTree() {
    for (const char* below : {"home", "prefix/bin", "prefix/lib/polycodec/plugins/abi2",
                              "prefix/lib/polycodec/site/abi2"})
      fs::create_directories(directory_ / below);
    copy(POLYCODEC_BIN_DIR "/polycodec", prefix_ / "bin/polycodec");
    for (const char* name : {"libpolycodec.so.0", "polycodec/polycodec-sandbox"})
      copy(libraries() / name, lib_ / name);
    for (const char* name : {"ply.so", "ply.polycodec.json"})
      copy(own_plugins() / name, package_ / name);
  }

  static fs::path libraries() { return POLYCODEC_TEST_LIBRARY_DIR; }
  static fs::path own_plugins() { return libraries() / "polycodec/plugins/abi2"; }

  static void copy(const fs::path& from, const fs::path& to) {
    fs::create_directories(to.parent_path());
    fs::copy_file(fs::canonical(from), to);
  }

  /// Copies a plugin of this build into a directory.
  void add(const fs::path& from, std::string_view id, std::string_view library,
           const fs::path& to) {
    for (const std::string& name :
         {std::string(library), std::string(id).append(".polycodec.json")})
      copy(from / name, to / name);
  }
  /// The sample plugin, which nobody installs.
  void add_sample(const fs::path& to) {
    add(POLYCODEC_TEST_BINARY_DIR "/test_plugins", "test.sample", "sample.so", to);
  }

  Finished run_there(const std::string& words, const std::string& environment = {}) {
    return run_line(
        directory_,
        "env -u POLYCODEC_CONFIG -u POLYCODEC_PLUGIN_PATH -u POLYCODEC_PLUGIN_SYSTEM_PATH "
        "-u VIRTUAL_ENV -u CONDA_PREFIX -u XDG_DATA_HOME HOME=" +
            shell_word((directory_ / "home").string()) + " " + environment + " " +
            shell_word((prefix_ / "bin/polycodec").string()) + " " + words);
  }
  Json doctor(const std::string& environment = {}) {
    return Json::parse(run_there("doctor --json", environment).out);
  }

  /// The record of a plugin with this outcome, or the first one.
  static Json record_of(const Json& doctor, std::string_view id, std::string_view outcome = {}) {
    for (const Json& one : doctor["records"])
      if (one["id"] == id && (outcome.empty() || one["outcome"] == outcome)) return one;
    return {};
  }

  const fs::path prefix_ = directory_ / "prefix", lib_ = prefix_ / "lib",
                 package_ = lib_ / "polycodec/plugins/abi2", site_ = lib_ / "polycodec/site/abi2";
};

}  // namespace polycodec::test
