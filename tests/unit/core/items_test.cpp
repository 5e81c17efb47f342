// SPDX-License-Identifier: MIT
// Where the items of arrays are: polycodec/items.h against the definition of each layout, and the
// file of vectors that bindings with an own implementation are held to. With POLYCODEC_UPDATE_ITEMS
// set, the file is written anew.
#include <polycodec/detail/layout_fields.hpp>
#include <polycodec/items.h>
#include <polycodec/view.hpp>

#include "core/value/value.hpp"
#include "core/wire/frames.hpp"
#include "hex.hpp"
#include "random_arrays.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec {
namespace {

/// Item `i` of an array that is not a choice. Without an array it is missing.
struct Place {
  const polycodec_array* array = nullptr;
  std::uint64_t i = 0;
  bool operator==(const Place&) const = default;
};

/// All items of a column, byte by byte.
std::vector<std::int64_t> integers(const polycodec_column& column, std::uint64_t count) {
  std::vector<std::int64_t> all;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto* p = static_cast<const std::uint8_t*>(column.data) +
                    static_cast<std::int64_t>(i) * column.stride;
    const std::uint32_t size = dtype_size(column.dtype);
    std::uint64_t bits =
        is_signed_integer(column.dtype) && (p[size - 1] & 0x80) != 0 ? UINT64_MAX : 0;
    for (std::uint32_t k = size; k-- > 0;) bits = bits << 8 | p[k];
    all.push_back(static_cast<std::int64_t>(bits));
  }
  return all;
}

/// Where all items of an array are, by what the layouts mean.
std::vector<Place> places_of(const polycodec_array& a) {
  std::vector<Place> all;
  const auto child = [&](std::size_t c) { return places_of(*a.children[c]); };
  const bool when = (a.flags & POLYCODEC_ARRAY_MASK_VALID) != 0;
  switch (a.layout) {
    case POLYCODEC_LAYOUT_OPTION_BYTES:
    case POLYCODEC_LAYOUT_OPTION_BITS: {
      const bool by_bit = a.layout == POLYCODEC_LAYOUT_OPTION_BITS;
      const bool least_first = (a.flags & POLYCODEC_ARRAY_BITS_LSB) != 0;
      std::vector<bool> mask;
      for (const std::int64_t item : integers(a.mask, by_bit ? (a.length + 7) / 8 : a.length)) {
        if (!by_bit) mask.push_back(item != 0);
        for (int bit = 0; by_bit && bit < 8; ++bit)
          mask.push_back((item & (least_first ? 1 << bit : 0x80 >> bit)) != 0);
      }
      const auto items = child(0);
      for (std::size_t i = 0; i < a.length; ++i)
        all.push_back(mask[i] == when ? items[i] : Place{});
      return all;
    }
    case POLYCODEC_LAYOUT_INDEXED: {
      const auto items = child(0);
      for (const std::int64_t i : integers(a.index, a.length))
        all.push_back(i < 0 ? Place{} : items[static_cast<std::size_t>(i)]);
      return all;
    }
    case POLYCODEC_LAYOUT_CHUNKED:
      for (std::size_t c = 0; c < a.n_children; ++c)
        for (const Place& place : child(c)) all.push_back(place);
      return all;
    default:
      for (std::uint64_t i = 0; i < a.length; ++i) all.push_back({&a, i});
      return all;
  }
}

/// An item as a place. A node of a document is found by its address.
Place place_of(const polycodec_item& item, const std::vector<Place>& documents) {
  if (item.node == nullptr) return {item.array, item.index};
  EXPECT_EQ(item.array, nullptr);
  for (const Place& d : documents)
    if (d.array != nullptr && d.array->layout == POLYCODEC_LAYOUT_DOCUMENT &&
        &d.array->nodes[d.i] == item.node)
      return d;
  return {};
}

Value random_value(std::uint32_t seed) {
  // Now and then with more choices than runs have levels.
  const bool only_choices = seed % 4 == 0;
  Value value = Value::build([&](Builder& out) {
    return Builder::array(const_cast<polycodec_array*>(
        RandomArrays(out, seed, only_choices).array(seed % 23, only_choices ? 12 : 4)));
  });
  validate(value.view(), Limits{}, Validation::full);
  return value;
}

/// The arrays of a value, each before its children.
void collect(const polycodec_array& a, std::vector<const polycodec_array*>& all) {
  all.push_back(&a);
  for (std::uint32_t c = 0; c < a.n_children; ++c) collect(*a.children[c], all);
}
std::vector<const polycodec_array*> arrays_of(const Value& value) {
  std::vector<const polycodec_array*> all;
  collect(*polycodec_node_proper(value.root())->as.array, all);
  return all;
}

