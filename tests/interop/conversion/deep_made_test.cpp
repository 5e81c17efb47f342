// SPDX-License-Identifier: MIT
// What a large stack has made is walked over on a small one: each walk ends in time, with a result
// or an error.
#include <model/type/build.hpp>
#include <model/type/parse.hpp>
#include <model/type/print.hpp>

#include "core/arrow/arrow.hpp"
#include "core/schema/schema.hpp"
#include "core/text/infer.hpp"
#include "core/text/text.hpp"
#include "core/value/logical_address.hpp"
#include "core/wire/frames.hpp"
#include "deep.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <future>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace polycodec {
namespace {

using namespace test;

constexpr std::chrono::seconds most_time(20);

/// Runs `body` in a thread with a small stack. Ends the program if that takes too long.
void on_small_stack(const std::string& name, const std::function<void()>& body) {
  std::promise<void> done;
  std::thread watch([&] {
    if (done.get_future().wait_for(most_time) == std::future_status::ready) return;
    std::fprintf(stderr, "%s did not end in time\n", name.c_str());
    std::abort();
  });
  on_stack(small_stack, body);
  done.set_value();
  watch.join();
}

/// What one large stack makes of a value; parts that it cannot make are missing.
struct Made {
  std::optional<std::string> text, json, type_text, schema_text;
  std::optional<type::Type> type;
  std::optional<schema::Schema> schema;
  std::optional<Frames> frames;
  ArrowSchema arrow_schema{};
  ArrowArray arrow{};
};

void make(const Deep& deep, Made& made) {
  const Limits limits = deep_limits();
  const NodeView value = deep.value->view();
  TextOptions options;
  options.limits = limits;
  ends("text", [&] { made.text = to_text(value, options); });
  ends("JSON", [&] { made.json = to_json(value, json_compact, limits.max_depth); });
  ends("type", [&] { made.type = infer_type(value, limits); });
  if (made.type) ends("type text", [&] { made.type_text = type::print(*made.type); });
  ends("schema", [&] { made.schema = schema::infer(value, {}, limits); });
  if (made.schema) ends("schema text", [&] { made.schema_text = made.schema->to_json(); });
  ends("frames", [&] { made.frames = to_frames(*deep.value, limits); });
  ends("Arrow", [&] {
    ArrowOptions arrow;
    arrow.limits = limits;
    export_arrow(deep.value, value, made.arrow_schema, made.arrow, arrow);
  });
}

bool same(NodeView a, NodeView b) {
  CompareOptions options;
  options.max_depth = deep_limits().max_depth;
  return equal(a, b, options);
}

struct Walk {
  const char* name;
  std::function<void()> run;
};

/// All walks for which there is something to walk over. Each may be run once.
std::vector<Walk> walks_over(const Deep& deep, Made& made) {
  const Limits limits = deep_limits();
  const NodeView value = deep.value->view();
  std::vector<Walk> walks{
      {"infer a schema", [=] { (void)schema::infer(value, {}, limits); }},
      {"infer a type", [=] { (void)infer_type(value, limits); }},
      {"logical address", [=] { (void)logical_address(value, limits); }},
      {"print",
       [=] {
         TextOptions options;
         options.limits = limits;
         (void)to_text(value, options);
       }},
      {"compare", [=] { (void)same(value, value); }},
  };
  const auto add = [&](const char* name, bool there, std::function<void()> run) {
    if (there) walks.push_back({name, std::move(run)});
  };
  add("parse typed text", made.text.has_value(),
      [=, &made] { (void)parse_text(*made.text, limits); });
  add("parse JSON", made.json.has_value(), [=, &made] { (void)parse_json(*made.json, limits); });
  add("print a type", made.type.has_value(), [&made] { (void)type::print(*made.type); });
  add("parse a type", made.type_text.has_value(), [=, &made] {
    type::ParseOptions options;
    options.max_depth = type::Type::max_depth;
    (void)type::parse(*made.type_text, options);
  });
  add("parse values of a type", made.type && made.json,
      [=, &made] { (void)parse_text(*made.json, *made.type, limits); });
  add("drop a type", made.type.has_value(), [&made] { made.type.reset(); });
  add("compile a schema", made.schema_text.has_value(),
      [=, &made] { (void)schema::Schema::parse(*made.schema_text, limits); });
  add("validate", made.schema.has_value(), [=, &made] {
    schema::ValidateOptions options;
    (void)schema::validate(*made.schema, value, options, limits);
  });
  add("normalize", made.schema.has_value(), [=, &made] {
    Value::build(
        [&](Builder& out) { return schema::normalize(*made.schema, value, out, {}, limits); });
  });
  add("compare schemas", made.schema.has_value(),
      [&made] { (void)schema::first_difference(*made.schema, *made.schema); });
  add("print a schema", made.schema.has_value(), [&made] { (void)made.schema->to_json(); });
  add("drop a schema", made.schema.has_value(), [&made] { made.schema.reset(); });
  add("make frames", true, [=, &deep] { (void)to_frames(*deep.value, limits); });
  add("read frames", made.frames.has_value(), [=, &made] {
    (void)from_frames(made.frames->header, made.frames->buffers, nullptr, limits);
  });
  add("export to Arrow", true, [=, &deep] {
    ArrowSchema schema{};
    ArrowArray array{};
    ArrowOptions options;
    options.limits = limits;
    export_arrow(deep.value, value, schema, array, options);
    array.release(&array);
    schema.release(&schema);
  });
  add("import from Arrow", made.arrow.release != nullptr,
      [=, &made] { (void)import_arrow(made.arrow_schema, made.arrow, limits); });
  return walks;
}

TEST(Deep, WhatALargeStackMadeIsWalkedOnASmallStack) {
  for (const std::size_t depth : depths)
    for (const Deep& deep : deep_values(depth)) {
      Made made;
      on_stack(large_stack, [&] {
        make(deep, made);
        if (depth > 400) return;  // the notation may need more levels than the value has
        ASSERT_TRUE(made.text.has_value()) << deep.name;
        EXPECT_TRUE(same(parse_text(*made.text, deep_limits()).view(), deep.value->view()));
      });
      for (const Walk& walk : walks_over(deep, made)) {
        const std::string name =
            std::string(walk.name) + ": " + deep.name + " " + std::to_string(depth);
        SCOPED_TRACE(name);
        on_small_stack(name, [&] { ends(name, walk.run); });
      }
      EXPECT_EQ(made.arrow.release, nullptr) << "the import has moved it";
    }
}

}  // namespace
}  // namespace polycodec
