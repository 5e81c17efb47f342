// SPDX-License-Identifier: MIT
// Plain JSON, written token by token or from a tree.
#pragma once

#include <base/text_out.hpp>
#include <polycodec/abi.h>

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polycodec {

class NodeView;

/// Writes the brackets, commas, colons and line breaks. The values go to out().
class JsonWriter {
 public:
  static constexpr unsigned compact = ~0u;

  /// `indent` 0 is one line, `compact` one line without spaces; otherwise each level is indented by
  /// so many spaces.
  JsonWriter(text::TextOut& out, unsigned indent) noexcept
      : out_(out),
        indent_(indent == compact ? 0 : indent),
        comma_(indent == 0 ? ", " : ","),
        colon_(indent == compact ? ":" : ": ") {}

  /// Goes on in the container that is open in `around`, in another place. `first`: at its start.
  JsonWriter(const JsonWriter& around, text::TextOut& out, bool first) noexcept
      : out_(out),
        indent_(around.indent_),
        comma_(around.comma_),
        colon_(around.colon_),
        depth_(around.depth_),
        first_(first) {}

  text::TextOut& out() noexcept { return out_; }
  /// True if each item has a line of its own.
  bool is_broken() const noexcept { return indent_ != 0; }
  void open(char bracket) {
    out_.put(bracket);
    ++depth_;
    first_ = true;
  }
  void close(char bracket) {
    --depth_;
    if (!first_) line();
    out_.put(bracket);
    first_ = false;
  }
  /// Goes before an item of a list.
  void item() {
    if (!first_) out_.put(comma_);
    first_ = false;
    line();
  }
  /// Items of the open container were written in another place.
  void passed() noexcept { first_ = false; }
  /// Begins a member. The name is UTF-8.
  void key(std::string_view name) {
    item();
    out_.put_quoted(name);
    out_.put(colon_);
  }

 private:
  void line() {
    if (indent_ != 0) out_.put_line(std::size_t{indent_} * depth_);
  }

  text::TextOut& out_;
  unsigned indent_;
  std::string_view comma_, colon_;
  std::size_t depth_ = 0;
  bool first_ = true;
};

/// `text` as a JSON string. Throws Error(invalid) for bytes that are not UTF-8.
std::string to_json_string(std::string_view text);

/// A JSON object in one line without spaces, of members whose values are JSON already.
class JsonObjectText {
 public:
  /// `json` is one value, which is not looked at. Throws as to_json_string() for the name.
  JsonObjectText& add(std::string_view name, std::string_view json);
  /// The whole. Nothing follows.
  std::string end() { return std::move(text_) + "}"; }

 private:
  std::string text_ = "{";
};

/// A JSON value to be printed. Members keep their order. In strings and keys, U+FFFD replaces bytes
/// that are not UTF-8.
class Json {
 public:
  using Object = std::vector<std::pair<std::string, Json>>;

  Json() = default;
  Json(std::nullptr_t) {}
  Json(std::same_as<bool> auto value) : kind_(POLYCODEC_KIND_BOOLEAN), number_(value) {}
  Json(std::integral auto value) requires(!std::same_as<decltype(value), bool>)
      : kind_(std::is_signed_v<decltype(value)> ? POLYCODEC_KIND_SIGNED : POLYCODEC_KIND_UNSIGNED),
        number_(static_cast<std::uint64_t>(value)) {}
  /// Numbers that are not finite become null.
  Json(double value) : kind_(POLYCODEC_KIND_FLOAT), real_(value) {}
  Json(const char* text) : Json(std::string_view(text)) {}
  Json(const std::string& text) : Json(std::string_view(text)) {}
  Json(std::string_view text) : kind_(POLYCODEC_KIND_STRING), text_(text) {}
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

  /// The text; `indent` is that of JsonWriter.
  std::string text(unsigned indent) const;

 private:
  explicit Json(polycodec_kind kind) : kind_(kind) {}
  void write(JsonWriter& to) const;

  polycodec_kind kind_ = POLYCODEC_KIND_NULL;
  std::uint64_t number_ = 0;  // also the bits of a signed one
  double real_ = 0;
  std::string text_;
  Object items_;  // of a list: without keys
};

}  // namespace polycodec
