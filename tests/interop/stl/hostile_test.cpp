// SPDX-License-Identifier: MIT
// Damaged and misleading files: where they are wrong.

#include "shipped.hpp"

#include <gtest/gtest.h>

namespace polycodec::test {
namespace {

struct Refusal {
  std::string detail;
  std::uint64_t offset = 0;
  bool operator==(const Refusal&) const = default;
};

Refusal refused(std::string_view bytes, bool strict = false) {
  try {
    static_cast<void>(decode(shipped("stl", {{"strict", strict}}), bytes));
    return {};
  } catch (const Error& error) {
    return {error.detail(), error.offset()};
  }
}

std::string binary(std::uint32_t count, std::size_t facets, std::string_view header = "") {
  std::string bytes(84 + 50 * facets, '\0');
  bytes.replace(0, header.size(), header);
  store_le(bytes.data() + 80, count);
  return bytes;
}

constexpr std::string_view text =
    "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\n"
    "endfacet\nendsolid a\n";

TEST(StlHostile, CountsAreCheckedAgainstTheBytes) {
  EXPECT_EQ(refused(""), (Refusal{"stl.truncated", 0}));
  EXPECT_EQ(refused(std::string(83, '\0')), (Refusal{"stl.truncated", 83}));
  EXPECT_EQ(refused(binary(3, 2)), (Refusal{"stl.truncated", 184}));
  EXPECT_EQ(refused(binary(UINT32_MAX, 1)), (Refusal{"stl.truncated", 134}));
  EXPECT_EQ(refused(binary(1, 2)), Refusal{});
  EXPECT_EQ(refused(binary(1, 2), true), (Refusal{"stl.trailing_bytes", 134}));
}

TEST(StlHostile, ABinaryFileMayBeginWithSolid) {
  const std::string bytes = binary(2, 2, "solid that is none");
  const Value value = decode(shipped("stl"), bytes);
  EXPECT_EQ(value.view()["facets"].size(), 2u);
  EXPECT_EQ(encode(shipped("stl"), value), bytes);
  EXPECT_GE(sniff("stl", bytes), 50u);
}

TEST(StlHostile, EveryPrefixOfAnAsciiFileIsRefusedAtItsEnd) {
  // The end of the name of the last line belongs to the name.
  for (std::size_t size = 5; size < text.rfind("endsolid") + 8; ++size) {
    const Refusal found = refused(text.substr(0, size));
    EXPECT_TRUE(found.detail == "stl.truncated" || found.detail == "stl.bad_keyword") << size;
    EXPECT_LE(found.offset, size);
  }
  EXPECT_EQ(refused(text), Refusal{});
}

TEST(StlHostile, WordsAndNumbersAreCheckedWhereTheyAre) {
  const auto changed = [](std::string_view from, std::string_view to) {
    std::string made(text);
    return made.replace(made.find(from), from.size(), to);
  };
  EXPECT_EQ(refused(changed("normal", "norm")), (Refusal{"stl.bad_keyword", 14}));
  EXPECT_EQ(refused(changed("1 0 0", "1 x 0")), (Refusal{"stl.bad_number", 60}));
  EXPECT_EQ(refused(changed("1 0 0", "1 0.5.5 0")), (Refusal{"stl.bad_number", 60}));
  EXPECT_EQ(refused(changed("endloop", "vertex 1 1 1\nendloop")), (Refusal{"stl.polygon", 77}));
  EXPECT_EQ(refused(changed("endsolid a", "endsolid b")), Refusal{});
  EXPECT_EQ(refused(changed("endsolid a", "endsolid b"), true).detail, "stl.wrong_name");
  EXPECT_EQ(refused(changed("1 0 0", "1e999 -1e-999 +0")), Refusal{});
}

TEST(StlHostile, MemoryIsBoundedByTheInput) {
  CallOptions call;
  call.limits.max_memory_bytes = 1 << 16;
  std::string many("solid\n");
  for (int i = 0; i < 2000; ++i)
    many +=
        "facet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 0 0 0\nvertex 0 0 0\nendloop\n"
        "endfacet\n";
  many += "endsolid\n";
  try {
    static_cast<void>(decode(shipped("stl"), many, call));
    FAIL() << "not refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Status::limit);
  }
}

}  // namespace
}  // namespace polycodec::test
