// SPDX-License-Identifier: MIT
// Every rule for arrays has an array here that breaks this rule and no other.
#include <polycodec/error.hpp>

#include "core/value/value.hpp"
#include "value_fixture.hpp"

#include <functional>

namespace polycodec {
namespace {

class ValidateArray : public ValueTest {
 protected:
  std::string problem(const polycodec_array* array, Validation validation,
                      Status expected = Status::invalid) {
    const auto root = Builder::array(array);
    try {
      validate(&root, limits, validation);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), expected) << error.describe();
      return error.path() + ": " + error.message();
    }
    return "";
  }
  void good(const polycodec_array* array) { EXPECT_EQ(problem(array, Validation::full), ""); }
  // The array is valid before `change` and its structure is refused afterwards.
  void structure(polycodec_array* array, const std::function<void(polycodec_array&)>& change,
                 std::string_view message) {
    good(array);
    change(*array);
    const std::string found = problem(array, Validation::structure);
    EXPECT_NE(found.find(message), std::string::npos)
        << "found: '" << found << "', expected: " << message;
    EXPECT_NE(problem(array, Validation::full), "");
  }
  // The structure is right, and full validation refuses it.
  void content(const polycodec_array* array, std::string_view message,
               Status expected = Status::invalid) {
    EXPECT_EQ(problem(array, Validation::structure), "");
    const std::string found = problem(array, Validation::full, expected);
    EXPECT_NE(found.find(message), std::string::npos)
        << "found: '" << found << "', expected: " << message;
  }
  polycodec_array* matrix(std::int64_t rows = 2, std::int64_t columns = 3) {
    static const std::array<double, 64> zeros{};
    const std::int64_t shape[] = {rows, columns};
    return b.ndarray(
        bytes_of(std::span(zeros)).substr(0, static_cast<std::size_t>(rows * columns * 8)),
        POLYCODEC_DTYPE_FLOAT64, 8, shape);
  }
  static std::int64_t& shape(polycodec_array& a, int axis) {
    return const_cast<std::int64_t*>(a.shape)[axis];
  }
  static std::int64_t& stride(polycodec_array& a, int axis) {
    return const_cast<std::int64_t*>(a.strides)[axis];
  }

  Limits limits;
};

TEST_F(ValidateArray, LeafHeader) {
  structure(
      matrix(), [](auto& a) { a.struct_size = 20; }, "$: an array struct of 20 bytes");
  structure(
      matrix(), [](auto& a) { a.layout = POLYCODEC_LAYOUT_COUNT; },
      "unknown layout of an array: 11");
  structure(
      matrix(), [](auto& a) { a.dtype = 0; }, "unknown dtype 0");
  structure(
      matrix(), [](auto& a) { a.dtype = POLYCODEC_DTYPE_COUNT; }, "unknown dtype 25");
  structure(
      matrix(), [](auto& a) { a.item_size = 4; }, "an item size of 4 bytes does not fit dtype 14");
  structure(
      matrix(), [](auto& a) { a.byte_order = 2; }, "unknown byte order 2");
  structure(
      matrix(), [](auto& a) { a.flags = POLYCODEC_ARRAY_STRING; },
      "flags 1 on an array of the layout 'ndarray'");
  structure(
      matrix(), [](auto& a) { a.flags = POLYCODEC_ARRAY_MASK_VALID; }, "flags 8");
  structure(
      matrix(), [](auto& a) { a.flags = 64; }, "flags 64");
  structure(
      matrix(),
      [](auto& a) { a.dtype = POLYCODEC_DTYPE_TIMESTAMP64, a.unit = POLYCODEC_UNIT_COUNT; },
      "unknown time unit 14");
  structure(
      matrix(), [](auto& a) { a.dtype = POLYCODEC_DTYPE_FIXED_UTF16, a.item_size = 7; },
      "an item size of 7 bytes");
  structure(
      matrix(), [](auto& a) { a.dtype = POLYCODEC_DTYPE_FIXED_UTF32, a.item_size = 6; },
      "an item size of 6 bytes");
  const polycodec_array* child = matrix();
  structure(
      matrix(), [&](auto& a) { a.n_children = 1, a.children = &child; },
      "field 'children' of an array is set: the layout 'ndarray' does not use it");
}

