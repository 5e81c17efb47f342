// SPDX-License-Identifier: MIT
#include <base/depth.hpp>
#include <base/path.hpp>
#include <base/quote.hpp>
#include <polycodec/builder.hpp>
#include <polycodec/error.hpp>
#include <polycodec/value.hpp>

#include "core/value/compare_number.hpp"
#include "core/value/compare_text.hpp"
#include "core/value/host_meter.hpp"
#include "core/value/step.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

namespace polycodec {
namespace {

using detail::is_number;
using detail::Step;

bool is_sequence(const View& item) {
  return item.kind() == POLYCODEC_KIND_LIST || item.kind() == POLYCODEC_KIND_TUPLE;
}

class Comparison {
 public:
  Comparison(const CompareOptions& options, HostMeter& meter) : options_(options), meter_(meter) {}

  std::optional<Difference> run(const View& a, const View& b) {
    bool same = compare(a, b, nullptr, 0);
    // Targets are compared when the tree is done, so that chains of references do not nest.
    while (same && !targets_.empty()) {
      const Target next = std::move(targets_.back());
      targets_.pop_back();
      prefix_ = next.path + "<target>";
      same = compare(View(next.a), View(next.b), nullptr, 0);
    }
    return std::move(difference_);
  }

 private:
  struct Target {
    const polycodec_node* a;
    const polycodec_node* b;
    std::string path;
  };

  // Nothing with texts is in here: this frame is the one that the depth multiplies.
  bool compare(const View& a, const View& b, const Step* at, std::uint32_t depth) {
    if (depth > options_.max_depth) fail_depth(at);
    check_stack(depth);
    charge(4, at);
    if (options_.metadata && !compare_attributes(a, b, at, depth)) return false;
    if (a.kind() != b.kind()) return compare_kinds(a, b, at, depth);
    switch (a.kind()) {
      case POLYCODEC_KIND_NULL:
        return true;
      case POLYCODEC_KIND_BOOLEAN:
      case POLYCODEC_KIND_SIGNED:
      case POLYCODEC_KIND_UNSIGNED:
      case POLYCODEC_KIND_FLOAT:
      case POLYCODEC_KIND_WIDE:
        return compare_numbers(a, b, at);
      case POLYCODEC_KIND_LIST:
      case POLYCODEC_KIND_TUPLE:
        return compare_lists(a, b, at, depth);
      case POLYCODEC_KIND_OBJECT:
        return options_.unordered_objects ? compare_unordered(a, b, at, depth)
                                          : compare_objects(a, b, at, depth);
      case POLYCODEC_KIND_MAP:
        return compare_maps(a, b, at, depth);
      case POLYCODEC_KIND_EXTENSION:
        return compare_names(a, b, at) && compare_part(a.child(), b.child(), "payload", at, depth);
      case POLYCODEC_KIND_UNION:
        return compare_tags(a, b, at) && compare_part(a.child(), b.child(), "member", at, depth);
      default:
        return compare_leaves(a, b, at);
    }
  }

  void charge(std::uint64_t units, const Step* at) {
    try {
      meter_.tick(units);
    } catch (const Error& e) {
      throw Error(e).path(path(at));
    }
  }

  [[noreturn, gnu::noinline]] void fail_depth(const Step* at) const {
    throw depth_error(options_.max_depth).path(path(at));
  }

  [[gnu::noinline]] bool compare_kinds(const View& a, const View& b, const Step* at,
                                       std::uint32_t depth) {
    if (options_.numbers_by_value && is_number(a) && is_number(b))
      return detail::same_number(a, b) ||
             differ(at, detail::number_text(a) + " and " + detail::number_text(b));
    if (options_.lists_by_content) {
      if (a.kind() == POLYCODEC_KIND_REFERENCE)
        return compare(View(a.node()->as.node), b, at, depth + 1);
      if (b.kind() == POLYCODEC_KIND_REFERENCE)
        return compare(a, View(b.node()->as.node), at, depth + 1);
      if (is_sequence(a) && is_sequence(b)) return compare_lists(a, b, at, depth);
    }
    return differ(at, detail::kind_text(a) + " and " + detail::kind_text(b));
  }

