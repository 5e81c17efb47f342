// SPDX-License-Identifier: MIT

#include "core/io/source.hpp"

#include "core/io/mapped_file.hpp"
#include "core/io/mapping_guard.hpp"
#include "core/io/sink.hpp"
#include "core/store/directory_store.hpp"
#include "core/store/open.hpp"
#include "temporary_directory.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <thread>

namespace polycodec {
namespace {

using test::error_of;
using SourceTest = test::InTemporaryDirectory;

TEST_F(SourceTest, ViewBorrows) {
  const std::string bytes = "abc";
  const Source source = Source::view(bytes, "name");
  EXPECT_EQ(source.input().bytes.data, bytes.data());
  EXPECT_EQ(source.input().bytes.size, 3u);
  EXPECT_EQ(source.input().parts, POLYCODEC_INPUT_BYTES | POLYCODEC_INPUT_FILE);
  EXPECT_EQ(source.input().struct_size, sizeof(polycodec_input));
  EXPECT_EQ(source.input().store, nullptr);
  EXPECT_EQ(source.name(), "name");
  EXPECT_EQ(source.pin(), nullptr);
}

TEST_F(SourceTest, DefaultIsEmptyBytes) {
  const Source source;
  EXPECT_TRUE(source.has_bytes());
  EXPECT_EQ(source.bytes(), "");
}

TEST_F(SourceTest, PinOutlivesSource) {
  std::shared_ptr<const void> pin;
  const polycodec_input* input = nullptr;
  {
    const Source source =
        Source::owned(std::string(1000, 'x'), "long enough not to be stored in place of the text");
    const Source copy = source;
    EXPECT_EQ(&copy.input(), &source.input());
    pin = source.pin();
    input = &copy.input();
  }
  EXPECT_EQ(std::string_view(static_cast<const char*>(input->bytes.data), input->bytes.size),
            std::string(1000, 'x'));
}

TEST_F(SourceTest, SmallFilesAreReadAndLargeOnesMapped) {
  const std::string large(200000, 'y');
  const Source small = Source::file(write("small", "hello"));
  EXPECT_FALSE(small.is_mapped());
  EXPECT_EQ(small.bytes(), "hello");
  const auto path = write("large", large);
  const Source mapped = Source::file(path);
  EXPECT_TRUE(mapped.is_mapped());
  EXPECT_EQ(mapped.bytes(), large);
  EXPECT_EQ(mapped.name(), path.native());
  const Source read = Source::file(path, {}, FileAccess::read);
  EXPECT_FALSE(read.is_mapped());
  EXPECT_EQ(read.bytes(), large);
  EXPECT_EQ(Source::file(write("empty", "")).bytes(), "");
}

TEST_F(SourceTest, ReadCopyDoesNotSeeLaterChanges) {
  const auto path = write("f", std::string(100000, 'a'));
  const Source read = Source::file(path, {}, FileAccess::read);
  std::filesystem::resize_file(path, 10);
  EXPECT_EQ(read.bytes().size(), 100000u);
  EXPECT_EQ(read.bytes().back(), 'a');
}

TEST_F(SourceTest, AMappedFileThatIsCutShortIsAnError) {
  const auto path = write("f", std::string(300000, 'a'));
  const pid_t reader = ::fork();  // the guard lasts as long as the process
  ASSERT_GE(reader, 0);
  if (reader == 0) {
    posix::guard_mappings();
    bool is_error = false;
    {
      const Source source = Source::file(path), other = Source::file(write("g", source.bytes()));
      posix::check_mappings();  // nothing has happened yet
      std::filesystem::resize_file(path, 5000);
      const bool zeros = source.bytes().back() == 0 && source.bytes().front() == 'a';
      const Error e = error_of([] { posix::check_mappings(); });
      is_error =
          zeros && e.code() == Status::io && other.bytes().back() == 'a' &&
          e.message().find("f': it was cut short") != std::string::npos &&
          error_of([&] { write_file(directory / "out", source.bytes()); }).code() == Status::io &&
          !std::filesystem::exists(directory / "out");
    }
    posix::check_mappings();  // and it is over with the input
    ::_exit(is_error ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(reader, &status, 0), reader);
  EXPECT_EQ(status, 0);
}

TEST_F(SourceTest, AFileThatNobodyElseMayChangeIsMappedASecondTime) {
  const auto path = write("f", std::string(300000, 'a'));
  const std::size_t pages = 303104;
  void* const memory =
      ::mmap(nullptr, pages, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  const std::string_view seen(static_cast<const char*>(memory), pages);
  ::chmod(path.c_str(), 0666);
  EXPECT_FALSE(posix::MappedFile::map_again(to_bytes(Source::file(path).bytes()), memory));
  ::chmod(path.c_str(), 0600);
  const Source source = Source::file(path);
  EXPECT_FALSE(posix::MappedFile::map_again(to_bytes(source.bytes().substr(1)), memory));
  EXPECT_FALSE(posix::MappedFile::map_again(to_bytes(source.bytes().substr(0, 5000)), memory));
  EXPECT_EQ(seen.find_first_not_of('\0'), seen.npos);
  if (::sysconf(_SC_PAGESIZE) == 4096) {
    ASSERT_TRUE(posix::MappedFile::map_again(to_bytes(source.bytes()), memory));
    EXPECT_EQ(seen.substr(0, 300000), source.bytes());
    std::memset(memory, 'b', 300000);
    EXPECT_EQ(source.bytes(), std::string(300000, 'a'));
    ASSERT_TRUE(posix::MappedFile::end_again(memory, 300000));
    EXPECT_EQ(seen.find_first_not_of('\0'), seen.npos);
  }
  ::munmap(memory, pages);
}

TEST_F(SourceTest, WhatTheKernelCannotReadIsAnErrorWithItsCause) {
  const auto path = write("f", std::string(300000, 'a'));
  const Source source = Source::file(path);
  std::filesystem::resize_file(path, 0);
  const Error e = error_of([&] { write_file(directory / "out", source.bytes()); });
  EXPECT_EQ(e.code(), Status::io);
  EXPECT_NE(e.message().find("cut short"), std::string::npos) << e.message();
}

TEST_F(SourceTest, FileErrorsNameTheReason) {
  Error e = error_of([&] { Source::file(directory / "none"); });
  EXPECT_EQ(e.code(), Status::io);
  EXPECT_NE(e.message().find("none': No such file"), std::string::npos) << e.message();
  e = error_of([&] { Source::file(directory); });
  EXPECT_EQ(e.code(), Status::io);
  EXPECT_NE(e.message().find("Is a directory"), std::string::npos) << e.message();
  e = error_of([&] { Source::file(write("f", "x") / "below"); });
  EXPECT_NE(e.message().find("Not a directory"), std::string::npos) << e.message();
  if (::geteuid() != 0) {
    const auto path = write("secret", "x");
    ::chmod(path.c_str(), 0);
    e = error_of([&] { Source::file(path); });
    EXPECT_NE(e.message().find("Permission denied"), std::string::npos) << e.message();
  }
}

TEST_F(SourceTest, LimitsHold) {
  Limits limits;
  limits.max_input_bytes = 99999;
  const auto path = write("f", std::string(100000, 'a'));
  EXPECT_EQ(error_of([&] { Source::file(path, limits); }).code(), Status::limit);
  EXPECT_EQ(error_of([&] { Source::file(path, limits, FileAccess::read); }).code(), Status::limit);
  limits.max_input_bytes = 100000;
  EXPECT_EQ(Source::file(path, limits).bytes().size(), 100000u);
  EXPECT_EQ(Source::file(path, limits, FileAccess::read).bytes().size(), 100000u);
  limits.max_memory_bytes = 50000;
  EXPECT_EQ(Source::file(path, limits).bytes().size(), 100000u);
  EXPECT_EQ(error_of([&] { Source::file(path, limits, FileAccess::read); }).code(), Status::limit);
}

TEST_F(SourceTest, EndlessDeviceStopsAtTheLimit) {
  Limits limits;
  limits.max_memory_bytes = 1 << 20;
  EXPECT_EQ(error_of([&] { Source::file("/dev/zero", limits); }).code(), Status::limit);
}

TEST_F(SourceTest, PipesAreReadToTheirEnd) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const std::string sent(300000, 'p');
  std::thread writer([&] {
    std::size_t done = 0;
    while (done < sent.size()) {
      const ssize_t got =
          ::write(ends[1], sent.data() + done, std::min<std::size_t>(7777, sent.size() - done));
      if (got <= 0) break;
      done += static_cast<std::size_t>(got);
    }
    ::close(ends[1]);
  });
  const Source source = Source::descriptor(ends[0], "pipe");
  writer.join();
  ::close(ends[0]);
  EXPECT_EQ(source.bytes(), sent);
  EXPECT_EQ(source.name(), "pipe");
}

TEST_F(SourceTest, DescriptorStartsAtItsPosition) {
  FILE* file = std::fopen(write("f", "0123456789").c_str(), "rb");
  ASSERT_NE(file, nullptr);
  ::lseek(::fileno(file), 4, SEEK_SET);
  EXPECT_EQ(Source::descriptor(::fileno(file), "f").bytes(), "456789");
  std::fclose(file);
}

TEST_F(SourceTest, OpenPicksDirectoryOrFile) {
  write("d/a", "A");
  const Source store = open_source(directory / "d");
  ASSERT_NE(store.input().store, nullptr);
  EXPECT_FALSE(store.has_bytes());
  EXPECT_EQ(store.input().store->count(store.input().store), 1u);
  EXPECT_EQ(store.store()->read("a"), "A");
  EXPECT_TRUE(open_source(directory / "d" / "a").has_bytes());
  EXPECT_EQ(error_of([&] { open_source(directory / "none"); }).code(), Status::io);
}

TEST_F(SourceTest, FileWithDirectoryReadsCompanionsOnly) {
  write("secret", "S");
  const auto path = write("d/mesh.obj", "O");
  write("d/mesh.mtl", "M");
  write("d/.hidden", "H");
  write("d/deep/.hidden/x", "H");
  const Source source =
      Source::with_store(Source::file(path), DirectoryStore::companions(directory / "d"));
  EXPECT_EQ(source.bytes(), "O");
  ASSERT_NE(source.input().store, nullptr);
  EXPECT_EQ(source.input().store->count(source.input().store), 0u);
  EXPECT_EQ(source.store()->read("mesh.mtl"), "M");
  EXPECT_EQ(error_of([&] { source.store()->read("../secret"); }).code(), Status::denied);
  EXPECT_EQ(error_of([&] { source.store()->read(".hidden"); }).code(), Status::denied);
  EXPECT_EQ(error_of([&] { source.store()->read("deep/.hidden/x"); }).code(), Status::denied);
  EXPECT_EQ(error_of([&] { source.store()->read("none"); }).code(), Status::not_found);
}

TEST_F(SourceTest, NullStoreIsRefused) {
  EXPECT_EQ(error_of([] { Source::store(nullptr); }).code(), Status::invalid);
}

}  // namespace
}  // namespace polycodec