TEST_F(ValidateArray, LeafShape) {
  structure(
      matrix(), [](auto& a) { a.ndim = 65; }, "65 dimensions");
  structure(
      matrix(), [](auto& a) { a.shape = nullptr; }, "no shape or strides");
  structure(
      matrix(), [](auto& a) { a.strides = nullptr; }, "no shape or strides");
  structure(
      matrix(), [](auto& a) { shape(a, 1) = -1; }, "an extent of -1");
  structure(
      matrix(), [](auto& a) { a.length = 3; }, "is not its first extent");
  structure(
      matrix(), [](auto& a) { shape(a, 1) = INT64_MAX / 8; }, "the size of the array overflows");
  // Strides of 0 make huge arrays of few bytes, but not of more bytes than can be counted.
  structure(
      matrix(), [](auto& a) { stride(a, 1) = 0, shape(a, 1) = INT64_MAX / 8; }, "overflows");
  structure(
      matrix(0), [](auto& a) { shape(a, 1) = INT64_MAX; }, "the size of the array overflows");
  auto* scalar = b.ndarray(bytes_of(std::span("x", 1)), POLYCODEC_DTYPE_UINT8, 1, {});
  structure(
      scalar, [](auto& a) { a.length = 0; }, "is not its first extent");
}

TEST_F(ValidateArray, LeafBounds) {
  const char* outside = "elements lie outside of the buffer of 48 bytes";
  structure(
      matrix(), [](auto& a) { shape(a, 1) = 4; }, outside);
  structure(
      matrix(), [](auto& a) { a.buffer_size = 47; }, "outside of the buffer of 47 bytes");
  structure(
      matrix(), [](auto& a) { a.data = static_cast<const char*>(a.data) + 1; }, outside);
  structure(
      matrix(), [](auto& a) { a.data = static_cast<const char*>(a.data) - 1; }, outside);
  structure(
      matrix(), [](auto& a) { stride(a, 0) = 25; }, outside);
  structure(
      matrix(), [](auto& a) { stride(a, 1) = -8; }, outside);
  structure(
      matrix(), [](auto& a) { stride(a, 1) = INT64_MAX; }, "overflows");
  structure(
      matrix(), [](auto& a) { stride(a, 1) = INT64_MIN; }, "overflows");
  structure(
      matrix(), [](auto& a) { stride(a, 0) = INT64_MAX - 10, shape(a, 1) = 1; }, outside);
  structure(
      matrix(), [](auto& a) { stride(a, 0) = stride(a, 1) = INT64_MAX / 2; }, "overflows");
  structure(
      matrix(), [](auto& a) { a.data = nullptr; }, "has elements but no data");
  structure(
      matrix(), [](auto& a) { a.buffer = nullptr; }, "has elements but no data");
}

TEST_F(ValidateArray, LeavesThatAreRight) {
  auto* backwards = matrix();
  backwards->data = static_cast<const char*>(backwards->data) + 40;
  stride(*backwards, 0) = -24;
  stride(*backwards, 1) = -8;
  good(backwards);
  auto* empty = matrix(0);
  empty->data = empty->buffer = nullptr;
  stride(*empty, 1) = INT64_MIN;
  good(empty);
  auto* one_row = matrix(1);
  stride(*one_row, 0) = INT64_MIN;
  good(one_row);
  auto* repeated = matrix();
  shape(*repeated, 0) = 1 << 30;
  repeated->length = 1 << 30;
  stride(*repeated, 0) = 0;
  good(repeated);
  auto* no_bytes = matrix();
  no_bytes->dtype = POLYCODEC_DTYPE_FIXED_UTF32;
  no_bytes->item_size = 0;
  good(no_bytes);
  auto* unaligned = leaf<std::uint8_t>({1, 2, 3, 4, 5, 6, 7, 8, 9});
  unaligned->dtype = POLYCODEC_DTYPE_FLOAT64;
  unaligned->item_size = 8;
  unaligned->data = static_cast<const char*>(unaligned->data) + 1;
  shape(*unaligned, 0) = 1;
  unaligned->length = 1;
  good(unaligned);
}

