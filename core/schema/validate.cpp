// SPDX-License-Identifier: MIT
#include <base/array_view.hpp>
#include <base/depth.hpp>
#include <base/quote.hpp>
#include <polycodec/error.hpp>
#include <polycodec/value.hpp>

#include "library.hpp"
#include "validator.hpp"

#include <algorithm>

namespace polycodec::schema {
namespace {

constexpr std::uint64_t steps_for_any = std::uint64_t{1} << 20;
constexpr std::uint64_t steps_per_part = 256;

// Nodes and elements of a value, as far as a walk that is no deeper than the limit sees them.
std::uint64_t parts_of(NodeView value, std::uint32_t depth);

std::uint64_t parts_of(const polycodec_array& array, std::uint32_t depth) {
  std::uint64_t parts =
      array.layout == POLYCODEC_LAYOUT_NDARRAY ? ArrayView(array).element_count() : array.length;
  if (array.layout == POLYCODEC_LAYOUT_DOCUMENT && depth != 0)
    for (std::uint64_t i = 0; i < array.length; ++i)
      parts += parts_of(NodeView(&array.nodes[i]), depth - 1);
  for (std::uint32_t i = 0; depth != 0 && i < array.n_children; ++i)
    parts += parts_of(*array.children[i], depth - 1);
  return parts;
}

std::uint64_t parts_of(NodeView value, std::uint32_t depth) {
  if (depth == 0) return 1;
  std::uint64_t parts = 1;
  if (value.kind() == POLYCODEC_KIND_EXTENSION)
    return parts + parts_of(NodeView(value.as_extension().payload), depth - 1);
  if (value.is_array()) return parts + parts_of(value.as_array(), depth - 1);
  if (value.kind() == POLYCODEC_KIND_LIST || value.kind() == POLYCODEC_KIND_TUPLE)
    for (const polycodec_node& item : value.items()) parts += parts_of(NodeView(&item), depth - 1);
  if (value.kind() == POLYCODEC_KIND_OBJECT || value.kind() == POLYCODEC_KIND_MAP)
    for (std::uint64_t i = 0; i < value.size(); ++i) parts += parts_of(value.value(i), depth - 1);
  return parts;
}

}  // namespace

std::uint64_t Budget::steps_for(NodeView value, const Limits& limits) {
  const std::uint64_t parts = parts_of(value, limits.max_depth);
  return parts > (UINT64_MAX - steps_for_any) / steps_per_part
             ? UINT64_MAX
             : steps_for_any + parts * steps_per_part;
}

void Budget::spend(std::uint64_t count, const std::string& path) {
  if (count > steps)
    throw Error(Status::limit, "the schema takes more steps than such a value should need")
        .detail("schema.steps")
        .path(path);
  steps -= count;
}

bool Validator::fail(std::string_view keyword, std::string reason) {
  if (probing_ == 0 && problems_.size() < max_problems_)
    problems_.push_back({path_, std::string(keyword), std::move(reason)});
  return false;
}

bool Validator::probe(const Node& node, const Item& item, std::uint32_t depth) {
  ++probing_;
  const bool fits = visit(node, item, depth);
  --probing_;
  return fits;
}

bool Validator::visit(const Node& reference, const Item& item, std::uint32_t depth) {
  const Node& node = resolved(reference);
  check_depth(depth, limits_.max_depth, path_);
  budget_.spend(1, path_);
  bool fits = true;
  const auto also = [&](bool ok) {
    fits = ok && fits;
    return !stop(ok);
  };
  if (node.has_type() || node.typed) {
    const Facet facet = facet_of(item);
    if (node.has_type() && !type(node, item, facet)) return false;
    if (node.typed && !also(typed(node, item, facet))) return false;
  }
  if (node.numbers && !also(numbers(*node.numbers, item))) return false;
  if (node.texts && !also(texts(*node.texts, item))) return false;
  if (node.list && item.is_list() && !also(list(*node.list, item, depth))) return false;
  if (node.object && item.kind() == POLYCODEC_KIND_OBJECT &&
      !also(object(*node.object, item, depth)))
    return false;
  if (node.call && item.kind() == POLYCODEC_KIND_EXTENSION && !also(call(*node.call, item, depth)))
    return false;
  if (node.logic && !also(logic(*node.logic, item, depth))) return false;
  return fits;
}

bool Validator::type(const Node& node, const Item& item, const Facet& facet) {
  if ((node.words & facet.words) != 0) return true;
  if (fits_own_word(node, item, facet)) return true;
  if (probing_ != 0) return false;
  std::string wanted = joined(node.words);
  for (const std::string_view word : node.own_words)
    wanted += (wanted.empty() ? "" : " or ") + quote(word);
  return fail("type", "wanted is " + wanted + ", and this is " + describe(facet));
}

bool Validator::logic(const LogicRules& rules, const Item& item, std::uint32_t depth) {
  bool fits = true;
  for (const Node* node : rules.all_of) {
    const bool ok = visit(*node, item, depth + 1);
    fits = fits && ok;
    if (stop(ok)) return false;
  }
  if (!rules.any_of.empty() &&
      std::none_of(rules.any_of.begin(), rules.any_of.end(),
                   [&](const Node* n) { return probe(*n, item, depth + 1); }))
    fits = fail("anyOf",
                "the value fits none of the " + std::to_string(rules.any_of.size()) + " schemas");
  if (stop(fits)) return false;
  if (!rules.one_of.empty()) {
    const auto count = std::count_if(rules.one_of.begin(), rules.one_of.end(),
                                     [&](const Node* n) { return probe(*n, item, depth + 1); });
    if (count != 1)
      fits = fail("oneOf",
                  "the value fits " + (count == 0 ? std::string("none") : std::to_string(count)) +
                      " of the " + std::to_string(rules.one_of.size()) + " schemas instead of one");
  }
  if (stop(fits)) return false;
  if (rules.none_of != nullptr && probe(*rules.none_of, item, depth + 1))
    fits = fail("not", "the value fits the schema that it must not fit");
  if (stop(fits)) return false;
  return rules.choices ? choices(*rules.choices, item) && fits : fits;
}

bool Validator::choices(NodeView wanted, const Item& item) {
  CompareOptions options;
  options.numbers_by_value = true;
  options.unordered_objects = true;
  options.metadata = false;
  options.max_depth = limits_.max_depth;
  for (const polycodec_node& choice : wanted.items()) {
    budget_.spend(1, path_);
    if (equal(View(&choice), item, options)) return true;
  }
  return fail("enum",
              "the value is none of the " + std::to_string(wanted.size()) + " that are allowed");
}

std::vector<Problem> library::validate(const Program& program, NodeView value,
                                       const ValidateOptions& options, const Limits& limits) {
  std::vector<Problem> problems;
  Budget budget{options.max_steps != 0 ? options.max_steps : Budget::steps_for(value, limits)};
  Validator(problems, options.max_problems, options.warnings, budget, limits)
      .visit(*program.root, Item(value), 0);
  return problems;
}

}  // namespace polycodec::schema
