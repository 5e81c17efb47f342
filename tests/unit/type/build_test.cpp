// SPDX-License-Identifier: MIT
// Builders, accessors, equality and hash; every built type prints as text that parses back to it.
#include <model/type/build.hpp>
#include <model/type/parse.hpp>
#include <model/type/print.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <unordered_set>
#include <vector>

namespace type = polycodec::type;
using polycodec::Error;
using polycodec::Status;
using type::Encoding;
using type::Kind;
using type::Type;

namespace {

Status status_of(const auto& body) {
  try {
    body();
  } catch (const Error& e) {
    return e.code();
  }
  return Status::ok;
}

}  // namespace

TEST(TypeBuild, PrintsAndParsesBack) {
  const Type f8 = type::scalar(POLYCODEC_DTYPE_FLOAT64), i4 = type::scalar(POLYCODEC_DTYPE_INT32),
             t = type::variable("T");
  const std::pair<Type, const char*> rows[] = {
      {Type(), "void"},
      {f8, "float64"},
      {type::scalar(POLYCODEC_DTYPE_COMPLEX32), "complex[float16]"},
      {type::scalar(POLYCODEC_DTYPE_COMPLEX64), "complex[float32]"},
      {type::scalar(POLYCODEC_DTYPE_TIMESTAMP64), "datetime"},
      {type::string(), "string"},
      {type::character(), "char"},
      {type::character(Encoding::ucs2), "char['ucs2']"},
      {type::bytes(), "bytes"},
      {type::bytes(16), "bytes[align=16]"},
      {type::fixed_bytes(8), "fixed_bytes[8]"},
      {type::fixed_bytes(8, 4), "fixed_bytes[8, align=4]"},
      {type::fixed_string(3), "fixed_string[3]"},
      {type::fixed_string(3, Encoding::utf32), "fixed_string[3, 'utf32']"},
      {type::type_type(), "type"},
      {type::null(), "null"},
      {type::any(), "any"},
      {type::datetime(POLYCODEC_UNIT_MINUTE), "datetime[unit='m']"},
      {type::timedelta(POLYCODEC_UNIT_MONTH), "timedelta[unit='M']"},
      {type::fixed(type::max_size, type::var(f8)), "9223372036854775807 * var * float64"},
      {type::any_fixed(type::any_dim(i4)), "Fixed * Dim * int32"},
      {type::dim_variable("N", type::ellipsis("A", type::ellipsis("", t))), "N * A... * ... * T"},
      {type::power(type::fixed(3, Type()), "N", t), "3**N * T"},
      {type::power(type::var(Type()), "N", t), "var**N * T"},
      {type::power(type::any_fixed(Type()), "N", t), "Fixed**N * T"},
      {type::power(type::any_dim(Type()), "N", t), "Dim**N * T"},
      {type::power(type::dim_variable("M", Type()), "N", t), "M**N * T"},
      {type::record({}), "{}"},
      {type::record({}, true), "{...}"},
      {type::record({{"x", f8}, {"a b", type::option(i4)}, {"", t}}, true),
       "{x: float64, 'a b': ?int32, '': T, ...}"},
      {type::record({{"\xf0\x9f\x98\x80\xc3\xa9\x01'\"\\\n", i4}}),
       "{'\\U0001f600\\u00e9\\u0001\\'\"\\\\\\n': int32}"},
      {type::tuple({}), "()"},
      {type::tuple({f8, i4}, true), "(float64, int32, ...)"},
      {type::option(type::fixed(3, i4)), "?3 * int32"},
      {type::pointer(i4), "pointer[int32]"},
      {type::array(type::kind("Any")), "array[Any]"},
      {type::callable({}, {}, Type()), "() -> void"},
      {type::callable({i4}, {{"k", f8}}, t, true, true), "(int32, ..., k: float64, ...) -> T"},
      {type::constructed("T", i4), "T[int32]"},
      {type::kind("Scalar"), "Scalar"},
      {type::union_of({i4, type::string()}), "union[int32, string]"},
      {type::map(type::string(), type::any()), "map[string, any]"},
      {type::annotated(
           f8,
           {{"units", "cm"}, {"scale", 2.0}, {"n", std::int64_t{-1}}, {"x y", 1e300}, {"z", -0.0}}),
       "annotated[float64, units='cm', scale=2.0, n=-1, 'x y'=1e+300, z=0.0]"},
      {type::extension("a'b", i4), "extension['a\\'b', int32]"},
      {type::indexed(type::string()), "indexed[string]"},
  };
  for (std::size_t i = 0; i < std::size(rows); ++i) {
    const auto& [built, text] = rows[i];
    EXPECT_EQ(type::print(built), text);
    EXPECT_EQ(type::parse(text), built) << text;
    EXPECT_EQ(type::parse(text).hash(), built.hash()) << text;
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_FALSE(rows[j].first == built) << text << " and " << rows[j].second;
  }
}

