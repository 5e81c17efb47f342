// SPDX-License-Identifier: MIT
// RapidJSON, which yggdrasil's own library is made of, both ways: the JSON text of documents and
// bodies.

#include "core/io/sink.hpp"
#include "core/text/text.hpp"
#include "random_json.hpp"
#include "registry/codec/registry.hpp"

#include <gtest/gtest.h>
#include <rapidjson/document.h>
#include <rapidjson/prettywriter.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

namespace polycodec::test {
namespace {

void build(rapidjson::Value& out, const Json& value, rapidjson::Document::AllocatorType& memory) {
  if (value.is_null())
    out.SetNull();
  else if (value.is_boolean())
    out.SetBool(value.get<bool>());
  else if (value.is_number_unsigned())
    out.SetUint64(value.get<std::uint64_t>());
  else if (value.is_number_integer())
    out.SetInt64(value.get<std::int64_t>());
  else if (value.is_number_float())
    out.SetDouble(value.get<double>());
  else if (value.is_string())
    out.SetString(value.get<std::string>(), memory);
  else if (value.is_array()) {
    out.SetArray();
    for (const Json& item : value) {
      rapidjson::Value part;
      build(part, item, memory);
      out.PushBack(part, memory);
    }
  } else {
    out.SetObject();
    for (const auto& [key, item] : value.items()) {
      rapidjson::Value name(key, memory), part;
      build(part, item, memory);
      out.AddMember(name, part, memory);
    }
  }
}

Json read(const rapidjson::Value& value) {
  if (value.IsNull()) return nullptr;
  if (value.IsBool()) return value.GetBool();
  if (value.IsString()) return std::string(value.GetString(), value.GetStringLength());
  if (value.IsUint64()) return value.GetUint64();
  if (value.IsInt64()) return value.GetInt64();
  if (value.IsNumber()) return value.GetDouble();
  Json made = value.IsArray() ? Json::array() : Json::object();
  if (value.IsArray()) {
    for (const auto& item : value.GetArray()) made.push_back(read(item));
  } else {
    for (const auto& member : value.GetObject())
      made[{member.name.GetString(), member.name.GetStringLength()}] = read(member.value);
  }
  return made;
}

Json parse(const std::string& text) {
  rapidjson::Document document;
  document.Parse<rapidjson::kParseFullPrecisionFlag>(text.data(), text.size());
  if (document.HasParseError()) throw std::runtime_error("RapidJSON refuses " + text);
  return read(document);
}

template <class Writer>
std::string write(const Json& value) {
  rapidjson::Document document;
  build(document, value, document.GetAllocator());
  rapidjson::StringBuffer text;
  Writer writer(text);
  document.Accept(writer);
  return {text.GetString(), text.GetSize()};
}

using Compact = rapidjson::Writer<rapidjson::StringBuffer>;
using Pretty = rapidjson::PrettyWriter<rapidjson::StringBuffer>;
/// All characters beyond ASCII as \uXXXX.
using Ascii = rapidjson::Writer<rapidjson::StringBuffer, rapidjson::UTF8<>, rapidjson::ASCII<>>;

TEST(RapidJson, DocumentsBothWays) {
  RandomJson random(2);
  for (int i = 0; i < peer_values; ++i) {
    const Json value = random.document();
    for (const std::string& text :
         {write<Compact>(value), write<Pretty>(value), write<Ascii>(value)}) {
      const Value ours = parse_json(text);
      const std::string again = to_json(ours.view(), i % 3 == 0   ? 2
                                                     : i % 3 == 1 ? 0
                                                                  : json_compact);
      ASSERT_TRUE(same(parse(again), value)) << again << "\n" << value;
    }
  }
}

TEST(RapidJson, YggdrasilBodiesBothWays) {
  RandomJson random(3);
  const Registry registry = Registry::open();
  const Codec codec = registry.codec("yggdrasil");
  for (int i = 0; i < peer_values; ++i) {
    const Json value = random.document();
    SegmentSink sink;
    const Value body = codec.decode(Source::owned(write<Compact>(value)));
    codec.encode(body, sink);
    ASSERT_TRUE(same(parse(sink.to_string()), value)) << sink.to_string() << "\n" << value;
  }
}

}  // namespace
}  // namespace polycodec::test
