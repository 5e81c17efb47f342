// SPDX-License-Identifier: MIT
// A folder for plugins that ends with its test.
#pragma once

#include <polycodec/registry.hpp>

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace polycodec {

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

class PluginFolder : public ::testing::Test {
 protected:
  PluginFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "polycodec_registry_XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) std::abort();
    root = std::filesystem::canonical(pattern);
    folder = root / "plugins";
    make(folder);
  }
  ~PluginFolder() override {
    std::error_code ignored;
    std::filesystem::remove_all(root, ignored);
  }

  static void make(const std::filesystem::path& directory) {
    std::filesystem::create_directory(directory);
    std::filesystem::permissions(directory, std::filesystem::perms(0755));
  }

  static void write(const std::filesystem::path& path, const std::string& text) {
    std::filesystem::remove(path);
    std::ofstream(path, std::ios::binary) << text;
    std::filesystem::permissions(path, std::filesystem::perms(0644));
  }

  static std::filesystem::path sample() { return std::filesystem::path(POLYCODEC_TEST_BINARY_DIR) / "test_plugins"; }

  /// Puts the sample plugin into a folder.
  static void install_sample(const std::filesystem::path& into) {
    write(into / "sample.so", read_file(sample() / "sample.so"));
    write(into / "test.sample.polycodec.json", read_file(sample() / "test.sample.polycodec.json"));
  }

  /// The least manifest that is complete, with these codecs.
  static std::string manifest(const std::string& id, const std::string& codecs) {
    return R"({"manifest": 1, "id": ")" + id + R"(", "version": "1.0.0", "library": "x.so",
"abi": {"min": 1, "max": 1}, "summary": "s", "license": "MIT", "codecs": [)" +
           codecs + "]}";
  }

  static std::string codec(const std::string& name, const std::string& aliases = "") {
    return R"({"name": ")" + name + R"(", "summary": "s", "format_version": "1", "aliases": [)" + aliases +
           R"(], "media_types": [], "extensions": [], "magic": [], "decode": true, "encode": true,
"input": ["bytes"], "stream": false, "options": {"type": "object"}})";
  }

  RegistryOptions options() const {
    RegistryOptions o;
    o.plugin_paths = {folder};
    o.use_environment = false;
    o.use_builtins = false;
    return o;
  }

  std::filesystem::path root, folder;
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
