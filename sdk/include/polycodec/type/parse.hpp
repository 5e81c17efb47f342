// SPDX-License-Identifier: MIT
// Type notation to types. The grammar stands in docs/type-notation.md.
#pragma once

#include <algorithm>
#include <cstdint>
#include <polycodec/type/build.hpp>
#include <polycodec/type/print.hpp>
#include <polycodec/type/scan.hpp>
#include <polycodec/type/type.hpp>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polycodec::type {

/// What parse() accepts and how much of it.
struct ParseOptions {
  /// Refuse what is not part of DyND's notation: null, any, union, map, annotated, extension, datetime, timedelta,
  /// indexed and complex[float16].
  bool strict_dynd = false;
  /// Accept only the text that print() gives (for serialized data); else `type-noncanonical`.
  bool canonical_only = false;
  /// Accept only types that Type::is_concrete(); else Error(type) with `type-not-concrete`.
  bool concrete_only = false;
  /// Levels of nesting, each dimension being one; at most Type::max_depth whatever is asked for.
  std::uint32_t max_depth = 256;
  /// Bytes of text.
  std::size_t max_text = 65536;
  /// Parts of the type, with the dimensions that a power such as 2**200 stands for.
  std::uint32_t max_nodes = 65536;
};

namespace detail {

/// Recursive descent; the recursion is as deep as the type, which enter() bounds.
class Parser {
 public:
  Parser(std::string_view text, const ParseOptions& options)
      : scan_(text),
        strict_(options.strict_dynd),
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
      throw Error(Status::limit, std::string("the type ") + what + std::to_string(most), scan_.at()).detail("limit");
    };
    if (count > max_depth_ - depth_) limit("nests deeper than the limit of ", max_depth_);
    if (count > max_nodes_ - nodes_) limit("has more parts than the limit of ", max_nodes_);
    depth_ += static_cast<std::uint32_t>(count);
    nodes_ += static_cast<std::uint32_t>(count);
    return static_cast<std::uint32_t>(count);
  }

  [[noreturn]] static void unknown(std::size_t at, std::string message) {
    Scanner::fail(at, "type-unknown", std::move(message));
  }
  [[noreturn]] static void syntax(std::size_t at, std::string message) {
    Scanner::fail(at, "type-syntax", std::move(message));
  }

  Type parse_type() {
    scan_.skip();
    const Level level(*this, 1);
    const std::size_t start = scan_.at();
    if (scan_.accept("?")) return checked_option(start);
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

  Type checked_option(std::size_t start) {
    scan_.skip();
    const std::size_t inside = scan_.at();
    Type inner = parse_type();
    if (inner.is(Kind::option)) syntax(start == inside ? start : inside, "an option of an option says nothing new");
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
      unknown(start, "a number is no type; as a dimension it is followed by '*', not by " + scan_.found());
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
      if (!is_capital_name(exponent)) syntax(start, "an exponent must be a number or a capitalised name");
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

  /// Adds a field after its name has been read, refusing a name that stands twice.
  void add_field(std::vector<Field>& fields, std::set<std::string>& names, std::string name, std::size_t start) {
    if (!names.insert(name).second) {
      std::string message = "the name ";
      append_field_name(message, name);
      syntax(start, message + " stands twice");
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
      std::string name = scan_.at_quote() ? scan_.quoted("a field name") : std::string(scan_.name());
      if (scan_.at() == start) scan_.expected(fields.empty() ? "a field name or '}'" : "a field name");
      add_field(fields, names, std::move(name), start);
      if (scan_.accept("}")) break;
      if (!scan_.accept(",")) scan_.expected("',' or '}'");
    }
    return record(std::move(fields), variadic);
  }

  /// True, and passed, if `...` stands here as a marker and not as a dimension.
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
      return callable(std::move(items), std::move(keywords), parse_type(), variadic, keyword_variadic);
    if (!keywords.empty()) syntax(first_keyword, "a tuple has no names; '->' and a result make it a callable");
    return tuple(std::move(items), variadic);
  }

  // Words

  Type parse_capital(std::size_t start, std::string_view word) {
    if (is_kind_word(word)) return kind(word);
    if (!is_variable_name(word))
      unknown(start, "'" + std::string(word) + "' is not a type" + (word == "Expr" ? "" : " but a dimension"));
    if (!scan_.accept("[")) return variable(std::string(word));
    Type argument = parse_type();
    scan_.expect("]");
    return constructed(std::string(word), std::move(argument));
  }

  Type parse_word(std::size_t start, std::string_view word) {
    for (std::uint32_t d = POLYCODEC_BOOL; d <= POLYCODEC_FLOAT128; ++d)
      if (dtype_name(d) == word) return scalar(d);
    struct Alias {
      std::string_view word;
      polycodec_dtype dtype;
    };
    constexpr Alias aliases[] = {{"int", POLYCODEC_INT32},           {"real", POLYCODEC_FLOAT64},
                                 {"intptr", POLYCODEC_INT64},        {"uintptr", POLYCODEC_UINT64},
                                 {"size", POLYCODEC_UINT64},         {"complex32", POLYCODEC_COMPLEX64},
                                 {"complex64", POLYCODEC_COMPLEX64}, {"complex128", POLYCODEC_COMPLEX128}};
    for (const Alias& alias : aliases)
      if (alias.word == word) return scalar(alias.dtype);
    if (word == "string") return string();
    if (word == "void") return void_type();
    if (word == "type") return type_type();
    if (word == "complex") return parse_complex();
    if (word == "char") return parse_char();
    if (word == "bytes") return scan_.accept("[") ? parse_bytes(false) : bytes();
    if (word == "array") return scan_.accept("[") ? array(close(parse_type())) : array(kind("Any"));
    if (word == "fixed_bytes") return open(start, word), parse_bytes(true);
    if (word == "fixed_string") return open(start, word), parse_fixed_string();
    if (word == "pointer") return open(start, word), pointer(close(parse_type()));
    if (word == "option") return open(start, word), parse_option_word();
    return parse_addition(start, word);
  }

  void open(std::size_t start, std::string_view word) {
    if (!scan_.accept("["))
      unknown(start, "'" + std::string(word) + "' alone is not a type; it needs an argument in brackets");
  }
  Type close(Type type) {
    scan_.expect("]");
    return type;
  }

  Type parse_option_word() {
    Type type = checked_option(scan_.at());
    scan_.expect("]");
    return type;
  }

  Type parse_complex() {
    if (!scan_.accept("[")) return scalar(POLYCODEC_COMPLEX128);
    scan_.skip();
    const std::size_t start = scan_.at();
    const polycodec_dtype part = parse_type().dtype();
    if (part != POLYCODEC_FLOAT32 && part != POLYCODEC_FLOAT64 && (strict_ || part != POLYCODEC_FLOAT16))
      unknown(start, "complex numbers have parts of float32 or float64 only");
    scan_.expect("]");
    return scalar(part == POLYCODEC_FLOAT16   ? POLYCODEC_COMPLEX32
                  : part == POLYCODEC_FLOAT32 ? POLYCODEC_COMPLEX64
                                              : POLYCODEC_COMPLEX128);
  }

  Encoding parse_encoding() {
    scan_.skip();
    const std::size_t start = scan_.at();
    const auto encoding = encoding_from_name(scan_.quoted("an encoding in quotes"));
    if (!encoding) syntax(start, "unknown encoding; there are ascii, utf8, utf16, utf32 and ucs2");
    scan_.expect("]");
    return *encoding;
  }

  Type parse_char() {
    if (!scan_.accept("[")) return character();
    scan_.skip();
    const std::size_t start = scan_.at();
    const Encoding encoding = parse_encoding();
    if (encoding == Encoding::utf8 || encoding == Encoding::utf16)
      syntax(start, "char needs an encoding of fixed width: ascii, ucs2 or utf32");
    return character(encoding);
  }

  /// The size of fixed_bytes or fixed_string.
  std::uint64_t parse_size() {
    scan_.skip();
    const std::size_t start = scan_.at();
    const std::uint64_t size = scan_.number();
    if (size == 0) syntax(start, "the size must be at least 1");
    return size;
  }

  /// What follows `bytes[` or `fixed_bytes[`; `bytes[N]` is read as fixed_bytes[N].
  Type parse_bytes(bool sized) {
    scan_.skip();
    sized = sized || is_digit(scan_.peek());
    const std::uint64_t size = sized ? parse_size() : 0;
    std::uint64_t align = 1;
    if (!sized || scan_.accept(",")) {
      if (!scan_.accept("align")) scan_.expected(sized ? "'align'" : "a size or 'align'");
      scan_.expect("=");
      scan_.skip();
      const std::size_t start = scan_.at();
      align = scan_.number();
      if (!is_alignment(align) || (sized && size % align != 0))
        syntax(start, std::string("the alignment must be 1, 2, 4, 8 or 16") + (sized ? " and divide the size" : ""));
    }
    scan_.expect("]");
    return sized ? fixed_bytes(size, static_cast<std::uint32_t>(align)) : bytes(static_cast<std::uint32_t>(align));
  }

  Type parse_fixed_string() {
    const std::uint64_t size = parse_size();
    if (scan_.accept(",")) return fixed_string(size, parse_encoding());
    scan_.expect("]");
    return fixed_string(size);
  }

  // The words that DyND does not have

  Type parse_addition(std::size_t start, std::string_view word) {
    constexpr std::string_view words[] = {"null",      "any",      "union",     "map",    "annotated",
                                          "extension", "datetime", "timedelta", "indexed"};
    const bool known = std::find(std::begin(words), std::end(words), word) != std::end(words);
    if (!known || strict_)
      unknown(start, "unknown type '" + Scanner::shorten(word) + "'" +
                         (known ? ", which is not part of DyND's notation" : ""));
    if (word == "null") return null();
    if (word == "any") return any();
    if (word == "datetime") return datetime(parse_unit());
    if (word == "timedelta") return timedelta(parse_unit());
    open(start, word);
    if (word == "indexed") return indexed(close(parse_type()));
    if (word == "union") return parse_union();
    if (word == "annotated") return parse_annotated();
    if (word == "extension") {
      std::string name = scan_.quoted("the name of the extension in quotes");
      scan_.expect(",");
      return extension(std::move(name), close(parse_type()));
    }
    Type key = parse_type();
    scan_.expect(",");
    return map(std::move(key), close(parse_type()));
  }

  std::uint32_t parse_unit() {
    if (!scan_.accept("[")) return POLYCODEC_UNIT_NONE;
    scan_.expect("unit");
    scan_.expect("=");
    scan_.skip();
    const std::size_t start = scan_.at();
    const std::uint32_t unit = time_unit_from_name(scan_.quoted("a time unit in quotes"));
    if (unit == POLYCODEC_UNIT_NONE || unit >= POLYCODEC_UNIT_COUNT)
      syntax(start, "unknown time unit; there are Y M W D h m s ms us ns ps fs as");
    scan_.expect("]");
    return unit;
  }

  Type parse_union() {
    std::vector<Type> alternatives;
    do alternatives.push_back(parse_type());
    while (scan_.accept(","));
    scan_.expect("]");
    return union_of(std::move(alternatives));
  }

  Type parse_annotated() {
    scan_.skip();
    const std::size_t inside = scan_.at();
    Type inner = parse_type();
    if (inner.is(Kind::annotated)) syntax(inside, "an annotated type cannot be annotated again");
    std::vector<Annotation> annotations;
    std::set<std::string> keys;
    scan_.expect(",");
    do {
      scan_.skip();
      const std::size_t start = scan_.at();
      std::string key = scan_.at_quote() ? scan_.quoted("a key") : std::string(scan_.name());
      if (scan_.at() == start) scan_.expected("the key of an annotation");
      if (!keys.insert(key).second) syntax(start, "the annotation stands twice");
      scan_.expect("=");
      scan_.skip();
      annotations.push_back(
          {std::move(key), scan_.at_quote() ? AnnotationValue(scan_.quoted("a text")) : scan_.signed_number()});
    } while (scan_.accept(","));
    scan_.expect("]");
    return annotated(std::move(inner), std::move(annotations));
  }

  Scanner scan_;
  bool strict_;
  std::uint32_t max_depth_;
  std::uint32_t max_nodes_;
  std::uint32_t depth_ = 0;
  std::uint32_t nodes_ = 0;
};

}  // namespace detail

