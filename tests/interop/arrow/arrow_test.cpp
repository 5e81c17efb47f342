// SPDX-License-Identifier: MIT
// The Arrow C data interface, both ways, against its own rules and against itself.
#include "core/arrow/arrow.hpp"

#include <model/type/print.hpp>
#include <polycodec/kit/corpus.hpp>

#include "core/text/infer.hpp"
#include "core/text/text.hpp"
#include "core/value/value.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <string>
#include <vector>

namespace polycodec {
namespace {

struct Exported {
  ArrowSchema schema{};
  ArrowArray array{};
  explicit Exported(const std::shared_ptr<const Value>& value) {
    export_arrow(value, value->view(), schema, array);
  }
  Exported(const Exported&) = delete;
  Exported& operator=(const Exported&) = delete;
  ~Exported() {
    if (schema.release != nullptr) schema.release(&schema);
    if (array.release != nullptr) array.release(&array);
  }
};

std::shared_ptr<const Value> shared(Value value) {
  return std::make_shared<Value>(std::move(value));
}

/// The formats of a schema in one line: `+s(x:i y?:+l(item:u))`.
std::string describe(const ArrowSchema& schema) {
  std::string text = schema.format;
  if (schema.dictionary != nullptr) text += "{" + describe(*schema.dictionary) + "}";
  if (schema.n_children == 0) return text;
  text += "(";
  for (std::int64_t i = 0; i < schema.n_children; ++i) {
    const ArrowSchema& child = *schema.children[i];
    text += std::string(i == 0 ? "" : " ") + child.name +
            ((child.flags & ARROW_FLAG_NULLABLE) != 0 ? "?:" : ":") + describe(child);
  }
  return text + ")";
}

std::string format_of(const char* text) {
  const Exported out(shared(parse_text(text)));
  return describe(out.schema);
}

/// The rules that hold for every array of the interface.
void check_rules(const ArrowSchema& schema, const ArrowArray& array) {
  ASSERT_NE(schema.release, nullptr);
  ASSERT_NE(array.release, nullptr);
  EXPECT_EQ(schema.n_children, array.n_children);
  EXPECT_GE(array.null_count, 0);
  EXPECT_LE(array.null_count, array.length);
  EXPECT_EQ(array.offset, 0);
  const std::string format = schema.format;
  const std::map<char, std::int64_t> buffers{{'n', 0}, {'u', 3}, {'U', 3}, {'z', 3}, {'Z', 3}};
  std::int64_t expected = buffers.contains(format[0]) ? buffers.at(format[0]) : 2;
  if (format[0] == '+') expected = format[1] == 's' || format[1] == 'w' ? 1 : 2;
  EXPECT_EQ(array.n_buffers, expected) << format;
  if (array.null_count > 0 && format != "n") {
    EXPECT_NE(array.buffers[0], nullptr);
  }
  if (format[0] == '+' && format[1] == 's') {
    for (std::int64_t i = 0; i < array.n_children; ++i)
      EXPECT_GE(array.children[i]->length, array.length);
  }
  for (std::int64_t i = 0; i < array.n_children; ++i)
    check_rules(*schema.children[i], *array.children[i]);
  if (schema.dictionary != nullptr) check_rules(*schema.dictionary, *array.dictionary);
}

/// The value as an array of items, as export_arrow makes one.
const polycodec_node* items_of(NodeView value, Builder& out) {
  if (value.kind() == POLYCODEC_KIND_ARRAY || value.is_list()) return value.raw();
  polycodec_node* nodes = nullptr;
  const polycodec_node list = out.list(1, &nodes);
  nodes[0] = *value.raw();
  return out.root(list);
}

TEST(Arrow, FormatsAreThoseOfTheSpecification) {
  EXPECT_EQ(format_of(R"({"type": "2 * int32", "value": [1, 2]})"), "i");
  EXPECT_EQ(format_of(R"({"type": "2 * bool", "value": [true, false]})"), "b");
  EXPECT_EQ(format_of(R"({"type": "2 * ?float64", "value": [1.5, null]})"), "g");
  EXPECT_EQ(format_of(R"({"type": "2 * var * float32", "value": [[1.0], []]})").substr(0, 2), "+L");
  EXPECT_EQ(format_of(R"({"type": "1 * 2 * 3 * int8", "value": [[[1, 2, 3], [4, 5, 6]]]})"),
            "+w:2(item:+w:3(item:c))");
  EXPECT_EQ(format_of(R"({"type": "1 * {x: int16, y: ?uint64}", "value": [{"x": 1, "y": null}]})"),
            "+s(x:s y?:L)");
  EXPECT_EQ(format_of(R"({"type": "1 * complex[float64]", "value": [{"$complex": [1.0, 2.0]}]})"),
            "+w:2(item:g)");
  EXPECT_EQ(
      format_of(
          R"({"type": "1 * datetime[unit='ms']", "value": [{"$datetime": "2020-01-02T03:04:05.678Z"}]})"),
      "tsm:");
  EXPECT_EQ(
      format_of(R"({"type": "1 * timedelta[unit='h']", "value": [{"$timedelta": [3, "h"]}]})"),
      "tDs");
  EXPECT_EQ(format_of("{\"a\": [1, 2], \"b\": \"x\"}").substr(0, 2), "+s");
}

TEST(Arrow, WhatFitsIsViewedNotCopied) {
  const std::vector<double> numbers{1, 2, 3};
  const std::vector<std::int32_t> offsets{0, 2, 3};
  const auto value = shared(Value::build([&](Builder& out) {
    return Builder::array(
        out.list_offsets(std::span<const std::int32_t>(offsets), out.vector(std::span(numbers))));
  }));
  const Exported out(value);
  EXPECT_EQ(out.array.buffers[1], offsets.data());
  EXPECT_EQ(out.array.children[0]->buffers[1], numbers.data());
}

TEST(Arrow, EveryValueOfTheCorpusComesBackOrIsRefusedWithAReason) {
  std::size_t exact = 0;
  for (const auto& entry : kit::corpus()) {
    SCOPED_TRACE(entry.name);
    const auto value = shared(Value::build(entry.make));
    ArrowSchema schema{};
    ArrowArray array{};
    try {
      export_arrow(value, value->view(), schema, array);
    } catch (const Error& e) {
      EXPECT_TRUE(e.code() == Status::unsupported || e.code() == Status::limit ||
                  e.code() == Status::range || e.code() == Status::type)
          << e.describe();
      EXPECT_FALSE(e.message().empty());
      EXPECT_EQ(schema.release, nullptr);
      EXPECT_EQ(array.release, nullptr);
      continue;
    }
    check_rules(schema, array);
    const Value back = import_arrow(schema, array);
    EXPECT_EQ(schema.release, nullptr) << "moved";
    Value scratch;
    Builder out(scratch.prepare(UINT64_MAX));
    const NodeView items(items_of(value->view(), out));
    if (equal(items, back.view())) {
      ++exact;
    } else {
      const auto difference = first_difference(items, back.view());
      // What changes: an array without dimensions is one of one item, attributes of all items are
      // those of the array, units that Arrow has not, "not a time", texts of fixed width, widths in
      // mixed documents.
      EXPECT_TRUE(difference.has_value());
      const std::string name(entry.name);
      EXPECT_TRUE(
          name == "zero_dimensional" || name == "annotated" ||
          name.find("time") != std::string::npos || name.find("fixed") != std::string::npos ||
          name.find("union") != std::string::npos || name.find("option") != std::string::npos ||
          name.find("reference") != std::string::npos || name.find("shared") != std::string::npos)
          << to_text(items) << "\n"
          << to_text(back.view());
    }
  }
  EXPECT_GT(exact, 40u);
}

TEST(Arrow, ConsumersMayMoveAndReleaseInAnyOrder) {
  const auto value = shared(parse_text(R"([{"a": [1, 2], "b": "x"}, {"a": [], "b": "y"}])"));
  Exported out(value);
  // A child that was moved out outlives its parent.
  ArrowArray child = *out.array.children[1];
  out.array.children[1]->release = nullptr;
  out.array.release(&out.array);
  EXPECT_EQ(out.array.release, nullptr);
  EXPECT_EQ(child.length, 2);
  EXPECT_EQ(static_cast<const char*>(child.buffers[2])[1], 'y');
  child.release(&child);
  EXPECT_EQ(child.release, nullptr);
}

TEST(Arrow, SlicesBitmapsAndUnusualLayoutsAreRead) {
  // As a producer might lay it out: an offset that is no multiple of 8, inside a record that has
  // one, too.
  std::int32_t numbers[16];
  for (int i = 0; i < 16; ++i) numbers[i] = i * 10;
  const std::uint8_t valid[2] = {0b10101010, 0b11111111};
  const void* buffers[2] = {valid, numbers};
  const void* none[1] = {nullptr};
  const auto keep = [](auto* self) { self->release = nullptr; };
  ArrowSchema leaf{"i", "x", nullptr, ARROW_FLAG_NULLABLE, 0, nullptr, nullptr, keep, nullptr};
  ArrowArray leaf_array{12, -1, 1, 2, 0, buffers, nullptr, nullptr, keep, nullptr};
  ArrowSchema* schemas[1] = {&leaf};
  ArrowArray* arrays[1] = {&leaf_array};
  ArrowSchema schema{"+s", "", nullptr, 0, 1, schemas, nullptr, keep, nullptr};
  ArrowArray array{4, 0, 2, 1, 1, none, arrays, nullptr, keep, nullptr};
  const Value value = import_arrow(schema, array);
  EXPECT_EQ(to_text(value.view(), {.plain = true}),
            R"([{"x": 30}, {"x": null}, {"x": 50}, {"x": null}])");
}

TEST(Arrow, BrokenStructuresAreRefused) {
  const auto keep = [](auto* self) { self->release = nullptr; };
  const std::int32_t falling[] = {0, 3, 2};
  const char bytes[] = "abc";
  const std::int32_t numbers[] = {1, 2, 3};
  const void* texts[3] = {nullptr, falling, bytes};
  const void* leafs[2] = {nullptr, numbers};
  const auto refused = [&](const char* format, const void** buffers, std::int64_t n_buffers,
                           std::int64_t length, Status status, std::int64_t children = 0) {
    ArrowSchema schema{format, "", nullptr, 0, 0, nullptr, nullptr, keep, nullptr};
    ArrowArray array{length, 0, 0, n_buffers, children, buffers, nullptr, nullptr, keep, nullptr};
    try {
      (void)import_arrow(schema, array);
      ADD_FAILURE() << "taken: " << format;
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), status) << e.describe();
    }
    EXPECT_EQ(array.release, nullptr);
  };
  refused("u", texts, 3, 2, Status::invalid);
  refused("i", leafs, 2, -1, Status::invalid);
  refused("i", leafs, 1, 3, Status::invalid);
  refused("i", leafs, 2, 3, Status::invalid, 2);
  refused("d:10,2", leafs, 2, 1, Status::unsupported);
  refused("tin", leafs, 2, 1, Status::unsupported);
  refused("nonsense", leafs, 2, 1, Status::unsupported);
  refused("+w:x", leafs, 2, 1, Status::invalid);
  refused("w:0", leafs, 2, 1, Status::unsupported);
}

