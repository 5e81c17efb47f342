// SPDX-License-Identifier: MIT
#include "header.hpp"

#include <base/decimal.hpp>
#include <base/seeded_hash.hpp>
#include <polycodec/quote.hpp>
#include <polycodec/utf.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace polycodec::ply {
namespace {

struct TypeName {
  std::string_view old_name, new_name;
  polycodec_dtype dtype;
};
constexpr TypeName type_names[] = {
    {"char", "int8", POLYCODEC_DTYPE_INT8},        {"uchar", "uint8", POLYCODEC_DTYPE_UINT8},
    {"short", "int16", POLYCODEC_DTYPE_INT16},     {"ushort", "uint16", POLYCODEC_DTYPE_UINT16},
    {"int", "int32", POLYCODEC_DTYPE_INT32},       {"uint", "uint32", POLYCODEC_DTYPE_UINT32},
    {"float", "float32", POLYCODEC_DTYPE_FLOAT32}, {"double", "float64", POLYCODEC_DTYPE_FLOAT64},
};

// Other words for these types, which tolerant readers know in small and capital letters. Types that
// PLY lacks are not among them, nor `long`, which has 32 or 64 bits.
constexpr struct {
  std::string_view name;
  polycodec_dtype dtype;
} other_names[] = {
    {"int8_t", POLYCODEC_DTYPE_INT8},     {"i8", POLYCODEC_DTYPE_INT8},
    {"uint8_t", POLYCODEC_DTYPE_UINT8},   {"u8", POLYCODEC_DTYPE_UINT8},
    {"ubyte", POLYCODEC_DTYPE_UINT8},     {"int16_t", POLYCODEC_DTYPE_INT16},
    {"i16", POLYCODEC_DTYPE_INT16},       {"uint16_t", POLYCODEC_DTYPE_UINT16},
    {"u16", POLYCODEC_DTYPE_UINT16},      {"int32_t", POLYCODEC_DTYPE_INT32},
    {"i32", POLYCODEC_DTYPE_INT32},       {"integer", POLYCODEC_DTYPE_INT32},
    {"uint32_t", POLYCODEC_DTYPE_UINT32}, {"u32", POLYCODEC_DTYPE_UINT32},
    {"f32", POLYCODEC_DTYPE_FLOAT32},     {"real", POLYCODEC_DTYPE_FLOAT32},
    {"single", POLYCODEC_DTYPE_FLOAT32},  {"f64", POLYCODEC_DTYPE_FLOAT64},
};

std::string lower(std::string_view word) {
  std::string text(word);
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
  return text;
}

// The type that a tolerant reader takes a word for, or POLYCODEC_DTYPE_NONE.
polycodec_dtype type_from_other_word(std::string_view word) {
  const std::string known = lower(word);
  for (const auto& other : other_names)
    if (known == other.name) return other.dtype;
  return type_from_word(known);
}

constexpr bool is_blank(char c) noexcept {
  return c == ' ' || c == '\t' || c == '\r';
}

// The words of a line. More than eight are never needed: the line is wrong then in any case.
struct Words {
  std::array<std::string_view, 8> word;
  std::size_t count = 0;
};

Words split(std::string_view line) noexcept {
  Words words;
  std::size_t at = 0;
  for (;;) {
    while (at < line.size() && is_blank(line[at])) ++at;
    if (at == line.size()) return words;
    const std::size_t start = at;
    while (at < line.size() && !is_blank(line[at])) ++at;
    if (words.count == words.word.size()) return words;
    words.word[words.count++] = line.substr(start, at - start);
  }
}

class Parser {
 public:
  Parser(std::string_view file, std::uint64_t max_bytes, bool strict, MendNotes* notes,
         Builder& out)
      : file_(file), max_bytes_(max_bytes), strict_(strict), notes_(notes), out_(out) {}

  Header run() {
    magic();
    for (;;) {
      const std::string_view line = next_line();
      const Words words = split(line);
      if (words.count == 0) {
        if (strict_) fail("ply.bad_header", "an empty line in the header");
        continue;
      }
      if (!statement(words, line)) break;
    }
    if (!have_format_) fail("ply.missing_format", "the header has no format line");
    header_.size = next_;
    return std::move(header_);
  }