TEST_F(ValidateArray, Children) {
  const auto make = [&] { return offsets({0, 1, 3}, leaf<int>({1, 2, 3})); };
  structure(
      make(), [](auto& a) { a.n_children = 0; }, "has 0 children instead of 1");
  structure(
      make(), [](auto& a) { a.children = nullptr; }, "no children pointer");
  static const polycodec_array* const none[] = {nullptr};
  structure(
      make(), [](auto& a) { a.children = none; }, "child 0 of the array is NULL");
  structure(
      make(), [](auto& a) { const_cast<polycodec_array*>(a.children[0])->struct_size = 8; },
      "an array struct of 8 bytes");
  structure(
      make(), [](auto& a) { const_cast<polycodec_array*>(a.children[0])->length = 9; },
      "$<content>: the length of the array, 9");
}

TEST_F(ValidateArray, Columns) {
  const auto make = [&] { return offsets({0, 1, 3}, leaf<int>({1, 2, 3})); };
  structure(
      make(), [](auto& a) { a.index.data = nullptr; }, "the column 'offsets' is absent");
  structure(
      make(), [](auto& a) { a.index.dtype = POLYCODEC_DTYPE_FLOAT64; }, "dtype 14, not an integer");
  structure(
      make(), [](auto& a) { a.index.dtype = POLYCODEC_DTYPE_INT128; }, "dtype 6, not an integer");
  structure(
      make(), [](auto& a) { a.index.stride = INT64_MAX; },
      "the stride of the column 'offsets' overflows");
  const auto view = [&] {
    auto* a = wrap(POLYCODEC_LAYOUT_LIST_VIEW, 2, {leaf<int>({1, 2, 3})});
    a->index = Builder::column(stored<std::uint32_t>({0, 1}));
    a->stops = Builder::column(stored<std::uint16_t>({2, 3}));
    return a;
  };
  structure(
      view(), [](auto& a) { a.index.data = nullptr; }, "the column 'starts' is absent");
  structure(
      view(), [](auto& a) { a.stops.data = nullptr; }, "the column 'stops' is absent");
  structure(
      indexed<int>({0}, leaf<int>({1})), [](auto& a) { a.index.data = nullptr; },
      "'index' is absent");
  auto* empty = offsets({0}, leaf<int>({}));
  structure(
      empty, [](auto& a) { a.index.data = nullptr; }, "the column 'offsets' is absent");
}

TEST_F(ValidateArray, Lengths) {
  const auto* three = leaf<int>({1, 2, 3});
  auto* fixed = wrap(POLYCODEC_LAYOUT_LIST_FIXED, 1, {three});
  fixed->list_size = 3;
  structure(
      fixed, [](auto& a) { a.list_size = 4; },
      "the content of the lists has 3 items, 4 are needed");
  fixed->list_size = 3;
  structure(
      fixed, [](auto& a) { a.length = 4, a.list_size = UINT64_MAX / 2; },
      "the size of the lists overflows");
  structure(
      record(3, {"x", "y"}, {leaf<int>({1, 2, 3, 4}), three}), [](auto& a) { a.length = 4; },
      "column 1 has 3 items, 4 are needed");
  structure(
      masked({0, 1, 0}, three, false), [](auto& a) { a.length = 4; },
      "the content of the option has 3 items, 4 are needed");
  structure(
      chunked({three, three}), [](auto& a) { a.length = 5; },
      "the chunks have 6 items together, not 5");
  structure(
      chunked({three, three}), [](auto& a) { a.length = 7; },
      "the chunks have 6 items together, not 7");
  good(chunked({}));
  std::vector<const polycodec_array*> many(POLYCODEC_MAX_PLAIN_CHUNKS + 1, three);
  structure(
      b.chunked(many), [](auto& a) { a.index.data = nullptr; }, "the column 'offsets' is absent");
  structure(
      b.chunked(many),
      [](auto& a) {
        ++const_cast<std::uint64_t*>(static_cast<const std::uint64_t*>(a.index.data))[2];
      },
      "chunk 2 starts at 6, not at 7");
  structure(
      b.chunked(many),
      [](auto& a) {
        const_cast<std::uint64_t*>(static_cast<const std::uint64_t*>(a.index.data))[17] = 0;
      },
      "the chunks end at 51, not at 0");
  structure(
      chunked({three, three}),
      [](auto& a) {
        for (std::uint32_t i = 0; i < 2; ++i)
          const_cast<polycodec_array*>(a.children[i])->length = std::uint64_t{1} << 63;
      },
      "the lengths of the chunks overflow");
}

