// SPDX-License-Identifier: MIT
#include <base/depth.hpp>
#include <base/view_parts.hpp>
#include <model/type/build.hpp>
#include <model/type/print.hpp>
#include <polycodec/builder.hpp>
#include <polycodec/error.hpp>
#include <polycodec/items.h>
#include <polycodec/path.hpp>
#include <polycodec/quote.hpp>

#include "core/value/compare_number.hpp"
#include "core/value/compare_text.hpp"
#include "core/value/difference_list.hpp"
#include "core/value/host_meter.hpp"
#include "core/value/kept.hpp"
#include "core/value/same_rows.hpp"
#include "core/value/step.hpp"
#include "core/value/value.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

namespace polycodec {
namespace {

using detail::DifferenceList;
using detail::is_number;
using detail::KeptNotes;
using detail::Rows;
using detail::Step;
using Kind = DifferenceKind;

bool is_sequence(const View& item) {
  return item.kind() == POLYCODEC_KIND_LIST || item.kind() == POLYCODEC_KIND_TUPLE;
}

bool is_text(const View& item) {
  return item.is_string() || item.is_binary();
}

/// The walk over two values. Without `all` and `notes` it ends at the first difference; a false
/// result of its functions ends it.
class Comparison {
 public:
  Comparison(const CompareOptions& options, const Tolerance& tolerance, HostMeter& meter,
             DifferenceList* all, KeptNotes* notes = nullptr)
      : options_(options),
        tolerance_(tolerance),
        meter_(meter),
        all_(all),
        notes_(notes),
        same_rows_(options, tolerance, meter, notes) {}

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

  // Nothing with strings is in here: this frame is the one that the depth multiplies.
  bool compare(const View& a, const View& b, const Step* at, std::uint32_t depth) {
    if (depth > options_.max_depth) fail_depth(at);
    check_stack(depth);
    charge(8, at);
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
        return options_.unordered_objects ? compare_by_name(a, b, 0, at, depth, false)
                                          : compare_objects(a, b, at, depth);
      case POLYCODEC_KIND_MAP:
        return compare_maps(a, b, at, depth);
      case POLYCODEC_KIND_EXTENSION:
        return compare_names(a, b, at) &&
               compare_part(a.child(), b.child(), Part::payload, at, depth);
      case POLYCODEC_KIND_UNION:
        return compare_tags(a, b, at) &&
               compare_part(a.child(), b.child(), Part::member, at, depth);
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
    if (is_number(a) && is_number(b)) return compare_numbers(a, b, at);
    if (options_.lists_by_content) {
      if (a.kind() == POLYCODEC_KIND_REFERENCE || b.kind() == POLYCODEC_KIND_REFERENCE) {
        if (notes_ != nullptr) notes_->lower(Kept::same_items);
        return a.kind() == POLYCODEC_KIND_REFERENCE
                   ? compare(View(a.node()->as.node), b, at, depth + 1)
                   : compare(a, View(b.node()->as.node), at, depth + 1);
      }
      if (is_sequence(a) && is_sequence(b)) {
        note_kinds(a, b, at);
        return compare_lists(a, b, at, depth);
      }
    }
    if (has_members(a) && has_members(b)) note_kinds(a, b, at);
    if (!differ_in_kind(a, b, at)) return false;
    return !is_sequence(a) || !is_sequence(b) || compare_lists(a, b, at, depth);
  }

  static bool has_members(const View& item) { return item.is_object() || item.is_map(); }
  [[gnu::noinline]] void note_kinds(const View& a, const View& b, const Step* at) {
    if (notes_ != nullptr)
      notes_->types(at, kind_name(a.kind()), kind_name(b.kind()), Kept::same_items);
  }
  /// Of equal strings and bytes: whether their width is fixed.
  [[gnu::noinline]] void note_widths(const View& a, const View& b, const Step* at) {
    const auto word = [](const View& item) {
      return (is_fixed(item.dtype()) ? "fixed " : "") + std::string(kind_name(item.kind()));
    };
    notes_->types(at, word(a), word(b), Kept::same_items);
  }

