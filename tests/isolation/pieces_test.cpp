// SPDX-License-Identifier: MIT
// The pieces that carry values between processes.
#include <polycodec/error.hpp>

#include "core/text/text.hpp"
#include "core/value/value.hpp"
#include "registry/isolation/copy_value.hpp"
#include "registry/isolation/protocol.hpp"
#include "registry/isolation/range_memory.hpp"
#include "registry/isolation/relocate.hpp"
#include "registry/isolation/segment_pool.hpp"
#include "registry/isolation/window.hpp"
#include "unused_fields.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace polycodec::isolation {
namespace {

constexpr std::uint32_t max_depth = 64;
constexpr std::uint64_t max_nodes = 1'000'000;

class TestRange {
 public:
  RangeArena arena;
  std::vector<std::uint8_t> memory = std::vector<std::uint8_t>(1 << 20);
  TestRange() { arena.use(number(memory.data()), number(memory.data()) + memory.size()); }
  Range range() const { return {number(memory.data()), memory.size()}; }
};

Value sample() {
  return Value::build([](Builder& out) {
    const std::vector<std::int32_t> numbers{1, 2, 3};
    const polycodec_node array = Builder::array(out.vector(std::span<const std::int32_t>(
        out.store_all(std::span<const std::int32_t>(numbers)), numbers.size())));
    const polycodec_node list[] = {out.string_copy("text"), array};
    return out.object({{"list", out.list(list)}, {"key", out.bytes_copy("bytes")}});
  });
}

TEST(ValueCopier, MovesAllThatLiesElsewhere) {
  const Value value = sample();
  TestRange to;
  const polycodec_node* const copy =
      ValueCopier(to.arena.abi(), {}, {}, max_depth, max_nodes).root(value.root());
  EXPECT_TRUE(to.range().holds(copy, sizeof *copy));
  EXPECT_EQ(to_text(NodeView(copy)), to_text(value.view()));
  // All of it is there: a second walk finds nothing to copy.
  const std::uint64_t used = to.arena.used_end();
  ValueCopier(to.arena.abi(), to.range(), {}, max_depth, max_nodes).root(copy);
  EXPECT_EQ(to.arena.used_end(), used);
}

TEST(ValueCopier, KeepsCyclesAndStopsAtLimits) {
  polycodec_node nodes[2];
  nodes[0] = polycodec_node_make(POLYCODEC_KIND_LIST, 0, 1);
  nodes[0].as.nodes = &nodes[1];
  nodes[1] = polycodec_node_make(POLYCODEC_KIND_REFERENCE, 0, 0);
  nodes[1].as.node = &nodes[0];
  TestRange to;
  const polycodec_node* const copy =
      ValueCopier(to.arena.abi(), {}, {}, max_depth, max_nodes).root(&nodes[0]);
  EXPECT_EQ(copy->as.nodes->as.node, copy);
  // A list that contains itself, which is no value.
  nodes[1] = nodes[0];
  nodes[1].as.nodes = &nodes[1];
  EXPECT_THROW(ValueCopier(to.arena.abi(), {}, {}, max_depth, max_nodes).root(&nodes[0]), Error);
}

TEST(ValueCopier, FollowsNoFieldThatTheLayoutDoesNotUse) {
  test::for_each_unused_field(
      [](const Value& stray, const Value& right, std::uint32_t, const test::UnusedField&) {
        TestRange to;
        const polycodec_node* const copy =
            ValueCopier(to.arena.abi(), {}, {}, max_depth, max_nodes).root(stray.root());
        EXPECT_EQ(to_text(NodeView(copy)), to_text(right.view()));
        // As a worker's answer.
        std::vector<std::uint8_t> bytes = to.memory;
        Relocator moved(max_depth, max_nodes);
        moved.add(number(to.memory.data()), to.memory.size(), bytes.data(), true);
        EXPECT_EQ(to_text(NodeView(moved.root(copy))), to_text(right.view()));
      });
}

TEST(Relocator, ChangesNothingThatTheLayoutDoesNotUse) {
  // Names that lie where the bytes of a leaf do, and look like a pointer into the value.
  struct Parts {
    polycodec_node root;
    polycodec_array lists, leaf;
    const polycodec_array* children[1];
    std::int64_t offsets[2], extents[2];
    polycodec_bytes numbers;
  } parts{};
  parts.root = Builder::array(&parts.lists);
  parts.lists.struct_size = parts.leaf.struct_size = sizeof(polycodec_array);
  parts.lists.layout = POLYCODEC_LAYOUT_LIST_OFFSETS;
  parts.lists.length = 1;
  parts.offsets[1] = 2;
  parts.lists.offsets = {parts.offsets, 8, POLYCODEC_DTYPE_INT64, 0};
  parts.lists.n_children = 1;
  parts.lists.children = parts.children;
  parts.children[0] = &parts.leaf;
  parts.numbers = {&parts.root, 8};
  parts.leaf.dtype = POLYCODEC_DTYPE_UINT64;
  parts.leaf.item_size = 8;
  parts.leaf.length = 2;
  parts.leaf.data = parts.leaf.buffer = &parts.numbers;
  parts.leaf.buffer_size = sizeof parts.numbers;
  parts.leaf.ndim = 1;
  parts.extents[0] = 2, parts.extents[1] = 8;
  parts.leaf.shape = parts.extents, parts.leaf.strides = parts.extents + 1;
  const std::string before = to_text(NodeView(&parts.root));
  parts.lists.names = &parts.numbers;
  Parts copy = parts;
  Relocator moved(max_depth, max_nodes);
  moved.add(number(&parts), sizeof parts, &copy, true);
  EXPECT_EQ(to_text(NodeView(moved.root(&parts.root))), before);
}

// The second name lies where the number of names does, and its address has that number as upper
// half: what follows the copy looks like more names.
TEST(Relocator, ChangesNothingBeyondNamesThatOverlapTheirNumber) {
  struct Parts {
    polycodec_node root;
    polycodec_array record;
  } parts{};
  constexpr std::uint64_t from = std::uint64_t{2} << 32;
  parts.root = Builder::array(pointer<const polycodec_array>(from + offsetof(Parts, record)));
  parts.record.struct_size = sizeof parts.record;
  parts.record.layout = POLYCODEC_LAYOUT_RECORD;
  parts.record.names = pointer<const polycodec_bytes>(from + offsetof(Parts, record) +
                                                      offsetof(polycodec_array, buffer_size));
  parts.record.n_children = 2;
  parts.record.shape = pointer<const std::int64_t>(1);  // the size of the second name
  std::vector<polycodec_bytes> to(65536, {pointer<const void>(from), 1});
  std::memcpy(to.data(), &parts, sizeof parts);
  Relocator moved(max_depth, max_nodes);
  moved.add(from, sizeof parts, to.data(), true);
  moved.root(pointer<const polycodec_node>(from));
  const std::size_t used = (sizeof parts + sizeof to[0] - 1) / sizeof to[0];
  EXPECT_TRUE(std::all_of(to.begin() + static_cast<std::ptrdiff_t>(used), to.end(),
                          [](const auto& name) { return number(name.data) == from; }));
}

polycodec_node list_of(const polycodec_node* nodes, std::uint64_t size) {
  polycodec_node list = polycodec_node_make(POLYCODEC_KIND_LIST, 0, size);
  list.as.nodes = nodes;
  return list;
}
polycodec_node reference_to(const polycodec_node* node) {
  polycodec_node reference = polycodec_node_make(POLYCODEC_KIND_REFERENCE, 0, 0);
  reference.as.node = node;
  return reference;
}

// A reference may come before the list that holds its target, and lists may begin with the same
// item.
TEST(ValueCopier, ReferencesLeadToItemsOfListsThatComeLater) {
  const polycodec_node items[] = {Builder::integer(1), Builder::integer(2), Builder::integer(3)};
  const polycodec_node one[] = {list_of(items, 3)};
  const polycodec_node all[] = {reference_to(&items[0]), reference_to(&items[2]),
                                reference_to(&one[0]), list_of(items, 1), list_of(items, 3)};
  const polycodec_node root = list_of(all, std::size(all));
  TestRange to;
  const polycodec_node* const copy =
      ValueCopier(to.arena.abi(), {}, {}, max_depth, max_nodes).root(&root);
  const auto difference = first_difference(NodeView(copy), NodeView(&root));
  EXPECT_FALSE(difference) << difference->path << ": " << difference->reason;
  EXPECT_EQ(copy->as.nodes[1].as.node, &copy->as.nodes[4].as.nodes[2]);
}

// References do not count as levels: a linked list may be longer than values are deep.
TEST(ValueCopier, ChainsOfReferencesAreNotDeep) {
  std::vector<polycodec_node> rows(3 * max_depth + 1);
  for (std::size_t i = 0; i + 1 < rows.size(); ++i) rows[i] = reference_to(&rows[i + 1]);
  rows.back() = Builder::integer(7);
  const polycodec_node root = list_of(rows.data(), rows.size());
  TestRange from;
  const polycodec_node* const copy =
      ValueCopier(from.arena.abi(), {}, {}, max_depth, max_nodes).root(&root);
  std::vector<std::uint8_t> moved_to = from.memory;
  Relocator moved(max_depth, max_nodes);
  moved.add(number(from.memory.data()), from.memory.size(), moved_to.data(), true);
  const polycodec_node* const found = moved.root(copy);
  std::memset(from.memory.data(), 0xff, from.memory.size());
  EXPECT_EQ(to_text(NodeView(found)), to_text(NodeView(&root)));
}

TEST(ValueCopier, LeavesStrayPointers) {
  struct Nothing final : Regions {
    std::string_view region_of(const void*, std::uint64_t) const noexcept override { return {}; }
  } nothing;
  TestRange to;
  auto error = make_error();
  auto* const node = static_cast<polycodec_node*>(
      polycodec_arena_alloc(to.arena.abi(), sizeof(polycodec_node), 8, &error));
  *node = polycodec_node_make(POLYCODEC_KIND_STRING, 0, 5);
  node->as.data = pointer<const void>(4096);
  ValueCopier(to.arena.abi(), to.range(), {}, max_depth, max_nodes, &nothing).root(node);
  EXPECT_EQ(number(node->as.data), 4096u);
}

TEST(Relocator, MovesCopiedBytes) {
  const Value value = sample();
  TestRange from;
  const polycodec_node* const root =
      ValueCopier(from.arena.abi(), {}, {}, max_depth, max_nodes).root(value.root());
  std::vector<std::uint8_t> copy = from.memory;
  Relocator moved(max_depth, max_nodes);
  moved.add(number(from.memory.data()), from.memory.size(), copy.data(), true);
  const polycodec_node* const found = moved.root(root);
  std::memset(from.memory.data(), 0xff, from.memory.size());
  EXPECT_EQ(to_text(NodeView(found)), to_text(value.view()));
}

TEST(Relocator, ReadsNothingOutsideOfTheCopies) {
  polycodec_node nodes[3];
  for (polycodec_node& node : nodes) {
    node = polycodec_node_make(POLYCODEC_KIND_LIST, 0, 3);
    node.as.nodes = nodes;  // all of them hold all of them
  }
  std::vector<polycodec_node> copy(nodes, nodes + 3);
  copy[1].as.nodes = pointer<const polycodec_node>(16);
  copy[2] = polycodec_node_make(POLYCODEC_KIND_OBJECT, 0, POLYCODEC_MAX_NODE_SIZE);
  copy[2].as.nodes = nodes;
  Relocator moved(max_depth, max_nodes);
  moved.add(number(nodes), sizeof nodes, copy.data(), true);
  EXPECT_EQ(moved.root(nodes), copy.data());
  EXPECT_EQ(number(copy[1].as.nodes), 16u) << "a stray pointer is left for validation";
  EXPECT_EQ(moved.find(number(nodes) + 40, 16), nullptr) << "it ends after the range";
}

TEST(RangeArena, EndsWithItsRange) {
  TestRange range;
  auto error = make_error();
  EXPECT_NE(polycodec_arena_alloc(range.arena.abi(), 1000, 64, &error), nullptr);
  EXPECT_EQ(polycodec_arena_alloc(range.arena.abi(), 1 << 20, 1, &error), nullptr);
  EXPECT_EQ(error.code, POLYCODEC_ERROR_LIMIT);
  void* block = nullptr;
  ASSERT_EQ(range.arena.abi()->resize(range.arena.abi(), &block, 0, 100, 8, &error), POLYCODEC_OK);
  void* const before = block;
  ASSERT_EQ(range.arena.abi()->resize(range.arena.abi(), &block, 100, 500, 8, &error),
            POLYCODEC_OK);
  EXPECT_EQ(block, before) << "the last block grows in place";
}

TEST(Segment, IsSealedWhenNobodyCanWrite) {
  Segment segment(Writer::worker, 1 << 20, -1);
  EXPECT_TRUE(segment.is_sealed());
  {
    const FileHandle shared = segment.share();
    EXPECT_FALSE(segment.is_sealed()) << "open for writing";
    void* const mapped = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, shared.get(), 0);
    ASSERT_NE(mapped, MAP_FAILED);
    static_cast<char*>(mapped)[7] = 'x';
    EXPECT_EQ(pointer<const char>(segment.begin())[7], 'x');
    ::munmap(mapped, 4096);
  }
  EXPECT_TRUE(segment.is_sealed());
}

