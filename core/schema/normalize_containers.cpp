// SPDX-License-Identifier: MIT
// Lists, tables, objects, and the arguments of calls.
#include <base/seeded_hash.hpp>
#include <polycodec/array_view.hpp>
#include <polycodec/dtype.hpp>
#include <polycodec/error.hpp>
#include <polycodec/quote.hpp>

#include "core/value/value.hpp"
#include "normalizer.hpp"
#include "rewrite.hpp"
#include "validator.hpp"

#include <algorithm>
#include <vector>

namespace polycodec::schema {
namespace {

// True if a schema would change nothing in numbers of one dtype, whatever their values.
bool leaves_alone(const Node& node) noexcept {
  return is_type_only(node) && !node.wrapped.allowed && !node.singular.allowed;
}

}  // namespace

Changed Normalizer::list(const ListRules& rules, const Item& item, std::uint32_t depth) {
  if (const polycodec_array* array = table_of(item);
      array != nullptr && describes_columns(rules, *array))
    return table(rules, item);
  const std::uint64_t size = item.size();
  const std::uint64_t described =
      rules.has_tuple ? std::min<std::uint64_t>(size, rules.tuple.size()) : 0;
  const Node* rest = rules.each != nullptr ? rules.each
                     : rules.has_tuple     ? rules.additional_each
                                           : nullptr;
  const auto node_for = [&](std::uint64_t i) {
    return i < described ? rules.tuple[static_cast<std::size_t>(i)] : rest;
  };
  if (described == 0 && rest == nullptr) return std::nullopt;
  const auto run = item.elements();
  if (run && size != 0 && described == 0 && !is_fixed(run->dtype) &&
      leaves_alone(resolved(*rest))) {
    // Elements of one type: what the first one needs, all need. A whole leaf is cast in one go.
    std::vector<Problem> none;
    Validator validator(none, 0, nullptr, context_.meter(), context_.limits(), context_.path());
    const Node& node = resolved(*rest);
    const bool adds_units = node.typed && node.typed->units && !item.units();
    if (!adds_units && validator.probe(node, item.child(0), depth + 1)) return std::nullopt;
    if (leaf_of(item) != nullptr && node.typed &&
        (node.words == 0 || (node.words & facet_of(item.child(0)).words) != 0))
      return leaves_.typed(*node.typed, item);
  }
  std::vector<polycodec_node> made;
  for (std::uint64_t i = 0; i < size; ++i) {
    const Node* node = node_for(i);
    Changed changed;
    const Item child = item.child(i);
    if (node != nullptr) {
      const PathStep step(context_.path(), i);
      changed = visit(*node, child, depth + 1);
    }
    if (changed && made.empty()) {
      made.reserve(static_cast<std::size_t>(size));
      for (std::uint64_t before = 0; before < i; ++before)
        made.push_back(context_.node_of(item.child(before)));
    }
    if (changed || !made.empty()) made.push_back(changed ? *changed : context_.node_of(child));
  }
  if (made.empty()) return std::nullopt;
  const std::span<const polycodec_node> nodes(made);
  return context_.annotated(item.kind() == POLYCODEC_KIND_TUPLE ? context_.out().tuple(nodes)
                                                                : context_.out().list(nodes),
                            context_.without_units(item));
}

Changed Normalizer::table(const ListRules& rules, const Item& item) {
  const polycodec_array& record = *table_of(item);
  std::vector<const polycodec_array*> columns;
  bool any = false;
  for (std::uint32_t i = 0; i < record.n_children; ++i) {
    const Node& node = resolved(*rules.tuple[i]);
    const PathStep step(context_.path(), ArrayView(record).name(i));
    const Item column(ArrayView(*record.children[i]), item.units());
    const Facet facet = facet_of(column);
    const bool casts = node.typed && has(facet.words, Word::ndarray);
    const polycodec_array* made = casts ? leaves_.array(*node.typed, column, facet) : nullptr;
    any = any || made != nullptr;
    if (made == nullptr && column.inherited_units()) {
      polycodec_array* copy = context_.out().store(*record.children[i]);
      copy->metadata =
          context_.attributes_of(column, column.inherited_units(), Encoding::none, false);
      made = copy;
    }
    columns.push_back(made != nullptr ? made : record.children[i]);
  }
  if (!any) return std::nullopt;
  polycodec_array* made = context_.out().store(record);
  made->children = context_.out().store_all(std::span<const polycodec_array* const>(columns));
  made->metadata = context_.without_units(ArrayView(record));
  const polycodec_node* around =
      item.metadata() == record.metadata ? nullptr : context_.without_units(item);
  return context_.annotated(Builder::array(made), around);
}

Changed Normalizer::object(const ObjectRules& rules, const Item& item, std::uint32_t depth) {
  struct Made {
    std::string_view name;
    Item item;
    Changed changed;
  };
  std::vector<Made> members;
  members.reserve(static_cast<std::size_t>(item.size()));
  SeededMap<std::string_view, bool> present;  // names under which properties are there
  bool any = false;
  const bool needs_names = !rules.by_alias.empty() || context_.options().defaults != Defaults::none;
  if (needs_names)
    for (std::uint64_t i = 0; i < item.size(); ++i) present.emplace(item.name(i), false);
  for (std::uint64_t i = 0; i < item.size(); ++i) {
    std::string_view name = item.name(i);
    if (const auto at = rules.by_alias.find(name); at != rules.by_alias.end()) {
      const std::string_view real = rules.properties[at->second].name;
      const PathStep step(context_.path(), name);
      if (const auto other = present.emplace(real, true); !other.second)
        context_.fail(Status::invalid, "aliases",
                      other.first->second
                          ? "two aliases of " + quote(real) + " are given"
                          : "this is an alias of " + quote(real) + ", and both are given");
      context_.warning("aliases", "an alias of " + quote(real));
      name = real;
      any = true;
    }
    members.push_back({name, item.child(i), std::nullopt});
  }
  if (context_.options().defaults != Defaults::none) {
    context_.spend(rules.with_default.size());
    for (const std::size_t i : rules.with_default) {
      const Property& property = rules.properties[i];
      const Node& node = resolved(*property.node);
      if (present.contains(property.name) ||
          (context_.options().defaults == Defaults::required && !property.required))
        continue;
      // A copy: the value must not depend on the schema's life.
      const PathStep step(context_.path(), property.name);
      const polycodec_node copied =
          copy_document(*node.default_value, context_.out(), context_.limits());
      members.push_back({property.name, Item(View(context_.out().store(copied))), copied});
      any = true;
    }
  }
  for (Made& member : members) {
    const PathStep step(context_.path(), member.name);
    const auto apply = [&](const Node& node) {
      const Changed made = visit(node, member.item, depth + 1);
      if (!made) return;
      member.changed = made;
      member.item = context_.item_of(made, member.item);
      any = true;
    };
    bool described = false;
    if (const auto at = rules.by_name.find(member.name); at != rules.by_name.end()) {
      described = true;
      apply(*rules.properties[at->second].node);
    }
    for (const ObjectRules::PatternRule& pattern : rules.patterns) {
      context_.spend(1);
      if (!pattern.pattern->is_in(member.name)) continue;
      described = true;
      apply(*pattern.node);
    }
    if (!described && rules.additional_each != nullptr) apply(*rules.additional_each);
  }
  // Schemas that hold where a member is there apply to the object as a whole.
  Changed changed;
  if (any) {
    polycodec_node* nodes = nullptr;
    polycodec_node made = context_.out().object(members.size(), &nodes);
    for (const Made& member : members) {
      // Names of rows belong to the array, those of aliases and defaults to the schema: copied, all
      // of them live.
      *nodes++ = context_.out().string_copy(member.name);
      *nodes++ = member.changed ? *member.changed : context_.node_of(member.item);
    }
    changed = context_.annotated(made, context_.without_units(item));
  }
  Item current = context_.item_of(changed, item);
  for (const ObjectRules::Dependency& dependency : rules.dependencies) {
    if (dependency.node == nullptr || !current.find(dependency.name)) continue;
    const Changed made = visit(*dependency.node, current, depth + 1);
    if (!made) continue;
    changed = made;
    current = context_.item_of(changed, current);
  }
  return changed;
}

Changed Normalizer::call(const CallRules& rules, const Item& item, std::uint32_t depth) {
  const Item payload = item.child();
  if (payload.kind() != POLYCODEC_KIND_OBJECT || item.node() == nullptr) return std::nullopt;
  bool any = false;
  std::vector<Member> members;
  for (std::uint64_t i = 0; i < payload.size(); ++i) {
    const std::string_view name = payload.name(i);
    const Node* node = name == "args" ? rules.args : name == "kwargs" ? rules.kwargs : nullptr;
    Changed changed;
    const Item part = payload.child(i);
    if (node != nullptr) {
      const PathStep step(context_.path(), name);
      changed = visit(*node, part, depth + 1);
    }
    any = any || changed.has_value();
    members.push_back({name, changed ? *changed : context_.node_of(part)});
  }
  if (!any) return std::nullopt;
  const polycodec_node made = context_.annotated(
      context_.out().object(std::span<const Member>(members)), context_.without_units(payload));
  return context_.annotated(context_.out().extension(item.name(), made), item.metadata());
}

}  // namespace polycodec::schema