TEST_F(ValidateArray, Options) {
  auto* bits = wrap(POLYCODEC_LAYOUT_OPTION_BITS, 3, {leaf<int>({1, 2, 3})});
  bits->index = Builder::column(stored<std::uint8_t>({5}));
  bits->flags = POLYCODEC_ARRAY_BITS_LSB | POLYCODEC_ARRAY_MASK_VALID;
  structure(
      bits, [](auto& a) { a.index.dtype = POLYCODEC_DTYPE_INT16; },
      "dtype 3, not one of single bytes");
  structure(
      masked({0}, leaf<int>({1}), true), [](auto& a) { a.flags |= POLYCODEC_ARRAY_BITS_LSB; },
      "flags 12");
  structure(
      masked({0}, leaf<int>({1}), true), [](auto& a) { a.n_children = 0; },
      "has 0 children instead of 1");
  structure(
      indexed<int>({0}, leaf<int>({1})), [](auto& a) { a.n_children = 0; },
      "has 0 children instead of 1");
}

TEST_F(ValidateArray, Names) {
  const auto make = [&] { return record(1, {"x", "y"}, {leaf<int>({1}), leaf<int>({2})}); };
  const auto name = [](polycodec_array& a, int i) -> polycodec_bytes& {
    return const_cast<polycodec_bytes*>(a.names)[i];
  };
  structure(
      make(), [&](auto& a) { name(a, 1).data = nullptr; }, "the name of a column has no data");
  structure(
      make(), [&](auto& a) { name(a, 1) = to_bytes("\xff"); }, "the name of a column is not UTF-8");
  content(record(1, {"x", "y", "x"}, {leaf<int>({1}), leaf<int>({2}), leaf<int>({2})}),
          "two columns are called 'x'");
}

TEST_F(ValidateArray, Documents) {
  const auto make = [&] {
    auto* a = b.new_array(POLYCODEC_LAYOUT_DOCUMENT, 2);
    a->nodes = b.store_all(std::span<const polycodec_node>({Builder::null(), Builder::integer(1)}));
    return a;
  };
  structure(
      make(), [](auto& a) { a.nodes = nullptr; }, "the array has no nodes");
  structure(
      make(), [](auto& a) { const_cast<polycodec_node&>(a.nodes[1]).kind = 99; },
      "$[1]: unknown kind 99");
  static const polycodec_node number = Builder::integer(1);
  structure(
      make(), [](auto& a) { a.metadata = &number; }, "metadata is not an object");
  const polycodec_array* child = make();
  structure(
      make(), [&](auto& a) { a.n_children = 1, a.children = &child; },
      "field 'children' of an array is set: the layout 'document' does not use it");
}

TEST_F(ValidateArray, TextContent) {
  const auto change = [&](const std::function<void(polycodec_array&)>& f) {
    structure(
        texts({"ab", "c"}), [&](auto& a) { f(const_cast<polycodec_array&>(*a.children[0])); },
        "not a contiguous array of uint8");
  };
  change([](auto& c) { c.dtype = POLYCODEC_DTYPE_INT8; });
  change([](auto& c) { stride(c, 0) = 0; });
  change([](auto& c) { c.ndim = 0, c.length = 1; });
  change([&](auto& c) { c.layout = POLYCODEC_LAYOUT_CHUNKED, c.length = 0; });
  structure(
      texts({"ab"}), [](auto& a) { a.flags = POLYCODEC_ARRAY_STRING | POLYCODEC_ARRAY_BINARY; },
      "flags 3");
  structure(
      texts({"ab"}), [](auto& a) { const_cast<polycodec_array&>(*a.children[0]).buffer_size = 1; },
      "outside");
}

