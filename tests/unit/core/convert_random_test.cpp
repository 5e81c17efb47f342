// SPDX-License-Identifier: MIT
// Random values of random types, from fixed seeds: into columns, back to nodes, and through every
// form between.
#include <model/type/build.hpp>
#include <model/type/print.hpp>

#include "core/call/budget.hpp"
#include "core/text/infer.hpp"
#include "core/text/text.hpp"
#include "core/value/value.hpp"
#include "value_fixture.hpp"

#include <random>

namespace polycodec {
namespace {

class ConvertRandom : public ValueTest {
 protected:
  std::uint64_t below(std::uint64_t n) { return random() % n; }

  static type::Type random_option(const type::Type& inner) {
    return inner.is(type::Kind::option) ? inner : type::option(inner);
  }

  type::Type random_type(int depth) {
    switch (depth == 0 ? below(4) : below(10)) {
      case 0:
        return type::scalar(POLYCODEC_DTYPE_INT8 + static_cast<std::uint32_t>(below(4)));
      case 1:
        return type::scalar(POLYCODEC_DTYPE_UINT8 + static_cast<std::uint32_t>(below(4)));
      case 2:
        return type::scalar(below(2) != 0 ? POLYCODEC_DTYPE_FLOAT64 : POLYCODEC_DTYPE_BOOLEAN);
      case 3:
        return type::string();
      case 4:
        return type::var(random_type(depth - 1));
      case 5:
        return type::fixed(below(4), random_type(depth - 1));
      case 6:
        return random_option(random_type(depth - 1));
      case 7:
        return type::tuple({random_type(depth - 1), random_type(depth - 1)});
      case 8:
        return type::union_of({random_type(depth - 1), random_type(depth - 1)});
      default:
        return type::record({{"a", random_type(depth - 1)}, {"b c", random_type(depth - 1)}});
    }
  }

  polycodec_node items(std::uint64_t size, const type::Type& type) {
    polycodec_node* nodes;
    const auto n = b.list(size, &nodes);
    for (std::uint64_t i = 0; i < size; ++i) nodes[i] = item(type);
    return n;
  }

  polycodec_node item(const type::Type& type) {
    using type::Kind;
    switch (type.kind()) {
      case Kind::string:
        return b.string_copy(std::string(below(5), 'x') + (below(2) != 0 ? "\xc3\xa4" : ""));
      case Kind::var_dim:
        return items(below(4), type.element());
      case Kind::fixed_dim:
        return items(type.size(), type.element());
      case Kind::option:
        return below(3) == 0 ? Builder::null() : item(type.element());
      case Kind::tuple:
        return b.tuple({item(type.items()[0]), item(type.items()[1])});
      case Kind::record:
        return b.object({{"a", item(type.items()[0])}, {"b c", item(type.items()[1])}});
      case Kind::union_type: {
        const auto tag = below(2);
        return b.tagged(static_cast<std::int64_t>(tag), item(type.items()[tag]));
      }
      default:
        break;
    }
    const auto dtype = static_cast<std::uint8_t>(type.dtype());
    const unsigned drop = 64 - 8 * dtype_size(dtype);
    if (dtype == POLYCODEC_DTYPE_BOOLEAN) return Builder::boolean(below(2) != 0);
    if (dtype == POLYCODEC_DTYPE_FLOAT64)
      return Builder::real(static_cast<double>(below(1000)) / 8 - 60);
    if (is_unsigned_integer(dtype)) return Builder::unsigned_integer(random() >> drop, dtype);
    return Builder::integer(static_cast<std::int64_t>(random()) >> drop, dtype);
  }

  void same(const polycodec_node& x, const polycodec_node& y, const std::string& what) {
    validate(&y, Limits{}, Validation::full);
    const auto found = first_difference(NodeView(&x), NodeView(&y));
    EXPECT_FALSE(found) << what << ": " << found->path << ": " << found->reason;
  }