TEST(TypeBuild, EveryScalarHasItsName) {
  for (std::uint32_t d = POLYCODEC_DTYPE_BOOLEAN; d <= POLYCODEC_DTYPE_COMPLEX128; ++d) {
    EXPECT_EQ(type::scalar(d).dtype(), d);
    EXPECT_EQ(type::parse(type::print(type::scalar(d))), type::scalar(d));
  }
}

TEST(TypeBuild, RefusesWhatCannotBeWritten) {
  const Type i4 = type::scalar(POLYCODEC_DTYPE_INT32);
  const std::function<void()> invalid[] = {
      [&] { type::scalar(POLYCODEC_DTYPE_NONE); },
      [&] { type::scalar(POLYCODEC_DTYPE_FIXED_BYTES); },
      [&] { type::scalar(1000); },
      [&] { type::character(Encoding::utf8); },
      [&] { type::bytes(3); },
      [&] { type::bytes(0); },
      [&] { type::fixed_bytes(6, 4); },
      [&] { type::datetime(POLYCODEC_UNIT_COUNT); },
      [&] { type::dim_variable("n", i4); },
      [&] { type::dim_variable("Fixed", i4); },
      [&] { type::variable("Any"); },
      [&] { type::variable("A b"); },
      [&] { type::constructed("", i4); },
      [&] { type::ellipsis("a", i4); },
      [&] { type::power(i4, "N", i4); },
      [&] { type::power(type::ellipsis("A", i4), "N", i4); },
      [&] { type::power(type::var(i4), "3", i4); },
      [&] {
        type::record({{"x", i4}, {"y", i4}, {"x", i4}});
      },
      [&] {
        type::record({{"\xff", i4}});
      },
      [&] {
        type::record({{"\xed\xa0\x80", i4}});
      },
      [&] { type::option(type::option(i4)); },
      [&] {
        type::callable({}, {{"a b", i4}}, i4);
      },
      [&] { type::callable({}, {}, i4, false, true); },
      [&] { type::kind("Number"); },
      [&] { type::union_of({}); },
      [&] { type::annotated(i4, {}); },
      [&] {
        type::annotated(type::annotated(i4, {{"a", "b"}}), {{"c", "d"}});
      },
      [&] {
        type::annotated(i4, {{"a", std::nan("")}});
      },
      [&] {
        type::annotated(i4, {{"a", "\x80"}});
      },
      [&] {
        type::annotated(i4, {{"a", "b"}, {"a", "c"}});
      },
      [&] { type::extension("\xc0\x80", i4); },
  };
  for (std::size_t i = 0; i < std::size(invalid); ++i)
    EXPECT_EQ(status_of(invalid[i]), Status::invalid) << i;
  EXPECT_EQ(status_of([&] { type::fixed(type::max_size + 1, i4); }), Status::range);
  EXPECT_EQ(status_of([&] { type::fixed_bytes(0); }), Status::range);
  EXPECT_EQ(status_of([&] { type::fixed_string(0); }), Status::range);
}

