// SPDX-License-Identifier: MIT

#include "core/io/sink.hpp"
#include "core/store/directory_store.hpp"
#include "core/store/sinks.hpp"
#include "core/store/zip_store.hpp"
#include "temporary_directory.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <map>

namespace polycodec {
namespace {

using test::error_of;
using test::read_file;
using BlobSinkTest = test::InTemporaryDirectory;

/// Writes as an encoder does: through the ABI.
class Encoder {
 public:
  explicit Encoder(BlobSink& store) : store_(store) {}
  void begin(std::string_view name) { sink_ = store_.begin_blob(name).abi(); }
  void copy(std::string_view text) {
    for (; !text.empty(); text.remove_prefix(1)) {
      if (sink_->cursor == sink_->limit) check(sink_->grow(sink_, 1, &error_));
      *sink_->cursor++ = static_cast<std::uint8_t>(text.front());
    }
  }
  void reference(std::string_view bytes) {
    check(sink_->reference(sink_, bytes.data(), bytes.size(), &error_));
  }

 private:
  void check(std::int32_t code) {
    if (code != POLYCODEC_OK) throw to_error(code, error_);
  }
  BlobSink& store_;
  polycodec_sink* sink_ = nullptr;
  polycodec_error error_ = make_error();
};

const std::string large(100000, 'L');
const std::string copied(200000, 'c');

void write_sample(BlobSink& sink) {
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

void expect_sample(BlobStore& store) {
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
  sink.reset();
  sink.set_max_bytes(UINT64_MAX);
  write_sample(sink);
  sink.finish();
  expect_sample(*sink.to_store());
}

TEST_F(BlobSinkTest, RefusesBadUse) {
  MemoryBlobs sink(1000);
  Encoder out(sink);
  for (const char* name : {"../a", "/a", "", "a//b", "a\\b"})
    EXPECT_EQ(error_of([&] { out.begin(name); }).code(), Status::denied) << name;
  out.begin("a");
  EXPECT_EQ(error_of([&] { out.begin("a"); }).code(), Status::invalid);
  out.begin("b");
  EXPECT_EQ(error_of([&] { out.reference(large); }).code(), Status::limit);
}

TEST_F(BlobSinkTest, Directory) {
  {
    DirectorySink sink(directory / "out", {.sync = true});
    write_sample(sink);
    EXPECT_FALSE(std::filesystem::exists(directory / "out"));
    sink.finish();
  }
  EXPECT_EQ(count(), 1);
  DirectoryStore store(directory / "out");
  expect_sample(store);
  const mode_t mask = ::umask(022);
  ::umask(mask);
  struct stat status {};
  ASSERT_EQ(::stat((directory / "out").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777u, 0777u & ~mask);
}

TEST_F(BlobSinkTest, DirectoryMergesIntoAnExistingOne) {
  write("out/a", "old");
  write("out/other", "stays");
  {
    DirectorySink sink(directory / "out" / "", {.overwrite = false});
    write_sample(sink);
    EXPECT_EQ(error_of([&] { sink.finish(); }).code(), Status::io);
  }
  EXPECT_EQ(read_file(directory / "out/a"), "old");
  EXPECT_FALSE(std::filesystem::exists(directory / "out/deep"));
  {
    DirectorySink sink(directory / "out");
    write_sample(sink);
    sink.finish();
  }
  EXPECT_EQ(read_file(directory / "out/a"), "head " + large + " tail");
  EXPECT_EQ(read_file(directory / "out/other"), "stays");
  EXPECT_EQ(read_file(directory / "out/deep/er/b-0.raw"), copied);
  EXPECT_EQ(count(), 1);
}

TEST_F(BlobSinkTest, DirectoryDoesNotWriteThroughLinks) {
  std::filesystem::create_directory(directory / "elsewhere");
  std::filesystem::create_directory(directory / "out");
  std::filesystem::create_directory_symlink("../elsewhere", directory / "out/deep");
  DirectorySink sink(directory / "out");
  write_sample(sink);
  EXPECT_EQ(error_of([&] { sink.finish(); }).code(), Status::io);
  EXPECT_TRUE(std::filesystem::is_empty(directory / "elsewhere"));
}

TEST_F(BlobSinkTest, NothingStaysWithoutFinish) {
  {
    DirectorySink a(directory / "out");
    write_sample(a);
    ZipSink b(directory / "out.zip");
    write_sample(b);
  }
  EXPECT_EQ(count(), 0);
}

TEST_F(BlobSinkTest, TargetsThatCannotBe) {
  write("file", "x");
  EXPECT_EQ(error_of([&] { DirectorySink(directory / "none" / "out"); }).code(), Status::io);
  EXPECT_EQ(error_of([&] { DirectorySink(directory / "file"); }).code(), Status::io);
  EXPECT_EQ(error_of([&] { ZipSink(directory / "none" / "out.zip"); }).code(), Status::io);
  EXPECT_EQ(error_of([&] { ZipSink{directory}; }).code(), Status::io);
}

TEST_F(BlobSinkTest, ZipGoesToWhatCannotBeSoughtIn) {
  ZipSink sink("/dev/null");
  write_sample(sink);
  EXPECT_NO_THROW(sink.finish());
}

TEST_F(BlobSinkTest, ZipMembersAreAligned) {
  const std::string path = directory / "out.zip";
  ZipSink sink(path);
  write_sample(sink);
  sink.finish();
  const Source source = Source::file(path, {}, FileAccess::read);
  ZipStore store(source);
  for (const BlobStore::Entry& entry : store.entries()) {
    const auto offset = store.read(entry.name).data() - source.bytes().data();
    EXPECT_EQ(entry.size == 0 ? 0 : offset % 64, 0) << entry.name;
  }
}

/// More members than 16 bits count.
TEST_F(BlobSinkTest, ZipOfManyMembers) {
  const std::string path = directory / "many.zip";
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

TEST_F(BlobSinkTest, Zip) {
  ZipSink sink(directory / "out.zip");
  write_sample(sink);
  EXPECT_FALSE(std::filesystem::exists(directory / "out.zip"));
  sink.finish();
  EXPECT_EQ(count(), 1);
  const Source archive = Source::file(directory / "out.zip");
  ZipStore store(archive);
  expect_sample(store);
  // Stored members are views of the archive.
  const auto view = store.read("a");
  EXPECT_GE(view.data(), archive.bytes().data());
  EXPECT_LE(view.data() + view.size(), archive.bytes().data() + archive.bytes().size());
}

TEST_F(BlobSinkTest, ZipIsTheSameEachTimeAndMayBeEmpty) {
  for (const char* name : {"one.zip", "two.zip"}) {
    ZipSink sink(directory / name);
    write_sample(sink);
    sink.finish();
  }
  EXPECT_EQ(read_file(directory / "one.zip"), read_file(directory / "two.zip"));
  ZipSink sink(directory / "empty.zip");
  sink.finish();
  EXPECT_TRUE(ZipStore(Source::file(directory / "empty.zip")).entries().empty());
}

/// Removes b, replaces c, adds d; what stays is a.
void change(BlobSink& sink) {
  EXPECT_EQ(error_of([&] { sink.begin_blob("a"); }).code(), Status::invalid);
  EXPECT_EQ(error_of([&] { sink.remove("none"); }).code(), Status::not_found);
  Encoder out(sink);
  out.begin("d");
  out.copy("new d");
  sink.remove("b");
  sink.remove("c");
  EXPECT_EQ(error_of([&] { sink.remove("c"); }).code(), Status::not_found);
  out.begin("c");
  out.copy("new c");
  for (const char* added : {"c", "d"})
    EXPECT_EQ(error_of([&] { sink.remove(added); }).code(), Status::not_found);
}

void write_letters(BlobSink& sink) {
  Encoder out(sink);
  for (const char* name : {"a", "b", "c"}) {
    out.begin(name);
    out.copy(std::string("old ") + name);
  }
  sink.finish();
}

std::map<std::string, std::string> content_of(BlobStore& store) {
  std::map<std::string, std::string> content;
  for (const auto& entry : store.entries()) content[entry.name] = store.read(entry.name);
  return content;
}

const std::map<std::string, std::string> old_letters{
    {"a", "old a"}, {"b", "old b"}, {"c", "old c"}};
const std::map<std::string, std::string> new_letters{
    {"a", "old a"}, {"c", "new c"}, {"d", "new d"}};

TEST_F(BlobSinkTest, AChangeOfAnArchiveKeepsWhatIsNotRemoved) {
  const auto path = directory / "x.zip";
  ZipSink made(path);
  write_letters(made);
  const auto base = std::make_shared<ZipStore>(Source::file(path));
  {
    ZipSink dropped(path, {}, UINT64_MAX, base);
    change(dropped);
  }
  ZipStore before(Source::file(path));
  EXPECT_EQ(content_of(before), old_letters);
  ZipSink sink(path, {}, UINT64_MAX, base);
  change(sink);
  sink.finish();
  ZipStore after(Source::file(path));
  EXPECT_EQ(content_of(after), new_letters);
  EXPECT_EQ(after.entries()[0].name, "a") << "what stays comes first";
  EXPECT_EQ(content_of(*base), old_letters) << "who reads the old file goes on";
}

TEST_F(BlobSinkTest, AChangeOfADirectoryKeepsWhatIsNotRemoved) {
  const auto path = directory / "x";
  DirectorySink made(path);
  write_letters(made);
  WriteOptions keep;
  keep.overwrite = false;
  {
    DirectorySink dropped(path, keep, UINT64_MAX, std::make_shared<DirectoryStore>(path));
    change(dropped);
  }
  DirectoryStore before(path);
  EXPECT_EQ(content_of(before), old_letters);
  DirectorySink sink(path, keep, UINT64_MAX, std::make_shared<DirectoryStore>(path));
  change(sink);
  sink.finish();
  DirectoryStore after(path);
  EXPECT_EQ(content_of(after), new_letters);
  EXPECT_EQ(count(), 1) << "nothing temporary is left";
}

}  // namespace
}  // namespace polycodec
