// SPDX-License-Identifier: MIT
#include <base/contiguous.hpp>
#include <model/type/parse.hpp>
#include <polycodec/error.hpp>

#include "core/value/arena.hpp"
#include "core/value/value.hpp"
#include "value_fixture.hpp"

#include <cmath>
#include <complex>
#include <functional>

namespace polycodec {
namespace {

class Convert : public ValueTest {
 protected:
  // Converts to columns of this type and checks that nothing changed and that the way back is open.
  const polycodec_array* columns(const polycodec_node& list, std::string_view type,
                                 const CompareOptions& options = {}) {
    const auto* made = to_columns(View(&list), type::parse(type), b);
    check(made, list, options);
    return made;
  }
  void check(const polycodec_array* made, const polycodec_node& source,
             const CompareOptions& options = {}) {
    const auto node = Builder::array(made);
    validate(&node, Limits{}, Validation::full);
    const auto found = first_difference(NodeView(&source), NodeView(&node), options);
    EXPECT_FALSE(found) << found->path << ": " << found->reason;
    const auto back = to_document(View(&node), b);
    validate(&back, Limits{}, Validation::full);
    CompareOptions plain = options;
    plain.metadata = false;
    EXPECT_TRUE(equal(NodeView(&node), NodeView(&back), plain));
  }
  Error refusal(const polycodec_node& list, std::string_view type, const Limits& limits = {}) {
    try {
      to_columns(View(&list), type::parse(type), b, limits);
    } catch (const Error& error) {
      return error;
    }
    return Error(Status::ok, "nothing was refused");
  }
  static polycodec_node int32(int value) { return Builder::integer(value, POLYCODEC_DTYPE_INT32); }
};

TEST_F(Convert, ContiguousFromEveryStride) {
  std::vector<std::int32_t> numbers(60);
  for (int i = 0; i < 60; ++i) numbers[static_cast<std::size_t>(i)] = i * 65537;
  const auto bytes = bytes_of(std::span<const std::int32_t>(numbers));
  const struct {
    std::vector<std::int64_t> shape, strides;
    std::int64_t start;
  } cases[] = {{{60}, {4}, 0},
               {{30}, {8}, 4},
               {{60}, {-4}, 236},
               {{7}, {0}, 12},
               {{6, 10}, {40, 4}, 0},
               {{10, 6}, {4, 40}, 0},
               {{6, 10}, {-40, -4}, 236},
               {{3, 5}, {80, 8}, 0},
               {{4, 3}, {0, 4}, 0},
               {{4, 3}, {16, 0}, 0},
               {{3, 4, 5}, {80, 20, 4}, 0},
               {{5, 4, 3}, {4, 20, 80}, 0},
               {{3, 4, 5}, {4, 12, 48}, 0},
               {{0, 5}, {4, 4}, 0},
               {{5, 0}, {4, 4}, 0},
               {{1, 60, 1}, {7, 4, -9}, 0},
               {{2, 3}, {3, 5}, 1},
               {{}, {}, 8}};
  for (const std::uint8_t order : {std::uint8_t{0}, std::uint8_t{1}}) {
    for (const auto& c : cases) {
      auto* source = b.ndarray(bytes, POLYCODEC_DTYPE_INT32, 4, c.shape, order);
      source->data = bytes.data() + c.start;
      source->strides = b.store_all(std::span<const std::int64_t>(c.strides));
      const auto source_node = Builder::array(source);
      validate(&source_node, Limits{}, Validation::full);
      for (const std::uint8_t wanted : {std::uint8_t{0}, std::uint8_t{1}}) {
        const auto* made = make_contiguous(*source, b, wanted);
        EXPECT_TRUE(ArrayView(*made).is_contiguous());
        EXPECT_EQ(made->byte_order, wanted);
        const auto made_node = Builder::array(made);
        validate(&made_node, Limits{}, Validation::full);
        EXPECT_TRUE(equal(NodeView(&source_node), NodeView(&made_node)));
      }
    }
  }
  auto* plain = b.vector(std::span<const std::int32_t>(numbers));
  EXPECT_EQ(make_contiguous(*plain, b), plain);
  EXPECT_THROW(make_contiguous(*offsets({0}, plain), b), Error);
}

TEST_F(Convert, FortranOrderInBlocks) {
  for (const std::uint32_t dtype :
       {POLYCODEC_DTYPE_UINT8, POLYCODEC_DTYPE_UINT16, POLYCODEC_DTYPE_INT32,
        POLYCODEC_DTYPE_FLOAT64, POLYCODEC_DTYPE_COMPLEX128, POLYCODEC_DTYPE_FIXED_BYTES}) {
    const std::uint32_t size = dtype == POLYCODEC_DTYPE_FIXED_BYTES ? 3 : dtype_size(dtype);
    for (const std::uint8_t order : {std::uint8_t{0}, std::uint8_t{1}}) {
      const std::int64_t shape[] = {37, 131};
      std::vector<std::byte> bytes(37 * 131 * size);
      for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 7 % 251);
      auto* source = b.ndarray(bytes_of(std::span(bytes)), dtype, size, shape, order);
      const std::int64_t strides[] = {static_cast<std::int64_t>(size),
                                      static_cast<std::int64_t>(size) * 37};
      source->strides = strides;
      const auto x = Builder::array(source);
      const auto y = Builder::array(make_contiguous(*source, b));
      EXPECT_TRUE(ArrayView(*y.as.array).is_contiguous());
      EXPECT_TRUE(equal(NodeView(&x), NodeView(&y)));
    }
  }
}

TEST_F(Convert, CopyElementsWantsTheRightSize) {
  std::byte out[8];
  EXPECT_THROW(copy_elements(ArrayView(*leaf<int>({1, 2})), host_byte_order, std::span(out, 7)),
               Error);
}

TEST_F(Convert, CastsAreExactOrRefused) {
  const auto status = [&](const polycodec_array* a, std::uint32_t dtype) {
    try {
      const auto* made = cast(*a, dtype, b);
      const auto x = Builder::array(a);
      const auto y = Builder::array(made);
      EXPECT_EQ(made->dtype, dtype);
      CompareOptions by_value;
      by_value.numbers_by_value = true;
      EXPECT_TRUE(equal(NodeView(&x), NodeView(&y), by_value));
      return Status::ok;
    } catch (const Error& error) {
      return error.code();
    }
  };
  for (std::uint32_t d = POLYCODEC_DTYPE_INT8; d <= POLYCODEC_DTYPE_FLOAT64; ++d)
    EXPECT_EQ(status(leaf<int>({0, 1, 127}), d), Status::ok) << d;
  EXPECT_EQ(status(leaf<int>({-128}), POLYCODEC_DTYPE_INT8), Status::ok);
  EXPECT_EQ(status(leaf<int>({-129}), POLYCODEC_DTYPE_INT8), Status::range);
  EXPECT_EQ(status(leaf<int>({128}), POLYCODEC_DTYPE_INT8), Status::range);
  EXPECT_EQ(status(leaf<int>({255}), POLYCODEC_DTYPE_UINT8), Status::ok);
  EXPECT_EQ(status(leaf<int>({-1}), POLYCODEC_DTYPE_UINT8), Status::range);
  EXPECT_EQ(status(leaf<int>({-1}), POLYCODEC_DTYPE_UINT128), Status::range);
  EXPECT_EQ(status(leaf<int>({-1}), POLYCODEC_DTYPE_INT128), Status::ok);
  EXPECT_EQ(status(leaf<std::int64_t>({INT64_MIN}), POLYCODEC_DTYPE_INT64), Status::ok);
  EXPECT_EQ(status(leaf<std::uint64_t>({std::uint64_t{1} << 63}), POLYCODEC_DTYPE_INT64),
            Status::range);
  EXPECT_EQ(status(leaf<std::int64_t>({(std::int64_t{1} << 53) + 1}), POLYCODEC_DTYPE_FLOAT64),
            Status::range);
  EXPECT_EQ(status(leaf<std::int64_t>({std::int64_t{1} << 60}), POLYCODEC_DTYPE_FLOAT32),
            Status::ok);
  EXPECT_EQ(status(leaf<double>({0.5, -0.0, INFINITY}), POLYCODEC_DTYPE_FLOAT32), Status::ok);
  EXPECT_EQ(status(leaf<double>({0.5, -0.0, INFINITY}), POLYCODEC_DTYPE_FLOAT16), Status::ok);
  EXPECT_EQ(status(leaf<double>({0.1}), POLYCODEC_DTYPE_FLOAT32), Status::range);
  EXPECT_EQ(status(leaf<double>({1e300}), POLYCODEC_DTYPE_FLOAT32), Status::range);
  EXPECT_EQ(status(leaf<double>({2.0, -3.0}), POLYCODEC_DTYPE_INT8), Status::ok);
  EXPECT_EQ(status(leaf<double>({2.5}), POLYCODEC_DTYPE_INT8), Status::range);
  EXPECT_EQ(status(leaf<double>({-0.0}), POLYCODEC_DTYPE_INT8), Status::range);
  EXPECT_EQ(status(leaf<double>({NAN}), POLYCODEC_DTYPE_INT64), Status::range);
  EXPECT_EQ(status(leaf<double>({0x1p64}), POLYCODEC_DTYPE_UINT64), Status::range);
  EXPECT_EQ(status(leaf<bool>({true}), POLYCODEC_DTYPE_INT8), Status::type);
  EXPECT_EQ(status(leaf<int>({1}), POLYCODEC_DTYPE_BOOLEAN), Status::type);
  EXPECT_EQ(status(leaf<int>({1}), POLYCODEC_DTYPE_TIMESTAMP64), Status::type);
  EXPECT_EQ(status(leaf<std::complex<double>>({{1.5, -2}}), POLYCODEC_DTYPE_COMPLEX64), Status::ok);
  EXPECT_EQ(status(leaf<std::complex<double>>({{0.1, -2}}), POLYCODEC_DTYPE_COMPLEX64),
            Status::range);
  try {
    cast(*leaf<int>({1, 300}), POLYCODEC_DTYPE_INT8, b);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.path(), "$[1]");
  }
}

