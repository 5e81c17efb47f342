// SPDX-License-Identifier: MIT
// Names that C++ and generated code need themselves, comments that try to end, enums as text.
#include "names.hpp"

#include "access.hpp"
#include "enums.hpp"
#include "example.hpp"
#include "files.hpp"
#include "keywords.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace polycodec::test {
namespace {

template <class T>
std::string printed(const T& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

TEST(FastbinNames, ReservedNamesGetAnUnderscore) {
  const odd::names::to_string_::Values numbers[] = {{.x = 1}, {.x = -2}};
  const odd::names::parse_Side_::Values flags[] = {
      {.b = true, .s = odd::names::Switch::On, .l = {}}};
  const odd::names::Side sides[] = {odd::names::Side::Buy, static_cast<odd::names::Side>(9)};
  const std::string_view texts[] = {"one", "", "three is longer"};
  const float floats[] = {0.5f, -0.0f};
  const bool bits[] = {true, false, true};
  odd::names::Api::Values values;
  values.values = bits;
  values.open__ = "text";  // `open` is taken, and `open_` is a name of the schema
  values.open_ = 7;
  values.verify_ = sides;
  values.trust_ = texts;
  values.members_ = std::span<const float>(floats);
  values.Side = odd::names::Side::NULL_;
  values.errno_ = {.Values_ = -3, .finish_ = 4};
  values.size_of_ = numbers;
  values.write_ = flags;
  values.std = odd::names::Lowest::Min;
  values.out = '\xE9';

  Bytes bytes(odd::names::Api::size_of(values));
  const auto size = odd::names::Api::write(values, bytes);
  ASSERT_TRUE(size) << size.error();
  const auto api = odd::names::Api::open(bytes, {.known_enums = false, .whole_buffer = true});
  ASSERT_TRUE(api) << api.error();
  EXPECT_EQ(api->open__(), "text");
  EXPECT_EQ(api->open_(), 7);
  EXPECT_EQ(api->verify_()[1], sides[1]);
  EXPECT_EQ(api->trust_().size(), 3u);
  std::string joined;
  for (const std::string_view text : api->trust_()) joined.append(text).append("|");
  EXPECT_EQ(joined, "one||three is longer|");
  EXPECT_EQ(api->members_().get<0>()->size(), 2u);
  EXPECT_EQ(api->members_().get<fastbin_runtime::Vector<float>>()->span()[0], 0.5f);
  EXPECT_FALSE(api->members_().get<1>());
  EXPECT_EQ(api->errno_().Values_(), -3);
  EXPECT_EQ(api->size_of_()[1].x(), -2);
  EXPECT_TRUE(api->write_()[0].b());
  EXPECT_EQ(api->write_()[0].s(), odd::names::Switch::On);
  EXPECT_EQ(api->std(), odd::names::Lowest::Min);
  EXPECT_EQ(api->out(), '\xE9');
  EXPECT_TRUE(api->values()[2]);
  EXPECT_EQ(
      printed(*api),
      "Api{open: \"text\", open_: 7, verify: [Buy, Side(9)], trust: [\"one\", \"\", \"three is "
      "longer\"], "
      "members: <0: [0.5, -0]>, Side: NULL, errno: Writer{Values: -3, finish: 4}, "
      "size_of: [to_string{x: 1}, to_string{x: -2}], write: [parse_Side{b: true, s: On, l: "
      "Letter(0)}], "
      "std: Min, value: parse_Side{b: false, s: Off, l: Letter(0)}, out: 233, c: 0, at: [], p: [], "
      "values: [true, false, true]}");

  odd::names::std_::Values outer;
  outer.api = values;
  outer.text = "end";
  outer.data = std::span(&values, 1);
  Bytes more(odd::names::std_::size_of(outer));
  ASSERT_TRUE(odd::names::std_::write(outer, more));
  const auto opened = odd::names::std_::open(more);
  ASSERT_TRUE(opened) << opened.error();
  EXPECT_EQ(opened->data().begin().operator*().open_(), 7);
  EXPECT_EQ(opened->text(), "end");
}

TEST(FastbinNames, MembersLikeTheInsideOfGeneratedCode) {
  const std::string_view texts[] = {"a", "bc"};
  const double next[] = {1.5};
  const odd::names::StructView_::Values views[] = {{.text = "view", .x = 3}};
  odd::names::Internal::Values values;
  values.names = texts;
  values.next = next;
  values.position = views;
  values.runtime = std::string_view("run");
  Bytes bytes(odd::names::Internal::size_of(values));
  ASSERT_TRUE(odd::names::Internal::write(values, bytes));
  const auto opened = odd::names::Internal::open(bytes);
  ASSERT_TRUE(opened) << opened.error();
  EXPECT_EQ(printed(*opened),
            "Internal{names: [\"a\", \"bc\"], next: [1.5], output: [], position: [StructView{text: "
            "\"view\", x: 3}], "
            "runtime: <1: \"run\">, data_: [], ends_: [], check: [], put: [], room: <0: empty>, "
            "names_: [], take: [], "
            "limit: []}");
  // Structs called like a function of their class, or like its base.
  const odd::names::members_::Values members{.size_of_ = "text", .structs = views};
  const odd::names::hash_::Values outer{.x = members};
  Bytes more(odd::names::hash_::size_of(outer));
  ASSERT_TRUE(odd::names::hash_::write(outer, more));
  const auto hash = odd::names::hash_::open(more);
  ASSERT_TRUE(hash) << hash.error();
  EXPECT_EQ(hash->x().size_of_(), "text");
  EXPECT_EQ(odd::names::parse_Side("what?\?/"), odd::names::Side::BIG_ENDIAN_);
}

TEST(FastbinNames, KeywordsGetAnUnderscoreAndKeepTheirNameInText) {
  const odd::keywords::default_ answers[] = {odd::keywords::default_::false_,
                                             odd::keywords::default_::yes};
  odd::keywords::union_::Values values;
  values.class_ = -1;
  values.class__ = 7;
  values.namespace_ = "n";
  values.int_ = std::string_view("int");
  values.operator_ = odd::keywords::default_::true_;
  values.xor_ = answers;
  const odd::keywords::struct_::Values outer{.new_ = values, .virtual_ = std::span(&values, 1)};
  Bytes bytes(odd::keywords::struct_::size_of(outer));
  ASSERT_TRUE(odd::keywords::struct_::write(outer, bytes));
  const auto opened =
      odd::keywords::struct_::open(bytes, {.known_enums = true, .whole_buffer = true});
  ASSERT_TRUE(opened) << opened.error();
  EXPECT_EQ(opened->new_().class_(), -1);
  EXPECT_EQ(opened->new_().class__(), 7);
  EXPECT_EQ(printed(opened->new_()),
            "union{class_: -1, class: 7, namespace: \"n\", end: [], int: <1: \"int\">, operator: "
            "true, function: false, xor: [false, true]}");
  EXPECT_EQ(odd::keywords::union_::struct_name, "union");
}

TEST(FastbinNames, OneValueMayHaveSeveralNames) {
  using odd::keywords::default_;
  EXPECT_EQ(default_::yes, default_::true_);
  EXPECT_EQ(to_string(default_::yes), "true");
  EXPECT_EQ(odd::keywords::parse_default("y"), default_::true_);
  // The example of fastbin's own document, in the namespace of its file's name.
  EXPECT_EQ(example::MyEnum::Fourth, example::MyEnum::Second);
  EXPECT_EQ(printed(example::MyEnum::Fourth), "Second");
  example::MyEnum value{};
  EXPECT_TRUE(from_string("Third", value));
  EXPECT_EQ(value, example::MyEnum::Second);
  const example::Parent::Values parent{.child = {.a = 1, .b = 2.5}, .text = "three"};
  Bytes bytes(example::Parent::size_of(parent));
  ASSERT_TRUE(example::Parent::write(parent, bytes));
  const auto opened = example::Parent::open(bytes);
  ASSERT_TRUE(opened) << opened.error();
  EXPECT_EQ(printed(*opened), "Parent{child: Child{a: 1, b: 2.5}, text: \"three\"}");
}

TEST(FastbinNames, WrongBooleansInVectorsAndVariantsAreFound) {
  const odd::names::Switch switches[] = {odd::names::Switch::On, odd::names::Switch::Off};
  const bool bits[] = {true, true, true};
  odd::names::Api::Values values;
  values.members_ = std::span<const odd::names::Switch>(switches);
  values.values = bits;
  Bytes bytes(odd::names::Api::size_of(values));
  ASSERT_TRUE(odd::names::Api::write(values, bytes));
  const auto api = odd::names::Api::open(bytes);
  ASSERT_TRUE(api) << api.error();

  const auto offset_of = [&](const auto& list) {
    return static_cast<std::size_t>(list.bytes().data() - bytes.data());
  };
  Bytes wrong = bytes;
  wrong[offset_of(api->values()) + 1] = std::byte{2};
  auto refused = odd::names::Api::open(wrong);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, fastbin_runtime::Code::bad_bool);
  EXPECT_EQ(refused.error().path, "values[1]");
  EXPECT_EQ(refused.error().offset, offset_of(api->values()) + 1);

  wrong = bytes;
  wrong[offset_of(*api->members_().get<2>())] = std::byte{255};
  refused = odd::names::Api::open(wrong);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().path, "members[0]");
}

