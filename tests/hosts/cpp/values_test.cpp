// SPDX-License-Identifier: MIT
// Values through polycodec.hpp: views, columns, parts, text, types, exchange.
#include "host.hpp"

#include <array>
#include <numeric>
#include <utility>
#include <vector>

namespace polycodec::test {
namespace {

TEST(Value, IsReadByViews) {
  const Value value = Value::parse(R"({"a": 1, "list": [1.5, 2.5], "text": "x"})");
  const View root = value;
  EXPECT_EQ(root["a"].as_int64(), 1);
  EXPECT_EQ(value.find("list[1]").as_double(), 2.5);
  EXPECT_EQ(value.find("$.text").as_string(), "x");
  EXPECT_EQ(value.root()->kind, POLYCODEC_KIND_OBJECT);
  EXPECT_FALSE(value.is_partial());
  const Error missing = error_of([&] { (void)value.find("b"); });
  EXPECT_EQ(missing.code(), Status::not_found);
  EXPECT_NE(missing.message().find("list"), std::string::npos) << missing.message();
  EXPECT_EQ(error_of([&] { (void)value.find("a["); }).code(), Status::option);
}

TEST(Value, GivesColumnsByValue) {
  const Value value = table();
  const View x = value.find("rows.x");
  EXPECT_TRUE(x.is<double>());
  EXPECT_FALSE(x.is<float>());
  double sum = 0;
  for (const double each : x.as<double>()) sum += each;
  EXPECT_EQ(sum, 4.5);
  EXPECT_EQ(value.find("rows.id").as<std::int32_t>()[2], 2);
  const Error other = error_of([&] { (void)x.as<float>(); });
  EXPECT_EQ(other.code(), Status::type);
  EXPECT_EQ(other.message(), "expected a list of float32 in one array, found float64");
  EXPECT_FALSE(value.view().is<double>());
  EXPECT_EQ(error_of([&] { (void)value.find("rows").as<double>(); }).code(), Status::type);
}

TEST(Value, GivesArraysOfMoreDimensions) {
  const Value value = Value::build([](Builder& out) {
    const std::array<float, 6> numbers{1, 2, 3, 4, 5, 6};
    const auto copied = out.store_all(std::span<const float>(numbers));
    const std::int64_t shape[] = {2, 3};
    return Builder::array(out.ndarray(bytes_of(std::span<const float>(copied, 6)),
                                      POLYCODEC_DTYPE_FLOAT32, 4, shape));
  });
  const NdView<float> matrix = value.view().nd<float>();
  EXPECT_EQ(matrix.ndim(), 2U);
  EXPECT_EQ(matrix.shape(0), 2U);
  EXPECT_EQ(matrix.shape(1), 3U);
  EXPECT_EQ(matrix.stride(0), 12);
  EXPECT_EQ(matrix.stride(1), 4);
  EXPECT_EQ(matrix.size(), 6U);
  EXPECT_EQ(matrix(1, 2), 6.0F);
  EXPECT_EQ(matrix[1].column()[0], 4.0F);
  EXPECT_EQ(value.view()[1].as<float>().size(), 3U);
  EXPECT_EQ(value.view()[1].nd<float>().ndim(), 1U);
  EXPECT_FALSE(value.view().is<float>());
  EXPECT_EQ(error_of([&] { (void)value.view().as<float>(); }).message(),
            "expected a list of float32, found 2 dimensions: read them with nd()");
  EXPECT_EQ(error_of([&] { (void)value.view().nd<double>(); }).code(), Status::type);
}

TEST(Value, CopiesNumbersTimesAndTexts) {
  const Value objects = Value::parse(R"([{"x": 1, "s": "a"}, {"x": 2, "s": "bc"}])");
  EXPECT_EQ(objects.numbers<double>("x"), (std::vector<double>{1, 2}));
  EXPECT_EQ(objects.numbers<std::uint8_t>("x"), (std::vector<std::uint8_t>{1, 2}));
  EXPECT_EQ(objects.texts("s"), (std::vector<std::string>{"a", "bc"}));
  EXPECT_EQ(table().numbers<float>("rows.x"), (std::vector<float>{0.5, 1.5, 2.5}));

  const Value missing = Value::parse(R"({"type": "3 * ?int32", "value": [1, null, 3]})");
  std::vector<std::uint8_t> present;
  EXPECT_EQ(missing.numbers<int>("$", &present), (std::vector<int>{1, 0, 3}));
  EXPECT_EQ(present, (std::vector<std::uint8_t>{1, 0, 1}));
  EXPECT_EQ(error_of([&] { (void)missing.numbers<int>(); }).code(), Status::range);
  const Error large = error_of([] { (void)Value::parse("[1, 300]").numbers<std::uint8_t>(); });
  EXPECT_EQ(large.code(), Status::range);
  EXPECT_EQ(large.path(), "$[1]");
  EXPECT_TRUE(Value::parse("[]").numbers<double>().empty());

  const Value times = Value::build(
      [](Builder& out) { return out.list({out.timestamp(5, 0, POLYCODEC_UNIT_SECOND)}); });
  EXPECT_EQ(times.times("$", POLYCODEC_UNIT_MILLISECOND), (std::vector<std::int64_t>{5000}));
}

TEST(Value, HasTextAndType) {
  const Value value = Value::parse("[1, 2]", "2 * int16");
  EXPECT_EQ(value.type(), "2 * int16");
  EXPECT_EQ(value.text(), R"({"type": "2 * int16", "value": [1, 2]})");
  EXPECT_EQ(value.text({.plain = true}), "[1, 2]");
  EXPECT_EQ(error_of([&] { (void)value.text({.plain = true, .exact = true}); }).code(),
            Status::invalid);
  const std::string list = R"({"type": "2 * int16", "value": {"$list": [1, 2]}})";
  EXPECT_EQ(Value::parse(list).text(), value.text());
  const Sink sink = Sink::contiguous();
  value.print(sink, {.plain = true});
  value.print(sink);
  EXPECT_EQ(sink.bytes(), "[1, 2]" + value.text());
  EXPECT_EQ(Value::parse(list).text({.exact = true}), list);
  EXPECT_EQ(Value::parse(value.text()).type(), "2 * int16");
  EXPECT_EQ(Value::parse("1", "int8", &registry()).type(), "int8");
}

TEST(Value, IsCompared) {
  const Value a = Value::parse("[1, 2]"), b = Value::parse("[1, 2.0]");
  EXPECT_TRUE(a.equals(Value::parse("[1, 2]")));
  EXPECT_FALSE(a.equals(b));
  EXPECT_TRUE(a.equals(b, {.flags = POLYCODEC_COMPARE_NUMBERS}));
  EXPECT_FALSE(a.difference(a));
  const auto found = a.difference(b);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->path, "$[1]");
  EXPECT_FALSE(found->reason.empty());
}

TEST(Value, GivesPartsThatOutliveIt) {
  Value row, rows, node;
  {
    const Value value = table(5);
    const View all = value.find("rows");
    row = value.item(all, 1);
    rows = value.rows(all, 3);
    node = Value::parse(R"({"a": {"b": [7]}})").part("a.b");
  }
  EXPECT_EQ(row.find("x").as_double(), 1.5);
  EXPECT_EQ(rows.numbers<double>("x"), (std::vector<double>{3.5, 4.5}));
  EXPECT_EQ(node.numbers<int>(), std::vector<int>{7});
  EXPECT_EQ(table().part("rows.x").numbers<double>().size(), 3U);
  const Value value = table();
  const View x = value.find("rows.x");
  const polycodec_item all{nullptr, x.array(), POLYCODEC_WHOLE}, last{nullptr, x.array(), 2};
  EXPECT_EQ(value.part(all, 1, 1).numbers<double>(), std::vector<double>{1.5});
  EXPECT_EQ(value.part(last).numbers<double>(), std::vector<double>{2.5});
  EXPECT_TRUE(value.part(polycodec_item{value.root(), nullptr, 0}).equals(value));
  EXPECT_EQ(error_of([&] { (void)value.item(value.find("rows"), 9); }).code(), Status::not_found);
  EXPECT_EQ(error_of([&] { (void)value.item(value.view(), 0); }).code(), Status::invalid);
}

TEST(Value, IsBuiltAndChecked) {
  const Value first = Value::parse("[1]");
  const Value value = Value::build(
      [&](Builder& out) {
        return out.object({{"first", *first.root()}, {"n", Builder::integer(2)}});
      },
      {first});
  EXPECT_EQ(value.find("first[0]").as_int64(), 1);
  static const char literal[] = "literal";
  const Error stray =
      error_of([] { (void)Value::build([](Builder&) { return Builder::string_view(literal); }); });
  EXPECT_EQ(stray.code(), Status::invalid);
  EXPECT_EQ(error_of([] {
              (void)Value::build(
                  [](Builder& out) { return out.bytes_copy(std::string(5000, 'x')); }, {}, 1000);
            }).code(),
            Status::limit);
  EXPECT_THROW((void)Value::build([](Builder&) -> Node { throw std::runtime_error("mine"); }),
               std::runtime_error);
  check_node(first.root());
  EXPECT_EQ(error_of([&] {
              const polycodec_bytes nowhere{literal, 1};
              check_node(first.root(), {}, {&nowhere, 1});
            }).code(),
            Status::invalid);
}

TEST(Value, IsMadeInSteps) {
  Draft draft;
  const Value first = Value::parse("[1]"), second = Value::parse("[2]");
  Draft moved = std::move(draft);
  Node* items = nullptr;
  const Node list = moved.out().list(2, &items);
  for (const Value& other : {first, second}) {
    moved.keep(other);
    *items++ = *other.root();
  }
  const Value value = moved.finish(list);
  EXPECT_EQ(value.text({.plain = true}), "[[1], [2]]");
  EXPECT_EQ(error_of([] { Draft(1000).out().allocate<char>(5000); }).code(), Status::limit);
}

TEST(Paths, NameMembersOfAnyName) {
  EXPECT_EQ(member_path("$", "vertex_2"), "$.vertex_2");
  for (const std::string name : {"x", "2", "a.b", "[3]", "", "\"quoted\\", "line\n\x01", "é"}) {
    const Value value = Value::build([&](Builder& out) {
      return out.object({{"in", out.object({{name, Builder::integer(7)}})}});
    });
    EXPECT_EQ(value.find(member_path("$.in", name)).as_int64(), 7) << name;
    EXPECT_EQ(value.find(member_path("in", name)).as_int64(), 7) << name;
  }
}

TEST(Value, CopiesShareAndMovesLeaveNull) {
  Value a = table();
  const Value b = a;
  EXPECT_EQ(a.root(), b.root());
  const Value c = std::move(a);
  EXPECT_FALSE(a);  // NOLINT(bugprone-use-after-move): what is left is defined
  EXPECT_TRUE(a.view().is_null());
  EXPECT_EQ(error_of([&] { (void)a.text(); }).code(), Status::invalid);
  EXPECT_EQ(c.root(), b.root());
  a = c;
  EXPECT_EQ(a.root(), b.root());
  Value& same = a;
  a = std::move(same);
  EXPECT_EQ(a.root(), b.root());
}

TEST(Type, IsDescribed) {
  const Type type("3 * {x: float64}");
  EXPECT_EQ(type.text(), "3 * {x: float64}");
  EXPECT_TRUE(type.is_concrete());
  EXPECT_FALSE(Type("N * float64").is_concrete());
  EXPECT_FALSE(type.kind().empty());
  EXPECT_EQ(error_of([] { (void)Type("3 *"); }).code(), Status::malformed);
  EXPECT_EQ(Type("int32", &registry()).text(), "int32");
  EXPECT_EQ(error_of([] { (void)Type("union[int8]", nullptr, POLYCODEC_TYPE_STRICT); }).code(),
            Status::malformed);
}

TEST(Exchange, ArrowGoesThereAndBack) {
  ArrowSchema schema;
  ArrowArray array;
  Value again;
  {
    const Value value = table();
    value.part("rows").to_arrow(&schema, &array);
    again = Value::from_arrow(&schema, &array);
  }
  EXPECT_EQ(again.numbers<double>("x"), (std::vector<double>{0.5, 1.5, 2.5}));
  ArrowArrayStream stream;
  table().to_arrow(&stream, "rows");
  EXPECT_EQ(Value::from_arrow(&stream).numbers<int>("id"), (std::vector<int>{0, 1, 2}));
  table(100).to_arrow(&stream, "rows");
  Limits limits;
  limits.max_elements = 10;
  EXPECT_EQ(error_of([&] { (void)Value::from_arrow(&stream, limits); }).code(), Status::limit);
}

TEST(Exchange, DlpackGoesThereAndBack) {
  const Value value = table();
  DLManagedTensor* tensor = nullptr;
  const Value x = value.part("rows.x");
  x.to_dlpack(x.view(), &tensor);
  EXPECT_EQ(Value::from_dlpack(tensor).numbers<double>(), (std::vector<double>{0.5, 1.5, 2.5}));
  DLManagedTensorVersioned* versioned = nullptr;
  x.to_dlpack(x.view(), &versioned);
  EXPECT_EQ(Value::from_dlpack(versioned).numbers<double>().size(), 3U);
}

TEST(Exchange, FramesGoThereAndBack) {
  const Value value = table();
  const Frames frames(value);
  std::vector<polycodec_bytes> pieces;
  auto owner = std::make_shared<std::vector<std::string>>();
  for (const polycodec_bytes& piece : frames.pieces()) owner->emplace_back(to_string_view(piece));
  for (const std::string& piece : *owner) pieces.push_back(to_bytes(piece));
  const std::weak_ptr<std::vector<std::string>> watched = owner;
  {
    const Value again = Frames::join(pieces, std::move(owner));
    EXPECT_TRUE(again.equals(value));
    EXPECT_FALSE(watched.expired());
  }
  EXPECT_TRUE(watched.expired());
}

TEST(Draft, GivesABuilderBoundedMemory) {
  Draft scratch(1 << 16);
  auto* const numbers = scratch.out().allocate<double>(100);
  numbers[99] = 1;
  EXPECT_EQ(error_of([&] { (void)scratch.out().allocate<double>(1 << 20); }).code(), Status::limit);
  Draft moved(std::move(scratch));
  EXPECT_EQ(moved.out().copy_text("text"), "text");
}

}  // namespace
}  // namespace polycodec::test
