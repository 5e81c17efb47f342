// SPDX-License-Identifier: MIT
#include <base/depth.hpp>
#include <polycodec/error.hpp>
#include <polycodec/quote.hpp>

#include "core/schema/schema.hpp"
#include "core/value/value.hpp"
#include "validator.hpp"

#include <algorithm>

namespace polycodec::schema {
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

bool Validator::visit(const Node& reference, const Item& item, std::uint32_t depth) try {
  const Node& node = resolved(reference);
  check_depth(depth, limits_.max_depth, path_);
  spend(1);
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
} catch (Error& e) {
  if (e.path().empty()) e.path(path_);
  throw;
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
    spend(1);
    if (equal(View(&choice), item, options)) return true;
  }
  return fail("enum",
              "the value is not one of the " + std::to_string(wanted.size()) + " that are allowed");
}

std::vector<Problem> validate(const Schema& schema, NodeView value, const ValidateOptions& options,
                              const Limits& limits) {
  std::vector<Problem> problems;
  HostMeter meter(value, limits);
  Validator(problems, options.max_problems, options.warnings, meter, limits)
      .visit(*schema.program().root, Item(value), 0);
  return problems;
}

std::optional<Problem> first_problem(const Schema& schema, NodeView value, const Limits& limits) {
  ValidateOptions options;
  options.max_problems = 1;
  auto problems = validate(schema, value, options, limits);
  if (problems.empty()) return std::nullopt;
  return std::move(problems.front());
}

}  // namespace polycodec::schema
