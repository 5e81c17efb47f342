// SPDX-License-Identifier: MIT
// The parser of the type notation: types that start with a word.
#include <base/dtype_names.hpp>
#include <model/type/parser.hpp>
#include <polycodec/dtype.hpp>
#include <polycodec/quote.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polycodec::type::detail {

namespace {

/// The names of the element types, for suggestions.
std::vector<std::string> dtype_words() {
  std::vector<std::string> words{"string", "bytes"};
  for (std::uint32_t d = POLYCODEC_DTYPE_BOOLEAN; d <= POLYCODEC_DTYPE_FLOAT128; ++d)
    words.emplace_back(dtype_name(d));
  return words;
}

}  // namespace

Type Parser::parse_capital(std::size_t start, std::string_view word) {
  if (is_kind_word(word)) return kind(word);
  if (!is_variable_name(word))
    unknown(start, "'" + std::string(word) + "' is not a type" +
                       (word == "Expr" ? "" : " but a dimension"));
  if (!scan_.accept("[")) return variable(std::string(word));
  Type argument = parse_type();
  scan_.expect("]");
  return constructed(std::string(word), std::move(argument));
}

Type Parser::parse_word(std::size_t start, std::string_view word) {
  for (std::uint32_t d = POLYCODEC_DTYPE_BOOLEAN; d <= POLYCODEC_DTYPE_FLOAT128; ++d)
    if (dtype_name(d) == word) return scalar(d);
  struct Alias {
    std::string_view word;
    polycodec_dtype dtype;
  };
  constexpr Alias aliases[] = {
      {"int", POLYCODEC_DTYPE_INT32},           {"real", POLYCODEC_DTYPE_FLOAT64},
      {"intptr", POLYCODEC_DTYPE_INT64},        {"uintptr", POLYCODEC_DTYPE_UINT64},
      {"size", POLYCODEC_DTYPE_UINT64},         {"complex32", POLYCODEC_DTYPE_COMPLEX64},
      {"complex64", POLYCODEC_DTYPE_COMPLEX64}, {"complex128", POLYCODEC_DTYPE_COMPLEX128}};
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

void Parser::open(std::size_t start, std::string_view word) {
  if (!scan_.accept("["))
    unknown(start,
            "'" + std::string(word) + "' alone is not a type; it needs an argument in brackets");
}

Type Parser::close(Type type) {
  scan_.expect("]");
  return type;
}

Type Parser::parse_option_word() {
  Type type = parse_option();
  scan_.expect("]");
  return type;
}

polycodec_dtype Parser::parse_part() {
  const std::size_t start = scan_.at();
  const std::string_view word = scan_.name();
  for (const polycodec_dtype d :
       {POLYCODEC_DTYPE_FLOAT16, POLYCODEC_DTYPE_FLOAT32, POLYCODEC_DTYPE_FLOAT64})
    if (dtype_name(d) == word) return d;
  scan_.rewind(start);
  return parse_type().dtype();
}

Type Parser::parse_complex() {
  if (!scan_.accept("[")) return scalar(POLYCODEC_DTYPE_COMPLEX128);
  scan_.skip();
  const std::size_t start = scan_.at();
  const polycodec_dtype part = parse_part();
  if (part != POLYCODEC_DTYPE_FLOAT32 && part != POLYCODEC_DTYPE_FLOAT64 &&
      (strict_ || part != POLYCODEC_DTYPE_FLOAT16))
    unknown(start, "complex numbers have parts of float32 or float64 only");
  scan_.expect("]");
  return scalar(part == POLYCODEC_DTYPE_FLOAT16   ? POLYCODEC_DTYPE_COMPLEX32
                : part == POLYCODEC_DTYPE_FLOAT32 ? POLYCODEC_DTYPE_COMPLEX64
                                                  : POLYCODEC_DTYPE_COMPLEX128);
}

Encoding Parser::parse_encoding() {
  scan_.skip();
  const std::size_t start = scan_.at();
  const auto encoding = encoding_from_name(scan_.quoted("an encoding in quotes"));
  if (!encoding) syntax(start, "unknown encoding; there are ascii, utf8, utf16, utf32 and ucs2");
  scan_.expect("]");
  return *encoding;
}

Type Parser::parse_char() {
  if (!scan_.accept("[")) return character();
  scan_.skip();
  const std::size_t start = scan_.at();
  const Encoding encoding = parse_encoding();
  if (encoding == Encoding::utf8 || encoding == Encoding::utf16)
    syntax(start, "char needs an encoding of fixed width: ascii, ucs2 or utf32");
  return character(encoding);
}

std::uint64_t Parser::parse_size() {
  scan_.skip();
  const std::size_t start = scan_.at();
  const std::uint64_t size = scan_.number();
  if (size == 0) syntax(start, "the size must be at least 1");
  return size;
}

Type Parser::parse_bytes(bool sized) {
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
      syntax(start, std::string("the alignment must be 1, 2, 4, 8 or 16") +
                        (sized ? " and divide the size" : ""));
  }
  scan_.expect("]");
  return sized ? fixed_bytes(size, static_cast<std::uint32_t>(align))
               : bytes(static_cast<std::uint32_t>(align));
}

