// SPDX-License-Identifier: MIT
// The logical content address: what it counts, and that no walk for it is without bound.
#include "core/value/logical_address.hpp"

#include <base/sha256.hpp>
#include <base/swap_copy.hpp>

#include "core/text/text.hpp"
#include "core/value/kept.hpp"
#include "core/value/value.hpp"
#include "error_of.hpp"
#include "random_value.hpp"
#include "value_fixture.hpp"

#include <bit>
#include <complex>
#include <map>

namespace polycodec {
namespace {

using test::error_of;

std::string address_of(NodeView value) {
  return logical_address(value, {});
}
std::string address_of_text(std::string_view text) {
  const Value value = parse_text(text);
  return address_of(value.view());
}

class LogicalAddress : public ValueTest {
 protected:
  static std::string of(const polycodec_node& node) { return address_of(NodeView(&node)); }
  static std::string of(const polycodec_array* a) { return of(Builder::array(a)); }
};

std::string u64(std::uint64_t n) {
  std::string bytes;
  for (int i = 0; i < 8; ++i) bytes += static_cast<char>(n >> 8 * i);
  return bytes;
}

// Rows of a table of numbers are hashed as a block, and as what they are: objects.
TEST_F(LogicalAddress, TablesHaveTheBytesOfTheirRows) {
  std::string rows, bytes = "polycodec logical 1\nL" + u64(20);
  for (unsigned i = 0; i < 20; ++i) {
    const std::string n = std::to_string(i);
    rows += (i == 0 ? "" : ", ") + (R"({"a": )" + n) + R"(, "long name": )" + n + R"(, "c": )" +
            (i % 2 == 0 ? "true" : "false") + R"(, "z": {"$complex": [)" + n + ", 0]}}";
    const auto member = [&](const std::string& name, std::uint32_t dtype, const std::string& own) {
      bytes += "S" + u64(name.size()) + name + "N" + u64(dtype) + u64(1) + own;
    };
    const std::string real = u64(std::bit_cast<std::uint64_t>(static_cast<double>(i)));
    bytes += "O" + u64(4);
    member("a", POLYCODEC_DTYPE_INT16, u64(i).substr(0, 2));
    member("long name", POLYCODEC_DTYPE_FLOAT64, real);
    member("c", POLYCODEC_DTYPE_BOOLEAN, std::string(1, i % 2 == 0 ? '\1' : '\0'));
    member("z", POLYCODEC_DTYPE_COMPLEX128, real + u64(0));
  }
  const std::string table =
      R"({"type": "20 * {a: int16, 'long name': float64, c: bool, z: complex[float64]}", "value": [)" +
      rows + "]}";
  EXPECT_EQ(address_of_text(table), sha256(bytes));
}

TEST_F(LogicalAddress, IsTheDigestOfTheDocumentedBytes) {
  const std::string start = "polycodec logical 1\n";
  EXPECT_EQ(address_of_text("null"), sha256(start + "0" + u64(0)));
  EXPECT_EQ(address_of_text(R"("ab")"), sha256(start + "S" + u64(2) + "ab"));
  const std::string two = "N" + u64(5) + u64(2) + u64(1) + u64(2);
  EXPECT_EQ(address_of_text("[1, 2]"), sha256(start + "L" + u64(2) + two));
  EXPECT_EQ(address_of_text(R"({"a": [1, 2], "b": true})"),
            sha256(start + "O" + u64(2) + "S" + u64(1) + "aL" + u64(2) + two + "S" + u64(1) + "bN" +
                   u64(1) + u64(1) + "\x01"));
  EXPECT_EQ(
      address_of_text(
          R"({"type": "datetime[unit='ns']", "value": {"$datetime": "1970-01-01T00:00:02.000000003Z"}})"),
      sha256(start + "T" + u64(10) + u64(2) + u64(3)));
  std::uint64_t hashed = 0;
  const Value value = parse_text(R"("ab")");
  (void)logical_address(value.view(), {}, {}, &hashed);
  EXPECT_EQ(hashed, start.size() + 1 + 8 + 2);
}

TEST_F(LogicalAddress, ListsAndArraysOfOneTypeAreAlike) {
  const auto* plain = leaf<std::int32_t>({1, 2, 3});
  const std::string one = of(plain);
  polycodec_node nodes[3];
  for (int i = 0; i < 3; ++i) nodes[i] = Builder::integer(i + 1, POLYCODEC_DTYPE_INT32);
  EXPECT_EQ(of(b.list({nodes[0], nodes[1], nodes[2]})), one);
  EXPECT_EQ(of(b.tuple({nodes[0], nodes[1], nodes[2]})), one);
  const std::int32_t spread[] = {3, 9, 2, 9, 1};
  EXPECT_EQ(of(b.strided(bytes_of(std::span(spread)), spread + 4, 3, -8, POLYCODEC_DTYPE_INT32, 4)),
            one);
  std::byte swapped[12];
  swap_copy(swapped, plain->data, 3, 4);
  const std::int64_t shape[] = {3};
  EXPECT_EQ(of(b.ndarray(bytes_of(std::span(swapped)), POLYCODEC_DTYPE_INT32, 4, shape,
                         1 - host_byte_order)),
            one);
  EXPECT_EQ(of(chunked({leaf<std::int32_t>({1}), leaf<std::int32_t>({2, 3})})), one);
  EXPECT_EQ(of(indexed<int>({2, 1, 0}, leaf<std::int32_t>({3, 2, 1}))), one);
  const polycodec_node* target = b.store(Builder::array(plain));
  EXPECT_EQ(of(Builder::reference(target)), one);
  EXPECT_EQ(
      of(b.annotated(Builder::array(plain), b.object({{"units", Builder::string_view("m")}}))),
      one);
  // Types count, and so does the order.
  EXPECT_NE(of(leaf<std::int64_t>({1, 2, 3})), one);
  EXPECT_NE(of(leaf<std::uint32_t>({1, 2, 3})), one);
  EXPECT_NE(of(leaf<std::int32_t>({3, 2, 1})), one);
  EXPECT_NE(of(b.list({Builder::array(plain)})), one);
}

TEST_F(LogicalAddress, BlocksDoNotShow) {
  // Longer than a block, as nodes, as one leaf, in chunks and with a stride.
  std::vector<std::int64_t> numbers(5000);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<std::int64_t>(i * i);
  const auto all = std::span<const std::int64_t>(numbers);
  const std::string one = of(b.vector(all));
  polycodec_node* nodes;
  const polycodec_node list = b.list(numbers.size(), &nodes);
  for (std::size_t i = 0; i < numbers.size(); ++i) nodes[i] = Builder::integer(numbers[i]);
  EXPECT_EQ(of(list), one);
  EXPECT_EQ(of(chunked({b.vector(all.first(1500)), b.vector(all.subspan(1500))})), one);
  const auto* reversed = b.strided(bytes_of(all), numbers.data() + numbers.size() - 1,
                                   numbers.size(), -8, POLYCODEC_DTYPE_INT64, 8);
  std::vector<std::int64_t> turned(numbers.rbegin(), numbers.rend());
  EXPECT_EQ(of(reversed), of(b.vector(std::span<const std::int64_t>(turned))));
}

TEST_F(LogicalAddress, TextsOfAnyLayoutAreAlike) {
  const std::string one = of(b.list({Builder::string_view("ab"), Builder::string_view("")}));
  EXPECT_EQ(of(texts({"ab", ""})), one);
  EXPECT_EQ(address_of_text(R"({"type": "2 * fixed_string[4, 'utf16']", "value": ["ab", ""]})"),
            one);
  EXPECT_NE(of(texts({"ab", ""}, POLYCODEC_ARRAY_BINARY)), one);
}

TEST_F(LogicalAddress, DifferentValuesHaveDifferentAddresses) {
  const char* const values[] = {"null",
                                "true",
                                "1",
                                "1.0",
                                "[]",
                                "{}",
                                "\"\"",
                                "\"a\"",
                                "[null]",
                                "[[]]",
                                "[[], []]",
                                "[1, [2]]",
                                "[[1], 2]",
                                "[[1, 2]]",
                                R"({"a": 1})",
                                R"({"b": 1})",
                                R"({"a": 1, "b": 2})",
                                R"({"b": 2, "a": 1})",
                                R"([{"a": 1}])",
                                R"(["a", 1])",
                                R"({"$map": [["a", 1]]})",
                                R"({"$bytes": "YQ=="})",
                                R"({"$ext": ["e", 1]})",
                                R"({"$ext": ["f", 1]})",
                                R"({"$union": [0, 1]})",
                                R"({"$union": [1, 1]})",
                                R"({"$timedelta": [1, "s"]})",
                                R"({"$timedelta": [1, "ms"]})",
                                R"({"$float": "nan"})",
                                "-0.0",
                                "0.0",
                                R"({"$complex": [0.0, 0.0]})",
                                R"({"$datetime": [0]})"};
  std::map<std::string, std::string> seen;
  for (const char* text : values) {
    const auto [at, fresh] = seen.emplace(address_of_text(text), text);
    EXPECT_TRUE(fresh) << text << " and " << at->second;
  }
}

TEST_F(LogicalAddress, EmptyListsAndWidenedComplexNumbers) {
  EXPECT_EQ(of(leaf<std::int32_t>({})), of(leaf<double>({})));
  EXPECT_EQ(of(b.list({})), of(leaf<double>({})));
  const std::uint16_t halves[2] = {0x3c00, 0xc000};
  const float singles[2] = {1.0f, -2.0f};
  EXPECT_EQ(of(b.wide(POLYCODEC_DTYPE_COMPLEX32, halves)),
            of(b.wide(POLYCODEC_DTYPE_COMPLEX64, singles)));
}

class RandomAddress : public ::testing::TestWithParam<std::uint32_t> {};

TEST_P(RandomAddress, DoesNotDependOnTheLayout) {
  const CompareOptions content{.lists_by_content = true, .metadata = false};
  std::map<std::string, std::uint32_t> seeds;
  std::vector<Value> values;
  for (std::uint32_t i = 0; i < 300; ++i) {
    const std::uint32_t seed = GetParam() * 1000 + i;
    SCOPED_TRACE("seed " + std::to_string(seed));
    values.push_back(Value::build([&](Builder& builder) {
      return RandomValue(builder, seed).node(static_cast<int>(1 + i % 5));
    }));
    const NodeView value = values.back().view();
    const std::string address = address_of(value);
    const Value document = Value::build([&](Builder& out) { return to_document(value, out); });
    EXPECT_EQ(address_of(document.view()), address) << to_text(value).substr(0, 1000);
    const Value back = parse_text(to_text(value));
    EXPECT_EQ(address_of(back.view()), address) << to_text(value).substr(0, 1000);
    EXPECT_TRUE(retyped_members(value, value, {}).empty());
    // Equal values have one address, and others (but for types of what is not there) have not.
    const auto [at, fresh] = seeds.emplace(address, i);
    if (!fresh) {
      EXPECT_TRUE(equal(value, values[at->second].view(),
                        {.numbers_by_value = true, .lists_by_content = true, .metadata = false}));
    }
    if (i > 0 && equal(value, values[i - 1].view(), content)) {
      EXPECT_EQ(address, address_of(values[i - 1].view()));
    }
    if (HasFailure()) break;
  }
  EXPECT_GT(seeds.size(), 150u);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomAddress, ::testing::Range(1u, 6u));

TEST_F(LogicalAddress, ValuesThatAreHugeOnPaperEndAtTheLimit) {
  const std::int64_t shape[] = {std::int64_t{1} << 32, 0, 8};
  const auto node = Builder::array(b.ndarray({}, POLYCODEC_DTYPE_FLOAT64, 8, shape));
  const Error rows = error_of([&] { (void)of(node); });
  EXPECT_EQ(rows.code(), Status::limit) << rows.describe();
  EXPECT_TRUE(rows.path().starts_with("$[")) << rows.path();
}

TEST_F(LogicalAddress, CyclesAndSharedPartsEnd) {
  polycodec_node* cycle = const_cast<polycodec_node*>(b.store(Builder::null()));
  *cycle = b.list({Builder::reference(cycle)});
  EXPECT_EQ(error_of([&] { (void)of(*cycle); }).code(), Status::limit);
  EXPECT_TRUE(retyped_members(NodeView(cycle), NodeView(cycle), {}).empty());
  polycodec_node twice = b.list({Builder::integer(1)});
  for (int i = 0; i < 60; ++i) {
    const polycodec_node* kept = b.store(twice);
    twice = b.list({Builder::reference(kept), Builder::reference(kept)});
  }
  EXPECT_EQ(error_of([&] { (void)of(twice); }).code(), Status::limit);
}

TEST(RetypedMembers, AreNamedOnceEach) {
  const auto members = [](const char* before, const char* after) {
    const Value a = parse_text(before), c = parse_text(after);
    std::string all;
    for (const Retyped& m : retyped_members(a.view(), c.view(), {}))
      all += m.path + ": " + m.from + " -> " + m.to + "\n";
    return all;
  };
  EXPECT_EQ(
      members(
          R"({"type": "{a: {b: int32}, c: 3 * int16}", "value": {"a": {"b": 1}, "c": [1, 2, 3]}})",
          R"({"a": {"b": 1}, "c": [1, 2, 3]})"),
      "$.a.b: int32 -> int64\n$.c: int16 -> int64\n");
  // Columns, and rows where one side has no columns; members in another order.
  constexpr const char* rows =
      R"({"type": "3 * {x: float16, 'y z': ?int8}", "value": [{"x": 1.0, "y z": 2}, {"x": 2.0, "y z": null}, {"x": 3.0, "y z": 3}]})";
  EXPECT_EQ(
      members(rows, R"([{"y z": 2, "x": 1.0}, {"y z": null, "x": 2.0}, {"y z": 3, "x": 3.0}])"),
      "$.x: float16 -> float64\n$[\"y z\"]: int8 -> int64\n"
      "$: object -> object with its members in another order\n");
  EXPECT_EQ(
      members(
          rows,
          R"({"type": "3 * {x: float32, 'y z': ?int8}", "value": [{"x": 1.0, "y z": 2}, {"x": 2.0, "y z": null}, {"x": 3.0, "y z": 3}]})"),
      "$.x: float16 -> float32\n");
  EXPECT_EQ(
      members(R"t({"type": "(int8, string)", "value": {"$tuple": [1, "a"]}})t", R"([1, "a"])"),
      "$: tuple -> list\n$: int8 -> int64\n");
  EXPECT_EQ(members(R"({"type": "2 * fixed_string[2]", "value": ["a", "b"]})", R"(["a", "b"])"),
            "$: fixed string -> string\n");
  EXPECT_EQ(members(R"([1, "a", null])", R"([1, "a", null])"), "");
  // Units of times: of one, of a column, and of a column whose items were rows.
  constexpr const char* seconds =
      R"({"type": "datetime[unit='s']", "value": {"$datetime": "1969-12-31T23:59:59Z"}})";
  constexpr const char* nanoseconds =
      R"({"type": "datetime[unit='ns']", "value": {"$datetime": "1969-12-31T23:59:59.000000000Z"}})";
  EXPECT_EQ(members(seconds, nanoseconds), "$: datetime[unit='s'] -> datetime[unit='ns']\n");
  EXPECT_EQ(members(seconds, seconds), "");
  constexpr const char* days =
      R"({"type": "{a: 2 * timedelta[unit='D']}", "value": {"a": [{"$timedelta": [1, "D"]}, {"$timedelta": [2, "D"]}]}})";
  constexpr const char* weeks =
      R"({"type": "{a: 2 * timedelta[unit='W']}", "value": {"a": [{"$timedelta": [1, "W"]}, {"$timedelta": [2, "W"]}]}})";
  EXPECT_EQ(members(days, weeks), "$.a: timedelta[unit='D'] -> timedelta[unit='W']\n");
  const auto rows_of = [](const char* text) {
    const Value columns = parse_text(text);
    return to_text(
        Value::build([&](Builder& out) { return to_document(View(columns.view()), out); }).view());
  };
  EXPECT_EQ(members(days, rows_of(weeks).c_str()),
            "$.a: timedelta[unit='D'] -> timedelta[unit='W']\n");
  // No more than the bound, however many there are.
  std::string before = R"({"type": "{)", value = R"(}", "value": {)", after = "{";
  for (int i = 0; i < 100; ++i) {
    const std::string name = "m" + std::to_string(i), comma = i == 0 ? "" : ", ";
    before += comma + name + ": int8";
    value += comma + "\"" + name + "\": 1";
    after += comma + "\"" + name + "\": 1";
  }
  const Value a = parse_text(before + value + "}}"), c = parse_text(after + "}");
  EXPECT_EQ(retyped_members(a.view(), c.view(), {}).size(), max_retyped);
}

}  // namespace
}  // namespace polycodec