TEST(Arrow, StructureDoesNotFollowTheBuffersOfTheProducer) {
  const auto keep = [](auto* self) { self->release = nullptr; };
  std::int32_t offsets[] = {0, 1, 3};
  char bytes[] = "abc";
  const void* buffers[3] = {nullptr, offsets, bytes};
  ArrowSchema schema{"u", "", nullptr, 0, 0, nullptr, nullptr, keep, nullptr};
  ArrowArray array{2, 0, 0, 3, 0, buffers, nullptr, nullptr, keep, nullptr};
  const Value value = import_arrow(schema, array);
  std::fill(std::begin(offsets), std::end(offsets), 1 << 30);
  bytes[1] = 'x';  // text is viewed
  EXPECT_EQ(to_text(value.view(), {.plain = true}), R"(["a", "xc"])");
}

TEST(Arrow, StreamsThatDoNotEndAreRefused) {
  static std::int32_t numbers[1000];
  static const void* buffers[2] = {nullptr, numbers};
  static std::int64_t given;
  static std::int64_t length;
  const auto open = [](std::int64_t items) {
    given = 0;
    length = items;
    ArrowArrayStream stream{};
    stream.get_schema = [](ArrowArrayStream*, ArrowSchema* out) {
      *out = {"i",    "",      nullptr, 0,
              0,      nullptr, nullptr, [](auto* self) { self->release = nullptr; },
              nullptr};
      return 0;
    };
    stream.get_next = [](ArrowArrayStream*, ArrowArray* out) {
      *out = {length,  0,       0,
              2,       0,       buffers,
              nullptr, nullptr, [](auto* self) { self->release = nullptr; },
              nullptr};
      return ++given > 10'000'000 ? 1 : 0;
    };
    stream.release = [](ArrowArrayStream* self) { self->release = nullptr; };
    return stream;
  };
  const auto refused = [&](std::int64_t items, const Limits& limits, std::int64_t batches) {
    ArrowArrayStream stream = open(items);
    try {
      (void)import_arrow_stream(stream, limits);
      ADD_FAILURE() << "the stream ended";
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), Status::limit) << e.describe();
    }
    EXPECT_EQ(given, batches);
    EXPECT_EQ(stream.release, nullptr);
  };
  Limits limits;
  limits.max_elements = 5500;
  refused(1000, limits, 6);
  limits = {};
  limits.max_memory_bytes = 41'000;
  refused(1000, limits, 11);
  limits = {};
  limits.max_nodes = 100;
  refused(0, limits, 101);
}

