// SPDX-License-Identifier: MIT
#include <base/contiguous.hpp>
#include <base/dtype_names.hpp>
#include <polycodec/error.hpp>
#include <polycodec/view.hpp>

#include "core/call/limits.hpp"
#include "core/value/value.hpp"
#include "error_of.hpp"
#include "value_fixture.hpp"

namespace polycodec {
namespace {

class ItemTest : public ValueTest {
 protected:
  View whole(const polycodec_array* a) {
    nodes_.push_back(b.root(Builder::array(a)));
    validate(nodes_.back(), Limits{}, Validation::full);
    return View(nodes_.back());
  }
  std::vector<const polycodec_node*> nodes_;
  std::string scratch;
};

TEST_F(ItemTest, Documents) {
  const auto map = b.root([&] {
    polycodec_node* n;
    const auto m = b.map(1, &n);
    n[0] = Builder::integer(7);
    n[1] = Builder::boolean(true);
    return m;
  }());
  const auto root = b.root(b.object({{"a", Builder::integer(-3, POLYCODEC_DTYPE_INT8)},
                                     {"e", b.extension("x", Builder::real(2.5))},
                                     {"v", b.tagged(4, *map)}}));
  const View item(root);
  ASSERT_EQ(item.kind(), POLYCODEC_KIND_OBJECT);
  EXPECT_EQ(item.size(), 3u);
  EXPECT_EQ(item.name(0), "a");
  EXPECT_EQ(item.child(0).as_int64(), -3);
  EXPECT_EQ(item.child(0).dtype(), POLYCODEC_DTYPE_INT8);
  EXPECT_THROW(item.child(0).as_uint64(), Error);
  EXPECT_EQ(item.child(1).name(), "x");
  EXPECT_EQ(item.child(1).child().as_double(), 2.5);
  EXPECT_EQ(item.find("v")->tag(), 4);
  EXPECT_EQ(item.find("v")->child().key(0).as_int64(), 7);
  EXPECT_TRUE(item.find("v")->child().child(0).as_bool());
  EXPECT_FALSE(item.find("w").has_value());
  EXPECT_EQ(item.node(), root);
  EXPECT_TRUE(View().is_null());
  EXPECT_THROW(item.as_bool(), Error);
}

TEST_F(ItemTest, BracketsTakeIndicesAndNames) {
  const std::int32_t numbers[] = {4, 5};
  const std::int64_t shape[] = {2};
  polycodec_node* items;
  const auto list = b.list(2, &items);
  items[0] = Builder::integer(7);
  items[1] =
      Builder::array(b.ndarray(bytes_of(std::span(numbers)), POLYCODEC_DTYPE_INT32, 4, shape));
  const auto object = b.object({{"list", list}});
  const View view(&object);
  // 0 is a null pointer, too, and a name may be one.
  EXPECT_EQ(view["list"][0].as_int64(), 7);
  EXPECT_EQ(view[std::string("list")][0u].as_int64(), 7);
  const std::size_t last = 1;
  EXPECT_EQ(view[std::string_view("list")][last][1].as_int64(), 5);
  EXPECT_EQ(test::error_of([&] { (void)view["list"][2]; }).code(), Status::range);
  EXPECT_EQ(test::error_of([&] { (void)view["list"][-1]; }).code(), Status::range);
  EXPECT_EQ(test::error_of([&] { (void)view[0]; }).code(), Status::type);
  EXPECT_EQ(test::error_of([&] { (void)view["none"]; }).code(), Status::not_found);
}

TEST_F(ItemTest, AttributesOfNodesAndArrays) {
  auto* a = leaf<int>({1});
  const auto* of_array = b.root(b.object({{"units", b.string_copy("cm")}}));
  a->metadata = of_array;
  EXPECT_EQ(whole(a).metadata(), of_array);
  EXPECT_EQ(whole(a).child(0).metadata(), nullptr);
  EXPECT_EQ(whole(a).array(), a);
  EXPECT_EQ(whole(a).child(0).array(), nullptr);
  const auto annotated = b.annotated(Builder::array(a), b.object({{"units", b.string_copy("m")}}));
  EXPECT_EQ(View(&annotated).metadata(), annotated.as.annotated->metadata);
  EXPECT_EQ(View(&annotated).size(), 1u);
}

TEST_F(ItemTest, LeavesOfEveryShape) {
  const std::int32_t numbers[] = {0, 1, 2, 3, 4, 5};
  const std::int64_t shape[] = {2, 3};
  const View matrix =
      whole(b.ndarray(bytes_of(std::span(numbers)), POLYCODEC_DTYPE_INT32, 4, shape));
  EXPECT_EQ(matrix.size(), 2u);
  EXPECT_EQ(matrix.child(1).size(), 3u);
  EXPECT_EQ(matrix.child(1).child(2).as_int64(), 5);
  EXPECT_FALSE(matrix.elements().has_value());
  ASSERT_TRUE(matrix.child(1).elements().has_value());
  EXPECT_EQ(matrix.child(1).elements()->count, 3u);
  const View scalar =
      whole(b.ndarray(bytes_of(std::span(numbers, 1)), POLYCODEC_DTYPE_INT32, 4, {}));
  EXPECT_EQ(scalar.kind(), POLYCODEC_KIND_SIGNED);
  EXPECT_EQ(scalar.as_int64(), 0);
  const View backwards =
      whole(b.strided(bytes_of(std::span(numbers)), numbers + 5, 3, -8, POLYCODEC_DTYPE_INT32, 4));
  EXPECT_EQ(backwards.child(0).as_int64(), 5);
  EXPECT_EQ(backwards.child(2).as_int64(), 1);
}

TEST_F(ItemTest, EveryDtypeInBothByteOrders) {
  for (const std::uint8_t order :
       {std::uint8_t{POLYCODEC_LITTLE_ENDIAN}, std::uint8_t{POLYCODEC_BIG_ENDIAN}}) {
    const auto endian = order == POLYCODEC_BIG_ENDIAN ? std::endian::big : std::endian::little;
    const auto check = [&](auto number, auto read) {
      using T = decltype(number);
      std::byte raw[sizeof(T)];
      store(raw, number, endian);
      const std::int64_t shape[] = {1};
      const View item =
          whole(b.ndarray(bytes_of(std::span(raw)), dtype_of<T>, sizeof(T), shape, order)).child(0);
      EXPECT_EQ(read(item), number) << dtype_name(dtype_of<T>);
      std::byte bits[16] = {};
      EXPECT_EQ(item.copy_bits(bits), sizeof(T));
      EXPECT_EQ(std::memcmp(bits, &number, sizeof(T)), 0);
    };
    const auto as_signed = [](const View& i) { return i.as_int64(); };
    const auto as_unsigned = [](const View& i) { return i.as_uint64(); };
    const auto as_real = [](const View& i) { return i.as_double(); };
    check(std::int8_t{-5}, as_signed);
    check(std::int16_t{-513}, as_signed);
    check(std::int32_t{-70000}, as_signed);
    check(INT64_MIN + 1, as_signed);
    check(std::uint8_t{200}, as_unsigned);
    check(std::uint16_t{65000}, as_unsigned);
    check(std::uint32_t{4000000000u}, as_unsigned);
    check(UINT64_MAX - 1, as_unsigned);
    check(1.5f, as_real);
    check(-2.25, as_real);
  }
}

TEST_F(ItemTest, Times) {
  const auto time = [&](std::int64_t count, std::uint32_t unit) {
    auto* a = leaf<std::int64_t>({count});
    a->dtype = POLYCODEC_DTYPE_TIMESTAMP64;
    a->unit = unit;
    return whole(a).child(0).as_time();
  };
  EXPECT_EQ(time(1500, POLYCODEC_UNIT_MILLISECOND).count, 1);
  EXPECT_EQ(time(1500, POLYCODEC_UNIT_MILLISECOND).nanoseconds, 500000000u);
  EXPECT_EQ(time(-1, POLYCODEC_UNIT_NANOSECOND).count, -1);
  EXPECT_EQ(time(-1, POLYCODEC_UNIT_NANOSECOND).nanoseconds, 999999999u);
  EXPECT_EQ(time(INT64_MIN + 1, POLYCODEC_UNIT_NANOSECOND).count, -9223372037);
  EXPECT_EQ(time(INT64_MIN, POLYCODEC_UNIT_NANOSECOND).count, INT64_MIN);
  EXPECT_EQ(time(-2000, POLYCODEC_UNIT_MILLISECOND).count, -2);
  EXPECT_EQ(time(7, POLYCODEC_UNIT_DAY).count, 7);
}

TEST_F(ItemTest, Texts) {
  EXPECT_EQ(whole(texts({"ab", "", "c"})).child(2).as_string(scratch), "c");
  EXPECT_EQ(whole(texts({"ab"}, POLYCODEC_ARRAY_BINARY)).child(0).as_bytes(), "ab");
  const std::u16string_view wide(u"\u00e4b\0\0", 4);
  for (const std::uint8_t order :
       {std::uint8_t{POLYCODEC_LITTLE_ENDIAN}, std::uint8_t{POLYCODEC_BIG_ENDIAN}}) {
    std::byte raw[8];
    std::memcpy(raw, wide.data(), 8);
    if (order != host_byte_order) swap_copy(raw, raw, 4, 2);
    const View item =
        whole(b.strided(bytes_of(std::span(raw)), raw, 1, 8, POLYCODEC_DTYPE_FIXED_UTF16, 8, order))
            .child(0);
    EXPECT_EQ(item.as_string(scratch),
              "\xc3\xa4"
              "b");
  }
  const std::uint32_t wider[] = {0x1f600, 0x100, 0};
  EXPECT_EQ(
      whole(b.strided(bytes_of(std::span(wider)), wider, 1, 12, POLYCODEC_DTYPE_FIXED_UTF32, 12))
          .child(0)
          .as_string(scratch),
      "\xf0\x9f\x98\x80\xc4\x80");
  EXPECT_EQ(
      whole(b.strided(bytes_of(std::span("ab\0", 4)), "ab\0", 0, 4, POLYCODEC_DTYPE_FIXED_BYTES, 4))
          .size(),
      0u);
}

TEST_F(ItemTest, StructuresAreLookedThrough) {
  const auto* numbers = leaf<int>({10, 11, 12});
  const View rows = whole(record(3, {"x", "y"}, {numbers, texts({"a", "b", "c"})}));
  EXPECT_EQ(rows.child(1).kind(), POLYCODEC_KIND_OBJECT);
  EXPECT_EQ(rows.child(1).name(1), "y");
  EXPECT_EQ(rows.child(1).child(0).as_int64(), 11);
  EXPECT_EQ(whole(record(3, {}, {numbers})).child(0).kind(), POLYCODEC_KIND_TUPLE);
  const View missing = whole(indexed<std::int8_t>({2, -1, 0}, numbers));
  EXPECT_EQ(missing.child(0).as_int64(), 12);
  EXPECT_TRUE(missing.child(1).is_null());
  const View option = whole(masked({0, 1, 0}, numbers, false));
  EXPECT_TRUE(option.child(1).is_null());
  EXPECT_EQ(option.child(2).as_int64(), 12);
  const View ragged = whole(offsets({0, 2, 2, 3}, numbers));
  EXPECT_EQ(ragged.size(), 3u);
  EXPECT_EQ(ragged.child(1).size(), 0u);
  EXPECT_EQ(ragged.child(2).child(0).as_int64(), 12);
  EXPECT_EQ(ragged.child(2).elements()->count, 1u);
  auto* either = wrap(POLYCODEC_LAYOUT_UNION, 2, {numbers, texts({"t"})});
  either->index = Builder::column(stored<int>({0, 2}));
  either->tags = Builder::column(stored<std::int8_t>({1, 0}));
  EXPECT_EQ(whole(either).child(0).kind(), POLYCODEC_KIND_UNION);
  EXPECT_EQ(whole(either).child(0).tag(), 1);
  EXPECT_EQ(whole(either).child(0).child().as_string(scratch), "t");
  EXPECT_EQ(whole(either).child(1).child().as_int64(), 12);
}

TEST_F(ItemTest, ChunksByIndexAndWithout) {
  const auto* none = leaf<int>({});
  std::vector<const polycodec_array*> chunks{none,           leaf<int>({0, 1}), none, none,
                                             leaf<int>({2}), leaf<int>({3, 4}), none};
  for (const bool plain : {true, false}) {
    auto* a = b.chunked(chunks);
    if (plain) a->index = {};
    const View item = whole(a);
    ASSERT_EQ(item.size(), 5u);
    for (std::uint64_t i = 0; i < 5; ++i)
      EXPECT_EQ(item.child(i).as_int64(), static_cast<std::int64_t>(i));
  }
}

}  // namespace
}  // namespace polycodec
