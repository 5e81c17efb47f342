// SPDX-License-Identifier: MIT
// Files that the Python library wrote, against what it reads from them.
#include <polycodec/hdf5_store.hpp>

#include "read_support.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace polycodec::test {
namespace {

const std::string folder = POLYCODEC_TEST_VECTORS "/awkward/";

Json json_file(const std::string& path) {
  std::ifstream in(path);
  return Json::parse(in);
}

/// What an ideal reader gives: `ideal` where the real library cannot, otherwise what it gives.
std::optional<Json> expected_of(const std::string& name) {
  for (const char* ending : {".ideal.json", ".json"})
    if (std::filesystem::exists(folder + name + ending)) return json_file(folder + name + ending);
  return std::nullopt;
}

TEST(AwkwardVectors, ZipFiles) {
  int read = 0;
  for (const Json& vector : json_file(folder + "MANIFEST.json")) {
    const std::string name = vector["name"];
    if (!std::filesystem::exists(folder + name + ".awkd")) continue;
    SCOPED_TRACE(name);
    const auto expected = expected_of(name);
    try {
      const Value value = read_path(folder + name + ".awkd");
      ASSERT_TRUE(expected) << "the file is damaged, and was read";
      EXPECT_EQ("", difference(Item(value.view()), *expected));
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
    const auto e = refusal_of([&] { return read_path(folder + name + ".awkd"); });
    return e ? e->detail() + " " + e->path() : "read";
  };
  EXPECT_EQ("dtype.object $.schema.args[1].dtype", refused("np_object"));
  EXPECT_EQ("jagged.range $.schema.args[0]", refused("jagged_stops_longer"));
  EXPECT_EQ("expression.dangling_reference $.schema.args[0].pairs[1][1].ref", refused("virtual_shared_notpersist"));
}

TEST(AwkwardVectors, Folders) {
  for (const auto& entry : std::filesystem::directory_iterator(folder + "dir")) {
    const std::string name = entry.path().filename();
    SCOPED_TRACE(name);
    const Value all = read_path(entry.path());
    ASSERT_EQ(POLYCODEC_OBJECT, Item(all.view()).kind());
    ASSERT_EQ(1u, Item(all.view()).size());
    const auto expected = expected_of(name);
    if (expected) {
      EXPECT_EQ("", difference(Item(all.view()).child(0), *expected));
    }
    const std::string array(Item(all.view()).name(0));
    const Value one = read_path(entry.path(), Json{{"array", array}}.dump());
    ASSERT_EQ(POLYCODEC_LIST, Item(one.view()).kind());
    if (expected) {
      EXPECT_EQ("", difference(Item(one.view()), *expected));
    }
  }
}

TEST(AwkwardVectors, Hdf5) {
  if (!has_hdf5()) GTEST_SKIP() << "built without HDF5";
  for (const char* name : {"h5_zall", "h5_empty"}) {
    SCOPED_TRACE(name);
    const Value value = read_path(folder + name + ".h5");
    EXPECT_EQ("", difference(Item(value.view()), json_file(folder + name + ".h5.json")));
  }
}

}  // namespace
}  // namespace polycodec::test