/// Calls `check` for each array of many random values.
template <class Check>
void for_random_arrays(Check&& check) {
  std::uint32_t layouts[POLYCODEC_LAYOUT_COUNT] = {};
  for (std::uint32_t seed = 0; seed < 4000 && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    const Value value = random_value(seed);
    for (const polycodec_array* a : arrays_of(value)) ++layouts[a->layout], check(*a);
  }
  for (const std::uint32_t count : layouts) EXPECT_GT(count, 500u);
}

TEST(Items, AreWhereTheLayoutsSay) {
  for_random_arrays([](const polycodec_array& a) {
    const auto places = places_of(a);
    for (std::uint64_t i = 0; i < a.length; ++i)
      ASSERT_EQ(place_of(polycodec_item_at(&a, i), places), places[i]) << i;
  });
}

TEST(Items, ViewIsMadeOfThem) {
  for_random_arrays([](const polycodec_array& a) {
    const auto places = places_of(a);
    for (std::uint64_t i = 0; i < a.length; ++i) {
      const View item = View::element(a, i);
      ASSERT_EQ(item.is_null(), places[i].array == nullptr);
      if (places[i].array != nullptr) {
        const View same = View::element(*places[i].array, places[i].i);
        ASSERT_EQ(item.kind(), same.kind());
        ASSERT_TRUE(equal(item, same, CompareOptions{}));
      }
    }
  });
}

TEST(Items, RunsAreTheItemsOneAfterAnother) {
  std::uint64_t runs = 0, items = 0;
  for_random_arrays([&](const polycodec_array& a) {
    const auto places = places_of(a);
    for (const std::uint64_t most : {1u, 2u, 3u, 1000u})
      for (std::uint64_t first = 0; first <= a.length; first += 3) {
        polycodec_rows rows = polycodec_rows_of(&a, first);
        for (std::uint64_t i = first; i < a.length; ++runs) {
          const std::uint64_t left = std::min(most, a.length - i);
          const polycodec_run run = polycodec_rows_next(&rows, left);
          ASSERT_TRUE(run.count >= 1 && run.count <= left) << run.count;
          ASSERT_FALSE(run.array != nullptr && polycodec_is_choice(run.array) != 0);
          for (std::uint64_t k = 0; k < run.count; ++k, ++i, ++items)
            ASSERT_EQ((run.array == nullptr ? Place{} : Place{run.array, run.at + k}), places[i]);
        }
      }
  });
  EXPECT_GT(items, runs + runs / 4);
}

TEST(Items, RunsAreAsLongAsTheyCanBe) {
  const auto longest = [](const Value& value) {
    polycodec_rows rows = polycodec_rows_of(arrays_of(value)[0], 0);
    return polycodec_rows_next(&rows, 100).count;
  };
  const auto all = [](Builder& out) {
    return out.vector(std::span<const std::int32_t>(out.allocate<std::int32_t>(100), 100));
  };
  std::vector<std::int64_t> index(100);
  for (std::size_t i = 0; i < 100; ++i) index[i] = i < 60 ? static_cast<std::int64_t>(i) : 0;
  EXPECT_EQ(longest(Value::build([&](Builder& out) {
              const polycodec_array* leaf = all(out);
              polycodec_array* a =
                  out.with_children(POLYCODEC_LAYOUT_INDEXED, 100, std::span(&leaf, 1));
              a->index = Builder::column(std::span<const std::int64_t>(index));
              return Builder::array(a);
            })),
            60u);
  EXPECT_EQ(longest(Value::build([&](Builder& out) {
              const polycodec_array* chunks[] = {all(out), all(out)};
              return Builder::array(out.chunked(chunks));
            })),
            100u);
}

