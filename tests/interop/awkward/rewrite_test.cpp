// SPDX-License-Identifier: MIT
// What the Python library wrote, read and written again by us, and values of every kind, written
// and read.
#include <polycodec/kit/corpus.hpp>

#include "read_support.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

namespace polycodec::test {
namespace {

const std::string vectors = POLYCODEC_TEST_VECTORS "/awkward/";

/// "" if the value comes back equal.
std::string change(const Value& value, const std::string& options = "{}",
                   const std::string& array = "{}") {
  const auto store = rewritten(value, options);
  const std::string found = difference(value, read_store(store, array));
  return found.empty() ? "" : found + "\n" + blob(store, ".json");
}

bool has_references(const View& item) {
  if (item.kind() == POLYCODEC_KIND_REFERENCE) return true;
  const bool container =
      item.is_list() || item.kind() == POLYCODEC_KIND_OBJECT || item.kind() == POLYCODEC_KIND_UNION;
  for (std::uint64_t i = 0; container && i < item.size(); ++i)
    if (has_references(item.child(i))) return true;
  return false;
}

TEST(AwkwardRewrite, EveryVectorThatDecodes) {
  int written = 0;
  for (const auto& entry : std::filesystem::directory_iterator(vectors)) {
    const std::string name = entry.path().filename();
    if (!name.ends_with(".awkd") && !(name.ends_with(".h5") && has_hdf5())) continue;
    SCOPED_TRACE(name);
    Value value;
    if (refusal_of([&] { return value = read_path(entry.path()), 0; }))
      continue;  // the cases of doors say which
    ++written;
    if (has_references(value.view())) {
      // What is complete when it is referred to is shared and no reference any more: the value is
      // the same to those who follow references.
      std::ifstream in(vectors + name.substr(0, name.rfind('.')) + ".json");
      const auto expected = in ? Json::parse(in) : Json();
      if (in) {
        const Value again = read_store(rewritten(value));
        EXPECT_EQ("", difference(again.view(), expected));
      }
      continue;
    }
    EXPECT_EQ("", change(value));
    EXPECT_EQ("", change(value, R"({"compression": true})"));
    // Once written, the same bytes come of it again.
    const Blobs first = rewritten(value);
    EXPECT_EQ(first, rewritten(read_store(first)));
  }
  EXPECT_GE(written, 70);
}

TEST(AwkwardRewrite, WhatASchemaSaysOfItsArrayComesBack) {
  const std::string about =
      R"("doc": "made by hand", "metadata": {"run": [1, 2.5, null], "by": {"a": true}})";
  for (const std::string& expression :
       {std::string(R"({"json": 5})"), std::string(R"({"json": [1, 2]})"),
        buffer("1", R"("float64")", 2)}) {
    const Blobs first = {
        {"1", bytes_of<double>({1.5, 2.5})},
        {".json", R"({"awkward0": "0.15.5", )" + about + R"(, "schema": )" + expression + "}"}};
    const Value value = read_store(first);
    const View found(value.view().metadata());
    EXPECT_EQ(found["doc"].as_string(), "made by hand");
    EXPECT_TRUE(found["metadata"]["by"]["a"].as_bool());
    const Blobs again = rewritten(value);
    EXPECT_NE(blob(again, ".json").find(about), std::string::npos) << blob(again, ".json");
    EXPECT_EQ(blob(again, ".json").find("attributes"), std::string::npos);
    EXPECT_EQ(rewritten(read_store(again)), again);
  }
  // What is no JSON stays an attribute of ours, and others are beside these.
  const Value other =
      Value::parse(R"({"type": "annotated[2 * int8, doc='x', units='cm']", "value": [1, 2]})");
  const std::string schema = blob(rewritten(other), ".json");
  EXPECT_NE(schema.find(R"("doc": "x")"), std::string::npos) << schema;
  EXPECT_EQ(read_store(rewritten(other)).type(), other.type()) << schema;
}

TEST(AwkwardRewrite, ArraysWithoutAxesKeepTheirType) {
  int written = 0;
  for (const kit::CorpusEntry& entry : kit::lone_corpus()) {
    SCOPED_TRACE(entry.name);
    const Value value = Value::build([&](Builder& out) {
      const polycodec_node given = entry.make(out);
      if (given.as.array->layout != POLYCODEC_LAYOUT_NDARRAY) return given;
      // The first of the elements.
      auto* const a = out.allocate<polycodec_array>(1);
      *a = *given.as.array;
      a->ndim = 0;
      a->length = 1;
      return Builder::array(a);
    });
    const polycodec_array& one = *value.root()->as.array;
    if (one.layout != POLYCODEC_LAYOUT_NDARRAY) continue;
    ++written;
    EXPECT_EQ("", change(value));
    // Fixed strings come back without the zeros at their end.
    if (one.dtype == POLYCODEC_DTYPE_FIXED_BYTES || one.dtype == POLYCODEC_DTYPE_FIXED_UTF8)
      continue;
    const Blobs first = rewritten(value);
    const Value again = read_store(first);
    ASSERT_EQ(again.root()->kind, POLYCODEC_KIND_ARRAY) << blob(first, ".json");
    const polycodec_array& got = *again.root()->as.array;
    EXPECT_EQ(got.dtype, one.dtype);
    EXPECT_EQ(got.unit, one.unit);
    EXPECT_EQ(got.ndim, 0u);
    EXPECT_EQ(first, rewritten(again));
  }
  EXPECT_GE(written, 30);
}

TEST(AwkwardRewrite, ValuesOfTheCorpus) {
  // What comes back otherwise: numbers of lists that JSON holds lose their width, a reference to
  // what stands nowhere else is where it stands.
  const std::set<std::string_view> changed = {"short_reals", "integers", "unsigned_integers",
                                              "shared_reference"};
  for (const kit::CorpusEntry& entry : kit::corpus()) {
    if (changed.contains(entry.name)) continue;
    SCOPED_TRACE(entry.name);
    const Value value = Value::build([&](Builder& out) { return entry.make(out); });
    try {
      EXPECT_EQ("", change(value));
      EXPECT_EQ("", change(value, R"({"compression": [{"method": "lzma", "level": 0}]})"));
    } catch (const Error& e) {
      EXPECT_TRUE(entry.name == "times" && e.code() == Status::range) << e.describe();
    }
  }
}

}  // namespace
}  // namespace polycodec::test