TEST(TypeBuild, DepthAndSizeAreBoundedForBuiltTypesToo) {
  Type deep;
  EXPECT_EQ(status_of([&] {
              for (int i = 0; i < 100000; ++i) deep = type::tuple({deep});
            }),
            Status::limit);
  EXPECT_EQ(deep.depth(), Type::max_depth);
  EXPECT_EQ(type::print(deep).size(), 2 * (Type::max_depth - 1) + 4);
  type::ParseOptions options;
  options.max_depth = Type::max_depth;
  EXPECT_EQ(type::parse(type::print(deep), options), deep);
  Type wide;
  EXPECT_EQ(status_of([&] {
              for (int i = 0; i < 100; ++i) wide = type::tuple({wide, wide});
            }),
            Status::limit);
  EXPECT_LE(wide.nodes(), Type::max_nodes);
  EXPECT_GT(wide.nodes(), Type::max_nodes / 4);
}

TEST(TypeBuild, Accessors) {
  const Type callable = type::parse("(int8, N * bool, ..., k: string, v: any, ...) -> float32");
  EXPECT_EQ(callable.positional().size(), 2u);
  EXPECT_EQ(callable.keywords().size(), 2u);
  EXPECT_EQ(callable.names()[1], "v");
  EXPECT_EQ(callable.result().dtype(), POLYCODEC_DTYPE_FLOAT32);
  EXPECT_TRUE(callable.variadic() && callable.keyword_variadic());
  EXPECT_EQ(callable.find("v"), std::optional<std::size_t>(1));
  EXPECT_EQ(callable.positional()[1].name(), "N");

  const Type record =
      type::parse("{x: 3 * ?fixed_bytes[8, align=4], 'y z': fixed_string[5, 'utf16']}");
  EXPECT_EQ(record.find("y z"), std::optional<std::size_t>(1));
  EXPECT_FALSE(record.find("z"));
  const Type& x = record.items()[0];
  EXPECT_TRUE(x.is_dim());
  EXPECT_EQ(x.size(), 3u);
  EXPECT_EQ(x.element().kind(), Kind::option);
  EXPECT_EQ(x.element().element().size(), 8u);
  EXPECT_EQ(x.element().element().align(), 4u);
  EXPECT_EQ(record.items()[1].encoding(), Encoding::utf16);
  EXPECT_FALSE(record.is_dim());
  EXPECT_EQ(record.depth(), 4u);
  EXPECT_EQ(record.nodes(), 5u);

  const Type power = type::parse("M**N * T");
  EXPECT_EQ(power.base(), Kind::variable_dim);
  EXPECT_EQ(power.base_name(), "M");
  EXPECT_EQ(power.name(), "N");

  const Type noted = type::parse("annotated[datetime[unit='us'], tz='UTC']");
  EXPECT_EQ(noted.annotations()[0].key, "tz");
  EXPECT_EQ(std::get<std::string>(noted.annotations()[0].value), "UTC");
  EXPECT_EQ(noted.element().unit(), POLYCODEC_UNIT_MICROSECOND);
}

TEST(TypeBuild, MovedFromIsVoidAndCopiesShare) {
  Type a = type::parse("3 * int8");
  Type b = a;
  const Type c = std::move(a);
  EXPECT_EQ(a.kind(), Kind::void_type);  // NOLINT(bugprone-use-after-move): what is promised
  EXPECT_EQ(b, c);
  b = type::string();
  EXPECT_EQ(type::print(c), "3 * int8");
  EXPECT_EQ(a, Type());
  EXPECT_EQ(a.element(), Type());
}

TEST(TypeBuild, HashKeepsTypesApartInASet) {
  std::unordered_set<Type> set;
  for (const char* text :
       {"int8", "3 * int8", "4 * int8", "var * int8", "{a: int8}", "{b: int8}", "(int8)", "?int8",
        "annotated[int8, a=1]", "annotated[int8, a=2]", "(int8, ...)", "int8"})
    set.insert(type::parse(text));
  EXPECT_EQ(set.size(), 11u);
  EXPECT_TRUE(set.contains(type::parse("4*int8")));
}
