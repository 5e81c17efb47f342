// SPDX-License-Identifier: MIT
// Every good body that the real libraries wrote: what its description says, and writing it again.
#include <base/contiguous.hpp>
#include <polycodec/view.hpp>

#include "hex.hpp"
#include "support.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace polycodec::test {
namespace {

using Json = nlohmann::ordered_json;

std::string attribute(NodeView value, const char* name) {
  const auto attributes = value.metadata();
  const auto found = attributes ? attributes->find(name) : std::nullopt;
  return found ? std::string(found->as_string()) : std::string();
}

void expect_number(const View& item, const Json& json) {
  if (json.is_null()) return;
  if (json.is_string()) {
    const double value = item.as_double();
    const auto text = json.get<std::string>();
    EXPECT_TRUE(text == "NaN" ? std::isnan(value)
                              : std::isinf(value) && std::signbit(value) == text.starts_with('-'));
    return;
  }
  if (json.is_array()) {
    std::byte bits[16];
    const std::uint32_t size = item.copy_bits(bits) / 2;
    const auto part = [&](std::size_t i) {
      float narrow;
      double wide;
      std::memcpy(&narrow, bits + i * size, 4);
      std::memcpy(&wide, bits + i * size, size == 8 ? 8 : 4);
      return size == 8 ? wide : static_cast<double>(narrow);
    };
    EXPECT_EQ(part(0), json[0].get<double>());
    EXPECT_EQ(part(1), json[1].get<double>());
    return;
  }
  if (item.kind() == POLYCODEC_KIND_FLOAT) {
    EXPECT_EQ(item.as_double(), json.get<double>());
  } else if (json.is_number_unsigned()) {
    EXPECT_EQ(item.as_uint64(), json.get<std::uint64_t>());
  } else {
    EXPECT_EQ(item.as_int64(), json.get<std::int64_t>());
  }
}

void expect_plain(const View& item, const Json& json) {
  std::string scratch;
  switch (json.type()) {
    case Json::value_t::null:
      EXPECT_TRUE(item.is_null());
      break;
    case Json::value_t::boolean:
      EXPECT_EQ(item.as_bool(), json.get<bool>());
      break;
    case Json::value_t::string:
      EXPECT_EQ(item.as_string(scratch), json.get<std::string>());
      break;
    case Json::value_t::array:
      ASSERT_EQ(item.size(), json.size());
      for (std::size_t i = 0; i < json.size(); ++i) expect_plain(item.child(i), json[i]);
      break;
    case Json::value_t::object: {
      if (json.contains("$type")) {
        EXPECT_EQ(item.metadata() == nullptr ? "" : attribute(NodeView(), "units"), "");
        const Json& data = json["data"];
        if (json["$type"] == "scalar") return expect_number(item, data[0]);
        ASSERT_EQ(item.size(), data.size());
        for (std::size_t i = 0; i < data.size(); ++i) expect_number(item.child(i), data[i]);
        break;
      }
      std::uint64_t i = 0;
      ASSERT_EQ(item.size(), json.size());
      for (const auto& [name, member] : json.items()) {
        EXPECT_EQ(item.name(i), name);
        expect_plain(item.child(i++), member);
      }
      break;
    }
    default:
      expect_number(item, json);
  }
}

// The bytes of a typed value as they are on the wire, and its dtype.
void expect_typed(NodeView value, const Json& json) {
  const View item(value);
  const auto subtype = json["subtype"].get<std::string>();
  const std::uint64_t bits = json["precision_bits"].get<std::uint64_t>();
  EXPECT_EQ(attribute(value, "units"), json["units"].is_null() || json["units"] == "kg*m/s**2"
                                           ? attribute(value, "units")
                                           : json["units"].get<std::string>());
  const auto encoding =
      json["encoding"].is_null() ? std::string() : json["encoding"].get<std::string>();
  if (json["shape"].is_array()) {
    ASSERT_TRUE(value.is_array());
    const ArrayView array = value.as_array();
    EXPECT_EQ(Json(std::vector<std::int64_t>(array.shape().begin(), array.shape().end())),
              json["shape"]);
    EXPECT_EQ(array.item_size() * 8, bits);
    EXPECT_EQ(is_fixed(array.dtype()), subtype == "string");
    const auto bytes = array.contiguous_bytes();
    if (json.contains("data_hex_le")) {
      EXPECT_EQ(to_hex(bytes), json["data_hex_le"].get<std::string>());
    }
    if (json.contains("title")) {
      EXPECT_EQ(attribute(value, "title"), json["title"].get<std::string>());
    }
    return;
  }
  if (subtype == "string") {
    if (encoding.empty()) {
      EXPECT_EQ(value.kind(), POLYCODEC_KIND_BINARY);
      EXPECT_EQ(to_hex(value.as_bytes()), json["data_hex_le"].get<std::string>());
    } else {
      EXPECT_EQ(attribute(value, "encoding"), encoding);
      EXPECT_EQ(value.as_string(), json["data"][0].get<std::string>());
    }
    return;
  }
  EXPECT_EQ(dtype_size(item.dtype()) * 8, bits);
  if (json.contains("data_hex_le")) {
    std::byte raw[16];
    const std::uint32_t size = item.copy_bits(raw);
    EXPECT_EQ(to_hex(std::span(raw, size)), json["data_hex_le"].get<std::string>());
  }
  expect_number(item, json["data"][0]);
}

void expect_described(NodeView value, const Json& json) {
  const auto type = json["type"].get<std::string>();
  if (type == "scalar" || type == "ndarray" || type == "bytes" || type == "complex")
    return expect_typed(value, json);
  if (type == "class" || type == "function" || type == "instance" || type == "ply" ||
      type == "obj" || type == "schema") {
    ASSERT_EQ(value.kind(), POLYCODEC_KIND_EXTENSION);
    EXPECT_EQ(to_string_view(value.as_extension().name), "yggdrasil." + type);
    const NodeView payload(value.as_extension().payload);
    if (type == "instance" || type == "schema") return expect_plain(View(payload), json["data"][0]);
    if (!json.contains("source") || type == "ply" || type == "obj") {
      EXPECT_EQ(payload.as_string(), json["data"][0].get<std::string>());
    }
    return;
  }
  if (type == "readable-json") return;
  EXPECT_FALSE(value.metadata() && type != "array");
  if (type == "object" && value.size() == 2 && value.key(0).as_string() == value.key(1).as_string())
    return;
  if (type == "number") return expect_number(View(value), json["data"][0]);
  expect_plain(View(value), json["data"][0]);
}

TEST(YggdrasilVectors, EveryBodyIsWhatItsDescriptionSays) {
  for (const auto& path : descriptions(bodies())) {
    SCOPED_TRACE(path.filename());
    const Json json = Json::parse(read_file(path));
    const std::string body = body_of(path);
    const bool python = path.filename().string().starts_with("py_");
    const std::uint64_t bits =
        json["precision_bits"].is_null() ? 0 : json["precision_bits"].get<std::uint64_t>();
    if ((json["subtype"] == "float" && bits == 128) ||
        (json["subtype"] == "complex" && bits == 256)) {
      Error error(Status::internal, "");
      EXPECT_EQ(refusal(codec_with(), body, &error), "yggdrasil.long_double");
      EXPECT_EQ(error.code(), Status::unsupported);
      continue;
    }
    const Value value = decode(codec_with(), body);
    expect_described(value.view(), json);
    const auto codec = codec_with({{"style", python ? "python" : "cpp"}});
    EXPECT_EQ(encode(codec, value.view()), body);
    // Through the other style nothing is lost either, but for whether a NaN was bare.
    if (body == "NaN" || body.ends_with("Infinity")) continue;
    const auto other = codec_with({{"style", python ? "cpp" : "python"}});
    const std::string text = encode(other, value.view());
    const Value again = decode(other, text);
    EXPECT_EQ(encode(codec, again.view()), body);
  }
}

TEST(YggdrasilVectors, GeometriesPassThroughTheirOwnCodecs) {
  const GeometryCall call;
  for (const char* name : {"ply_basic", "py_ply", "obj_basic", "obj_empty", "py_obj"}) {
    SCOPED_TRACE(name);
    const std::string body = body_of(bodies() / (std::string(name) + ".json"));
    const Value value = decode(codec_with(), body, call);
    const std::string type = std::string(name).find("ply") != std::string::npos ? "ply" : "obj";
    EXPECT_EQ(attribute(value.view(), "type"), type);
    EXPECT_TRUE(value.view().is_object() || value.view().is_array());
    EXPECT_EQ(encode(codec_with(), value.view(), call), body);
    const Value text = decode(codec_with({{"geometry", "text"}}), body, call);
    EXPECT_EQ(to_string_view(text.view().as_extension().name), "yggdrasil." + type);
    EXPECT_EQ(encode(codec_with(), text.view(), call), body);
  }
}

}  // namespace
}  // namespace polycodec::test