TEST(Segment, OfTheHostCannotBeWrittenByWorkers) {
  const Segment segment(Writer::host, 1 << 20, -1);
  *pointer<char>(segment.begin()) = 'x';
  const FileHandle shared = segment.share();
  EXPECT_EQ(::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, shared.get(), 0), MAP_FAILED);
}

TEST(Segment, GivesFewPagesBackWhenItIsCleared) {
  Segment segment(Writer::worker, 64 << 20, -1);
  const FileHandle shared = segment.share();
  const auto pages = [&] {
    struct stat status {};
    EXPECT_EQ(::fstat(shared.get(), &status), 0);
    return status.st_blocks;
  };
  for (const off_t at : {off_t{5}, off_t{40} << 20})
    ASSERT_EQ(::pwrite(shared.get(), "x", 1, at), 1);
  EXPECT_GT(pages(), 0);
  ASSERT_TRUE(segment.clear());
  EXPECT_EQ(pages(), 0);
  EXPECT_EQ(pointer<const char>(segment.begin())[5], 0);
  EXPECT_EQ(pointer<const char>(segment.begin())[40 << 20], 0);
}

TEST(Segment, KeepsThePagesOfSmallCalls) {
  Segment segment(Writer::worker, 64 << 20, -1);
  const FileHandle shared = segment.share();
  const auto kilobytes = [&] {
    struct stat status {};
    EXPECT_EQ(::fstat(shared.get(), &status), 0);
    return static_cast<std::uint64_t>(status.st_blocks) / 2;
  };
  ASSERT_EQ(::pwrite(shared.get(), "x", 1, 5), 1);
  ASSERT_TRUE(segment.clear());
  EXPECT_EQ(kilobytes(), small_begin >> 10);
  EXPECT_EQ(pointer<const char>(segment.begin())[5], 0);
  // As many pages, but others.
  ASSERT_EQ(::fallocate(shared.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 4096), 0);
  ASSERT_EQ(::pwrite(shared.get(), "x", 1, 40 << 20), 1);
  EXPECT_EQ(kilobytes(), small_begin >> 10);
  ASSERT_TRUE(segment.clear());
  EXPECT_EQ(pointer<const char>(segment.begin())[40 << 20], 0);
}

