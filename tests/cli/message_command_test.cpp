// SPDX-License-Identifier: MIT
// `polycodec message`, framed messages as input of the other commands, and `polycodec negotiate`.
#include "command.hpp"

#include <string_view>

namespace {

using polycodec::test::Command;
using polycodec::test::Finished;
using polycodec::test::Json;
using polycodec::test::read_file;

class MessageCommand : public Command {
 protected:
  static std::string message(const std::string& name) {
    return std::string(POLYCODEC_TEST_VECTORS) + "/yggdrasil/messages/" + name + ".msg";
  }
  /// The header that unpack printed first on standard error.
  static Json header_of(const Finished& finished) {
    return Json::parse(finished.err.substr(0, finished.err.find('\n')), nullptr, false);
  }

  const std::string array_ = R"({"type": "3 * float64", "value": [1.0, 2.5, -0.0]})";
};

TEST_F(MessageCommand, PackedValuesUnpack) {
  write("in.json", array_);
  for (const char* codec : {"yggdrasil", "msgpack-ndarray", "msgpack", "dynd"}) {
    const Finished packed = run({"message", "pack", "--codec", codec, "in.json", "-o", "out.msg"});
    ASSERT_EQ(packed.status, 0) << codec << packed.err;
    const Finished unpacked = run({"message", "unpack", "out.msg"});
    EXPECT_EQ(unpacked.status, 0) << unpacked.err;
    EXPECT_EQ(unpacked.out, array_ + "\n") << codec;
    const Json header = header_of(unpacked);
    ASSERT_TRUE(header.is_object()) << unpacked.err;
    EXPECT_EQ(header.contains("codec"), std::string_view(codec) != "yggdrasil");
    EXPECT_EQ(header["type"], "ndarray");
    const Finished only = run({"message", "unpack", "out.msg", "--header-only"});
    EXPECT_EQ(Json::parse(only.out), header);
    // All that takes files takes the message, too.
    EXPECT_EQ(run({"decode", "out.msg"}).out, array_ + "\n");
    EXPECT_NE(run({"inspect", "out.msg"}).out.find("3 * float64"), std::string::npos);
    EXPECT_EQ(run({"validate", "out.msg"}).status, 0);
    EXPECT_EQ(run({"convert", "out.msg", "back.msgpack", "--to", "msgpack"}).status, 0);
    EXPECT_EQ(run({"decode", "back.msgpack"}).out, array_ + "\n");
    EXPECT_EQ(Json::parse(run({"sniff", "out.msg", "--json"}).out)["by"], "header");
  }
}

TEST_F(MessageCommand, WorksInAPipe) {
  const Finished packed = run({"message", "pack", "-"}, array_);
  ASSERT_EQ(packed.status, 0) << packed.err;
  EXPECT_TRUE(packed.out.starts_with("YGG_MSG_HEAD{\"__meta__\":"));
  const Finished two = run({"message", "unpack", "-", "-q"}, packed.out + packed.out);
  EXPECT_EQ(two.out, array_ + "\n" + array_ + "\n");
  EXPECT_EQ(two.err, "");
  const Finished converted = run({"convert", "-", "-", "--to", "msgpack"}, packed.out);
  ASSERT_EQ(converted.status, 0) << converted.err;
  EXPECT_EQ(run({"decode", "-"}, converted.out).out, array_ + "\n");
}

TEST_F(MessageCommand, ValuesOneAfterAnotherInBoundedMemory) {
  const std::string one =
      std::string("\xc6\0\x0f\x42\x40", 5) + std::string(1000000, 'x');  // bytes of msgpack
  std::string many;
  for (int i = 0; i < 20; ++i) many += one;
  const std::vector<std::string> convert{
      "convert", "-",        "-",
      "--from",  "msgpack",  "--to",
      "msgpack", "--limits", R"({"max_memory_bytes": 4000000, "max_input_bytes": 4000000})"};
  const Finished same = run(convert, many);
  EXPECT_EQ(same.status, 0) << same.err;
  EXPECT_TRUE(same.out == many);
  // Values before one that fails have been written; the offset is that of the stream.
  const Finished half = run(convert, "\x01\x02\xc1");
  EXPECT_EQ(half.status, 1);
  EXPECT_EQ(half.out, "\x01\x02");
  EXPECT_NE(half.err.find("at byte 2"), std::string::npos) << half.err;
  EXPECT_EQ(run(convert, "").status, 1);
  // Another codec, and back.
  const Finished dynd =
      run({"convert", "-", "-", "--from", "msgpack", "--to", "dynd"}, "\x01\x02\x03");
  EXPECT_EQ(run({"convert", "-", "-", "--from", "dynd", "--to", "msgpack"}, dynd.out).out,
            "\x01\x02\x03");
  // A framed message is one value, whatever its first byte would be in the codec.
  const Finished packed = run({"message", "pack", "-", "--codec", "msgpack"}, array_);
  const Finished framed =
      run({"convert", "-", "-", "--from", "msgpack", "--to", "msgpack"}, packed.out);
  EXPECT_EQ(run({"decode", "-", "--from", "msgpack"}, framed.out).out, array_ + "\n") << framed.err;
}

TEST_F(MessageCommand, HeadersAndDialects) {
  write("in.json", array_);
  const Finished packed = run({"message", "pack", "in.json", "-o", "out.msg", "--header",
                               R"({"__meta__": {"id": "x", "model": "m"}, "user": [1]})"});
  ASSERT_EQ(packed.status, 0) << packed.err;
  Json header = Json::parse(run({"message", "unpack", "out.msg", "--header-only"}).out);
  EXPECT_EQ(header["__meta__"]["id"], "x");
  EXPECT_EQ(header["__meta__"]["model"], "m");
  EXPECT_EQ(header["user"], Json::array({1}));
  EXPECT_EQ(header["serializer"]["datatype"]["precision"], 8);
  ASSERT_EQ(
      run({"message", "pack", "in.json", "-o", "bare.msg", "--meta-only", "--no-datatype"}).status,
      0);
  header = Json::parse(run({"message", "unpack", "bare.msg", "--header-only"}).out);
  EXPECT_EQ(header.size(), 1u);
  for (const char* dialect : {"document", "legacy-1.8"}) {
    ASSERT_EQ(run({"message", "pack", "in.json", "-o", "old.msg", "--dialect", dialect}).status, 0);
    const Finished old = run({"message", "unpack", "old.msg"});
    EXPECT_EQ(old.out, array_ + "\n") << dialect << old.err;
    EXPECT_FALSE(header_of(old).contains("__meta__"));
    EXPECT_EQ(run({"decode", "old.msg"}).out, array_ + "\n");
  }
  for (const char* bad :
       {"[]", "{", R"({"codec": "x"})", R"({"__meta__": {"size": 1}})", R"({"type": 1})"})
    EXPECT_EQ(run({"message", "pack", "in.json", "-o", "no.msg", "--header", bad}).status, 2)
        << bad;
  EXPECT_EQ(run({"message", "pack", "in.json", "-o", "no.msg", "--codec", "no-such"}).status, 3);
  EXPECT_EQ(run({"message", "pack", "in.json", "-o", "no.msg", "--codec", "msgpack", "--dialect",
                 "document"})
                .status,
            2);
  EXPECT_FALSE(std::filesystem::exists(directory_ / "no.msg"));
}

TEST_F(MessageCommand, RawBodiesAndTheEnd) {
  write("bytes", std::string("\0\1YGG_MSG_HEAD", 14));
  ASSERT_EQ(run({"message", "pack", "--raw", "bytes", "-o", "raw.msg"}).status, 0);
  EXPECT_EQ(run({"message", "unpack", "raw.msg", "--plain"}).out,
            R"({"$bytes": "AAFZR0dfTVNHX0hFQUQ="})"
            "\n");
  ASSERT_EQ(run({"message", "pack", "--end", "-o", "end.msg"}).status, 0);
  EXPECT_EQ(run({"decode", "end.msg", "--plain"}).out, "{\"$bytes\": \"RU9GISEh\"}\n");
  EXPECT_NE(run({"sniff", "end.msg"}).out.find("end_of_stream"), std::string::npos);
}

TEST_F(MessageCommand, LongMessagesInParts) {
  write("in.json", array_);
  ASSERT_EQ(run({"message", "pack", "in.json", "-o", "part", "--part-size", "150"}).status, 0);
  std::vector<std::string> arguments{"message", "unpack", "part"};
  for (int i = 1; std::filesystem::exists(directory_ / ("part." + std::to_string(i))); ++i)
    arguments.push_back("part." + std::to_string(i));
  ASSERT_GT(arguments.size(), 4u);
  const Finished whole = run(arguments);
  EXPECT_EQ(whole.out, array_ + "\n") << whole.err;
  arguments.pop_back();
  EXPECT_EQ(run(arguments).status, 1);
}

TEST_F(MessageCommand, RealMessagesAndDamagedOnes) {
  EXPECT_EQ(run({"message", "unpack", message("msg_object"), "--plain"}).out,
            "{\"a\": 1, \"b\": [1.5, \"x\"]}\n");
  EXPECT_EQ(run({"decode", message("msg_in_data"), "--plain"}).out, "[0, 1, 2]\n");
  for (const char* name :
       {"msg_body_truncated", "msg_size_null", "msg_unknown_seritype", "msg_trailing_after_body",
        "msg_empty", "msg_lowercase_sep", "msg_bad_schema"}) {
    const Finished bad =
        run({"message", "unpack", message(std::string("malformed/") + name), "--json"});
    EXPECT_EQ(bad.status, 1) << name << bad.err;
    EXPECT_EQ(bad.err.find("internal"), std::string::npos);
  }
  write("pickle.msg",
        "YGG_MSG_HEAD{\"size\":1,\"serializer\":{\"seritype\":\"pickle\"}}YGG_MSG_HEADx");
  EXPECT_EQ(run({"decode", "pickle.msg"}).status, 1);  // refused for what it is, not by the policy
}

TEST_F(MessageCommand, FilesWithoutAFrameAreMessagesWithoutAHeader) {
  const Finished body = run({"message", "unpack", message("msg_no_metadata"), "--plain"});
  EXPECT_EQ(body.out, "[0, 1, 2]\n") << body.err;
  EXPECT_EQ(body.err, "null\n");
  write("eof", "EOF!!!");
  EXPECT_EQ(run({"message", "unpack", "eof", "--plain"}).out, "{\"$bytes\": \"RU9GISEh\"}\n");
  write("cut", "YGG_MSG");
  EXPECT_NE(run({"message", "unpack", "cut"}).err.find("message.incomplete"), std::string::npos);
}

TEST_F(MessageCommand, TheHeaderSaysWhatTheValueIs) {
  const auto message = [](const std::string& datatype, const std::string& body) {
    return "YGG_MSG_HEAD{\"__meta__\":{\"size\":" + std::to_string(body.size()) +
           "},\"serializer\":{\"seritype\":\"default\",\"datatype\":" + datatype +
           "}}YGG_MSG_HEAD" + body;
  };
  write("cast.msg", message(R"({"type":"scalar","subtype":"int","precision":4})", "2.0"));
  for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
           {"message", "unpack", "cast.msg"}, {"decode", "cast.msg"}})
    EXPECT_EQ(run(command).out, "{\"type\": \"int32\", \"value\": 2}\n");
  EXPECT_EQ(run({"decode", "cast.msg", "--as-is"}).out,
            "{\"type\": \"float64\", \"value\": 2.0}\n");
  EXPECT_EQ(run({"convert", "cast.msg", "cast.ygg"}).status, 0);
  EXPECT_EQ(run({"decode", "cast.ygg", "--plain"}).out, "2\n");
  write("wrong.msg", message(R"({"type":"scalar","subtype":"int","precision":4})", "\"x\""));
  write("schema.msg", message(R"({"type":5})", "1"));
  EXPECT_NE(run({"decode", "schema.msg"}).err.find("in $.serializer.datatype.type"),
            std::string::npos);
  for (const char* file : {"wrong.msg", "schema.msg"})
    for (const char* command : {"decode", "validate", "inspect"}) {
      const Finished refused = run({command, file});
      EXPECT_EQ(refused.status, 1) << command << file << refused.out;
      EXPECT_NE(refused.err.find("schema."), std::string::npos) << refused.err;
    }
}

