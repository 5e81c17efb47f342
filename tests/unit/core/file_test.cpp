// SPDX-License-Identifier: MIT

#include "core/io/atomic_file.hpp"
#include "core/io/file_lock.hpp"
#include "core/io/sink.hpp"
#include "core/store/sinks.hpp"
#include "temporary_directory.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

namespace polycodec {
namespace {

using test::error_of;
using test::read_file;
using FileTest = test::InTemporaryDirectory;

mode_t mode_of(const std::filesystem::path& path) {
  struct stat status {};
  EXPECT_EQ(::stat(path.c_str(), &status), 0);
  return status.st_mode & 07777;
}

/// The temporary directory may be on a file system without unnamed files.
bool has_unnamed_files() {
  const int file = ::open(std::filesystem::temp_directory_path().c_str(), O_TMPFILE | O_RDWR, 0600);
  return file >= 0 && ::close(file) == 0;
}

TEST_F(FileTest, WritesSegmentsInOrder) {
  const std::string a = "one ", b = "two ", c(3 << 20, 'c');
  const Segment segments[] = {
      {a.data(), a.size()}, {nullptr, 0}, {b.data(), b.size()}, {c.data(), c.size()}};
  write_file(directory / "f", segments);
  EXPECT_EQ(read_file(directory / "f"), a + b + c);
  EXPECT_EQ(count(), 1);
}

TEST_F(FileTest, ManySegmentsGoInBatches) {
  const std::string text = "0123456789";
  std::vector<Segment> segments;
  std::string expected;
  for (std::size_t i = 0; i < 5000; ++i) {
    segments.push_back({text.data() + i % 10, i % 3});
    expected.append(text, i % 10, std::min<std::size_t>(i % 3, 10 - i % 10));
    if (i % 10 + i % 3 > 10) segments.back().size = 10 - i % 10;
  }
  write_file(directory / "f", segments);
  EXPECT_EQ(read_file(directory / "f"), expected);
}

TEST_F(FileTest, EmptyContent) {
  write_file(directory / "f", std::span<const Segment>());
  EXPECT_EQ(std::filesystem::file_size(directory / "f"), 0u);
  write_file(directory / "g", "");
  EXPECT_EQ(std::filesystem::file_size(directory / "g"), 0u);
}

TEST_F(FileTest, NewFilesFollowTheUmaskAndOldOnesKeepTheirMode) {
  const mode_t mask = ::umask(027);
  write_file(directory / "new", "x");
  ::umask(mask);
  EXPECT_EQ(mode_of(directory / "new"), 0640u);
  ::chmod((directory / "new").c_str(), 0604);
  write_file(directory / "new", "y", {.sync = true});
  EXPECT_EQ(mode_of(directory / "new"), 0604u);
  EXPECT_EQ(read_file(directory / "new"), "y");
}

TEST_F(FileTest, WithoutCommitNothingChanges) {
  write("f", "old");
  for (const bool may_be_unnamed : {true, false}) {
    {
      AtomicFile file(directory / "f", {}, may_be_unnamed);
      const Segment segment{"new", 3};
      file.write(std::span(&segment, 1));
      EXPECT_EQ(read_file(directory / "f"), "old");
      EXPECT_EQ(count(), may_be_unnamed && has_unnamed_files() ? 1 : 2);
    }
    EXPECT_EQ(read_file(directory / "f"), "old");
    EXPECT_EQ(count(), 1);
  }
}

TEST_F(FileTest, FilesWithAndWithoutANameBecomeTheTarget) {
  for (const bool may_be_unnamed : {true, false})
    for (const bool overwrite : {false, true})
      for (const bool sync : {true, false}) {
        const Segment segment{"new", 3};
        const auto path = directory / "f";
        if (!overwrite) std::filesystem::remove(path);
        AtomicFile file(path, {.overwrite = overwrite, .sync = sync}, may_be_unnamed);
        file.write(std::span(&segment, 1));
        file.commit();
        EXPECT_EQ(read_file(path), "new");
        EXPECT_EQ(mode_of(path), 0644u);
      }
  EXPECT_EQ(count(), 1);
}

TEST_F(FileTest, ADeadWriterLeavesNothingThatTheNextOneKeeps) {
  write("f", "old");
  const pid_t writer = ::fork();
  ASSERT_GE(writer, 0);
  if (writer == 0) {
    new AtomicFile(directory / "f", {}, false);
    new AtomicFile(directory / "f", {}, false);
    ::_exit(0);  // without a destructor
  }
  int status = 0;
  ASSERT_EQ(::waitpid(writer, &status, 0), writer);
  ASSERT_EQ(count(), 3);
  write_file(directory / "other", "x");  // another file's writer has no say in it
  EXPECT_EQ(count(), 4);
  AtomicFile alive(directory / "f", {}, false);
  EXPECT_EQ(count(), 3);
  write_file(directory / "f", "new");  // nor does it remove what a living one writes to
  EXPECT_EQ(count(), 3);
  const Segment segment{"later", 5};
  alive.write(std::span(&segment, 1));
  alive.commit();
  EXPECT_EQ(read_file(directory / "f"), "later");
  EXPECT_EQ(count(), 2);
}

TEST_F(FileTest, ADeadWriterOfADirectoryLeavesNothingEither) {
  const pid_t writer = ::fork();
  ASSERT_GE(writer, 0);
  if (writer == 0) {
    auto* const sink = new DirectorySink(directory / "d");
    sink->begin_blob("a/b");
    sink->begin_blob("c");
    ::_exit(0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(writer, &status, 0), writer);
  ASSERT_EQ(count(), 1);
  DirectorySink sink(directory / "d", {.sync = true});
  sink.begin_blob("a/b");
  sink.finish();
  EXPECT_TRUE(std::filesystem::exists(directory / "d" / "a" / "b"));
  EXPECT_EQ(count(), 1);
}

TEST_F(FileTest, ManyWritersOfOneFile) {
  std::vector<std::thread> writers;
  for (int i = 0; i < 100; ++i)
    writers.emplace_back([&, i] {
      const std::string text(1000, static_cast<char>('a' + i % 26));
      const Segment segment{text.data(), text.size()};
      AtomicFile file(directory / "f", {}, i % 2 == 0);
      file.write(std::span(&segment, 1));
      file.commit();
    });
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(read_file(directory / "f").size(), 1000u);
  EXPECT_EQ(count(), 1);
}

TEST_F(FileTest, SymbolicLinkStaysOne) {
  write("real/f", "old");
  std::filesystem::create_symlink("real/f", directory / "link");
  write_file(directory / "link", "new");
  EXPECT_TRUE(std::filesystem::is_symlink(directory / "link"));
  EXPECT_EQ(read_file(directory / "real/f"), "new");
}

TEST_F(FileTest, RefusesWhatCannotBeWritten) {
  const auto expect = [&](const std::filesystem::path& path, const char* reason,
                          const WriteOptions& options = {}) {
    const Error e = error_of([&] { write_file(path, "x", options); });
    EXPECT_EQ(e.code(), Status::io);
    EXPECT_NE(e.message().find(reason), std::string::npos) << e.message();
  };
  std::filesystem::create_directory(directory / "d");
  write("f", "old");
  expect(directory / "d", "Is a directory");
  expect(directory / "missing" / "f", "No such file or directory");
  expect(directory / "f" / "below", "Not a directory");
  expect(directory / "new" / "", "Is a directory");
  expect(directory / "f", "File exists", {.overwrite = false});
  expect("", "without a name");
  EXPECT_EQ(read_file(directory / "f"), "old");
  EXPECT_EQ(count(), 2);
  if (::geteuid() != 0) {
    ::chmod((directory / "d").c_str(), 0555);
    expect(directory / "d" / "f", "Permission denied");
    ::chmod((directory / "d").c_str(), 0755);
  }
}

TEST_F(FileTest, NoOverwriteEvenIfTheTargetAppearsLater) {
  AtomicFile file(directory / "f", {.overwrite = false});
  write("f", "other");
  const Error e = error_of([&] { file.commit(); });
  EXPECT_NE(e.message().find("File exists"), std::string::npos) << e.message();
  EXPECT_EQ(read_file(directory / "f"), "other");
}

TEST_F(FileTest, ATargetThatAppearsLaterIsReplaced) {
  for (const bool may_be_unnamed : {true, false}) {
    std::filesystem::remove(directory / "f");
    AtomicFile file(directory / "f", {}, may_be_unnamed);
    const Segment segment{"new", 3};
    file.write(std::span(&segment, 1));
    write("f", "other");
    file.commit();
    EXPECT_EQ(read_file(directory / "f"), "new");
    EXPECT_EQ(count(), 1);
  }
}

TEST_F(FileTest, NoOverwriteCreates) {
  write_file(directory / "f", "x", {.overwrite = false});
  EXPECT_EQ(read_file(directory / "f"), "x");
  EXPECT_EQ(count(), 1);
}

TEST_F(FileTest, DevicesAreWrittenDirectly) {
  write_file("/dev/null", "x");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  const Error e = error_of([] { write_file("/dev/full", "x"); });
  EXPECT_EQ(e.code(), Status::io);
  EXPECT_NE(e.message().find("No space left"), std::string::npos) << e.message();
}

TEST_F(FileTest, PipesTakeEverythingThroughShortWrites) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_NONBLOCK), 0);
  const std::string sent(1 << 20, 'x');
  const std::string head = "head";
  std::string received;
  std::thread reader([&] {
    char buffer[1000];
    for (;;) {
      const ssize_t got = ::read(ends[0], buffer, sizeof buffer);
      if (got == 0) break;
      if (got > 0) received.append(buffer, static_cast<std::size_t>(got));
    }
  });
  const Segment segments[] = {{head.data(), 4}, {sent.data(), sent.size()}, {head.data(), 4}};
  write_descriptor(ends[1], segments, "pipe");
  ::close(ends[1]);
  reader.join();
  ::close(ends[0]);
  EXPECT_EQ(received, head + sent + head);
}