TEST_F(ValidateArray, Offsets) {
  const auto* three = leaf<int>({1, 2, 3});
  content(offsets({0, 2, 1}, three), "offset 2 is 1, less than the one before, 2");
  content(offsets({0, 2, 4}, three), "offset 2 is 4, beyond the content of 3 items");
  content(offsets({-1, 2, 3}, three), "offset 0 is -1, which is negative");
  content(offsets({4}, three), "offset 0 is 4, beyond");
  // Differences that overflow must not hide anything.
  content(offsets({0, INT64_MIN, 3}, three), "offset 1 is -9223372036854775808, which is negative");
  content(offsets({0, INT64_MAX, 3}, three), "offset 1 is 9223372036854775807, beyond");
  content(b.list_offsets(stored<std::uint64_t>({0, UINT64_MAX, 3}), three),
          "offset 1 is 9223372036854775807, beyond");
  content(b.list_offsets(stored<std::uint64_t>({0, UINT64_MAX}), three),
          "offset 1 is 9223372036854775807, beyond");
  content(b.list_offsets(stored<std::uint32_t>({0, 4000000000u, 3}), three),
          "offset 1 is 4000000000, beyond");
  content(b.list_offsets(stored<std::int32_t>({0, -5, 3}), three),
          "offset 1 is -5, which is negative");
  content(b.list_offsets(stored<std::int8_t>({0, 2, 1}), three), "offset 2 is 1, less than");
  content(b.list_offsets(stored<std::uint8_t>({0, 200, 201}), three), "offset 1 is 200, beyond");
  auto* backwards = offsets({3, 1, 0}, three);
  backwards->index.data = static_cast<const std::int64_t*>(backwards->index.data) + 2;
  backwards->index.stride = -8;
  good(backwards);
  for (std::size_t length = 2; length < 70;
       ++length) {  // every place in and behind the vector loop
    std::vector<std::int32_t> items(length + 1, 1);
    items[length / 2] = 0;
    content(b.list_offsets(std::span<const std::int32_t>(items), three),
            "offset " + std::to_string(length / 2) + " is 0, less than");
  }
}

TEST_F(ValidateArray, ViewsAndIndices) {
  const auto view = [&](std::int64_t start, std::int64_t stop) {
    auto* a = wrap(POLYCODEC_LAYOUT_LIST_VIEW, 2, {leaf<int>({1, 2, 3})});
    a->index = Builder::column(stored<std::int64_t>({0, start}));
    a->stops = Builder::column(stored<std::int64_t>({3, stop}));
    return a;
  };
  good(view(3, 3));
  content(view(-1, 2), "start 1 is -1, which is negative");
  content(view(2, 1), "stop 1 is 1, less than its start, 2");
  content(view(2, 4), "stop 1 is 4, beyond the content of 3 items");
  content(view(INT64_MIN, INT64_MAX), "start 1");
  good(indexed<std::int64_t>({2, -1, INT64_MIN, 0}, leaf<int>({1, 2, 3})));
  content(indexed<std::int64_t>({2, 3}, leaf<int>({1, 2, 3})),
          "index 1 is 3, beyond the content of 3 items");
  content(indexed<std::uint64_t>({2, UINT64_MAX}, leaf<int>({1, 2, 3})),
          "index 1 is 9223372036854775807, beyond");
}

TEST_F(ValidateArray, Unions) {
  const auto make = [&](std::int8_t tag, int index) {
    auto* a = wrap(POLYCODEC_LAYOUT_UNION, 2, {leaf<int>({1, 2}), leaf<double>({1.5})});
    a->index = Builder::column(stored<int>({0, index}));
    a->tags = Builder::column(stored<std::int8_t>({0, tag}));
    return a;
  };
  structure(
      make(1, 0), [](auto& a) { a.tags.data = nullptr; }, "the column 'tags' is absent");
  structure(
      make(1, 0), [](auto& a) { a.index.dtype = POLYCODEC_DTYPE_FLOAT32; },
      "the column 'index' has dtype 13");
  content(make(2, 0), "tag 1 is 2, but the union has 2 members");
  content(make(-1, 0), "tag 1 is -1");
  content(make(1, 1), "index 1 is 1, but member 1 has 1 items");
  content(make(1, -1), "index 1 is -1");
  structure(
      make(1, 0), [](auto& a) { a.index.data = nullptr; }, "the column 'index' is absent");
}

