// SPDX-License-Identifier: MIT
// Several arrays in one file: listed, read, added, replaced, deleted, in every container.

#include "registry/codec/collection.hpp"

#include "core/store/open.hpp"
#include "core/store/zip_store.hpp"
#include "core/text/text.hpp"
#include "core/value/arena.hpp"
#include "core/value/value.hpp"
#include "files.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <span>
#include <vector>

namespace polycodec::test {
namespace {

namespace fs = std::filesystem;

RegistryOptions options() {
  RegistryOptions options;
  options.use_environment = false;
  options.plugin_paths = {fs::path(POLYCODEC_TEST_BINARY_DIR) / "lib" / "polycodec" / "plugins" /
                          "abi2"};
  return options;
}

bool has_hdf5() {
  return Registry::open(options()).find("hdf5", Kind::store) != nullptr;
}

class CollectionTest : public testing::TestWithParam<const char*> {
 protected:
  Collection collection() const { return Collection(registry_, path_, "awkward"); }
  static std::string names(const Collection& collection) {
    std::set<std::string> sorted;
    for (const auto& entry : collection.list()) sorted.insert(entry.name);
    std::string all;
    for (const std::string& name : sorted) all += name + " ";
    return all;
  }
  static std::string plain(const Value& value) {
    TextOptions text;
    text.plain = true;
    return to_text(value.view(), text);
  }
  /// Everything that stands in the directory.
  std::map<std::string, std::string> snapshot() const {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(directory_))
      if (entry.is_regular_file()) files[entry.path().string()] = read_file(entry.path());
    return files;
  }

