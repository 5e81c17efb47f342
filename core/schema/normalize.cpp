// SPDX-License-Identifier: MIT
#include <base/depth.hpp>
#include <model/type/build.hpp>
#include <polycodec/error.hpp>
#include <polycodec/quote.hpp>

#include "core/schema/schema.hpp"
#include "core/value/value.hpp"
#include "normalizer.hpp"
#include "validator.hpp"

#include <algorithm>
#include <bit>

namespace polycodec::schema {
namespace {

constexpr std::uint64_t steps_of_a_failure = 64;  // an error costs as much as many steps

// Errors that say that one alternative does not fit; all others are nobody's alternative.
bool is_misfit(const Error& error) noexcept {
  return error.code() == Status::type || error.code() == Status::range ||
         error.code() == Status::invalid || error.code() == Status::unsupported;
}

constexpr Words list_words = bit(Word::array) | bit(Word::ndarray) | bit(Word::array_1d);

}  // namespace

Changed Normalizer::visit(const Node& reference, const Item& original, std::uint32_t depth) try {
  const Node& node = resolved(reference);
  check_depth(depth, context_.limits().max_depth, context_.path());
  context_.spend(1);
  Changed changed;
  Item item = original;
  const auto apply = [&](Changed made) {
    if (!made) return;
    changed = made;
    item = context_.item_of(changed, item);
  };
  if (node.wrapped.allowed) apply(unwrap(node, item));
  if (node.singular.allowed) apply(wrap(node, item));
  if (node.has_type()) apply(type(node, item));
  if (node.typed) apply(leaves_.typed(*node.typed, item));
  if (node.list && item.is_list()) apply(list(*node.list, item, depth));
  if (node.object && item.kind() == POLYCODEC_KIND_OBJECT) apply(object(*node.object, item, depth));
  if (node.call && item.kind() == POLYCODEC_KIND_EXTENSION) apply(call(*node.call, item, depth));
  if (node.logic) apply(logic(*node.logic, item, depth));
  return changed;
} catch (Error& e) {
  if (e.path().empty()) e.path(context_.path());
  throw;
}

// [5] or {"x": 5} for 5.
Changed Normalizer::unwrap(const Node& node, const Item& item) {
  if (item.size() != 1 || (node.words & facet_of(item).words & ~bit(Word::any)) != 0)
    return std::nullopt;
  if (item.is_list() && node.wrapped.name.empty()) return context_.node_of(item.child(0));
  if (item.kind() == POLYCODEC_KIND_OBJECT &&
      (node.wrapped.name.empty() || node.wrapped.name == item.name(0)))
    return context_.node_of(item.child(0));
  return std::nullopt;
}

// 5 for [5] or {"x": 5}.
Changed Normalizer::wrap(const Node& node, const Item& item) {
  if (!item.is_list() && (node.words & list_words) != 0 &&
      !(node.words & facet_of(item).words & ~bit(Word::any))) {
    if (has(node.words, Word::array)) return context_.out().list({context_.node_of(item)});
    if (item.dtype() == POLYCODEC_DTYPE_NONE || is_time(item.dtype()) ||
        item.dtype() == POLYCODEC_DTYPE_BOOLEAN)
      return std::nullopt;
    const View list(context_.out().store(context_.out().list({context_.node_of(item)})));
    auto* array = const_cast<polycodec_array*>(
        to_columns(list, polycodec::type::scalar(item.dtype()), context_.out(), context_.limits()));
    array->metadata = context_.attributes_of(item, std::nullopt, Encoding::none, false);
    return Builder::array(array);
  }
  if (!has(node.words, Word::object) || item.kind() == POLYCODEC_KIND_OBJECT) return std::nullopt;
  std::string_view name = node.singular.name;
  if (name.empty() && node.object) {
    if (node.object->properties.size() == 1)
      name = node.object->properties[0].name;
    else if (node.object->required.size() == 1)
      name = node.object->required[0];
  }
  if (name.empty()) return std::nullopt;
  return context_.out().object({Member{name, context_.node_of(item)}});
}

Changed Normalizer::type(const Node& node, const Item& item) {
  const Facet facet = facet_of(item);
  if ((node.words & facet.words) != 0) return std::nullopt;
  if (fits_own_word(node, item, facet)) return std::nullopt;
  std::optional<Error> first;
  for (Words left = node.words; left != 0; left &= left - 1) {
    try {
      if (auto made = leaves_.as_word(static_cast<Word>(std::countr_zero(left)), item, facet))
        return made;
    } catch (const Error& error) {
      if (!is_misfit(error)) throw;
      if (!first) first = error;
      context_.spend(steps_of_a_failure);
    }
  }
  if (first) throw *first;
  std::string wanted = joined(node.words);
  for (const std::string_view word : node.own_words)
    wanted += (wanted.empty() ? "" : " or ") + quote(word);
  context_.fail(
      Status::type, "type",
      "wanted is " + wanted + ", and this is " + describe(facet) + ", which can't become it");
}

Changed Normalizer::logic(const LogicRules& rules, const Item& item, std::uint32_t depth) {
  Changed changed;
  Item current = item;
  const auto apply = [&](Changed made) {
    if (!made) return;
    changed = made;
    current = context_.item_of(changed, current);
  };
  for (const Node* node : rules.all_of) apply(visit(*node, current, depth + 1));
  if (!rules.any_of.empty()) {
    Changed made;
    choose(rules.any_of, current, depth, false, made);
    apply(made);
  }
  if (!rules.one_of.empty()) {
    Changed made;
    choose(rules.one_of, current, depth, true, made);
    apply(made);
  }
  return changed;
}

// The first schema that the value fits as it is, else the first that it can be made to fit. With
// `only_one`, no second one may do as well.
const Node* Normalizer::choose(const std::vector<const Node*>& nodes, const Item& item,
                               std::uint32_t depth, bool only_one, Changed& made) {
  std::vector<Problem> none;
  Validator validator(none, 0, nullptr, context_.meter(), context_.limits(), context_.path());
  const Node* chosen = nullptr;
  for (const Node* node : nodes) {
    if (!validator.probe(*node, item, depth + 1)) continue;
    if (!only_one) return made.reset(), node;
    if (chosen != nullptr)
      context_.fail(Status::invalid, "oneOf", "the value fits more than one of the schemas");
    chosen = node;
  }
  if (chosen != nullptr) return chosen;
  std::optional<Error> first;
  for (const Node* node : nodes) {
    try {
      Changed attempt = visit(*node, item, depth + 1);
      if (!validator.probe(*node, context_.item_of(attempt, item), depth + 1)) continue;
      if (chosen != nullptr)
        context_.fail(Status::invalid, "oneOf",
                      "the value can be made to fit more than one of the schemas");
      chosen = node;
      made = attempt;
      if (!only_one) break;
    } catch (const Error& error) {
      if (!is_misfit(error) || chosen != nullptr) throw;
      if (!first) first = error;
      context_.spend(steps_of_a_failure);
    }
  }
  if (chosen != nullptr) return chosen;
  context_.fail(Status::invalid, only_one ? "oneOf" : "anyOf",
                "the value fits none of the " + std::to_string(nodes.size()) + " schemas" +
                    (first ? "; the first one: " + first->message() : std::string()));
}

polycodec_node normalize(const Schema& schema, NodeView value, Builder& out,
                         const NormalizeOptions& options, const Limits& limits) {
  const Node& root = *schema.program().root;
  HostMeter meter(value, limits);
  meter.charge(out);
  NormalizeContext context(out, options, meter, limits);
  const auto changed = Normalizer(context).visit(root, Item(value), 0);
  const polycodec_node* made = changed ? out.store(*changed) : value.raw();
  std::vector<Problem> problems;
  if (!Validator(problems, 1, options.warnings, meter, limits).visit(root, Item(View(made)), 0))
    throw Error(Status::invalid, problems.front().reason)
        .detail("schema." + problems.front().keyword)
        .path(problems.front().path);
  return *made;
}

Value normalize(const Schema& schema, Value&& value, const NormalizeOptions& options,
                const Limits& limits) {
  const auto source = std::make_shared<Value>(std::move(value));
  try {
    Value made = Value::build(
        [&](Builder& out) { return normalize(schema, source->view(), out, options, limits); },
        limits.memory_for(UINT64_MAX));
    made.keep(source);
    return made;
  } catch (...) {
    value = std::move(*source);
    throw;
  }
}

}  // namespace polycodec::schema
