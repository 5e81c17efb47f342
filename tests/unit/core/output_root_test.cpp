// SPDX-License-Identifier: MIT
// Outputs below a directory: what others have put there leads nowhere else.

#include "core/io/atomic_file.hpp"
#include "core/io/sink.hpp"
#include "core/store/sinks.hpp"
#include "temporary_directory.hpp"

#include <sys/stat.h>

#include <functional>

namespace polycodec {
namespace {

namespace fs = std::filesystem;
using test::error_of;
using test::read_file;

class OutputRoot : public test::InTemporaryDirectory {
 protected:
  OutputRoot() {
    fs::create_directories(directory / "out");
    fs::create_directories(directory / "victim");
    test::write_file(directory / "victim" / "file", "mine");
    options.root = directory / "out";
  }
  void write(const std::string& name) const { write_file(directory / "out" / name, "x", options); }
  static std::ptrdiff_t entries(const fs::path& path) {
    return std::distance(fs::directory_iterator(path), fs::directory_iterator());
  }
  Status refusal(const std::string& name) const {
    return error_of([&] { write(name); }).code();
  }

  WriteOptions options;
};

TEST_F(OutputRoot, MissingDirectoriesAreMade) {
  write("a/b/c.txt");
  write("a/b/c.txt");  // in its place
  write("d.txt");
  EXPECT_EQ(read_file(directory / "out/a/b/c.txt"), "x");
  EXPECT_EQ(read_file(directory / "out/d.txt"), "x");
  options.overwrite = false;
  EXPECT_EQ(refusal("d.txt"), Status::io);
  for (const auto& entry : fs::directory_iterator(directory / "out/a/b"))
    EXPECT_EQ(entry.path().filename(), "c.txt") << "nothing is left over";
}

TEST_F(OutputRoot, LinksAreNotFollowed) {
  fs::create_symlink("../victim/file", directory / "out/link");
  fs::create_symlink("../victim/new", directory / "out/dangling");
  fs::create_symlink("inside", directory / "out/within");
  fs::create_directory_symlink("../victim", directory / "out/sub");
  for (const char* name : {"link", "dangling", "within", "sub", "sub/file", "sub/deep/file"})
    EXPECT_EQ(refusal(name), Status::denied) << name;
  EXPECT_EQ(read_file(directory / "victim/file"), "mine");
  EXPECT_EQ(entries(directory / "victim"), 1);
  EXPECT_TRUE(fs::is_symlink(directory / "out/link"));
  const Error e = error_of([&] { write("link"); });
  EXPECT_NE(e.message().find("out/link' is a symbolic link"), std::string::npos) << e.message();
  EXPECT_EQ(e.message().find("/proc"), std::string::npos) << e.message();
}

TEST_F(OutputRoot, PipesAreNotWrittenTo) {
  ASSERT_EQ(::mkfifo((directory / "out/pipe").c_str(), 0600), 0);
  EXPECT_EQ(refusal("pipe"), Status::denied);
}

TEST_F(OutputRoot, FilesInPlaceOfDirectoriesAreErrors) {
  test::write_file(directory / "out/file", "x");
  EXPECT_EQ(refusal("file/below"), Status::denied);
  fs::create_directory(directory / "out/directory");
  EXPECT_EQ(refusal("directory"), Status::io);
}

TEST_F(OutputRoot, PathsOutsideAreRefused) {
  for (const char* name : {"../victim/file", "a/../../victim/file", "..", "."})
    EXPECT_EQ(refusal(name), Status::invalid) << name;
  EXPECT_EQ(error_of([&] { write_file(directory / "victim/file", "x", options); }).code(),
            Status::invalid);
  EXPECT_EQ(read_file(directory / "victim/file"), "mine");
}

TEST_F(OutputRoot, TheRootItselfMayBeALink) {
  fs::create_directory_symlink("out", directory / "other");
  options.root = directory / "other";
  write_file(directory / "other/a.txt", "x", options);
  EXPECT_EQ(read_file(directory / "out/a.txt"), "x");
}

TEST_F(OutputRoot, ADirectoryThatIsMovedAwayMeanwhileLeadsNowhereElse) {
  AtomicFile file(directory / "out/a/f", options);
  fs::rename(directory / "out/a", directory / "out/b");
  fs::create_directory_symlink("../victim", directory / "out/a");
  file.commit();
  EXPECT_TRUE(fs::exists(directory / "out/b/f"));
  EXPECT_EQ(entries(directory / "victim"), 1);
}

TEST_F(OutputRoot, StoresDoLikewise) {
  const auto fill = [](BlobSink& sink) {
    sink.begin_blob("deep/name");
    sink.finish();
  };
  for (const bool zip : {true, false}) {
    const auto make = [&](const std::string& name) -> std::unique_ptr<BlobSink> {
      const fs::path path = directory / "out" / name;
      if (zip) return std::make_unique<ZipSink>(path, options);
      return std::make_unique<DirectorySink>(path, options);
    };
    const std::string kind = zip ? "zip" : "directory";
    fill(*make("new/" + kind));
    fill(*make("new/" + kind));  // in its place
    EXPECT_TRUE(fs::exists(directory / "out/new" / kind));
    fs::create_directory_symlink("../victim", directory / "out" / ("sub" + kind));
    fs::create_symlink(zip ? "../victim/file" : "../victim", directory / "out" / kind);
    for (const std::string& name : {kind, "sub" + kind + "/x"})
      EXPECT_EQ(error_of([&] { fill(*make(name)); }).code(), Status::denied) << name;
  }
  EXPECT_TRUE(fs::exists(directory / "out/new/directory/deep/name"));
  EXPECT_EQ(entries(directory / "victim"), 1);
  EXPECT_EQ(read_file(directory / "victim/file"), "mine");
}

}  // namespace
}  // namespace polycodec
