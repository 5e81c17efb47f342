// SPDX-License-Identifier: MIT
// Every good vector: what its description says, and writing it again.
#include <polycodec/value.hpp>

#include "codec.hpp"
#include "codec_calls.hpp"
#include "lexer.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <sstream>

namespace polycodec::test {
namespace {

using Json = nlohmann::json;
using obj::Obj;

std::filesystem::path vectors() {
  return std::filesystem::path(POLYCODEC_TEST_VECTORS) / "obj";
}

std::string obj_file(std::filesystem::path description) {
  return read_file(description.replace_extension(".obj"));
}

// The numbers of a row of v, vt, vn or vp in the order of the file.
std::vector<double> numbers(const View& row) {
  std::vector<double> all;
  for (std::uint64_t i = 0; i < row.size(); ++i)
    if (!row.child(i).is_null()) all.push_back(row.child(i).as_double());
  return all;
}

void expect_points(const View& rows, const std::string& name, const Json& json) {
  SCOPED_TRACE(name);
  ASSERT_EQ(rows.size(), json["counts"][name].get<std::uint64_t>());
  if (rows.size() == 0) return;
  std::vector<double> sums;
  std::vector<std::uint64_t> counts;
  for (std::uint64_t row = 0; row < rows.size(); ++row) {
    const auto all = numbers(rows.child(row));
    sums.resize(std::max(sums.size(), all.size()));
    counts.resize(sums.size());
    for (std::size_t i = 0; i < all.size(); ++i) sums[i] += all[i], ++counts[i];
  }
  const Json& columns = json["columns"][name];
  ASSERT_EQ(sums.size(), columns.size());
  for (std::size_t i = 0; i < sums.size(); ++i) {
    EXPECT_EQ(sums[i], std::stod(columns[i]["sum"].get<std::string>()));
    EXPECT_EQ(counts[i], columns[i]["count"].get<std::uint64_t>());
  }
  const Json& first = json["first"][name];
  for (std::size_t i = 0; i < first.size(); ++i)
    EXPECT_EQ(numbers(rows.child(i)), first[i].get<std::vector<double>>());
  EXPECT_EQ(numbers(rows.child(rows.size() - 1)), json["last"][name].get<std::vector<double>>());
}

// The corners of a row as the descriptions have them: [v, vt, vn] with null where absent.
Json corners(const View& row) {
  Json all = Json::array();
  const View v = *row.find("v");
  for (std::uint64_t i = 0; i < v.size(); ++i) {
    Json corner = Json::array({v.child(i).as_int64()});
    for (const char* name : {"vt", "vn"}) {
      const auto list = row.find(name);
      const std::int64_t index = list ? list->child(i).as_int64() : -1;
      corner.push_back(index < 0 ? Json() : Json(index));
    }
    all.push_back(corner);
  }
  return all;
}

void expect_elements(const View& rows, const std::string& name, const Json& json) {
  SCOPED_TRACE(name);
  ASSERT_EQ(rows.size(), json["counts"][name].get<std::uint64_t>());
  if (rows.size() == 0) return;
  std::uint64_t corner_count = 0, most = 0, n_vt = 0, n_vn = 0;
  std::int64_t sum_v = 0, sum_vt = 0, sum_vn = 0;
  for (std::uint64_t row = 0; row < rows.size(); ++row) {
    const Json all = corners(rows.child(row));
    corner_count += all.size();
    most = std::max<std::uint64_t>(most, all.size());
    for (const Json& corner : all) {
      sum_v += corner[0].get<std::int64_t>();
      if (!corner[1].is_null()) ++n_vt, sum_vt += corner[1].get<std::int64_t>();
      if (!corner[2].is_null()) ++n_vn, sum_vn += corner[2].get<std::int64_t>();
    }
  }
  const Json found{{"corners", corner_count},
                   {"max_corners", most},
                   {"sum_v", sum_v},
                   {"sum_vt", sum_vt},
                   {"n_vt", n_vt},
                   {"sum_vn", sum_vn},
                   {"n_vn", n_vn}};
  EXPECT_EQ(found, json["columns"][name]);
  const Json& first = json["first"][name];
  for (std::size_t i = 0; i < first.size(); ++i) EXPECT_EQ(corners(rows.child(i)), first[i]);
  EXPECT_EQ(corners(rows.child(rows.size() - 1)), json["last"][name]);
}

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t");
  return first == std::string::npos ? ""
                                    : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

void expect_statements(const View& statements, const Json& json) {
  Json other = Json::array();
  Json unknown = Json::array();
  Json comments = Json::array();
  std::string scratch;
  for (std::uint64_t i = 0; i < statements.size(); ++i) {
    const View row = statements.child(i);
    const std::string code(row.find("code")->as_string(scratch));
    const std::string text(row.find("text")->as_string(scratch));
    if (code == "#") {
      comments.push_back(trimmed(text));
      continue;
    }
    if (code.empty() || json["counts"].contains(code)) continue;
    Json words = Json::array({code});
    std::istringstream in(text);
    for (std::string word; in >> word;) words.push_back(word);
    (obj::statement_of(code) == obj::Statement::unknown ? unknown : other).push_back(words);
  }
  EXPECT_EQ(other.size(), json["other_count"].get<std::size_t>());
  EXPECT_EQ(other, json["other_statements"]);
  EXPECT_EQ(unknown, json["unknown_statements"]);
  EXPECT_EQ(comments.size(), json["comments_count"].get<std::size_t>());
  EXPECT_EQ(comments, json["comments"]);
}

void expect_equal(NodeView a, NodeView b) {
  const auto difference = first_difference(a, b);
  EXPECT_FALSE(difference) << difference->path << ": " << difference->reason;
}

class Vector : public ::testing::TestWithParam<std::filesystem::path> {};

TEST_P(Vector, IsWhatItsDescriptionSays) {
  const std::string file = obj_file(GetParam());
  const Json json = Json::parse(read_file(GetParam()));
  const Value value = decode(make<Obj>(), file);
  const View root(value.view());
  for (const char* name : {"v", "vt", "vn", "vp"}) expect_points(*root.find(name), name, json);
  for (const char* name : {"f", "l", "p"}) expect_elements(*root.find(name), name, json);
  expect_statements(*root.find("statements"), json);
}

TEST_P(Vector, IsTheSameAfterWritingAndReading) {
  const std::string file = obj_file(GetParam());
  const Value value = decode(make<Obj>(), file);
  const std::string again = encode(make<Obj>(), value.view());
  const Value read = decode(make<Obj>(), again);
  expect_equal(value.view(), read.view());
  EXPECT_EQ(encode(make<Obj>(), read.view()), again);
}

TEST_P(Vector, IsTheSameWithEveryLineEnding) {
  const std::string file = obj_file(GetParam());
  const Value value = decode(make<Obj>(), file);
  const std::string lf =
      encode(make<Obj>({{"line_ending", Builder::string_view("lf")}}), value.view());
  for (const char* ending : {"crlf", "cr"}) {
    SCOPED_TRACE(ending);
    const std::string other =
        encode(make<Obj>({{"line_ending", Builder::string_view(ending)}}), value.view());
    const Value read = decode(make<Obj>(), other);
    EXPECT_EQ(encode(make<Obj>({{"line_ending", Builder::string_view("lf")}}), read.view()), lf);
  }
}

std::string name_of(const ::testing::TestParamInfo<std::filesystem::path>& info) {
  return info.param.stem().string();
}

INSTANTIATE_TEST_SUITE_P(Obj, Vector, ::testing::ValuesIn(descriptions(vectors())), name_of);

}  // namespace
}  // namespace polycodec::test