TEST(Items, ListsUnionsAndElements) {
  for_random_arrays([](const polycodec_array& a) {
    const std::uint64_t n = a.length;
    std::vector<std::int64_t> begins, ends;
    if (a.layout == POLYCODEC_LAYOUT_LIST_OFFSETS) {
      begins = integers(a.offsets, n + 1);
      ends.assign(begins.begin() + 1, begins.end());
    } else if (a.layout == POLYCODEC_LAYOUT_LIST_VIEW) {
      begins = integers(a.starts, n), ends = integers(a.stops, n);
    } else if (a.layout == POLYCODEC_LAYOUT_LIST_FIXED) {
      for (std::uint64_t i = 0; i <= n; ++i)
        begins.push_back(static_cast<std::int64_t>(i * a.list_size));
      ends.assign(begins.begin() + 1, begins.end());
    }
    for (std::size_t i = 0; i < ends.size(); ++i) {
      const polycodec_range range = polycodec_list_range(&a, i);
      ASSERT_EQ(static_cast<std::int64_t>(range.begin), begins[i]);
      ASSERT_EQ(static_cast<std::int64_t>(range.end), ends[i]);
      if (polycodec_is_text(&a) == 0) continue;
      const polycodec_bytes text = polycodec_text_item(&a, i);
      ASSERT_EQ(text.size, range.end - range.begin);
      ASSERT_TRUE(text.size == 0 || text.data == polycodec_element(a.children[0], range.begin));
    }
    if (a.layout == POLYCODEC_LAYOUT_UNION) {
      const auto tags = integers(a.tags, n), index = integers(a.index, n);
      for (std::size_t i = 0; i < n; ++i) {
        std::int64_t tag = 0;
        const polycodec_item item = polycodec_union_item(&a, i, &tag);
        ASSERT_EQ(tag, tags[i]);
        ASSERT_EQ(item.array, a.children[tags[i]]);
        ASSERT_EQ(static_cast<std::int64_t>(item.index), index[i]);
      }
    }
    if (a.layout == POLYCODEC_LAYOUT_NDARRAY && n != 0) {
      const auto* first = static_cast<const char*>(polycodec_element(&a, 0));
      const auto* last = static_cast<const char*>(polycodec_element(&a, n - 1));
      ASSERT_EQ(last - first, a.strides[0] * static_cast<std::int64_t>(n - 1));
    }
  });
}

TEST(Items, LengthsOfColumns) {
  const auto lengths = [](std::uint32_t layout) {
    return std::pair(polycodec_column_length(layout, 17, 3, 0),
                     polycodec_column_length(layout, 17, 3, 1));
  };
  using Lengths = std::pair<std::uint64_t, std::uint64_t>;
  EXPECT_EQ(lengths(POLYCODEC_LAYOUT_NDARRAY), Lengths(0, 0));
  EXPECT_EQ(lengths(POLYCODEC_LAYOUT_LIST_OFFSETS), Lengths(18, 0));
  EXPECT_EQ(lengths(POLYCODEC_LAYOUT_LIST_VIEW), Lengths(17, 17));
  EXPECT_EQ(lengths(POLYCODEC_LAYOUT_LIST_FIXED), Lengths(0, 0));
  EXPECT_EQ(lengths(POLYCODEC_LAYOUT_RECORD), Lengths(0, 0));
  EXPECT_EQ(lengths(POLYCODEC_LAYOUT_UNION), Lengths(17, 17));
  EXPECT_EQ(lengths(POLYCODEC_LAYOUT_OPTION_BYTES), Lengths(17, 0));
  EXPECT_EQ(lengths(POLYCODEC_LAYOUT_OPTION_BITS), Lengths(3, 0));
  EXPECT_EQ(lengths(POLYCODEC_LAYOUT_INDEXED), Lengths(17, 0));
  EXPECT_EQ(lengths(POLYCODEC_LAYOUT_CHUNKED), Lengths(4, 0));
  EXPECT_EQ(lengths(POLYCODEC_LAYOUT_DOCUMENT), Lengths(0, 0));
  EXPECT_EQ(lengths(POLYCODEC_LAYOUT_COUNT), Lengths(0, 0));
}

// Three tables say which columns a layout has: their names, the fields, and the lengths.
TEST(Items, ColumnsThatHaveANameHaveALength) {
  for (std::uint32_t layout = 0; layout <= POLYCODEC_LAYOUT_COUNT; ++layout) {
    const ColumnNames names = column_names(layout);
    EXPECT_EQ(names.first.empty(), polycodec_column_length(layout, 3, 2, 0) == 0) << layout;
    EXPECT_EQ(names.second.empty(), polycodec_column_length(layout, 3, 2, 1) == 0) << layout;
    EXPECT_EQ(names.first.empty(), !uses(layout, ArrayFields::first_column)) << layout;
    EXPECT_EQ(names.second.empty(), !uses(layout, ArrayFields::second_column)) << layout;
  }
}

