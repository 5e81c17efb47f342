// SPDX-License-Identifier: MIT
// Every vector: the value that it states, the identity of decode and encode, and the refusals.
#include <base/array_view.hpp>

#include "core/value/arena.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

namespace polycodec::test {
namespace {

Json tree_of(const Json& description) {
  return description.contains("tree") ? description.at("tree") : description;
}

bool is_numpy_map(const std::filesystem::path& path) {
  return path.stem().string().starts_with("lebedov");
}

std::string bytes_beside(std::filesystem::path path) {
  return read_file(path.replace_extension(".msgpack"));
}

TEST(MsgpackVectors, DecodeToWhatTheyState) {
  std::size_t count = 0;
  for (const auto& path : descriptions(vectors())) {
    const Json tree = tree_of(Json::parse(read_file(path)));
    if (is_numpy_map(path)) continue;
    SCOPED_TRACE(path.filename().string());
    const std::string bytes = bytes_beside(path);
    const Value value = decode(bytes);
    EXPECT_EQ(difference(value.view(), tree), "");
    ++count;
  }
  EXPECT_GE(count, 95u);
}

TEST(MsgpackVectors, NumpyMapsAreMapsUnlessAskedFor) {
  const auto with_maps = codec({{"numpy_maps", Builder::boolean(true)}});
  std::size_t count = 0;
  for (const auto& path : descriptions(vectors())) {
    if (!is_numpy_map(path)) continue;
    SCOPED_TRACE(path.filename().string());
    ++count;
    const Json tree = tree_of(Json::parse(read_file(path)));
    const std::string bytes = bytes_beside(path);
    const Value plain = decode(bytes);
    EXPECT_TRUE(plain.view().is_map());
    const Value value = decode(bytes, with_maps);
    if (tree.at("t") == "ndarray") {
      EXPECT_EQ(difference(value.view(), tree), "");
      continue;
    }
    ASSERT_EQ(tree.at("t"), "lebedov_struct");
    const ArrayView record = value.view().as_array();
    ASSERT_EQ(record.layout(), POLYCODEC_LAYOUT_RECORD);
    EXPECT_EQ(record.length(), tree.at("shape")[0].get<std::uint64_t>());
    const auto a = record.column("a");
    const auto b = record.column("b");
    ASSERT_TRUE(a && b);
    EXPECT_EQ(load_le<std::int32_t>(a->data()), 1);
    EXPECT_EQ(load_le<double>(b->data()), 2.0);
    EXPECT_EQ(a->strides()[0], 12);
  }
  EXPECT_GE(count, 3u);
}

TEST(MsgpackVectors, DecodeEncodeDecodeIsTheIdentity) {
  for (const auto& path : descriptions(vectors())) {
    SCOPED_TRACE(path.filename().string());
    const std::string bytes = bytes_beside(path);
    const Value first = decode(bytes);
    const std::string again = encode(first.view());
    // bin, which replaces the legacy str, has no head of one byte.
    EXPECT_LE(again.size(), bytes.size() + (path.stem().string().ends_with("_legacy") ? 1 : 0));
    const Value second = decode(again);
    EXPECT_EQ(difference(first.view(), second.view()), "");
    EXPECT_EQ(encode(second.view()), again);
  }
}

TEST(MsgpackVectors, ShortestFormsComeBackByteForByte) {
  for (const char* name :
       {"mp_map_mixed_keys", "mp_map_32_65536", "mp_timestamp96_neg", "mp_ext8_3", "mp_fixext8",
        "mp_str_16_65535", "mp_int_u64_max", "mp_f64_neg0", "mp_bin_16", "mp_map_dup_keys"}) {
    SCOPED_TRACE(name);
    const std::string bytes = read_file(vectors() / (std::string(name) + ".msgpack"));
    EXPECT_EQ(encode(decode(bytes).view()), bytes);
  }
}

TEST(MsgpackVectors, BadOnesAreRefusedAsTheySay) {
  Limits limits;
  std::size_t count = 0;
  for (const auto& path : descriptions(vectors() / "bad")) {
    SCOPED_TRACE(path.filename().string());
    ++count;
    const Json description = Json::parse(read_file(path));
    const std::string bytes = bytes_beside(path);
    ASSERT_EQ(bytes.size(), description.at("bytes").get<std::size_t>());
    // "X (or something else)", "accept or X": X is what this codec does.
    std::string expected = description.at("error").get<std::string>();
    if (const auto at = expected.find("accept or "); at == 0) expected = expected.substr(10);
    expected = detail_of("msgpack", expected.substr(0, expected.find(' ')));
    Arena arena(limits.memory_for(bytes.size()));
    const TestCall own(limits);
    own.use(arena.abi());
    Call call = own;
    Builder out(call);
    const polycodec_input input = input_of(bytes);
    try {
      codec().decode(call, Input(call, &input), out);
      ADD_FAILURE() << "accepted, should be " << expected;
    } catch (const Error& e) {
      EXPECT_EQ(e.detail(), expected) << e.describe();
      EXPECT_NE(e.offset(), Error::no_offset) << e.describe();
      EXPECT_LE(e.offset(), bytes.size());
      if (!description.at("offset").is_null()) {
        EXPECT_EQ(e.offset(), description.at("offset").get<std::uint64_t>()) << e.describe();
      }
    }
    EXPECT_LE(arena.reserved_bytes(), std::uint64_t{64} << 20);
  }
  EXPECT_GE(count, 40u);
}

}  // namespace
}  // namespace polycodec::test
