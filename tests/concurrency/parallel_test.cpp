// SPDX-License-Identifier: MIT
// Work that several threads share: values, errors and written bytes do not depend on how many.
#include <polycodec/builder.hpp>

#include "core/io/sink.hpp"
#include "registry/codec/registry.hpp"
#include "same.hpp"
#include "tests/unit/registry/test_codec.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace polycodec;
using namespace polycodec::test;

TEST(Parallel, Base64) {
  const Codec codec = codecs().codec("yggdrasil");
  const auto data = numbers(800'001);  // 6.4 MB, and padding
  const Value value = vector_of(data);
  const std::string text =
      same([&](std::uint32_t threads) { return written(codec, value.view(), threads); });
  ASSERT_GT(text.size(), 8'000'000u);
  const std::string right =
      same([&](std::uint32_t threads) { return outcome_of(codec, Source::view(text), threads); });
  EXPECT_TRUE(right == written(codecs().codec("msgpack-ndarray"), value.view(), 1));

  const std::size_t start = text.find("-YGG-", text.find("-YGG-") + 5) + 5;
  const auto broken = [&](std::vector<std::size_t> places, char character) {
    std::string bad = text;
    for (const std::size_t place : places) bad[start + place] = character;
    return same(
        [&](std::uint32_t threads) { return outcome_of(codec, Source::view(bad), threads); });
  };
  constexpr std::size_t slice = std::size_t{1} << 20;
  for (const std::size_t place : {std::size_t{0}, slice - 1, slice, 3 * slice + 5, 8 * slice + 1})
    for (const char character : {'*', '='}) {
      const std::string error = broken({place}, character);
      EXPECT_NE(error.find("yggdrasil.bad_base64"), error.npos) << place << character;
    }
  // Of two the first is named.
  EXPECT_EQ(broken({2 * slice + 3, 7 * slice}, '*'), broken({2 * slice + 3}, '*'));
}

TEST(Parallel, ChecksumsOfFilters) {
  const auto data = numbers(1'200'001);  // 9.6 MB
  const Value value = vector_of(data);
  const std::string plain = written(codecs().codec("dynd"), value.view(), 1);
  for (const char* filter : {"crc32", "crc32c"}) {
    const Codec codec =
        codecs().codec_with_json("dynd", "", "[{\"id\": \"" + std::string(filter) + "\"}]");
    const std::string bytes =
        same([&](std::uint32_t threads) { return written(codec, value.view(), threads); });
    // The checksum of a loop over all bits.
    const std::uint32_t polynomial = filter == std::string("crc32") ? 0xedb88320 : 0x82f63b78;
    std::uint32_t crc = ~0u;
    for (const char c : plain) {
      crc ^= static_cast<unsigned char>(c);
      for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? polynomial : 0);
    }
    crc = ~crc;
    ASSERT_EQ(bytes.size(), plain.size() + 4);
    EXPECT_EQ(std::memcmp(bytes.data() + plain.size(), &crc, 4), 0) << filter;
    same([&](std::uint32_t threads) { return outcome_of(codec, Source::view(bytes), threads); });
    for (const std::size_t place : {std::size_t{100}, plain.size() / 2, plain.size()}) {
      std::string bad = bytes;
      bad[place] = static_cast<char>(bad[place] ^ 1);
      const std::string error = same(
          [&](std::uint32_t threads) { return outcome_of(codec, Source::view(bad), threads); });
      EXPECT_NE(error.find("filter.checksum"), error.npos) << filter << place << error;
    }
  }
}

