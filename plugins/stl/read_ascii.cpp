// SPDX-License-Identifier: MIT
#include <polycodec/error.hpp>
#include <polycodec/line_column.hpp>
#include <polycodec/quote.hpp>
#include <polycodec/tolerant.hpp>

#include "codec.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <system_error>
#include <utility>

namespace polycodec::stl {
namespace {

/// Numbers of a column that grows as the file is read.
class Growing {
 public:
  explicit Growing(Builder& out) : out_(out) {}
  double* add(std::uint64_t count) {
    if (capacity_ - size_ < count) {
      const std::uint64_t more = capacity_ == 0 ? 576 : capacity_ * 2;
      data_ = out_.resize(data_, capacity_, more);
      capacity_ = more;
    }
    size_ += count;
    return data_ + (size_ - count);
  }
  double* data() const noexcept { return data_; }

 private:
  Builder& out_;
  double* data_ = nullptr;
  std::uint64_t size_ = 0;
  std::uint64_t capacity_ = 0;
};

class Parser {
 public:
  Parser(const Call& call, std::string_view bytes, const Settings& settings, Builder& out)
      : call_(call), bytes_(bytes), settings_(settings), normals_(out), vertices_(out) {}

  Facets run() {
    facets_.ascii = true;
    Meter meter(call_);
    while (skip_blanks(), at_ != bytes_.size()) {
      if (settings_.tolerant && pass_stray_end()) continue;
      expect("solid");
      const std::size_t start = at_;
      Solid solid{.name = rest_of_line()};
      meter.tick((at_ - start) / 16);
      std::size_t before = at_;
      while (!ends(solid)) {
        facet();
        ++solid.facets;
        ++facets_.count;
        meter.tick(16 + (at_ - before) / 4);
        before = at_;
      }
      facets_.solids.push_back(solid);
      meter.tick(4);
    }
    if (facets_.solids.empty()) fail(Status::truncated, "truncated", "the file has no solid");
    facets_.normals = column(normals_.data(), facets_.count, 3);
    facets_.vertices = column(vertices_.data(), facets_.count, 9);
    notes_.report(call_);
    return std::move(facets_);
  }

 private:
  static Points column(const double* data, std::uint64_t rows, std::int64_t width) {
    static constexpr double none = 0;
    return {.data = reinterpret_cast<const std::byte*>(data == nullptr ? &none : data),
            .rows = rows,
            .row_stride = 8 * width,
            .vector_stride = 24,
            .number_stride = 8,
            .dtype = POLYCODEC_DTYPE_FLOAT64,
            .byte_order = host_byte_order};
  }

  /// The end of a solid is here, and passed.
  bool ends(const Solid& solid) {
    if (!accept("endsolid")) {
      if (!settings_.tolerant || !passes_other_end(solid)) return false;
      if (peek() == "solid") return true;  // of the next one
    }
    const std::string_view end = rest_of_line();
    if (settings_.strict && !end.empty() && end != solid.name)
      fail(Status::malformed, "wrong_name",
           "'endsolid' names another solid than 'solid': the names must be equal");
    return true;
  }
  /// What some programs write where a solid ends. A second line 'solid' before the first facet is
  /// passed, too; later ones begin another solid.
  bool passes_other_end(const Solid& solid) {
    while (solid.facets == 0 && peek() == "solid") {
      const std::size_t start = at_;
      at_ += 5;
      const std::string_view name = rest_of_line();
      note(LossClass::note, start, "a second 'solid'",
           "left out" + (name.empty() ? std::string() : " with the name " + quote(name)));
    }
    const std::size_t start = at_;
    if (peek().empty() && at_ == bytes_.size()) {
      note(LossClass::note, start, "the file ends without 'endsolid'", "read as if it were there");
      return true;
    }
    if (peek() == "solid") {
      note(LossClass::note, start, "'solid' where 'endsolid' must be", "read as another solid");
      return true;
    }
    if (accept_apart("solid")) return true;
    std::string_view glued = bytes_.substr(at_, 8);
    if (glued.size() != 8 || !std::equal(glued.begin(), glued.end(), "endsolid", is_letter))
      return false;
    note(LossClass::note, at_, quote(quoted()), "read as 'endsolid'");
    at_ += 8;
    return true;
  }
  /// Passes an 'endsolid' that no 'solid' is before.
  bool pass_stray_end() {
    const std::size_t start = at_;
    if (facets_.solids.empty() || !(accept("endsolid") || accept_apart("solid"))) return false;
    static_cast<void>(rest_of_line());
    note(LossClass::note, start, "a second 'endsolid'", "left out");
    return true;
  }
  /// Passes 'end' and the word as two words.
  bool accept_apart(std::string_view word) {
    skip_blanks();
    const std::size_t start = at_;
    if (accept("end") && accept(word)) {
      note(LossClass::note, start, "'end " + std::string(word) + "'",
           "read as 'end" + std::string(word) + "'");
      return true;
    }
    at_ = start;
    return false;
  }
  static bool is_letter(char a, char lower) noexcept { return (a | 0x20) == lower; }

