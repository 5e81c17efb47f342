// SPDX-License-Identifier: MIT
// Every good vector: what its description says, and writing it again in all ways.
#include <base/dtype_names.hpp>
#include <polycodec/value.hpp>

#include "codec.hpp"
#include "codec_calls.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace polycodec::test {
namespace {

using Json = nlohmann::json;
using ply::Ply;

std::filesystem::path vectors() {
  return std::filesystem::path(POLYCODEC_TEST_VECTORS) / "ply";
}

std::string ply_file(std::filesystem::path description) {
  return read_file(description.replace_extension(".ply"));
}

double number(const Json& json) {
  return json.is_string() ? std::stod(json.get<std::string>()) : json.get<double>();
}

bool same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

void expect_row(const View& row, const Json& json) {
  ASSERT_EQ(row.size(), json.size());
  for (const auto& [name, value] : json.items()) {
    const auto found = row.find(name);
    ASSERT_TRUE(found) << name;
    if (!value.is_array()) {
      EXPECT_TRUE(same(found->as_double(), number(value)))
          << name << ": " << found->as_double() << ", " << value;
      continue;
    }
    ASSERT_EQ(found->size(), value.size()) << name;
    for (std::size_t i = 0; i < value.size(); ++i)
      EXPECT_TRUE(same(found->child(i).as_double(), number(value[i]))) << name << "[" << i << "]";
  }
}

std::uint32_t item_dtype(const polycodec_array& column) {
  return column.layout == POLYCODEC_LAYOUT_NDARRAY ? column.dtype : column.children[0]->dtype;
}

void expect_column(const View& rows, std::size_t index, const Json& property, const Json& column) {
  const polycodec_array& array = *rows.array()->children[index];
  EXPECT_EQ(to_string_view(rows.array()->names[index]), property["name"].get<std::string>());
  EXPECT_EQ(dtype_name(item_dtype(array)), property["type"].get<std::string>());
  const bool list = property["list"].get<bool>();
  // The words of the header are attributes only where they are not the usual ones.
  const NodeView attributes = array.metadata == nullptr ? NodeView() : NodeView(array.metadata);
  const auto type = array.metadata == nullptr ? std::nullopt : attributes.find("type");
  const auto count = array.metadata == nullptr ? std::nullopt : attributes.find("count_type");
  if (type) {
    EXPECT_EQ(ply::type_from_word(type->as_string()), item_dtype(array));
  }
  if (list) {
    EXPECT_EQ(dtype_name(count ? ply::type_from_word(count->as_string()) : POLYCODEC_DTYPE_UINT8),
              property["count_type"].get<std::string>());
  }
  ASSERT_EQ(rows.size(), column["rows"].get<std::uint64_t>());
  double sum = 0;
  std::uint64_t items = 0;
  for (std::uint64_t row = 0; row < rows.size(); ++row) {
    const View value = rows.child(row).child(index);
    ASSERT_EQ(value.is_list(), list);
    if (!list) sum += value.as_double();
    for (std::uint64_t i = 0; i < value.size(); ++i, ++items) sum += value.child(i).as_double();
  }
  if (list) {
    EXPECT_EQ(items, column["items"].get<std::uint64_t>());
  }
  const double expected = number(column["sum"]);
  EXPECT_TRUE(sum == expected || (std::isnan(sum) && std::isnan(expected)))
      << sum << ", " << expected;
}

void expect_described(NodeView root, const Json& json) {
  const NodeView attributes(View(root).metadata());
  EXPECT_EQ(attributes.at("format").as_string(), json["format"].get<std::string>());
  Json comments = Json::array();
  Json info = Json::array();
  const Json& elements = json["elements"];
  // Comments that stand before the first element belong to the file.
  const auto said = attributes.find("comments");
  for (std::uint64_t i = 0; said && i < said->size(); ++i) {
    const NodeView comment = NodeView(&said->items()[i]);
    const bool is_info = comment.at("keyword").as_string() == "obj_info";
    if (is_info || comment.at("after").as_uint64() <= 2)
      (is_info ? info : comments).push_back(comment.at("text").as_string());
  }
  EXPECT_EQ(comments, json["comments"]);
  EXPECT_EQ(info, json["obj_info"]);
  ASSERT_EQ(root.size(), elements.size());
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const Json& element = elements[i];
    SCOPED_TRACE(element["name"]);
    EXPECT_EQ(root.key(i).as_string(), element["name"].get<std::string>());
    const View rows(root.value(i));
    ASSERT_EQ(rows.size(), element["count"].get<std::uint64_t>());
    ASSERT_EQ(rows.array()->n_children, element["properties"].size());
    for (std::size_t p = 0; p < element["properties"].size(); ++p)
      expect_column(rows, p, element["properties"][p],
                    element["columns"][element["properties"][p]["name"].get<std::string>()]);
    for (std::size_t row = 0; row < element["first"].size(); ++row)
      expect_row(rows.child(row), element["first"][row]);
    const std::uint64_t last = rows.size() - element["last"].size();
    for (std::size_t row = 0; row < element["last"].size(); ++row)
      expect_row(rows.child(last + row), element["last"][row]);
  }
}

