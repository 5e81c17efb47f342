// SPDX-License-Identifier: MIT
// Casts, conversions of units and encodings.
#pragma once

#include "cast.hpp"
#include "facet.hpp"
#include "node.hpp"
#include "normalize_context.hpp"

#include <string>

namespace polycodec::schema {

/// Makes scalars, strings and arrays fit, which need no walk. Errors are thrown at the path of
/// `context`.
class LeafNormalizer {
 public:
  explicit LeafNormalizer(NormalizeContext& context) : context_(context) {}

  /// What `item` becomes where the type `word` is wanted; nothing where it can't become that.
  Changed as_word(Word word, const Item& item, const Facet& facet);
  Changed typed(const TypedRules& rules, const Item& item);
  /// The leaf with its attributes, or null if nothing changes.
  const polycodec_array* array(const TypedRules& rules, const Item& item, const Facet& facet);

 private:
  struct Target;

  Changed plain_number(bool integer, const Item& item, const Facet& facet);
  Changed from_text(bool integer, const Item& item);
  Changed scalar(const TypedRules& rules, const Item& item, const Facet& facet);
  Changed text(const TypedRules& rules, const Item& item, const Facet& facet);
  const polycodec_array* text_array(const TypedRules& rules, const Item& item, const Facet& facet);
  Target target_of(const TypedRules& rules, const Facet& facet, std::uint32_t dtype);
  const UnitConversion& conversion(std::string_view from, const std::string& to);

  /// Calls for every element of a leaf, with the path of the element.
  template <class Call>
  void each_element(const View& item, const Call& call);

  NormalizeContext& context_;
  // The conversion that was needed last: lists of quantities need the same again and again.
  std::string last_from_, last_to_;
  UnitConversion last_conversion_;
};

template <class Call>
void LeafNormalizer::each_element(const View& item, const Call& call) {
  context_.spend(1);
  if (!item.is_list()) return call(item);
  for (std::uint64_t i = 0; i < item.size(); ++i) {
    const PathStep step(context_.path(), i);
    each_element(item.child(i), call);
  }
}

/// What numbers are to become.
struct LeafNormalizer::Target {
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