  [[gnu::noinline]] bool compare_names(const View& a, const View& b, const Step* at) {
    return a.name() == b.name() || differ(at, Kind::type, [&] {
             return "extensions " + quote(a.name()) + " and " + quote(b.name());
           });
  }

  [[gnu::noinline]] bool compare_tags(const View& a, const View& b, const Step* at) {
    return a.tag() == b.tag() || differ(at, Kind::type, [&] {
             return "union tags " + std::to_string(a.tag()) + " and " + std::to_string(b.tag());
           });
  }

  [[gnu::noinline]] bool compare_leaves(const View& a, const View& b, const Step* at) {
    if (notes_ != nullptr && is_text(a) && a.dtype() != b.dtype()) note_widths(a, b, at);
    switch (a.kind()) {
      case POLYCODEC_KIND_STRING:
        return compare_strings(a.as_string(scratch_a_), b.as_string(scratch_b_), at);
      case POLYCODEC_KIND_BINARY:
        return compare_texts(a.as_bytes(), b.as_bytes(), "bytes", at);
      case POLYCODEC_KIND_TIMESTAMP:
      case POLYCODEC_KIND_DURATION:
        return compare_times(a, b, at);
      case POLYCODEC_KIND_REFERENCE:
        if (seen_.emplace(a.node()->as.node, b.node()->as.node).second)
          targets_.push_back({a.node()->as.node, b.node()->as.node, path(at)});
        return true;
      default:
        return differ(at, Kind::type, [] { return std::string("unknown kind"); });
    }
  }

  [[gnu::noinline]] bool compare_times(const View& a, const View& b, const Step* at) {
    const polycodec_time x = a.as_time(), y = b.as_time();
    if (notes_ != nullptr && x.unit != y.unit) note_units(a, x.unit, y.unit, at);
    return detail::same_time(x, y, a.kind() == POLYCODEC_KIND_TIMESTAMP,
                             options_.numbers_by_value) ||
           differ(at, Kind::value, [] { return std::string("different times"); });
  }
  [[gnu::noinline]] void note_units(const View& a, std::uint32_t from, std::uint32_t to,
                                    const Step* at) {
    const auto word = [&](std::uint32_t unit) {
      return type::print(a.kind() == POLYCODEC_KIND_TIMESTAMP ? type::datetime(unit)
                                                              : type::timedelta(unit));
    };
    notes_->types(at, word(from), word(to), Kept::same_numbers);
  }

  [[gnu::noinline]] bool compare_numbers(const View& a, const View& b, const Step* at) {
    bool by_value = options_.numbers_by_value ||
                    (options_.floats_by_value && (is_float(a.dtype()) || is_complex(a.dtype())));
    if (a.dtype() != b.dtype() && !(options_.numbers_by_value && is_number(a) && is_number(b))) {
      if (!differ_in_kind(a, b, at)) return false;
      if (!is_number(a) || !is_number(b)) return true;
      by_value = true;
    }
    if (notes_ != nullptr) note_number(a, b, at);
    if (by_value && is_number(a) ? detail::same_number(a, b) : detail::same_bits(a, b)) return true;
    double apart = 0;
    if (is_number(a)) {
      const detail::Deviation found = detail::deviation(a, b);
      if (detail::is_tolerated(found, tolerance_)) return true;
      apart = found.absolute;
    }
    return differ(
        at, Kind::value, [&] { return detail::numbers_text(a, b); }, apart);
  }

  void note_number(const View& a, const View& b, const Step* at) {
    if (a.dtype() != b.dtype()) return notes_->types(at, a.dtype(), b.dtype());
    if (!detail::same_bits(a, b)) notes_->lower(Kept::same_numbers);
  }

  // Short strings are shown whole.
  bool compare_strings(std::string_view a, std::string_view b, const Step* at) {
    if (std::max(a.size(), b.size()) > 40) return compare_texts(a, b, "strings", at);
    return a == b || differ(at, Kind::value, [&] { return quote(a) + " and " + quote(b); });
  }