TEST(Arrow, IndicesAndRunsThatAreNegativeAreRefused) {
  const auto keep = [](auto* self) { self->release = nullptr; };
  std::int32_t words[] = {7, 8};
  const void* content[2] = {nullptr, words};
  const std::int8_t index[] = {0, -1};
  const void* indices[2] = {nullptr, index};
  ArrowSchema leaf{"i", "", nullptr, 0, 0, nullptr, nullptr, keep, nullptr};
  ArrowArray leaf_array{2, 0, 0, 2, 0, content, nullptr, nullptr, keep, nullptr};
  ArrowSchema schema{"c", "", nullptr, 0, 0, nullptr, &leaf, keep, nullptr};
  ArrowArray array{2, 0, 0, 2, 0, indices, nullptr, &leaf_array, keep, nullptr};
  EXPECT_THROW((void)import_arrow(schema, array), Error);

  for (const std::int32_t first : {-5, 0, 1, 2}) {
    const std::int32_t ends[] = {first, 2};
    const void* end_buffers[2] = {nullptr, ends};
    const void* none[1] = {nullptr};
    ArrowSchema end_schema = leaf;
    ArrowArray end_array = leaf_array;
    end_array.buffers = end_buffers;
    ArrowSchema value_schema = leaf;
    ArrowArray value_array = leaf_array;
    ArrowSchema* schemas[2] = {&end_schema, &value_schema};
    ArrowArray* arrays[2] = {&end_array, &value_array};
    ArrowSchema runs{"+r", "", nullptr, 0, 2, schemas, nullptr, keep, nullptr};
    ArrowArray run_array{2, 0, 0, 0, 2, none, arrays, nullptr, keep, nullptr};
    if (first == 1) {
      EXPECT_EQ(to_text(import_arrow(runs, run_array).view(), {.plain = true}), "[7, 8]");
    } else {
      EXPECT_THROW((void)import_arrow(runs, run_array), Error) << first;
    }
  }
}

