// SPDX-License-Identifier: MIT
#include "core/frame/message.hpp"

#include "core/frame/frame.hpp"
#include "temporary_directory.hpp"

#include <nlohmann/json.hpp>

#include <set>

namespace polycodec {
namespace {

using test::error_of;
using test::read_file;

class MessageTest : public test::InTemporaryDirectory {
 protected:
  static std::string vector(const std::string& name) {
    const auto directory = std::filesystem::path(POLYCODEC_TEST_VECTORS) / "yggdrasil/messages";
    auto path = directory / (name + ".msg");
    if (!std::filesystem::exists(path)) path = directory / "malformed" / (name + ".msg");
    { EXPECT_TRUE(std::filesystem::exists(path)) << path; }
    return read_file(path);
  }
  static std::string frame(const std::string& header, const std::string& body) {
    return std::string(message_separator) + header + std::string(message_separator) + body;
  }
  static Status status_of(const std::string& header) {
    return error_of([&] { parse_header(header); }).code();
  }
};

TEST_F(MessageTest, RealMessagesParse) {
  const std::string boolean = vector("msg_bool");
  const Message message = parse_message(boolean);
  EXPECT_EQ(message.body, "true");
  EXPECT_EQ(message.header.size, 4u);
  EXPECT_FALSE(message.header.id.empty());
  EXPECT_EQ(message.header.codec, "");
  for (const char* name : {"msg_ndarray_first", "msg_eof", "msg_direct"}) {
    const std::string bytes = vector(name);
    EXPECT_EQ(parse_message(bytes).body.size(), parse_message(bytes).header.size) << name;
  }
}

TEST_F(MessageTest, SeparatorInTheBodySurvives) {
  const std::string bytes = vector("msg_contains_separator");
  EXPECT_NE(parse_message(bytes).body.find(message_separator), std::string_view::npos);
}

TEST_F(MessageTest, HeaderThatGoesOnInTheBodyIsMerged) {
  const std::string bytes = vector("msg_in_data");
  EXPECT_TRUE(parse_header(parse_frame(bytes).header).in_data);
  const Message message = parse_message(bytes);
  EXPECT_FALSE(message.header.in_data);
  EXPECT_NE(message.header.find("serializer"), nullptr);
  EXPECT_EQ(message.body.size(), message.header.size);
  EXPECT_EQ(message.body.find(message_separator), std::string_view::npos);
}

TEST_F(MessageTest, MessageWithoutFrameIsToldApart) {
  const std::string bytes = vector("msg_no_metadata");
  EXPECT_FALSE(is_framed(bytes));
  EXPECT_EQ(error_of([&] { parse_message(bytes); }).code(), Status::malformed);
}

TEST_F(MessageTest, MalformedVectors) {
  const std::pair<const char*, Status> cases[] = {
      {"msg_body_truncated", Status::truncated},      {"msg_only_sep", Status::truncated},
      {"msg_size_negative", Status::malformed},       {"msg_size_null", Status::malformed},
      {"msg_size_too_small", Status::trailing},       {"msg_size_zero_with_body", Status::trailing},
      {"msg_trailing_after_body", Status::trailing},  {"msg_header_not_json", Status::malformed},
      {"msg_header_empty", Status::malformed},        {"msg_lowercase_sep", Status::malformed},
      {"msg_separator_in_header", Status::malformed}, {"msg_empty", Status::truncated}};
  for (const auto& [name, status] : cases) {
    const std::string bytes = vector(name);
    EXPECT_EQ(error_of([&] { parse_message(bytes); }).code(), status) << name;
  }
}

TEST_F(MessageTest, IncompleteSaysHowMuchIsMissing) {
  const Error e = error_of([&] { parse_message(frame(R"({"__meta__":{"size":10}})", "1234567")); });
  EXPECT_EQ(e.code(), Status::truncated);
  EXPECT_NE(e.message().find("incomplete: 3 bytes missing"), std::string::npos) << e.message();
}

TEST_F(MessageTest, SizesThatAreNone) {
  EXPECT_EQ(status_of(R"({"__meta__":{}})"), Status::malformed);
  EXPECT_EQ(status_of("{}"), Status::malformed);
  for (const char* size :
       {"-1", "-0", "1.0", "1e2", "\"5\"", "null", "true", "[]", "18446744073709551616"}) {
    EXPECT_EQ(status_of(std::string(R"({"__meta__":{"size":)") + size + "}}"), Status::malformed)
        << size;
    EXPECT_EQ(status_of(std::string(R"({"size":)") + size + "}"), Status::malformed) << size;
  }
  EXPECT_EQ(parse_header(R"({"__meta__":{"size":18446744073709551615}})").size, UINT64_MAX);
}

TEST_F(MessageTest, SpecifiedLayoutIsReadToo) {
  const Header header = parse_header(R"({"type":"float","size":8,"id":"x","precision":64})");
  EXPECT_EQ(header.type, "float");
  EXPECT_EQ(header.size, 8u);
  EXPECT_EQ(header.id, "x");
  ASSERT_NE(header.find("precision"), nullptr);
  EXPECT_EQ(*header.find("precision"), "64");
  const std::string bytes = vector("msg_no_meta");
  EXPECT_EQ(parse_message(bytes).header.type, "scalar");
  const std::string old = vector("msg_old_style_type");
  ASSERT_NE(parse_message(old).header.find("datatype"), nullptr);
}

TEST_F(MessageTest, MetaWinsOverTheTopLevel) {
  const Header header = parse_header(R"({"size":9,"id":"user","__meta__":{"size":3,"id":"m"}})");
  EXPECT_EQ(header.size, 3u);
  EXPECT_EQ(header.id, "m");
  EXPECT_EQ(header.fields, (std::vector<HeaderField>{{"size", "9"}, {"id", "\"user\""}}));
}

TEST_F(MessageTest, CodecIsANameAndNeverAPath) {
  EXPECT_EQ(
      parse_header(R"({"size":0,"codec":"msgpack-ndarray","codec_version":"3","options":{"a":1}})")
          .codec,
      "msgpack-ndarray");
  for (const char* codec :
       {"../x", "/lib/x.so", "A", "", "x/y", "x y", "1x", "x\\u0000", "\\u0435x"})
    EXPECT_EQ(status_of(std::string(R"({"size":0,"codec":")") + codec + "\"}"), Status::malformed)
        << codec;
  EXPECT_EQ(status_of(R"({"size":0,"codec":5})"), Status::malformed);
  EXPECT_EQ(status_of(R"({"size":0,"codec":"x","options":[]})"), Status::malformed);
  EXPECT_EQ(status_of(R"({"size":0,"codec":"x","codec_version":1})"), Status::malformed);
  // Without a codec these are somebody else's.
  EXPECT_EQ(parse_header(R"({"size":0,"options":[]})").fields.size(), 1u);
  EXPECT_TRUE(is_codec_name("a" + std::string(62, 'z')));
  EXPECT_FALSE(is_codec_name("a" + std::string(63, 'z')));
}

TEST_F(MessageTest, EveryRefusalOfAHeaderSaysWhere) {
  for (const char* json :
       {"", "[]", "5", R"({"__meta__":{"size":1},"a":})", "{\"size\":1,\"a\":\"\xff\"}",
        R"({"size":1,"size":2})", R"({"size":1,"a":{"b":1,"b":2}})"}) {
    try {
      parse_message(frame(json, "x"));
      ADD_FAILURE() << json;
    } catch (const Error& e) {
      EXPECT_EQ(e.detail(), "message.header") << json;
      EXPECT_GE(e.offset(), 12u) << json;
      EXPECT_LE(e.offset(), 12 + std::string_view(json).size()) << json;
    }
  }
}

TEST_F(MessageTest, UnknownFieldsPassThroughUnchanged) {
  const std::string text =
      R"({"__meta__":{"size":2,"id":"i","model":"m","big":123456789012345678901234567890},"user":{"a":[1.50,1E5,"\u00e9"]},)"
      R"("z":null})";
  const Header header = parse_header(text);
  EXPECT_EQ(*header.find("big", true), "123456789012345678901234567890");
  EXPECT_EQ(*header.find("user"), R"({"a":[1.50,1E5,"\u00e9"]})");
  EXPECT_EQ(build_frame(header, 2, HeaderStyle::meta_only), frame(text, ""));
}

TEST_F(MessageTest, BuiltFramesReadBack) {
  Header header;
  header.id = "an id";
  header.type = "ndarray";
  header.codec = "ply";
  header.codec_version = "1.0";
  header.options = R"({"binary":true})";
  header.meta = {{"model", "\"m\""}};
  header.fields = {{"a \"b\"", "[1,2]"}, {"c", "{\"d\":[]}"}};
  for (const HeaderStyle style : {HeaderStyle::full, HeaderStyle::meta_only}) {
    const std::string bytes = build_frame(header, 4, style) + "body";
    Message message = parse_message(bytes);
    EXPECT_EQ(message.body, "body");
    message.header.size = 0;
    EXPECT_EQ(message.header, header);
  }
  const std::string full = build_frame(header, 4);
  EXPECT_NE(full.find(R"("size":4,"id":"an id","codec":"ply")"), std::string::npos) << full;
}

TEST_F(MessageTest, SeparatorIsNeverRawInAHeader) {
  Header header;
  header.id = "a\\YGG_MSG_HEAD YGG_MSG_HEADYGG_MSG_HEAD";
  header.fields = {{"YGG_MSG_HEAD", "\"YGG_MSG_HEAD\""}};
  const std::string bytes = build_frame(header, 12) + "YGG_MSG_HEAD";
  Message message = parse_message(bytes);
  EXPECT_EQ(message.body, "YGG_MSG_HEAD");
  EXPECT_EQ(message.header.id, header.id);
  ASSERT_NE(message.header.find("YGG_MSG_HEAD"), nullptr);
  EXPECT_EQ(*message.header.find("YGG_MSG_HEAD"), "\"\\u0059GG_MSG_HEAD\"");
}

TEST_F(MessageTest, BuildRefusesWhatWouldNotReadBack) {
  const auto status = [](const std::function<void(Header&)>& change) {
    Header header;
    change(header);
    return error_of([&] { build_frame(header, 0); }).code();
  };
  EXPECT_EQ(status([](Header& h) { h.codec = "Bad/Name"; }), Status::invalid);
  EXPECT_EQ(status([](Header& h) { h.options = "{}"; }), Status::invalid);
  EXPECT_EQ(status([](Header& h) { h.fields = {{"a", "1"}, {"a", "2"}}; }), Status::invalid);
  EXPECT_EQ(status([](Header& h) { h.fields = {{"__meta__", "{}"}}; }), Status::invalid);
  EXPECT_EQ(status([](Header& h) { h.meta = {{"size", "1"}}; }), Status::invalid);
  EXPECT_EQ(status([](Header& h) { h.fields = {{"a", "1,\"codec\":\"x\""}}; }), Status::invalid);
  EXPECT_EQ(status([](Header& h) { h.fields = {{"a", "nope"}}; }), Status::invalid);
  EXPECT_EQ(status([](Header& h) { h.fields = {{"a", ""}}; }), Status::invalid);
  const std::string deep = std::string(600, '[') + std::string(600, ']');
  EXPECT_EQ(status([&](Header& h) { h.fields = {{"a", deep}}; }), Status::limit);
  EXPECT_EQ(status([](Header& h) { h.id = "\xff"; }), Status::invalid);
}

TEST_F(MessageTest, HeadersAreStrictJson) {
  EXPECT_EQ(status_of(R"({"size":0,"a":1,"a":2})"), Status::malformed);
  EXPECT_EQ(status_of(R"({"size":0,"a":{"b":1,"\u0062":2}})"), Status::malformed);
  EXPECT_EQ(status_of("[1]"), Status::malformed);
  EXPECT_EQ(status_of("{\"size\":0,\"a\":\"\xff\"}"), Status::malformed);
  EXPECT_EQ(status_of(R"({"size":0} x)"), Status::malformed);
  const Error e = error_of([] { parse_header(R"({"size":?})"); });
  EXPECT_EQ(e.offset(), 8u);
}

TEST_F(MessageTest, EveryRealMessageHasTheHeaderThatItsWriterSays) {
  std::size_t seen = 0;
  for (const auto& entry : std::filesystem::directory_iterator(
           std::filesystem::path(POLYCODEC_TEST_VECTORS) / "yggdrasil/messages")) {
    if (entry.path().extension() != ".json") continue;
    const auto expected = nlohmann::json::parse(read_file(entry.path()));
    const std::string bytes =
        read_file(std::filesystem::path(entry.path()).replace_extension(".msg"));
    ++seen;
    if (expected["header"].is_null()) {
      { EXPECT_FALSE(is_framed(bytes)) << entry.path(); }
      continue;
    }
    const Message message = parse_message(bytes);
    auto header = expected["header"];
    const auto& meta = header["__meta__"];
    EXPECT_EQ(message.header.id, meta["id"]) << entry.path();
    if (!meta.contains("in_data")) {
      EXPECT_EQ(message.body.size(), meta["size"]) << entry.path();
    }
    for (const auto& [name, value] : meta.items())
      if (name != "size" && name != "id" && name != "in_data") {
        EXPECT_EQ(nlohmann::json::parse(*message.header.find(name, true)), value) << entry.path();
      }
    for (const auto& [name, value] : header.items())
      if (name != "__meta__") {
        EXPECT_EQ(nlohmann::json::parse(*message.header.find(name)), value) << entry.path();
      }
    { EXPECT_FALSE(message.header.legacy); }
    // Written again in the same style it is a message of the same size and content.
    Header copy = message.header;
    const std::string again = build_frame(copy, message.body.size(), HeaderStyle::meta_only);
    if (!meta.contains("in_data")) {
      EXPECT_EQ(again.size() + message.body.size(), bytes.size()) << entry.path();
    }
    { EXPECT_EQ(parse_message(again + std::string(message.body)).header, message.header); }
  }
  EXPECT_EQ(seen, 15u);
}

TEST_F(MessageTest, OffsetsCountFromTheStartOfTheMessage) {
  const std::string bytes = frame(R"({"size":?})", "");
  EXPECT_EQ(error_of([&] { parse_message(bytes); }).offset(), 12u + 8u);
  const std::string rest = R"({"a":?})" + std::string(message_separator);
  const std::string folded =
      frame(R"({"__meta__":{"size":)" + std::to_string(rest.size()) + R"(,"in_data":true}})", rest);
  EXPECT_EQ(folded[error_of([&] { parse_message(folded); }).offset()], '?');
}

TEST_F(MessageTest, OldHeadersGoOnInTheBodyToo) {
  const std::string rest =
      R"({"datatype":{"type":"float","precision":64}})" + std::string(message_separator);
  const std::string bytes =
      frame(R"({"size":)" + std::to_string(rest.size() + 4) + R"(,"id":"x","type_in_data":true})",
            rest + "AAAA");
  const Message message = parse_message(bytes);
  EXPECT_TRUE(message.header.legacy);
  EXPECT_EQ(message.body, "AAAA");
  ASSERT_NE(message.header.find("datatype"), nullptr);
}

TEST_F(MessageTest, TheTwoPartsOfAHeaderDoNotContradictEachOther) {
  const auto message = [&](const std::string& front, const std::string& rest) {
    const std::string body = rest + std::string(message_separator) + "x";
    return frame(R"({"__meta__":{"size":)" + std::to_string(body.size()) + R"(,"in_data":true})" +
                     front + "}",
                 body);
  };
  EXPECT_EQ(parse_message(message("", R"({"codec":"ply"})")).header.codec, "ply");
  for (const auto& [front, rest] :
       {std::pair<const char*, const char*>{R"(,"codec":"obj")", R"({"codec":"ply"})"},
        {R"(,"type":"a")", R"({"type":"b"})"},
        {R"(,"a":1)", R"({"a":1})"},
        {"", R"({"__meta__":{}})"},
        {"", R"({"codec":"../x"})"},
        {"", "[]"}}) {
    const std::string bytes = message(front, rest);
    EXPECT_EQ(error_of([&] { parse_message(bytes); }).code(), Status::malformed) << front << rest;
  }
  Limits limits;
  limits.max_header_bytes = 100;
  const std::string longer = message("", R"({"a":")" + std::string(200, 'x') + "\"}");
  EXPECT_EQ(error_of([&] { parse_message(longer, limits); }).code(), Status::limit);
  const std::string none = frame(R"({"__meta__":{"size":2,"in_data":true}})", "{}");
  EXPECT_EQ(error_of([&] { parse_message(none); }).code(), Status::malformed);
}

TEST_F(MessageTest, HeadersAsTextAreWhatTheyWere) {
  for (const char* text :
       {R"({"__meta__":{"size":5,"model":"m"},"type":"t","user":1})", R"({"size":5,"user":[1,2]})",
        R"({"__meta__":{"size":0,"id":"i"},"codec":"ply","codec_version":"1","options":{"a":1}})"})
    EXPECT_EQ(header_to_json(parse_header(text)), text);
}

TEST_F(MessageTest, LegacyStyleHasNoMeta) {
  Header header;
  header.id = "i";
  header.meta = {{"address", "\"a\""}};
  header.fields = {{"datatype", R"({"type":"int","precision":32})"}};
  EXPECT_EQ(
      build_frame(header, 3, HeaderStyle::legacy),
      frame(R"({"size":3,"id":"i","address":"a","datatype":{"type":"int","precision":32}})", ""));
}

TEST_F(MessageTest, SeparatorsInJsonAreEscapedWithTheSameMeaning) {
  const std::string text =
      R"(["YGG_MSG_HEADYGG_MSG_HEAD","\\YGG_MSG_HEAD","YGG_MSG_HEA","_YGG_MSG_HEAD_"])";
  const std::string escaped = escape_separators(text);
  EXPECT_EQ(find_separator(escaped), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(escaped), nlohmann::json::parse(text));
  EXPECT_EQ(escape_separators("[1,\"a_b\"]"), "[1,\"a_b\"]");
}

TEST_F(MessageTest, SeparatorIsFoundWhereItIs) {
  for (std::size_t at = 0; at < 40; ++at) {
    const std::string text = std::string(at, '_') + "YGG_MSG_HEAD" + std::string(40 - at, 'Y');
    EXPECT_EQ(find_separator(text), at);
    EXPECT_EQ(find_separator(text, at), at);
    EXPECT_EQ(find_separator(text, at + 1), std::string::npos);
    EXPECT_EQ(find_separator(text.substr(0, at + 11)), std::string::npos);
  }
  EXPECT_EQ(find_separator(""), std::string::npos);
  EXPECT_EQ(find_separator("YGG_MSG_HEAD", 100), std::string::npos);
}

TEST_F(MessageTest, LimitsOnHeaders) {
  Limits limits;
  limits.max_header_bytes = 100;
  const std::string header = R"({"size":0,"a":")" + std::string(200, 'x') + "\"}";
  EXPECT_EQ(error_of([&] { parse_header(header, limits); }).code(), Status::limit);
  EXPECT_EQ(error_of([&] { parse_frame(frame(header, ""), limits); }).code(), Status::limit);
  EXPECT_EQ(error_of([&] { parse_frame("YGG_MSG_HEAD" + std::string(1000, 'x'), limits); }).code(),
            Status::limit);
  limits.max_header_bytes = header.size();
  EXPECT_EQ(parse_frame(frame(header, ""), limits).header, header);
  const std::string deep =
      R"({"size":0,"a":)" + std::string(100000, '[') + std::string(100000, ']') + "}";
  EXPECT_EQ(error_of([&] { parse_header(deep); }).code(), Status::limit);
}

