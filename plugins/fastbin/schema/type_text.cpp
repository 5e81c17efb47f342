// SPDX-License-Identifier: MIT
#include "type_text.hpp"

#include <base/quote.hpp>
#include <polycodec/error.hpp>

#include <algorithm>
#include <cstddef>

namespace polycodec::fastbin {
namespace {

constexpr std::size_t max_alternatives = 255;

/// Where a type stands, which decides what it may be.
enum class Place : std::uint8_t { member, item, alternative, item_in_alternative };

class TypeParser {
 public:
  explicit TypeParser(std::string_view text) : text_(text) {}

  /// Nesting is bounded by what may stand in what: a variant, in it a vector, in it a name.
  WrittenType type(Place place) {
    const std::string_view word = next_word();
    if (word.empty())
      fail(at_ == text_.size() ? "a type is missing"
                               : "unexpected " + quote(std::string(1, text_[at_])));
    if (word == "vector") return vector(place);
    if (word == "Variant" || word == "variant") return variant(place);
    WrittenType type;
    if (word == "enum" || word == "struct") {
      type.kind = word == "enum" ? Kind::enumeration : Kind::structure;
      if (!take(':')) fail(quote(word) + " must be followed by ':' and a name");
      type.name = std::string(next_word());
      if (type.name.empty())
        fail("the name after " + quote(std::string(word) + ":") + " is missing");
      if (type.kind == Kind::structure && place == Place::item_in_alternative)
        fail("a variant cannot hold a vector of structs; put the vector in a struct");
      return type;
    }
    if (word == "string") {
      if (place == Place::item_in_alternative) fail("a variant cannot hold a vector of strings");
      type.kind = Kind::text;
      return type;
    }
    const auto primitive = primitive_from_name(word);
    if (!primitive) fail("unknown type " + quote(word) + hint(word));
    type.primitive = *primitive;
    return type;
  }

  void expect_end() {
    skip_blanks();
    if (at_ != text_.size()) fail(quote(text_.substr(at_)) + " stands behind the type");
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw Error(Status::option, what); }

  static std::string hint(std::string_view word) {
    constexpr std::pair<std::string_view, std::string_view> usual[] = {
        {"int", "int32"},   {"uint", "uint32"},  {"float", "float32"}, {"double", "float64"},
        {"str", "string"},  {"boolean", "bool"}, {"i32", "int32"},     {"i64", "int64"},
        {"f32", "float32"}, {"f64", "float64"},  {"String", "string"}, {"list", "vector<T>"}};
    for (const auto& [wrong, right] : usual)
      if (word == wrong) return "; did you mean " + quote(right) + "?";
    return {};
  }

  void skip_blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool take(char c) {
    skip_blanks();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  /// Letters, digits, underscores; also bytes beyond ASCII, so that messages show whole words.
  std::string_view next_word() {
    skip_blanks();
    const std::size_t start = at_;
    while (at_ < text_.size() &&
           std::string_view("<>,: ").find(text_[at_]) == std::string_view::npos)
      ++at_;
    return text_.substr(start, at_ - start);
  }

  WrittenType vector(Place place) {
    if (place == Place::item || place == Place::item_in_alternative)
      fail("a vector cannot hold vectors");
    if (!take('<')) fail("'vector' must be followed by '<' and the type of its items");
    WrittenType all;
    all.kind = Kind::vector;
    all.of.push_back(type(place == Place::alternative ? Place::item_in_alternative : Place::item));
    if (!take('>')) fail("'>' is missing behind the type of the items");
    return all;
  }

  WrittenType variant(Place place) {
    if (place == Place::alternative) fail("a variant cannot hold variants");
    if (place != Place::member) fail("a vector cannot hold variants; put the variant in a struct");
    if (!take('<')) fail("'Variant' must be followed by '<' and its alternatives");
    WrittenType all;
    all.kind = Kind::variant;
    std::vector<std::string> seen;
    do {
      skip_blanks();
      const std::size_t start = at_;
      all.of.push_back(type(Place::alternative));
      std::string text(text_.substr(start, at_ - start));
      std::erase(text, ' ');
      if (std::find(seen.begin(), seen.end(), text) != seen.end())
        fail(quote(text) + " stands twice in the variant: the second could never be chosen");
      seen.push_back(std::move(text));
      if (seen.size() > max_alternatives) fail("a variant has at most 255 alternatives");
    } while (take(','));
    if (!take('>')) fail("'>' is missing behind the alternatives");
    return all;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::string parse_type(std::string_view text, WrittenType& type) {
  try {
    TypeParser parser(text);
    type = parser.type(Place::member);
    parser.expect_end();
    return {};
  } catch (const Error& e) {
    return e.message();
  }
}

}  // namespace polycodec::fastbin
