// SPDX-License-Identifier: MIT
// Each kind of pointer that a value has: where it may lead, and what is copied.
#include "core/value/regions.hpp"

#include <polycodec/error.hpp>

#include "core/value/value.hpp"
#include "core/value/value_parts.hpp"
#include "error_of.hpp"
#include "value_fixture.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <functional>
#include <utility>

namespace polycodec {
namespace {

using test::error_of;

/// Memory that nobody may touch: reading it before the check would end the test.
class RegionTest : public ValueTest {
 protected:
  static constexpr std::size_t size = 1 << 16;
  void SetUp() override {
    stray_ = ::mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(stray_, MAP_FAILED);
  }
  void TearDown() override { ::munmap(stray_, size); }

  template <class T>
  const T* stray() const {
    return static_cast<const T*>(stray_);
  }
  Node array(const polycodec_array* a) { return Builder::array(a); }
  Node in_array(const std::function<void(polycodec_array&)>& change, polycodec_array* a) {
    change(*a);
    return array(a);
  }
  template <class T>
  T* made(const T& struct_of) {
    T* at = b.allocate<T>(1);
    *at = struct_of;
    return at;
  }
  static Node pointing(std::uint8_t kind, const void* to, std::uint64_t count = 0) {
    Node node = polycodec_node_make(kind, 0, count);
    node.as.data = to;
    return node;
  }
  void check(const Node& node, Validation validation = Validation::full) {
    validate(b.root(node), {}, validation, &arena);
  }
  void expect_stray(const Node& node, std::string_view what) {
    for (const Validation validation : {Validation::full, Validation::structure}) {
      const Error error = error_of([&] { check(node, validation); });
      EXPECT_EQ(error.code(), Status::plugin) << what << ": " << error.describe();
      EXPECT_NE(error.message().find("stray pointer to " + std::string(what)), std::string::npos)
          << what << ": " << error.message();
    }
  }