TEST_F(FileTest, ClosedDescriptorIsAnError) {
  const Segment segment{"x", 1};
  const Error e = error_of([&] { write_descriptor(-1, std::span(&segment, 1), "nothing"); });
  EXPECT_NE(e.message().find("Bad file descriptor"), std::string::npos) << e.message();
}

TEST_F(FileTest, ALockIsHeldByOneAndFollowsTheName) {
  for (const char* name : {"there", "absent"}) {
    const auto path = directory / name;
    if (name == std::string_view("there")) write(name, "old");
    auto held = lock_path(path, 0);
    ASSERT_NE(held, nullptr);
    const Error e = error_of([&] { static_cast<void>(lock_path(path, 0)); });
    EXPECT_EQ(e.detail(), "store.locked");
    EXPECT_NE(e.message().find("try again"), std::string::npos) << e.message();
    // Who waits gets the lock of the file that has the name then, not of the old one.
    std::shared_ptr<const void> next;
    std::thread waiter([&] { next = lock_path(path, 60); });
    write(name, "new");
    held.reset();
    waiter.join();
    EXPECT_EQ(error_of([&] { static_cast<void>(lock_path(path, 0)); }).detail(), "store.locked");
    next.reset();
    EXPECT_NE(lock_path(path, 0), nullptr);
  }
  EXPECT_EQ(lock_path("/dev/null", 0), nullptr);
}

}  // namespace
}  // namespace polycodec
