// SPDX-License-Identifier: MIT
#include <base/depth.hpp>
#include <model/type/build.hpp>
#include <polycodec/error.hpp>
#include <polycodec/quote.hpp>

#include "core/value/value.hpp"
#include "library.hpp"
#include "normalizer.hpp"

#include <algorithm>
#include <bit>
#include <memory>
#include <utility>

namespace polycodec::schema {
namespace {

constexpr std::uint64_t steps_of_a_failure = 64;  // an error costs as much as many steps

// Errors that say that one alternative does not fit; all others are nobody's alternative.
bool is_misfit(const Error& error) noexcept {
  return error.code() == Status::type || error.code() == Status::range ||
         error.code() == Status::invalid || error.code() == Status::unsupported;
}

bool is_container(const View& item) noexcept {
  return item.is_list() || item.is_object() || item.is_map();
}

constexpr Words list_words = bit(Word::array) | bit(Word::ndarray) | bit(Word::array_1d);

}  // namespace

void Normalizer::fail(Status status, std::string_view keyword, std::string reason) const {
  throw Error(status, std::move(reason)).detail("schema." + std::string(keyword)).path(path_);
}

void Normalizer::warning(std::string_view keyword, std::string reason) {
  if (options_.warnings != nullptr && options_.warnings->size() < max_warnings)
    options_.warnings->push_back({path_, std::string(keyword), std::move(reason)});
}

polycodec_node Normalizer::node_of(const Item& item, std::uint32_t depth) {
  const bool is_part = item.node() == nullptr && item.array() == nullptr;
  check_depth(depth, limits_.max_depth, path_);
  if (is_part && (item.is_object() || (item.is_list() && !item.elements()))) {
    // The columns of an array may have units, which their elements take along.
    spend(item.size() + 1);
    polycodec_node* nodes = nullptr;
    polycodec_node made =
        item.is_object() ? out_.object(item.size(), &nodes) : out_.list(item.size(), &nodes);
    made.kind = static_cast<std::uint8_t>(item.kind());
    for (std::uint64_t i = 0; i < item.size(); ++i) {
      if (item.is_object()) *nodes++ = Builder::string_view(item.name(i));
      *nodes++ = node_of(item.child(i), depth + 1);
    }
    return made;
  }
  if (is_part && item.kind() == POLYCODEC_KIND_UNION)
    return out_.tagged(item.tag(), node_of(item.child(), depth + 1));
  const polycodec_node node = is_part                  ? to_document(item, out_, limits_)
                              : item.node() != nullptr ? *item.node()
                                                       : Builder::array(item.array());
  // All elements of a part of a leaf have one unit.
  const Item inner = is_part && item.elements() && item.size() != 0 ? item.child(0) : item;
  const auto* attributes = item.metadata();
  if (inner.inherited_units() && (takes_units(inner) || is_container(inner)))
    attributes = attributes_of(item, inner.inherited_units(), Encoding::none, false);
  const bool own = item.array() != nullptr && attributes == item.array()->metadata;
  return attributes == nullptr || own ? node : out_.annotated(node, *attributes);
}

Item Normalizer::item_of(const Changed& changed, const Item& item) {
  return changed ? Item(View(out_.store(*changed))) : item;
}

Normalizer::Changed Normalizer::visit(const Node& reference, const Item& original,
                                      std::uint32_t depth) try {
  const Node& node = resolved(reference);
  check_depth(depth, limits_.max_depth, path_);
  spend(1);
  Changed changed;
  Item item = original;
  const auto apply = [&](Changed made) {
    if (!made) return;
    changed = made;
    item = item_of(changed, item);
  };
  if (node.wrapped.allowed) apply(unwrap(node, item));
  if (node.singular.allowed) apply(wrap(node, item));
  if (node.has_type()) apply(type(node, item));
  if (node.typed) apply(typed(*node.typed, item));
  if (node.list && item.is_list()) apply(list(*node.list, item, depth));
  if (node.object && item.kind() == POLYCODEC_KIND_OBJECT) apply(object(*node.object, item, depth));
  if (node.call && item.kind() == POLYCODEC_KIND_EXTENSION) apply(call(*node.call, item, depth));
  if (node.logic) apply(logic(*node.logic, item, depth));
  return changed;
} catch (Error& e) {
  if (e.path().empty()) e.path(path_);
  throw;
}

// [5] or {"x": 5} for 5.
Normalizer::Changed Normalizer::unwrap(const Node& node, const Item& item) {
  if (item.size() != 1 || (node.words & facet_of(item).words & ~bit(Word::any)) != 0)
    return std::nullopt;
  if (item.is_list() && node.wrapped.name.empty()) return node_of(item.child(0));
  if (item.kind() == POLYCODEC_KIND_OBJECT &&
      (node.wrapped.name.empty() || node.wrapped.name == item.name(0)))
    return node_of(item.child(0));
  return std::nullopt;
}

// 5 for [5] or {"x": 5}.
Normalizer::Changed Normalizer::wrap(const Node& node, const Item& item) {
  if (!item.is_list() && (node.words & list_words) != 0 &&
      !(node.words & facet_of(item).words & ~bit(Word::any))) {
    if (has(node.words, Word::array)) return out_.list({node_of(item)});
    if (item.dtype() == POLYCODEC_DTYPE_NONE || is_time(item.dtype()) ||
        item.dtype() == POLYCODEC_DTYPE_BOOLEAN)
      return std::nullopt;
    const View list(out_.store(out_.list({node_of(item)})));
    auto* array = const_cast<polycodec_array*>(
        to_columns(list, polycodec::type::scalar(item.dtype()), out_, limits_));
    array->metadata = attributes_of(item, std::nullopt, Encoding::none, false);
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
  return out_.object({Member{name, node_of(item)}});
}

Normalizer::Changed Normalizer::type(const Node& node, const Item& item) {
  const Facet facet = facet_of(item);
  if ((node.words & facet.words) != 0) return std::nullopt;
  if (fits_own_word(node, item, facet)) return std::nullopt;
  std::optional<Error> first;
  for (Words left = node.words; left != 0; left &= left - 1) {
    try {
      if (auto made = as_word(static_cast<Word>(std::countr_zero(left)), item, facet)) return made;
    } catch (const Error& error) {
      if (!is_misfit(error)) throw;
      if (!first) first = error;
      spend(steps_of_a_failure);
    }
  }
  if (first) throw *first;
  std::string wanted = joined(node.words);
  for (const std::string_view word : node.own_words)
    wanted += (wanted.empty() ? "" : " or ") + quote(word);
  fail(Status::type, "type",
       "wanted is " + wanted + ", and this is " + describe(facet) + ", which can't become it");
}

Normalizer::Changed Normalizer::as_word(Word word, const Item& item, const Facet& facet) {
  switch (word) {
    case Word::integer:
      return plain_number(true, item, facet);
    case Word::number:
      return plain_number(false, item, facet);
    case Word::string: {
      TypedRules rules;
      rules.subtype = Subtype::string;
      rules.encoding = Encoding::utf8;
      const Changed made =
          item.kind() == POLYCODEC_KIND_BINARY ? text(rules, item, facet) : std::nullopt;
      return made ? annotated(*made, attributes_of(item, std::nullopt, Encoding::none, true))
                  : made;
    }
    case Word::int_:
    case Word::uint_:
    case Word::float_:
    case Word::complex_:
    case Word::bytes:
    case Word::unicode: {
      if (!has(facet.words, Word::scalar)) return std::nullopt;
      TypedRules rules;
      rules.subtype = alias_subtype(word);
      return typed(rules, item);
    }
    case Word::ply:
    case Word::obj: {
      // A mesh says what it is by an attribute.
      if (item.kind() != POLYCODEC_KIND_OBJECT) return std::nullopt;
      const polycodec_node name = Builder::string_view(name_of(word));
      std::vector<Member> members{{attribute_type, name}};
      const polycodec_node node = node_of(item);
      const auto* own = View(&node).metadata();
      const NodeView all = own == nullptr ? NodeView() : NodeView(own);
      for (std::uint64_t i = 0; i < all.size(); ++i)
        if (all.key(i).as_string() != attribute_type)
          members.push_back({all.key(i).as_string(), *all.value(i).raw()});
      return annotated(node, out_.store(out_.object(std::span<const Member>(members))));
    }
    default:
      return std::nullopt;
  }
}

Normalizer::Changed Normalizer::logic(const LogicRules& rules, const Item& item,
                                      std::uint32_t depth) {
  Changed changed;
  Item current = item;
  const auto apply = [&](Changed made) {
    if (!made) return;
    changed = made;
    current = item_of(changed, current);
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
  Validator validator(none, 0, nullptr, meter_, limits_, path_);
  const Node* chosen = nullptr;
  for (const Node* node : nodes) {
    if (!validator.probe(*node, item, depth + 1)) continue;
    if (!only_one) return made.reset(), node;
    if (chosen != nullptr)
      fail(Status::invalid, "oneOf", "the value fits more than one of the schemas");
    chosen = node;
  }
  if (chosen != nullptr) return chosen;
  std::optional<Error> first;
  for (const Node* node : nodes) {
    try {
      Changed attempt = visit(*node, item, depth + 1);
      if (!validator.probe(*node, item_of(attempt, item), depth + 1)) continue;
      if (chosen != nullptr)
        fail(Status::invalid, "oneOf", "the value can be made to fit more than one of the schemas");
      chosen = node;
      made = attempt;
      if (!only_one) break;
    } catch (const Error& error) {
      if (!is_misfit(error) || chosen != nullptr) throw;
      if (!first) first = error;
      spend(steps_of_a_failure);
    }
  }
  if (chosen != nullptr) return chosen;
  fail(Status::invalid, only_one ? "oneOf" : "anyOf",
       "the value fits none of the " + std::to_string(nodes.size()) + " schemas" +
           (first ? "; the first one: " + first->message() : std::string()));
}

polycodec_node library::normalize(const Program& program, NodeView value, Builder& out,
                                  const NormalizeOptions& options, const Limits& limits) {
  HostMeter meter(value, limits);
  meter.charge(out);
  const auto changed = Normalizer(out, options, meter, limits).visit(*program.root, Item(value), 0);
  const polycodec_node* made = changed ? out.store(*changed) : value.raw();
  std::vector<Problem> problems;
  if (!Validator(problems, 1, options.warnings, meter, limits)
           .visit(*program.root, Item(View(made)), 0))
    throw Error(Status::invalid, problems.front().reason)
        .detail("schema." + problems.front().keyword)
        .path(problems.front().path);
  return *made;
}

}  // namespace polycodec::schema
