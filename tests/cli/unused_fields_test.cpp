// SPDX-License-Identifier: MIT
// What the command says of an array asks its layout before it follows a pointer.
#include "unused_fields.hpp"

#include "common/statistics.hpp"

#include <gtest/gtest.h>

namespace polycodec::cli {
namespace {

TEST(Statistics, FollowNoFieldThatTheLayoutDoesNotUse) {
  test::for_each_unused_field(
      [](const Value& stray, const Value& right, std::uint32_t, const test::UnusedField&) {
        const Survey found = survey(stray.view(), {}), due = survey(right.view(), {});
        EXPECT_EQ(found.arrays, due.arrays);
        EXPECT_EQ(found.columns.size(), due.columns.size());
        EXPECT_EQ(found.buffers.size(), due.buffers.size());
      });
}

}  // namespace
}  // namespace polycodec::cli
