// SPDX-License-Identifier: MIT
// Fields of an array that its layout does not use: validation refuses them, and nothing follows
// them in a value that was not validated.
#include "unused_fields.hpp"

#include <polycodec/error.hpp>

#include "core/arrow/arrow.hpp"
#include "core/text/infer.hpp"
#include "core/text/text.hpp"
#include "core/value/host_meter.hpp"
#include "core/value/kept.hpp"
#include "core/value/logical_address.hpp"
#include "core/value/value.hpp"
#include "core/value/value_parts.hpp"
#include "core/wire/frames.hpp"
#include "error_of.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>

namespace polycodec {
namespace {

using test::error_of;
using test::for_each_unused_field;
using test::UnusedField;

const polycodec_array& array_in(const Value& value) {
  return value.view()[0].as_array();
}

TEST(UnusedFields, ValidationNamesTheFieldTheLayoutAndThePath) {
  int refused = 0;
  for_each_unused_field(
      [&](const Value& stray, const Value& right, std::uint32_t layout, const UnusedField& field) {
        const std::string message = "field '" + std::string(field.name) +
                                    "' of an array is set: the layout '" +
                                    std::string(layout_names[layout]) + "' does not use it";
        for (const Validation validation : {Validation::structure, Validation::full}) {
          validate(right.view(), Limits{}, validation);
          const Error error = error_of([&] { validate(stray.view(), Limits{}, validation); });
          EXPECT_EQ(error.code(), Status::invalid);
          EXPECT_EQ(error.path(), "$[0]");
          EXPECT_NE(error.message().find(message), std::string::npos) << error.message();
        }
        ++refused;
      });
  // Each field is unused in all layouts but those that its comment in abi.h names.
  EXPECT_EQ(refused, 9 * 10 + 4 + 9 + 10 + 2 + 10 + 10);
}

TEST(UnusedFields, ByteOrderMayBeEither) {
  const Value value = Value::build([](Builder& out) {
    polycodec_array* const array = test::array_of_layout(out, POLYCODEC_LAYOUT_RECORD);
    array->byte_order = POLYCODEC_BIG_ENDIAN;
    return Builder::array(array);
  });
  validate(value.view(), Limits{}, Validation::full);
}

/// What a walker makes of the value, as text.
struct Walker {
  const char* name;
  std::function<std::string(const Value&)> run;
};

std::string text_of(NodeView value) {
  return to_text(value);
}

std::string exported(const Value& value) {
  // The holder does not own it.
  const std::shared_ptr<const Value> shared(std::shared_ptr<void>(), &value);
  ArrowSchema schema{};
  ArrowArray array{};
  export_arrow(shared, value.view()[0], schema, array);
  return to_text(import_arrow(schema, array).view());
}

const Walker walkers[] = {
    {"text", [](const Value& v) { return to_text(v.view()); }},
    {"plain text", [](const Value& v) { return to_text(v.view(), {.plain = true}); }},
    {"JSON", [](const Value& v) { return to_json(v.view()); }},
    {"frames",
     [](const Value& v) {
       const Frames frames = to_frames(v);
       for (const Segment& buffer : frames.buffers) EXPECT_NE(buffer.data, test::forbidden_page());
       return text_of(from_frames(frames.header, frames.buffers, nullptr).view());
     }},
    {"Arrow", exported},
    {"address", [](const Value& v) { return logical_address(v.view(), Limits{}); }},
    {"retyped",
     [](const Value& v) {
       return std::to_string(retyped_members(v.view(), v.view(), Limits{}).size());
     }},
    {"comparison",
     [](const Value& v) {
       const auto found = first_difference(v.view(), v.view());
       return found ? found->reason : "";
     }},
    {"documents",
     [](const Value& v) {
       const Value made =
           Value::build([&](Builder& out) { return to_document(View(v.view()), out); });
       return text_of(made.view());
     }},
    {"columns",
     [](const Value& v) {
       const Value made = Value::build(
           [&](Builder& out) { return Builder::array(materialize(array_in(v), out)); });
       return text_of(made.view());
     }},
    {"columns of a list",
     [](const Value& v) {
       const Value made =
           Value::build([&](Builder& out) { return Builder::array(to_columns(v.view()[0], out)); });
       return text_of(made.view());
     }},
    {"bytes", [](const Value& v) { return std::to_string(physical_bytes(v.view(), 64)); }},
};

std::string outcome(const Walker& walker, const Value& value) {
  try {
    return walker.run(value);
  } catch (const Error& error) {
    return "error: " + error.describe();
  }
}

TEST(UnusedFields, AreNeverFollowed) {
  for_each_unused_field(
      [](const Value& stray, const Value& right, std::uint32_t, const UnusedField&) {
        for (const Walker& walker : walkers) {
          const std::string found = outcome(walker, stray);
          // Some validate first.
          if (found.find("does not use it") != std::string::npos) continue;
          EXPECT_EQ(found, outcome(walker, right)) << walker.name;
        }
        EXPECT_TRUE(equal(stray.view(), right.view()));
      });
}

TEST(UnusedFields, OfRightValuesStayEmpty) {
  // What this library builds, copies and reads itself.
  for (std::uint32_t layout = 0; layout < POLYCODEC_LAYOUT_COUNT; ++layout) {
    SCOPED_TRACE(layout_names[layout]);
    const Value value = Value::build(
        [&](Builder& out) { return Builder::array(test::array_of_layout(out, layout)); });
    const Frames frames = to_frames(value);
    validate(from_frames(frames.header, frames.buffers, nullptr).view(), Limits{},
             Validation::full);
    validate(parse_text(to_text(value.view())).view(), Limits{}, Validation::full);
    const polycodec_array& array = value.view().as_array();
    const Value made =
        Value::build([&](Builder& out) { return Builder::array(materialize(array, out)); });
    validate(made.view(), Limits{}, Validation::full);
  }
}

TEST(UnusedFields, OfALayoutInText) {
  for (const char* member :
       {R"("size": 5)", R"("dtype": 4)", R"("item_size": 8)", R"("shape": [2])"}) {
    const std::string text =
        R"({"type": "var * var * int64", "value": {"$layout": {"layout": "list_offsets", "length": 1,)"
        R"("offsets": {"type": "2 * int64", "value": [0, 1]}, )" +
        std::string(member) + R"(, "children": [{"type": "1 * int64", "value": [7]}]}}})";
    const Error error = error_of([&] { parse_text(text); });
    EXPECT_EQ(error.code(), Status::malformed) << member << ": " << error.describe();
    EXPECT_NE(error.message().find("does not use it"), std::string::npos) << error.describe();
  }
}

}  // namespace
}  // namespace polycodec
