// SPDX-License-Identifier: MIT
// A directory for plugins that ends with its test.
#pragma once

#include "files.hpp"
#include "registry/codec/registry.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace polycodec {

using test::read_file;

class PluginDirectory : public ::testing::Test {
 protected:
  PluginDirectory() { make(directory); }

  static void make(const std::filesystem::path& path) {
    std::filesystem::create_directory(path);
    std::filesystem::permissions(path, std::filesystem::perms(0755));
  }

  static void write(const std::filesystem::path& path, const std::string& text) {
    std::filesystem::remove(path);
    test::write_file(path, text);
    std::filesystem::permissions(path, std::filesystem::perms(0644));
  }

  static std::filesystem::path sample() {
    return std::filesystem::path(POLYCODEC_TEST_BINARY_DIR) / "test_plugins";
  }

  /// Puts the sample plugin into a directory.
  static void install_sample(const std::filesystem::path& into) {
    write(into / "sample.so", read_file(sample() / "sample.so"));
    write(into / "test.sample.polycodec.json", read_file(sample() / "test.sample.polycodec.json"));
  }

  /// The least manifest that is complete, with these codecs.
  static std::string manifest(const std::string& id, const std::string& codecs) {
    return R"({"manifest": 2, "id": ")" + id + R"(", "version": "1.0.0", "library": "x.so",
"abi": 2, "summary": "s", "license": "MIT", "codecs": [)" +
           codecs + "]}";
  }

  static std::string codec(const std::string& name, const std::string& aliases = "") {
    return R"({"name": ")" + name + R"(", "summary": "s", "format_version": "1", "aliases": [)" +
           aliases +
           R"(], "media_types": [], "extensions": [], "magic": [], "decode": true, "encode": true,
"inputs": ["bytes"], "options": {"type": "object"}})";
  }

  RegistryOptions options() const {
    RegistryOptions o;
    o.plugin_paths = {directory};
    o.use_environment = false;
    o.use_builtins = false;
    return o;
  }

  const test::TemporaryDirectory temporary_;
  const std::filesystem::path root = temporary_.path(), directory = root / "plugins";
};

/// The message of the Error that `body` throws, or "" if it throws none.
template <class Body>
std::string message_of(Body&& body, Status status) {
  try {
    body();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), status) << e.describe();
    return e.message();
  }
  return {};
}

}  // namespace polycodec