TEST_F(MessageCommand, OptionsOfAHeaderAreInputAndNotUsage) {
  write("options.msg",
        "YGG_MSG_HEAD{\"size\":1,\"codec\":\"msgpack\",\"options\":{\"no\":1}}YGG_MSG_HEAD\x01");
  write("bits.msg",
        "YGG_MSG_HEAD{\"size\":4,\"type\":\"scalar\",\"subtype\":\"int\",\"precision\":63}YGG_MSG_"
        "HEAD\"AA\"");
  for (const char* file : {"options.msg", "bits.msg"}) {
    const Finished decoded = run({"decode", file}), unpacked = run({"message", "unpack", file});
    EXPECT_EQ(decoded.status, 1) << decoded.err;
    EXPECT_EQ(unpacked.status, 1) << unpacked.err;
    EXPECT_NE(decoded.err.find("message.header"), std::string::npos) << decoded.err;
  }
}

TEST_F(MessageCommand, NegotiateChoosesAndExplains) {
  write("in.json", array_);
  write("offer.json",
        R"({"peer": "p", "codecs": [{"codec": "no-such"}, {"codec": "dynd", "versions": ["none"]},
    {"codec": "msgpack-ndarray", "max_bytes": 3}, {"codec": "yggdrasil", "types": ["string"]},
    {"codec": "yggdrasil", "types": ["N * float64"]}]})");
  const Finished chosen = run({"negotiate", "offer.json", "in.json", "--json"});
  ASSERT_EQ(chosen.status, 0) << chosen.err << chosen.out;
  const Json object = Json::parse(chosen.out);
  EXPECT_EQ(object["codec"], "yggdrasil");
  ASSERT_EQ(object["verdicts"].size(), 5u);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_FALSE(object["verdicts"][i]["fits"]) << i;
  EXPECT_NE(run({"negotiate", "offer.json", "in.json"})
                .out.find("- dynd: the peer does not read version"),
            std::string::npos);
  write("rules.json", R"({"rules": [{"when": {"peer": "p"}, "codec": "msgpack-ndarray"}]})");
  write("both.json",
        R"({"peer": "p", "codecs": [{"codec": "yggdrasil"}, {"codec": "msgpack-ndarray"}]})");
  EXPECT_EQ(Json::parse(run({"negotiate", "both.json", "in.json", "--json"}).out)["codec"],
            "yggdrasil");
  EXPECT_EQ(
      Json::parse(run({"negotiate", "both.json", "in.json", "--json", "--config", "rules.json"})
                      .out)["codec"],
      "msgpack-ndarray");
  write("none.json", R"({"codecs": [{"codec": "no-such"}]})");
  const Finished none = run({"negotiate", "none.json", "in.json"});
  EXPECT_EQ(none.status, 1);
  EXPECT_NE(none.out.find("no-such: no such codec here"), std::string::npos) << none.out;
  for (const char* bad : {"[]", "{}", R"({"codecs": [{"codec": "../x"}]})",
                          R"({"codecs": [{"codec": "x", "types": ["3 *"]}]})"}) {
    write("bad.json", bad);
    EXPECT_EQ(run({"negotiate", "bad.json", "in.json"}).status, 1) << bad;
  }
}

