// SPDX-License-Identifier: MIT
// The schema of an array in chunks.
#include <polycodec/builder.hpp>

#include "core/schema/schema.hpp"
#include "core/value/value.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <string>

namespace polycodec::schema {
namespace {

std::string inferred(const Value& value) {
  const Schema schema = infer(value.view());
  const auto problem = first_problem(schema, value.view());
  EXPECT_FALSE(problem) << schema.to_json() << ": " << problem->path << " " << problem->reason;
  return schema.to_json();
}

TEST(InferredChunks, AllOfThemAreDescribed) {
  static constexpr std::int8_t small[] = {1, 2};
  static constexpr double real[] = {0.5};
  static constexpr std::int64_t offsets[] = {0, 2};
  const auto chunks = [](auto... parts) {
    return Value::build([&](Builder& out) {
      const polycodec_array* const all[] = {parts(out)...};
      return Builder::array(out.chunked(all));
    });
  };
  const auto integers = [](Builder& out) {
    return out.vector(std::span<const std::int8_t>(small));
  };
  const auto numbers = [](Builder& out) { return out.vector(std::span<const double>(real)); };
  const auto nothing = [](Builder& out) { return out.vector(std::span<const float>()); };
  const auto lists = [](Builder& out) {
    return out.list_offsets(std::span<const std::int64_t>(offsets),
                            out.vector(std::span<const std::int8_t>(small)));
  };
  const auto alike = inferred(chunks(integers, integers));
  EXPECT_EQ(alike.find("anyOf"), alike.npos) << alike;
  const auto two = inferred(chunks(integers, numbers));
  EXPECT_NE(two.find("anyOf"), two.npos) << two;
  EXPECT_NE(two.find("int"), two.npos) << two;
  EXPECT_NE(two.find("number"), two.npos) << two;
  const auto mixed = inferred(chunks(integers, lists, numbers, nothing));
  EXPECT_NE(mixed.find("array"), mixed.npos) << mixed;
  // Chunks without items say something only if there are no others.
  EXPECT_EQ(inferred(chunks(nothing, integers)), alike);
}

}  // namespace
}  // namespace polycodec::schema
