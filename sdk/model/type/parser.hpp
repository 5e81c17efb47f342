// SPDX-License-Identifier: MIT
// The parser of the type notation: dimensions, records, tuples, callables. Used by parse.cpp only.
#pragma once

#include <base/depth.hpp>
#include <model/type/build.hpp>
#include <model/type/parse_options.hpp>
#include <model/type/scan.hpp>
#include <model/type/type.hpp>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polycodec::type {

namespace detail {

/// Recursive descent; the recursion is as deep as the type, which enter() bounds.
class Parser {
 public:
  Parser(std::string_view text, const ParseOptions& options)
      : scan_(text),
        strict_(options.strict_dynd),
        named_(options.named),
        max_depth_(std::min(options.max_depth, Type::max_depth)),
        max_nodes_(std::min(options.max_nodes, Type::max_nodes)) {}

  Type parse_all() {
    Type type = parse_type();
    scan_.skip();
    if (!scan_.at_end()) scan_.expected("the end of the text after the type");
    return type;
  }

 private:
  /// Counts `count` levels, and as many parts, and gives the levels back at the end of the scope.
  class Level {
   public:
    Level(Parser& parser, std::uint64_t count) : parser_(parser), count_(parser.enter(count)) {}
    ~Level() { parser_.depth_ -= count_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    Parser& parser_;
    std::uint32_t count_;
  };

  std::uint32_t enter(std::uint64_t count) {
    const auto limit = [this](const char* what, std::uint32_t most) {
      throw Error(Status::limit, std::string("the type ") + what + std::to_string(most), scan_.at())
          .detail("type.limit");
    };
    if (count > max_depth_ - depth_) limit("nests deeper than the limit of ", max_depth_);
    if (count > max_nodes_ - nodes_) limit("has more parts than the limit of ", max_nodes_);
    depth_ += static_cast<std::uint32_t>(count);
    nodes_ += static_cast<std::uint32_t>(count);
    return static_cast<std::uint32_t>(count);
  }

  [[noreturn]] static void unknown(std::size_t at, std::string message) {
    Scanner::fail(at, "type.unknown", std::move(message));
  }
  [[noreturn]] static void syntax(std::size_t at, std::string message) {
    Scanner::fail(at, "type.syntax", std::move(message));
  }

  Type parse_type() {
    scan_.skip();
    const Level level(*this, 1);
    check_stack(depth_);
    const std::size_t start = scan_.at();
    if (scan_.accept("?")) return parse_option();
    if (scan_.looking_at("{")) return parse_record();
    if (scan_.looking_at("(")) return parse_tuple();
    if (scan_.looking_at("...")) return parse_ellipsis({});
    if (is_digit(scan_.peek())) return parse_fixed(start);
    const std::string_view word = scan_.name();
    if (word.empty()) scan_.expected("a type");
    const std::size_t after = scan_.at();
    scan_.skip();
    if (scan_.looking_at("*")) return parse_dimension(start, word);
    if (scan_.looking_at("...") && is_capital_name(word)) return parse_ellipsis(word);
    if (word == "fixed" && scan_.looking_at("[")) return parse_fixed_word();
    scan_.rewind(after);
    return is_upper(word.front()) ? parse_capital(start, word) : parse_word(start, word);
  }

  Type parse_option() {
    scan_.skip();
    const std::size_t start = scan_.at();
    Type inner = parse_type();
    if (inner.is(Kind::option)) syntax(start, "an option of an option says nothing new");
    return option(std::move(inner));
  }

  // Dimensions

  Type parse_ellipsis(std::string_view name) {
    scan_.expect("...");
    scan_.expect("*");
    return ellipsis(std::string(name), parse_type());
  }

  Type parse_fixed(std::size_t start) {
    const std::uint64_t length = scan_.number();
    scan_.skip();
    if (scan_.looking_at("**")) return parse_power(fixed(length, Type()));
    if (!scan_.accept("*"))
      unknown(start, "a number is not a type: as a dimension it is followed by '*', not by " +
                         scan_.found());
    return fixed(length, parse_type());
  }

  Type parse_fixed_word() {
    scan_.expect("[");
    const std::uint64_t length = scan_.number();
    scan_.expect("]");
    scan_.expect("*");
    return fixed(length, parse_type());
  }

  /// The dimension with this word around `element`; false if the word is none.
  static bool make_dimension(std::string_view word, Type element, Type& dim) {
    if (word == "var")
      dim = var(std::move(element));
    else if (word == "Fixed")
      dim = any_fixed(std::move(element));
    else if (word == "Dim")
      dim = any_dim(std::move(element));
    else if (is_variable_name(word))
      dim = dim_variable(std::string(word), std::move(element));
    else
      return false;
    return true;
  }

  Type parse_dimension(std::size_t start, std::string_view word) {
    Type dim;
    const bool power = scan_.looking_at("**");
    if (!make_dimension(word, Type(), dim)) {
      const std::string message = "'" + Scanner::shorten(word) + "' is not a dimension";
      if (power) syntax(start, message);
      unknown(start, message);
    }
    if (power) return parse_power(dim);
    scan_.expect("*");
    make_dimension(word, parse_type(), dim);
    return dim;
  }

