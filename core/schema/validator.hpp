// SPDX-License-Identifier: MIT
// The walk of a schema and a value beside each other.
#pragma once

#include <polycodec/path.hpp>

#include "core/call/limits.hpp"
#include "core/schema/schema.hpp"
#include "core/value/host_meter.hpp"
#include "facet.hpp"
#include "node.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace polycodec::schema {

/// No more warnings than this are kept: hostile values must not make hostile reports.
inline constexpr std::size_t max_warnings = 100;

/// Units of applying one schema to one part of a value.
inline constexpr std::uint64_t units_of_step = 16;

class Validator {
 public:
  /// `problems` gets up to `max_problems`.
  Validator(std::vector<Problem>& problems, std::size_t max_problems,
            std::vector<Problem>* warnings, HostMeter& meter, const Limits& limits,
            std::string path = std::string(path_root))
      : problems_(problems),
        max_problems_(max_problems),
        warnings_(warnings),
        meter_(meter),
        limits_(limits),
        path_(std::move(path)) {}

  /// True if `item` fits; otherwise there is a problem more, unless probing.
  bool visit(const Node& node, const Item& item, std::uint32_t depth);
  /// True if `item` fits; no problems are collected.
  bool probe(const Node& node, const Item& item, std::uint32_t depth);

 private:
  /// Charges so many steps.
  void spend(std::uint64_t steps) { meter_.tick(units_of_step * steps, path_); }
  bool fail(std::string_view keyword, std::string reason);
  /// The same for a reason that takes time to write.
  template <class Reason>
  bool wrong(std::string_view keyword, const Reason& reason) {
    return probing_ == 0 ? fail(keyword, reason()) : false;
  }
  /// True if check() is for every element of a leaf; as deep as the leaf has dimensions.
  template <class Check>
  bool each_element(const View& item, const Check& check) {
    spend(1);
    if (!item.is_list()) return check(item);
    bool fits = true;
    for (std::uint64_t i = 0; i < item.size() && !stop(fits); ++i) {
      const PathStep step(path_, i);
      fits = each_element(item.child(i), check) && fits;
    }
    return fits;
  }
  /// True if the walk may go on after `ok` turned out.
  bool stop(bool ok) const noexcept {
    return !ok && (probing_ != 0 || problems_.size() >= max_problems_);
  }

  bool type(const Node& node, const Item& item, const Facet& facet);
  bool typed(const Node& node, const Item& item, const Facet& facet);
  bool units(const TypedRules& rules, const Facet& facet);
  bool shape(const TypedRules& rules, const View& item);
  bool numbers(const NumberRules& rules, const View& item);
  bool number(const NumberRules& rules, const struct Number& number);
  bool texts(const TextRules& rules, const View& item);
  bool list(const ListRules& rules, const Item& item, std::uint32_t depth);
  bool each(const Node& node, const Item& item, std::uint64_t first, std::uint32_t depth);
  bool table(const ListRules& rules, const polycodec_array& table,
             std::optional<std::string_view> units, std::uint32_t depth);
  bool unique(const Item& item);
  bool object(const ObjectRules& rules, const Item& item, std::uint32_t depth);
  bool member(const ObjectRules& rules, std::string_view name, const Item& value,
              std::uint32_t depth);
  bool call(const CallRules& rules, const Item& item, std::uint32_t depth);
  bool logic(const LogicRules& rules, const Item& item, std::uint32_t depth);
  bool choices(NodeView wanted, const Item& item);

  std::vector<Problem>& problems_;
  std::size_t max_problems_;
  std::vector<Problem>* warnings_;
  HostMeter& meter_;
  const Limits& limits_;
  std::string path_;
  std::uint32_t probing_ = 0;
};

/// True for a table whose columns the tuple of `rules` describes: what stands for it in a message
/// is a list of arrays.
bool describes_columns(const ListRules& rules, const polycodec_array& table);

/// True if the first element answers for all elements of a leaf: the schema asks for types only.
bool is_type_only(const Node& node) noexcept;

/// A hash that is equal for values that numbers_by_value and unordered_objects call equal.
std::uint64_t value_hash(const View& item, std::uint32_t depth, HostMeter& meter);

}  // namespace polycodec::schema
