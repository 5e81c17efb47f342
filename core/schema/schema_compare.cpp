// SPDX-License-Identifier: MIT
// Two schemas beside each other.
#include <base/depth.hpp>
#include <polycodec/error.hpp>
#include <polycodec/path.hpp>
#include <polycodec/quote.hpp>

#include "core/schema/schema.hpp"
#include "core/text/text.hpp"
#include "core/value/host_meter.hpp"
#include "core/value/value.hpp"
#include "node.hpp"
#include "rewrite.hpp"

#include <algorithm>
#include <set>
#include <vector>

namespace polycodec::schema {
namespace {

// Keywords that say nothing about values.
bool is_annotation(std::string_view keyword) {
  constexpr std::string_view annotations[] = {"title", "description", "$schema", "id",
                                              "definitions"};
  return std::find(std::begin(annotations), std::end(annotations), keyword) !=
         std::end(annotations);
}

std::string shown(NodeView value) {
  try {
    std::string text = to_json(value);
    if (text.size() > 80) text.replace(80, std::string::npos, "...");
    return text;
  } catch (const Error&) {
    return std::string(kind_name(value.kind()));
  }
}

class Comparison {
 public:
  using Result = std::optional<SchemaDifference>;

  explicit Comparison(HostMeter& meter) : meter_(meter) {}

  Result schemas(NodeView a, NodeView b, std::uint32_t depth = 0) {
    check_stack(depth);
    meter_.tick(8 + a.size() + b.size());
    if (!a.is_object() || !b.is_object()) return data(a, b);
    for (std::uint64_t i = 0; i < a.size(); ++i) {
      const std::string_view key = a.key(i).as_string();
      if (is_annotation(key) || key == "type" || key == "subtype") continue;
      const PathStep step(path_, key);
      const auto other = b.find(key);
      if (!other) return differ(quote(key) + " is in the first schema only: " + shown(a.value(i)));
      if (auto difference = keyword(key, a.value(i), *other, depth + 1)) return difference;
    }
    for (std::uint64_t i = 0; i < b.size(); ++i) {
      const std::string_view key = b.key(i).as_string();
      if (is_annotation(key) || key == "type" || key == "subtype" || a.find(key)) continue;
      const PathStep step(path_, key);
      return differ(quote(key) + " is in the second schema only: " + shown(b.value(i)));
    }
    return types(a, b);
  }

 private:
  Result differ(std::string reason) const { return SchemaDifference{path_, std::move(reason)}; }

  static std::set<std::string_view> words(NodeView schema, std::string_view key) {
    std::set<std::string_view> all;
    const auto found = schema.find(key);
    if (!found) return all;
    if (found->is_string()) all.insert(found->as_string());
    if (found->is_list())
      for (const polycodec_node& word : found->items())
        if (NodeView(&word).is_string()) all.insert(NodeView(&word).as_string());
    return all;
  }

  // `int` says the same as a scalar with subtype int.
  static void resolve_alias(std::set<std::string_view>& type, std::set<std::string_view>& subtype) {
    if (type.size() != 1 || !subtype.empty()) return;
    const auto word = word_named(*type.begin());
    if (!word || alias_subtype(*word) == Subtype::none) return;
    subtype = {name_of(alias_subtype(*word))};
    type = {name_of(Word::scalar)};
  }

  Result types(NodeView a, NodeView b) {
    auto type_a = words(a, "type"), type_b = words(b, "type");
    auto subtype_a = words(a, "subtype"), subtype_b = words(b, "subtype");
    resolve_alias(type_a, subtype_a);
    resolve_alias(type_b, subtype_b);
    const auto text = [](const std::set<std::string_view>& all) {
      std::string made;
      for (const std::string_view word : all)
        made += (made.empty() ? "" : " or ") + std::string(word);
      return made.empty() ? std::string("anything") : made;
    };
    if (type_a != type_b) {
      const PathStep step(path_, "type");
      return differ(text(type_a) + " and " + text(type_b));
    }
    if (subtype_a == subtype_b) return std::nullopt;
    const PathStep step(path_, "subtype");
    return differ(text(subtype_a) + " and " + text(subtype_b));
  }

  Result keyword(std::string_view key, NodeView a, NodeView b, std::uint32_t depth) {
    const Holds what = holds(key, a);
    if (what != holds(key, b)) return data(a, b);
    if (what == Holds::schema) return schemas(a, b, depth);
    if (what == Holds::schemas) return list(a, b, depth);
    if (what == Holds::map_of_schemas) return map(a, b, depth);
    if (key == "units" && a.is_string() && b.is_string())
      return same_units(a.as_string(), b.as_string()) ? std::nullopt
                                                      : differ(shown(a) + " and " + shown(b));
    if (key == "required" || key == "aliases" || key == "enum") return set(a, b);
    return data(a, b);
  }

  Result list(NodeView a, NodeView b, std::uint32_t depth) {
    if (a.size() != b.size())
      return differ(std::to_string(a.size()) + " and " + std::to_string(b.size()) + " schemas");
    for (std::uint64_t i = 0; i < a.size(); ++i) {
      const PathStep step(path_, i);
      if (auto difference = schemas(a[i], b[i], depth + 1)) return difference;
    }
    return std::nullopt;
  }

  Result map(NodeView a, NodeView b, std::uint32_t depth) {
    for (std::uint64_t i = 0; i < a.size(); ++i) {
      const std::string_view key = a.key(i).as_string();
      const PathStep step(path_, key);
      const auto other = b.find(key);
      if (!other) return differ("is in the first schema only");
      if (auto difference = schemas(a.value(i), *other, depth + 1)) return difference;
    }
    for (std::uint64_t i = 0; i < b.size(); ++i) {
      const std::string_view key = b.key(i).as_string();
      const PathStep step(path_, key);
      if (!a.find(key)) return differ("is in the second schema only");
    }
    return std::nullopt;
  }

  // Lists in any order.
  Result set(NodeView a, NodeView b) {
    if (!a.is_list() || !b.is_list() || a.size() != b.size()) return data(a, b);
    const auto texts = [](NodeView list) {
      std::multiset<std::string> all;
      for (const polycodec_node& item : list.items())
        all.insert(to_json(NodeView(&item), 0, UINT32_MAX));
      return all;
    };
    return texts(a) == texts(b) ? std::nullopt : data(a, b);
  }

  Result data(NodeView a, NodeView b) {
    CompareOptions options;
    options.numbers_by_value = true;
    options.unordered_objects = true;
    options.max_depth = UINT32_MAX;  // both were bounded when they were read
    if (equal(a, b, options)) return std::nullopt;
    return differ(shown(a) + " and " + shown(b));
  }

  HostMeter& meter_;
  std::string path_{path_root};
};

}  // namespace

std::optional<SchemaDifference> first_difference(const Schema& a, const Schema& b) {
  if (&a.program() == &b.program()) return std::nullopt;
  const NodeView first = a.program().document.view();
  const NodeView second = b.program().document.view();
  HostMeter meter(first, {}, nullptr, second);
  return Comparison(meter).schemas(first, second);
}

}  // namespace polycodec::schema
