// SPDX-License-Identifier: MIT
#include <model/type/build.hpp>
#include <model/type/match.hpp>
#include <model/type/parse.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace type = polycodec::type;
using type::parse;

namespace {

bool fits(const char* pattern, const char* candidate, type::Bindings* bindings = nullptr) {
  return type::matches(parse(pattern), parse(candidate), bindings);
}

}  // namespace

TEST(TypeMatch, Table) {
  struct Row {
    const char* pattern;
    const char* candidate;
    bool fits;
  };
  const Row rows[] = {
      {"int32", "int32", true},
      {"int32", "int64", false},
      {"fixed_bytes[4]", "fixed_bytes[4, align=4]", false},
      {"Any", "3 * {x: int8}", true},
      {"Any", "void", true},
      {"Any", "null", true},
      {"Scalar", "datetime[unit='s']", true},
      {"Scalar", "string", true},
      {"Scalar", "void", false},
      {"Scalar", "?int8", false},
      {"Scalar", "3 * int8", false},
      {"Scalar", "any", false},
      {"Bool", "bool", true},
      {"Bool", "int8", false},
      {"Int", "int128", true},
      {"Int", "uint8", false},
      {"UInt", "uint64", true},
      {"UInt", "bool", false},
      {"Float", "float16", true},
      {"Float", "complex[float64]", false},
      {"Complex", "complex[float32]", true},
      {"Bytes", "fixed_bytes[3]", true},
      {"FixedBytes", "bytes", false},
      {"String", "char['ascii']", true},
      {"String", "fixed_string[3]", true},
      {"FixedString", "string", false},
      {"Categorical", "indexed[string]", true},
      {"State", "int8", false},
      {"T", "{x: int8}", true},
      {"T", "3 * int8", false},
      {"T", "?3 * int8", true},
      {"(T, T)", "(int8, int8)", true},
      {"(T, T)", "(int8, int16)", false},
      {"T[T]", "?int8", false},
      {"T[U]", "indexed[int8]", true},
      {"T[U]", "array[int8]", false},
      {"(T[U], T[V])", "(?int8, ?int16)", true},
      {"(T[U], T[V])", "(?int8, pointer[int16])", false},
      {"3 * T", "3 * int8", true},
      {"3 * T", "4 * int8", false},
      {"3 * T", "var * int8", false},
      {"var * T", "var * int8", true},
      {"Fixed * T", "9 * int8", true},
      {"Fixed * T", "var * int8", false},
      {"Dim * T", "var * int8", true},
      {"Dim * T", "int8", false},
      {"N * T", "var * int8", true},
      {"N * N * T", "var * var * int8", true},
      {"N * N * T", "3 * var * int8", false},
      {"(N * T, N * U)", "(3 * int8, 3 * bool)", true},
      {"(N * int8, N)", "(3 * int8, int8)", false},
      {"... * int8", "int8", true},
      {"... * int8", "3 * var * int8", true},
      {"... * int8", "3 * ?var * int8", false},
      {"... * 3 * int8", "3 * 3 * int8", true},
      {"A... * 3 * B... * int8", "1 * 2 * 3 * 4 * int8", true},
      {"A... * A... * int8", "1 * 2 * 1 * 2 * int8", true},
      {"A... * A... * int8", "1 * 2 * 1 * 3 * int8", false},
      // The first choice for A has to be taken back when a later item does not fit.
      {"(A... * B... * int8, B... * bool)", "(1 * 2 * 3 * int8, 3 * bool)", true},
      {"(A... * B... * int8, B... * bool)", "(1 * 2 * 3 * int8, 1 * bool)", false},
      {"(A... * B... * int8, (T, (B... * bool)))", "(1 * 2 * int8, (string, (1 * 2 * bool)))",
       true},
      {"2**N * int8", "2 * 2 * int8", true},
      {"2**N * int8", "int8", false},
      {"2**N * int8", "2 * 3 * int8", false},
      {"M**N * T", "4 * 4 * 4 * bool", true},
      {"(M**N * T, var**N * T)", "(4 * 4 * bool, var * var * bool)", true},
      {"(M**N * T, var**N * T)", "(4 * 4 * bool, var * bool)", false},
      {"Fixed**N * T", "1 * 2 * bool", true},
      {"Dim**N * T", "1 * var * bool", true},
      {"{x: Int, y: T}", "{x: int8, y: string}", true},
      {"{x: Int, y: T}", "{y: string, x: int8}", false},
      {"{x: Int}", "{x: int8, y: string}", false},
      {"{...}", "{}", true},
      {"{y: T, ...}", "{x: int8, y: string}", true},
      {"{z: T, ...}", "{x: int8, y: string}", false},
      {"{...}", "()", false},
      {"(Int, ...)", "(int8, bool)", true},
      {"(Int, ...)", "()", false},
      {"(Int)", "(int8, bool)", false},
      {"?T", "?string", true},
      {"?T", "string", false},
      {"pointer[N * T]", "pointer[3 * int8]", true},
      {"array[Any]", "array[3 * T]", true},
      {"array[int8]", "array[int8]", true},
      {"array[T]", "array[int8]", false},
      {"union[Int, T]", "union[int8, string]", true},
      {"union[Int, T]", "union[int8, string, bool]", false},
      {"map[String, T]", "map[string, any]", true},
      {"extension['a', T]", "extension['a', bytes]", true},
      {"extension['a', T]", "extension['b', bytes]", false},
      {"indexed[String]", "indexed[string]", true},
      {"3 * float64", "annotated[3 * annotated[float64, units='cm'], title='x']", true},
      {"N * M * Float", "3 * annotated[4 * float32, units='cm']", true},
      {"(T, T)", "(float64, annotated[float64, units='cm'])", true},
      {"annotated[Float, units='cm']", "annotated[float64, title='x', units='cm']", true},
      {"annotated[Float, units='cm']", "annotated[float64, units='mm']", false},
      {"annotated[Float, units='cm']", "float64", false},
      {"Any", "T", false},
      {"T", "T", false},
      {"(int8) -> int8", "(int8) -> int8", false},
  };
  for (const Row& row : rows)
    EXPECT_EQ(fits(row.pattern, row.candidate), row.fits)
        << row.pattern << "  against  " << row.candidate;
}