 private:
  [[noreturn]] void fail(const char* detail, const std::string& message,
                         Status status = Status::malformed) const {
    throw Error(status, "line " + std::to_string(line_number_) + ": " + message, start_)
        .detail(detail);
  }

  // What a tolerant reader mends in the line. Where nothing of the value depends on it, it is a
  // note.
  void note(const std::string& what, LossClass loss = LossClass::note) {
    notes_->add(
        loss, "$",
        "line " + std::to_string(line_number_) + ", byte " + std::to_string(start_) + ": " + what);
  }

  void magic() {
    line_number_ = 1;
    std::size_t at = 0;
    if (notes_ != nullptr) {
      if (file_.starts_with("\xef\xbb\xbf")) at = 3;
      at = std::min(file_.size(), file_.find_first_not_of(" \t\r\n", at));
    }
    if (!file_.substr(at).starts_with("ply"))
      fail("ply.bad_magic", "a PLY file starts with a line that says 'ply'");
    std::size_t after = at + 3;
    if (notes_ != nullptr) after = std::min(file_.size(), file_.find_first_not_of(" \t", after));
    if (at != 0 || after != at + 3) note(quote(file_.substr(0, after)) + " is read as 'ply'");
    const std::string_view rest = file_.substr(after);
    if (rest.starts_with("\r\n")) {
      header_.line_ending = LineEnding::crlf;
    } else if (rest.starts_with('\r')) {
      header_.line_ending = LineEnding::cr;
    } else if (!rest.starts_with('\n')) {
      if (rest.empty())
        fail("ply.missing_end_header", "the file ends in its first line", Status::truncated);
      fail("ply.bad_magic", "'ply' must be the whole first line");
    }
    next_ = after + line_ending_text(header_.line_ending).size();
    lines_ = 1;
  }