  void note(LossClass loss, std::size_t at, const std::string& what, const std::string& done,
            const char* member = nullptr) {
    if (notes_.full()) return notes_.count(loss);
    const std::string facet = "$.facets[" + std::to_string(facets_.count) + "]";
    notes_.add(loss, member == nullptr ? "$.solids" : facet + "." + member,
               "line " + std::to_string(line_of(at)) + ", byte " + std::to_string(at) + ": " +
                   what + "; " + done);
  }

  void facet() {
    expect("facet");
    expect("normal");
    numbers(normals_.add(3), "normal");
    expect("outer");
    expect("loop");
    double* corners = vertices_.add(9);
    for (int i = 0; i < 3; ++i) {
      expect("vertex");
      numbers(corners + 3 * i, "vertices");
    }
    if (peek() == "vertex")
      fail(Status::unsupported, "polygon",
           "a facet of more than three vertices: STL has triangles");
    expect_end("endloop");
    expect_end("endfacet");
  }

  void numbers(double* to, const char* member) {
    for (int i = 0; i < 3; ++i) to[i] = number(member);
  }

  double number(const char* member) {
    skip_blanks();
    const char* first = bytes_.data() + at_;
    const char* const end = bytes_.data() + bytes_.size();
    if (end - first > 1 && *first == '+' && first[1] != '-') ++first;
    double value = 0;
    const auto read = std::from_chars(first, end, value);
    if (read.ec != std::errc() || (read.ptr != end && !is_blank(*read.ptr))) [[unlikely]]
      return unusual_number(member);
    at_ = static_cast<std::size_t>(read.ptr - bytes_.data());
    return value;
  }
  /// What is not only digits, such as `-1.#IND`; a tolerant reader knows more of it.
  [[gnu::noinline]] double unusual_number(const char* member) {
    const std::size_t start = at_;
    std::size_t end = at_;
    while (end < bytes_.size() && !is_blank(bytes_[end])) ++end;
    if (start == end) fail(Status::truncated, "truncated", "the file ends where a number must be");
    const std::string_view word = bytes_.substr(start, end - start);
    double value = 0;
    if (!number_word(word, value)) {
      call_.tick(mend_units);
      if (!settings_.tolerant || !mended_number(word, value))
        fail(Status::malformed, "bad_number", "expected a number, not " + quote(word, 20));
      note(LossClass::mended, start, quote(word, 40) + " is not a number",
           "read as " + number_text(value), member);
    }
    at_ = end;
    return value;
  }

  static bool is_blank(char c) noexcept { return c == ' ' || (c >= '\t' && c <= '\r'); }
  void skip_blanks() noexcept {
    while (at_ < bytes_.size() && is_blank(bytes_[at_])) ++at_;
  }
  /// The next word in small letters, of at most 8; it stays where it is.
  std::string_view peek() noexcept {
    skip_blanks();
    length_ = 0;
    for (std::size_t i = at_; i < bytes_.size() && !is_blank(bytes_[i]); ++i) {
      if (length_ == sizeof word_) return {};
      const char c = bytes_[i];
      word_[length_++] = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
    }
    return {word_, length_};
  }
  bool accept(std::string_view wanted) {
    if (peek() != wanted) return false;
    at_ += wanted.size();
    return true;
  }
  void expect(std::string_view wanted) {
    if (accept(wanted)) return;
    if (at_ == bytes_.size())
      fail(Status::truncated, "truncated",
           "the file ends where '" + std::string(wanted) + "' must be");
    fail(Status::malformed, "bad_keyword",
         "expected '" + std::string(wanted) + "', not '" + quoted() + "'");
  }
  void expect_end(std::string_view wanted) {
    if (!settings_.tolerant || peek() == wanted || !accept_apart(wanted.substr(3))) expect(wanted);
  }
  /// What is left of the line, without spaces around it.
  std::string_view rest_of_line() noexcept {
    const std::size_t end = std::min(bytes_.find_first_of("\r\n", at_), bytes_.size());
    std::string_view rest = bytes_.substr(at_, end - at_);
    at_ = end;
    while (!rest.empty() && is_blank(rest.front())) rest.remove_prefix(1);
    while (!rest.empty() && is_blank(rest.back())) rest.remove_suffix(1);
    return rest;
  }
  /// The next word for a message.
  std::string quoted() const {
    std::size_t end = at_;
    while (end < bytes_.size() && !is_blank(bytes_[end]) && end - at_ < 20) ++end;
    return std::string(bytes_.substr(at_, end - at_));
  }

  [[noreturn]] void fail(Status status, const char* word, const std::string& message) const {
    throw Error(status, "line " + std::to_string(line_of(at_)) + ": " + message, at_)
        .detail(std::string("stl.") + word);
  }
  /// Counted for messages alone.
  std::uint64_t line_of(std::size_t at) const { return line_column(bytes_, at).line; }

  // Work for a number that is read a second time.
  static constexpr std::uint64_t mend_units = 64;

  const Call& call_;
  const std::string_view bytes_;
  const Settings& settings_;
  Growing normals_, vertices_;
  Facets facets_;
  MendNotes notes_;
  std::size_t at_ = 0;
  char word_[8] = {};
  std::size_t length_ = 0;
};

}  // namespace

Facets read_ascii(const Call& call, std::string_view bytes, const Settings& settings,
                  Builder& out) {
  return Parser(call, bytes, settings, out).run();
}

}  // namespace polycodec::stl
