// SPDX-License-Identifier: MIT
#include <polycodec/store.hpp>

#include "temporary_folder.hpp"

#include <sys/stat.h>

#include <thread>

namespace polycodec {
namespace {

using test::error_of;
using StoreTest = test::TemporaryFolder;

std::vector<std::string> names_of(const Store& store) {
  std::vector<std::string> names;
  for (const auto& entry : store.entries()) names.push_back(entry.name);
  return names;
}

TEST(BlobName, Table) {
  for (const char* name : {"a", "a/b", "a-0.raw", "a b", "..a", "a..", "a/..b", "\xc3\xa9", "ab:c", "a/b:c", "-"})
    EXPECT_EQ(unsafe_name_reason(name), nullptr) << name;
  for (const char* name :
       {"",    "/",   "/a",   "a/",    "a//b", ".",    "..",   "../a", "a/..", "a/../b",
        "./a", "a/.", "a\\b", "..\\a", "C:a",  "c:/a", "a\nb", "\x7f", "\xff", "\xc0\xae\xc0\xae/a"})
    EXPECT_NE(unsafe_name_reason(name), nullptr) << name;
  EXPECT_NE(unsafe_name_reason(std::string_view("a\0b", 3)), nullptr);
  EXPECT_NE(unsafe_name_reason(std::string(4097, 'a')), nullptr);
}

TEST(MemoryStoreTest, ReadsThroughTheAbi) {
  MemoryStore store({{"a", "A"}, {"b/c", "BC"}, {"empty", ""}});
  const polycodec_store& abi = store.abi();
  ASSERT_EQ(abi.count, 3u);
  polycodec_error error = make_error();
  polycodec_bytes name{};
  std::uint64_t size = 0;
  ASSERT_EQ(abi.entry(abi.context, 1, &name, &size, &error), POLYCODEC_OK);
  EXPECT_EQ(std::string_view(static_cast<const char*>(name.data), name.size), "b/c");
  EXPECT_EQ(size, 2u);
  EXPECT_EQ(abi.entry(abi.context, 3, &name, &size, &error), POLYCODEC_ERROR_RANGE);
  polycodec_bytes content{};
  ASSERT_EQ(abi.read(abi.context, {"b/c", 3}, &content, &error), POLYCODEC_OK);
  EXPECT_EQ(std::string_view(static_cast<const char*>(content.data), content.size), "BC");
  EXPECT_EQ(abi.read(abi.context, {"none", 4}, &content, &error), POLYCODEC_ERROR_NOT_FOUND);
  EXPECT_EQ(abi.read(abi.context, {"../a", 4}, &content, &error), POLYCODEC_ERROR_DENIED);
  EXPECT_TRUE(store.contains("a"));
  EXPECT_FALSE(store.contains("b"));
}

TEST(MemoryStoreTest, RefusesDuplicateAndUnsafeNames) {
  using Blobs = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(error_of([] { MemoryStore(Blobs{{"a", ""}, {"a", ""}}); }).code(), Status::malformed);
  EXPECT_EQ(error_of([] { MemoryStore(Blobs{{"../a", ""}}); }).code(), Status::denied);
}

TEST_F(StoreTest, FolderListsRegularFilesInOrder) {
  write("d/b", "B");
  write("d/a/x", "AX");
  write("d/a/y", std::string(100000, 'y'));
  write("d/back\\slash", "no");
  write("out", "secret");
  std::filesystem::create_symlink("../out", folder / "d/link");
  std::filesystem::create_directory_symlink("..", folder / "d/up");
  ::mkfifo((folder / "d/pipe").c_str(), 0600);
  FolderStore store(folder / "d");
  EXPECT_EQ(names_of(store), (std::vector<std::string>{"a/x", "a/y", "b"}));
  EXPECT_EQ(store.entries()[1].size, 100000u);
  EXPECT_EQ(store.read("a/x"), "AX");
  EXPECT_EQ(store.read("a/y"), std::string(100000, 'y'));
  EXPECT_EQ(store.read("a/y").data(), store.read("a/y").data());
  for (const char* name : {"link", "up/out", "pipe", "a", "b/x"})
    EXPECT_EQ(error_of([&] { store.read(name); }).code(), Status::denied) << name;
  for (const char* name : {"../out", "/etc/passwd", "a/../../out", "a\\x"})
    EXPECT_EQ(error_of([&] { store.read(name); }).code(), Status::denied) << name;
  EXPECT_EQ(error_of([&] { store.read("none/x"); }).code(), Status::not_found);
}

TEST_F(StoreTest, FileThatBecomesALinkIsNotFollowed) {
  write("secret", "S");
  write("d/a", "A");
  FolderStore store(folder / "d");
  std::filesystem::remove(folder / "d/a");
  std::filesystem::create_symlink(folder / "secret", folder / "d/a");
  EXPECT_EQ(error_of([&] { store.read("a"); }).code(), Status::denied);
}

TEST_F(StoreTest, FolderItselfMayBeALink) {
  write("d/a", "A");
  std::filesystem::create_directory_symlink("d", folder / "l");
  EXPECT_EQ(FolderStore(folder / "l").read("a"), "A");
}

TEST_F(StoreTest, FolderLimits) {
  for (int i = 0; i < 20; ++i) write("many/" + std::to_string(i), "0123456789");
  write("deep/1/2/3/4", "x");
  EXPECT_EQ(error_of([&] { FolderStore(folder / "many", {}, FileAccess::map, 19); }).code(), Status::limit);
  EXPECT_EQ(FolderStore(folder / "many", {}, FileAccess::map, 20).entries().size(), 20u);
  Limits limits;
  limits.max_depth = 3;
  EXPECT_EQ(error_of([&] { FolderStore(folder / "deep", limits); }).code(), Status::limit);
  limits.max_input_bytes = 25;
  FolderStore store(folder / "many", limits);
  EXPECT_EQ(store.read("0").size(), 10u);
  EXPECT_EQ(store.read("1").size(), 10u);
  EXPECT_EQ(store.read("0").size(), 10u);
  EXPECT_EQ(error_of([&] { store.read("2"); }).code(), Status::limit);
}

TEST_F(StoreTest, MissingFolder) {
  EXPECT_EQ(error_of([&] { FolderStore(folder / "none"); }).code(), Status::io);
  EXPECT_EQ(error_of([&] { FolderStore(write("f", "")); }).code(), Status::io);
}

TEST_F(StoreTest, ThreadsReadAtTheSameTime) {
  for (int i = 0; i < 8; ++i) write("d/" + std::to_string(i), std::string(70000, static_cast<char>('0' + i)));
  FolderStore store(folder / "d");
  std::vector<std::thread> threads;
  std::array<int, 4> wrong{};
  for (std::size_t t = 0; t < wrong.size(); ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 8; ++i) {
        const auto bytes = store.read(std::to_string(i));
        if (bytes.size() != 70000 || bytes[69999] != static_cast<char>('0' + i)) ++wrong[t];
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong, (std::array<int, 4>{}));
}

TEST_F(StoreTest, OpenStorePicksByTheFirstBytes) {
  EXPECT_EQ(open_store(Source::view("neither")), nullptr);
  const std::string empty_zip = std::string("PK\5\6", 4) + std::string(18, '\0');
  const auto store = open_store(Source::view(empty_zip));
  ASSERT_NE(store, nullptr);
  EXPECT_EQ(store->entries().size(), 0u);
}

}  // namespace
}  // namespace polycodec
