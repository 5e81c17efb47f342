// SPDX-License-Identifier: MIT
// Files that are written while an encoder works.
#include "core/io/file_sink.hpp"

#include <polycodec/error.hpp>

#include "temporary_directory.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace polycodec {
namespace {

using test::error_of;
using test::read_file;

/// Lines that differ, 2 MB of them.
std::string long_text() {
  std::string text;
  for (int i = 0; text.size() < 2'000'000; ++i) text += "line " + std::to_string(i) + "\n";
  return text;
}

void put(Sink& sink, std::string_view text) {
  auto error = make_error();
  const auto code = polycodec_sink_put(sink.abi(), text.data(), text.size(), &error);
  if (code != POLYCODEC_OK) throw to_error(code, error);
}

class FileSinkTest : public test::InTemporaryDirectory {
 protected:
  const std::string path = directory / "f";
};

TEST_F(FileSinkTest, TheFileAppearsWholeAtTheEnd) {
  const std::string text = long_text();
  write_file(path, "before");
  FileSink sink(path);
  put(sink, text);
  EXPECT_EQ(read_file(path), "before");
  put(sink, "end");
  EXPECT_EQ(sink.size(), text.size() + 3);
  sink.finish();
  EXPECT_EQ(read_file(path), text + "end");
  EXPECT_EQ(sink.size(), text.size() + 3);
  EXPECT_EQ(count(), 1);
}

TEST_F(FileSinkTest, NothingRemainsWithoutTheEnd) {
  {
    FileSink sink(path);
    put(sink, long_text());
  }
  EXPECT_EQ(count(), 0);
  FileSink sink(path);
  put(sink, long_text());
  sink.reset();
  put(sink, "other");
  sink.finish();
  EXPECT_EQ(read_file(path), "other");
  EXPECT_EQ(count(), 1);
}

TEST_F(FileSinkTest, LongTextTakesLittleMemory) {
  FileSink sink(path);
  std::set<std::uintptr_t> pages;
  std::string text;
  for (int i = 0; i < 5000; ++i) {
    const std::string page(4096, static_cast<char>('a' + i % 26));
    put(sink, page);
    pages.insert(reinterpret_cast<std::uintptr_t>(sink.abi()->cursor) / 4096);
    text += page;
  }
  sink.finish();
  EXPECT_TRUE(read_file(path) == text);
  EXPECT_LT(pages.size(), 200u);  // of 5,000 that were written
}

TEST_F(FileSinkTest, ReferencesAreReadAtTheEnd) {
  const std::string before = long_text(), after = long_text();
  std::string referenced(1000, 'x');
  FileSink sink(path);
  put(sink, before);
  auto error = make_error();
  ASSERT_EQ(sink.abi()->reference(sink.abi(), referenced.data(), referenced.size(), &error),
            POLYCODEC_OK);
  put(sink, after);
  std::fill(referenced.begin(), referenced.end(), 'y');
  sink.finish();
  EXPECT_TRUE(read_file(path) == before + referenced + after);
}

TEST_F(FileSinkTest, TextAroundReferencesTakesLittleMemory) {
  FileSink sink(path);
  std::set<std::uintptr_t> pages;
  std::string all;
  std::string page(4096, ' ');
  std::vector<std::string> referenced;
  const auto refer = [&](std::size_t size) {
    referenced.emplace_back(size, 'x');
    auto error = make_error();
    ASSERT_EQ(sink.abi()->reference(sink.abi(), referenced.back().data(), size, &error),
              POLYCODEC_OK);
    all.append(size, 'y');
  };
  referenced.reserve(100);
  for (int i = 0; i < 20000; ++i) {
    if (i % 4000 == 0) refer(100'000 + static_cast<std::size_t>(i));
    if (i % 4000 == 1) refer(1000);
    std::fill(page.begin(), page.end(), static_cast<char>('a' + i % 26));
    put(sink, page);
    pages.insert(reinterpret_cast<std::uintptr_t>(sink.abi()->cursor) / 4096);
    all += page;
  }
  refer(5000);
  for (std::string& one : referenced) std::fill(one.begin(), one.end(), 'y');
  sink.finish();
  EXPECT_TRUE(read_file(path) == all);
  EXPECT_LT(pages.size(), 12'000u);  // of 20,000 that were written
  // The same sink again, with many references in little text.
  sink.reset();
  all.clear();
  referenced.clear();
  referenced.reserve(3000);
  for (int i = 0; i < 3000; ++i) {
    refer(600);
    put(sink, page);
    all += page;
  }
  for (std::string& one : referenced) std::fill(one.begin(), one.end(), 'y');
  sink.finish();
  EXPECT_TRUE(read_file(path) == all);
}

TEST_F(FileSinkTest, BoundsHoldAndFailuresOfTheSystemAreThrown) {
  FileSink small(path, {}, 1'000'000);
  EXPECT_EQ(error_of([&] { put(small, long_text()); }).code(), Status::limit);
  FileSink nowhere(directory / "no" / "f");
  EXPECT_EQ(error_of([&] { put(nowhere, long_text()); }).code(), Status::io);
  write_file(path, "before");
  WriteOptions options;
  options.overwrite = false;
  FileSink second(path, options);
  EXPECT_EQ(error_of([&] { put(second, long_text()); }).code(), Status::io);
  EXPECT_EQ(read_file(path), "before");
}

TEST_F(FileSinkTest, APipeGetsNothingBeforeTheEnd) {
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  const int reader = ::open(path.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  FileSink sink(path);
  put(sink, long_text());
  char byte = 0;
  EXPECT_LE(::read(reader, &byte, 1), 0);
  sink.reset();
  put(sink, "all");
  sink.finish();
  std::string text(10, ' ');
  const auto got = ::read(reader, text.data(), text.size());
  EXPECT_EQ(text.substr(0, static_cast<std::size_t>(std::max<ssize_t>(got, 0))), "all");
  ::close(reader);
}

}  // namespace
}  // namespace polycodec