  const Value first_ = parse_text(R"([[1, 2], [], [3]])");
  const Value second_ = parse_text(R"(["x", "y"])");
  const Value third_ = parse_text(R"([{"a": 1, "b": "t"}, {"a": 2, "b": "u"}])");
  const Registry registry_ = Registry::open(options());
  const TemporaryDirectory temporary_;
  const fs::path& directory_ = temporary_.path();
  const fs::path path_ = directory_ / (std::string("arrays") + GetParam());
};

INSTANTIATE_TEST_SUITE_P(Containers, CollectionTest, testing::Values(".awkd", ".h5", ""));

TEST_P(CollectionTest, IsADictionary) {
  if (std::string(GetParam()) == ".h5" && !has_hdf5()) GTEST_SKIP() << "built without HDF5";
  Collection arrays = collection();
  EXPECT_TRUE(arrays.list().empty());
  arrays.add("one", first_.view());
  arrays.add("two", second_.view());
  EXPECT_EQ(names(arrays), "one two ");
  EXPECT_EQ(plain(arrays.read("one")), "[[1, 2], [], [3]]");
  EXPECT_EQ(plain(arrays.read("two")), R"(["x", "y"])");

  arrays.replace("one", third_.view());
  EXPECT_EQ(names(arrays), "one two ");
  EXPECT_EQ(plain(arrays.read("one")), plain(third_));
  arrays.replace("one", first_.view());
  EXPECT_EQ(plain(arrays.read("one")), "[[1, 2], [], [3]]");
  EXPECT_EQ(plain(arrays.read("two")), R"(["x", "y"])");
  // Everything at once is an object.
  const Value all = registry_.decode(open_source(path_), {});
  EXPECT_EQ(all.view().size(), 2u);

  arrays.remove("two");
  EXPECT_EQ(names(arrays), "one ");
  EXPECT_EQ(plain(arrays.read("one")), "[[1, 2], [], [3]]");
  // Nothing remains that belongs to no array.
  std::size_t blobs = 0;
  for (const auto& entry : arrays.list()) blobs += entry.blobs.size() + 1;
  const Source source = open_source(path_);
  const auto store = registry_.open_store(source);
  EXPECT_EQ(store->entries().size(), blobs);
}

// Others write to the blobs while the value views them: its numbers follow, its lists do not. HDF5
// files are read in another process, so nothing of them is viewed.
TEST_P(CollectionTest, StructureDoesNotFollowChangedFiles) {
  if (std::string(GetParam()) == ".h5" && !has_hdf5()) GTEST_SKIP() << "built without HDF5";
  constexpr std::uint64_t count = 20000;
  const Value lists = Value::build([&](Builder& out) {
    auto* const offsets = out.allocate<std::int64_t>(count + 1);
    auto* const numbers = out.allocate<std::int64_t>(count);
    for (std::uint64_t i = 0; i <= count; ++i) offsets[i] = static_cast<std::int64_t>(i);
    std::fill_n(numbers, count, 5);
    return Builder::array(
        out.list_offsets(std::span<const std::int64_t>(offsets, count + 1),
                         out.vector(std::span<const std::int64_t>(numbers, count))));
  });
  Collection(registry_, path_, "awkward", R"({"compression": false})").add("x", lists.view());
  std::vector<fs::path> files{path_};
  if (fs::is_directory(path_)) {
    files.clear();
    for (const auto& entry : fs::recursive_directory_iterator(path_))
      if (entry.is_regular_file()) files.push_back(entry.path());
  }
  for (const auto& file : files)
    fs::permissions(file, fs::perms::group_write, fs::perm_options::add);
  const Value value = collection().read("x");
  ASSERT_EQ(View(value.view())[0][0].as_int64(), 5);
  for (const auto& file : files) {
    std::fstream out(file, std::ios::in | std::ios::out | std::ios::binary);
    out << std::string(static_cast<std::size_t>(fs::file_size(file)), '~');
  }
  EXPECT_NO_THROW(validate(value.view(), {}, Validation::full));
  const View items(value.view());
  ASSERT_EQ(items.size(), count);
  for (std::uint64_t i = 0; i < count; ++i) ASSERT_EQ(items[i].size(), 1u) << i;
  // Items may follow the file: they are views of it, but where the library of HDF5 has read them.
  const std::int64_t first = items[0][0].as_int64();
  EXPECT_TRUE(first == 0x7e7e7e7e7e7e7e7e || (std::string(GetParam()) == ".h5" && first == 5))
      << first;
}

TEST_P(CollectionTest, OnlyBlobsThatTheValueWroteAreRemoved) {
  const bool hdf5 = std::string(GetParam()) == ".h5";
  if (hdf5 && !has_hdf5()) GTEST_SKIP() << "built without HDF5";
  Collection arrays = collection();
  arrays.add("victim", first_.view());
  const auto victims = arrays.list();
  ASSERT_EQ(victims.size(), 1u);
  const auto craft = [&](bool more) {
    // A schema that names the blobs of others.
    std::string schema = R"({"awkward0": "0.15.5", "schema": {"list": [)";
    for (const auto& blob : victims[0].blobs)
      schema += R"({"read": ")" + blob.name + R"(", "absolute": true}, )";
    schema += R"({"read": "notes"}, {"read": "spare"}]}})";
    const auto sink = registry_.edit_store(path_);
    const auto put = [&](std::string_view name, std::string_view owner, std::string_view text) {
      auto error = make_error();
      EXPECT_EQ(
          polycodec_sink_put(sink->begin_blob(name, owner).abi(), text.data(), text.size(), &error),
          POLYCODEC_OK);
    };
    if (more) put("notes", "", "of nobody");
    if (more) put("spare", "other", "of another");
    put(hdf5 ? "evil/schema.json" : "evil.json", "", schema);
    sink->finish();
  };
  const auto blobs = [&] {
    std::set<std::string> all;
    const Source source = open_source(path_);
    const auto store = registry_.open_store(source);
    for (const auto& entry : store->entries()) all.insert(entry.name);
    return all;
  };
  craft(true);
  const auto before = blobs();
  EXPECT_EQ(arrays.remove("evil"), std::vector<std::string>{"notes"});
  EXPECT_EQ(names(arrays), "victim ");
  EXPECT_EQ(blobs().size(), before.size() - 1);
  craft(false);
  EXPECT_EQ(arrays.replace("evil", second_.view()), std::vector<std::string>{"notes"});
  EXPECT_EQ(blobs().count("notes"), 1u);
  EXPECT_TRUE(arrays.remove("evil").empty());
  EXPECT_EQ(blobs().size(), before.size() - 1) << "what replace() wrote is owned";
  craft(false);
  EXPECT_TRUE(arrays.remove("evil", true).empty());
  EXPECT_EQ(blobs().count("notes"), 0u) << "the caller insisted";
  EXPECT_EQ(blobs().count("spare"), 1u);
  EXPECT_EQ(plain(arrays.read("victim")), "[[1, 2], [], [3]]");
}

TEST_P(CollectionTest, WhatIsRefusedChangesNothing) {
  if (std::string(GetParam()) == ".h5" && !has_hdf5()) GTEST_SKIP() << "built without HDF5";
  Collection arrays = collection();
  arrays.add("one", first_.view());
  const auto before = snapshot();
  const auto code_of = [](auto action) {
    try {
      action();
    } catch (const Error& e) {
      return e.code();
    }
    return Status::ok;
  };
  EXPECT_EQ(code_of([&] { arrays.add("one", second_.view()); }), Status::invalid);
  EXPECT_EQ(code_of([&] { arrays.replace("two", second_.view()); }), Status::not_found);
  EXPECT_EQ(code_of([&] { arrays.remove("two"); }), Status::not_found);
  EXPECT_EQ(code_of([&] { static_cast<void>(arrays.read("two")); }), Status::not_found);
  EXPECT_EQ(code_of([&] { arrays.add("../out", second_.view()); }), Status::denied);
  // A value that cannot be written, with a blob written before that is found.
  Arena arena;
  Builder out(arena.abi());
  auto bad = Builder::string_view("\xff");
  bad.dtype = POLYCODEC_STRING_LENIENT;
  const auto node = out.object({{"a", out.list({Builder::real(1), Builder::real(2)})}, {"b", bad}});
  EXPECT_EQ(code_of([&] { arrays.add("bad", NodeView(&node)); }), Status::unsupported);
  EXPECT_EQ(code_of([&] { arrays.replace("one", NodeView(&node)); }), Status::unsupported);
  EXPECT_EQ(snapshot(), before);
}

TEST_P(CollectionTest, ReadersOfTheOldFileKeepTheirValue) {
  if (std::string(GetParam()) == ".h5" && !has_hdf5()) GTEST_SKIP() << "built without HDF5";
  Collection arrays = collection();
  std::string text = "[";
  for (int i = 0; i < 30000; ++i) text += (i == 0 ? "" : ", ") + std::to_string(i) + ".5";
  const Value large = parse_text(text + "]");
  arrays.add("a", large.view());
  const Value old = arrays.read("a");
  arrays.replace("a", second_.view());
  EXPECT_TRUE(equal(old.view(), large.view()));
  // A value may be written over the file that it views.
  arrays.replace("a", large.view());
  const Value viewed = arrays.read("a");
  arrays.replace("a", viewed.view());
  EXPECT_TRUE(equal(arrays.read("a").view(), large.view()));
}

TEST(CollectionOfCodec, NeedsItsOptions) {
  const Registry registry = Registry::open(options());
  EXPECT_THROW(Collection(registry, "no_such_file.awkd", "dynd"), Error);
  EXPECT_THROW(Collection(registry, "no_such_file.awkd", "no-such-codec"), Error);
}

/// The configuration's rules of compression reach the codec; its own default holds without them.
TEST(CompressionOfConfiguration, IsTheCodecsOption) {
  std::string text = "[";
  for (int i = 0; i < 3000; ++i) text += i == 0 ? "7" : ", 7";
  const Value value = parse_text(text + "]");
  const auto size = [&](const std::string& rules) {
    RegistryOptions with = options();
    with.compression = rules;
    MemoryBlobs sink;
    Registry::open(with).codec("awkward").encode(value.view(), sink);
    sink.finish();
    return sink.blobs().front().second.size();
  };
  EXPECT_LT(size(""), 1000u);
  EXPECT_EQ(size("[]"), 24000u);
  EXPECT_EQ(size(R"([{"min_size": 24001, "method": "zlib"}])"), 24000u);
  EXPECT_LT(size(R"([{"types": ["int64"], "method": "zlib", "level": -1}])"), 1000u);
}

}  // namespace
}  // namespace polycodec::test