TEST_F(Convert, DocumentsToColumns) {
  columns(b.list({int32(1), int32(2)}), "int32");
  columns(b.list({}), "int32");
  EXPECT_EQ(
      columns(b.list({b.list({int32(1), int32(2)}), b.list({int32(3), int32(4)})}), "2 * int32")
          ->ndim,
      2u);
  columns(b.list({b.list({int32(1)}), b.list({}), b.list({int32(3), int32(4)})}), "var * int32");
  columns(b.list({b.list({b.string_copy("x"), b.string_copy("")})}), "2 * string");
  columns(b.list({b.string_copy("a"), b.string_copy("\xc3\xa4"), b.string_copy("")}), "string");
  columns(b.list({b.bytes_copy(bytes_of(std::span("ab", 3)))}), "bytes");
  columns(b.list({b.bytes_copy(bytes_of(std::span("ab", 3)))}), "fixed_bytes[3]");
  for (const char* encoding : {"utf8", "utf16", "utf32"})
    columns(b.list({b.string_copy("a\xf0\x9f\x98\x80"), b.string_copy("")}),
            std::string("fixed_string[6, '") + encoding + "']");
  const auto nulls = b.list({Builder::null(), int32(7), Builder::null()});
  EXPECT_EQ(columns(nulls, "?int32")->layout, POLYCODEC_LAYOUT_OPTION_BYTES);
  columns(b.list({Builder::null(), b.string_copy("t")}), "?string");
  columns(b.list({Builder::null(), b.list({int32(7)}), Builder::null()}), "?var * int32");
  const auto point = b.object({{"x", int32(1)}, {"y", Builder::real(2.5)}});
  columns(b.list({point, point}), "{x: int32, y: float64}");
  EXPECT_EQ(
      columns(b.list({Builder::null(), point, Builder::null(), point}), "?{x: int32, y: float64}")
          ->layout,
      POLYCODEC_LAYOUT_INDEXED);
  columns(b.list({b.tuple({int32(1), b.string_copy("t")})}), "(int32, string)");
  columns(b.list({b.object({}), b.object({})}), "{}");
  columns(b.list({b.tagged(1, b.string_copy("t")), b.tagged(0, int32(5)),
                  b.tagged(1, b.string_copy("u"))}),
          "union[int32, string]");
  columns(b.list({int32(1), b.string_copy("t"), Builder::null(), point}), "any");
  columns(b.list({b.timestamp(-1, 999000000, POLYCODEC_UNIT_MILLISECOND),
                  b.timestamp(INT64_MIN, 0, POLYCODEC_UNIT_MILLISECOND)}),
          "datetime[unit='ms']");
  columns(b.list({b.duration(5, POLYCODEC_UNIT_DAY)}), "timedelta[unit='D']");
  CompareOptions by_value;
  by_value.numbers_by_value = true;
  columns(b.list({int32(1), Builder::unsigned_integer(2, POLYCODEC_DTYPE_UINT8)}), "float64",
          by_value);
}

