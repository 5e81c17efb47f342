// SPDX-License-Identifier: MIT
// Files that the Python library wrote, against what it reads from them.

#include "files.hpp"
#include "read_support.hpp"

#include <gtest/gtest.h>

#include <filesystem>

namespace polycodec::test {
namespace {

const std::string directory = POLYCODEC_TEST_VECTORS "/awkward/";

Json json_file(const std::string& path) {
  return Json::parse(read_file(path));
}

/// What an ideal reader gives: `ideal` where the real library cannot, otherwise what it gives.
std::optional<Json> expected_of(const std::string& name) {
  for (const char* ending : {".ideal.json", ".json"})
    if (std::filesystem::exists(directory + name + ending))
      return json_file(directory + name + ending);
  return std::nullopt;
}

TEST(AwkwardVectors, ZipFiles) {
  int read = 0;
  for (const Json& vector : json_file(directory + "MANIFEST.json")) {
    const std::string name = vector["name"];
    if (!std::filesystem::exists(directory + name + ".awkd")) continue;
    SCOPED_TRACE(name);
    const auto expected = expected_of(name);
    try {
      const Value value = read_path(directory + name + ".awkd");
      ASSERT_TRUE(expected) << "the file is damaged, and was read";
      EXPECT_EQ("", difference(View(value.view()), *expected));
      ++read;
    } catch (const Error& e) {
      EXPECT_FALSE(expected) << e.describe();
      EXPECT_TRUE(e.path().starts_with("$.schema")) << e.describe();
    }
  }
  EXPECT_GE(read, 70);
}

TEST(AwkwardVectors, DamagedFilesSayWhere) {
  const auto refused = [&](const char* name) {
    const auto e = refusal_of([&] { return read_path(directory + name + ".awkd"); });
    return e ? e->detail() + " " + e->path() : "read";
  };
  EXPECT_EQ("dtype.object $.schema.args[1].dtype", refused("np_object"));
  EXPECT_EQ("jagged.range $.schema.args[0]", refused("jagged_stops_longer"));
  EXPECT_EQ("expression.dangling_reference $.schema.args[0].pairs[1][1].ref",
            refused("virtual_shared_notpersist"));
}

TEST(AwkwardVectors, Directories) {
  for (const auto& entry : std::filesystem::directory_iterator(directory + "dir")) {
    const std::string name = entry.path().filename();
    SCOPED_TRACE(name);
    const Value all = read_path(entry.path());
    ASSERT_EQ(POLYCODEC_KIND_OBJECT, View(all.view()).kind());
    ASSERT_EQ(1u, View(all.view()).size());
    const auto expected = expected_of(name);
    if (expected) {
      EXPECT_EQ("", difference(View(all.view()).child(0), *expected));
    }
    const std::string array(View(all.view()).name(0));
    const Value one = read_path(entry.path(), Json{{"array", array}}.dump());
    ASSERT_EQ(POLYCODEC_KIND_LIST, View(one.view()).kind());
    if (expected) {
      EXPECT_EQ("", difference(View(one.view()), *expected));
    }
  }
}

TEST(AwkwardVectors, Hdf5) {
  if (!has_hdf5()) GTEST_SKIP() << "built without HDF5";
  for (const char* name : {"h5_zall", "h5_empty"}) {
    SCOPED_TRACE(name);
    const Value value = read_path(directory + name + ".h5");
    EXPECT_EQ("", difference(View(value.view()), json_file(directory + name + ".h5.json")));
  }
}

}  // namespace
}  // namespace polycodec::test
