// SPDX-License-Identifier: MIT
#include <base/blob_name.hpp>

#include "core/io/source.hpp"
#include "core/store/directory_store.hpp"
#include "core/store/open.hpp"
#include "temporary_directory.hpp"

#include <sys/stat.h>

#include <thread>

namespace polycodec {
namespace {

using test::error_of;
using StoreTest = test::InTemporaryDirectory;

std::vector<std::string> names_of(const BlobStore& store) {
  std::vector<std::string> names;
  for (const auto& entry : store.entries()) names.push_back(entry.name);
  return names;
}

TEST(BlobName, Table) {
  for (const char* name :
       {"a", "a/b", "a-0.raw", "a b", "..a", "a..", "a/..b", "\xc3\xa9", "ab:c", "a/b:c", "-"})
    EXPECT_EQ(blob_name_fault(name), nullptr) << name;
  for (const char* name : {"",     "/",    "/a",   "a/",    "a//b",
                           ".",    "..",   "../a", "a/..",  "a/../b",
                           "./a",  "a/.",  "a\\b", "..\\a", "C:a",
                           "c:/a", "a\nb", "\x7f", "\xff",  "\xc0\xae\xc0\xae/a"})
    EXPECT_NE(blob_name_fault(name), nullptr) << name;
  EXPECT_NE(blob_name_fault(std::string_view("a\0b", 3)), nullptr);
  EXPECT_NE(blob_name_fault(std::string(4097, 'a')), nullptr);
}

TEST(MemoryStoreTest, ReadsThroughTheAbi) {
  MemoryStore store({{"a", "A"}, {"b/c", "BC"}, {"empty", ""}});
  const polycodec_store& abi = store.abi();
  ASSERT_EQ(abi.count(&abi), 3u);
  polycodec_error error = make_error();
  polycodec_store_entry entry{};
  entry.struct_size = sizeof entry;
  ASSERT_EQ(abi.entry(&abi, nullptr, 1, &entry, &error), POLYCODEC_OK);
  EXPECT_EQ(to_string_view(entry.name), "b/c");
  EXPECT_EQ(entry.size, 2u);
  EXPECT_EQ(abi.entry(&abi, nullptr, 3, &entry, &error), POLYCODEC_ERROR_RANGE);
  std::uint64_t blob = 0;
  ASSERT_EQ(abi.find(&abi, nullptr, to_bytes("b/c"), &blob, &error), POLYCODEC_OK);
  polycodec_bytes content{};
  ASSERT_EQ(abi.read(&abi, nullptr, blob, 0, UINT64_MAX, &content, &error), POLYCODEC_OK);
  EXPECT_EQ(to_string_view(content), "BC");
  ASSERT_EQ(abi.read(&abi, nullptr, blob, 1, 1, &content, &error), POLYCODEC_OK);
  EXPECT_EQ(to_string_view(content), "C");
  EXPECT_EQ(abi.find(&abi, nullptr, to_bytes("none"), &blob, &error), POLYCODEC_ERROR_NOT_FOUND);
  EXPECT_EQ(abi.find(&abi, nullptr, to_bytes("../a"), &blob, &error), POLYCODEC_ERROR_DENIED);
  ASSERT_NE(store.find("a"), nullptr);
  EXPECT_EQ(store.find("b"), nullptr);
}

TEST(MemoryStoreTest, RefusesDuplicateAndUnsafeNames) {
  using Blobs = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(error_of([] { MemoryStore(Blobs{{"a", ""}, {"a", ""}}); }).code(), Status::malformed);
  EXPECT_EQ(error_of([] { MemoryStore(Blobs{{"../a", ""}}); }).code(), Status::denied);
}

TEST_F(StoreTest, DirectoryListsRegularFilesInOrder) {
  write("d/b", "B");
  write("d/a/x", "AX");
  write("d/a/y", std::string(100000, 'y'));
  write("d/back\\slash", "no");
  write("out", "secret");
  std::filesystem::create_symlink("../out", directory / "d/link");
  std::filesystem::create_directory_symlink("..", directory / "d/up");
  ::mkfifo((directory / "d/pipe").c_str(), 0600);
  DirectoryStore store(directory / "d");
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
  DirectoryStore store(directory / "d");
  std::filesystem::remove(directory / "d/a");
  std::filesystem::create_symlink(directory / "secret", directory / "d/a");
  EXPECT_EQ(error_of([&] { store.read("a"); }).code(), Status::denied);
}

TEST_F(StoreTest, DirectoryItselfMayBeALink) {
  write("d/a", "A");
  std::filesystem::create_directory_symlink("d", directory / "l");
  EXPECT_EQ(DirectoryStore(directory / "l").read("a"), "A");
}

TEST_F(StoreTest, DirectoryLimits) {
  for (int i = 0; i < 20; ++i) write("many/" + std::to_string(i), "0123456789");
  write("deep/1/2/3/4", "x");
  EXPECT_EQ(error_of([&] { DirectoryStore(directory / "many", {}, FileAccess::map, 19); }).code(),
            Status::limit);
  EXPECT_EQ(DirectoryStore(directory / "many", {}, FileAccess::map, 20).entries().size(), 20u);
  Limits limits;
  limits.max_depth = 3;
  EXPECT_EQ(error_of([&] { DirectoryStore(directory / "deep", limits); }).code(), Status::limit);
  limits.max_input_bytes = 25;
  DirectoryStore store(directory / "many", limits);
  EXPECT_EQ(store.read("0").size(), 10u);
  EXPECT_EQ(store.read("1").size(), 10u);
  EXPECT_EQ(store.read("0").size(), 10u);
  EXPECT_EQ(error_of([&] { store.read("2"); }).code(), Status::limit);
}

TEST_F(StoreTest, MissingDirectory) {
  EXPECT_EQ(error_of([&] { DirectoryStore(directory / "none"); }).code(), Status::io);
  EXPECT_EQ(error_of([&] { DirectoryStore(write("f", "")); }).code(), Status::io);
}

TEST_F(StoreTest, ThreadsReadAtTheSameTime) {
  for (int i = 0; i < 8; ++i)
    write("d/" + std::to_string(i), std::string(70000, static_cast<char>('0' + i)));
  DirectoryStore store(directory / "d");
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