TEST(Arrow, UnionsAreDenseOrSparse) {
  const auto value = shared(parse_text(
      R"({"type": "4 * ?union[int64, string]", "value": [{"$union": [1, "x"]}, null, {"$union": [0, 7]}, {"$union": [1, ""]}]})"));
  for (const bool sparse : {false, true}) {
    ArrowSchema schema{};
    ArrowArray array{};
    export_arrow(value, value->view(), schema, array, {.limits = {}, .sparse_unions = sparse});
    EXPECT_EQ(std::string(schema.format), sparse ? "+us:0,1,2" : "+ud:0,1,2");
    EXPECT_EQ(array.children[0]->length, sparse ? 4 : 1);
    const Value back = import_arrow(schema, array);
    EXPECT_EQ(
        to_text(back.view(), {.plain = true}),
        R"([{"$union": [1, "x"]}, {"$union": [2, null]}, {"$union": [0, 7]}, {"$union": [1, ""]}])");
  }
}

/// The type and the plain text of a value: how its arrays are laid out is Arrow's choice.
std::string content(NodeView value) {
  return "{\"type\": \"" + type::print(infer_type(value)) +
         "\", \"value\": " + to_text(value, {.plain = true}) + "}";
}

/// What of a value is there after its export and import.
std::string through_arrow(const std::string& text) {
  const auto value = shared(parse_text(text));
  ArrowSchema schema{};
  ArrowArray array{};
  export_arrow(value, value->view(), schema, array);
  check_rules(schema, array);
  return content(import_arrow(schema, array).view());
}

