// SPDX-License-Identifier: MIT
// Values as n-d arrays, whatever they are made of, and why some are none.
#include <base/scratch_arena.hpp>
#include <polycodec/builder.hpp>
#include <polycodec/nd_array.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <vector>

namespace {

using namespace polycodec;

/// A call with memory, and work up to a bound.
struct TestCall {
  ScratchArena arena{std::uint64_t{64} << 20};
  polycodec_call abi{};
  std::uint64_t left = std::uint64_t{1} << 22;

  TestCall() {
    abi.struct_size = sizeof abi;
    abi.arena = arena.abi();
    abi.private_data = this;
    abi.stack_limit = 0;
    abi.spend = [](polycodec_call* c, std::uint64_t n, polycodec_error* error) {
      auto& self = *static_cast<TestCall*>(c->private_data);
      if (n > self.left) return fill_error(error, Status::limit, "no more work");
      self.left -= n;
      return std::int32_t{POLYCODEC_OK};
    };
  }
  operator Call() { return Call(&abi); }
};

class NdArrays : public ::testing::Test {
 protected:
  template <class T>
  polycodec_array* vector(std::initializer_list<T> items) {
    const std::span<const T> kept(out.store_all(std::span(items.begin(), items.size())),
                                  items.size());
    return out.vector(kept);
  }
  template <class T>
  polycodec_array* matrix(std::initializer_list<T> items, std::int64_t rows) {
    auto* const a = vector(items);
    const std::int64_t shape[] = {rows, static_cast<std::int64_t>(items.size()) / rows};
    return out.ndarray(to_string_view(a->data, items.size() * sizeof(T)), a->dtype, sizeof(T),
                       shape);
  }
  Node ints(std::initializer_list<std::int64_t> items) {
    auto list = out.list();
    for (const std::int64_t i : items) list.push(Builder::integer(i));
    return list;
  }
  View view(const Node& node) { return View(out.root(node)); }
  View view(const polycodec_array* array) { return view(Builder::array(array)); }

  /// The shape and the elements as T.
  template <class T>
  static std::string text(ArrayView found) {
    std::string text;
    for (const std::int64_t extent : found.shape()) text += std::to_string(extent) + " ";
    std::vector<std::byte> bytes(static_cast<std::size_t>(contiguous_size(found)));
    copy_elements(found, host_byte_order, bytes);
    for (std::size_t at = 0; at < bytes.size(); at += sizeof(T)) {
      T item;
      std::memcpy(&item, bytes.data() + at, sizeof item);
      text += (at == 0 ? ": " : ", ") + std::to_string(static_cast<std::int64_t>(item));
    }
    return text;
  }
  template <class... Dtype>
  Error error_of(const View& value, Dtype... dtype) {
    try {
      nd_array(call, value, dtype...);
    } catch (const Error& e) {
      return e;
    }
    return Error(Status::ok, "nothing was thrown");
  }
  template <class... Dtype>
  std::string why(const View& value, Dtype... dtype) {
    const Error e = error_of(value, dtype...);
    return e.path() + " " + e.message();
  }

