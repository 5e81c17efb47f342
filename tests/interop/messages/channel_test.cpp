// SPDX-License-Identifier: MIT
// Channels: values of every codec through messages that the header alone explains, and what a
// channel remembers.

#include "registry/channel/channel.hpp"

#include "core/frame/frame.hpp"
#include "core/text/text.hpp"
#include "core/value/value.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace polycodec {
namespace {

std::string text_of(std::span<const Segment> segments) {
  std::string text;
  for (const Segment& s : segments) text.append(static_cast<const char*>(s.data), s.size);
  return text;
}

/// The message as a receiver gets it over a transport of packets.
std::vector<ReceivedMessage> over_packets(const MessageParts& parts) {
  MessageReader reader({}, Transport::packets);
  std::vector<ReceivedMessage> out;
  for (std::size_t i = 0; i < parts.count(); ++i) {
    reader.feed(text_of(parts.part(i)));
    while (auto message = reader.next()) out.push_back(std::move(*message));
  }
  reader.finish();
  return out;
}

/// Values of many kinds; no codec carries all.
std::vector<Value> candidates() {
  std::vector<Value> values;
  for (
      const char* text : {
          R"({"type":"{a: int64, b: 3 * float64, c: string}","value":{"a":-5,"b":[1.5,-0.0,2.25],"c":"YGG_MSG_HEAD"}})",
          R"({"type":"2 * 3 * float64","value":[[1.0,2.0,3.0],[4.0,5.0,6.0]]})",
          R"({"type":"3 * int32","value":[1,2,3]})",
          R"({"type":"2 * var * float32","value":[[1.0],[2.0,3.0]]})",
          R"({"type":"bytes","value":{"$bytes":"AAECWUdHX01TR19IRUFE"}})",
          R"({"type":"{x: 2 * float64, y: 2 * int32}","value":{"x":[0.5,1.5],"y":[1,2]}})",
          R"({"type":"{s: string}","value":{"s":"ab"}})",
      })
    values.push_back(parse_text(text));
  for (const char* file : {"ply", "obj"}) {
    const auto directory = std::filesystem::path(POLYCODEC_TEST_VECTORS) / file;
    for (const auto& entry : std::filesystem::directory_iterator(directory)) {
      if (entry.path().extension() != std::string(".") + file) continue;
      DecodeOptions options;
      options.codec = file;
      if (auto value =
              attempt([&] { return registry().decode(Source::file(entry.path()), options); });
          value.ok()) {
        values.push_back(std::move(*value));
        break;
      }
    }
  }
  return values;
}

/// The options without which a codec reads and writes nothing.
std::string needed_options(const std::string& codec) {
  if (codec != "fastbin") return {};
  const Source schema = Source::file(std::filesystem::path(POLYCODEC_TEST_VECTORS) / "fastbin" /
                                     "strings.schema.json");
  return "{\"schema\":" + std::string(schema.bytes()) + ",\"root\":\"One\"}";
}

TEST(Channels, BodiesOfEveryCodecAreDecodedByTheHeaderAlone) {
  const auto values = candidates();
  ASSERT_GE(values.size(), 9u);
  std::size_t codecs = 0;
  for (const CodecInfo& info : registry().codecs()) {
    if (!info.can_encode || !info.can_decode || !info.takes(POLYCODEC_INPUT_BYTES)) continue;
    ++codecs;
    std::size_t carried = 0;
    for (const Value& value : values) {
      const Codec codec = registry().codec_with_json(info.name, needed_options(info.name));
      BufferSink body;
      if (!attempt([&] { codec.encode(value.view(), body); }).ok()) continue;
      for (const bool meta_only : {false, true}) {
        ChannelOptions options;
        options.codec = info.name;
        options.codec_options = needed_options(info.name);
        options.meta_only = meta_only;
        options.declare =
            false;  // the value itself is compared, not one that was made to fit a schema
        options.max_part_bytes = 400;
        Channel sender(registry(), options), receiver(registry());
        const OutgoingMessage message = sender.pack(value.view());
        const auto received = over_packets(message.parts());
        ASSERT_EQ(received.size(), 1u) << info.name;
        Message whole;
        const std::string stream = text_of(message.parts().all());
        whole = parse_message(stream);
        EXPECT_EQ(whole.header.codec, info.name == "yggdrasil" ? "" : info.name);
        EXPECT_EQ(whole.header.codec_version, info.name == "yggdrasil" ? "" : info.format_version);
        const IncomingMessage incoming = receiver.unpack(received[0]);
        ASSERT_NE(incoming.codec, nullptr);
        EXPECT_EQ(incoming.codec->name, info.name);
        const Value expected = codec.decode(Source::view(body.view()));
        EXPECT_TRUE(equal(incoming.value.view(), expected.view()))
            << info.name << " " << to_text(value.view());
        // The registry alone does it, too, from the bytes of the whole message.
        const Value again = registry().decode(Source::view(stream));
        EXPECT_TRUE(equal(again.view(), expected.view())) << info.name;
        ++carried;
      }
    }
    EXPECT_GT(carried, 0u) << info.name << " carried no value";
  }
  EXPECT_GE(codecs, 5u);
}

TEST(Channels, OptionsAndFiltersOfAMessageAreUndone) {
  const Value value = parse_text(R"({"type":"1000 * float64","value":[)" + [] {
    std::string items = "0.5";
    for (int i = 1; i < 1000; ++i) items += "," + std::to_string(i) + ".5";
    return items;
  }() + "]}");
  ChannelOptions options;
  options.codec = "msgpack-ndarray";
  options.filters = R"([{"id":"zlib"},{"id":"crc32"}])";
  Channel sender(registry(), options), receiver(registry());
  const OutgoingMessage message = sender.pack(value.view());
  EXPECT_LT(message.parts().size(), 5000u);
  const std::string bytes = text_of(message.parts().all());
  EXPECT_TRUE(equal(receiver.unpack(parse_message(bytes)).value.view(), value.view()));
}

TEST(Channels, TheFirstMessageSaysWhatAllAre) {
  const Value first = parse_text(R"({"type":"2 * float64","value":[1.0,2.0]})");
  const Value second = parse_text(R"({"type":"3 * int32","value":[1,2,3]})");
  Channel sender(registry()), receiver(registry());
  const std::string one = text_of(sender.pack(first.view()).parts().all());
  const std::string two = text_of(sender.pack(second.view()).parts().all());
  const Message a = parse_message(one), b = parse_message(two);
  ASSERT_NE(a.header.find("serializer"), nullptr);
  EXPECT_EQ(
      *a.header.find("serializer"),
      R"({"seritype":"default","datatype":{"type":"ndarray","subtype":"float","precision":8}})");
  EXPECT_EQ(a.header.type, "ndarray");
  EXPECT_EQ(b.header.find("serializer"), nullptr);
  EXPECT_EQ(b.header.type, "ndarray");
  (void)receiver.unpack(a);
  // The second was made to fit before it was sent.
  EXPECT_EQ(to_text(receiver.unpack(b).value.view()),
            R"({"type": "3 * float64", "value": [1.0, 2.0, 3.0]})");
  const Value text = parse_text(R"({"type":"string","value":"x"})");
  EXPECT_NE(error_of([&] { (void)sender.pack(text.view()); }).code(), Status::ok);
  EXPECT_EQ(to_text(receiver.unpack(parse_message(text_of(sender.pack(first.view()).parts().all())))
                        .value.view(),
                    {.plain = true}),
            "[1.0, 2.0]");
}

TEST(Channels, ConvertTheUnitsOfArraysOrRejectThem) {
  Channel sender(registry()), receiver(registry());
  const auto sent = [&](const char* type, const char* value) {
    const Value made =
        parse_text(R"({"type":")" + std::string(type) + R"(","value":)" + value + "}");
    const std::string bytes = text_of(sender.pack(made.view()).parts().all());
    return to_text(receiver.unpack(parse_message(bytes)).value.view());
  };
  const std::string meters = sent("(annotated[float64, units='m'], annotated[float64, units='m'])",
                                  R"({"$tuple":[1.0,2.0]})");
  EXPECT_NE(meters.find("units='m'"), std::string::npos) << meters;
  EXPECT_EQ(sent("annotated[2 * float64, units='cm']", "[100.0,200.0]"), meters);
  const Error mass = error_of([&] { sent("annotated[2 * float64, units='kg']", "[1.0,2.0]"); });
  EXPECT_EQ(mass.detail(), "units.incompatible");
  EXPECT_EQ(mass.path(), "$[0]");
}

TEST(Channels, TheFirstDatatypeReceivedHoldsForLaterMessages) {
  const auto message = [](const std::string& body, const std::string& members = "") {
    return "YGG_MSG_HEAD{\"__meta__\":{\"size\":" + std::to_string(body.size()) + "}" + members +
           "}YGG_MSG_HEAD" + body;
  };
  Channel channel(registry());
  const auto receive = [&](const std::string& bytes) {
    return to_text(channel.unpack(parse_message(bytes)).value.view(), {.plain = true});
  };
  // An end of stream declares a type of its own body, which is not that of the channel.
  EXPECT_EQ(
      channel
          .unpack(parse_message(message(
              "EOF!!!",
              R"(,"raw":true,"serializer":{"datatype":{"type":"scalar","subtype":"string"}})")))
          .sign,
      ControlSign::end_of_stream);
  EXPECT_EQ(receive(message("5")), "5");
  EXPECT_EQ(
      receive(message(
          "6", R"(,"serializer":{"datatype":{"type":"scalar","subtype":"float","precision":8}})")),
      "6.0");
  EXPECT_EQ(receive(message("7")), "7.0");
  // Another datatype later on changes nothing.
  EXPECT_EQ(receive(message("8", R"(,"serializer":{"datatype":{"type":"integer"}})")), "8.0");
  EXPECT_NE(error_of([&] { receive(message("\"text\"")); }).code(), Status::ok);
  EXPECT_EQ(receive(message("9")), "9.0");
  ChannelOptions as_is;
  as_is.normalize = false;
  Channel lenient(registry(), as_is);
  EXPECT_EQ(
      to_text(
          lenient
              .unpack(parse_message(message(
                  "6",
                  R"(,"serializer":{"datatype":{"type":"scalar","subtype":"float","precision":8}})")))
              .value.view(),
          {.plain = true}),
      "6");
}

TEST(Channels, DialectsSayWhatTheBodyIs) {
  for (const Dialect dialect : {Dialect::current, Dialect::document, Dialect::legacy}) {
    ChannelOptions options;
    options.dialect = dialect;
    for (const char* text : {
             R"({"type": "2 * 3 * float64", "value": [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]})",
             R"({"type": "4 * int16", "value": [1, -2, 3, 4]})",
             R"({"type": "string", "value": "text"})",
             R"({"type": "annotated[float32, units='cm']", "value": 1.5})",
         }) {
      Channel sender(registry(), options), receiver(registry());
      const Value value = parse_text(text);
      const std::string bytes = text_of(sender.pack(value.view()).parts().all());
      const Message message = parse_message(bytes);
      EXPECT_EQ(message.header.legacy, dialect != Dialect::current);
      EXPECT_EQ(to_text(receiver.unpack(message).value.view()), text) << bytes;
      EXPECT_EQ(to_text(registry().decode(Source::view(bytes)).view()), text) << bytes;
    }
    EXPECT_EQ(find_dialect(dialect_name(dialect)), dialect);
  }
  // Where each header describes its own body, the first one does not bind the others.
  for (const Dialect dialect : {Dialect::document, Dialect::legacy}) {
    ChannelOptions options;
    options.dialect = dialect;
    Channel sender(registry(), options), receiver(registry());
    for (const char* text : {R"({"type": "2 * float64", "value": [1.0, 2.0]})",
                             R"({"type": "3 * int8", "value": [1, 2, 3]})"}) {
      const Value value = parse_text(text);
      const std::string bytes = text_of(sender.pack(value.view()).parts().all());
      EXPECT_EQ(to_text(receiver.unpack(parse_message(bytes)).value.view()), text) << bytes;
    }
  }
  ChannelOptions document;
  document.dialect = Dialect::document;
  Channel sender(registry(), document);
  const Value value = parse_text(R"({"type":"3 * int16","value":[1,2,3]})");
  const std::string bytes = text_of(sender.pack(value.view()).parts().all());
  const Header header = parse_message(bytes).header;
  EXPECT_EQ(header.type, "ndarray");
  ASSERT_NE(header.find("precision"), nullptr);
  EXPECT_EQ(*header.find("precision"), "16");
  document.codec = "msgpack-ndarray";
  EXPECT_EQ(error_of([&] { Channel(registry(), document); }).code(), Status::option);
}

// What a receiver makes of a value that was sent in an old dialect is what was sent.
TEST(Channels, OldDialectsLoseNothing) {
  for (const Dialect dialect : {Dialect::document, Dialect::legacy}) {
    ChannelOptions options;
    options.dialect = dialect;
    const auto sent = [&](const Value& value) {
      Channel sender(registry(), options), receiver(registry());
      const std::string bytes = text_of(sender.pack(value.view()).parts().all());
      return to_text(receiver.unpack(parse_message(bytes)).value.view());
    };
    // Arrays that the dialects have no name for come as lists.
    const std::pair<const char*, const char*> values[] = {
        {R"({"type": "float64", "value": )", R"({"$float": "nan"})"},
        {R"({"type": "2 * float64", "value": )", R"([1.5, {"$float": "-inf"}])"},
        {R"({"type": "{s: extension['yggdrasil.schema', {type: string}]}", "value": )",
         R"({"s": {"$ext": ["yggdrasil.schema", {"type": "number"}]}})"},
    };
    for (const auto& [type, value] : values) {
      const std::string text = std::string(type) + value + "}";
      EXPECT_EQ(sent(parse_text(text)), text);
    }
    EXPECT_EQ(
        sent(parse_text(R"({"type": "2 * var * float32", "value": [[1.0, 2.0], [3.0]]})")),
        R"({"type": "2 * var * float32", "value": {"$list": [{"$array": [1.0, 2.0]}, {"$array": [3.0]}]}})");
    EXPECT_EQ(sent(parse_text(R"({"type": "2 * ?int8", "value": [1, null]})")),
              R"({"type": "2 * ?int8", "value": {"$list": [1, null]}})");
    const std::string rows = R"([{"a": 1, "s": "x"}, {"a": null, "s": ""}, {"a": 2, "s": "y"}])";
    const std::string type = R"({"type": "3 * {a: ?int16, s: string}", "value": )";
    EXPECT_EQ(sent(parse_text(type + rows + "}")), type + R"({"$list": )" + rows + "}}");
    // As documents, not as arrays.
    EXPECT_EQ(sent(parse_text(R"([1.5, {"$float": "-inf"}])")),
              R"({"type": "2 * float64", "value": {"$list": [1.5, {"$float": "-inf"}]}})");
    const char* const instance =
        R"({"$ext": ["yggdrasil.instance", {"class": "a:b", "args": [1], "kwargs": {}}]})";
    EXPECT_TRUE(equal(parse_text(instance).view(), parse_text(sent(parse_text(instance))).view()))
        << sent(parse_text(instance));
    // What the header cannot describe is refused.
    EXPECT_EQ(
        error_of([&] {
          sent(parse_text(
              R"({"$ext": ["yggdrasil.instance", {"class": "a:b", "args": [{"$bytes": "AA=="}]}]})"));
        }).code(),
        Status::unsupported);
    // A table is its columns with their titles, a mesh the text of its file.
    const char* const table =
        R"({"type": "2 * {a: int32, b: float64}", "value": [{"a": 1, "b": 2.0}, {"a": 3, "b": 4.0}]})";
    EXPECT_EQ(
        sent(parse_text(table)),
        R"~({"type": "(annotated[2 * int32, title='a'], annotated[2 * float64, title='b'])", "value": [[1, 3], [2.0, 4.0]]})~");
    const char* const ply =
        R"({"$ext": ["yggdrasil.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n0.5\n"]})";
    EXPECT_NE(sent(parse_text(ply)).find("vertex: 1 * {x: float32}"), std::string::npos);
  }
}

// Rows of different lengths are written as one leaf each: the header says so.
TEST(Channels, HeadersDescribeRowsOfNumbersAsTheyAreWritten) {
  Channel sender(registry()), receiver(registry());
  const char* const text = R"({"type": "2 * var * float32", "value": [[1.0, 2.0], [3.0]]})";
  const Value value = parse_text(text);
  const std::string bytes = text_of(sender.pack(value.view()).parts().all());
  EXPECT_NE(
      bytes.find(
          R"("datatype":{"type":"array","items":{"type":["array","ndarray"],"subtype":"float","precision":4}})"),
      std::string::npos)
      << bytes;
  EXPECT_EQ(
      to_text(receiver.unpack(parse_message(bytes)).value.view()),
      R"({"type": "2 * var * float32", "value": {"$list": [{"$array": [1.0, 2.0]}, {"$array": [3.0]}]}})");
}

TEST(Channels, HeadersHaveNoBlanks) {
  ChannelOptions options;
  options.dialect = Dialect::document;
  Channel sender(registry(), options);
  const Value value = parse_text(R"({"a b": [1, "x"], "c\" : {": null})");
  const std::string bytes = text_of(sender.pack(value.view()).parts().all());
  EXPECT_NE(
      bytes.find(
          R"("properties":{"a b":{"type":"array","items":[{"type":"integer"},{"type":"string"}]},"c\" : {":{"type":"null"}})"),
      std::string::npos)
      << bytes;
}

