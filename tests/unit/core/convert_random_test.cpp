// SPDX-License-Identifier: MIT
// Random values of random types, from fixed seeds: into columns, back to nodes, and through every
// form between.
#include <model/type/build.hpp>
#include <model/type/print.hpp>

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

}  // namespace
}  // namespace polycodec
