// SPDX-License-Identifier: MIT
// msgpack-c, both ways: random documents.

#include "core/io/sink.hpp"
#include "core/text/text.hpp"
#include "random_json.hpp"
#include "registry/codec/registry.hpp"

#include <gtest/gtest.h>
#include <msgpack.hpp>

namespace polycodec::test {
namespace {

void pack(msgpack::sbuffer& bytes, const Json& value) {
  msgpack::packer out(bytes);
  if (value.is_null())
    out.pack_nil();
  else if (value.is_boolean())
    out.pack(value.get<bool>());
  else if (value.is_number_unsigned())
    out.pack(value.get<std::uint64_t>());
  else if (value.is_number_integer())
    out.pack(value.get<std::int64_t>());
  else if (value.is_number_float()) {
    const auto number = value.get<double>();
    if (number != std::trunc(number)) {
      out.pack(number);
      return;
    }
    // The packer would write an integer (differences.py).
    char raw[9] = {'\xCB'};
    for (int i = 0; i < 8; ++i)
      raw[1 + i] = static_cast<char>(std::bit_cast<std::uint64_t>(number) >> (56 - 8 * i));
    bytes.write(raw, sizeof raw);
  } else if (value.is_string())
    out.pack(value.get<std::string>());
  else if (value.is_array()) {
    out.pack_array(static_cast<std::uint32_t>(value.size()));
    for (const Json& item : value) pack(bytes, item);
  } else {
    out.pack_map(static_cast<std::uint32_t>(value.size()));
    for (const auto& [key, item] : value.items()) {
      out.pack(key);
      pack(bytes, item);
    }
  }
}

Json unpack(const msgpack::object& o) {
  switch (o.type) {
    case msgpack::type::NIL:
      return nullptr;
    case msgpack::type::BOOLEAN:
      return o.via.boolean;
    case msgpack::type::POSITIVE_INTEGER:
      return o.via.u64;
    case msgpack::type::NEGATIVE_INTEGER:
      return o.via.i64;
    case msgpack::type::FLOAT64:
      return o.via.f64;
    case msgpack::type::STR:
      return std::string(o.via.str.ptr, o.via.str.size);
    case msgpack::type::ARRAY: {
      Json list = Json::array();
      for (std::uint32_t i = 0; i < o.via.array.size; ++i)
        list.push_back(unpack(o.via.array.ptr[i]));
      return list;
    }
    case msgpack::type::MAP: {
      Json object = Json::object();
      for (std::uint32_t i = 0; i < o.via.map.size; ++i)
        object[o.via.map.ptr[i].key.as<std::string>()] = unpack(o.via.map.ptr[i].val);
      return object;
    }
    default:
      throw std::runtime_error("a type that no document here has");
  }
}

/// As typed JSON under `any`, where a key that starts with $ gets one more.
Json escaped(const Json& value) {
  Json made = value;
  if (value.is_array())
    for (Json& item : made) item = escaped(item);
  if (value.is_object()) {
    made = Json::object();
    for (const auto& [key, item] : value.items())
      made[key.starts_with('$') ? "$" + key : key] = escaped(item);
  }
  return made;
}

class MsgpackC : public testing::Test {
 protected:
  RandomJson random{1};
  Registry registry = Registry::open();
  Codec codec = registry.codec("msgpack-ndarray");
};

TEST_F(MsgpackC, WritesWhatWeRead) {
  for (int i = 0; i < peer_values; ++i) {
    const Json value = random.document();
    msgpack::sbuffer packed;
    pack(packed, value);
    const Value read = codec.decode(Source::view({packed.data(), packed.size()}));
    const Json found = Json::parse(to_text(read.view(), {.plain = true}));
    ASSERT_TRUE(same(found, escaped(value))) << found << "\n" << value;
  }
}

TEST_F(MsgpackC, ReadsWhatWeWriteAndHasTheSameBytes) {
  for (int i = 0; i < peer_values; ++i) {
    const Json value = random.document();
    const Json typed = {{"type", "any"}, {"value", escaped(value)}};
    SegmentSink sink;
    const Value ours = parse_text(typed.dump());
    codec.encode(ours, sink);
    const std::string bytes = sink.to_string();
    const msgpack::object_handle back = msgpack::unpack(bytes.data(), bytes.size());
    ASSERT_TRUE(same(unpack(back.get()), value)) << value;
    msgpack::sbuffer packed;
    pack(packed, value);
    ASSERT_EQ(bytes, std::string(packed.data(), packed.size())) << value;
  }
}

}  // namespace
}  // namespace polycodec::test
