// SPDX-License-Identifier: MIT
// Every vector in both forms, as the document that its JSON is, and cut short.
#include <base/varint.hpp>
#include <model/type/parse.hpp>

#include "support.hpp"

#include <gtest/gtest.h>

namespace polycodec {
namespace {

namespace fs = std::filesystem;
using test::Json;

const fs::path directory = fs::path(POLYCODEC_TEST_VECTORS) / "dynd";

std::string any_form(std::string_view type, std::string_view data) {
  std::uint8_t head[max_varint_size];
  const std::uint32_t size = encode_varint(type.size(), head);
  return std::string(reinterpret_cast<const char*>(head), size) + std::string(type) +
         std::string(data);
}

struct Vector {
  std::string name, type, bytes;
  Json json;
  bool any = false;
};

std::vector<Vector> good_vectors() {
  std::vector<Vector> all;
  for (const auto& path : test::descriptions(directory)) {
    const Json json = Json::parse(test::read_file(path));
    if (!json.is_object() || !json.contains("any")) continue;
    fs::path bin = path;
    bin.replace_extension(".bin");
    all.push_back(
        {path.stem().string(), json.at("type"), test::read_file(bin), json, json.at("any")});
    // Long ones are cut in the description.
    std::string hex = json.at("hex").get<std::string>();
    if (hex.ends_with("...")) hex.resize(hex.size() - 3);
    EXPECT_TRUE(test::to_hex(all.back().bytes).starts_with(hex)) << path;
  }
  return all;
}

TEST(DyndVectors, DecodedValuesEncodeToTheSameBytesInBothForms) {
  for (const Vector& v : good_vectors()) {
    SCOPED_TRACE(v.name);
    const std::string any = v.any ? v.bytes : any_form(v.type, v.bytes);
    const std::string data = v.any ? any.substr(any_form(v.type, "").size()) : v.bytes;
    const Value from_any = test::decode(test::dynd_codec(), any);
    EXPECT_EQ(test::to_hex(test::encode(test::dynd_codec(), from_any)), test::to_hex(any));
    EXPECT_EQ(test::to_hex(test::encode(test::dynd_codec(v.type), from_any)), test::to_hex(data));
    const Value from_data = test::decode(test::dynd_codec(v.type), data);
    EXPECT_EQ(test::to_hex(test::encode(test::dynd_codec(), from_data)), test::to_hex(any));
    EXPECT_EQ(test::to_hex(test::encode(test::dynd_codec(v.type), from_data)), test::to_hex(data));
  }
}

TEST(DyndVectors, DocumentsEncodeToTheBytes) {
  for (const Vector& v : good_vectors()) {
    SCOPED_TRACE(v.name);
    const type::Type type = type::parse(v.type);
    const Value value = Value::build(
        [&](Builder& out) { return test::build_value(out, type, v.json.at("value")); });
    // The data of array[Any] is the any form of what it holds.
    const std::string data =
        test::encode(v.type == "array[Any]" ? test::dynd_codec() : test::dynd_codec(v.type), value);
    EXPECT_EQ(test::to_hex(v.any ? any_form(v.type, data) : data), test::to_hex(v.bytes));
  }
}

TEST(DyndVectors, EveryTruncationIsRefused) {
  for (const Vector& v : good_vectors()) {
    const auto codec = v.any ? test::dynd_codec() : test::dynd_codec(v.type);
    for (std::size_t size = 0; size < v.bytes.size(); ++size) {
      Error error(Status::ok, "");
      const std::string word =
          test::refusal(codec, std::string_view(v.bytes).substr(0, size), &error);
      EXPECT_EQ(word, "dynd.truncated") << v.name << " cut at " << size;
      EXPECT_LE(error.offset(), size);
    }
  }
}

TEST(DyndVectors, TypesOfTheRowsAreTypeValues) {
  std::size_t count = 0;
  for (const Json& row : Json::parse(test::read_file(directory / "types.json"))) {
    if (!row.at("profile_ok").get<bool>()) continue;
    const auto printed = row.at("profile_printed").get<std::string>();
    if (printed.size() >= 65536) continue;
    SCOPED_TRACE(printed);
    // As a value of type `type`, where symbolic types are allowed as well.
    const std::string bytes = any_form("type", any_form(printed, ""));
    const Value value = test::decode(test::dynd_codec(), bytes);
    EXPECT_EQ(value.view().as_string(), printed);
    EXPECT_EQ(test::encode(test::dynd_codec(), value), bytes);
    // As the type of data, where only concrete ones are.
    const bool concrete = row.at("profile_concrete").get<bool>();
    const std::string word = test::refusal(test::dynd_codec(), any_form(printed, ""));
    EXPECT_EQ(word == "type.not_concrete", !concrete) << word;
    ++count;
  }
  EXPECT_GT(count, 200u);
}

}  // namespace
}  // namespace polycodec
