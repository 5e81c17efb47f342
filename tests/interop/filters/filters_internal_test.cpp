// SPDX-License-Identifier: MIT
// Every filter by its table: pieces, sizes, damaged bytes, limits.
#include <polycodec/builder.hpp>
#include <polycodec/call.hpp>

#include "error_of.hpp"
#include "plugin_host.hpp"

#include <bzip2/filter.hpp>
#include <crc32/filter.hpp>
#include <gtest/gtest.h>
#include <lz4/filter.hpp>
#include <lz4frame.h>
#include <shuffle/filter.hpp>
#include <xxhash/filter.hpp>
#include <xz/filter.hpp>
#include <zlib.h>
#include <zlib/filter.hpp>
#include <zlib/gzip.hpp>
#include <zstd/filter.hpp>

#include <random>
#include <string>
#include <vector>

namespace polycodec {
namespace {

using test::error_of;
using test::MemorySink;
using test::PluginCall;

template <class F>
const polycodec_filter& filter_of() {
  return *static_cast<const polycodec_filters*>(Filters<F>::get())->items[0];
}

/// An open filter.
class Opened {
 public:
  explicit Opened(const polycodec_filter& filter, const polycodec_node* options = nullptr) {
    invoke(filter.open, &filter, static_cast<polycodec_call*>(call), options, &instance_);
  }
  ~Opened() { instance_->release(instance_); }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;

  std::string encode(const std::vector<std::string>& pieces) {
    std::vector<polycodec_bytes> bytes;
    for (const std::string& piece : pieces) bytes.push_back(to_bytes(piece));
    MemorySink sink;
    invoke(instance_->encode, instance_, static_cast<polycodec_call*>(call),
           static_cast<const polycodec_bytes*>(bytes.data()), std::uint64_t{bytes.size()},
           sink.sink());
    return std::string(sink.text());
  }
  std::string decode(std::string_view bytes, std::uint64_t expected = POLYCODEC_SIZE_UNKNOWN,
                     std::uint64_t most = std::uint64_t{1} << 28) {
    MemorySink sink(most);
    invoke(instance_->decode, instance_, static_cast<polycodec_call*>(call), to_bytes(bytes),
           expected, sink.sink());
    return std::string(sink.text());
  }
  std::uint64_t decoded_size(std::string_view bytes) {
    if (instance_->decoded_size == nullptr) return POLYCODEC_SIZE_UNKNOWN;
    std::uint64_t size = 0;
    invoke(instance_->decoded_size, instance_, static_cast<polycodec_call*>(call), to_bytes(bytes),
           &size);
    return size;
  }

  PluginCall call;