TEST(Parallel, ArraysThatAreNotWrittenAsTheyAre) {
  constexpr std::int64_t rows = 900, columns = 800;  // 5.76 MB
  const auto data = numbers(rows * columns);
  for (const bool is_swapped : {false, true}) {
    // In Fortran order, so that no row is in one place.
    static constexpr std::int64_t shape[] = {rows, columns}, strides[] = {8, 8 * rows};
    const Value value = Value::build([&](Builder& out) {
      polycodec_array* const array =
          out.ndarray(bytes_of(std::span<const double>(data)), POLYCODEC_DTYPE_FLOAT64, 8, shape);
      array->strides = strides;
      if (is_swapped) array->byte_order = POLYCODEC_BIG_ENDIAN;
      return Builder::array(array);
    });
    for (const char* format : {"dynd", "msgpack-ndarray"}) {
      const Codec codec = codecs().codec_with_json(
          format, format == std::string("dynd") ? R"({"type": "900 * 800 * float64"})" : "{}");
      const std::string bytes =
          same([&](std::uint32_t threads) { return written(codec, value.view(), threads); });
      ASSERT_GE(bytes.size(), data.size() * 8);
      const std::string_view items = std::string_view(bytes).substr(bytes.size() - data.size() * 8);
      const bool keeps_order = format == std::string("msgpack-ndarray");
      for (std::size_t i = 0; i < data.size(); i += 97) {
        const double& item = data[i / columns + i % columns * rows];
        std::string expected(reinterpret_cast<const char*>(&item), 8);
        if (is_swapped && !keeps_order) std::ranges::reverse(expected);
        ASSERT_EQ(items.substr(i * 8, 8), expected) << format << i;
      }
    }
  }
}

/// A table of six columns of 880 kB in an archive.
std::string archive_of(const Codec& codec, std::uint32_t threads = 1) {
  std::vector<std::vector<double>> data;
  for (std::size_t i = 0; i < 6; ++i) {
    data.push_back(numbers(110'000));
    data.back()[0] = static_cast<double>(i);
  }
  const Value value = Value::build([&](Builder& out) {
    std::vector<const polycodec_array*> columns;
    for (const auto& column : data) columns.push_back(out.vector(std::span<const double>(column)));
    static constexpr std::string_view names[] = {"a", "b", "c", "d", "e", "f"};
    return Builder::array(out.record(data[0].size(), names, columns));
  });
  const std::string path = testing::TempDir() + "polycodec-parallel-" + std::to_string(::getpid());
  {
    const auto sink = codecs().create_store("zip", path);
    codec.encode(value.view(), *sink, with_threads(threads));
    sink->finish();
  }
  std::ifstream in(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(in)), {});
  std::filesystem::remove(path);
  return bytes;
}

TEST(Parallel, CompressedBlobs) {
  for (const char* method : {"zlib", "lzma"}) {
    const Codec codec = codecs().codec_with_json(
        "awkward", R"({"compression": [{"level": 1, "method": ")" + std::string(method) + "\"}]}");
    const std::string bytes =
        same([&](std::uint32_t threads) { return archive_of(codec, threads); });
    const auto read_with = [&](const std::string& archive) {
      return same(
          [&](std::uint32_t threads) { return outcome_of(codec, Source::view(archive), threads); });
    };
    EXPECT_GT(read_with(bytes).size(), 4'000'000u);
    // Blobs without the end of their streams, and the first of several faults.
    const auto blobs = codecs().open_store(Source::view(bytes));
    for (const std::vector<std::size_t>& broken :
         {std::vector<std::size_t>{1}, std::vector<std::size_t>{5},
          std::vector<std::size_t>{3, 5}}) {
      std::vector<std::pair<std::string, std::string>> all;
      for (const auto& entry : blobs->entries()) {
        std::string content(blobs->read(entry.name));
        if (std::ranges::count(broken, all.size()) != 0) content.resize(content.size() / 2);
        all.emplace_back(entry.name, content);
      }
      const std::string error = same([&](std::uint32_t threads) {
        return outcome_of(codec, Source::store(std::make_shared<MemoryStore>(all)), threads);
      });
      EXPECT_NE(error.find("buffer.compressed"), error.npos) << method << broken[0] << error;
    }
  }
}

TEST(Parallel, EachCompressedBlobIsATask) {
  std::uint64_t tasks = 0;
  const Registry own = Registry::open(counting_tasks(tasks));
  const Codec codec = own.codec_with_json("awkward", R"({"compression": "zlib"})");
  const std::string bytes = archive_of(codec, 0);
  EXPECT_EQ(tasks, 6u);
  tasks = 0;
  codec.decode(Source::view(bytes));
  EXPECT_EQ(tasks, 6u);
  // Of some columns, the blobs of these.
  tasks = 0;
  CallOptions some;
  for (const char* name : {"a", "b", "c", "d", "f"})
    some.projection.paths.push_back(std::string("$.") + name);
  EXPECT_EQ(codec.decode(Source::view(bytes), some).root()->as.array->n_children, 5u);
  EXPECT_EQ(tasks, 5u);
}