  bool compare_texts(std::string_view a, std::string_view b, const char* what, const Step* at) {
    charge(std::min(a.size(), b.size()) / 16, at);
    if (a == b) return true;
    const auto place = static_cast<std::size_t>(
        std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
    return differ(at, Kind::value, [&] {
      return std::string(what) + " of " + std::to_string(a.size()) + " and " +
             std::to_string(b.size()) + " bytes, different from byte " + std::to_string(place) +
             " on";
    });
  }

  static constexpr std::uint64_t units_of_list = 24;
  static constexpr std::uint64_t units_of_column = 8;

  bool compare_lists(const View& a, const View& b, const Step* at, std::uint32_t depth) {
    charge(units_of_list, at);
    if (a.size() != b.size() && !differ_in_size(a, b, "items", at)) return false;
    const auto x = a.elements();
    const auto y = b.elements();
    if (x && y) {
      // The types of elements differ also where there are none.
      if (x->dtype != y->dtype && !is_fixed(x->dtype) && !is_fixed(y->dtype)) {
        if (!options_.numbers_by_value && (x->count == 0 || y->count == 0 || !continues()))
          return differ_in_elements(*x, *y, at);
        if (notes_ != nullptr && x->count == 0) notes_->types(at, x->dtype, y->dtype);
      }
      charge(std::min(x->count, y->count) * x->item_size / 16, at);
      if (x->count == y->count && same_memory(*x, *y)) return true;
    }
    return compare_items(a, b, std::min(a.size(), b.size()), at, depth);
  }

  bool are_same_rows(const Rows& a, const Rows& b, std::uint64_t n, const Step& first) try {
    meter_.tick(units_of_list);
    return same_rows_(a, b, n, first.up);
  } catch (const Error& e) {
    throw Error(e).path(path(&first));
  }

  // True of a leaf whose rows have no elements. It has any number of them without memory.
  static bool has_empty_rows(const polycodec_array* leaf) noexcept {
    return leaf != nullptr && leaf->layout == POLYCODEC_LAYOUT_NDARRAY && leaf->ndim > 1 &&
           std::find(leaf->shape + 1, leaf->shape + leaf->ndim, 0) != leaf->shape + leaf->ndim;
  }

  // Counts the numbers that differ in rows of two equal tables or arrays, where nothing else of
  // them is kept. False: the rows have to be compared one by one.
  bool count_rows(const View& a, const ViewParts::Items& x, const ViewParts::Items& y,
                  std::uint64_t first, std::uint64_t n, const Step* at) try {
    if (x.array == nullptr || y.array == nullptr || options_.unordered_objects) return false;
    counted_.clear();
    const auto count = [&](const Rows& p, const Rows& q, const Step& step) {
      const auto apart = same_rows_.apart(p, q, n);
      if (!apart) return false;
      if (apart->count == 0) return true;
      meter_.tick(64);
      const auto group = all_->counted(&step, prefix_, Kind::value);
      if (group) counted_.emplace_back(*group, *apart);
      return group.has_value();
    };
    const Step row{at, &a, first, Step::item, {}};
    if (x.array->layout != POLYCODEC_LAYOUT_RECORD) {
      if (!count({.array = x.array, .at = x.at + first}, {.array = y.array, .at = y.at + first},
                 row))
        return false;
    } else {
      if (!detail::are_same_columns(*x.array, *y.array) || x.array->names == nullptr ||
          (options_.metadata && (x.array->metadata != nullptr || y.array->metadata != nullptr)))
        return false;
      const View object = a.child(first);
      for (std::uint32_t c = 0; c < x.array->n_children; ++c)
        if (!count({.array = x.array->children[c], .at = x.at + first},
                   {.array = y.array->children[c], .at = y.at + first},
                   Step{&row, &object, c, Step::item, {}}))
          return false;
    }
    for (const auto& [group, apart] : counted_) all_->add(group, apart.count, apart.most);
    return true;
  } catch (const Error& e) {
    throw Error(e).path(path(at));
  }

  // Blocks of rows at once; only in those that may differ item by item.
  bool compare_items(const View& a, const View& b, std::uint64_t n, const Step* at,
                     std::uint32_t depth) {
    constexpr std::uint64_t block = 1024, worth_a_look = 16;
    // Inside of a block that may differ, short lists would be looked at once for each level.
    if (n < (is_in_block_ ? block : worth_a_look)) return compare_each(a, b, 0, n, at, depth);
    const auto x = ViewParts::items_of(a), y = ViewParts::items_of(b);
    if ((x.array == nullptr && x.nodes == nullptr) || (y.array == nullptr && y.nodes == nullptr))
      return compare_each(a, b, 0, n, at, depth);
    if (has_empty_rows(x.array) && has_empty_rows(y.array))
      return compare_each(a, b, 0, 1, at, depth);  // all are alike
    for (std::uint64_t i = 0, end = 0; i < n; i = end) {
      end = std::min(n, i + block);
      if (are_same_rows({.array = x.array, .nodes = x.nodes, .at = x.at + i},
                        {.array = y.array, .nodes = y.nodes, .at = y.at + i}, end - i,
                        Step{at, &a, i, Step::item, {}}))
        continue;
      if (all_ != nullptr && count_rows(a, x, y, i, end - i, at)) continue;
      const bool outer = std::exchange(is_in_block_, true);
      if (!compare_each(a, b, i, end, at, depth)) return false;
      is_in_block_ = outer;
    }
    return true;
  }

  bool compare_each(const View& a, const View& b, std::uint64_t first, std::uint64_t end,
                    const Step* at, std::uint32_t depth) {
    for (std::uint64_t i = first; i < end; ++i) {
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
      if (a.name(i) != b.name(i)) {
        if (!continues()) return differ_in_member(a, b, i, at);
        return compare_by_name(a, b, i, at, depth, true);
      }
      const Step step{at, &a, i, Step::item, {}};
      if (!compare(a.child(i), b.child(i), &step, depth + 1)) return false;
    }
    for (std::uint64_t i = common; i < std::max(a.size(), b.size()); ++i)
      if (!differ_missing(a.size() > b.size() ? a : b, a.size() > b.size(), i, at)) return false;
    return true;
  }

  static constexpr std::uint64_t units_of_order = 64;
  static constexpr std::uint64_t units_of_name = 8;

  // The members from `from` on in the order of their names.
  static std::vector<std::uint64_t> by_name(const View& object, std::uint64_t from) {
    std::vector<std::uint64_t> order(static_cast<std::size_t>(object.size() - from));
    std::iota(order.begin(), order.end(), from);
    std::stable_sort(order.begin(), order.end(), [&](std::uint64_t i, std::uint64_t j) {
      return object.name(i) < object.name(j);
    });
    return order;
  }

  // Compares the members from `from` on by their names. `ordered`: their order counts.
  bool compare_by_name(const View& a, const View& b, std::uint64_t from, const Step* at,
                       std::uint32_t depth, bool ordered) {
    charge(units_of_order + (a.size() - from + b.size() - from) * units_of_name, at);
    const auto x = by_name(a, from);
    const auto y = by_name(b, from);
    bool missing = false;
    for (std::size_t i = 0, j = 0; i < x.size() || j < y.size();) {
      const bool first_only = j >= y.size() || (i < x.size() && a.name(x[i]) < b.name(y[j]));
      const bool second_only = i >= x.size() || (j < y.size() && b.name(y[j]) < a.name(x[i]));
      if (first_only || second_only) {
        missing = true;
        if (!differ_missing(first_only ? a : b, first_only, first_only ? x[i++] : y[j++], at))
          return false;
        continue;
      }
      const Step step{at, &a, x[i], Step::item, {}};
      if (!compare(a.child(x[i++]), b.child(y[j++]), &step, depth + 1)) return false;
    }
    return missing || !ordered || differ_in_order(a, b, from, at);
  }

  bool compare_maps(const View& a, const View& b, const Step* at, std::uint32_t depth) {
    if (a.size() != b.size() && !differ_in_size(a, b, "entries", at)) return false;
    for (std::uint64_t i = 0, n = std::min(a.size(), b.size()); i < n; ++i) {
      const Step key{at, &a, i, Step::key, {}};
      if (!compare(a.key(i), b.key(i), &key, depth + 1)) return false;
      const Step value{at, &a, i, Step::item, {}};
      if (!compare(a.child(i), b.child(i), &value, depth + 1)) return false;
    }
    return true;
  }

  bool compare_part(const View& a, const View& b, Part which, const Step* at, std::uint32_t depth) {
    const Step step{at, nullptr, 0, Step::part, {}, which};
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
    if (empty(a) || empty(b)) return differ_in_attributes(empty(b), at);
    return compare_part(View(a), View(b), Part::attributes, at, depth);
  }

  // Attributes of the columns of two arrays, as far as both have the same columns.
  bool compare_columns(const polycodec_array& a, const polycodec_array& b, const Step* at,
                       std::uint32_t depth) {
    check_stack(depth);
    charge(units_of_column, at);
    const polycodec_array* x = content(&a);
    const polycodec_array* y = content(&b);
    if (x == nullptr || y == nullptr || x->layout != y->layout || depth > options_.max_depth)
      return true;
    if (x->layout == POLYCODEC_LAYOUT_RECORD) {
      if (!detail::are_same_columns(*x, *y)) return true;
      for (std::uint32_t i = 0; i < x->n_children; ++i) {
        const Step step{at, nullptr, i, Step::column,
                        x->names != nullptr ? to_string_view(x->names[i]) : std::string_view()};
        if (!compare_column(*x->children[i], *y->children[i], &step, depth)) return false;
      }
      return true;
    }
    if (x->layout < POLYCODEC_LAYOUT_LIST_OFFSETS || x->layout > POLYCODEC_LAYOUT_LIST_FIXED)
      return true;
    const Step step{at, nullptr, 0, Step::part, {}, Part::content};
    return compare_column(*x->children[0], *y->children[0], &step, depth);
  }

  bool compare_column(const polycodec_array& a, const polycodec_array& b, const Step* at,
                      std::uint32_t depth) {
    return compare_attribute_objects(attributes_of(&a), attributes_of(&b), at, depth + 1) &&
           compare_columns(a, b, at, depth + 1);
  }

  // What is behind options, indices and chunks: how rows are chosen does not matter.
  static const polycodec_array* inner(const polycodec_array* a) {
    return polycodec_is_choice(a) != 0 && a->n_children != 0 ? a->children[0] : nullptr;
  }
  static const polycodec_array* content(const polycodec_array* a) {
    for (const polycodec_array* next = inner(a); next != nullptr; next = inner(a)) a = next;
    return a;
  }
  static const polycodec_node* attributes_of(const polycodec_array* a) {
    while (a != nullptr && a->metadata == nullptr) a = inner(a);
    return a != nullptr ? a->metadata : nullptr;
  }

  [[gnu::noinline]] bool differ_in_kind(const View& a, const View& b, const Step* at) {
    return differ(at, Kind::type,
                  [&] { return detail::kind_text(a) + " and " + detail::kind_text(b); });
  }
  [[gnu::noinline]] bool differ_in_size(const View& a, const View& b, const char* what,
                                        const Step* at) {
    return differ(at, Kind::length, [&] {
      return std::to_string(a.size()) + " and " + std::to_string(b.size()) + " " + what;
    });
  }
  [[gnu::noinline]] bool differ_in_elements(const Elements& x, const Elements& y, const Step* at) {
    return differ(at, Kind::type, [&] {
      return "elements of " + detail::dtype_text(x.dtype) + " and " + detail::dtype_text(y.dtype);
    });
  }
  [[gnu::noinline]] bool differ_in_member(const View& a, const View& b, std::uint64_t i,
                                          const Step* at) {
    return differ(at, Kind::members, [&] {
      return "member " + std::to_string(i) + " is " + quote(a.name(i)) + " and " + quote(b.name(i));
    });
  }
  // The same members, from `from` on in another order.
  [[gnu::noinline]] bool differ_in_order(const View& a, const View& b, std::uint64_t from,
                                         const Step* at) {
    if (notes_ == nullptr) return differ_in_member(a, b, from, at);
    notes_->types(at, "object", "object with its members in another order", Kept::same_items);
    return true;
  }
  [[gnu::noinline]] bool differ_in_attributes(bool in_first, const Step* at) {
    return differ(at, Kind::attributes, [&] {
      return std::string("attributes in the ") + (in_first ? "first" : "second") + " value alone";
    });
  }
  // `holder` has member `i`, and the other object does not.
  [[gnu::noinline]] bool differ_missing(const View& holder, bool in_first, std::uint64_t i,
                                        const Step* at) {
    const auto reason = [&] {
      return "member " + quote(holder.name(i)) + " is missing in the " +
             (in_first ? "second" : "first") + " value";
    };
    if (notes_ == nullptr) return differ(at, Kind::members, reason);
    charge(64, at);
    const Step step{at, &holder, i, Step::item, {}};
    // A format whose types say which members there are has no other word for one that was absent.
    if (!in_first && holder.child(i).is_null()) {
      notes_->types(&step, "absent", "null", Kept::same_items);
      return true;
    }
    return notes_->difference(path(&step), true, reason);
  }
  // Returns true if the walk is to go on.
  template <class Reason>
  bool differ(const Step* at, Kind kind, const Reason& reason, double deviation = 0) {
    if (notes_ != nullptr) {
      charge(64, at);
      return notes_->difference(path(at), false, reason);
    }
    if (all_ == nullptr) {
      difference_ = Difference{path(at), reason()};
      return false;
    }
    charge(64, at);
    all_->add(at, prefix_, kind, reason, deviation);
    return true;
  }

  /// True if differences do not end the walk.
  bool continues() const noexcept { return all_ != nullptr || notes_ != nullptr; }

  std::string path(const Step* at) const { return detail::path_of(at, prefix_); }

  const CompareOptions& options_;
  const Tolerance& tolerance_;
  HostMeter& meter_;
  DifferenceList* const all_;
  KeptNotes* const notes_;
  detail::SameRows same_rows_;
  bool is_in_block_ = false;
  std::vector<std::pair<DifferenceGroup*, detail::SameRows::Apart>> counted_;
  std::optional<Difference> difference_;
  std::string prefix_{path_root};
  std::string scratch_a_, scratch_b_;
  std::vector<Target> targets_;
  std::set<std::pair<const polycodec_node*, const polycodec_node*>> seen_;
};

}  // namespace

namespace {

std::optional<Difference> run(const View& a, const View& b, const CompareOptions& options,
                              const Tolerance& tolerance, DifferenceList* all,
                              KeptNotes* notes = nullptr) {
  const polycodec_node x = node_around(a), y = node_around(b);
  Limits limits;
  limits.max_depth = options.max_depth;
  HostMeter meter(NodeView(&x), limits, options.budget, NodeView(&y));
  return Comparison(options, tolerance, meter, all, notes).run(a, b);
}

}  // namespace

std::optional<Difference> first_difference(const View& a, const View& b,
                                           const CompareOptions& options) {
  return run(a, b, options, {}, nullptr);
}

Differences all_differences(const View& a, const View& b, const CompareOptions& options,
                            const Tolerance& tolerance, const DifferenceBounds& bounds) {
  DifferenceList all(bounds);
  (void)run(a, b, options, tolerance, &all);
  return all.take();
}

KeptValue compare_kept(NodeView before, NodeView after, const Limits& limits,
                       std::shared_ptr<Budget> budget, const Covers& covers) {
  CompareOptions options;
  options.numbers_by_value = options.lists_by_content = true;
  options.metadata = false;
  options.max_depth = limits.max_depth;
  options.budget = std::move(budget);
  KeptNotes notes(covers);
  (void)run(View(before), View(after), options, {}, nullptr, &notes);
  return notes.take();
}

std::vector<Retyped> retyped_members(NodeView before, NodeView after, const Limits& limits,
                                     std::shared_ptr<Budget> budget) {
  return compare_kept(before, after, limits, std::move(budget),
                      [](std::string_view, bool) { return true; })
      .retyped;
}

}  // namespace polycodec