 private:
  const polycodec_filter_instance* instance_ = nullptr;
};

class FiltersTest : public testing::TestWithParam<const polycodec_filter*> {};

std::string sample(std::size_t size) {
  std::mt19937 random(7);
  std::string bytes(size, '\0');
  for (char& c : bytes) c = static_cast<char>(random() % 7);
  return bytes;
}

TEST_P(FiltersTest, PiecesComeBackAsOne) {
  Opened filter(*GetParam());
  for (const std::size_t size : {0u, 1u, 255u, 4096u, 1000003u, 5000011u}) {
    const std::string bytes = sample(size);
    const std::string whole = filter.encode({bytes});
    EXPECT_EQ(filter.decode(whole), bytes);
    EXPECT_EQ(filter.decode(whole, size), bytes);
    const std::string in_pieces =
        filter.encode({bytes.substr(0, size / 3), "", bytes.substr(size / 3)});
    EXPECT_EQ(filter.decode(in_pieces), bytes);
    const std::uint64_t told = filter.decoded_size(whole);
    EXPECT_TRUE(told == size || told == POLYCODEC_SIZE_UNKNOWN);
  }
}

TEST_P(FiltersTest, AnotherSizeThanExpectedIsMalformed) {
  Opened filter(*GetParam());
  const std::string whole = filter.encode({sample(1000)});
  for (const std::uint64_t wrong : {0u, 999u, 1001u, 100000u})
    EXPECT_EQ(error_of([&] { filter.decode(whole, wrong); }).code(), Status::malformed) << wrong;
}

TEST_P(FiltersTest, DamagedBytesAreErrors) {
  if (GetParam() == &filter_of<shuffle::Shuffle>()) return;  // takes any bytes
  Opened filter(*GetParam());
  const std::string whole = filter.encode({sample(1000)});
  for (std::size_t size = 0; size < whole.size(); size += whole.size() / 50 + 1)
    EXPECT_NE(error_of([&] { filter.decode(whole.substr(0, size)); }).code(), Status::ok) << size;
  EXPECT_NE(error_of([&] { filter.decode(whole + "x"); }).code(), Status::ok);
}

TEST_P(FiltersTest, WorkIsCharged) {
  Opened filter(*GetParam());
  const std::string bytes = sample(1 << 20);
  const std::string whole = filter.encode({bytes});
  const std::uint64_t encoding = std::exchange(filter.call.work, 0);
  EXPECT_GT(encoding, bytes.size() / 100);
  EXPECT_LT(encoding, bytes.size() * 20);
  filter.decode(whole);
  EXPECT_GT(filter.call.work, bytes.size() / 100);
  EXPECT_LT(filter.call.work, bytes.size() * 2);
}

TEST_P(FiltersTest, OutputIsLimited) {
  Opened filter(*GetParam());
  const std::string whole = filter.encode({std::string(1 << 20, 'a')});
  EXPECT_EQ(error_of([&] { filter.decode(whole, POLYCODEC_SIZE_UNKNOWN, 1 << 16); }).code(),
            Status::limit);
}

INSTANTIATE_TEST_SUITE_P(All, FiltersTest,
                         testing::Values(&filter_of<crc32::Crc32>(), &filter_of<crc32::Crc32c>(),
                                         &filter_of<lz4::Lz4>(), &filter_of<shuffle::Shuffle>(),
                                         &filter_of<xxhash::XxHash>(), &filter_of<zlib::Zlib>(),
                                         &filter_of<zstd::Zstd>(), &filter_of<zlib::Gzip>(),
                                         &filter_of<xz::Xz>(), &filter_of<bzip2::Bzip2>()),
                         [](const auto& filter) { return std::string(filter.param->name); });

TEST(ChecksumFilters, KnownBytes) {
  // The check values of the two polynomials' catalog entries.
  EXPECT_EQ(Opened(filter_of<crc32::Crc32>()).encode({"123456789"}),
            std::string("123456789\x26\x39\xf4\xcb"));
  EXPECT_EQ(Opened(filter_of<crc32::Crc32c>()).encode({"123456789"}),
            std::string("123456789\x83\x92\x06\xe3"));
  EXPECT_EQ(Opened(filter_of<xxhash::XxHash>()).encode({"123456789"}).size(), 17u);
}

TEST(ChecksumFilters, SayWhichSumIsWrong) {
  Opened filter(filter_of<crc32::Crc32>());
  std::string bytes = filter.encode({"123456789"});
  EXPECT_EQ(bytes, std::string("123456789\x26\x39\xf4\xcb"));
  bytes[0] = '2';
  const Error e = error_of([&] { filter.decode(bytes); });
  EXPECT_EQ(e.code(), Status::malformed);
  EXPECT_EQ(e.detail(), "filter.checksum");
}

/// A filter with one option.
std::string with_option(const polycodec_filter& filter, std::string_view name, std::int64_t value,
                        const std::string& bytes, bool back = false) {
  PluginCall call;
  Builder out{Call(call)};
  const Node options = out.object({{name, Builder::integer(value)}});
  Opened opened(filter, &options);
  return back ? opened.decode(bytes) : opened.encode({bytes});
}

/// Bytes of which no two regions are alike: noise, runs, text, and numbers that grow.
std::string varied(std::size_t size) {
  std::mt19937 random(11);
  std::string bytes;
  while (bytes.size() < size) {
    const std::size_t part = random() % 90'000;
    const auto kind = random() % 5;
    for (std::size_t i = 0; i < part; ++i)
      bytes += static_cast<char>(kind == 0   ? random()
                                 : kind == 1 ? 'a'
                                 : kind == 2 ? 'a' + random() % 20
                                 : kind == 3 ? (i % 8 == 0   ? i / 8
                                                : i % 8 == 1 ? i / 2048
                                                             : 0)
                                             : 1u << (random() % 9));
  }
  bytes.resize(size);
  return bytes;
}

TEST(Zlib, WritesWhatZlibReadsAtEveryLevel) {
  constexpr std::size_t block = std::size_t{1} << 19;
  const std::string all = varied(3 * block + 12'345);
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, std::size_t{100}, block, block + 1, all.size()}) {
    for (std::int64_t level = 0; level <= 9; ++level) {
      const std::string bytes = all.substr(all.size() - size);
      const std::string packed = with_option(filter_of<zlib::Zlib>(), "level", level, bytes);
      std::string read(size + 1, '\0');
      uLongf made = read.size();
      uLong taken = packed.size();
      ASSERT_EQ(uncompress2(reinterpret_cast<Bytef*>(read.data()), &made,
                            reinterpret_cast<const Bytef*>(packed.data()), &taken),
                Z_OK)
          << level << ' ' << size;
      EXPECT_EQ(taken, packed.size());
      read.resize(made);
      ASSERT_TRUE(read == bytes) << level << ' ' << size;
      // As small as that of zlib.
      EXPECT_LE(packed.size(), compressBound(size)) << level;
      if (size == all.size() && level > 0) {
        std::string theirs(compressBound(size), '\0');
        uLongf best = theirs.size();
        compress2(reinterpret_cast<Bytef*>(theirs.data()), &best,
                  reinterpret_cast<const Bytef*>(bytes.data()), size, static_cast<int>(level));
        EXPECT_LE(packed.size(), best + best / 25) << level;
      }
    }
  }
}

/// A stream of zlib itself.
std::string zlib_stream(const std::string& bytes, int level = 6) {
  std::string packed(compressBound(bytes.size()), '\0');
  uLongf size = packed.size();
  EXPECT_EQ(compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                      reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(), level),
            Z_OK);
  packed.resize(size);
  return packed;
}