TEST(Parallel, ChecksumsOfArchives) {
  const auto data = numbers(1'200'001);
  const Codec codec = codecs().codec_with_json("awkward", R"({"compression": false})");
  const Value value = vector_of(data);
  const std::string path = testing::TempDir() + "polycodec-parallel-" + std::to_string(::getpid());
  const std::string bytes = same([&](std::uint32_t threads) {
    const auto sink = codecs().create_store("zip", path);
    codec.encode(value.view(), *sink, with_threads(threads));
    sink->finish();
    std::ifstream in(path, std::ios::binary);
    return std::string((std::istreambuf_iterator<char>(in)), {});
  });
  std::filesystem::remove(path);
  const auto read_with = [&](const std::string& archive) {
    return same(
        [&](std::uint32_t threads) { return outcome_of(codec, Source::view(archive), threads); });
  };
  EXPECT_TRUE(read_with(bytes) == written(codecs().codec("msgpack-ndarray"), value.view(), 1));
  for (const std::size_t place : {bytes.size() / 10, bytes.size() / 2, bytes.size() / 10 * 9}) {
    std::string bad = bytes;
    bad[place] = static_cast<char>(bad[place] ^ 1);
    EXPECT_NE(read_with(bad).find("zip.crc"), bad.npos) << place;
  }
}

/// What the check of lists ends with that a plugin gave.
std::string checked(const std::vector<std::int64_t>& offsets, const std::string& content,
                    bool is_text, std::uint32_t threads) {
  test::TestCodec codec;
  codec.decode = [&](polycodec_call* call, const polycodec_input*, const polycodec_node** root,
                     polycodec_error* error) {
    Builder out(call->arena);
    auto* const items = out.allocate<std::int64_t>(offsets.size());
    std::ranges::copy(offsets, items);
    auto* const bytes = out.allocate<std::uint8_t>(content.size());
    std::memcpy(bytes, content.data(), content.size());
    polycodec_array* const lists =
        out.list_offsets(std::span<const std::int64_t>(items, offsets.size()),
                         out.vector(std::span<const std::uint8_t>(bytes, content.size())));
    if (is_text) lists->flags |= POLYCODEC_ARRAY_STRING;
    return test::give(call, Builder::array(lists), root, error);
  };
  RegistryOptions options;
  options.use_environment = options.use_builtins = false;
  options.plugin_paths = {"/nonexistent"};
  options.objects = codec.objects;
  try {
    Registry::open(options).codec("test.call").decode(Source::view("x"), with_threads(threads));
    return "valid";
  } catch (const Error& e) {
    return words(e);
  }
}

TEST(Parallel, ChecksOfColumns) {
  constexpr std::size_t items = 1'000'000;  // 8 MB of offsets
  std::vector<std::int64_t> offsets(items + 1);
  for (std::size_t i = 0; i < offsets.size(); ++i) offsets[i] = static_cast<std::int64_t>(5 * i);
  std::string text(5 * items, 'a');
  for (std::size_t i = 0; i + 5 <= text.size(); i += 5) text.replace(i, 3, "\u20ac");
  for (const bool is_text : {false, true}) {
    const auto result = [&] {
      return same([&](std::uint32_t threads) { return checked(offsets, text, is_text, threads); });
    };
    EXPECT_EQ(result(), "valid");
    for (const std::size_t at :
         {std::size_t{0}, std::size_t{131'072}, std::size_t{131'071}, items}) {
      for (const std::int64_t bad : {std::int64_t{-1}, std::int64_t{6'000'000}}) {
        const std::int64_t good = std::exchange(offsets[at], bad);
        const std::string error = result();
        EXPECT_NE(error.find("offset " + std::to_string(at) + " is " + std::to_string(bad)),
                  error.npos)
            << at << error;
        offsets[at] = good;
      }
    }
    if (!is_text) continue;
    for (const std::size_t at :
         {std::size_t{1} << 20, (std::size_t{1} << 20) + 2, text.size() - 1}) {
      const char good = std::exchange(text[at], '\xff');
      EXPECT_NE(result().find("text " + std::to_string(at / 5) + " of"), text.npos) << at;
      text[at] = good;
    }
  }
}

}  // namespace
