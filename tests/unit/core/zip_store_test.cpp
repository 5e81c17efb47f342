// SPDX-License-Identifier: MIT
#include "core/store/zip_store.hpp"

#include "temporary_directory.hpp"

#include <zlib.h>

namespace polycodec {
namespace {

using test::error_of;

/// Archives byte by byte, so that every lie can be told.
struct View {
  std::string name;
  std::string content;
  bool deflate = false;
  std::uint32_t flags = 0;
  int method = -1;               // -1: what `deflate` says
  std::int64_t declared = -1;    // -1: the size of content
  std::uint32_t attributes = 0;  // external, of a Unix system
  std::int64_t header_at = -1;   // -1: where the header is
  bool bad_crc = false;
};

void put(std::string& out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>((value >> (8 * i)) & 0xff);
}

std::string deflated(const std::string& content) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, content.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string archive(const std::vector<View>& items) {
  std::string out, directory;
  for (const View& item : items) {
    const std::string packed = item.deflate ? deflated(item.content) : item.content;
    const auto crc = crc32(0, reinterpret_cast<const Bytef*>(item.content.data()),
                           static_cast<uInt>(item.content.size())) ^
                     (item.bad_crc ? 1u : 0u);
    std::string common;  // what both headers hold
    put(common, 20, 2);
    put(common, item.flags, 2);
    put(common,
        static_cast<std::uint64_t>(item.method >= 0 ? item.method
                                   : item.deflate   ? 8
                                                    : 0),
        2);
    put(common, 0x00210000, 4);
    put(common, crc, 4);
    put(common, packed.size(), 4);
    put(common,
        item.declared >= 0 ? static_cast<std::uint64_t>(item.declared) : item.content.size(), 4);
    put(common, item.name.size(), 2);
    put(common, 0, 2);
    directory += "PK\1\2";
    put(directory, (3 << 8) | 20, 2);
    directory += common;
    put(directory, 0, 6);
    put(directory, item.attributes, 4);
    put(directory, item.header_at >= 0 ? static_cast<std::uint64_t>(item.header_at) : out.size(),
        4);
    directory += item.name;
    out += "PK\3\4" + common + item.name + packed;
  }
  std::string end = "PK\5\6";
  put(end, 0, 4);
  put(end, items.size(), 2);
  put(end, items.size(), 2);
  put(end, directory.size(), 4);
  put(end, out.size(), 4);
  put(end, 0, 2);
  return out + directory + end;
}

std::shared_ptr<ZipStore> open(const std::string& bytes, const Limits& limits = {},
                               ZipCheck check = ZipCheck::crc) {
  return std::make_shared<ZipStore>(Source::view(bytes), limits, check);
}

Error refused(const std::vector<View>& items, const Limits& limits = {}) {
  const std::string bytes = archive(items);
  return error_of([&] { open(bytes, limits); });
}

const std::string text = "some text, some text, some text, some text";

TEST(ZipStoreTest, StoredAndDeflated) {
  const std::string bytes =
      archive({{"a", text}, {"d/", ""}, {"d/b", text, true}, {"e", ""}, {"f", "", true}});
  const auto store = open(bytes);
  ASSERT_EQ(store->entries().size(), 4u);
  EXPECT_EQ(store->entries()[1].name, "d/b");
  EXPECT_EQ(store->entries()[1].size, text.size());
  EXPECT_EQ(store->read("a"), text);
  EXPECT_EQ(store->read("a").data(), bytes.data() + bytes.find(text));
  EXPECT_EQ(store->read("d/b"), text);
  EXPECT_EQ(store->read("d/b").data(), store->read("d/b").data());
  EXPECT_EQ(store->read("e"), "");
  EXPECT_EQ(store->read("f"), "");
  EXPECT_EQ(error_of([&] { store->read("d"); }).code(), Status::not_found);
}

TEST(ZipStoreTest, ArchiveIsPinned) {
  std::shared_ptr<ZipStore> store;
  {
    const Source source = Source::owned(archive({{"a", text}}));
    store = std::make_shared<ZipStore>(source);
  }
  EXPECT_EQ(store->read("a"), text);
}

TEST(ZipStoreTest, UnsafeNamesRefuseTheArchive) {
  for (const char* name :
       {"../a", "/etc/passwd", "a/../../b", "a\\b", "C:\\a", "./a", "a//b", "../", "\xff", "a\nb"})
    EXPECT_EQ(refused({{"fine", text}, {name, text}}).code(), Status::denied) << name;
  EXPECT_EQ(refused({{std::string("a\0b", 3), text}}).code(), Status::denied);
  EXPECT_EQ(refused({{"", text}}).code(), Status::denied);
}

TEST(ZipStoreTest, KindsOfMemberThatAreRefused) {
  EXPECT_EQ(refused({{"a", text}, {"a", text}}).detail(), "store.duplicate_name");
  for (const std::uint32_t flags : {0x1u, 0x41u, 0x2000u}) {
    View item{"a", text};
    item.flags = flags;
    EXPECT_EQ(refused({item}).code(), Status::unsupported) << flags;
  }
  View link{"a", "/etc/passwd"};
  link.attributes = 0120777u << 16;
  EXPECT_EQ(refused({link}).code(), Status::denied);
  View packed{"a", text};
  packed.method = 12;
  EXPECT_EQ(refused({packed}).code(), Status::unsupported);
}

TEST(ZipStoreTest, MembersThatShareBytesAreRefused) {
  View first{"a", text};
  View second{"b", text};
  second.header_at = 0;
  EXPECT_EQ(refused({first, second}).code(), Status::malformed);
}

TEST(ZipStoreTest, WrongChecksum) {
  View item{"a", text};
  item.bad_crc = true;
  const std::string bytes = archive({item});
  EXPECT_EQ(error_of([&] { open(bytes)->read("a"); }).detail(), "zip.crc");
  EXPECT_EQ(open(bytes, {}, ZipCheck::none)->read("a"), text);
  item.deflate = true;
  const std::string packed = archive({item});
  const auto store = open(packed);
  EXPECT_EQ(error_of([&] { store->read("a"); }).detail(), "zip.crc");
  EXPECT_EQ(error_of([&] { store->read("a"); }).detail(), "zip.crc");
}

TEST(ZipStoreTest, SizesThatLie) {
  View stored{"a", text};
  stored.declared = 5;
  EXPECT_EQ(refused({stored}).code(), Status::malformed);
  for (const std::int64_t declared :
       {std::int64_t{0}, std::int64_t{5}, std::int64_t{43}, std::int64_t{1000}}) {
    View item{"a", text, true};
    item.declared = declared;
    const std::string bytes = archive({item});
    EXPECT_EQ(error_of([&] { open(bytes)->read("a"); }).code(), Status::malformed) << declared;
  }
}

TEST(ZipStoreTest, BombsAreRefused) {
  // 1 GiB that is declared honestly would pass the ratio of deflate; 4 GiB from a few bytes does
  // not.
  View lie{"a", text, true};
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
  View more{"a", std::string(100000, 'x'), true};
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
  const std::string bytes = archive({{"a", text}, {"b", text, true}});
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
  const std::string bytes = archive({{"a", text}, {"b", text, true}});
  std::size_t read = 0;
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    std::string flipped = bytes;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
    try {
      const auto store = open(flipped);
      // With checksums on, content that can be read is content that was written.
      for (const auto& entry : store->entries()) EXPECT_EQ(store->read(entry.name), text) << bit;
      ++read;
    } catch (const Error&) {
    }
  }
  EXPECT_GT(read, 0u);  // those in times and names
}

}  // namespace
}  // namespace polycodec