  // The next line without its end. A CRLF header may hold lines that end with LF alone.
  std::string_view next_line() {
    ++line_number_;
    start_ = next_;
    const std::string_view left = file_.substr(start_);
    const std::string_view searched =
        left.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(
                           left.size(), max_bytes_ - std::min<std::uint64_t>(max_bytes_, start_))));
    const std::size_t size = searched.find(header_.line_ending == LineEnding::cr ? '\r' : '\n');
    if (size == std::string_view::npos) {
      if (searched.size() < left.size())
        fail("ply.limit", "the header is longer than " + std::to_string(max_bytes_) + " bytes",
             Status::limit);
      fail("ply.missing_end_header", "the file ends before the header does", Status::truncated);
    }
    next_ = start_ + size + 1;
    std::string_view line = left.substr(0, size);
    if (header_.line_ending == LineEnding::crlf && line.ends_with('\r')) line.remove_suffix(1);
    return line;
  }

  // Throws unless the line has so many words. Tolerant readers leave out those that are too many.
  void need(const Words& words, std::size_t count, const char* expected, const char* detail) {
    if (words.count == count) return;
    const std::string what = words.count < count
                                 ? "a word is missing in " + quote(line_)
                                 : quote(words.word[count]) + " is too much in " + quote(line_);
    if (words.count < count || notes_ == nullptr)
      fail(detail, what + ": expected '" + expected + "'");
    note(what + ", and left out");
  }

  // A name that no other one has, for a tolerant reader.
  std::string_view other_name(std::string_view name, SeededSet<std::string_view>& names) {
    for (std::uint64_t& number = copies_.try_emplace(name, 1).first->second;;) {
      const std::string made = std::string(name) + "_" + std::to_string(++number);
      if (names.count(made) != 0) continue;
      return *names.insert(out_.copy_text(made)).first;
    }
  }

  // One line; false: it was the last.
  bool statement(const Words& words, std::string_view line) {
    const std::string_view keyword = words.word[0];
    line_ = line;
    if (keyword == "comment" || keyword == "obj_info") {
      // One separator, then the text as it is.
      std::string_view text =
          line.substr(static_cast<std::size_t>(keyword.data() - line.data()) + keyword.size());
      if (!text.empty()) text.remove_prefix(1);
      header_.comments.push_back({lines_, keyword == "obj_info", text});
      return true;
    }
    ++lines_;
    if (keyword == "element") {
      element(words);
    } else if (keyword == "property") {
      property(words);
    } else if (keyword == "format") {
      format(words);
    } else if (keyword == "end_header") {
      need(words, 1, "end_header", "ply.bad_header");
      return false;
    } else {
      const char c = keyword[0];
      if (detail::is_digit(c) || c == '-' || c == '+' || c == '.')
        fail("ply.missing_end_header", "the data starts here, but there was no 'end_header'");
      if (notes_ == nullptr) fail("ply.bad_header", "unknown keyword " + quote(keyword));
      --lines_;
      note("unknown keyword " + quote(keyword) + "; the line " + quote(line) + " is left out");
    }
    return true;
  }

  void format(const Words& words) {
    if (have_format_) fail("ply.bad_format", "a second format line");
    if (words.count < 2 || !format_from_name(words.word[1], header_.format))
      fail("ply.bad_format",
           words.count < 2
               ? "expected 'format FORMAT 1.0'"
               : "the format is ascii, binary_little_endian or binary_big_endian, not " +
                     quote(words.word[1]));
    if (words.count < 3) fail("ply.bad_version", "the version 1.0 is missing after the format");
    if (words.word[2] != "1.0")
      fail("ply.bad_version", "the version is 1.0, not " + quote(words.word[2]),
           Status::unsupported);
    need(words, 3, "format FORMAT 1.0", "ply.bad_format");
    have_format_ = true;
  }

  void check_name(std::string_view name, const char* what) const {
    for (const char c : name)
      if (static_cast<unsigned char>(c) < 0x21 || c == 0x7f)
        fail("ply.bad_header", std::string("the name of ") + what + " holds a control character");
    if (!is_utf8(name))
      fail("ply.bad_header", std::string("the name of ") + what + " is neither ASCII nor UTF-8");
  }

  void element(const Words& words) {
    if (!have_format_) fail("ply.missing_format", "an element before the format line");
    need(words, 3, "element NAME COUNT", "ply.bad_header");
    check_name(words.word[1], "an element");
    const std::string_view digits = words.word[2];
    std::uint64_t count = 0;
    const DecimalEnd read = parse_decimal(digits.data(), digits.data() + digits.size(), count);
    if (read.status != DecimalStatus::ok || read.end != digits.data() + digits.size() ||
        digits[0] == '-')
      fail("ply.bad_count",
           "the number of rows is an integer from 0 to 2^64 - 1, not " + quote(digits));
    std::string_view name = words.word[1];
    if (!element_names_.insert(name).second) {
      const std::string what = "a second element is called " + quote(name);
      if (notes_ == nullptr) fail("ply.duplicate_element", what);
      name = other_name(name, element_names_);
      note(what + "; read as " + quote(name), LossClass::mended);
    }
    header_.elements.push_back({name, count, {}});
    property_names_.clear();
  }

  polycodec_dtype type(std::string_view& word) {
    polycodec_dtype dtype = type_from_word(word);
    if (dtype != POLYCODEC_DTYPE_NONE) return dtype;
    if (notes_ != nullptr) dtype = type_from_other_word(word);
    if (dtype == POLYCODEC_DTYPE_NONE)
      fail("ply.bad_type",
           "there is no type " + quote(word) +
               ": must be char, uchar, short, ushort, int, uint, float or double, or int8, uint8, "
               "int16, uint16, int32, uint32, float32 or float64");
    const std::string_view known = type_word(dtype, true);
    note("there is no type " + quote(word) + "; read as " + quote(known), LossClass::mended);
    word = known;
    return dtype;
  }

  void property(const Words& words) {
    if (header_.elements.empty()) fail("ply.bad_header", "a property before the first element");
    Property property;
    if (words.count >= 2 && words.word[1] == "list") {
      need(words, 5, "property list COUNTTYPE ITEMTYPE NAME", "ply.bad_header");
      property.count_word = words.word[2];
      property.count_dtype = type(property.count_word);
      if (property.count_dtype == POLYCODEC_DTYPE_FLOAT32 ||
          property.count_dtype == POLYCODEC_DTYPE_FLOAT64)
        fail("ply.bad_type", "the length of a list is an integer, not " + quote(words.word[2]));
      property.type_word = words.word[3];
      property.name = words.word[4];
    } else {
      need(words, 3, "property TYPE NAME", "ply.bad_header");
      property.type_word = words.word[1];
      property.name = words.word[2];
    }
    property.dtype = type(property.type_word);
    check_name(property.name, "a property");
    if (!property_names_.insert(property.name).second) {
      const std::string what = "a second property of element " +
                               quote(header_.elements.back().name) + " is called " +
                               quote(property.name);
      if (notes_ == nullptr) fail("ply.duplicate_property", what);
      property.name = other_name(property.name, property_names_);
      note(what + "; read as " + quote(property.name), LossClass::mended);
    }
    header_.elements.back().properties.push_back(property);
  }

  std::string_view file_;
  std::uint64_t max_bytes_;
  bool strict_;
  MendNotes* notes_;
  Builder& out_;
  Header header_;
  std::string_view line_;
  std::size_t start_ = 0;  // of the line
  std::size_t next_ = 0;   // after it
  std::uint64_t line_number_ = 0;
  std::uint64_t lines_ = 0;  // that are not comments
  bool have_format_ = false;
  SeededSet<std::string_view> element_names_;
  SeededSet<std::string_view> property_names_;
  SeededMap<std::string_view, std::uint64_t> copies_;  // of a name, in all elements
};

}  // namespace

