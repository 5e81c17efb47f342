// SPDX-License-Identifier: MIT
// A part of a value with the unit that it has from its container.
#pragma once

#include <polycodec/view.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

namespace polycodec::schema {

/// Attributes that have a meaning here.
inline constexpr std::string_view attribute_units = "units";
inline constexpr std::string_view attribute_encoding = "encoding";
inline constexpr std::string_view attribute_type = "type";
inline constexpr std::string_view attribute_title = "title";

/// The text of an attribute; nothing if there is none of that name or it is not a text.
std::optional<std::string_view> attribute(const View& item, std::string_view name);

/// A View whose children know the unit of their list, array, column or object: it holds for all
/// numbers in it that have none of their own.
class Item : public View {
 public:
  Item() = default;
  explicit Item(const View& view, std::optional<std::string_view> outer = {}) noexcept
      : View(view), outer_units_(outer) {}

  /// The unit of what holds this.
  std::optional<std::string_view> outer_units() const noexcept { return outer_units_; }
  /// Its own unit, or else that of what holds it.
  std::optional<std::string_view> units() const;
  /// As outer_units(), if that is the unit of this: it has none of its own.
  std::optional<std::string_view> inherited_units() const;

  Item child(std::uint64_t i = 0) const;
  std::optional<Item> find(std::string_view name) const;

 private:
  std::optional<std::string_view> outer_units_;
};

}  // namespace polycodec::schema
