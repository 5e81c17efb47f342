// SPDX-License-Identifier: MIT
// Lists, tables, objects, and the arguments of calls.
#include <base/seeded_hash.hpp>
#include <base/stack.hpp>
#include <polycodec/array_view.hpp>
#include <polycodec/dtype.hpp>
#include <polycodec/error.hpp>
#include <polycodec/quote.hpp>

#include "core/value/value.hpp"
#include "number.hpp"
#include "validator.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <unordered_map>

namespace polycodec::schema {

bool is_type_only(const Node& reference) noexcept {
  const Node& node = resolved(reference);
  return !node.numbers && !node.texts && !node.list && !node.object && !node.logic && !node.call;
}

bool describes_columns(const ListRules& rules, const polycodec_array& table) {
  return rules.has_tuple && rules.tuple.size() == table.n_children &&
         std::all_of(rules.tuple.begin(), rules.tuple.end(), [](const Node* node) {
           const Words words = resolved(*node).words;
           return words != 0 && (words & ~(bit(Word::ndarray) | bit(Word::array_1d))) == 0;
         });
}

bool Validator::list(const ListRules& rules, const Item& item, std::uint32_t depth) {
  if (const polycodec_array* array = table_of(item);
      array != nullptr && describes_columns(rules, *array))
    return table(rules, *array, item.units(), depth);
  const std::uint64_t size = item.size();
  bool fits = true;
  if (size < rules.min_items)
    fits = fail("minItems", "the list has " + std::to_string(size) + " items, less than " +
                                std::to_string(rules.min_items));
  if (size > rules.max_items)
    fits = fail("maxItems", "the list has " + std::to_string(size) + " items, more than " +
                                std::to_string(rules.max_items));
  if (stop(fits)) return false;
  if (rules.each != nullptr) {
    fits = each(*rules.each, item, 0, depth) && fits;
  } else if (rules.has_tuple) {
    const std::uint64_t described = std::min<std::uint64_t>(size, rules.tuple.size());
    for (std::uint64_t i = 0; i < described && !stop(fits); ++i) {
      const PathStep step(path_, i);
      fits = visit(*rules.tuple[i], item.child(i), depth + 1) && fits;
    }
    if (stop(fits)) return false;
    if (rules.additional_each != nullptr)
      fits = each(*rules.additional_each, item, described, depth) && fits;
    else if (!rules.additional && size > described)
      fits = fail("additionalItems", "the list has " + std::to_string(size) +
                                         " items, and the schema describes " +
                                         std::to_string(described) + " and allows no more");
  }
  if (stop(fits)) return false;
  return rules.unique ? unique(item) && fits : fits;
}

bool Validator::each(const Node& node, const Item& item, std::uint64_t first, std::uint32_t depth) {
  const std::uint64_t size = item.size();
  if (first >= size) return true;
  const Node& rules = resolved(node);
  if (const auto run = item.elements(); run && !is_fixed(run->dtype) && is_type_only(rules)) {
    const PathStep step(path_, first);
    return visit(rules, item.child(first), depth + 1);
  }
  bool fits = true;
  for (std::uint64_t i = first; i < size && !stop(fits); ++i) {
    const PathStep step(path_, i);
    fits = visit(rules, item.child(i), depth + 1) && fits;
  }
  return fits;
}

bool Validator::table(const ListRules& rules, const polycodec_array& table,
                      std::optional<std::string_view> units, std::uint32_t depth) {
  bool fits = true;
  for (std::uint32_t i = 0; i < table.n_children && !stop(fits); ++i) {
    const Node& node = resolved(*rules.tuple[i]);
    const std::string_view name = ArrayView(table).name(i);
    const PathStep step(path_, name);
    if (const auto title = node.source.find(attribute_title); title && title->as_string() != name)
      fits = fail("title", "the column should be " + quote(title->as_string()));
    fits = visit(node, Item(ArrayView(*table.children[i]), units), depth + 1) && fits;
  }
  return fits;
}

bool Validator::unique(const Item& item) {
  CompareOptions options;
  options.numbers_by_value = true;
  options.unordered_objects = true;
  options.metadata = false;
  options.max_depth = limits_.max_depth;
  std::unordered_multimap<std::uint64_t, std::uint64_t> seen;
  for (std::uint64_t i = 0; i < item.size(); ++i) {
    const View one = item.child(i);
    const std::uint64_t hash = value_hash(one, limits_.max_depth, meter_);
    const auto [begin, end] = seen.equal_range(hash);
    for (auto at = begin; at != end; ++at) {
      spend(1);
      if (!equal(item.child(at->second), one, options)) continue;
      return fail("uniqueItems", "items " + std::to_string(at->second) + " and " +
                                     std::to_string(i) + " are equal");
    }
    seen.emplace(hash, i);
  }
  return true;
}

std::uint64_t value_hash(const View& item, std::uint32_t depth, HostMeter& meter) {
  const auto mixed = [](std::uint64_t a, std::uint64_t b) {
    a ^= b + 0x9e3779b97f4a7c15u + (a << 6) + (a >> 2);
    return a * 0xff51afd7ed558ccdu;
  };
  const SeededHash hashed;
  meter.tick(units_of_step);
  // What is too deep to be told apart is compared, which ends with an error.
  if (depth == 0 || is_stack_low()) return 0;
  if (const auto number = number_of(item)) {
    const double value = to_double(*number);
    // NaN equals NaN, and -0.0 equals 0.0.
    return std::isnan(value) ? 1 : hashed(std::bit_cast<std::uint64_t>(value == 0 ? 0.0 : value));
  }
  switch (item.kind()) {
    case POLYCODEC_KIND_STRING: {
      std::string scratch;
      return hashed(item.as_string(scratch));
    }
    case POLYCODEC_KIND_BINARY:
      return hashed(item.as_bytes()) + 1;
    case POLYCODEC_KIND_BOOLEAN:
      return item.as_bool() ? 2 : 3;
    case POLYCODEC_KIND_LIST:
    case POLYCODEC_KIND_TUPLE: {
      std::uint64_t hash = 5;
      for (std::uint64_t i = 0; i < item.size(); ++i)
        hash = mixed(hash, value_hash(item.child(i), depth - 1, meter));
      return hash;
    }
    case POLYCODEC_KIND_OBJECT: {
      std::uint64_t hash = 7;
      for (std::uint64_t i = 0; i < item.size(); ++i)
        hash += mixed(hashed(item.name(i)), value_hash(item.child(i), depth - 1, meter));
      return hash;
    }
    default:
      return static_cast<std::uint64_t>(item.kind());
  }
}

bool Validator::object(const ObjectRules& rules, const Item& item, std::uint32_t depth) {
  const std::uint64_t size = item.size();
  bool fits = true;
  if (size < rules.min_properties)
    fits = fail("minProperties", "the object has " + std::to_string(size) + " members, less than " +
                                     std::to_string(rules.min_properties));
  if (size > rules.max_properties)
    fits = fail("maxProperties", "the object has " + std::to_string(size) + " members, more than " +
                                     std::to_string(rules.max_properties));
  // One pass over the members, so that no schema makes it quadratic.
  SeededMap<std::string_view, std::uint64_t> members;
  const bool look_up = !rules.required.empty() || !rules.dependencies.empty();
  if (look_up) members.reserve(size);
  for (std::uint64_t i = 0; i < size && !stop(fits); ++i) {
    const std::string_view name = item.name(i);
    if (look_up) members.emplace(name, i);
    const PathStep step(path_, name);
    fits = member(rules, name, item.child(i), depth) && fits;
  }
  spend(rules.required.size() + rules.dependencies.size());
  for (const std::string_view name : rules.required) {
    if (stop(fits)) return false;
    if (!members.contains(name))
      fits = fail("required", "the member " + quote(name) + " is missing");
  }
  for (const ObjectRules::Dependency& dependency : rules.dependencies) {
    if (stop(fits)) return false;
    if (!members.contains(dependency.name)) continue;
    for (const std::string_view name : dependency.needs)
      if (!members.contains(name))
        fits = fail("dependencies",
                    "with " + quote(dependency.name) + " there must be " + quote(name));
    if (dependency.node != nullptr) fits = visit(*dependency.node, item, depth + 1) && fits;
  }
  return fits;
}

bool Validator::member(const ObjectRules& rules, std::string_view name, const Item& value,
                       std::uint32_t depth) {
  bool described = false;
  bool fits = true;
  if (const auto at = rules.by_name.find(name); at != rules.by_name.end()) {
    const Node& node = resolved(*rules.properties[at->second].node);
    described = true;
    if (node.deprecated && warnings_ != nullptr && probing_ == 0 &&
        warnings_->size() < max_warnings)
      warnings_->push_back(
          {path_, "deprecated",
           node.deprecation.empty() ? std::string("deprecated") : std::string(node.deprecation)});
    fits = visit(node, value, depth + 1);
  }
  for (const ObjectRules::PatternRule& pattern : rules.patterns) {
    if (stop(fits)) return false;
    spend(1);
    if (!pattern.pattern->is_in(name)) continue;
    described = true;
    fits = visit(*pattern.node, value, depth + 1) && fits;
  }
  if (described) return fits;
  if (rules.additional_each != nullptr) return visit(*rules.additional_each, value, depth + 1);
  if (rules.additional) return true;
  if (const auto at = rules.by_alias.find(name); at != rules.by_alias.end())
    return fail("additionalProperties", "the member is an alias of " +
                                            quote(rules.properties[at->second].name) +
                                            ", which only a normalized value has under its name");
  return fail("additionalProperties",
              "unknown property " + quote(name) + ": the schema allows no others");
}

bool Validator::call(const CallRules& rules, const Item& item, std::uint32_t depth) {
  const Item payload = item.child();
  bool fits = true;
  if (rules.class_name) {
    const auto name = payload.kind() == POLYCODEC_KIND_OBJECT ? payload.find("class")
                                                              : std::optional<Item>(payload);
    std::string scratch;
    if (!name || name->kind() != POLYCODEC_KIND_STRING ||
        name->as_string(scratch) != *rules.class_name)
      fits = fail("class", "wanted is the class " + quote(*rules.class_name));
  }
  if (payload.kind() != POLYCODEC_KIND_OBJECT) return fits;
  const auto part = [&](const Node* node, std::string_view name) {
    const auto found = payload.find(name);
    if (node == nullptr || stop(fits)) return;
    const PathStep step(path_, name);
    fits = (found ? visit(*node, *found, depth + 1) : fail(name, "the instance has none")) && fits;
  };
  part(rules.args, "args");
  part(rules.kwargs, "kwargs");
  return fits;
}

}  // namespace polycodec::schema