TEST(Channels, BodiesOfMeshesNameTheSerializerThatReadsThem) {
  const auto header_of = [](const char* codec, const char* codec_options) {
    ChannelOptions options;
    options.codec = codec;
    options.codec_options = codec_options;
    Channel sender(registry(), options);
    const Value value =
        registry().decode(Source::view("ply\nformat ascii 1.0\nelement vertex 1\nproperty float "
                                       "x\nproperty float y\nproperty float z\n"
                                       "end_header\n0.5 1 2\n"));
    const Value obj = registry().decode(Source::view("v 0.5 1 2\nf 1 1 1\n"), [] {
      DecodeOptions decode;
      decode.codec = "obj";
      return decode;
    }());
    return parse_message(
               text_of(sender.pack(std::string_view(codec) == "obj" ? obj.view() : value.view())
                           .parts()
                           .all()))
        .header;
  };
  const Header ascii = header_of("ply", R"({"format":"ascii"})");
  ASSERT_NE(ascii.find("serializer"), nullptr);
  EXPECT_EQ(*ascii.find("serializer"), R"({"seritype":"ply"})");
  EXPECT_EQ(ascii.codec, "ply");
  EXPECT_EQ(ascii.type, "ply");
  // Real programs read no binary PLY.
  EXPECT_EQ(header_of("ply", R"({"format":"binary_little_endian"})").find("serializer"), nullptr);
  EXPECT_EQ(*header_of("obj", "").find("serializer"), R"({"seritype":"obj"})");
}