TEST_F(ValidateArray, Texts) {
  good(texts({"a\xc3\xa4", "", "\xf0\x9f\x98\x80"}));
  content(texts({"a", "b\xff"}), "text 1 of the array is not UTF-8");
  // Together they are UTF-8, each alone is not.
  content(texts({"a\xc3", "\xa4"}), "text 0 of the array is not UTF-8");
  good(texts({"a\xc3", "\xa4"}, POLYCODEC_ARRAY_BINARY));
  // What no text refers to may be anything.
  auto* part = texts({"a\xff", "b", "c"});
  part->index.data = static_cast<const std::int32_t*>(part->index.data) + 1;
  part->length = 2;
  good(part);
}

TEST_F(ValidateArray, Elements) {
  const auto booleans = [&](std::initializer_list<std::uint8_t> items) {
    auto* a = leaf<std::uint8_t>(items);
    a->dtype = POLYCODEC_DTYPE_BOOLEAN;
    return a;
  };
  good(booleans({0, 1, 1, 0}));
  content(booleans({0, 1, 2, 0}), "a boolean is neither 0 nor 1");
  auto* sparse = booleans({0, 7, 1, 7});
  stride(*sparse, 0) = 2;
  shape(*sparse, 0) = 2;
  sparse->length = 2;
  good(sparse);
  sparse->data = static_cast<const std::uint8_t*>(sparse->data) + 1;
  content(sparse, "a boolean is neither 0 nor 1");
  // 2^40 elements of one byte: looked at once.
  auto* repeated = booleans({1});
  shape(*repeated, 0) = std::int64_t{1} << 40;
  repeated->length = std::uint64_t{1} << 40;
  stride(*repeated, 0) = 0;
  good(repeated);
  // Overlapping windows would take longer than any input: refused.
  std::vector<std::uint8_t> window(1 << 17);
  const std::int64_t extents[] = {1 << 16, 1 << 16};
  auto* overlapping = b.ndarray(bytes_of(std::span(window)), POLYCODEC_DTYPE_BOOLEAN, 1, extents);
  stride(*overlapping, 0) = 1;
  limits.max_input_bytes = limits.max_memory_bytes = 1 << 20;
  content(overlapping, "repeat more content than can be checked", Status::limit);
}

TEST_F(ValidateArray, FixedTexts) {
  const auto utf8 = [&](std::string_view text) {
    return b.strided(bytes_of(std::span(text)), text.data(), 1, 1, POLYCODEC_DTYPE_FIXED_UTF8,
                     static_cast<std::uint32_t>(text.size()));
  };
  good(utf8(std::string_view("a\xc3\xa4\0\0", 5)));
  content(utf8("a\xc3"), "element 0 of the array is not a valid text");
  content(utf8(std::string_view("a\xc3\0\0", 4)), "element 0 of the array is not a valid text");
  const auto utf16 = [&](std::initializer_list<std::uint16_t> units,
                         std::uint8_t order = host_byte_order) {
    const auto all = stored(units);
    return b.strided(bytes_of(all), all.data(), 1, 1, POLYCODEC_DTYPE_FIXED_UTF16,
                     static_cast<std::uint32_t>(all.size_bytes()), order);
  };
  good(utf16({'a', 0xd83d, 0xde00, 0}));
  content(utf16({'a', 0xd83d, 'b'}), "not a valid text");
  content(utf16({'a', 0xd83d}), "not a valid text");
  content(utf16({0xde00, 'a'}), "not a valid text");
  const std::uint8_t other =
      host_byte_order == POLYCODEC_LITTLE_ENDIAN ? POLYCODEC_BIG_ENDIAN : POLYCODEC_LITTLE_ENDIAN;
  good(utf16({0x3dd8, 0x00de}, other));
  content(utf16({0x3dd8, 0x3dd8}, other), "not a valid text");
  const auto utf32 = [&](std::initializer_list<std::uint32_t> units) {
    const auto all = stored(units);
    return b.strided(bytes_of(all), all.data(), all.size(), 4, POLYCODEC_DTYPE_FIXED_UTF32, 4);
  };
  good(utf32({'a', 0x10ffff, 0}));
  content(utf32({'a', 0x110000}), "element 1 of the array");
  content(utf32({'a', 'b', 0xd800}), "element 2 of the array");
}

