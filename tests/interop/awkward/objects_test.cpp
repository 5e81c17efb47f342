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

/// The content in lists of these lengths.
std::string jagged(const std::string& counts, const std::string& content) {
  return R"({"call": ["awkward0", "JaggedArray", "fromcounts"], "args": [{"json": )" + counts +
         "}, " + content + "]}";
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
  const Json lists = again(jagged("[2, 1]", plain));
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

// What uproot_methods writes: arrays of vectors, flat or in lists, whose class has plain columns.
TEST(AwkwardObjects, VectorsAreTheirColumnsAndTheirClass) {
  struct Class {
    const char *module, *name, *made_by;
    std::vector<std::string> columns;
  };
  const std::string numbers = buffer("d", R"("float64")", 3);
  const std::string lists = jagged("[2, 0, 1]", numbers);
  const std::string lists_of_lists = jagged("[1, 2]", lists);
  for (const Class& c :
       {Class{"TLorentzVector", "TLorentzVectorArray", "from_cartesian", {"x", "y", "z", "t"}},
        Class{"TLorentzVector",
              "TLorentzVectorArray",
              "from_ptetaphim",
              {"pt", "eta", "phi", "mass"}},
        Class{"TVector3", "TVector3Array", "from_cartesian", {"x", "y", "z"}},
        Class{"TVector2", "TVector2Array", "from_cartesian", {"x", "y"}}})
    for (const std::string package : {"uproot_methods", "uproot3_methods"})
      for (const std::string& column : {numbers, lists, lists_of_lists}) {
        const Json name = {package + ".classes." + c.module, c.name, c.made_by};
        std::string expression = R"({"call": )" + name.dump() + R"(, "args": [)";
        for (std::size_t i = 0; i < c.columns.size(); ++i)
          expression += (i == 0 ? "" : ", ") + column;
        expression += "]}";
        SCOPED_TRACE(expression);
        const Value value = read_schema(expression, {{"d", bytes_of<double>({1, 2, 3})}});
        const auto made_by = NodeView(View(value.view()).array()->metadata).find("class");
        ASSERT_TRUE(made_by && made_by->size() == 3);
        EXPECT_EQ((*made_by)[1].as_string(), c.name);
        View row(value.view()[0]);
        while (row.is_list()) row = row[0];
        ASSERT_TRUE(row.is_object());
        ASSERT_EQ(row.size(), c.columns.size());
        for (std::size_t i = 0; i < c.columns.size(); ++i) EXPECT_EQ(row.name(i), c.columns[i]);
        const Json written = again(expression);
        EXPECT_EQ(written["call"], name);
        ASSERT_EQ(written["args"].size(), c.columns.size());
        EXPECT_FALSE(written.contains("polycodec")) << written;
        EXPECT_EQ(written["args"][0]["call"][1] == "JaggedArray", column != numbers) << written;
      }
}

TEST(AwkwardObjects, VectorsOfOtherColumnsAreTables) {
  const auto vectors = [](const std::string& x, const std::string& y) {
    return R"({"call": ["uproot_methods.classes.TVector2", "TVector2Array", "from_cartesian"], "args": [)" +
           x + ", " + y + "]}";
  };
  const auto lists = [](const std::string& counts) {
    return jagged(counts, buffer("d", R"("float64")", 3));
  };
  const Blobs blobs = {{"d", bytes_of<double>({1, 2, 3})}};
  // Lists of other lengths are columns of one table; so the array is written again.
  const Value value = read_schema(vectors(lists("[2, 1]"), lists("[1, 2]")), blobs);
  EXPECT_EQ(View(value.view()).size(), 2u);
  EXPECT_EQ(View(value.view())[0]["y"].size(), 1u);
  EXPECT_EQ(again(vectors(lists("[2, 1]"), lists("[1, 2]")))["call"][1], "TVector2Array");
  // Only what the library writes is known.
  const auto unknown = refusal_of([&] {
    return read_schema(
        R"({"call": ["uproot_methods.classes.TVector2", "TVector2Array", "from_polar"], "args": []})");
  });
  ASSERT_TRUE(unknown);
  EXPECT_EQ(unknown->detail(), "function.unknown");
  EXPECT_TRUE(refusal_of([&] {
    return read_schema(
        R"({"call": ["uproot_methods.classes.TVector2", "TVector2Array", "from_cartesian"], "args": [)" +
            buffer("d", R"("float64")", 3) + "]}",
        blobs);
  }));
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