void expect_equal(NodeView a, NodeView b, const CompareOptions& options = {}) {
  const auto difference = first_difference(a, b, options);
  EXPECT_FALSE(difference) << difference->path << ": " << difference->reason;
}

class Vector : public ::testing::TestWithParam<std::filesystem::path> {};

TEST_P(Vector, IsWhatItsDescriptionSays) {
  const std::string file = ply_file(GetParam());
  const Value value = decode(make<Ply>(), file);
  expect_described(value.view(), Json::parse(read_file(GetParam())));
}

TEST_P(Vector, IsTheSameAfterWritingAndReading) {
  const std::string file = ply_file(GetParam());
  const Value value = decode(make<Ply>(), file);
  const std::string again = encode(make<Ply>(), value.view());
  expect_equal(value.view(), decode(make<Ply>(), again).view());
  // What the codec writes is canonical: it comes back byte for byte.
  EXPECT_EQ(encode(make<Ply>(), decode(make<Ply>(), again).view()), again);
}

TEST_P(Vector, IsTheSameInEveryFormat) {
  const std::string file = ply_file(GetParam());
  const Value value = decode(make<Ply>(), file);
  // Text has one NaN, with a sign, and no payloads.
  CompareOptions options;
  options.metadata = false;
  options.floats_by_value = true;
  for (const char* format : {"ascii", "binary_little_endian", "binary_big_endian"}) {
    for (const char* ending : {"lf", "crlf", "cr"}) {
      SCOPED_TRACE(std::string(format) + " " + ending);
      const auto codec = make<Ply>({{"format", Builder::string_view(format)},
                                    {"line_ending", Builder::string_view(ending)}});
      const std::string bytes = encode(codec, value.view());
      const Value other = decode(make<Ply>(), bytes);
      expect_equal(value.view(), other.view(), options);
      const NodeView attributes(View(other.view()).metadata());
      EXPECT_EQ(attributes.at("format").as_string(), format);
      const auto said = attributes.find("line_ending");
      EXPECT_EQ(said ? said->as_string() : "lf", ending);
    }
  }
}

std::string name_of(const ::testing::TestParamInfo<std::filesystem::path>& info) {
  return info.param.stem().string();
}

INSTANTIATE_TEST_SUITE_P(Ply, Vector, ::testing::ValuesIn(descriptions(vectors())), name_of);

TEST(PlyVectors, CanonicalFilesComeBackByteForByte) {
  int canonical = 0;
  for (const auto& path : descriptions(vectors())) {
    const std::string file = ply_file(path);
    const std::string again = encode(make<Ply>(), decode(make<Ply>(), file).view());
    const std::string name = path.stem().string();
    const bool odd =
        name.find("blank") != std::string::npos || name.find("spaces") != std::string::npos ||
        name.find("split") != std::string::npos || name.find("no_final") != std::string::npos ||
        name.find("trailing") != std::string::npos || name.find("hard") != std::string::npos ||
        name.find("nan_inf_ascii") != std::string::npos || name.find("9g") != std::string::npos;
    if (odd) continue;
    EXPECT_EQ(again, file) << name;
    ++canonical;
  }
  EXPECT_GT(canonical, 20);
}

}  // namespace
}  // namespace polycodec::test
