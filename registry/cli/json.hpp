// SPDX-License-Identifier: MIT
// JSON that the command prints.
#pragma once

#include <polycodec/node_view.hpp>

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace polycodec {
class Builder;
}

namespace polycodec::cli {

/// A JSON value to be printed. Members keep their order.
class Json {
 public:
  using List = std::vector<Json>;
  using Object = std::vector<std::pair<std::string, Json>>;

  Json() = default;
  Json(std::nullptr_t) {}
  Json(std::same_as<bool> auto value) : value_(value) {}
  Json(std::integral auto value) requires(!std::same_as<decltype(value), bool>) {
    if constexpr (std::is_signed_v<decltype(value)>)
      value_ = static_cast<std::int64_t>(value);
    else
      value_ = static_cast<std::uint64_t>(value);
  }
  Json(double value) : value_(value) {}
  Json(const char* text) : Json(std::string_view(text)) {}
  Json(const std::string& text) : Json(std::string_view(text)) {}
  /// Bytes that are not UTF-8 become U+FFFD.
  Json(std::string_view text);
  Json(std::initializer_list<std::pair<std::string_view, Json>> members);
  /// Plain JSON of any depth.
  explicit Json(NodeView view);
  template <std::ranges::input_range Items>
  requires(!std::convertible_to<Items, std::string_view> &&
           !std::same_as<std::remove_cvref_t<Items>, Json>) Json(const Items& items)
      : value_(List()) {
    for (const auto& item : items) push_back(Json(item));
  }

  static Json list() { return Json(List()); }
  static Json object() { return Json(Object()); }

  void push_back(Json item) { std::get<List>(value_).push_back(std::move(item)); }
  /// The member `key`, which is added if need be. Null becomes an object.
  Json& operator[](std::string_view key);
  Json& back() { return std::get<List>(value_).back(); }
  bool empty() const;
  bool is_object() const { return std::holds_alternative<Object>(value_); }
  const Object& members() const { return std::get<Object>(value_); }

  /// See to_json(NodeView, indent).
  std::string text(unsigned indent) const;

 private:
  explicit Json(List items) : value_(std::move(items)) {}
  explicit Json(Object members) : value_(std::move(members)) {}
  polycodec_node node(Builder& out) const;

  std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string, List, Object>
      value_;
};

}  // namespace polycodec::cli
