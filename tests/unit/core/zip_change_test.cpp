// SPDX-License-Identifier: MIT
// Changes of archives that other programs wrote: the members that stay keep all that is theirs.

#include "core/io/sink.hpp"
#include "core/store/sinks.hpp"
#include "core/store/zip_store.hpp"
#include "error_of.hpp"
#include "files.hpp"
#include "zip_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>

namespace polycodec {
namespace {

using test::error_of;
using test::read_file;

class ZipChange : public ::testing::Test {
 protected:
  std::shared_ptr<ZipStore> open() const { return std::make_shared<ZipStore>(Source::file(path_)); }
  /// Removes the blob `gone.txt` and adds `added`.
  void change() {
    ZipSink sink(path_, {}, UINT64_MAX, open());
    sink.remove("gone.txt");
    Sink& blob = sink.begin_blob("added", "owner");
    auto error = make_error();
    ASSERT_EQ(polycodec_sink_put(blob.abi(), "12345", 5, &error), POLYCODEC_OK);
    sink.finish();
  }
  /// Members of the file by name: all bytes but where the member is.
  std::map<std::string, std::string> records() const {
    const std::string bytes = read_file(path_);
    std::map<std::string, std::string> all;
    for (const zip::Member& m : ZipStore(Source::view(bytes)).members()) {
      EXPECT_EQ(bytes.substr(static_cast<std::size_t>(m.offset), m.local.size()), m.local);
      std::string entry = m.entry;
      entry.replace(42, 4, "");
      all[m.name] = std::string(m.local) + entry;
    }
    return all;
  }

  const test::TemporaryDirectory directory_;
  const std::filesystem::path path_ = directory_.path() / "x.zip";
};

TEST_F(ZipChange, KeepsForeignMembersByteForByte) {
  for (const char* name : {"python.zip", "info_zip.zip"}) {
    SCOPED_TRACE(name);
    const auto vector = std::filesystem::path(POLYCODEC_TEST_VECTORS) / "zip" / name;
    std::filesystem::copy_file(vector, path_, std::filesystem::copy_options::overwrite_existing);
    auto before = records();
    const auto comment = std::string(open()->comment());
    EXPECT_FALSE(comment.empty());
    change();
    auto after = records();
    before.erase("gone.txt");
    EXPECT_EQ(after.erase("added"), 1u);
    EXPECT_EQ(before, after);
    const auto store = open();
    EXPECT_EQ(store->comment(), comment);
    EXPECT_TRUE(read_file(path_).ends_with(comment));
    for (const auto& entry : store->entries())
      EXPECT_EQ(store->read(entry.name).size(), entry.size);
  }
}

TEST_F(ZipChange, AlignsItsOwnMembersAnew) {
  {
    ZipSink made(path_);
    for (const char* name : {"gone.txt", "kept"}) {
      Sink& blob = made.begin_blob(name);
      auto error = make_error();
      ASSERT_EQ(polycodec_sink_put(blob.abi(), "123456789", 9, &error), POLYCODEC_OK);
    }
    made.finish();
  }
  change();
  const Source file = Source::file(path_);
  ZipStore store(file);
  for (const char* name : {"kept", "added"})
    EXPECT_EQ((store.read(name).data() - file.bytes().data()) % 64, 0) << name;
  EXPECT_EQ(store.find("added")->owner, "owner");
  for (const zip::Member& m : store.members()) EXPECT_TRUE(zip::is_own(m)) << m.name;
}

TEST_F(ZipChange, RejectsMembersWithoutAPlaceOfTheirOwn) {
  // The directory names one local header twice; the packed bytes are empty, so a reader may.
  test::write_file(path_,
                   test::archive({{"gone.txt", ""}, {"gone.two", "", false, 0, -1, -1, 0, 0}}));
  EXPECT_EQ(error_of([&] { open()->members(); }).detail(), "zip.broken");
}

TEST_F(ZipChange, MovesEntriesBeyond4GiB) {
  const auto vector = std::filesystem::path(POLYCODEC_TEST_VECTORS) / "zip" / "python.zip";
  constexpr std::uint64_t far = (std::uint64_t{1} << 32) + 7;
  for (const zip::Member& m : ZipStore(Source::file(vector)).members()) {
    zip::Member moved = m;
    moved.entry = zip::moved_entry(m, far);
    EXPECT_EQ(moved.entry.substr(42, 4), "\xff\xff\xff\xff");
    EXPECT_NE(moved.entry.find(std::string_view("\7\0\0\0\1\0\0\0", 8)), std::string::npos);
    EXPECT_TRUE(moved.entry.ends_with(m.entry.substr(46 + m.name.size())));
    // And back: the field stays.
    EXPECT_NE(zip::moved_entry(moved, 5).find(std::string_view("\5\0\0\0\0\0\0\0", 8)),
              std::string::npos);
  }
}

}  // namespace
}  // namespace polycodec
