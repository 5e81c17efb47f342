// SPDX-License-Identifier: MIT
#include "names.hpp"

#include <base/words.hpp>
#include <polycodec/error.hpp>
#include <polycodec/quote.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <string_view>

namespace polycodec::fastbin {
namespace {

constexpr std::string_view class_members = "buffer buffer_size owns_buffer";

constexpr bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
constexpr bool is_identifier(std::string_view name) {
  return !name.empty() && is_letter(name.front()) &&
         std::all_of(name.begin(), name.end(),
                     [](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

}  // namespace

std::string name_problem(std::string_view name) {
  if (name.empty()) return "the name is empty";
  const std::string quoted = quote(name);
  if (!is_identifier(name))
    return quoted +
           " is not a name: expected letters, digits and underscores, not starting with a digit";
  if (has_word(class_members, name) || name.starts_with("fastbin_"))
    return quoted + " is a reserved name: generated classes have members called so";
  return {};
}

std::string namespace_problem(std::string_view name_space) {
  constexpr std::string_view separator = "::";
  std::size_t begin = 0;
  for (;;) {
    const std::size_t end = name_space.find(separator, begin);
    std::string problem = name_problem(name_space.substr(begin, end - begin));
    if (!problem.empty() || end == name_space.npos) return problem;
    begin = end + separator.size();
  }
}

namespace {

struct Integer {
  bool negative = false;
  std::uint64_t magnitude = 0;
};

bool read_literal(std::string_view text, Integer& value) {
  if (text.size() == 3 && text.front() == '\'' && text.back() == '\'') {
    value.magnitude = static_cast<unsigned char>(text[1]);
    return text[1] != '\\' && text[1] != '\'';
  }
  value.negative = text.starts_with('-');
  if (value.negative) text.remove_prefix(1);
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) base = 16;
  if (text.starts_with("0b") || text.starts_with("0B")) base = 2;
  if (base != 10) text.remove_prefix(2);
  // A leading zero would be octal in C++.
  if (text.empty() || (base == 10 && text.size() > 1 && text.front() == '0')) return false;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value.magnitude, base);
  return error == std::errc() && end == text.data() + text.size();
}

std::string out_of_range(const Integer& value, Primitive storage) {
  return (value.negative ? "-" : "") + std::to_string(value.magnitude) + " does not fit in " +
         std::string(primitive_name(storage));
}

}  // namespace

std::string read_enum_value(const JsonNode& node, Primitive storage, std::uint64_t& bits) {
  Integer value;
  if (node.kind == JsonNode::Kind::integer) {
    value = {node.negative, node.magnitude};
  } else if (node.kind == JsonNode::Kind::boolean && storage == Primitive::boolean) {
    value.magnitude = node.boolean ? 1 : 0;
  } else if (node.kind != JsonNode::Kind::text || !read_literal(node.text, value)) {
    // Integers beyond 64 bits are read as numbers with a fraction.
    if (node.kind == JsonNode::Kind::real &&
        node.text.find_first_not_of("-0123456789") == std::string::npos)
      return node.text + " does not fit in " + std::string(primitive_name(storage));
    return std::string("the value must be an integer, not ") +
           (node.kind == JsonNode::Kind::text ? quote(node.text) : std::string(node.kind_text()));
  }
  const std::uint32_t width = 8 * native_size(storage);
  const std::uint64_t all = width == 64 ? UINT64_MAX : (std::uint64_t{1} << width) - 1;
  // The greatest value, and the greatest magnitude of a negative one.
  const std::uint64_t most = storage == Primitive::boolean ? 1
                             : is_signed(storage)          ? all >> 1
                                                           : all;
  const std::uint64_t least = storage == Primitive::character ? 128
                              : is_signed(storage)            ? (all >> 1) + 1
                                                              : 0;
  if (value.magnitude > (value.negative ? least : most)) return out_of_range(value, storage);
  bits = (value.negative ? std::uint64_t{0} - value.magnitude : value.magnitude) & all;
  return {};
}

namespace {

constexpr std::size_t max_alternatives = 255;

/// Where a type is, which decides what it may be.
enum class Place : std::uint8_t { member, item, alternative, item_in_alternative };

class TypeParser {
 public:
  explicit TypeParser(std::string_view text) : text_(text) {}

  /// Nesting is bounded by what may be in what: a variant, in it a vector, in it a name.
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
    if (at_ != text_.size()) fail(quote(text_.substr(at_)) + " follows the type");
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
    if (!take('>')) fail("'>' is missing after the type of the items");
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
        fail(quote(text) + " occurs twice in the variant: the second could never be chosen");
      seen.push_back(std::move(text));
      if (seen.size() > max_alternatives) fail("a variant has at most 255 alternatives");
    } while (take(','));
    if (!take('>')) fail("'>' is missing after the alternatives");
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
