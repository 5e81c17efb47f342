// SPDX-License-Identifier: MIT
// The bodies that the real libraries wrote, in both styles, and their geometries.
#include "support.hpp"

#include <gtest/gtest.h>

namespace polycodec::test {
namespace {

TEST(YggdrasilVectors, NothingIsLostThroughTheOtherStyle) {
  std::size_t count = 0;
  for (const auto& path : descriptions(bodies())) {
    SCOPED_TRACE(path.filename());
    const std::string body = body_of(path);
    const bool python = path.filename().string().starts_with("py_");
    if (refusal(codec_with(), body) == "yggdrasil.long_double") continue;
    const Value value = decode(codec_with(), body);
    const Codec codec = codec_with({{"style", python ? "python" : "cpp"}});
    EXPECT_EQ(encode(codec, value), body);
    if (body == "NaN" || body.ends_with("Infinity")) continue;  // whether it was bare
    const Codec other = codec_with({{"style", python ? "cpp" : "python"}});
    EXPECT_EQ(encode(codec, decode(other, encode(other, value))), body);
    ++count;
  }
  EXPECT_GT(count, 80u);
}

TEST(YggdrasilVectors, GeometriesPassThroughTheirOwnCodecs) {
  for (const char* name : {"ply_basic", "py_ply", "obj_basic", "obj_empty", "py_obj"}) {
    SCOPED_TRACE(name);
    const std::string body = body_of(bodies() / (std::string(name) + ".json"));
    const Value value = decode(codec_with(), body);
    const std::string type = std::string(name).find("ply") != std::string::npos ? "ply" : "obj";
    EXPECT_EQ(node(value).metadata()->at("type").as_string(), type);
    EXPECT_TRUE(node(value).is_object() || node(value).is_array());
    EXPECT_EQ(encode(codec_with(), value), body);
    const Value text = decode(codec_with({{"geometry", "text"}}), body);
    EXPECT_EQ(to_string_view(node(text).as_extension().name), "yggdrasil." + type);
    EXPECT_EQ(encode(codec_with(), text), body);
  }
}

}  // namespace
}  // namespace polycodec::test