TEST_F(Convert, AnnotationsBecomeAttributes) {
  const auto list = b.list({b.object({{"x", int32(1)}})});
  const auto* made = to_columns(View(&list), type::parse("{x: annotated[int32, units='cm']}"), b);
  ASSERT_NE(made->children[0]->metadata, nullptr);
  EXPECT_EQ(NodeView(made->children[0]->metadata).at("units").as_string(), "cm");
}

TEST_F(Convert, RefusalsSayWhere) {
  const auto error = [&](const polycodec_node& list, std::string_view type, Status code,
                         std::string_view path) {
    const Error found = refusal(list, type);
    EXPECT_EQ(found.code(), code) << found.describe();
    EXPECT_EQ(found.path(), path) << found.describe();
  };
  error(b.list({int32(1), int32(300)}), "int8", Status::range, "$[1]");
  error(b.list({int32(1), b.string_copy("x")}), "int8", Status::type, "$[1]");
  error(b.list({int32(1), Builder::null()}), "int32", Status::type, "$[1]");
  error(b.list({b.list({int32(1)}), b.list({})}), "1 * int32", Status::type, "$[1]");
  error(b.list({b.list({int32(1), Builder::boolean(true)})}), "2 * int32", Status::type, "$[0][1]");
  error(b.list({b.list({int32(1), Builder::boolean(true)})}), "var * int32", Status::type,
        "$[0][1]");
  error(b.list({b.object({{"x", int32(1)}})}), "{y: int32}", Status::type, "$[0].x");
  error(b.list({b.object({{"x", int32(1)}})}), "{x: int32, y: int32}", Status::type, "$[0]");
  error(b.list({b.object({{"x", int32(1)}})}), "{x: string}", Status::type, "$[0].x");
  error(b.list({b.tuple({int32(1)})}), "{x: int32}", Status::type, "$[0]");
  error(b.list({int32(1)}), "string", Status::type, "$[0]");
  error(b.list({b.string_copy("abc")}), "fixed_string[2, 'utf8']", Status::range, "$[0]");
  error(b.list({b.string_copy(std::string_view("a\0", 2))}), "fixed_string[4, 'utf8']",
        Status::range, "$[0]");
  error(b.list({b.tagged(2, int32(1))}), "union[int32, string]", Status::type, "$[0]");
  error(b.list({b.timestamp(1, 1, POLYCODEC_UNIT_NANOSECOND)}), "datetime[unit='ms']",
        Status::range, "$[0]");
  error(b.list({b.timestamp(INT64_MAX, 0, POLYCODEC_UNIT_NANOSECOND)}), "datetime[unit='ms']",
        Status::range, "$[0]");
  error(int32(1), "int32", Status::type, "$");
}