  TestCall call;
  Builder out{call};
};

TEST_F(NdArrays, ArraysAndFixedListsStayWhereTheyAre) {
  const auto* const m = matrix<std::int32_t>({1, 2, 3, 4, 5, 6}, 2);
  EXPECT_EQ(text<std::int32_t>(nd_array(call, view(m))), "2 3 : 1, 2, 3, 4, 5, 6");
  EXPECT_EQ(nd_array(call, view(m)).raw().data, m->data);
  const ArrayView row = nd_array(call, view(m)[1]);
  EXPECT_EQ(text<std::int32_t>(row), "3 : 4, 5, 6");
  EXPECT_EQ(row.data(), static_cast<const std::byte*>(m->data) + 12);
  EXPECT_EQ(text<std::int32_t>(nd_array(call, view(m)[1][2])), ": 6");

  auto* const pairs =
      out.with_children(POLYCODEC_LAYOUT_LIST_FIXED, 3, {{vector<double>({1, 2, 3, 4, 5, 6})}});
  pairs->list_size = 2;
  const ArrayView found = nd_array(call, view(pairs));
  EXPECT_EQ(text<double>(found), "3 2 : 1, 2, 3, 4, 5, 6");
  EXPECT_EQ(found.raw().data, pairs->children[0]->data);
  EXPECT_EQ(text<double>(nd_array(call, view(pairs)[2])), "2 : 5, 6");
  auto* const fours = out.with_children(POLYCODEC_LAYOUT_LIST_FIXED, 1, {{pairs}});
  fours->list_size = 3;
  EXPECT_EQ(text<double>(nd_array(call, view(fours))), "1 3 2 : 1, 2, 3, 4, 5, 6");
}

TEST_F(NdArrays, OthersAreCopied) {
  EXPECT_EQ(text<std::int64_t>(nd_array(call, view(ints({7, -8})))), "2 : 7, -8");
  EXPECT_EQ(text<std::int64_t>(nd_array(call, view(out.list({ints({1, 2}), ints({3, 4})})))),
            "2 2 : 1, 2, 3, 4");
  const Node rows =
      out.list({Builder::array(vector<float>({1, 2})), Builder::array(vector<float>({3, 4}))});
  EXPECT_EQ(text<float>(nd_array(call, view(rows))), "2 2 : 1, 2, 3, 4");
  EXPECT_EQ(text<std::int64_t>(nd_array(call, view(Builder::integer(5)))), ": 5");

  const polycodec_array* const parts[] = {matrix<std::int16_t>({1, 2}, 1),
                                          matrix<std::int16_t>({3, 4, 5, 6}, 2)};
  const auto* const chunks = out.chunked(parts);
  EXPECT_EQ(text<std::int16_t>(nd_array(call, view(chunks))), "3 2 : 1, 2, 3, 4, 5, 6");
  const polycodec_array* const flat[] = {vector<std::int16_t>({1}), vector<std::int16_t>({2, 3})};
  EXPECT_EQ(text<std::int16_t>(nd_array(call, view(out.chunked(flat)))), "3 : 1, 2, 3");

  auto* const chosen =
      out.with_children(POLYCODEC_LAYOUT_INDEXED, 3, {{vector<std::uint8_t>({9, 8})}});
  const std::int64_t index[] = {1, 0, 1};
  chosen->index = Builder::column(std::span<const std::int64_t>(index));
  EXPECT_EQ(text<std::uint8_t>(nd_array(call, view(chosen))), "3 : 8, 9, 8");
}

TEST_F(NdArrays, ElementsAreCastIfTheyStayTheSame) {
  const auto f32 = std::uint32_t{POLYCODEC_DTYPE_FLOAT32};
  EXPECT_EQ(text<float>(nd_array(call, view(ints({1, 2})), f32)), "2 : 1, 2");
  EXPECT_EQ(text<float>(nd_array(call, view(matrix<std::int16_t>({1, 2, 3, 4}, 2)), f32)),
            "2 2 : 1, 2, 3, 4");
  const Node mixed =
      out.list({Builder::integer(1), Builder::real(2.0), Builder::unsigned_integer(3)});
  EXPECT_EQ(text<float>(nd_array(call, view(mixed), f32)), "3 : 1, 2, 3");
  EXPECT_EQ(text<std::uint8_t>(nd_array(call, view(mixed), std::uint32_t{POLYCODEC_DTYPE_UINT8})),
            "3 : 1, 2, 3");
  EXPECT_EQ(text<float>(nd_array(call, view(out.list()), f32)), "0 ");
  EXPECT_EQ(text<float>(nd_array(call, view(out.list({out.list(), out.list()})), f32)), "2 0 ");
  const auto* const leaf = vector<float>({1});
  EXPECT_EQ(nd_array(call, view(leaf), f32).raw().data, leaf->data);

  const Error e = error_of(view(matrix<double>({1, 2, 3, 1e300}, 2)), f32);
  EXPECT_EQ(e.code(), Status::range);
  EXPECT_EQ(e.path(), "$[1][1]");
  EXPECT_EQ(why(view(ints({1, 300})), std::uint32_t{POLYCODEC_DTYPE_UINT8}),
            "$[1] the value is not exactly a uint8");
  EXPECT_EQ(why(view(ints({1, INT64_MAX})), std::uint32_t{POLYCODEC_DTYPE_INT32}),
            "$[1] the value is not exactly an int32");
  const polycodec_array* const parts[] = {vector<double>({1}), vector<double>({2, 0.1})};
  EXPECT_EQ(error_of(view(out.chunked(parts)), f32).path(), "$[2]");
}

TEST_F(NdArrays, TimesAndFixedStringsKeepTheirUnitAndWidth) {
  auto* const times = vector<std::int64_t>({1, 2});
  times->dtype = POLYCODEC_DTYPE_TIMESTAMP64;
  times->unit = POLYCODEC_UNIT_MILLISECOND;
  const Node rows = out.list({Builder::array(times), Builder::array(times)});
  const ArrayView found = nd_array(call, view(rows));
  EXPECT_EQ(text<std::int64_t>(found), "2 2 : 1, 2, 1, 2");
  EXPECT_EQ(found.unit(), std::uint32_t{POLYCODEC_UNIT_MILLISECOND});
  const Node nodes = out.list({out.timestamp(3, 5000000, POLYCODEC_UNIT_MILLISECOND)});
  EXPECT_EQ(text<std::int64_t>(nd_array(call, view(nodes))), "1 : 3005");
  const Node units =
      out.list({out.duration(3, POLYCODEC_UNIT_DAY), out.duration(3, POLYCODEC_UNIT_HOUR)});
  EXPECT_EQ(why(view(units)), "$[1] a time of another unit than the first: an array has one unit");

  const std::int64_t two[] = {2};
  const auto* const words = out.ndarray("abcdef", POLYCODEC_DTYPE_FIXED_UTF8, 3, two);
  auto* const chosen = out.with_children(POLYCODEC_LAYOUT_INDEXED, 3, {{words}});
  const std::int64_t index[] = {1, 0, 1};
  chosen->index = Builder::column(std::span<const std::int64_t>(index));
  const ArrayView strings = nd_array(call, view(chosen));
  EXPECT_EQ(strings.item_size(), 3u);
  EXPECT_EQ(strings.contiguous_bytes(), "defabcdef");
}

TEST_F(NdArrays, TheReasonSaysWhere) {
  EXPECT_EQ(why(view(out.list({ints({1, 2}), ints({3})}))),
            "$[1] a list of 1 items, where the first has 2: an array has rows of one size");
  EXPECT_EQ(why(view(out.list({Builder::integer(1), Builder::real(2)}))),
            "$[1] float64, where the first is int64: an array has elements of one type");
  EXPECT_EQ(why(view(out.list({Builder::integer(1), Builder::null()}))),
            "$[1] null where a number is expected: the value is not an array");
  EXPECT_EQ(why(view(out.list({Builder::integer(1), ints({1})}))),
            "$[1] list where a number is expected: the value is not an array");
  EXPECT_EQ(why(view(out.list({ints({1}), Builder::integer(1)}))),
            "$[1] integer where a list is expected: the value is not an array");
  EXPECT_EQ(why(view(Builder::string_view("a"))),
            "$ string where a number is expected: the value is not an array");
  EXPECT_EQ(why(view(out.list())), "$ an empty list: no element says the type");
  EXPECT_EQ(why(view(out.object())),
            "$ object where a number is expected: the value is not an array");
  const Node unit = out.object({{"unit", Builder::string_view("m")}});
  EXPECT_EQ(why(view(out.list({out.annotated(Builder::integer(1), unit)}))),
            "$[0] metadata of an item: an array has no place for it");
  EXPECT_EQ(text<std::int64_t>(nd_array(call, view(out.annotated(ints({1}), unit)))), "1 : 1");
  auto* const inside = vector<double>({1, 2});
  inside->metadata = out.root(unit);
  auto* const pairs = out.with_children(POLYCODEC_LAYOUT_LIST_FIXED, 1, {{inside}});
  pairs->list_size = 2;
  EXPECT_EQ(why(view(pairs)), "$ metadata inside of an array: an n-d array has no place for it");
  EXPECT_EQ(why(view(pairs)[0]), "$ metadata inside of an array: an n-d array has no place for it");
  Node deep = Builder::integer(1);
  for (int i = 0; i < 70; ++i) deep = out.list({deep});
  EXPECT_NE(why(view(deep)).find("at most 64 axes"), std::string::npos);
}

TEST_F(NdArrays, WorkAndMemoryAreBounded) {
  // Rows that count a lot and have no memory.
  auto* const rows =
      out.with_children(POLYCODEC_LAYOUT_LIST_FIXED, std::uint64_t{1} << 50, {{out.chunked({})}});
  EXPECT_EQ(error_of(view(rows)).code(), Status::type);
  EXPECT_EQ(error_of(view(rows), std::uint32_t{POLYCODEC_DTYPE_INT8}).code(), Status::limit);
  // One element, again and again.
  const std::int64_t shape[] = {std::int64_t{1} << 20, std::int64_t{1} << 20};
  const std::int64_t strides[] = {0, 0};
  const std::int16_t one = 1;
  const auto* const same =
      out.strided(to_string_view(&one, 2), &one, shape, strides, POLYCODEC_DTYPE_INT16, 2);
  EXPECT_EQ(nd_array(call, view(same)).raw().data, &one);
  EXPECT_EQ(error_of(view(same), std::uint32_t{POLYCODEC_DTYPE_INT32}).code(), Status::limit);
}

/// A sink with windows of the size that is asked for.
struct TestSink : polycodec_sink {
  std::string text, window;

