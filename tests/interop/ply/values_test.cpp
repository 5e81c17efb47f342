// SPDX-License-Identifier: MIT
// Values that were no PLY file before: what they become, and what is refused.

#include "shipped.hpp"

#include <gtest/gtest.h>

namespace polycodec::test {
namespace {

std::string ascii(const std::string& text, const CallOptions& call = default_call) {
  return encode(shipped("ply", {{"format", "ascii"}}), Value::parse(text), call);
}

std::string refused(const std::string& text) {
  return encode_refusal(shipped("ply", {{"format", "ascii"}}), Value::parse(text));
}

TEST(PlyValues, NumbersGetTheLeastTypeThatHoldsThem) {
  EXPECT_EQ(
      ascii(R"({"vertex": [{"x": 1.5, "n": 1, "u": 4000000000, "l": [1, 2], "b": true, "m": 2},
                                 {"x": 0.1, "n": -1, "u": 0, "l": [], "b": false, "m": 0.5}]})"),
      "ply\nformat ascii 1.0\nelement vertex 2\nproperty double x\nproperty int n\nproperty uint "
      "u\n"
      "property list uchar int l\nproperty uchar b\nproperty double m\nend_header\n"
      "1.5 1 4000000000 2 1 2 1 2\n0.1 -1 0 0 0 0.5\n");
}

TEST(PlyValues, PartsOfColorsAreBytesWhereTheyFit) {
  EXPECT_EQ(ascii(R"({"v": [{"red": 255, "green": 0, "blue": 256, "diffuse_red": 7}]})"),
            "ply\nformat ascii 1.0\nelement v 1\nproperty uchar red\nproperty uchar "
            "green\nproperty int blue\n"
            "property uchar diffuse_red\nend_header\n255 0 256 7\n");
}

TEST(PlyValues, WhatDoesNotFitIsRefusedWithItsPath) {
  EXPECT_EQ(refused(R"({"v": [{"x": 1}, {"x": 4294967296}, {"x": 2}]})"),
            "ply.out_of_range $.v.x[1]");
  EXPECT_EQ(refused(R"({"v": [{"x": [1]}, {"x": [0, -2147483649]}]})"),
            "ply.out_of_range $.v.x[1][1]");
  EXPECT_EQ(refused(R"({"v": [{"x": 2147483648}, {"x": -1}]})"), "ply.out_of_range $.v.x");
  EXPECT_EQ(refused(R"({"v": [{"x": 9007199254740993}, {"x": 0.5}]})"),
            "ply.out_of_range $.v.x[0]");
  EXPECT_EQ(refused(R"({"v": [{"x": 1}, {"x": null}]})"), "ply.no_number $.v.x[1]");
  EXPECT_EQ(refused(R"({"v": [{"x": [1]}, {"x": 1}]})"), "ply.bad_element $.v.x[1]");
  EXPECT_EQ(refused(R"({"v": [{"x y": 1}]})"), "ply.bad_name $.v[\"x y\"]");
  EXPECT_EQ(refused(R"({"v": [{"x": 1}, {}]})"), "ply.bad_element $.v[1]");
  EXPECT_EQ(refused("[1]"), "ply.no_elements ");
}

TEST(PlyValues, AttributesAreRefusedByNameOrTold) {
  const std::string text =
      R"({"type": "annotated[{v: 1 * {x: annotated[float64, unit='m']}}, title='t', format='ascii']",
                               "value": {"v": [{"x": 1}]}})";
  EXPECT_EQ(refused(text), "ply.lossy $");
  Losses call;
  EXPECT_EQ(ascii(text, call),
            "ply\nformat ascii 1.0\nelement v 1\nproperty double x\nend_header\n1\n");
  EXPECT_EQ(call.all,
            (std::vector<std::string>{"$: the attribute 'title'", "$.v.x: the attribute 'unit'"}));
}

TEST(PlyValues, EveryVectorIsTheSameInEveryFormat) {
  for (auto path : descriptions(std::filesystem::path(POLYCODEC_TEST_VECTORS) / "ply")) {
    const Value value = decode(shipped("ply"), read_file(path.replace_extension(".ply")));
    for (const char* format : {"ascii", "binary_little_endian", "binary_big_endian"})
      for (const char* ending : {"lf", "crlf", "cr"}) {
        SCOPED_TRACE(path.string() + " " + format + " " + ending);
        const Value other =
            decode(shipped("ply"),
                   encode(shipped("ply", {{"format", format}, {"line_ending", ending}}), value));
        // Text has one NaN, with a sign, and no payloads.
        EXPECT_EQ(
            difference(value, other, POLYCODEC_COMPARE_NO_METADATA | POLYCODEC_COMPARE_FLOATS), "");
        const NodeView attributes(other.view().metadata());
        EXPECT_EQ(attributes.at("format").as_string(), format);
        const auto said = attributes.find("line_ending");
        EXPECT_EQ(said ? said->as_string() : "lf", ending);
      }
  }
}

}  // namespace
}  // namespace polycodec::test
