// SPDX-License-Identifier: MIT
// The CBOR form: its vectors both ways, and the same values by way of the dynd codec.
#include <model/type/parse.hpp>

#include "support.hpp"

#include <gtest/gtest.h>

namespace polycodec {
namespace {

namespace fs = std::filesystem;
using test::Json;

const fs::path directory = fs::path(POLYCODEC_TEST_VECTORS) / "dynd" / "cbor";

std::string bytes_of(fs::path description) {
  return test::read_file(description.replace_extension(".cbor"));
}

TEST(DyndCbor, VectorsBothWays) {
  std::size_t count = 0;
  for (const auto& path : test::descriptions(directory)) {
    SCOPED_TRACE(path.stem().string());
    const Json json = Json::parse(test::read_file(path));
    const std::string bytes = bytes_of(path);
    const auto text = json.at("type").get<std::string>();
    const type::Type type = type::parse(text);

    const Value value = test::decode(test::cbor_codec(), bytes);
    EXPECT_EQ(test::to_hex(test::encode(test::cbor_codec(), value)), test::to_hex(bytes));
    EXPECT_EQ(json.at("native").get<bool>(), !bytes.starts_with("\xd8\x1b"));

    // The type that was found is the vector's.
    const std::string any = test::encode(test::dynd_codec(), value);
    EXPECT_EQ(any.substr(1, text.size()), text);
    const Value again = test::decode(test::dynd_codec(), any);
    EXPECT_EQ(test::to_hex(test::encode(test::cbor_codec(), again)), test::to_hex(bytes));

    const Value document =
        Value::build([&](Builder& out) { return test::build_value(out, type, json.at("value")); });
    const auto typed = test::shipped("dynd-cbor", {{"type", text}});
    EXPECT_EQ(test::to_hex(test::encode(typed, document)), test::to_hex(bytes));
    EXPECT_NO_THROW(test::decode(typed, bytes));
    ++count;
  }
  EXPECT_GT(count, 30u);
}

TEST(DyndCbor, ErrorsHaveAPath) {
  const auto refused = [](std::string_view hex) {
    Error error(Status::ok, "");
    const std::string word = test::refusal(test::cbor_codec(), test::from_hex(hex), &error);
    return word + " " + error.path() + " " + std::to_string(error.offset());
  };
  EXPECT_EQ(refused("82a161610105"), "dynd.cbor_no_dynd_type $[1] 5") << "two types";
  EXPECT_EQ(refused("82a1616101a16161f6"), "dynd.cbor_no_dynd_type $[1].a 8");
  EXPECT_EQ(refused("a26161816178616281c0"), "dynd.cbor_no_dynd_type $.b[0] 9");
  EXPECT_EQ(refused("d82982616141ff"), "dynd.cbor_no_dynd_type $[1] 5") << "a string, then bytes";
  EXPECT_EQ(refused("8161ff"), "dynd.utf8 $[0] 2");
  EXPECT_EQ(refused("f6"), "dynd.cbor_no_dynd_type  0");
}

TEST(DyndCbor, OtherNaNsHaveNoNativeFormAndLongFormsAreNoneAtAll) {
  const auto word = [](std::string_view hex) {
    return test::refusal(test::cbor_codec(), test::from_hex(hex));
  };
  EXPECT_EQ(word("f97e00"), "");
  EXPECT_EQ(word("f97e01"), "dynd.cbor_no_dynd_type");
  EXPECT_EQ(word("f9fe00"), "dynd.cbor_no_dynd_type");
  EXPECT_EQ(word("fa7fc00000"), "dynd.cbor_nondeterministic") << "f97e00 says it";
  EXPECT_EQ(word("fa7fc00001"), "dynd.cbor_no_dynd_type");
  EXPECT_EQ(word("fb7ff8000000000000"), "dynd.cbor_nondeterministic");
  EXPECT_EQ(word("fb7ff8000020000000"), "dynd.cbor_nondeterministic") << "fits in 32 bits";
  EXPECT_EQ(word("fb7ff8000000000001"), "dynd.cbor_no_dynd_type");
}

TEST(DyndCbor, EveryTruncationIsRefused) {
  for (const auto& path : test::descriptions(directory)) {
    const std::string bytes = bytes_of(path);
    for (std::size_t size = 0; size < bytes.size(); ++size)
      EXPECT_NE(test::refusal(test::cbor_codec(), std::string_view(bytes).substr(0, size)), "")
          << path << " cut at " << size;
  }
}

std::string word(std::string_view hex, std::string_view type = {}) {
  if (type.empty()) return test::refusal(test::cbor_codec(), test::from_hex(hex));
  return test::refusal(test::shipped("dynd-cbor", {{"type", type}}), test::from_hex(hex));
}

TEST(DyndCbor, RulesWithoutVectors) {
  EXPECT_EQ(word("f6"), "dynd.cbor_no_dynd_type") << "null";
  EXPECT_EQ(word("f7"), "") << "undefined is void";
  EXPECT_EQ(word("f97e01"), "dynd.cbor_no_dynd_type") << "another NaN";
  EXPECT_EQ(word("fa7fc00000"), "dynd.cbor_nondeterministic") << "NaN in four bytes";
  EXPECT_EQ(word("fb7ff8000000000000"), "dynd.cbor_nondeterministic") << "NaN in eight bytes";
  EXPECT_EQ(word("fa3fc00000"), "dynd.cbor_nondeterministic") << "1.5 in four bytes";
  EXPECT_EQ(word("8261610a"), "dynd.cbor_no_dynd_type") << "a text and an integer";
  EXPECT_EQ(word("828081f5"), "") << "an empty list beside one with an item";
  EXPECT_EQ(word("828080"), "dynd.cbor_type_undetermined");
  EXPECT_EQ(word("a16161a0"), "");
  EXPECT_EQ(word("a2616101616102"), "dynd.cbor_nondeterministic") << "a key twice";
  EXPECT_EQ(word("a10101"), "dynd.cbor_no_dynd_type") << "a key that is no text";
  EXPECT_EQ(word("62ff61"), "dynd.utf8");
  EXPECT_EQ(word("1c"), "dynd.cbor_syntax");
  EXPECT_EQ(word("ff"), "dynd.cbor_syntax") << "a break alone";
  EXPECT_EQ(word("f818"), "dynd.cbor_syntax") << "a simple value in two bytes";
  EXPECT_EQ(word("d82980"), "dynd.cbor_no_dynd_type") << "a homogeneous array without items";
  EXPECT_EQ(word("d82982f561"), "dynd.cbor_syntax");
  EXPECT_EQ(word("d82982f50a"), "dynd.cbor_no_dynd_type");
  EXPECT_EQ(word("d81b836464796e6463696e744105"), "type.noncanonical");
  EXPECT_EQ(word("05", "int32"), "dynd.type_mismatch");
  EXPECT_EQ(word("05", "int64"), "");
  EXPECT_EQ(word(std::string(2000, '8') + "1"), "dynd.limit") << "nested lists";
}

}  // namespace
}  // namespace polycodec