TEST_F(ValidateArray, Limits) {
  limits.max_elements = 6;
  good(matrix());
  limits.max_elements = 5;
  EXPECT_EQ(problem(matrix(), Validation::structure, Status::limit),
            "$: 6 elements, more than max_elements (5)");
  auto* fixed = wrap(POLYCODEC_LAYOUT_LIST_FIXED, 6, {leaf<int>({})});
  EXPECT_EQ(problem(fixed, Validation::structure, Status::limit),
            "$: 6 elements, more than max_elements (5)");
  limits = {};
  limits.max_nodes = 3;  // the node, the list, its content
  good(offsets({0}, leaf<int>({})));
  limits.max_nodes = 2;
  EXPECT_NE(problem(offsets({0}, leaf<int>({})), Validation::structure, Status::limit), "");
  limits = {};
  limits.max_depth = 2;
  auto* inner = offsets({0}, offsets({0}, leaf<int>({})));
  good(inner);
  EXPECT_EQ(problem(offsets({0}, inner), Validation::structure, Status::limit),
            "$<content><content>: nested deeper than max_depth (2)");
}

TEST_F(ValidateArray, CyclesEndAtTheLimit) {
  auto* loop = offsets({0}, leaf<int>({}));
  const polycodec_array* self = loop;
  loop->children = &self;
  EXPECT_NE(problem(loop, Validation::structure, Status::limit).find("nested deeper"),
            std::string::npos);
  // Each array twice the one below: 2^64 visits, if nobody counted.
  const polycodec_array* tower = leaf<int>({});
  for (int i = 0; i < 64; ++i) tower = chunked({tower, tower});
  limits.max_nodes = 1 << 16;
  EXPECT_NE(problem(tower, Validation::structure, Status::limit).find("more nodes"),
            std::string::npos);
}

TEST_F(ValidateArray, SharedArraysAreWalkedThroughOnce) {
  // 2^40 arrays, which nobody could walk through one by one.
  const polycodec_array* tower = leaf<int>({});
  for (int i = 0; i < 40; ++i) tower = chunked({tower, tower});
  limits.max_nodes = std::uint64_t{1} << 50;
  good(tower);
  limits.max_nodes = std::uint64_t{1} << 40;
  EXPECT_NE(problem(tower, Validation::full, Status::limit).find("more nodes"), std::string::npos);

  // What was right once may be too deep elsewhere.
  std::vector<const polycodec_array*> many(300, leaf<int>({1}));
  const polycodec_array* wide = b.record(1, {}, many);
  const polycodec_array* deep = wide;
  for (int i = 0; i < 5; ++i) deep = chunked({deep});
  const polycodec_array* both = record(1, {}, {wide, deep});
  good(both);
  limits.max_depth = 6;
  good(record(1, {}, {wide, wide}));
  EXPECT_NE(problem(both, Validation::full, Status::limit).find("nested deeper"),
            std::string::npos);
}

TEST_F(ValidateArray, Paths) {
  auto* bad = leaf<int>({1});
  bad->byte_order = 9;
  auto* good_one = leaf<int>({1});
  const auto path = [&](const polycodec_array* a) {
    const std::string text = problem(a, Validation::structure);
    return text.substr(0, text.find(':'));
  };
  EXPECT_EQ(path(record(1, {"a", "b c"}, {good_one, bad})), "$[\"b c\"]");
  EXPECT_EQ(path(record(1, {}, {good_one, bad})), "$<field 1>");
  EXPECT_EQ(path(chunked({good_one, good_one, bad})), "$<chunk 2>");
  EXPECT_EQ(path(offsets({0}, record(1, {"x"}, {bad}))), "$<content>.x");
  auto* both = wrap(POLYCODEC_LAYOUT_UNION, 0, {good_one, bad});
  EXPECT_EQ(path(both), "$<member 1>");
  auto* noted = leaf<int>({1});
  noted->metadata = b.root(b.object({{"units", Builder::array(bad)}}));
  EXPECT_EQ(path(record(1, {"x"}, {noted})), "$.x<attributes>.units");
}

}  // namespace
}  // namespace polycodec