TEST(Channels, OffsetsOfErrorsCountFromTheFirstByte) {
  const std::string head = R"(YGG_MSG_HEAD{"__meta__":{"size":5}}YGG_MSG_HEAD)";
  MessageReader reader;
  reader.feed(head + "[1,2]" + head + "[1,x]");
  Channel channel(registry());
  channel.unpack(*reader.next());
  const auto second = reader.next();
  EXPECT_EQ(second->body_offset, 2 * head.size() + 5);
  EXPECT_EQ(error_of([&] { channel.unpack(*second); }).offset(), 2 * head.size() + 5 + 3);
  const std::string inside = R"({"user":1}YGG_MSG_HEAD[1,x])";
  const std::string begin =
      "YGG_MSG_HEAD{\"__meta__\":{\"in_data\":true,\"size\":" + std::to_string(inside.size()) +
      "}}YGG_MSG_HEAD";
  MessageReader other;
  other.feed(begin + inside);
  const auto unfolded = other.next();
  EXPECT_EQ(error_of([&] { channel.unpack(*unfolded); }).offset(),
            begin.size() + inside.size() - 2);
}

TEST(Channels, RawBodiesAndTheEnd) {
  Channel sender(registry()), receiver(registry());
  const std::string raw =
      text_of(sender.pack_raw("YGG_MSG_HEAD is no separator here").parts().all());
  const IncomingMessage message = receiver.unpack(parse_message(raw));
  EXPECT_EQ(message.kind, BodyFormat::Kind::raw);
  EXPECT_EQ(message.value.view().as_bytes().size(), 33u);
  const std::string end = text_of(sender.pack_end().parts().all());
  EXPECT_EQ(receiver.unpack(parse_message(end)).sign, ControlSign::end_of_stream);
  EXPECT_NE(end.find("\"raw\":true"), std::string::npos);
}