TEST(FastbinNames, EnumsAsText) {
  EXPECT_EQ(to_string(s_enums::Side::Sell), "Sell");
  EXPECT_EQ(to_string(static_cast<s_enums::Side>(77)), "");
  EXPECT_EQ(printed(s_enums::Side::None_), "None_");
  EXPECT_EQ(printed(static_cast<s_enums::Side>(77)), "Side(77)");
  EXPECT_EQ(printed(static_cast<s_enums::EI64>(-5)), "EI64(-5)");
  s_enums::Side side{};
  EXPECT_TRUE(from_string("Buy", side));
  EXPECT_EQ(side, s_enums::Side::Buy);
  EXPECT_FALSE(from_string("BUY", side));
  EXPECT_EQ(s_enums::parse_Side("BUY"), s_enums::Side::Buy);
  EXPECT_EQ(s_enums::parse_Side("S"), s_enums::Side::Sell);
  EXPECT_EQ(s_enums::parse_Side("None_"), s_enums::Side::None_);
  EXPECT_EQ(s_enums::parse_Side("Sell"), std::nullopt);
  EXPECT_EQ(odd::names::parse_Side("B\"\\?"), odd::names::Side::Buy);
  EXPECT_EQ(static_cast<unsigned char>(odd::names::Letter::High), 200);
  EXPECT_FALSE(is_known(static_cast<odd::names::Letter>(66)));
}

TEST(FastbinNames, EverySchemaHasItsHash) {
  for (const Access& access : generated_structs()) {
    EXPECT_EQ(access.schema_hash.size(), 64u) << access.schema;
    EXPECT_EQ(access.schema_hash.find_first_not_of("0123456789abcdef"), std::string_view::npos);
  }
  EXPECT_GE(generated_structs().size(), 40u);
}

}  // namespace
}  // namespace polycodec::test