  TestSink() : polycodec_sink{} {
    struct_size = sizeof(polycodec_sink);
    grow = [](polycodec_sink* raw, std::uint64_t need, polycodec_error* error) {
      auto& self = *static_cast<TestSink*>(raw);
      if (need > POLYCODEC_MAX_WINDOW) return fill_error(error, Status::invalid, "too large");
      self.collect();
      self.window.resize(static_cast<std::size_t>(need));
      self.cursor = reinterpret_cast<std::uint8_t*>(self.window.data());
      self.limit = self.cursor + need;
      return std::int32_t{POLYCODEC_OK};
    };
    reference = [](polycodec_sink* raw, const void* data, std::uint64_t size, polycodec_error*) {
      auto& self = *static_cast<TestSink*>(raw);
      self.collect();
      self.text.append(static_cast<const char*>(data), static_cast<std::size_t>(size));
      return std::int32_t{POLYCODEC_OK};
    };
  }
  void collect() {
    if (cursor != nullptr)
      text.append(window.data(),
                  static_cast<std::size_t>(reinterpret_cast<char*>(cursor) - window.data()));
    cursor = limit = nullptr;
  }
};

TEST_F(NdArrays, ElementsAreWrittenInTheOrderThatIsWanted) {
  const auto written = [&](ArrayView leaf, std::uint8_t order) {
    TestSink sink;
    Writer writer(&sink);
    put_elements(call, writer, leaf, order);
    writer.flush();
    sink.collect();
    return sink.text;
  };
  const auto* const m = matrix<std::uint16_t>({1, 2, 3, 4}, 2);
  EXPECT_EQ(written(nd_array(call, view(m)), POLYCODEC_BIG_ENDIAN),
            std::string("\0\1\0\2\0\3\0\4", 8));
  EXPECT_EQ(written(nd_array(call, view(Builder::integer(1, POLYCODEC_DTYPE_INT16))),
                    POLYCODEC_BIG_ENDIAN),
            std::string("\0\1", 2));

  // Elements that are larger than any window.
  const std::uint32_t width = 3 * POLYCODEC_MAX_WINDOW / 2;
  const std::string units(2 * std::size_t{width}, 'a');
  const std::int64_t two[] = {2};
  auto* const words =
      out.ndarray(units, POLYCODEC_DTYPE_FIXED_UTF16, width, two, POLYCODEC_LITTLE_ENDIAN);
  EXPECT_EQ(written(ArrayView(*words), POLYCODEC_BIG_ENDIAN), units);
  std::string low(width, '\0');
  for (std::size_t i = 0; i < low.size(); i += 2) low[i] = 'x';
  auto* const word =
      out.ndarray(low, POLYCODEC_DTYPE_FIXED_UTF16, width, {}, POLYCODEC_LITTLE_ENDIAN);
  const std::string turned = written(ArrayView(*word), POLYCODEC_BIG_ENDIAN);
  EXPECT_EQ(turned.size(), low.size());
  EXPECT_EQ(turned.substr(0, 4), std::string("\0x\0x", 4));
}

}  // namespace