TEST(Channels, AnArrayAloneIsAMessage) {
  Channel sender(registry()), receiver(registry());
  const Value value = parse_text(R"({"type": "3 * int64", "value": [0, 1, 2]})");
  const std::string bytes = text_of(sender.pack(value.view()).parts().all());
  const IncomingMessage message = receiver.unpack(parse_message(bytes));
  EXPECT_EQ(message.header.type, "ndarray");
  EXPECT_TRUE(equal(message.value.view(), value.view()));
}

TEST(Channels, OtherFieldsPassBothWays) {
  Header extra;
  extra.id = "my id";
  extra.meta = {{"request_id", "\"r1\""}};
  extra.fields = {{"user", "{\"a\":[1]}"}};
  ChannelOptions options;
  options.model = "model \"A\"";
  Channel sender(registry(), options), receiver(registry());
  const Value value = parse_text("5");
  const std::string bytes = text_of(sender.pack(value.view(), extra).parts().all());
  const IncomingMessage message = receiver.unpack(parse_message(bytes));
  EXPECT_EQ(message.header.id, "my id");
  EXPECT_EQ(*message.header.find("request_id", true), "\"r1\"");
  EXPECT_EQ(*message.header.find("model", true), R"("model \"A\"")");
  EXPECT_EQ(*message.header.find("user"), "{\"a\":[1]}");
  extra.codec = "ply";
  EXPECT_EQ(error_of([&] { (void)sender.pack(value.view(), extra); }).code(), Status::invalid);
}