std::string_view format_name(Format format) noexcept {
  constexpr std::string_view names[] = {"ascii", "binary_little_endian", "binary_big_endian"};
  return names[static_cast<std::size_t>(format)];
}

bool format_from_name(std::string_view name, Format& format) noexcept {
  for (const Format f : {Format::ascii, Format::little_endian, Format::big_endian})
    if (format_name(f) == name) return format = f, true;
  return false;
}

polycodec_dtype type_from_word(std::string_view word) noexcept {
  for (const TypeName& t : type_names)
    if (word == t.old_name || word == t.new_name) return t.dtype;
  return POLYCODEC_DTYPE_NONE;
}

std::string_view type_word(std::uint32_t dtype, bool old_name) noexcept {
  for (const TypeName& t : type_names)
    if (dtype == t.dtype) return old_name ? t.old_name : t.new_name;
  return {};
}

Header parse_header(std::string_view file, std::uint64_t max_bytes, bool strict, MendNotes* notes,
                    Builder& out) {
  return Parser(file, max_bytes, strict, notes, out).run();
}

std::string print_header(const Header& header) {
  const std::string_view newline = line_ending_text(header.line_ending);
  std::string text;
  std::uint64_t lines = 0;
  std::size_t comment = 0;
  const auto add_comments = [&](std::uint64_t up_to) {
    for (; comment < header.comments.size() && header.comments[comment].after <= up_to; ++comment) {
      const Comment& c = header.comments[comment];
      text += c.is_obj_info ? "obj_info" : "comment";
      if (!c.text.empty()) text += ' ';
      text.append(c.text).append(newline);
    }
  };
  const auto end_line = [&] {
    text += newline;
    add_comments(++lines);
  };
  text += "ply";
  end_line();
  text.append("format ").append(format_name(header.format)).append(" 1.0");
  end_line();
  for (const Element& e : header.elements) {
    text.append("element ").append(e.name).append(" ").append(std::to_string(e.count));
    end_line();
    for (const Property& p : e.properties) {
      text += "property ";
      if (p.is_list()) text.append("list ").append(p.count_word).append(" ");
      text.append(p.type_word).append(" ").append(p.name);
      end_line();
    }
  }
  add_comments(UINT64_MAX);
  text.append("end_header").append(newline);
  return text;
}

}  // namespace polycodec::ply