TEST(Items, BytesOfColumns) {
  const auto span = [](std::uint64_t items, std::int64_t stride, std::uint32_t width) {
    const auto found = column_span(items, stride, width);
    return found ? std::to_string(found->low) + " to " + std::to_string(found->high) : "";
  };
  EXPECT_EQ(span(0, 8, 4), "0 to 0");
  EXPECT_EQ(span(1, -8, 4), "0 to 4");
  EXPECT_EQ(span(3, 8, 4), "0 to 20");
  EXPECT_EQ(span(3, -8, 4), "-16 to 4");
  EXPECT_EQ(span(UINT64_MAX, 0, 4), "") << "more items than can be counted";
  EXPECT_EQ(span(3, INT64_MAX, 4), "") << "the last one is too far";
  EXPECT_EQ(span(2, INT64_MIN, 8), "") << "all of them are too much";
}

TEST(Items, NoIndexReachesWhatIsAboveInt64) {
  const std::uint64_t large[] = {UINT64_MAX, std::uint64_t{1} << 63, 5};
  const polycodec_column column = Builder::column(std::span<const std::uint64_t>(large));
  EXPECT_EQ(polycodec_column_item(&column, 0), INT64_MAX);
  EXPECT_EQ(polycodec_column_item(&column, 1), INT64_MAX);
  EXPECT_EQ(polycodec_column_item(&column, 2), 5);
}

// -- vectors --

const std::string vectors_file = std::string(POLYCODEC_TEST_VECTORS) + "/items/places.txt";

using Numbers = std::map<const polycodec_array*, std::size_t>;

std::string shown(const Place& place, const Numbers& numbers) {
  if (place.array == nullptr) return " -";
  return " " + std::to_string(numbers.at(place.array)) + ":" + std::to_string(place.i);
}

/// The lines of a value. The places are those of the definition, or those of items.h.
std::string lines_of(const Value& value, bool by_definition) {
  const auto arrays = arrays_of(value);
  Numbers numbers;
  for (const polycodec_array* a : arrays) numbers.emplace(a, numbers.size());
  std::string lines;
  for (std::size_t n = 0; n < arrays.size(); ++n) {
    const polycodec_array& a = *arrays[n];
    const auto places = places_of(a);
    lines += "items " + std::to_string(n);
    for (std::uint64_t i = 0; i < a.length; ++i)
      lines +=
          shown(by_definition ? places[i] : place_of(polycodec_item_at(&a, i), places), numbers);
    lines += "\n";
    if (a.layout >= POLYCODEC_LAYOUT_LIST_OFFSETS && a.layout <= POLYCODEC_LAYOUT_LIST_FIXED) {
      lines += "lists " + std::to_string(n);
      for (std::uint64_t i = 0; i < a.length; ++i) {
        const polycodec_range range = polycodec_list_range(&a, i);
        lines += " " + std::to_string(range.begin) + "-" + std::to_string(range.end);
      }
      lines += "\n";
    }
    if (a.layout == POLYCODEC_LAYOUT_UNION) {
      lines += "members " + std::to_string(n);
      for (std::uint64_t i = 0; i < a.length; ++i) {
        std::int64_t tag = 0;
        const polycodec_item item = polycodec_union_item(&a, i, &tag);
        lines += " " + std::to_string(tag) + shown({item.array, item.index}, numbers);
      }
      lines += "\n";
    }
  }
  return lines;
}

TEST(Items, Vectors) {
  if (std::getenv("POLYCODEC_UPDATE_ITEMS") != nullptr) {
    std::ofstream out(vectors_file, std::ios::binary);
    for (std::uint32_t seed = 0; seed < 120; ++seed) {
      const Value value = random_value(seed);
      const Frames frames = to_frames(value);
      ASSERT_TRUE(frames.buffers.empty());
      if (frames.header.size() < 1600)
        out << "value " << test::to_hex(frames.header) << "\n" << lines_of(value, true);
    }
  }
  std::ifstream in(vectors_file, std::ios::binary);
  ASSERT_TRUE(in.is_open()) << vectors_file;
  std::map<std::uint32_t, int> layouts;
  std::string line, wanted;
  Value value;
  const auto check = [&] {
    EXPECT_EQ(wanted.empty() ? "" : lines_of(value, false), wanted);
    wanted.clear();
  };
  while (std::getline(in, line)) {
    if (line.starts_with("value ")) {
      check();
      value = from_frames(test::from_hex(line.substr(6)), {}, nullptr, Limits{}, false);
      for (const polycodec_array* a : arrays_of(value)) ++layouts[a->layout];
    } else {
      wanted += line + "\n";
    }
  }
  check();
  EXPECT_EQ(layouts.size(), std::size_t{POLYCODEC_LAYOUT_COUNT});
}

}  // namespace
}  // namespace polycodec