TEST(Channels, MessagesChooseWithinThePolicyAndNeverAPath) {
  RegistryOptions strict;
  strict.policy.deny_codecs = {{"msgpack-ndarray"}};
  Channel channel(Registry::open(strict));
  const auto receive = [&](const std::string& members, const std::string& body) {
    const std::string bytes =
        "YGG_MSG_HEAD{\"size\":" + std::to_string(body.size()) + members + "}YGG_MSG_HEAD" + body;
    return channel.unpack(parse_message(bytes));
  };
  EXPECT_EQ(error_of([&] { receive(R"(,"codec":"msgpack-ndarray")", "\xc0"); }).code(),
            Status::denied);
  EXPECT_EQ(error_of([&] { receive(R"(,"codec":"/tmp/x.so")", "x"); }).code(), Status::malformed);
  EXPECT_EQ(error_of([&] { receive(R"(,"codec":"no-such")", "x"); }).code(), Status::not_found);
  EXPECT_EQ(error_of([&] { receive(R"(,"serializer":{"seritype":"pickle"})", "x"); }).code(),
            Status::denied);
  EXPECT_EQ(error_of([&] { receive(R"(,"serializer":{"seritype":"mat"})", "x"); }).code(),
            Status::not_found);
}

TEST(Channels, SeparatorsInTextsReachGreedyReceiversEscaped) {
  Channel sender(registry()), receiver(registry());
  const Value value = parse_text(R"(["YGG_MSG_HEAD", {"YGG_MSG_HEAD": "x"}])");
  const std::string bytes = text_of(sender.pack(value.view()).parts().all());
  std::size_t count = 0;
  for (std::size_t at = 0; (at = find_separator(bytes, at)) != std::string::npos; ++at) ++count;
  EXPECT_EQ(count, 2u) << bytes;
  EXPECT_TRUE(equal(receiver.unpack(parse_message(bytes)).value.view(), value.view()));
}

}  // namespace
}  // namespace polycodec
