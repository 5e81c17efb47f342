// SPDX-License-Identifier: MIT
#include <polycodec/blob_sink.hpp>
#include <polycodec/hdf5_store.hpp>
#include <polycodec/zip_store.hpp>

#include "temporary_folder.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cstring>

namespace polycodec {
namespace {

using test::error_of;
using BlobSinkTest = test::TemporaryFolder;

/// Writes as an encoder does: through the ABI.
class Encoder {
 public:
  explicit Encoder(Sink& sink) : sink_(sink.abi()) {}
  void begin(std::string_view name) { check(sink_->begin_blob(sink_, {name.data(), name.size()}, &error_)); }
  void copy(std::string_view text) {
    for (; !text.empty(); text.remove_prefix(1)) {
      if (sink_->cursor == sink_->limit) check(sink_->grow(sink_, 1, &error_));
      *sink_->cursor++ = static_cast<std::uint8_t>(text.front());
    }
  }
  void reference(std::string_view bytes) { check(sink_->reference(sink_, bytes.data(), bytes.size(), &error_)); }

 private:
  void check(std::int32_t code) {
    if (code != POLYCODEC_OK) throw to_error(code, error_);
  }
  polycodec_sink* sink_;
  polycodec_error error_ = make_error();
};

const std::string large(100000, 'L');
const std::string copied(200000, 'c');

void write_sample(Sink& sink) {
  Encoder out(sink);
  out.begin("a");
  out.copy("head ");
  out.reference(large);
  out.copy(" tail");
  out.begin("deep/er/b-0.raw");
  out.copy(copied);
  out.begin("empty");
  out.begin("\xc3\xa9");
  out.reference("view");
}

void expect_sample(Store& store) {
  ASSERT_EQ(store.entries().size(), 4u);
  EXPECT_EQ(store.read("a"), "head " + large + " tail");
  EXPECT_EQ(store.read("deep/er/b-0.raw"), copied);
  EXPECT_EQ(store.read("empty"), "");
  EXPECT_EQ(store.read("\xc3\xa9"), "view");
}

TEST_F(BlobSinkTest, Memory) {
  MemoryBlobs sink;
  write_sample(sink);
  sink.finish();
  EXPECT_EQ(sink.size(), 5u + large.size() + 5 + copied.size() + 4);
  expect_sample(*sink.to_store());
  EXPECT_EQ(sink.blobs()[1].first, "deep/er/b-0.raw");
  sink.reset(UINT64_MAX);
  write_sample(sink);
  sink.finish();
  expect_sample(*sink.to_store());
}

TEST_F(BlobSinkTest, RefusesBadUse) {
  MemoryBlobs sink(1000);
  Encoder out(sink);
  EXPECT_EQ(error_of([&] { out.copy("x"); }).code(), Status::plugin);
  EXPECT_EQ(error_of([&] { out.reference("x"); }).code(), Status::plugin);
  for (const char* name : {"../a", "/a", "", "a//b", "a\\b"})
    EXPECT_EQ(error_of([&] { out.begin(name); }).code(), Status::denied) << name;
  out.begin("a");
  EXPECT_EQ(error_of([&] { out.begin("a"); }).code(), Status::invalid);
  out.begin("b");
  EXPECT_EQ(error_of([&] { out.reference(large); }).code(), Status::limit);
}

TEST_F(BlobSinkTest, Folder) {
  {
    FolderSink sink(folder / "out", {.sync = true});
    write_sample(sink);
    EXPECT_FALSE(std::filesystem::exists(folder / "out"));
    sink.finish();
  }
  EXPECT_EQ(count(), 1);
  FolderStore store(folder / "out");
  expect_sample(store);
  const mode_t mask = ::umask(022);
  ::umask(mask);
  struct stat status {};
  ASSERT_EQ(::stat((folder / "out").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777u, 0777u & ~mask);
}

TEST_F(BlobSinkTest, FolderMergesIntoAnExistingOne) {
  write("out/a", "old");
  write("out/other", "stays");
  {
    FolderSink sink(folder / "out" / "", {.overwrite = false});
    write_sample(sink);
    EXPECT_EQ(error_of([&] { sink.finish(); }).code(), Status::io);
  }
  EXPECT_EQ(slurp(folder / "out/a"), "old");
  EXPECT_FALSE(std::filesystem::exists(folder / "out/deep"));
  {
    FolderSink sink(folder / "out");
    write_sample(sink);
    sink.finish();
  }
  EXPECT_EQ(slurp(folder / "out/a"), "head " + large + " tail");
  EXPECT_EQ(slurp(folder / "out/other"), "stays");
  EXPECT_EQ(slurp(folder / "out/deep/er/b-0.raw"), copied);
  EXPECT_EQ(count(), 1);
}

TEST_F(BlobSinkTest, FolderDoesNotWriteThroughLinks) {
  std::filesystem::create_directory(folder / "elsewhere");
  std::filesystem::create_directory(folder / "out");
  std::filesystem::create_directory_symlink("../elsewhere", folder / "out/deep");
  FolderSink sink(folder / "out");
  write_sample(sink);
  EXPECT_EQ(error_of([&] { sink.finish(); }).code(), Status::io);
  EXPECT_TRUE(std::filesystem::is_empty(folder / "elsewhere"));
}

TEST_F(BlobSinkTest, NothingStaysWithoutFinish) {
  {
    FolderSink a(folder / "out");
    write_sample(a);
    ZipSink b(folder / "out.zip");
    write_sample(b);
  }
  EXPECT_EQ(count(), 0);
}

TEST_F(BlobSinkTest, TargetsThatCannotBe) {
  write("file", "x");
  EXPECT_EQ(error_of([&] { FolderSink(folder / "none" / "out"); }).code(), Status::io);
  EXPECT_EQ(error_of([&] { FolderSink(folder / "file"); }).code(), Status::io);
  EXPECT_EQ(error_of([&] { ZipSink(folder / "none" / "out.zip"); }).code(), Status::io);
  EXPECT_EQ(error_of([&] { ZipSink{folder}; }).code(), Status::io);
}

TEST_F(BlobSinkTest, ZipGoesToWhatCannotBeSoughtIn) {
  ZipSink sink("/dev/null");
  write_sample(sink);
  EXPECT_NO_THROW(sink.finish());
}

TEST_F(BlobSinkTest, ZipMembersAreAligned) {
  const std::string path = folder / "out.zip";
  ZipSink sink(path);
  write_sample(sink);
  sink.finish();
  const Source source = Source::file(path, {}, FileAccess::read);
  ZipStore store(source);
  for (const Store::Entry& entry : store.entries()) {
    const auto offset = store.read(entry.name).data() - source.bytes().data();
    EXPECT_EQ(entry.size == 0 ? 0 : offset % 64, 0) << entry.name;
  }
}

/// More members than 16 bits count.
TEST_F(BlobSinkTest, ZipOfManyMembers) {
  const std::string path = folder / "many.zip";
  ZipSink sink(path);
  Encoder out(sink);
  for (int i = 0; i < 70000; ++i) {
    out.begin(std::to_string(i));
    out.copy("x");
  }
  sink.finish();
  ZipStore store(Source::file(path));
  ASSERT_EQ(store.entries().size(), 70000u);
  EXPECT_EQ(store.read("69999"), "x");
}

/// The HDF5 library takes two open files of one name for the same file.
TEST_F(BlobSinkTest, Hdf5FilesInMemoryAreDifferent) {
  if (!has_hdf5()) GTEST_SKIP() << "built without HDF5";
  const auto make = [&](const std::string& path, std::string_view content) {
    Hdf5Sink sink(path);
    Encoder out(sink);
    out.begin("blob");
    out.copy(content);
    sink.finish();
  };
  make(folder / "a.h5", "first");
  Hdf5Store a(Source::file(folder / "a.h5"), "/");
  make(folder / "b.h5", "second");
  Hdf5Store b(Source::file(folder / "b.h5"), "/");
  EXPECT_EQ(a.read("blob"), "first");
  EXPECT_EQ(b.read("blob"), "second");
}

TEST_F(BlobSinkTest, Zip) {
  ZipSink sink(folder / "out.zip");
  write_sample(sink);
  EXPECT_FALSE(std::filesystem::exists(folder / "out.zip"));
  sink.finish();
  EXPECT_EQ(count(), 1);
  const Source archive = Source::file(folder / "out.zip");
  ZipStore store(archive);
  expect_sample(store);
  // Stored members are views of the archive.
  const auto view = store.read("a");
  EXPECT_GE(view.data(), archive.bytes().data());
  EXPECT_LE(view.data() + view.size(), archive.bytes().data() + archive.bytes().size());
}

TEST_F(BlobSinkTest, ZipIsTheSameEachTimeAndMayBeEmpty) {
  for (const char* name : {"one.zip", "two.zip"}) {
    ZipSink sink(folder / name);
    write_sample(sink);
    sink.finish();
  }
  EXPECT_EQ(slurp(folder / "one.zip"), slurp(folder / "two.zip"));
  ZipSink sink(folder / "empty.zip");
  sink.finish();
  EXPECT_TRUE(ZipStore(Source::file(folder / "empty.zip")).entries().empty());
}

TEST_F(BlobSinkTest, Hdf5) {
  if (!has_hdf5()) {
    EXPECT_EQ(error_of([&] { Hdf5Sink(folder / "out.h5"); }).code(), Status::unsupported);
    return;
  }
  Hdf5Sink sink(folder / "out.h5");
  write_sample(sink);
  sink.finish();
  EXPECT_EQ(count(), 1);
  Hdf5Store on_disk(folder / "out.h5");
  expect_sample(on_disk);
  const auto in_memory = open_store(Source::file(folder / "out.h5"));
  ASSERT_NE(in_memory, nullptr);
  expect_sample(*in_memory);
  Hdf5Store group(folder / "out.h5", "deep");
  EXPECT_EQ(group.read("er/b-0.raw"), copied);
  EXPECT_EQ(error_of([&] { Hdf5Store(folder / "out.h5", "none"); }).code(), Status::not_found);
}

}  // namespace
}  // namespace polycodec