TEST_F(MessageTest, EveryTruncationIsAnError) {
  for (const char* name : {"msg_ndarray_first", "msg_in_data", "msg_contains_separator"}) {
    const std::string bytes = vector(name);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      const std::string cut = bytes.substr(0, size);
      EXPECT_EQ(error_of([&] { parse_message(cut); }).code(), Status::truncated)
          << name << " at " << size;
    }
  }
}

TEST_F(MessageTest, BitFlipsNeverDoWorse) {
  const std::string bytes = vector("msg_in_data");
  std::size_t read = 0;
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    std::string flipped = bytes;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
    try {
      const Message message = parse_message(flipped);
      EXPECT_LE(message.body.size(), flipped.size());
      ++read;
    } catch (const Error&) {
    }
  }
  EXPECT_GT(read, 0u);  // those in the body and in strings
}

TEST_F(MessageTest, IdsAreUuidsOfVersion4) {
  std::set<std::string> ids;
  for (int i = 0; i < 100; ++i) ids.insert(make_message_id());
  EXPECT_EQ(ids.size(), 100u);
  for (const std::string& id : ids) {
    ASSERT_EQ(id.size(), 36u);
    EXPECT_EQ(id[14], '4');
    EXPECT_NE(std::string("89ab").find(id[19]), std::string::npos);
  }
}

}  // namespace
}  // namespace polycodec
