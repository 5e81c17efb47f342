// SPDX-License-Identifier: MIT

#include "core/frame/message.hpp"
#include "temporary_directory.hpp"

namespace polycodec {
namespace {

using test::error_of;

BodyFormat format_of(const std::string& members, std::string_view body = "{}") {
  return body_format(parse_header(R"({"__meta__":{"size":0})" + members + "}"), body);
}

TEST(ControlSigns, AreTheWholeBodyOrItsBeginning) {
  EXPECT_EQ(control_sign("EOF!!!"), ControlSign::end_of_stream);
  EXPECT_EQ(control_sign("EOF!!! "), ControlSign::none);
  EXPECT_EQ(control_sign("EOF!!"), ControlSign::none);
  EXPECT_EQ(control_sign("\"EOF!!!\""), ControlSign::none);
  EXPECT_EQ(control_sign(""), ControlSign::none);
  EXPECT_EQ(control_sign("YGG_END_CLIENT"), ControlSign::end_client);
  EXPECT_EQ(control_sign("YGG_BEGIN_CLIENT"), ControlSign::begin_client);
  EXPECT_EQ(control_sign("CLIENT_SIGNON::"), ControlSign::client_sign_on);
  EXPECT_EQ(control_sign("SERVER_SIGNON::x::y"), ControlSign::server_sign_on);
}

TEST(BodyFormats, TheCodecMemberCountsMost) {
  const BodyFormat format =
      format_of(R"(,"codec":"ply","options":{"a":1},"raw":true,"serializer":{"seritype":"pickle"})",
                "EOF!!!");
  EXPECT_EQ(format.kind, BodyFormat::Kind::coded);
  EXPECT_EQ(format.codec, "ply");
  EXPECT_EQ(format.options, R"({"a":1})");
  EXPECT_FALSE(format.is_default);
}

TEST(BodyFormats, ControlMessagesAndRawBodies) {
  EXPECT_EQ(format_of("", "EOF!!!").kind, BodyFormat::Kind::control);
  EXPECT_EQ(format_of(R"(,"raw":true)", "EOF!!!").kind, BodyFormat::Kind::control);
  EXPECT_EQ(format_of(R"(,"raw":true)", "\"EOF!!!\"").kind, BodyFormat::Kind::raw);
  EXPECT_EQ(format_of(R"(,"raw":true,"serializer":{"seritype":"default"})").kind,
            BodyFormat::Kind::raw);
  EXPECT_EQ(format_of(R"(,"raw":false)").kind, BodyFormat::Kind::coded);
}

TEST(BodyFormats, SerializersOfRealPrograms) {
  EXPECT_EQ(format_of(R"(,"serializer":{"seritype":"default"})").codec, "yggdrasil");
  EXPECT_EQ(format_of(R"(,"serializer":{"seritype":"json"})").codec, "yggdrasil");
  EXPECT_EQ(format_of(R"(,"serializer":{"seritype":"direct"})").kind, BodyFormat::Kind::raw);
  for (const char* word : {"ply", "obj", "table", "yaml", "map", "mat", "pandas", "cabo"})
    EXPECT_EQ(format_of(std::string(R"(,"serializer":{"seritype":")") + word + "\"}").codec, word);
  for (const char* word : {"pickle", "functional", "\\u0070ickle"}) {
    const Error e =
        error_of([&] { format_of(std::string(R"(,"serializer":{"seritype":")") + word + "\"}"); });
    EXPECT_EQ(e.code(), Status::denied) << word;
    EXPECT_EQ(e.detail(), "message.seritype");
    EXPECT_EQ(e.path(), "$.serializer.seritype");
  }
  for (const char* word : {"zzz", "", "Default", "../ply", "pickle "})
    EXPECT_EQ(error_of([&] {
                format_of(std::string(R"(,"serializer":{"seritype":")") + word + "\"}");
              }).code(),
              Status::unsupported)
        << word;
  EXPECT_EQ(error_of([] { format_of(R"(,"serializer":{"seritype":1})"); }).code(),
            Status::malformed);
  EXPECT_EQ(error_of([] { format_of(R"(,"serializer":[])"); }).code(), Status::malformed);
}

TEST(BodyFormats, WithoutAnyMemberItIsYggdrasil) {
  for (const char* members :
       {"", R"(,"serializer":{})", R"(,"serializer":{"datatype":{"type":"int"}})"}) {
    const BodyFormat format = format_of(members);
    EXPECT_EQ(format.codec, "yggdrasil");
    EXPECT_TRUE(format.is_default);
    EXPECT_EQ(format.options, "");
  }
}

TEST(BodyFormats, OldHeadersGiveTheirDatatypeToTheCodec) {
  const Header old = parse_header(R"({"size":1,"datatype":{"type":"float","precision":64}})");
  const BodyFormat format = body_format(old, "x");
  EXPECT_EQ(format.codec, "yggdrasil");
  EXPECT_EQ(format.options,
            R"({"dialect":"legacy-1.8","datatype":{"type":"float","precision":64}})");
  EXPECT_EQ(body_format(old, "\"-YGG-e30=-YGG--YGG-\"").options, "");
  EXPECT_EQ(header_datatype(old), R"({"type":"float","precision":64})");
  // The same member means nothing beside __meta__.
  EXPECT_EQ(format_of(R"(,"datatype":{"type":"float"})").options, "");
}

TEST(BodyFormats, HeadersOfTheSpecificationDescribeTheBodyAtTheTopLevel) {
  const Header header = parse_header(
      R"({"type":"ndarray","size":1,"id":"i","units":"cm","subtype":"float","precision":64,"shape":[3],"user":1})");
  const char* const datatype =
      R"({"type":"ndarray","subtype":"float","precision":64,"units":"cm","shape":[3]})";
  EXPECT_EQ(header_datatype(header), datatype);
  EXPECT_EQ(body_format(header, "x").options,
            std::string(R"({"dialect":"document","datatype":)") + datatype + "}");
  EXPECT_EQ(body_format(parse_header(R"({"size":1})"), "x").options, "");
  // Without a subtype the body has to say what it is.
  EXPECT_EQ(body_format(parse_header(R"({"size":1,"type":"scalar"})"), "x").options, "");
}

TEST(BodyFormats, DatatypeOfTheHeader) {
  EXPECT_EQ(header_datatype(parse_header(
                R"({"__meta__":{"size":0},"serializer":{"datatype":{"type":"int"}}})")),
            R"({"type":"int"})");
  EXPECT_EQ(header_datatype(parse_header(R"({"__meta__":{"size":0}})")), "");
}

}  // namespace
}  // namespace polycodec