Type Parser::parse_fixed_string() {
  const std::uint64_t size = parse_size();
  if (scan_.accept(",")) return fixed_string(size, parse_encoding());
  scan_.expect("]");
  return fixed_string(size);
}

Type Parser::parse_named(std::size_t start, std::string_view word, bool known) {
  // Names of registered types may have dots and hyphens, which no word of the notation has.
  std::string name(word);
  for (char mark; named_ != nullptr && ((mark = scan_.peek()) == '.' || mark == '-');) {
    const std::size_t before = scan_.at();
    scan_.rewind(before + 1);
    const std::string_view part = scan_.name();
    if (part.empty()) {
      scan_.rewind(before);
      break;
    }
    (name += mark) += part;
  }
  const auto notation = named_ == nullptr ? std::nullopt : (*named_)(name);
  if (!notation)
    unknown(start,
            "unknown type '" + Scanner::shorten(name) + "'" +
                (known               ? ", which is not part of DyND's notation"
                 : name == "storage" ? ", which DyND only proposes: data is always in C order"
                                     : did_you_mean(name, dtype_words())));
  ParseOptions rest;
  rest.strict_dynd = strict_;
  rest.named = named_;
  rest.max_depth = max_depth_;
  rest.max_nodes = max_nodes_;
  Parser inner(*notation, rest);
  inner.depth_ = depth_;
  inner.nodes_ = nodes_;
  Type type = inner.parse_all();
  nodes_ = inner.nodes_;
  return type;
}

Type Parser::parse_addition(std::size_t start, std::string_view word) {
  constexpr std::string_view words[] = {"null",      "any",      "union",     "map",    "annotated",
                                        "extension", "datetime", "timedelta", "indexed"};
  const bool known = std::find(std::begin(words), std::end(words), word) != std::end(words);
  if (!known || strict_) return parse_named(start, word, known);
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

std::uint32_t Parser::parse_unit() {
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

Type Parser::parse_union() {
  std::vector<Type> alternatives;
  do alternatives.push_back(parse_type());
  while (scan_.accept(","));
  scan_.expect("]");
  return union_of(std::move(alternatives));
}

Type Parser::parse_annotated() {
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
    if (!keys.insert(key).second) syntax(start, "duplicate annotation");
    scan_.expect("=");
    scan_.skip();
    annotations.push_back({std::move(key), scan_.at_quote()
                                               ? AnnotationValue(scan_.quoted("a text"))
                                               : scan_.signed_number()});
  } while (scan_.accept(","));
  scan_.expect("]");
  return annotated(std::move(inner), std::move(annotations));
}

}  // namespace polycodec::type::detail