 private:
  void* stray_ = nullptr;
};

TEST_F(RegionTest, NodesThatPointElsewhere) {
  const Node null = Builder::null();
  const std::string_view name = b.copy_text("name");
  const Node one = b.string_copy("x");
  expect_stray(pointing(POLYCODEC_KIND_STRING, stray<char>(), 3), "text");
  expect_stray(pointing(POLYCODEC_KIND_BINARY, stray<char>(), 3), "bytes");
  expect_stray(pointing(POLYCODEC_KIND_LIST, stray<Node>(), 1), "nodes");
  expect_stray(pointing(POLYCODEC_KIND_MAP, stray<Node>(), 1), "nodes");
  expect_stray(pointing(POLYCODEC_KIND_ARRAY, stray<polycodec_array>()), "an array");
  expect_stray(pointing(POLYCODEC_KIND_REFERENCE, stray<Node>()), "nodes");
  Node time = pointing(POLYCODEC_KIND_TIMESTAMP, stray<polycodec_time>());
  time.dtype = POLYCODEC_DTYPE_TIMESTAMP64;
  expect_stray(time, "a time");
  Node wide = pointing(POLYCODEC_KIND_WIDE, stray<char>());
  wide.dtype = POLYCODEC_DTYPE_INT128;
  expect_stray(wide, "a number");
  expect_stray(pointing(POLYCODEC_KIND_UNION, stray<polycodec_tagged>()), "a member of a union");
  expect_stray(pointing(POLYCODEC_KIND_UNION, made(polycodec_tagged{0, stray<Node>()})), "nodes");
  expect_stray(pointing(POLYCODEC_KIND_EXTENSION, stray<polycodec_extension>()), "an extension");
  expect_stray(
      pointing(POLYCODEC_KIND_EXTENSION, made(polycodec_extension{{stray<char>(), 4}, made(null)})),
      "the name of an extension");
  expect_stray(
      pointing(POLYCODEC_KIND_EXTENSION, made(polycodec_extension{to_bytes(name), stray<Node>()})),
      "nodes");
  expect_stray(pointing(POLYCODEC_KIND_ANNOTATED, stray<polycodec_annotated>()), "an annotation");
  expect_stray(
      pointing(POLYCODEC_KIND_ANNOTATED, made(polycodec_annotated{made(null), stray<Node>()})),
      "metadata");
  const Node members = polycodec_node_make(POLYCODEC_KIND_OBJECT, 0, 0);
  expect_stray(
      pointing(POLYCODEC_KIND_ANNOTATED, made(polycodec_annotated{stray<Node>(), made(members)})),
      "nodes");
  Node* const pair = b.allocate<Node>(2);
  pair[0] = pointing(POLYCODEC_KIND_STRING, stray<char>(), 3);
  pair[1] = one;
  expect_stray(pointing(POLYCODEC_KIND_OBJECT, pair, 1), "text");
}

TEST_F(RegionTest, ArraysThatPointElsewhere) {
  const auto change = [&](polycodec_array* a, const std::function<void(polycodec_array&)>& how) {
    return in_array(how, a);
  };
  const auto numbers = [&] { return leaf<std::int32_t>({1, 2, 3, 4}); };
  const auto list = [&] { return offsets({0, 2, 4}, numbers()); };
  expect_stray(change(numbers(), [&](auto& a) { a.shape = stray<std::int64_t>(); }), "a shape");
  expect_stray(change(numbers(), [&](auto& a) { a.strides = stray<std::int64_t>(); }), "strides");
  expect_stray(change(numbers(), [&](auto& a) { a.data = a.buffer = stray<char>(); }), "a buffer");
  expect_stray(change(list(), [&](auto& a) { a.children = stray<const polycodec_array*>(); }),
               "children");
  const auto* const child = stray<polycodec_array>();
  expect_stray(change(list(), [&](auto& a) { a.children = made(child); }), "an array");
  expect_stray(change(list(), [&](auto& a) { a.offsets.data = stray<char>(); }), "offsets");
  expect_stray(change(texts({"a", "b"}), [&](auto& a) { a.offsets.data = stray<char>(); }),
               "offsets");
  expect_stray(change(texts({"a", "b"}),
                      [&](auto& a) {
                        const_cast<polycodec_array*>(a.children[0])->strides =
                            stray<std::int64_t>();
                      }),
               "strides");
  const auto view = [&] {
    auto* a = wrap(POLYCODEC_LAYOUT_LIST_VIEW, 2, {numbers()});
    a->starts = Builder::column(stored<std::int64_t>({0, 1}));
    a->stops = Builder::column(stored<std::int64_t>({1, 4}));
    return a;
  };
  expect_stray(change(view(), [&](auto& a) { a.starts.data = stray<char>(); }), "starts");
  expect_stray(change(view(), [&](auto& a) { a.stops.data = stray<char>(); }), "stops");
  expect_stray(change(indexed<std::int64_t>({0, 1}, numbers()),
                      [&](auto& a) { a.index.data = stray<char>(); }),
               "index");
  expect_stray(
      change(masked({0, 1}, numbers(), true), [&](auto& a) { a.mask.data = stray<char>(); }),
      "mask");
  expect_stray(change(masked({0, 1}, numbers(), true),
                      [&](auto& a) {
                        a.layout = POLYCODEC_LAYOUT_OPTION_BITS;
                        a.mask.data = stray<char>();
                      }),
               "mask");
  const auto either = [&] {
    auto* a = wrap(POLYCODEC_LAYOUT_UNION, 2, {numbers(), numbers()});
    a->tags = Builder::column(stored<std::int8_t>({0, 1}));
    a->index = Builder::column(stored<std::int32_t>({0, 1}));
    return a;
  };
  expect_stray(change(either(), [&](auto& a) { a.tags.data = stray<char>(); }), "tags");
  expect_stray(change(either(), [&](auto& a) { a.index.data = stray<char>(); }), "index");
  expect_stray(change(chunked({numbers(), numbers()}),
                      [&](auto& a) {
                        a.offsets = Builder::column(stored<std::int64_t>({0, 4, 8}));
                        a.offsets.data = stray<char>();
                      }),
               "offsets");
  const auto rows = [&] { return record(4, {"x"}, {numbers()}); };
  expect_stray(change(rows(), [&](auto& a) { a.names = stray<polycodec_bytes>(); }), "names");
  expect_stray(change(rows(),
                      [&](auto& a) {
                        a.names = made(polycodec_bytes{stray<char>(), 3});
                      }),
               "the name of a column");
  expect_stray(change(numbers(), [&](auto& a) { a.metadata = stray<Node>(); }), "metadata");
  polycodec_array* const document = wrap(POLYCODEC_LAYOUT_DOCUMENT, 2, {});
  document->nodes = stray<Node>();
  expect_stray(array(document), "nodes");
}

TEST_F(RegionTest, ExtentsFollowCountStrideAndSign) {
  auto* const memory = static_cast<std::int64_t*>(
      ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(memory, MAP_FAILED);
  arena.keep(nullptr, {reinterpret_cast<const char*>(memory), 4096});
  constexpr std::int64_t items = 4096 / 8;
  const auto index = [&](std::int64_t first, std::int64_t step, std::uint64_t count) {
    auto* a = wrap(POLYCODEC_LAYOUT_INDEXED, count, {leaf<std::int32_t>({1})});
    a->index = Builder::column(std::span<const std::int64_t>(memory, 1));
    a->index.data = reinterpret_cast<const char*>(memory) + first * 8;
    a->index.stride = step * 8;
    return array(a);
  };
  EXPECT_NO_THROW(check(index(0, 1, items)));
  EXPECT_NO_THROW(check(index(items - 1, -1, items)));
  EXPECT_NO_THROW(check(index(items - 1, 0, 1000000)));
  EXPECT_NO_THROW(check(index(1, 2, items / 2)));
  EXPECT_NO_THROW(check(index(-1, 1, 0)));
  expect_stray(index(0, 1, items + 1), "index");
  expect_stray(index(-1, 1, 2), "index");
  expect_stray(index(items - 1, -1, items + 1), "index");
  expect_stray(index(items - 2, -1, items), "index");
  expect_stray(index(1, 2, items / 2 + 1), "index");
  expect_stray(index(items, 0, 1), "index");
  ::munmap(memory, 4096);
}

TEST_F(RegionTest, EmptyPartsAreNeitherCheckedNorRead) {
  EXPECT_NO_THROW(check(pointing(POLYCODEC_KIND_STRING, stray<char>(), 0)));
  EXPECT_NO_THROW(check(pointing(POLYCODEC_KIND_LIST, stray<Node>(), 0)));
  EXPECT_NO_THROW(check(in_array(
      [&](polycodec_array& a) {
        a.data = a.buffer = stray<char>();
        a.buffer_size = 0;
      },
      leaf<std::int32_t>({}))));
}

TEST_F(RegionTest, StructsAreAlignedAndWhole) {
  char* const raw = b.allocate<char>(256);
  const auto expect_misaligned = [&](const Node& node, std::string_view what) {
    const Error error = error_of([&] { check(node); });
    EXPECT_EQ(error.code(), Status::plugin);
    EXPECT_NE(error.message().find("misaligned pointer to " + std::string(what)), std::string::npos)
        << error.message();
  };
  const auto odd = reinterpret_cast<std::uintptr_t>(raw) % 8 == 4 ? raw + 1 : raw + 4;
  expect_misaligned(pointing(POLYCODEC_KIND_LIST, odd, 2), "nodes");
  expect_misaligned(pointing(POLYCODEC_KIND_ARRAY, odd), "an array");
  expect_misaligned(pointing(POLYCODEC_KIND_UNION, odd), "a member of a union");
  // An array that claims to be larger than the memory that it lies in.
  polycodec_array* const large = leaf<std::int32_t>({1});
  large->struct_size = 1 << 20;
  expect_stray(array(large), "an array");
}

TEST_F(RegionTest, AShortArrayStructIsNotReadFurther) {
  // Its size is the last that may be read.
  constexpr std::size_t page = 4096;
  void* const pages =
      ::mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(pages, MAP_FAILED);
  auto* const last = static_cast<std::uint64_t*>(pages) + page / 8 - 1;
  *last = 8;
  ASSERT_EQ(::mprotect(static_cast<char*>(pages) + page, page, PROT_NONE), 0);
  arena.keep(nullptr, {static_cast<const char*>(pages), page});
  const Node root = pointing(POLYCODEC_KIND_ARRAY, last);
  polycodec_array* const rows = record(0, {"x"}, {leaf<std::int32_t>({})});
  rows->children = made(static_cast<const polycodec_array*>(static_cast<const void*>(last)));
  for (const Node& node : {root, array(rows)}) {
    const Error error = error_of([&] { check(node); });
    EXPECT_EQ(error.code(), Status::invalid);
    EXPECT_NE(error.message().find("an array struct of 8 bytes"), std::string::npos);
    EXPECT_EQ(error_of([&] { validate(&node, {}, Validation::full); }).code(), Status::invalid);
  }
  ::munmap(pages, 2 * page);
}

TEST_F(RegionTest, MemoryAfterTheCursorIsNotOfTheValue) {
  const char* const last = b.allocate<char>(8);
  EXPECT_NO_THROW(check(pointing(POLYCODEC_KIND_BINARY, last, 8)));
  Node* const root = b.allocate<Node>(1);
  *root = pointing(POLYCODEC_KIND_BINARY, arena.abi()->cursor, 8);
  EXPECT_EQ(error_of([&] { validate(root, {}, Validation::full, &arena); }).code(), Status::plugin);
}

TEST_F(RegionTest, TheErrorHasThePath) {
  Node* const items = b.allocate<Node>(3);
  items[0] = Builder::null();
  items[1] = pointing(POLYCODEC_KIND_BINARY, stray<char>(), 8);
  items[2] = Builder::null();
  EXPECT_EQ(error_of([&] { check(pointing(POLYCODEC_KIND_LIST, items, 3)); }).path(), "$[1]");
}

TEST_F(RegionTest, PartsAreFollowedOnlyWhenAsked) {
  const std::string text(1000, 't');
  const Node node = pointing(POLYCODEC_KIND_STRING, text.data(), text.size());
  const Node* const root = b.root(node);
  int asked = 0;
  const LazyRegions regions([&] {
    ++asked;
    return parts_of(NodeView(root), 10);
  });
  EXPECT_EQ(asked, 0);
  EXPECT_TRUE(regions.contains(text.data() + 10, 990));
  EXPECT_TRUE(regions.contains(root, sizeof *root));
  EXPECT_FALSE(regions.contains(text.data() + 10, 991));
  EXPECT_FALSE(regions.contains(&asked, 1));
  EXPECT_EQ(asked, 1);
}

// -- memory that others may change --

/// A file that others may change, in short: a buffer that the test changes.
class ChangingTest : public RegionTest {
 protected:
  void SetUp() override {
    RegionTest::SetUp();
    arena.keep(nullptr, {bytes_.data(), bytes_.size()}, nullptr, false);
  }
  /// Items in the file.
  template <class T>
  std::span<const T> filed(std::initializer_list<T> items) {
    auto* const at = reinterpret_cast<T*>(bytes_.data() + used_);
    std::copy(items.begin(), items.end(), at);
    used_ += (items.size() * sizeof(T) + 15) / 16 * 16;
    return {at, items.size()};
  }
  std::string_view filed_text(std::string_view text) {
    const auto all = filed<char>({});
    std::copy(text.begin(), text.end(), bytes_.data() + used_);
    used_ += 16;
    return {all.data(), text.size()};
  }
  /// Validates, copying; then fills the file with `byte`.
  NodeView accept(const Node& node, char byte = '\x7f') {
    const Node* const root = b.root(node);
    validate(root, {}, Validation::full, &arena, &arena);
    std::ranges::fill(bytes_, byte);
    return NodeView(root);
  }
  /// The value is as valid as it was.
  void expect_sound(NodeView value) {
    EXPECT_NO_THROW(validate(value.raw(), {}, Validation::full, &arena));
    EXPECT_NO_THROW(validate(value.raw(), {}, Validation::full, &arena, &arena));
  }
  bool in_file(const void* data) const {
    return !region_around({bytes_.data(), bytes_.size()}, data, 1).empty();
  }

 private:
  alignas(16) std::array<char, 4096> bytes_{};
  std::size_t used_ = 0;
};

TEST_F(ChangingTest, DataMayChangeAndStructureMayNot) {
  const auto numbers = b.vector(filed<std::int32_t>({10, 20, 30, 40}));
  auto* const list = b.list_offsets(filed<std::int32_t>({0, 1, 4}), numbers);
  const NodeView value = accept(array(list));
  expect_sound(value);
  EXPECT_TRUE(in_file(numbers->data));
  EXPECT_FALSE(in_file(list->offsets.data));
  const View items(value);
  EXPECT_EQ(items[0].size(), 1u);
  EXPECT_EQ(items[1].size(), 3u);
  EXPECT_EQ(items[1][0].as_int64(), 0x7f7f7f7f);
}

TEST_F(ChangingTest, EachColumnOfStructure) {
  const auto content = [&] { return leaf<std::int32_t>({1, 2, 3, 4}); };
  std::vector<polycodec_array*> arrays;
  arrays.push_back(b.list_offsets(filed<std::int64_t>({0, 2, 4}), content()));
  arrays.push_back(wrap(POLYCODEC_LAYOUT_LIST_VIEW, 2, {content()}));
  arrays.back()->starts = Builder::column(filed<std::int16_t>({0, 1}));
  arrays.back()->stops = Builder::column(filed<std::int16_t>({1, 4}));
  arrays.push_back(wrap(POLYCODEC_LAYOUT_UNION, 2, {content(), content()}));
  arrays.back()->tags = Builder::column(filed<std::int8_t>({0, 1}));
  arrays.back()->index = Builder::column(filed<std::int32_t>({0, 1}));
  arrays.push_back(wrap(POLYCODEC_LAYOUT_INDEXED, 3, {content()}));
  arrays.back()->index = Builder::column(filed<std::int64_t>({3, -1, 0}));
  arrays.push_back(wrap(POLYCODEC_LAYOUT_OPTION_BYTES, 3, {content()}));
  arrays.back()->mask = Builder::column(filed<std::int8_t>({0, 1, 0}));
  arrays.push_back(wrap(POLYCODEC_LAYOUT_OPTION_BITS, 3, {content()}));
  arrays.back()->mask = Builder::column(filed<std::uint8_t>({0}));
  arrays.push_back(chunked({content(), content()}));
  arrays.back()->offsets = Builder::column(filed<std::int64_t>({0, 4, 8}));
  Node* const nodes = b.allocate<Node>(arrays.size());
  std::ranges::transform(arrays, nodes, [&](const polycodec_array* a) { return array(a); });
  const NodeView value = accept(pointing(POLYCODEC_KIND_LIST, nodes, arrays.size()));
  expect_sound(value);
  for (const polycodec_array* a : arrays) {
    EXPECT_FALSE(in_file(a->offsets.data)) << int{a->layout};
    EXPECT_FALSE(a->stops.data != nullptr && in_file(a->stops.data)) << int{a->layout};
  }
  EXPECT_EQ(View(value[3])[0].as_int64(), 4);
}

TEST_F(ChangingTest, ShapesAndNames) {
  const auto extents = filed<std::int64_t>({2, 2});
  const auto steps = filed<std::int64_t>({8, 4});
  polycodec_array* const matrix = leaf<std::int32_t>({1, 2, 3, 4});
  matrix->ndim = 2;
  matrix->length = 2;
  matrix->shape = extents.data();
  matrix->strides = steps.data();
  polycodec_array* const rows = record(2, {"x"}, {matrix});
  const_cast<polycodec_bytes*>(rows->names)[0] = to_bytes(filed_text("left"));
  Node* const pair = b.allocate<Node>(2);
  pair[0] = array(rows);
  pair[1] =
      pointing(POLYCODEC_KIND_EXTENSION,
               made(polycodec_extension{to_bytes(filed_text("my.ext")), made(Builder::null())}));
  const NodeView value = accept(pointing(POLYCODEC_KIND_LIST, pair, 2), '\xff');
  expect_sound(value);
  EXPECT_EQ(matrix->shape[1], 2);
  EXPECT_EQ(matrix->strides[0], 8);
  EXPECT_EQ(to_string_view(rows->names[0]), "left");
  EXPECT_EQ(to_string_view(value[1].raw()->as.extension->name), "my.ext");
}

TEST_F(ChangingTest, StridesOfEitherSignAndNone) {
  const auto stored_rows = filed<std::int64_t>({0, 77, 1, 77, 2, 77});
  const auto index = [&](int first, int step) {
    auto* a = wrap(POLYCODEC_LAYOUT_INDEXED, 3, {leaf<std::int32_t>({10, 11, 12})});
    a->index = Builder::column(stored_rows);
    a->index.data = stored_rows.data() + first;
    a->index.stride = step * 8;
    return array(a);
  };
  Node* const all = b.allocate<Node>(3);
  all[0] = index(0, 2);
  all[1] = index(4, -2);
  all[2] = index(2, 0);
  const NodeView value = accept(pointing(POLYCODEC_KIND_LIST, all, 3));
  expect_sound(value);
  for (int i = 0; i < 3; ++i) {
    const auto at = static_cast<std::uint64_t>(i);
    EXPECT_EQ(View(value[0])[at].as_int64(), 10 + i);
    EXPECT_EQ(View(value[1])[at].as_int64(), 12 - i);
    EXPECT_EQ(View(value[2])[at].as_int64(), 11);
  }
}

TEST_F(ChangingTest, StructsWithPointersAreNotTakenFromAFile) {
  const auto items = filed<std::int64_t>({0, 0});
  const Node list = pointing(POLYCODEC_KIND_LIST, items.data(), 1);
  const Error error =
      error_of([&] { validate(b.root(list), {}, Validation::full, &arena, &arena); });
  EXPECT_EQ(error.code(), Status::plugin);
  EXPECT_NE(error.message().find("others may change"), std::string::npos) << error.message();
}

TEST_F(ChangingTest, ConstantArraysAreNotPatched) {
  polycodec_array constant = *b.list_offsets(filed<std::int32_t>({0, 1}), leaf<int>({5}));
  arena.keep(nullptr, to_string_view(&constant, sizeof constant));
  const Error error =
      error_of([&] { validate(b.root(array(&constant)), {}, Validation::full, &arena, &arena); });
  EXPECT_EQ(error.code(), Status::plugin);
  EXPECT_NE(error.message().find("constant array"), std::string::npos) << error.message();
}

TEST_F(ChangingTest, CopiesAreBoundedByTheMemoryOfTheCall) {
  const auto item = filed<std::int64_t>({0});
  Node* const nodes = b.allocate<Node>(64);
  for (int i = 0; i < 64; ++i) {
    auto* a = wrap(POLYCODEC_LAYOUT_INDEXED, 512, {leaf<std::int32_t>({1})});
    a->index = Builder::column(item);
    a->index.stride = 1;
    nodes[i] = array(a);
  }
  const Node* const root = b.root(pointing(POLYCODEC_KIND_LIST, nodes, 64));
  arena.use(arena.reserved_bytes() + 65536, nullptr);
  EXPECT_EQ(error_of([&] { validate(root, {}, Validation::structure, &arena, &arena); }).code(),
            Status::limit);
}

}  // namespace
}  // namespace polycodec