  [[gnu::noinline]] bool compare_names(const View& a, const View& b, const Step* at) {
    return a.name() == b.name() ||
           differ(at, "extensions " + quote(a.name()) + " and " + quote(b.name()));
  }

  [[gnu::noinline]] bool compare_tags(const View& a, const View& b, const Step* at) {
    return a.tag() == b.tag() ||
           differ(at, "union tags " + std::to_string(a.tag()) + " and " + std::to_string(b.tag()));
  }

  [[gnu::noinline]] bool compare_leaves(const View& a, const View& b, const Step* at) {
    switch (a.kind()) {
      case POLYCODEC_KIND_STRING:
        return compare_texts(a.as_string(scratch_a_), b.as_string(scratch_b_), "strings", at);
      case POLYCODEC_KIND_BINARY:
        return compare_texts(a.as_bytes(), b.as_bytes(), "bytes", at);
      case POLYCODEC_KIND_TIMESTAMP:
      case POLYCODEC_KIND_DURATION:
        return detail::same_time(a.as_time(), b.as_time(), options_.numbers_by_value) ||
               differ(at, "different times");
      case POLYCODEC_KIND_REFERENCE:
        if (seen_.emplace(a.node()->as.node, b.node()->as.node).second)
          targets_.push_back({a.node()->as.node, b.node()->as.node, path(at)});
        return true;
      default:
        return differ(at, "unknown kind");
    }
  }

  [[gnu::noinline]] bool compare_numbers(const View& a, const View& b, const Step* at) {
    if (a.dtype() != b.dtype() && !(options_.numbers_by_value && is_number(a) && is_number(b)))
      return differ(at, detail::kind_text(a) + " and " + detail::kind_text(b));
    const bool by_value =
        options_.numbers_by_value ||
        (options_.floats_by_value && (is_float(a.dtype()) || is_complex(a.dtype())));
    const bool same =
        by_value && is_number(a) ? detail::same_number(a, b) : detail::same_bits(a, b);
    return same || differ(at, detail::number_text(a) + " and " + detail::number_text(b));
  }

  bool compare_texts(std::string_view a, std::string_view b, const char* what, const Step* at) {
    charge(std::min(a.size(), b.size()) / 16, at);
    if (a == b) return true;
    const auto place = static_cast<std::size_t>(
        std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
    return differ(at, std::string(what) + " of " + std::to_string(a.size()) + " and " +
                          std::to_string(b.size()) + " bytes, different from byte " +
                          std::to_string(place) + " on");
  }

  bool compare_lists(const View& a, const View& b, const Step* at, std::uint32_t depth) {
    if (a.size() != b.size()) return differ_in_size(a, b, "items", at);
    const auto x = a.elements();
    const auto y = b.elements();
    if (x && y) {
      // The types of elements differ also where there are none.
      if (x->dtype != y->dtype && !is_fixed(x->dtype) && !is_fixed(y->dtype) &&
          !options_.numbers_by_value)
        return differ_in_elements(*x, *y, at);
      charge(x->count * x->item_size / 16, at);
      if (same_memory(*x, *y)) return true;
    }
    for (std::uint64_t i = 0, n = a.size(); i < n; ++i) {
      const Step step{at, &a, i, Step::item, {}};
      if (!compare(a.child(i), b.child(i), &step, depth + 1)) return false;
    }
    return true;
  }

  // True if the elements are surely equal; false says nothing.
  bool same_memory(const Elements& x, const Elements& y) const {
    if (x.dtype != y.dtype || x.item_size != y.item_size || (is_time(x.dtype) || is_fixed(x.dtype)))
      return false;
    if (x.byte_order != y.byte_order && dtype_swap_width(x.dtype) != 1) return false;
    if (x.stride == y.stride && x.stride == static_cast<std::int64_t>(x.item_size))
      return x.count == 0 ||
             std::memcmp(x.data, y.data, static_cast<std::size_t>(x.count) * x.item_size) == 0;
    const std::byte* p = x.data;
    const std::byte* q = y.data;
    for (std::uint64_t i = 0; i < x.count; ++i, p += x.stride, q += y.stride)
      if (std::memcmp(p, q, x.item_size) != 0) return false;
    return true;
  }

  bool compare_objects(const View& a, const View& b, const Step* at, std::uint32_t depth) {
    const std::uint64_t common = std::min(a.size(), b.size());
    for (std::uint64_t i = 0; i < common; ++i) {
      if (a.name(i) != b.name(i)) return differ_in_member(a, b, i, at);
      const Step step{at, &a, i, Step::item, {}};
      if (!compare(a.child(i), b.child(i), &step, depth + 1)) return false;
    }
    if (a.size() == b.size()) return true;
    const View& longer = a.size() > b.size() ? a : b;
    return differ_missing(longer.name(common), at);
  }

  static std::vector<std::uint64_t> by_name(const View& object) {
    std::vector<std::uint64_t> order(static_cast<std::size_t>(object.size()));
    std::iota(order.begin(), order.end(), std::uint64_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::uint64_t i, std::uint64_t j) {
      return object.name(i) < object.name(j);
    });
    return order;
  }

