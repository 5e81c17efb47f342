// SPDX-License-Identifier: MIT
// FlatBuffers beside fastbin: the same values in two formats of structs with a schema, carried from
// one to the other as JSON text, both ways. No other implementation of fastbin is packaged.

#include "core/io/sink.hpp"
#include "core/text/text.hpp"
#include "random_json.hpp"
#include "registry/codec/registry.hpp"

#include <flatbuffers/idl.h>
#include <gtest/gtest.h>

namespace polycodec::test {
namespace {

constexpr const char* flatbuffers_schema = R"(
  enum Side : uint8 { Sell = 0, Buy = 1, None = 7 }
  table Note { author: string; text: string; }
  table Order { id: uint64; price: double; size: int32; weight: float; open: bool; side: Side; note: Note;
                small: byte; odd: ushort; depth: [double]; ids: [int]; flags: [ubyte]; notes: [Note]; }
  root_type Order;
)";
constexpr const char* fastbin_schema = R"({"namespace": "peers",
  "enums": {"Side": {"type": "uint8", "members": {"Sell": {"value": 0}, "Buy": {"value": 1}, "None": {"value": 7}}}},
  "structs": {
    "Note": {"members": {"author": "string", "text": "string"}},
    "Order": {"members": {"id": "uint64", "price": "float64", "size": "int32", "weight": "float32", "open": "bool",
      "side": "enum:Side", "note": "struct:Note", "small": "int8", "odd": "uint16", "depth": "vector<float64>",
      "ids": "vector<int32>", "flags": "vector<uint8>", "notes": "vector<struct:Note>"}}}})";

class FlatBuffers : public testing::Test {
 protected:
  FlatBuffers() {
    flatbuffers::IDLOptions options;
    options.strict_json = true;
    options.output_default_scalars_in_json = true;
    options.indent_step = -1;
    parser = std::make_unique<flatbuffers::Parser>(options);
    if (!parser->Parse(flatbuffers_schema)) throw std::runtime_error(parser->error_);
  }

  Json note() { return {{"author", random.text()}, {"text", random.text()}}; }
  Json order() {
    Json made;
    const auto list = [&](auto&& item) {
      Json items = Json::array();
      for (std::uint64_t n = random.below(5); n != 0; --n) items.push_back(item());
      return items;
    };
    made["id"] =
        random.integer().is_number_unsigned() ? random.below(UINT64_MAX) : std::uint64_t{0};
    // FlatBuffers prints 12 digits.
    const auto short_number = [&] {
      return static_cast<double>(random.below(1u << 30)) / 1024 - 4096;
    };
    made["price"] = short_number();
    made["size"] = static_cast<std::int32_t>(random.below(UINT32_MAX));
    made["weight"] = static_cast<double>(random.below(1u << 16)) / 16;
    made["open"] = random.below(2) == 0;
    made["side"] = std::array{"Sell", "Buy", "None"}[random.below(3)];
    made["note"] = note();
    made["small"] = static_cast<int>(random.below(256)) - 128;
    made["odd"] = random.below(65536);
    made["depth"] = list(short_number);
    made["ids"] = list([&] { return static_cast<std::int32_t>(random.below(UINT32_MAX)); });
    made["flags"] = list([&] { return random.below(256); });
    made["notes"] = list([&] { return note(); });
    return made;
  }
  std::string encoded(const std::string& plain) {
    SegmentSink sink;
    const Value value = parse_text(plain);
    codec.encode(value, sink);
    return sink.to_string();
  }
  /// A document, made a buffer of FlatBuffers and printed again by it.
  std::string carried(const std::string& document) {
    std::string text;
    parser->builder_.Clear();
    if (!parser->Parse(document.c_str())) throw std::runtime_error(parser->error_ + document);
    if (!flatbuffers::GenerateText(*parser, parser->builder_.GetBufferPointer(), &text))
      throw std::runtime_error("FlatBuffers prints nothing");
    return text;
  }

  RandomJson random{4};
  std::unique_ptr<flatbuffers::Parser> parser;
  Registry registry = Registry::open();
  Codec codec = registry.codec_with_json(
      "fastbin", Json{{"schema", Json::parse(fastbin_schema)}, {"root", "Order"}}.dump());
};

TEST_F(FlatBuffers, WhatItPrintsIsTheSameBuffer) {
  for (int i = 0; i < peer_values; ++i) {
    const Json value = order();
    ASSERT_EQ(encoded(carried(value.dump())), encoded(value.dump())) << value;
  }
}

TEST_F(FlatBuffers, ReadsWhatWePrint) {
  for (int i = 0; i < peer_values; ++i) {
    const Json value = order();
    const std::string buffer = encoded(value.dump());
    const std::string plain = to_text(codec.decode(Source::view(buffer)).view(), {.plain = true});
    const Json found = Json::parse(carried(plain));
    ASSERT_TRUE(same(found, value)) << found << "\n" << value;
  }
}

}  // namespace
}  // namespace polycodec::test