TEST_F(Convert, LimitsRefuseBeforeMemoryIsTaken) {
  Limits limits;
  const std::uint8_t one = 1;
  auto* endless = b.strided(bytes_of(std::span(&one, 1)), &one, std::uint64_t{1} << 40, 0,
                            POLYCODEC_DTYPE_UINT8, 1);
  const auto node = Builder::array(endless);
  EXPECT_EQ(refusal(node, "uint8", limits).code(), Status::limit);
  Arena small(1 << 16);
  Builder out(small.abi());
  EXPECT_THROW(make_contiguous(*endless, out), Error);
  EXPECT_THROW(to_document(View(&node), out), Error);
  std::vector<double> many(20000);
  auto* big = b.vector(std::span<const double>(many));
  auto* reversed = b.strided(bytes_of(std::span<const double>(many)), many.data() + 19999, 20000,
                             -8, POLYCODEC_DTYPE_FLOAT64, 8);
  EXPECT_EQ(make_contiguous(*big, out), big);
  EXPECT_THROW(make_contiguous(*reversed, out), Error);
  EXPECT_THROW(cast(*big, POLYCODEC_DTYPE_INT64, out), Error);
  EXPECT_THROW(interleave(*record(20000, {"x"}, {big}), out), Error);
  polycodec_node deep = Builder::null();
  for (int i = 0; i < 600; ++i) deep = b.list({deep});
  EXPECT_THROW(to_document(View(&deep), b), Error);
  EXPECT_EQ(refusal(b.list({deep}), "any").code(), Status::limit);
}

