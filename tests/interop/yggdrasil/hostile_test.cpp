// SPDX-License-Identifier: MIT
// Bad bodies: refused with a word, an offset and a path, or accepted for a reason that is written
// here.
#include "support.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace polycodec::test {
namespace {

struct Case {
  const char* detail;  // "" where the body is accepted
  Status status;
  std::uint64_t offset;
  const char* reason;  // why it is accepted
};

// Offsets: 6 is the schema of a leaf that is the whole body, what follows the second marker is the
// data.
const std::map<std::string, Case>& cases() {
  constexpr Status bad = Status::malformed;
  static const std::map<std::string, Case> all = {
      {"1darray_type_length",
       {"", {}, 0, "length says what shape says, as the description of the format promises"}},
      {"1darray_type_shape", {"", {}, 0, "the type word of schemas, read by all"}},
      {"bad_base64_schema_chars", {"yggdrasil.bad_base64", bad, 6, nullptr}},
      {"bare_nan", {"", {}, 0, "what Python writes for a NaN"}},
      {"body_base64_with_newlines", {"yggdrasil.bad_base64", bad, 1, nullptr}},
      {"body_no_padding", {"yggdrasil.bad_base64", bad, 90, nullptr}},
      {"body_too_short", {"yggdrasil.size_mismatch", bad, 79, nullptr}},
      {"body_urlsafe_base64", {"yggdrasil.bad_base64", bad, 95, nullptr}},
      {"empty", {"json.truncated", Status::truncated, 0, nullptr}},
      {"encoding_unknown", {"yggdrasil.unknown_encoding", bad, 1, nullptr}},
      {"instance_body_not_json", {"yggdrasil.bad_instance", bad, 39, nullptr}},
      {"invalid_utf8_json", {"json.utf8", bad, 1, nullptr}},
      {"key_is_ygg_string",
       {"", {}, 0, "names of members are texts and never typed: nothing is lost"}},
      {"nd_shape_number", {"yggdrasil.bad_shape", bad, 1, nullptr}},
      {"nd_shape_overflow", {"yggdrasil.limit", Status::limit, 1, nullptr}},
      {"nd_shape_too_big", {"yggdrasil.size_mismatch", bad, 95, nullptr}},
      {"nd_shape_wrap_to_len", {"yggdrasil.size_mismatch", bad, 107, nullptr}},
      {"nested_depth_100k", {"yggdrasil.limit", Status::limit, 512, nullptr}},
      {"no_precision", {"yggdrasil.bad_precision", bad, 1, nullptr}},
      {"no_subtype", {"yggdrasil.unknown_subtype", bad, 1, nullptr}},
      {"no_type", {"yggdrasil.bad_schema", bad, 1, nullptr}},
      {"obj_bad_index", {"", {}, 0, "kept as text here; the codec obj refuses it (see below)"}},
      {"obj_garbage",
       {"", {}, 0, "OBJ files hold statements of vendors: they are kept as they are"}},
      {"only_one_marker", {"", {}, 0, "too short for a typed value: a text"}},
      {"ply_huge_count", {"", {}, 0, "kept as text here; the codec ply refuses it (see below)"}},
      {"ply_int64_prop", {"", {}, 0, "kept as text here; the codec ply refuses it (see below)"}},
      {"precision_3", {"yggdrasil.bad_precision", bad, 1, nullptr}},
      {"precision_bits_64", {"yggdrasil.bad_precision", bad, 1, nullptr}},
      {"precision_string", {"yggdrasil.bad_precision", bad, 1, nullptr}},
      {"precision_zero", {"yggdrasil.bad_precision", bad, 1, nullptr}},
      {"schema_body_not_json", {"json.syntax", bad, 36, nullptr}},
      {"schema_json_array", {"yggdrasil.bad_schema", bad, 1, nullptr}},
      {"schema_json_number", {"yggdrasil.bad_schema", bad, 1, nullptr}},
      {"schema_not_json", {"json.syntax", bad, 6, nullptr}},
      {"schema_truncated_json", {"json.truncated", Status::truncated, 35, nullptr}},
      {"three_markers_empty", {"json.truncated", Status::truncated, 6, nullptr}},
      {"trunc_mid_base64", {"yggdrasil.size_mismatch", bad, 79, nullptr}},
      {"trunc_no_end_marker",
       {"", {}, 0, "without the marker behind it, it is a text like any other"}},
      {"trunc_unterminated_string", {"json.truncated", Status::truncated, 96, nullptr}},
      {"two_markers_empty", {"yggdrasil.markers", bad, 1, nullptr}},
      {"two_markers_schema_only", {"yggdrasil.markers", bad, 1, nullptr}},
      {"type_not_string", {"yggdrasil.bad_schema", bad, 1, nullptr}},
      {"ucs4_len_not_mult4", {"yggdrasil.bad_precision", bad, 1, nullptr}},
      {"ucs4_surrogate", {"yggdrasil.bad_text", bad, 0, nullptr}},
      {"units_invalid",
       {"",
        {},
        0,
        "units are text to the codec: an unknown one is passed on, the schema library checks"}},
      {"unknown_subtype", {"yggdrasil.unknown_subtype", bad, 1, nullptr}},
      {"utf8_invalid_bytes", {"yggdrasil.bad_text", bad, 0, nullptr}},
  };
  return all;
}

TEST(YggdrasilHostile, EveryMalformedBody) {
  // Geometries are kept as text; what their codecs say of them follows below.
  const Codec codec = codec_with({{"geometry", "text"}});
  std::size_t seen = 0;
  for (const auto& entry : std::filesystem::directory_iterator(bodies() / "malformed")) {
    const std::string name = entry.path().stem().string();
    SCOPED_TRACE(name);
    ++seen;
    ASSERT_TRUE(cases().contains(name));
    const Case& expected = cases().at(name);
    const std::string body = read_file(entry.path());
    Error error(Status::internal, "");
    const std::string detail = refusal(codec, body, &error);
    EXPECT_EQ(detail, expected.detail) << error.describe();
    if (*expected.detail == '\0') {
      EXPECT_NE(expected.reason, nullptr);
      const Value value = decode(codec, body);
      EXPECT_NO_THROW(static_cast<void>(encode(codec, value)));
      continue;
    }
    EXPECT_EQ(error.code(), expected.status) << error.describe();
    EXPECT_LE(error.offset(), body.size());
    if (expected.offset != 0) {
      EXPECT_EQ(error.offset(), expected.offset) << error.describe();
    }
    EXPECT_TRUE(error.path().starts_with('$')) << error.describe();
    // The same inside of a document: the path says where.
    const std::string inside = "{\"a\":[1," + body + "]}";
    if (name == "nested_depth_100k" || name == "empty" || name == "trunc_unterminated_string")
      continue;
    EXPECT_EQ(refusal(codec, inside, &error), expected.detail);
    EXPECT_TRUE(error.path().starts_with("$.a[1]")) << error.describe();
    EXPECT_GE(error.offset(), 8u);
  }
  EXPECT_EQ(seen, cases().size());
}

TEST(YggdrasilHostile, BadGeometriesAreRefusedByTheirCodecs) {
  for (const char* name : {"obj_bad_index", "ply_huge_count", "ply_int64_prop"}) {
    SCOPED_TRACE(name);
    const std::string body =
        "[" + read_file(bodies() / "malformed" / (std::string(name) + ".body")) + "]";
    try {
      static_cast<void>(decode(codec_with(), body));
      ADD_FAILURE() << "was accepted";
    } catch (const Error& e) {
      EXPECT_TRUE(e.path().starts_with("$[0]")) << e.describe();
      EXPECT_LT(e.offset(), body.size());
    }
    EXPECT_NO_THROW(static_cast<void>(decode(codec_with({{"geometry", "text"}}), body)));
  }
}

TEST(YggdrasilHostile, PicklesAreNeverRead) {
  for (const std::string_view pickle : {"\x80\x04K\x01.", "cos\nsystem\n(S'true'\ntR."}) {
    Error error(Status::internal, "");
    EXPECT_NE(refusal(codec_with(), leaf_text(R"({"type":"instance"})", pickle), &error), "");
    EXPECT_TRUE(error.code() == Status::unsupported || error.code() == Status::malformed);
  }
}

TEST(YggdrasilHostile, Syntax) {
  for (const char* text : {"",
                           " ",
                           "[",
                           "[1",
                           "[1,",
                           "[1,]",
                           "[,1]",
                           "{",
                           "{\"a\"",
                           "{\"a\":",
                           "{\"a\":1",
                           "{\"a\":1,}",
                           "{a:1}",
                           "{1:2}",
                           "tru",
                           "nul",
                           "falsE",
                           "01",
                           "-",
                           "-a",
                           "1.",
                           ".5",
                           "1e",
                           "1e+",
                           "+1",
                           "0x1",
                           "\"a",
                           "\"\\",
                           "\"\\x\"",
                           "\"\\u12\"",
                           "\"\\u12g4\"",
                           "\"\\ud800\"",
                           "\"\\udc00a\"",
                           "\"\n\"",
                           "\"\x1f\"",
                           "1 2",
                           "[] []",
                           "nan",
                           "Nan",
                           "-NaN",
                           "Infinit",
                           "1e999",
                           "-1e999",
                           "]",
                           "}",
                           ":",
                           "[1}",
                           "{\"a\":1]",
                           "\xef\xbb\xbf"
                           "1"}) {
    SCOPED_TRACE(text);
    Error error(Status::internal, "");
    EXPECT_NE(refusal(codec_with(), text, &error), "");
    EXPECT_LE(error.offset(), std::string_view(text).size());
  }
}

TEST(YggdrasilHostile, EveryPrefixIsRefusedOrAnotherValue) {
  const std::string body = body_of(bodies() / "object_with_ygg_leaves.json");
  for (std::size_t size = 0; size < body.size(); ++size)
    EXPECT_NE(refusal(codec_with(), std::string(body.data(), size)), "") << size;
}

TEST(YggdrasilHostile, LimitsHold) {
  CallOptions nodes, depth, elements, memory;
  nodes.limits.max_nodes = 100;
  std::string list = "[1";
  for (int i = 0; i < 200; ++i) list += ",1";
  EXPECT_THROW(static_cast<void>(decode(codec_with(), list + "]", nodes)), Error);
  depth.limits.max_depth = 4;
  EXPECT_NO_THROW(static_cast<void>(decode(codec_with(), "[[[[]]]]", depth)));
  EXPECT_THROW(static_cast<void>(decode(codec_with(), "[[[[[]]]]]", depth)), Error);
  const std::string annotated =
      leaf_text(R"({"type":"scalar","subtype":"int","precision":1,"units":"m"})", "a");
  // What comes from another process is checked with a level for attributes.
  if (!is_isolated()) {
    EXPECT_NO_THROW(static_cast<void>(decode(codec_with(), "[[[" + annotated + "]]]", depth)));
  }
  EXPECT_THROW(static_cast<void>(decode(codec_with(), "[[[[" + annotated + "]]]]", depth)), Error);
  elements.limits.max_elements = 3;
  EXPECT_THROW(static_cast<void>(decode(codec_with(), "[1,2,3,4]", elements)), Error);
  const std::string four =
      leaf_text(R"({"type":"ndarray","subtype":"int","precision":1,"shape":[4]})", "abcd");
  EXPECT_THROW(static_cast<void>(decode(codec_with(), four, elements)), Error);
  // No bytes, and yet more elements than may be.
  const std::string empty =
      leaf_text(R"({"type":"ndarray","subtype":"string","precision":0,"shape":[1000000]})", "");
  EXPECT_THROW(static_cast<void>(decode(codec_with(), empty, elements)), Error);
  memory.limits.max_memory_bytes = 4096;
  EXPECT_THROW(static_cast<void>(decode(codec_with(), list + list.substr(1) + "]", memory)), Error);
}

TEST(YggdrasilHostile, TypesAndSubtypesMustAgree) {
  for (const char* schema : {R"({"type":"int","subtype":"float","precision":8})",
                             R"({"type":"float","subtype":"string","precision":8})",
                             R"({"type":"bytes","subtype":"unicode","precision":8})",
                             R"({"type":"unicode","subtype":"int","precision":8})"})
    EXPECT_EQ(refusal(codec_with(), leaf_text(schema, "12345678")), "yggdrasil.bad_schema")
        << schema;
  for (const char* schema :
       {R"({"type":"int","subtype":"int","precision":8})",
        R"({"type":"bytes","subtype":"string","precision":8})",
        R"({"type":"unicode","subtype":"string","encoding":"UTF8","precision":8})"})
    EXPECT_EQ(refusal(codec_with(), leaf_text(schema, "12345678")), "") << schema;
  // The encoding that such a type names stays.
  for (const char* schema :
       {R"({"type":"unicode","precision":8,"encoding":"UTF8"})",
        R"({"type":"bytes","precision":8,"encoding":"ASCII"})",
        R"({"type":"scalar","subtype":"unicode","precision":8,"encoding":"UTF16"})"}) {
    const std::string body = leaf_text(schema, "12345678");
    EXPECT_EQ(encode(codec_with(), decode(codec_with(), body)), body) << schema;
  }
}

TEST(YggdrasilHostile, ShapesThatOverflow) {
  for (const char* shape :
       {"[4294967296,4294967296]", "[9223372036854775807,2]", "[18446744073709551615]", "[-1]",
        "[1.5]", "[\"1\"]", "[[1]]", "[0,9223372036854775807,9223372036854775807]", "{}", "null"}) {
    SCOPED_TRACE(shape);
    const std::string schema =
        R"({"type":"ndarray","subtype":"float","precision":8,"shape":)" + std::string(shape) + "}";
    EXPECT_NE(refusal(codec_with(), leaf_text(schema, "")), "");
  }
}

TEST(YggdrasilHostile, FlippedBytesNeverBreakTheModel) {
  std::mt19937 random(7);
  const std::string body = "[" + body_of(bodies() / "object_with_ygg_leaves.json") + "," +
                           body_of(bodies() / "py_quantity_arr.json") + "," +
                           body_of(bodies() / "py_ustr_arr.json") + "," +
                           body_of(bodies() / "instance_example.json") + "]";
  for (int i = 0; i < rounds(4000); ++i) {
    std::string bytes = body;
    for (unsigned n = 0; n < 1 + random() % 2; ++n)
      bytes[random() % bytes.size()] = static_cast<char>(random());
    Error error(Status::internal, "");
    const std::string detail = refusal(codec_with(), bytes, &error);
    if (!detail.empty()) {
      EXPECT_NE(error.code(), Status::internal);
      EXPECT_NE(error.code(), Status::invalid) << error.describe();
    }
  }
}

}  // namespace
}  // namespace polycodec::test