TEST(TypeMatch, Bindings) {
  type::Bindings b;
  ASSERT_TRUE(
      fits("(A... * N * T, 3**K * C[U])", "(1 * var * 5 * {x: int8}, 3 * 3 * pointer[bool])", &b));
  EXPECT_EQ(std::get<std::vector<type::Dim>>(b.at("A")),
            (std::vector<type::Dim>{{true, 1}, {false, 0}}));
  EXPECT_EQ(std::get<type::Dim>(b.at("N")), (type::Dim{true, 5}));
  EXPECT_EQ(std::get<type::Type>(b.at("T")), parse("{x: int8}"));
  EXPECT_EQ(std::get<std::uint64_t>(b.at("K")), 2u);
  EXPECT_EQ(std::get<type::Kind>(b.at("C")), type::Kind::pointer);
  EXPECT_EQ(b.size(), 6u);
  const type::Bindings before = b;
  EXPECT_FALSE(fits("(T, T)", "(int8, bool)", &b));
  EXPECT_EQ(b, before);
  ASSERT_TRUE(fits("A... * B... * Any", "1 * 2 * int8", &b));
  EXPECT_TRUE(std::get<std::vector<type::Dim>>(b.at("A")).empty());
  EXPECT_TRUE(std::get<std::vector<type::Dim>>(b.at("B")).empty());
}

TEST(TypeMatch, HostilePatternsEndInALimitError) {
  std::string pattern, candidate;
  for (int i = 0; i < 60; ++i) pattern += "... * ";
  for (int i = 0; i < 120; ++i) candidate += "2 * ";
  try {
    fits((pattern + "bool").c_str(), (candidate + "int8").c_str());
    FAIL() << "searched to the end";
  } catch (const polycodec::Error& e) {
    EXPECT_EQ(e.code(), polycodec::Status::limit);
  }
  EXPECT_TRUE(fits((pattern + "int8").c_str(), "int8"));
}

TEST(TypeMatch, WideRecordsFitWithoutSearch) {
  std::vector<type::Field> fields, reversed;
  for (int i = 0; i < 20000; ++i)
    fields.push_back({std::to_string(i), type::scalar(POLYCODEC_DTYPE_INT8)});
  reversed.assign(fields.rbegin(), fields.rend());
  EXPECT_TRUE(type::matches(type::record(fields, true), type::record(reversed)));
  EXPECT_FALSE(type::matches(type::record(fields), type::record(reversed)));
}