TEST(Arrow, AttributesComeBack) {
  for (
      const std::string text : {
          R"({"type": "annotated[3 * float64, units='cm']", "value": [1.5, 2.5, 3.5]})",
          R"({"type": "annotated[2 * 2 * int32, title='grid']", "value": [[1, 2], [3, 4]]})",
          R"({"type": "annotated[2 * ?int64, units='s']", "value": [1, null]})",
          R"({"type": "annotated[2 * string, title='names', lines=2]", "value": ["a", "b"]})",
          R"({"type": "2 * {x: annotated[float64, units='m'], y: int32}", "value": [{"x": 1.0, "y": 2}, {"x": 3.0, "y": 4}]})",
          R"({"type": "annotated[1 * {x: annotated[float64, units='m']}, title='t']", "value": [{"x": 1.0}]})",
          R"({"type": "2 * {x: var * annotated[float32, units='K']}", "value": [{"x": [1.0]}, {"x": []}]})",
          R"({"type": "annotated[1 * int64, '$json:exact'='true']", "value": [7]})",
      })
    EXPECT_EQ(through_arrow(text), text);
  // An item alone is an array of one item.
  EXPECT_EQ(through_arrow(R"({"type": "annotated[float64, units='cm']", "value": 1.5})"),
            R"({"type": "annotated[1 * float64, units='cm']", "value": [1.5]})");
  const auto items = shared(Value::build([](Builder& out) {
    const auto item = [&](std::int64_t n) {
      return out.annotated(Builder::integer(n), out.object({{"exact", Builder::boolean(true)}}));
    };
    return out.list({item(1), item(2)});
  }));
  ArrowSchema schema{};
  ArrowArray array{};
  export_arrow(items, items->view(), schema, array);
  EXPECT_EQ(content(import_arrow(schema, array).view()),
            R"({"type": "annotated[2 * int64, '$json:exact'='true']", "value": [1, 2]})");
}

TEST(Arrow, AttributesOfOneFieldAreJoined) {
  const auto exported = [](std::int64_t inner) {
    const auto value = shared(Value::build([inner](Builder& out) {
      static constexpr std::int64_t numbers[] = {1, 2};
      auto* content = out.vector(std::span<const std::int64_t>(numbers));
      content->metadata = out.root(
          out.object({{"units", Builder::string_view("m")}, {"n", Builder::integer(inner)}}));
      const std::vector<const polycodec_array*> children{content};
      auto* option = out.with_children(POLYCODEC_LAYOUT_OPTION_BYTES, 2, children);
      static constexpr std::uint8_t mask[] = {1, 0};
      option->index = Builder::column(std::span<const std::uint8_t>(mask));
      option->flags = POLYCODEC_ARRAY_MASK_VALID;
      option->metadata = out.root(out.object({{"n", Builder::integer(1)}}));
      return out.annotated(Builder::array(option),
                           out.object({{"title", Builder::string_view("t")}}));
    }));
    ArrowSchema schema{};
    ArrowArray array{};
    export_arrow(value, value->view(), schema, array);
    return content(import_arrow(schema, array).view());
  };
  EXPECT_EQ(exported(1),
            R"({"type": "annotated[2 * ?int64, title='t', n=1, units='m']", "value": [1, null]})");
  EXPECT_THROW(exported(2), Error) << "the attribute n has two values";
}

TEST(Arrow, StreamsGiveOneBatchAndTakeMany) {
  const auto value = shared(parse_text(R"([{"a": 1, "b": "x"}, {"a": 2, "b": null}])"));
  ArrowArrayStream stream{};
  export_arrow_stream(value, value->view(), stream);
  const Value back = import_arrow_stream(stream);
  EXPECT_EQ(stream.release, nullptr);
  EXPECT_TRUE(equal(value->view(), back.view()));

  const auto numbers = shared(parse_text("[1, 2, 3]"));
  export_arrow_stream(numbers, numbers->view(), stream);
  EXPECT_EQ(to_text(import_arrow_stream(stream).view(), {.plain = true}),
            R"([{"value": 1}, {"value": 2}, {"value": 3}])");
}

TEST(Arrow, WhatArrowCannotHoldIsRefusedWithItsPlace) {
  const auto value = shared(parse_text(R"([{"a": {"$map": [[1, 2]]}}])"));
  ArrowSchema schema{};
  ArrowArray array{};
  try {
    export_arrow(value, value->view(), schema, array);
    ADD_FAILURE() << "exported a map";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), Status::unsupported);
    EXPECT_EQ(e.path(), "$.a") << e.describe();
  }
}

}  // namespace
}  // namespace polycodec
