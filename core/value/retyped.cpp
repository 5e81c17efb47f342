// SPDX-License-Identifier: MIT
#include "core/value/retyped.hpp"

#include <base/depth.hpp>
#include <model/type/build.hpp>
#include <model/type/print.hpp>
#include <polycodec/dtype.hpp>
#include <polycodec/view.hpp>

#include "core/value/compare_text.hpp"
#include "core/value/host_meter.hpp"
#include "core/value/step.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace polycodec {
namespace {

using detail::is_number;
using detail::Step;

bool has_members(const View& item) noexcept {
  return item.is_object() || item.is_map();
}

bool has_unit(const View& item) noexcept {
  return item.kind() == POLYCODEC_KIND_TIMESTAMP || item.kind() == POLYCODEC_KIND_DURATION;
}

std::string time_text(bool timestamp, std::uint32_t unit) {
  return type::print(timestamp ? type::datetime(unit) : type::timedelta(unit));
}

/// The type of the elements of an array; of times with their unit.
std::string dtype_text(std::uint32_t dtype, std::uint32_t unit) {
  return is_time(dtype) ? time_text(dtype == POLYCODEC_DTYPE_TIMESTAMP64, unit)
                        : detail::dtype_text(dtype);
}

std::string type_text(const View& item) {
  if (is_number(item)) return detail::dtype_text(item.dtype());
  if (has_unit(item))
    return time_text(item.kind() == POLYCODEC_KIND_TIMESTAMP, item.as_time().unit);
  const std::string kind(kind_name(item.kind()));
  return is_fixed(item.dtype()) ? "fixed " + kind : kind;
}

class RetypedWalk {
 public:
  RetypedWalk(const Limits& limits, HostMeter& meter) : limits_(limits), meter_(meter) {}

  std::vector<Retyped> run(const View& a, const View& b) {
    compare(a, b, nullptr, 0);
    return std::move(found_);
  }

 private:
  // Steps are those to members alone: all items of a list have the path of the list.
  void compare(const View& a, const View& b, const Step* at, std::uint32_t depth) {
    if (found_.size() == max_retyped) return;
    if (depth > limits_.max_depth) throw depth_error(limits_.max_depth).path(detail::path_of(at));
    check_stack(depth);
    meter_.tick(4);
    if (a.kind() == POLYCODEC_KIND_REFERENCE) return compare(a.target(), b, at, depth + 1);
    if (b.kind() == POLYCODEC_KIND_REFERENCE) return compare(a, b.target(), at, depth + 1);
    if (is_number(a) && is_number(b)) return note_types(a, b, at);
    if (has_unit(a) && has_unit(b)) return times(a, b, at);
    if (a.is_list() && b.is_list()) return lists(a, b, at, depth);
    if (has_members(a) && has_members(b)) return members(a, b, at, depth);
    if (a.kind() != b.kind()) return;
    if (a.is_string() || a.is_binary()) return note_types(a, b, at);
    if (a.kind() != POLYCODEC_KIND_EXTENSION && a.kind() != POLYCODEC_KIND_UNION) return;
    compare(a.child(), b.child(), at, depth + 1);
  }

  [[gnu::noinline]] void times(const View& a, const View& b, const Step* at) {
    if (a.kind() != b.kind() || a.as_time().unit != b.as_time().unit)
      note(at, type_text(a), type_text(b));
  }

  void lists(const View& a, const View& b, const Step* at, std::uint32_t depth) {
    note_types(a, b, at);
    if (a.array() != nullptr && b.array() != nullptr &&
        columns(*a.array(), *b.array(), at, depth + 1))
      return;
    const auto x = a.elements(), y = b.elements();
    // Runs do not tell units: one item of each does.
    if (x && y && x->count != 0 && y->count != 0)
      return is_time(x->dtype) ? compare(a.child(0), b.child(0), at, depth + 1)
                               : note_dtypes(x->dtype, 0, y->dtype, 0, at);
    for (std::uint64_t i = 0, n = std::min(a.size(), b.size()); i < n; ++i)
      compare(a.child(i), b.child(i), at, depth + 1);
  }

  void members(const View& a, const View& b, const Step* at, std::uint32_t depth) {
    if (a.kind() != b.kind()) note_types(a, b, at);
    for (std::uint64_t i = 0, n = a.size(); i < n; ++i) {
      const auto other = counterpart(a, b, i);
      const Step step{at, &a, i, a.is_map() ? Step::part : Step::item, "value"};
      if (other) compare(a.child(i), *other, &step, depth + 1);
    }
  }