/// The type that `text` says. Throws Error with the byte offset and one of these detail words: Error(malformed) with
/// `type-syntax`, `type-unknown` (a word that is no type or no dimension), `type-range` (a number too great) or
/// `type-noncanonical`; Error(type) with `type-not-concrete`; Error(limit) with `limit`. Stack use is bounded by
/// max_depth, time and memory by the length of the text and max_nodes.
inline Type parse(std::string_view text, const ParseOptions& options = {}) {
  if (text.size() > options.max_text)
    throw Error(Status::limit,
                "the type has " + std::to_string(text.size()) + " bytes of text, more than the limit of " +
                    std::to_string(options.max_text),
                options.max_text)
        .detail("limit");
  Type type = detail::Parser(text, options).parse_all();
  if (options.canonical_only) {
    const std::string canonical = print(type);
    if (canonical != text) {
      const auto differ = std::mismatch(text.begin(), text.end(), canonical.begin(), canonical.end());
      const auto at = static_cast<std::size_t>(differ.first - text.begin());
      detail::Scanner::fail(
          at, "type-noncanonical",
          "the type is not in canonical form, where " +
              (at < canonical.size()
                   ? "\"" + detail::Scanner::shorten(std::string_view(canonical).substr(at)) + "\" stands here"
                   : std::string("it ends here")));
    }
  }
  if (options.concrete_only && !type.is_concrete())
    throw Error(Status::type, "no value can have exactly the type " + detail::Scanner::shorten(print(type)), 0)
        .detail("type-not-concrete");
  return type;
}

}  // namespace polycodec::type