TEST_F(Convert, RowsAndColumns) {
  const auto* x = leaf<std::int8_t>({1, 2, 3});
  const auto* y = leaf<double>({1.5, 2.5, 3.5, 9});
  const std::int64_t shape[] = {3, 2};
  const std::int16_t pairs[] = {1, 2, 3, 4, 5, 6};
  auto* z = b.ndarray(bytes_of(std::span(pairs)), POLYCODEC_DTYPE_INT16, 2, shape);
  auto* source = record(3, {"x", "y", "z"}, {x, y, z});
  const auto source_node = Builder::array(source);
  for (const RowLayout layout : {RowLayout::packed, RowLayout::aligned}) {
    const auto* rows = interleave(*source, b, layout);
    check(rows, source_node);
    EXPECT_EQ(rows->children[0]->strides[0], layout == RowLayout::packed ? 13 : 24);
    const auto* split = materialize(*rows, b);
    check(split, source_node);
    EXPECT_TRUE(ArrayView(*split->children[1]).is_contiguous());
  }
  EXPECT_THROW(interleave(*record(1, {"t"}, {texts({"a"})}), b), Error);
  check(interleave(*record(0, {"x"}, {x}), b), b.list({}));
}

TEST_F(Convert, MaterializeResolvesEverything) {
  auto* numbers = leaf<int>({10, 11, 12});
  numbers->metadata =
      b.root(b.object({{"units", b.string_copy("cm")}, {"table", b.list({int32(1)})}}));
  const std::initializer_list<const polycodec_array*> all{
      indexed<int>({2, 2, 0}, numbers),
      indexed<int>({2, -1, 0}, numbers),
      chunked({numbers, numbers}),
      masked({1, 0, 0}, texts({"a", "b", "c"}), true),
      offsets({0, 2, 3}, indexed<int>({0, 2, 1}, numbers)),
      record(3, {"a", "b"}, {indexed<int>({2, 1, 0}, numbers), texts({"x", "y", "z"})}),
      indexed<int>({1, 0}, record(2, {"a"}, {chunked({leaf<double>({1}), leaf<double>({2})})}))};
  for (const polycodec_array* a : all) {
    const auto* made = materialize(*a, b);
    check(made, Builder::array(a));
  }
}

}  // namespace
}  // namespace polycodec