TEST(Segment, IsSealedAfterItWasCleared) {
  Segment segment(Writer::worker, 4 << 20, -1);
  ASSERT_GE(segment.share_again(), 0);
  ASSERT_TRUE(segment.clear());
  EXPECT_TRUE(segment.is_sealed());
}

TEST(SegmentPool, GivesSmallCallsSegmentsWithoutPages) {
  const auto pool = std::make_shared<SegmentPool>(true);
  auto large = pool->take(Writer::worker, 4 << 20);
  auto small = pool->take(Writer::worker, 4 << 20, true);
  const std::uint64_t number_of_large = large->number(), number_of_small = small->number();
  large->arena_touched = large->touched = 4 << 20;
  const FileHandle shared = large->share();
  ASSERT_EQ(::fallocate(shared.get(), 0, 0, 4 << 20), 0);
  large.reset();
  small.reset();
  EXPECT_EQ(pool->take(Writer::worker, 4 << 20)->number(), number_of_large);
  EXPECT_EQ(pool->take(Writer::worker, 4 << 20, true)->number(), number_of_small);
}

TEST(Window, GivesRangesBack) {
  Window& window = Window::instance();
  const std::uint64_t first = window.take(4 << 20);
  const std::uint64_t second = window.take(4 << 20);
  EXPECT_NE(first, second);
  window.give(first, 4 << 20);
  window.give(second, 4 << 20);
  EXPECT_EQ(window.take(8 << 20), first) << "neighbors become one";
  window.give(first, 8 << 20);
}

}  // namespace
}  // namespace polycodec::isolation