TEST(Zlib, ReadsStreamsOfEveryRatio) {
  // What starts unlike the rest makes a first guess of the size wrong, either way.
  const std::string noise = varied(300'000);
  const std::string zeros(20'000'000, '\0');
  Opened filter(filter_of<zlib::Zlib>());
  for (const std::string& bytes :
       {noise, zeros, noise + zeros, zeros + noise, varied(5'000'000), sample(100'000)}) {
    for (const int level : {0, 1, 9}) {
      const std::string packed = zlib_stream(bytes, level);
      EXPECT_TRUE(filter.decode(packed) == bytes);
      EXPECT_TRUE(filter.decode(packed, bytes.size()) == bytes);
      // Too little room for a guess, but enough for the bytes.
      EXPECT_TRUE(filter.decode(packed, POLYCODEC_SIZE_UNKNOWN, 2 * bytes.size() + (1 << 20)) ==
                  bytes);
      EXPECT_EQ(
          error_of([&] { filter.decode(packed, POLYCODEC_SIZE_UNKNOWN, bytes.size() - 1); }).code(),
          Status::limit);
    }
  }
}

TEST(Zlib, SaysWhereAStreamIsDamaged) {
  const std::string bytes = varied(2'000'000);
  const std::string packed = zlib_stream(bytes);
  Opened filter(filter_of<zlib::Zlib>());
  for (const std::uint64_t expected : {std::uint64_t{bytes.size()}, POLYCODEC_SIZE_UNKNOWN}) {
    Error e = error_of([&] { filter.decode(packed + "xyz", expected); });
    EXPECT_EQ(e.code(), Status::trailing);
    EXPECT_EQ(e.offset(), packed.size());
    EXPECT_EQ(e.message(), "3 bytes follow the zlib stream");
    e = error_of([&] { filter.decode(packed.substr(0, packed.size() / 2), expected); });
    EXPECT_EQ(e.code(), Status::truncated);
    EXPECT_EQ(e.offset(), packed.size() / 2);
    std::string bad = packed;
    bad.back() = static_cast<char>(bad.back() ^ 1);
    e = error_of([&] { filter.decode(bad, expected); });
    EXPECT_EQ(e.code(), Status::malformed);
    EXPECT_EQ(e.message(), "not a zlib stream: incorrect data check");
    EXPECT_EQ(e.offset(), packed.size());
    bad = packed;
    bad[1] = static_cast<char>(bad[1] ^ 1);
    e = error_of([&] { filter.decode(bad, expected); });
    EXPECT_EQ(e.message(), "not a zlib stream: incorrect header check");
    EXPECT_EQ(e.offset(), 2u);
    // A block of no known kind, after a stored one.
    bad = std::string(
        "\x78\x01\0\1\0\xfe\xff"
        "a\7",
        9);
    e = error_of([&] { filter.decode(bad, expected); });
    EXPECT_EQ(e.message(), "not a zlib stream: invalid block type");
    EXPECT_EQ(e.offset(), 9u);
  }
}

TEST(Zlib, ABombEndsAtTheLimit) {
  const std::string bomb = zlib_stream(std::string(200'000'000, '\0'), 9);
  Opened filter(filter_of<zlib::Zlib>());
  const Error e =
      error_of([&] { filter.decode(bomb, POLYCODEC_SIZE_UNKNOWN, std::uint64_t{10} << 20); });
  EXPECT_EQ(e.code(), Status::limit);
  EXPECT_LT(filter.call.work, 100'000'000u);
}

/// A frame that the library writes.
std::string lz4_frame(const std::string& bytes, LZ4F_blockMode_t mode, bool flushes) {
  LZ4F_preferences_t preferences{};
  preferences.frameInfo.blockSizeID = LZ4F_max256KB;
  preferences.frameInfo.blockMode = mode;
  preferences.frameInfo.contentSize = bytes.size();
  preferences.autoFlush = flushes ? 1 : 0;
  LZ4F_cctx* context = nullptr;
  EXPECT_EQ(LZ4F_createCompressionContext(&context, LZ4F_VERSION), 0u);
  const std::size_t step = 100'000;
  std::string packed(LZ4F_compressBound(bytes.size(), &preferences) + bytes.size() / step * 1000,
                     '\0');
  std::size_t at = LZ4F_compressBegin(context, packed.data(), packed.size(), &preferences);
  for (std::size_t i = 0; i < bytes.size(); i += step)
    at += LZ4F_compressUpdate(context, packed.data() + at, packed.size() - at, bytes.data() + i,
                              std::min(step, bytes.size() - i), nullptr);
  at += LZ4F_compressEnd(context, packed.data() + at, packed.size() - at, nullptr);
  LZ4F_freeCompressionContext(context);
  packed.resize(at);
  return packed;
}

TEST(Lz4, ReadsLargeFramesOfEveryForm) {
  const std::string bytes = sample(5'000'011);
  Opened filter(filter_of<lz4::Lz4>());
  for (const auto mode : {LZ4F_blockLinked, LZ4F_blockIndependent})
    for (const bool flushes : {false, true})
      EXPECT_TRUE(filter.decode(lz4_frame(bytes, mode, flushes)) == bytes) << mode << flushes;
}

TEST(Lz4, WritesLargeFramesThatTheLibraryReads) {
  const std::string bytes = sample(4'000'000) + std::string(1'000'000, 'a');
  for (const std::string& packed :
       {Opened(filter_of<lz4::Lz4>()).encode({bytes}),
        Opened(filter_of<lz4::Lz4>()).encode({bytes.substr(0, 300'000), bytes.substr(300'000)})}) {
    LZ4F_dctx* context = nullptr;
    ASSERT_EQ(LZ4F_createDecompressionContext(&context, LZ4F_VERSION), 0u);
    std::string read(bytes.size(), '\0');
    std::size_t made = read.size(), taken = packed.size();
    EXPECT_EQ(LZ4F_decompress(context, read.data(), &made, packed.data(), &taken, nullptr), 0u);
    LZ4F_freeDecompressionContext(context);
    EXPECT_EQ(taken, packed.size());
    EXPECT_TRUE(made == bytes.size() && read == bytes);
  }
}

/// The filter with this width of items.
std::string shuffled(std::int64_t width, const std::string& bytes, bool back) {
  return with_option(filter_of<shuffle::Shuffle>(), "item_bytes", width, bytes, back);
}

TEST(Shuffle, IsThatOfHdf5) {
  // Whole items by planes, the rest as it is.
  EXPECT_EQ(shuffled(2, "aAbBcCz", false), "abcABCz");
}

TEST(Shuffle, IsItsOwnInverseForEveryWidthAndLength) {
  for (const std::size_t width : {1u, 2u, 3u, 4u, 5u, 8u, 12u, 16u, 17u, 255u}) {
    for (const std::size_t size : {0u, 1u, 15u, 16u, 31u, 128u, 255u, 4096u, 70'001u}) {
      std::string bytes(size, '\0');
      for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(i * 2654435761u >> 13);
      const std::string planes = shuffled(static_cast<std::int64_t>(width), bytes, false);
      ASSERT_EQ(planes.size(), size);
      const std::size_t n = size / width;
      for (std::size_t i = 0; i < n * width; ++i)
        ASSERT_EQ(planes[i % width * n + i / width], bytes[i]);
      ASSERT_EQ(shuffled(static_cast<std::int64_t>(width), planes, true), bytes)
          << width << " x " << size;
    }
  }
}

}  // namespace
}  // namespace polycodec