  /// What `b` has in the place of member i of `a`.
  std::optional<View> counterpart(const View& a, const View& b, std::uint64_t i) {
    if (a.is_map() || b.is_map())
      return a.kind() == b.kind() && i < b.size() ? std::optional(b.child(i)) : std::nullopt;
    if (i < b.size() && b.name(i) == a.name(i)) return b.child(i);
    meter_.tick(b.size());
    return b.find(a.name(i));
  }

  /// Compares the headers of two arrays. False if they say too little of the rows.
  bool columns(const polycodec_array& a, const polycodec_array& b, const Step* at,
               std::uint32_t depth) {
    if (depth > limits_.max_depth) return false;
    check_stack(depth);
    meter_.tick(4);
    if (a.length == 0 || b.length == 0) return true;
    if (const polycodec_array* inner = chosen(a)) return columns(*inner, b, at, depth + 1);
    if (const polycodec_array* inner = chosen(b)) return columns(a, *inner, at, depth + 1);
    if (a.layout == POLYCODEC_LAYOUT_NDARRAY && b.layout == POLYCODEC_LAYOUT_NDARRAY)
      return leaves(a, b, at);
    if (a.layout == POLYCODEC_LAYOUT_RECORD && b.layout == POLYCODEC_LAYOUT_RECORD)
      return records(a, b, at, depth);
    if (!is_list(a) || !is_list(b) || a.flags != b.flags) return false;
    return a.flags != 0 || columns(*a.children[0], *b.children[0], at, depth + 1);
  }

  bool leaves(const polycodec_array& a, const polycodec_array& b, const Step* at) {
    if (a.ndim != b.ndim || is_fixed(a.dtype) || is_fixed(b.dtype)) return false;
    note_dtypes(a.dtype, a.unit, b.dtype, b.unit, at);
    return true;
  }

  bool records(const polycodec_array& a, const polycodec_array& b, const Step* at,
               std::uint32_t depth) {
    if (a.n_children != b.n_children || a.names == nullptr || b.names == nullptr) return false;
    for (std::uint32_t i = 0; i < a.n_children; ++i)
      if (to_string_view(a.names[i]) != to_string_view(b.names[i])) return false;
    bool all = true;
    for (std::uint32_t i = 0; i < a.n_children; ++i) {
      const Step step{at, nullptr, i, Step::column, to_string_view(a.names[i])};
      all = columns(*a.children[i], *b.children[i], &step, depth + 1) && all;
    }
    return all;
  }

  static bool is_list(const polycodec_array& a) noexcept {
    return a.layout >= POLYCODEC_LAYOUT_LIST_OFFSETS && a.layout <= POLYCODEC_LAYOUT_LIST_FIXED;
  }
  /// What options and indices choose from; chunks may differ in type.
  static const polycodec_array* chosen(const polycodec_array& a) noexcept {
    const bool one = a.layout >= POLYCODEC_LAYOUT_OPTION_BYTES &&
                     (a.layout < POLYCODEC_LAYOUT_CHUNKED ||
                      (a.layout == POLYCODEC_LAYOUT_CHUNKED && a.n_children == 1));
    return one ? a.children[0] : nullptr;
  }

  void note_types(const View& a, const View& b, const Step* at) {
    if (a.kind() != b.kind() || a.dtype() != b.dtype()) note(at, type_text(a), type_text(b));
  }
  void note_dtypes(std::uint32_t a, std::uint32_t unit_of_a, std::uint32_t b,
                   std::uint32_t unit_of_b, const Step* at) {
    if (a != b || (is_time(a) && unit_of_a != unit_of_b))
      note(at, dtype_text(a, unit_of_a), dtype_text(b, unit_of_b));
  }
  [[gnu::noinline]] void note(const Step* at, std::string from, std::string to) {
    if (from == to || found_.size() == max_retyped) return;
    std::string path = detail::path_of(at);
    meter_.tick(64 + path.size());
    if (seen_.emplace(path, from, to).second)
      found_.push_back({std::move(path), std::move(from), std::move(to)});
  }

  const Limits& limits_;
  HostMeter& meter_;
  std::vector<Retyped> found_;
  std::set<std::tuple<std::string, std::string, std::string>> seen_;
};

}  // namespace

std::vector<Retyped> retyped_members(NodeView before, NodeView after, const Limits& limits,
                                     std::shared_ptr<Budget> budget) {
  HostMeter meter(before, limits, std::move(budget), after);
  return RetypedWalk(limits, meter).run(before, after);
}

}  // namespace polycodec
