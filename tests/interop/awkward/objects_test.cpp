// SPDX-License-Identifier: MIT
// What is inert outside of Python goes back into files as what it was.

#include "read_support.hpp"

#include <gtest/gtest.h>

namespace polycodec::test {
namespace {

/// The expression that is written for what an expression means; its value comes back equal.
Json again(std::string_view expression) {
  const Value value = read_schema(expression, {{"d", bytes_of<double>({1, 2, 3})}});
  const Blobs store = rewritten(value);
  EXPECT_EQ(difference(value, read_store(store)), "") << blob(store, ".json");
  return Json::parse(blob(store, ".json"))["schema"];
}

const std::string objects =
    R"({"call": ["awkward0", "ObjectArray"], "args": [)" + buffer("d", R"("float64")", 3) +
    R"(, {"function": ["mine", "Point"]}, {"tuple": [{"json": 5}]}, {"dict": {"scale": {"json": [1, "x"]}}}]})";

TEST(AwkwardObjects, AreWrittenAsObjects) {
  const Json written = again(objects);
  EXPECT_EQ(Json::parse(R"(["awkward0", "ObjectArray"])"), written["call"]);
  ASSERT_EQ(4u, written["args"].size());
  EXPECT_EQ("frombuffer", written["args"][0]["call"].back());
  EXPECT_EQ(Json::parse(R"({"function": ["mine", "Point"]})"), written["args"][1]);
  EXPECT_EQ(Json::parse(R"({"tuple": [{"json": 5}]})"), written["args"][2]);
  EXPECT_EQ("x", written["args"][3]["dict"]["scale"]["json"][1]);
  EXPECT_FALSE(written.contains("polycodec")) << written;
}

TEST(AwkwardObjects, AsColumnsAndInLists) {
  const std::string plain = R"({"call": ["awkward0", "ObjectArray"], "args": [)" +
                            buffer("d", R"("float64")", 3) +
                            R"(, {"function": ["mine", "Point"]}]})";
  const Json table =
      again(R"({"call": ["awkward0", "Table", "frompairs"], "args": [{"pairs": [["p", )" + plain +
            R"(]]}, {"json": 0}]})");
  EXPECT_EQ("ObjectArray", table["args"][0]["pairs"][0][1]["call"][1]);
  EXPECT_EQ(Json::parse(R"({"tuple": []})"), table["args"][0]["pairs"][0][1]["args"][2]);
  const Json lists =
      again(R"({"call": ["awkward0", "JaggedArray", "fromcounts"], "args": [{"json": [2, 1]}, )" +
            plain + "]}");
  EXPECT_EQ("ObjectArray", lists["args"][1]["call"][1]);
}

TEST(AwkwardObjects, KeepOtherAttributesOfTheirContent) {
  // Texts that were not UTF-8 have an attribute of their own.
  const Json written = again(
      R"({"call": ["awkward0", "ObjectArray"], "args": [{"call": ["awkward0", "StringArray", "fromcounts"],
          "args": [{"json": [2]}, {"read": "d"}, {"json": "latin-1"}]}, {"function": ["mine", "Name"]}]})");
  EXPECT_EQ("ObjectArray", written["call"][1]);
  EXPECT_EQ("latin-1", written["args"][0]["polycodec"]["attributes"]["dict"]["encoding"]["json"])
      << written;
}

TEST(AwkwardObjects, OfObjects) {
  const auto around = [](const std::string& content, const std::string& name) {
    return R"({"call": ["awkward0", "ObjectArray"], "args": [)" + content +
           R"(, {"function": ["mine", ")" + name + R"("]}, {"tuple": [{"json": ")" + name +
           R"("}]}]})";
  };
  const Json written = again(around(around(objects, "B"), "C"));
  EXPECT_EQ("C", written["args"][1]["function"][1]);
  EXPECT_EQ("C", written["args"][2]["tuple"][0]["json"]);
  const Json& middle = written["args"][0];
  EXPECT_EQ("B", middle["args"][1]["function"][1]);
  const Json& inner = middle["args"][0];
  EXPECT_EQ("Point", inner["args"][1]["function"][1]);
  EXPECT_EQ(5, inner["args"][2]["tuple"][0]["json"]);
  EXPECT_EQ("frombuffer", inner["args"][0]["call"].back());
}

TEST(AwkwardObjects, DtypesAndFunctions) {
  EXPECT_EQ(Json::parse(R"({"dtype": [["x", [">i4", [2]]]]})"),
            again(R"({"dtype": [["x", [">i4", [2]]]]})"));
  EXPECT_EQ(Json::parse(R"({"function": ["os", "system"]})"),
            again(R"({"function": ["os", "system"]})"));
  const Json both = again(R"({"list": [{"dtype": "f8", "id": 1}, {"ref": 1}, {"json": 1}]})");
  EXPECT_EQ("f8", both["list"][1]["dtype"]);
}

}  // namespace
}  // namespace polycodec::test
