// SPDX-License-Identifier: MIT
// Registry::read: one call for files, messages and typed JSON.

#include "core/frame/message.hpp"
#include "core/text/text.hpp"
#include "core/value/value.hpp"
#include "registry/codec/registry.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

namespace polycodec {
namespace {

constexpr const char* typed = R"({"type": "3 * float64", "value": [1.0, 2.5, -0.0]})";

std::string encoded(std::string_view codec, const char* options = "") {
  const Value value = parse_text(typed);
  return registry().codec_with_json(codec, options).encode_to_string(value.view());
}

std::string message(const std::string& fields, const std::string& body) {
  return "YGG_MSG_HEAD{" + fields + "}YGG_MSG_HEAD" + body;
}

bool is_the_value(const Read& read) {
  return equal(read.value.view(), parse_text(typed).view());
}

TEST(Read, TypedJsonIsKnownByItsBeginningExtensionOrName) {
  const Read begins = registry().read(Source::owned(typed, "x"));
  EXPECT_TRUE(is_the_value(begins));
  ASSERT_NE(begins.codec, nullptr);
  EXPECT_EQ(begins.codec_name(), typed_json_name);
  EXPECT_EQ(begins.by, ChosenBy::content);
  const Read named = registry().read(Source::owned("[1, 2]", "x.json"));
  EXPECT_EQ(named.by, ChosenBy::extension);
  ReadOptions options;
  options.codec = "text";
  EXPECT_EQ(registry().read(Source::owned("[1, 2]", "x"), options).by, ChosenBy::name);
}

TEST(Read, CodecsAreChosenByContentOrName) {
  const Read found = registry().read(Source::owned(encoded("msgpack-ndarray"), "x.msgpack"));
  ASSERT_NE(found.codec, nullptr);
  EXPECT_TRUE(is_the_value(found));
  ReadOptions options;
  options.codec = "msgpack-ndarray";
  const Read named = registry().read(Source::owned(encoded("msgpack-ndarray"), "x"), options);
  EXPECT_EQ(named.by, ChosenBy::name);
  EXPECT_EQ(named.codec_name(), "msgpack-ndarray");
}

TEST(Read, FiltersNeedACodec) {
  const std::string filters = R"([{"id": "zlib"}])";
  const Value value = parse_text(typed);
  const std::string bytes =
      registry().codec_with_json("msgpack-ndarray", "", filters).encode_to_string(value.view());
  ReadOptions options;
  options.filters = filters;
  EXPECT_NE(error_of([&] { (void)registry().read(Source::owned(bytes, "x"), options); })
                .message()
                .find("require a codec name"),
            std::string::npos);
  options.codec = "msgpack-ndarray";
  const Read read = registry().read(Source::owned(bytes, "x"), options);
  EXPECT_TRUE(is_the_value(read));
  EXPECT_NE(read.filters.find("zlib"), std::string::npos);
}

TEST(Read, AMessageFitsItsDatatypeUnlessAskedNotTo) {
  const std::string body =
      registry()
          .codec("msgpack-ndarray")
          .encode_to_string(parse_text(R"({"type": "int64", "value": 7})").view());
  const std::string bytes = message(
      R"("__meta__": {"size": )" + std::to_string(body.size()) +
          R"(, "id": "1"}, "codec": "msgpack-ndarray", "serializer": {"seritype": "default", )"
          R"("datatype": {"type": "scalar", "subtype": "float", "precision": 8}})",
      body);
  const Read fits = registry().read(Source::owned(bytes, "x"));
  EXPECT_EQ(fits.by, ChosenBy::header);
  EXPECT_EQ(fits.value.view().kind(), POLYCODEC_KIND_FLOAT);
  ReadOptions options;
  options.fit = false;
  EXPECT_TRUE(registry().read(Source::owned(bytes, "x"), options).value.view().is_integer());
}

TEST(Read, ForeignOptionNamesAreQuotedAndMalformed) {
  const std::string body = encoded("msgpack-ndarray");
  const std::string bytes = message(
      R"("__meta__": {"size": )" + std::to_string(body.size()) +
          R"(, "id": "1"}, "codec": "msgpack-ndarray", "options": {"\u001b[31m\u202eevil\nline": 1})",
      body);
  const Error error = error_of([&] { (void)registry().read(Source::owned(bytes, "x")); });
  EXPECT_EQ(error.code(), Status::malformed);
  EXPECT_EQ(error.detail(), "message.header");
  const std::string& text = error.message();
  EXPECT_NE(text.find("is unknown"), std::string::npos) << text;
  EXPECT_EQ(text.find('\x1b'), std::string::npos) << text;
  EXPECT_EQ(text.find("evil\nline"), std::string::npos) << text;
}

}  // namespace
}  // namespace polycodec
