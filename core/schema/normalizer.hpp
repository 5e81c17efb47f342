// SPDX-License-Identifier: MIT
// The walk that makes a value fit.
#pragma once

#include "cast.hpp"
#include "core/schema/schema.hpp"
#include "facet.hpp"
#include "node.hpp"
#include "validator.hpp"

#include <optional>
#include <string>

namespace polycodec::schema {

class Normalizer {
 public:
  Normalizer(Builder& out, const NormalizeOptions& options, HostMeter& meter, const Limits& limits)
      : out_(out), options_(options), meter_(meter), limits_(limits) {}

  /// What became of a part of the value; nothing if it did not change.
  using Changed = std::optional<polycodec_node>;

  /// Throws Error where `item` can't be made to fit. Bounds, patterns and the like are left to a
  /// validation of the result.
  Changed visit(const Node& node, const Item& item, std::uint32_t depth);

 private:
  struct Target;

  /// Charges so many steps.
  void spend(std::uint64_t steps) { meter_.tick(units_of_step * steps, path_); }
  [[noreturn]] void fail(Status status, std::string_view keyword, std::string reason) const;
  /// An item as a node, its own where it has one, with the unit that its container gave it.
  polycodec_node node_of(const Item& item, std::uint32_t depth = 0);
  /// What visit() made of `item`, ready to be looked at.
  Item item_of(const Changed& changed, const Item& item);
  void warning(std::string_view keyword, std::string reason);

  // Kinds (normalize.cpp, normalize_scalar.cpp)
  Changed unwrap(const Node& node, const Item& item);
  Changed wrap(const Node& node, const Item& item);
  Changed type(const Node& node, const Item& item);
  Changed as_word(Word word, const Item& item, const Facet& facet);
  Changed plain_number(bool integer, const Item& item, const Facet& facet);
  Changed from_text(bool integer, const Item& item);
  Changed typed(const TypedRules& rules, const Item& item);
  Changed logic(const LogicRules& rules, const Item& item, std::uint32_t depth);
  const Node* choose(const std::vector<const Node*>& nodes, const Item& item, std::uint32_t depth,
                     bool only_one, Changed& made);

  // Scalars and arrays (normalize_scalar.cpp, normalize_array.cpp)
  Changed scalar(const TypedRules& rules, const Item& item, const Facet& facet);
  Changed text(const TypedRules& rules, const Item& item, const Facet& facet);
  Changed array(const TypedRules& rules, const Item& item, const Facet& facet);
  /// The leaf with its attributes, or null if nothing changes.
  const polycodec_array* leaf(const TypedRules& rules, const Item& item, const Facet& facet);
  const polycodec_array* text_leaf(const TypedRules& rules, const Item& item, const Facet& facet);
  Target target_of(const TypedRules& rules, const Facet& facet, std::uint32_t dtype);
  const UnitConversion& conversion(std::string_view from, const std::string& to);
  const polycodec_node* attributes_of(const Item& item, std::optional<std::string_view> units,
                                      Encoding encoding, bool plain);
  /// The attributes of a container whose parts have got its unit.
  const polycodec_node* without_units(const View& item);
  polycodec_node annotated(polycodec_node node, const polycodec_node* attributes);

  /// Calls for every element of a leaf, with the path of the element.
  template <class Call>
  void each_element(const View& item, const Call& call);

  // Containers (normalize_containers.cpp)
  Changed list(const ListRules& rules, const Item& item, std::uint32_t depth);
  Changed table(const ListRules& rules, const Item& item, std::uint32_t depth);
  Changed object(const ObjectRules& rules, const Item& item, std::uint32_t depth);
  Changed call(const CallRules& rules, const Item& item, std::uint32_t depth);

  Builder& out_;
  const NormalizeOptions& options_;
  HostMeter& meter_;
  const Limits& limits_;
  std::string path_{path_root};
  // The conversion that was needed last: lists of quantities need the same again and again.
  std::string last_from_, last_to_;
  UnitConversion last_conversion_;
};

template <class Call>
void Normalizer::each_element(const View& item, const Call& call) {
  spend(1);
  if (!item.is_list()) return call(item);
  for (std::uint64_t i = 0; i < item.size(); ++i) {
    const PathStep step(path_, i);
    each_element(item.child(i), call);
  }
}

/// What numbers are to become.
struct Normalizer::Target {
  std::uint32_t dtype = 0;
  UnitConversion conversion;
  bool converts = false;
  const std::string* units = nullptr;  ///< to be written; null: as they are
};

/// The unit of a target as an attribute.
inline std::optional<std::string_view> text_of(const std::string* units) noexcept {
  return units == nullptr ? std::nullopt : std::optional<std::string_view>(*units);
}

}  // namespace polycodec::schema