  std::mt19937_64 random;
};

TEST_F(ConvertRandom, RoundTrips) {
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    random.seed(seed);
    const type::Type type = random_type(3);
    const auto list = items(below(6), type);
    const std::string what = "seed " + std::to_string(seed) + ", " + type::print(type);
    validate(&list, Limits{}, Validation::full);
    const auto* made = to_columns(View(&list), type, b);
    const auto columns = Builder::array(made);
    same(list, columns, what);
    same(list, to_document(View(&columns), b), what);
    // The rows in another order and some twice, in two chunks with an empty one between them.
    std::vector<std::int64_t> order;
    for (std::uint64_t i = 0; i < made->length * 2; ++i)
      order.push_back(static_cast<std::int64_t>(below(made->length)));
    auto* chosen = b.with_children(POLYCODEC_LAYOUT_INDEXED, order.size(), {{made}});
    chosen->index = Builder::column(std::span<const std::int64_t>(
        b.store_all(std::span<const std::int64_t>(order)), order.size()));
    auto* none = b.with_children(POLYCODEC_LAYOUT_INDEXED, 0, {{made}});
    const polycodec_array* chunks[] = {chosen, none, made};
    const auto* mixed = b.chunked(chunks);
    const auto source = Builder::array(mixed);
    validate(&source, Limits{}, Validation::full);
    same(source, Builder::array(materialize(*mixed, b)), what);
    same(source, to_document(View(&source), b), what);
  }
}

// Rows of numbers have a walk of their own. The one of all others is the reference.
class NumberRows : public ConvertRandom {
 protected:
  polycodec_node number(unsigned kind) {
    switch (kind) {
      case 0:
        return Builder::boolean(below(2) != 0);
      case 1:
        return Builder::real(static_cast<double>(below(1000)) / 8 - 60);
      case 2:
        return Builder::real32(static_cast<float>(below(1000)) / 4);
      case 3:
        return Builder::real16(static_cast<std::uint16_t>(below(0x7c00)));
      default:
        return item(kind < 8 ? type::scalar(POLYCODEC_DTYPE_INT8 + kind - 4)
                             : type::scalar(POLYCODEC_DTYPE_UINT8 + kind - 8));
    }
  }
  polycodec_node rows(std::uint64_t size, std::span<const unsigned> kinds) {
    polycodec_node* nodes;
    const auto list = b.list(size, &nodes);
    for (std::uint64_t i = 0; i < size; ++i) {
      std::vector<Member> members;
      for (std::size_t k = 0; k < kinds.size(); ++k)
        members.push_back({names[k], number(kinds[k])});
      nodes[i] = b.object(std::span<const Member>(members));
    }
    return list;
  }
  // Changes one thing of a row so that it is unlike the others, or looks so.
  void change(polycodec_node& row) {
    auto* const nodes = const_cast<polycodec_node*>(row.as.nodes);
    switch (below(8)) {
      case 0:
        nodes[1] = Builder::null();
        return;
      case 1:
        nodes[1] = b.string_copy("x");
        return;
      case 2:
        nodes[1] = number(static_cast<unsigned>(below(12)));
        return;
      case 3:
        nodes[0] = b.string_copy("other");
        return;
      case 4:
        nodes[0] = b.string_copy(NodeView(&nodes[0]).as_string());
        return;
      case 5:
        nodes[1] = b.annotated(nodes[1], b.object({{"unit", b.string_copy("cm")}}));
        return;
      case 6:
        row = b.list({nodes[1]});
        return;
      default:
        row = b.object({{"other", nodes[1]}});
    }
  }
  // What both walks make or say, with a budget that the walks before have used in part.
  void compare_ways(const polycodec_node& list, const Limits& limits, const std::string& what) {
    const auto way = [&](bool by_rows, std::uint64_t& work, std::uint64_t& memory) {
      Arena held;
      Builder out(held.abi());
      Budget budget(limits);
      const BudgetScope scope(budget);
      std::string said;
      try {
        const polycodec_array* made;
        if (by_rows) {
          made = to_columns(NodeView(&list), out, limits);
        } else {
          const type::Type whole = infer_type(NodeView(&list), limits);
          const type::Type& bare = whole.is(type::Kind::annotated) ? whole.element() : whole;
          made = to_columns(View(&list), bare.is_dim() ? bare.element() : type::any(), out, limits);
        }
        const auto node = Builder::array(made);
        work = budget.work();
        memory = held.reserved_bytes();
        validate(&node, Limits{}, Validation::full);
        said = to_text(NodeView(&node));
      } catch (const Error& e) {
        said = std::string(status_name(e.code())) + e.message() + e.detail();
      }
      return said;
    };
    std::uint64_t work = 0, other_work = 0, memory = 0, other_memory = 0;
    EXPECT_EQ(way(true, work, memory), way(false, other_work, other_memory)) << what;
    EXPECT_EQ(work, other_work) << what;
    EXPECT_LE(memory, other_memory + (std::uint64_t{4} << 20)) << what;
  }

  const std::vector<std::string> names{"a", "b c", "longer than eight", "d", "\xc3\xa4", "f"};
};

TEST_F(NumberRows, AreAsThoseOfAnyOtherRows) {
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    random.seed(seed);
    std::vector<unsigned> kinds(1 + below(names.size()));
    for (unsigned& kind : kinds) kind = static_cast<unsigned>(below(12));
    auto list = rows(1 + below(60), kinds);
    if (below(2) != 0)
      change(const_cast<polycodec_node&>(list.as.nodes[below(polycodec_node_size(&list))]));
    Limits limits;
    if (below(8) == 0) limits.max_work = below(3000);
    if (below(8) == 0) limits.max_elements = below(60);
    if (below(8) == 0) limits.max_depth = static_cast<std::uint32_t>(below(6));
    compare_ways(list, limits, "seed " + std::to_string(seed));
  }
}

TEST_F(NumberRows, ThatAreManyGiveBackWhatOneUnlikeRowWastes) {
  const unsigned kinds[] = {0, 1, 2, 7};
  auto list = rows(70000, kinds);
  compare_ways(list, {}, "all alike");
  for (const std::size_t row : {std::size_t{69999}, std::size_t{1500}, std::size_t{1}}) {
    change(const_cast<polycodec_node&>(list.as.nodes[row]));
    compare_ways(list, {}, "row " + std::to_string(row));
  }
}

TEST_F(NumberRows, KeepTheMetadataOfTheirList) {
  const unsigned kinds[] = {1, 7};
  const auto list = b.annotated(rows(3, kinds), b.object({{"unit", b.string_copy("cm")}}));
  const auto* made = to_columns(NodeView(&list), b);
  ASSERT_EQ(made->layout, POLYCODEC_LAYOUT_RECORD);
  same(list, Builder::array(made), "metadata");
  compare_ways(list, {}, "metadata");
}

}  // namespace
}  // namespace polycodec