  bool compare_unordered(const View& a, const View& b, const Step* at, std::uint32_t depth) {
    const auto x = by_name(a);
    const auto y = by_name(b);
    for (std::size_t i = 0; i < std::max(x.size(), y.size()); ++i) {
      const bool first_missing = i >= x.size() || (i < y.size() && b.name(y[i]) < a.name(x[i]));
      const bool second_missing = i >= y.size() || (i < x.size() && a.name(x[i]) < b.name(y[i]));
      if (first_missing || second_missing)
        return differ(at, "member " + quote(first_missing ? b.name(y[i]) : a.name(x[i])) +
                              " is missing on one side");
      const Step step{at, &a, x[i], Step::item, {}};
      if (!compare(a.child(x[i]), b.child(y[i]), &step, depth + 1)) return false;
    }
    return true;
  }

  bool compare_maps(const View& a, const View& b, const Step* at, std::uint32_t depth) {
    if (a.size() != b.size()) return differ_in_size(a, b, "entries", at);
    for (std::uint64_t i = 0, n = a.size(); i < n; ++i) {
      const Step key{at, &a, i, Step::key, {}};
      if (!compare(a.key(i), b.key(i), &key, depth + 1)) return false;
      const Step value{at, &a, i, Step::item, {}};
      if (!compare(a.child(i), b.child(i), &value, depth + 1)) return false;
    }
    return true;
  }

  bool compare_part(const View& a, const View& b, std::string_view word, const Step* at,
                    std::uint32_t depth) {
    const Step step{at, nullptr, 0, Step::part, word};
    return compare(a, b, &step, depth + 1);
  }

  bool compare_attributes(const View& a, const View& b, const Step* at, std::uint32_t depth) {
    const auto of = [](const View& item) {
      const polycodec_node* own = item.metadata();
      return own == nullptr && item.array() != nullptr ? attributes_of(item.array()) : own;
    };
    if (!compare_attribute_objects(of(a), of(b), at, depth)) return false;
    if (a.array() == nullptr || b.array() == nullptr) return true;
    return compare_columns(*a.array(), *b.array(), at, depth);
  }

  bool compare_attribute_objects(const polycodec_node* a, const polycodec_node* b, const Step* at,
                                 std::uint32_t depth) {
    const auto empty = [](const polycodec_node* n) {
      return n == nullptr || polycodec_node_size(n) == 0;
    };
    if (empty(a) && empty(b)) return true;
    if (empty(a) || empty(b)) return differ_in_attributes(at);
    return compare_part(View(a), View(b), "attributes", at, depth);
  }

