// SPDX-License-Identifier: MIT
// Every walk of the host over what nests deeply ends on a small stack, with a result or an error.
#include <model/type/build.hpp>
#include <model/type/parse.hpp>
#include <model/type/print.hpp>

#include "core/arrow/arrow.hpp"
#include "core/schema/schema.hpp"
#include "core/text/infer.hpp"
#include "core/text/text.hpp"
#include "deep.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace polycodec {
namespace {

using namespace test;

struct Walk {
  const char* name;
  std::function<void(const Deep& deep)> run;
};

std::vector<Walk> walks() {
  const Limits limits = deep_limits();
  const auto built = [](auto run) {
    Value::build([&](Builder& out) {
      run(out);
      return Builder::null();
    });
  };
  const auto compare = [](const Deep& a, const Deep& b) {
    CompareOptions options;
    options.max_depth = deep_limits().max_depth;
    (void)equal(a.value->view(), b.value->view(), options);
  };
  TextOptions marked, plain, pretty;
  marked.limits = plain.limits = pretty.limits = limits;
  plain.plain = true;
  pretty.indent = 1;
  return {
      {"validate", [=](const Deep& d) { validate(d.value->view(), limits, Validation::full); }},
      {"compare", [=](const Deep& d) { compare(d, d); }},
      {"print JSON", [=](const Deep& d) { (void)to_json(d.value->view(), 0, limits.max_depth); }},
      {"print", [=](const Deep& d) { (void)to_text(d.value->view(), marked); }},
      {"print plainly", [=](const Deep& d) { (void)to_text(d.value->view(), plain); }},
      {"print for people", [=](const Deep& d) { (void)to_text(d.value->view(), pretty); }},
      {"infer a type",
       [=](const Deep& d) { (void)type::print(infer_type(d.value->view(), limits)); }},
      {"make a document",
       [=](const Deep& d) {
         built([&](Builder& out) { (void)to_document(View(d.value->view()), out, limits); });
       }},
      {"make columns",
       [=](const Deep& d) {
         built([&](Builder& out) { (void)to_columns(d.value->view(), out, limits); });
       }},
      {"materialize",
       [=](const Deep& d) {
         if (!d.value->view().is_array()) return;
         built([&](Builder& out) { (void)materialize(d.value->view().as_array(), out, limits); });
       }},
      {"infer a schema",
       [=](const Deep& d) { (void)schema::infer(d.value->view(), {}, limits).to_json(); }},
      {"compare schemas",
       [=](const Deep& d) {
         const schema::Schema a = schema::infer(d.value->view(), {}, limits);
         const schema::Schema b = schema::infer(d.value->view(), {}, limits);
         (void)schema::first_difference(a, b);
       }},
      {"export to Arrow",
       [=](const Deep& d) {
         ArrowSchema schema{};
         ArrowArray array{};
         ArrowOptions options;
         options.limits = limits;
         export_arrow(d.value, d.value->view(), schema, array, options);
         (void)import_arrow(schema, array, limits);
       }},
  };
}

TEST(DeepWalks, EndOnASmallStack) {
  for (const std::size_t depth : depths)
    for (const Deep& deep : deep_values(depth))
      for (const Walk& walk : walks()) {
        const std::string name = std::string(walk.name) + ": " + deep.name;
        SCOPED_TRACE(name + " " + std::to_string(depth));
        on_stack(small_stack, [&] { ends(name, [&] { walk.run(deep); }); });
      }
}

}  // namespace
}  // namespace polycodec
