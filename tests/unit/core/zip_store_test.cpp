// SPDX-License-Identifier: MIT
#include "core/store/zip_store.hpp"

#include <polycodec/byte_order.hpp>

#include "core/store/zip_members.hpp"
#include "temporary_directory.hpp"
#include "zip_file.hpp"

namespace polycodec {
namespace {

using test::error_of;

using test::archive;
using test::ZipItem;

std::shared_ptr<ZipStore> open(const std::string& bytes, const Limits& limits = {},
                               ZipCheck check = ZipCheck::crc) {
  return std::make_shared<ZipStore>(Source::view(bytes), limits, check);
}

Error refused(const std::vector<ZipItem>& items, const Limits& limits = {}) {
  const std::string bytes = archive(items);
  return error_of([&] { open(bytes, limits); });
}

const std::string some_text = "some text, some text, some text, some text";

TEST(ZipStoreTest, StoredAndDeflated) {
  const std::string bytes =
      archive({{"a", some_text}, {"d/", ""}, {"d/b", some_text, true}, {"e", ""}, {"f", "", true}});
  const auto store = open(bytes);
  ASSERT_EQ(store->entries().size(), 4u);
  EXPECT_EQ(store->entries()[1].name, "d/b");
  EXPECT_EQ(store->entries()[1].size, some_text.size());
  EXPECT_EQ(store->read("a"), some_text);
  EXPECT_EQ(store->read("a").data(), bytes.data() + bytes.find(some_text));
  EXPECT_EQ(store->read("d/b"), some_text);
  EXPECT_EQ(store->read("d/b").data(), store->read("d/b").data());
  EXPECT_EQ(store->read("e"), "");
  EXPECT_EQ(store->read("f"), "");
  EXPECT_EQ(error_of([&] { store->read("d"); }).code(), Status::not_found);
}

TEST(ZipStoreTest, ManyMembersAreFoundWhateverTheyTake) {
  for (const std::size_t size : {0u, 1u, 5000u}) {
    const std::string content(size, 'x');
    for (const int count : {1, 20, 40, 300}) {
      std::vector<std::string> names;
      for (int i = 0; i < count; ++i) names.push_back("member " + std::to_string(i));
      std::vector<ZipItem> items;
      for (const std::string& name : names) items.push_back({name, content});
      const std::string bytes = archive(items);
      const auto store = open(bytes);
      ASSERT_EQ(store->entries().size(), names.size());
      for (const std::string& name : names) EXPECT_EQ(store->read(name), content);
    }
  }
}

// Python writes offsets from 2 GiB on, and others all numbers, in a field of ZIP64.
TEST(ZipStoreTest, NumbersMayLieInAFieldOfZip64) {
  const std::string bytes = archive({{"a", some_text}, {"b", some_text, true}, {"c", "x"}});
  const std::size_t directory = bytes.find("PK\1\2");
  const auto rebuilt = [&](bool sizes, std::size_t shift) {
    std::string made = bytes.substr(0, directory);
    for (const zip::Member& m : open(bytes)->members()) {
      zip::Member far = m;
      far.entry = zip::moved_entry(m, std::uint64_t{1} << 33);
      std::string entry = zip::moved_entry(far, m.offset + shift);
      if (sizes) {
        std::string extra("\1\0\30\0", 4);
        extra.resize(28);
        store_le(extra.data() + 4, std::uint64_t{load_le<std::uint32_t>(entry.data() + 24)});
        store_le(extra.data() + 12, m.data_size);
        store_le(extra.data() + 20, m.offset + shift);
        entry.replace(46 + m.name.size(), 12, extra);
        store_le(entry.data() + 20, std::uint64_t{UINT64_MAX});
        store_le(entry.data() + 30, static_cast<std::uint16_t>(extra.size()));
      }
      made += entry;
    }
    const std::size_t size = made.size() - directory;
    made += bytes.substr(bytes.size() - 22);
    store_le(made.data() + made.size() - 10, static_cast<std::uint32_t>(size));
    return made;
  };
  for (const bool sizes : {false, true}) {
    const std::string far = rebuilt(sizes, 0);
    const auto store = open(far);
    EXPECT_EQ(store->read("a"), some_text) << sizes;
    EXPECT_EQ(store->read("b"), some_text) << sizes;
    EXPECT_EQ(store->read("c"), "x") << sizes;
    for (const std::size_t shift : {std::size_t{1}, std::size_t{1} << 40}) {
      const std::string wrong = rebuilt(sizes, shift);
      EXPECT_EQ(error_of([&] { open(wrong); }).detail(), "zip.broken") << sizes << " " << shift;
    }
  }
}

TEST(ZipStoreTest, ArchiveIsPinned) {
  std::shared_ptr<ZipStore> store;
  {
    const Source source = Source::owned(archive({{"a", some_text}}));
    store = std::make_shared<ZipStore>(source);
  }
  EXPECT_EQ(store->read("a"), some_text);
}

TEST(ZipStoreTest, UnsafeNamesRefuseTheArchive) {
  for (const char* name :
       {"../a",     "/etc/passwd", "a/../../b", "a\\b", "C:\\a", "./a",     "a//b",
        "../",      "\xff",        "a\nb",      "..",   ".",     "a/..",    "a/.",
        "//host/a", "\\\\host\\a", "..\\a",     "/",    "\x7f",  "\x1b[31m"})
    EXPECT_EQ(refused({{"fine", some_text}, {name, some_text}}).code(), Status::denied) << name;
  EXPECT_EQ(refused({{std::string("a\0b", 3), some_text}}).code(), Status::denied);
  EXPECT_EQ(refused({{"", some_text}}).code(), Status::denied);
}

TEST(ZipStoreTest, KindsOfMemberThatAreRefused) {
  EXPECT_EQ(refused({{"a", some_text}, {"a", some_text}}).detail(), "store.duplicate_name");
  for (const std::uint32_t flags : {0x1u, 0x41u, 0x2000u}) {
    ZipItem item{"a", some_text};
    item.flags = flags;
    EXPECT_EQ(refused({item}).code(), Status::unsupported) << flags;
  }
  ZipItem link{"a", "/etc/passwd"};
  link.attributes = 0120777u << 16;
  EXPECT_EQ(refused({link}).code(), Status::denied);
  ZipItem packed{"a", some_text};
  packed.method = 12;
  EXPECT_EQ(refused({packed}).code(), Status::unsupported);
}

TEST(ZipStoreTest, MembersThatShareBytesAreRefused) {
  ZipItem first{"a", some_text};
  ZipItem second{"b", some_text};
  second.header_at = 0;
  EXPECT_EQ(refused({first, second}).code(), Status::malformed);
}

TEST(ZipStoreTest, WrongChecksum) {
  ZipItem item{"a", some_text};
  item.bad_crc = true;
  const std::string bytes = archive({item});
  EXPECT_EQ(error_of([&] { open(bytes)->read("a"); }).detail(), "zip.crc");
  EXPECT_EQ(open(bytes, {}, ZipCheck::none)->read("a"), some_text);
  item.deflate = true;
  const std::string packed = archive({item});
  const auto store = open(packed);
  EXPECT_EQ(error_of([&] { store->read("a"); }).detail(), "zip.crc");
  EXPECT_EQ(error_of([&] { store->read("a"); }).detail(), "zip.crc");
}

TEST(ZipStoreTest, SizesThatLie) {
  ZipItem stored{"a", some_text};
  stored.declared = 5;
  EXPECT_EQ(refused({stored}).code(), Status::malformed);
  for (const std::int64_t declared :
       {std::int64_t{0}, std::int64_t{5}, std::int64_t{43}, std::int64_t{1000}}) {
    ZipItem item{"a", some_text, true};
    item.declared = declared;
    const std::string bytes = archive({item});
    EXPECT_EQ(error_of([&] { open(bytes)->read("a"); }).code(), Status::malformed) << declared;
  }
}

TEST(ZipStoreTest, BombsAreRefused) {
  // 1 GiB that is declared honestly would pass the ratio of deflate; 4 GiB from a few bytes does
  // not.
  ZipItem lie{"a", some_text, true};
  lie.declared = 0xfffffff0;
  EXPECT_EQ(refused({lie}).code(), Status::limit);
  // 1 GiB of zeros in a megabyte would be more than the archive earns with a base of 192 MiB.
  Limits limits;
  limits.max_memory_bytes = 1000000;
  EXPECT_EQ(refused({{"a", std::string(1000001, '\0'), true}}, limits).code(), Status::limit);
  // Many members within their own limits but not together.
  const std::string many =
      archive({{"a", std::string(600000, 'a'), true}, {"b", std::string(600000, 'b'), true}});
  const auto store = open(many, limits);
  EXPECT_EQ(store->read("a").size(), 600000u);
  EXPECT_EQ(error_of([&] { store->read("b"); }).code(), Status::limit);
  EXPECT_EQ(store->read("a").size(), 600000u);
  // More bytes than declared: the stream goes on.
  ZipItem more{"a", std::string(100000, 'x'), true};
  more.declared = 10;
  const std::string bytes = archive({more});
  EXPECT_EQ(error_of([&] { open(bytes)->read("a"); }).code(), Status::malformed);
}

TEST(ZipStoreTest, TooManyMembers) {
  const std::string bytes = archive({{"a", ""}, {"b", ""}, {"c", ""}});
  EXPECT_EQ(error_of([&] { ZipStore(Source::view(bytes), {}, ZipCheck::crc, 2); }).code(),
            Status::limit);
}

TEST(ZipStoreTest, NotAnArchive) {
  EXPECT_EQ(error_of([] { open(""); }).code(), Status::malformed);
  EXPECT_EQ(error_of([] { open("hello"); }).code(), Status::malformed);
}

TEST(ZipStoreTest, EveryTruncationIsAnError) {
  const std::string bytes = archive({{"a", some_text}, {"b", some_text, true}});
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const std::string cut = bytes.substr(0, size);
    error_of([&] {
      const auto store = open(cut);
      for (const auto& entry : store->entries()) store->read(entry.name);
      ADD_FAILURE() << "read whole although cut at " << size;
    });
  }
}

TEST(ZipStoreTest, BitFlipsNeverDoWorse) {
  const std::string bytes = archive({{"a", some_text}, {"b", some_text, true}});
  std::size_t read = 0;
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    std::string flipped = bytes;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
    try {
      const auto store = open(flipped);
      // With checksums on, content that can be read is content that was written.
      for (const auto& entry : store->entries())
        EXPECT_EQ(store->read(entry.name), some_text) << bit;
      ++read;
    } catch (const Error&) {
    }
  }
  EXPECT_GT(read, 0u);  // those in times and names
}

}  // namespace
}  // namespace polycodec