  // Attributes of the columns of two arrays, as far as both have the same columns.
  bool compare_columns(const polycodec_array& a, const polycodec_array& b, const Step* at,
                       std::uint32_t depth) {
    check_stack(depth);
    const polycodec_array* x = content(&a);
    const polycodec_array* y = content(&b);
    if (x == nullptr || y == nullptr || x->layout != y->layout || depth > options_.max_depth)
      return true;
    if (x->layout == POLYCODEC_LAYOUT_RECORD) {
      if (x->n_children != y->n_children || (x->names == nullptr) != (y->names == nullptr))
        return true;
      for (std::uint32_t i = 0; i < x->n_children; ++i)
        if (x->names != nullptr && to_string_view(x->names[i]) != to_string_view(y->names[i]))
          return true;
      for (std::uint32_t i = 0; i < x->n_children; ++i) {
        const Step step{at, nullptr, i, Step::column,
                        x->names != nullptr ? to_string_view(x->names[i]) : std::string_view()};
        if (!compare_column(*x->children[i], *y->children[i], &step, depth)) return false;
      }
      return true;
    }
    if (x->layout < POLYCODEC_LAYOUT_LIST_OFFSETS || x->layout > POLYCODEC_LAYOUT_LIST_FIXED)
      return true;
    const Step step{at, nullptr, 0, Step::part, "content"};
    return compare_column(*x->children[0], *y->children[0], &step, depth);
  }

  bool compare_column(const polycodec_array& a, const polycodec_array& b, const Step* at,
                      std::uint32_t depth) {
    return compare_attribute_objects(attributes_of(&a), attributes_of(&b), at, depth + 1) &&
           compare_columns(a, b, at, depth + 1);
  }

  // What is behind options, indices and chunks: how rows are chosen does not matter.
  static const polycodec_array* inner(const polycodec_array* a) {
    const bool chosen =
        a->layout >= POLYCODEC_LAYOUT_OPTION_BYTES && a->layout <= POLYCODEC_LAYOUT_CHUNKED;
    return chosen && a->n_children != 0 ? a->children[0] : nullptr;
  }
  static const polycodec_array* content(const polycodec_array* a) {
    for (const polycodec_array* next = inner(a); next != nullptr; next = inner(a)) a = next;
    return a;
  }
  static const polycodec_node* attributes_of(const polycodec_array* a) {
    while (a != nullptr && a->metadata == nullptr) a = inner(a);
    return a != nullptr ? a->metadata : nullptr;
  }

  [[gnu::noinline]] bool differ_in_size(const View& a, const View& b, const char* what,
                                        const Step* at) {
    return differ(at, std::to_string(a.size()) + " and " + std::to_string(b.size()) + " " + what);
  }
  [[gnu::noinline]] bool differ_in_elements(const Elements& x, const Elements& y, const Step* at) {
    return differ(
        at, "elements of " + detail::dtype_text(x.dtype) + " and " + detail::dtype_text(y.dtype));
  }
  [[gnu::noinline]] bool differ_in_member(const View& a, const View& b, std::uint64_t i,
                                          const Step* at) {
    return differ(
        at, "member " + std::to_string(i) + " is " + quote(a.name(i)) + " and " + quote(b.name(i)));
  }
  [[gnu::noinline]] bool differ_in_attributes(const Step* at) {
    return differ(at, "attributes on one side only");
  }
  [[gnu::noinline]] bool differ_missing(std::string_view member, const Step* at) {
    return differ(at, "member " + quote(member) + " is missing on one side");
  }
  bool differ(const Step* at, std::string reason) {
    difference_ = Difference{path(at), std::move(reason)};
    return false;
  }

  std::string path(const Step* at) const { return detail::path_of(at, prefix_); }

  const CompareOptions& options_;
  HostMeter& meter_;
  std::optional<Difference> difference_;
  std::string prefix_{path_root};
  std::string scratch_a_, scratch_b_;
  std::vector<Target> targets_;
  std::set<std::pair<const polycodec_node*, const polycodec_node*>> seen_;
};

}  // namespace

std::optional<Difference> first_difference(const View& a, const View& b,
                                           const CompareOptions& options) {
  const polycodec_node x = node_around(a), y = node_around(b);
  Limits limits;
  limits.max_depth = options.max_depth;
  HostMeter meter(NodeView(&x), limits, options.budget, NodeView(&y));
  return Comparison(options, meter).run(a, b);
}

}  // namespace polycodec