  Type parse_power(const Type& base) {
    scan_.expect("**");
    scan_.skip();
    const std::size_t start = scan_.at();
    if (!is_digit(scan_.peek())) {
      const std::string_view exponent = scan_.name();
      if (!is_capital_name(exponent))
        syntax(start, "an exponent must be a number or a capitalized name");
      scan_.expect("*");
      return power(base, std::string(exponent), parse_type());
    }
    const std::uint64_t count = scan_.number();
    if (count == 0) syntax(start, "an exponent must be at least 1");
    scan_.expect("*");
    const Level levels(*this, count - 1);
    Type type = parse_type();
    for (std::uint64_t i = 0; i < count; ++i) {
      if (base.is(Kind::fixed_dim))
        type = fixed(base.size(), std::move(type));
      else if (base.is(Kind::var_dim))
        type = var(std::move(type));
      else if (base.is(Kind::any_fixed_dim))
        type = any_fixed(std::move(type));
      else if (base.is(Kind::any_dim))
        type = any_dim(std::move(type));
      else
        type = dim_variable(std::string(base.name()), std::move(type));
    }
    return type;
  }

  // Records, tuples and callables

  /// Adds a field after its name has been read, refusing a duplicate.
  void add_field(std::vector<Field>& fields, std::set<std::string>& names, std::string name,
                 std::size_t start) {
    if (!names.insert(name).second) {
      std::string message = "duplicate name ";
      append_field_name(message, name);
      syntax(start, message);
    }
    scan_.expect(":");
    fields.push_back({std::move(name), parse_type()});
  }

  Type parse_record() {
    scan_.expect("{");
    std::vector<Field> fields;
    std::set<std::string> names;
    bool variadic = false;
    while (!scan_.accept("}")) {
      if (scan_.accept("...")) {
        variadic = true;
        scan_.expect("}");
        break;
      }
      const std::size_t start = scan_.at();
      std::string name =
          scan_.at_quote() ? scan_.quoted("a field name") : std::string(scan_.name());
      if (scan_.at() == start)
        scan_.expected(fields.empty() ? "a field name or '}'" : "a field name");
      add_field(fields, names, std::move(name), start);
      if (scan_.accept("}")) break;
      if (!scan_.accept(",")) scan_.expected("',' or '}'");
    }
    return record(std::move(fields), variadic);
  }

  /// True, and passed, if `...` is here as a marker and not as a dimension.
  bool accept_variadic() {
    const std::size_t start = scan_.at();
    if (scan_.accept("...")) {
      scan_.skip();
      if (scan_.looking_at(")") || scan_.looking_at(",")) return true;
    }
    scan_.rewind(start);
    return false;
  }

  /// The keyword before a `:` here, or empty and nothing passed.
  std::string_view accept_keyword() {
    const std::size_t start = scan_.at();
    const std::string_view word = scan_.name();
    if (!word.empty()) {
      scan_.skip();
      if (scan_.looking_at(":")) return word;
    }
    scan_.rewind(start);
    return {};
  }

  Type parse_tuple() {
    scan_.expect("(");
    std::vector<Type> items;
    std::vector<Field> keywords;
    std::set<std::string> names;
    std::size_t first_keyword = 0;
    bool variadic = false, keyword_variadic = false, after_dots = false;
    scan_.skip();
    while (after_dots || !scan_.accept(")")) {
      scan_.skip();
      const std::size_t start = scan_.at();
      const bool dots = !after_dots && accept_variadic();
      if (dots) {
        (keywords.empty() ? variadic : keyword_variadic) = true;
      } else if (const std::string_view word = accept_keyword(); !word.empty()) {
        if (keywords.empty()) first_keyword = start;
        add_field(keywords, names, std::string(word), start);
      } else if (variadic || !keywords.empty()) {
        scan_.expected("a keyword argument");
      } else {
        items.push_back(parse_type());
      }
      after_dots = dots;
      if (scan_.accept(")")) break;
      if (keyword_variadic) scan_.expected("')'");
      if (!scan_.accept(",")) scan_.expected("',' or ')'");
      scan_.skip();
    }
    if (scan_.accept("->"))
      return callable(std::move(items), std::move(keywords), parse_type(), variadic,
                      keyword_variadic);
    if (!keywords.empty())
      syntax(first_keyword, "a tuple has no names; '->' and a result make it a callable");
    return tuple(std::move(items), variadic);
  }

  // Words: parse_words.cpp

  Type parse_capital(std::size_t start, std::string_view word);
  Type parse_word(std::size_t start, std::string_view word);
  void open(std::size_t start, std::string_view word);
  Type close(Type type);
  Type parse_option_word();
  /// The part of a complex number: the usual words are not a level of nesting, since the type
  /// prints as one scalar.
  polycodec_dtype parse_part();
  Type parse_complex();
  Encoding parse_encoding();
  Type parse_char();
  std::uint64_t parse_size();
  Type parse_bytes(bool sized);
  Type parse_fixed_string();
  Type parse_named(std::size_t start, std::string_view word, bool known);
  Type parse_addition(std::size_t start, std::string_view word);
  std::uint32_t parse_unit();
  Type parse_union();
  Type parse_annotated();

  Scanner scan_;
  bool strict_;
  const TypeNames* named_;
  std::uint32_t max_depth_;
  std::uint32_t max_nodes_;
  std::uint32_t depth_ = 0;
  std::uint32_t nodes_ = 0;
};

}  // namespace detail
}  // namespace polycodec::type
