// SPDX-License-Identifier: MIT
// JSON that the command prints.
#pragma once

#include <polycodec/node_view.hpp>

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polycodec {
class Builder;
}

namespace polycodec::cli {

/// A JSON value to be printed. Members keep their order.
class Json {
 public:
  using Object = std::vector<std::pair<std::string, Json>>;

  Json() = default;
  Json(std::nullptr_t) {}
  Json(std::same_as<bool> auto value) : kind_(POLYCODEC_KIND_BOOLEAN), number_(value) {}
  Json(std::integral auto value) requires(!std::same_as<decltype(value), bool>)
      : kind_(std::is_signed_v<decltype(value)> ? POLYCODEC_KIND_SIGNED : POLYCODEC_KIND_UNSIGNED),
        number_(static_cast<std::uint64_t>(value)) {}
  Json(double value) : kind_(POLYCODEC_KIND_FLOAT), real_(value) {}
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
      : kind_(POLYCODEC_KIND_LIST) {
    for (const auto& item : items) push_back(Json(item));
  }

  static Json list() { return Json(POLYCODEC_KIND_LIST); }
  static Json object() { return Json(POLYCODEC_KIND_OBJECT); }

  /// Of a list.
  void push_back(Json item) { items_.emplace_back(std::string(), std::move(item)); }
  /// The member `key`, which is added if need be. Null becomes an object.
  Json& operator[](std::string_view key);
  Json& back() { return items_.back().second; }
  bool empty() const { return items_.empty(); }
  bool is_object() const { return kind_ == POLYCODEC_KIND_OBJECT; }
  const Object& members() const { return items_; }

  /// See to_json(NodeView, indent).
  std::string text(unsigned indent) const;

 private:
  explicit Json(polycodec_kind kind) : kind_(kind) {}
  polycodec_node node(Builder& out) const;

  polycodec_kind kind_ = POLYCODEC_KIND_NULL;
  std::uint64_t number_ = 0;  // also the bits of a signed one
  double real_ = 0;
  std::string text_;
  Object items_;  // of a list: without keys
};

}  // namespace polycodec::cli