TEST_F(MessageCommand, HostileHeadersAreErrors) {
  write("in.json", "[1, 2, 3]");
  ASSERT_EQ(run({"message", "pack", "in.json", "--codec", "dynd", "--filters",
                 R"([{"id": "zlib"}])", "-o", "good.msg"})
                .status,
            0);
  const std::string good = read_file(directory_ / "good.msg"), separator = "YGG_MSG_HEAD";
  const std::size_t end = good.find(separator, separator.size());
  const Json header = Json::parse(good.substr(separator.size(), end - separator.size()));
  const std::string body = good.substr(end + separator.size());
  const std::string outside = (directory_ / "in.json").string();
  // A frame of zstd of one block, and one of LZ4: both say 2^60 bytes.
  const std::string size("\0\0\0\0\0\0\0\x10", 8);
  const std::string zstd = "\x28\xb5\x2f\xfd\xe0" + size + std::string("\x09\0\0a", 4);
  const std::string lz4 = "\x04\x22\x4d\x18\x4c\x70" + size + std::string(64, '\0');
  struct Change {
    const char* member;
    Json value;
    std::string body;
  };
  const Json zlib{{"id", "zlib"}};
  for (const auto& [member, value, content] : std::vector<Change>{
           {"filters", Json::array({zlib, zlib, zlib, zlib, zlib, zlib, zlib, zlib, zlib}), body},
           {"filters", Json::array({Json{{"id", "zstd"}}}), zstd},
           {"filters", Json::array({Json{{"id", "lz4"}}}), lz4},
           {"filters", Json::array({Json{{"id", "../../x"}}}), body},
           {"filters", Json::array({Json{{"id", outside}}}), body},
           {"filters", Json::array({Json{{"id", "zlib"}, {"schema_file", outside}}}), body},
           {"filters", "zlib", body},
           {"codec", "../../x", body},
           {"codec", outside, body},
           {"codec", "", body},
           {"size", std::uint64_t{1} << 60, body},
           {"size", -1, body},
           {"size", "x", body},
           {"x", std::string(2 << 20, 'a'), body}}) {
    Json changed = header;
    changed["size"] = changed["__meta__"]["size"] = content.size();
    changed[member] = value;
    if (member == std::string("size")) changed["__meta__"]["size"] = value;
    write("bad.msg", separator + changed.dump() + separator + content);
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"message", "unpack", "bad.msg"}, {"decode", "bad.msg"}}) {
      const Finished refused = run(words, "", "timeout 20");
      const std::string what = words[0] + " " + member + ": " + value.dump().substr(0, 80) + "\n";
      EXPECT_TRUE(refused.status == 1 || refused.status == 2) << what << refused.err.substr(0, 500);
      EXPECT_EQ(refused.out, "") << what;
      EXPECT_NE(refused.err.find("polycodec: "), std::string::npos) << what;
    }
  }
}

TEST_F(MessageCommand, ForeignTextDoesNotReachTheTerminalRaw) {
  const std::string body(1, '\x01');  // 1 in MessagePack
  write("evil.msg", R"(YGG_MSG_HEAD{"__meta__": {"size": 1, "id": "1"}, "codec": "msgpack", )"
                    R"("options": {"\u001b[31mred\u202e\u009b": 1}}YGG_MSG_HEAD)" +
                        body);
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"decode", "evil.msg"}, {"message", "unpack", "evil.msg"}}) {
    const Finished refused = run(words);
    EXPECT_EQ(refused.status, 1) << refused.err;
    for (const char* raw : {"\x1b", "\xe2\x80\xae", "\xc2\x9b"})
      EXPECT_EQ(refused.err.find(raw), std::string::npos) << refused.err;
    EXPECT_NE(refused.err.find("\\u001b"), std::string::npos) << refused.err;
  }
}

}  // namespace
