// SPDX-License-Identifier: MIT
// Messages that real programs wrote, and damaged ones, through a channel.

#include "core/text/text.hpp"
#include "files.hpp"
#include "registry/channel/channel.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <string>

namespace polycodec {
namespace {

namespace fs = std::filesystem;

fs::path directory() {
  return fs::path(POLYCODEC_TEST_VECTORS) / "yggdrasil/messages";
}

using test::read_file;

/// What a new channel makes of one packet.
IncomingMessage receive(const std::string& bytes) {
  MessageReader reader({}, Transport::packets);
  reader.feed(bytes);
  const auto message = reader.next();
  if (!message) {
    reader.finish();
    throw Error(Status::truncated, "no message");
  }
  Channel channel(registry());
  return channel.unpack(*message);
}

TEST(MessageVectors, RealMessagesHaveTheirValues) {
  const std::pair<const char*, const char*> expected[] = {
      {"msg_array", R"([1, "a", null])"},
      {"msg_bool", "true"},
      {"msg_bytes", R"({"$bytes": "aGVsbG8="})"},
      {"msg_contains_separator", R"("text with YGG_MSG_HEAD inside")"},
      {"msg_direct", R"({"$bytes": "cmF3IGJ5dGVz"})"},
      {"msg_empty_bytes", R"({"$bytes": ""})"},
      {"msg_eof", R"({"$bytes": "RU9GISEh"})"},
      {"msg_in_data", "[0, 1, 2]"},
      {"msg_int", "5"},
      {"msg_ndarray_first", "[0, 1, 2]"},
      {"msg_no_metadata", "[0, 1, 2]"},
      {"msg_null", "null"},
      {"msg_object", R"({"a": 1, "b": [1.5, "x"]})"},
      {"msg_rpc_request", R"({"x": 1})"},
  };
  for (const auto& [name, text] : expected) {
    const IncomingMessage message = receive(read_file(directory() / (std::string(name) + ".msg")));
    const bool coded =
        std::string_view(name) != "msg_direct" && std::string_view(name) != "msg_eof";
    EXPECT_EQ(message.kind == BodyFormat::Kind::coded, coded) << name;
    EXPECT_EQ(to_text(message.value.view(), {.plain = true}), text) << name;
  }
  const IncomingMessage row = receive(read_file(directory() / "msg_table_row.msg"));
  const std::string text = to_text(row.value.view());
  EXPECT_NE(text.find("annotated[int32, units='umol'"), std::string::npos) << text;
  EXPECT_NE(text.find("annotated[float64, "), std::string::npos) << text;
}

TEST(MessageVectors, SignsAreTold) {
  const IncomingMessage end = receive(read_file(directory() / "msg_eof.msg"));
  EXPECT_EQ(end.kind, BodyFormat::Kind::control);
  EXPECT_EQ(end.sign, ControlSign::end_of_stream);
  EXPECT_EQ(end.codec, nullptr);
  EXPECT_EQ(receive("EOF!!!").sign, ControlSign::end_of_stream);
  EXPECT_EQ(receive("CLIENT_SIGNON::abc").sign, ControlSign::client_sign_on);
  EXPECT_EQ(receive(read_file(directory() / "msg_direct.msg")).kind, BodyFormat::Kind::raw);
}

TEST(MessageVectors, DamagedMessagesAreRefusedOrHarmless) {
  const std::pair<const char*, std::optional<Status>> expected[] = {
      {"msg_bad_schema", Status::type},
      {"msg_body_truncated", std::nullopt},  // incomplete: checked below
      {"msg_empty", Status::truncated},
      {"msg_header_empty", Status::malformed},
      {"msg_header_not_json", Status::malformed},
      {"msg_lowercase_sep", Status::malformed},
      {"msg_only_sep", Status::truncated},
      {"msg_separator_in_header", Status::malformed},
      {"msg_size_negative", Status::malformed},
      {"msg_size_null", Status::malformed},
      {"msg_size_too_small", Status::trailing},
      {"msg_size_zero_with_body", Status::trailing},
      {"msg_trailing_after_body", Status::trailing},
      {"msg_unknown_seritype", Status::unsupported},
  };
  for (const auto& [name, status] : expected) {
    const std::string bytes = read_file(directory() / "malformed" / (std::string(name) + ".msg"));
    try {
      (void)receive(bytes);
      ADD_FAILURE() << name << " was accepted";
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), status.value_or(Status::truncated)) << name << ": " << e.describe();
      EXPECT_FALSE(e.message().empty());
    }
  }
  // Old layouts are read; a value is made to fit the datatype of its header.
  const std::pair<const char*, const char*> read_anyway[] = {
      {"msg_no_meta", "2.0"},
      {"msg_old_style_type", "2.0"},
      {"msg_wrong_datatype", "2"},
      {"msg_wrong_units", "2.0"},
  };
  for (const auto& [name, text] : read_anyway) {
    const IncomingMessage message =
        receive(read_file(directory() / "malformed" / (std::string(name) + ".msg")));
    EXPECT_EQ(to_text(message.value.view(), {.plain = true}), text) << name;
  }
  const std::string units =
      to_text(receive(read_file(directory() / "malformed/msg_wrong_units.msg")).value.view());
  EXPECT_NE(units.find("units='cm'"), std::string::npos) << units;
  const std::string cast =
      to_text(receive(read_file(directory() / "malformed/msg_wrong_datatype.msg")).value.view());
  EXPECT_NE(cast.find("int32"), std::string::npos) << cast;
}

TEST(MessageVectors, EveryFileIsLookedAt) {
  std::size_t good = 0, bad = 0;
  for (const auto& entry : fs::directory_iterator(directory()))
    good += entry.path().extension() == ".msg";
  for (const auto& entry : fs::directory_iterator(directory() / "malformed"))
    bad += entry.path().extension() == ".msg";
  EXPECT_EQ(good, 15u);
  EXPECT_EQ(bad, 18u);
}

}  // namespace
}  // namespace polycodec
