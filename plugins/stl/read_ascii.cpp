// SPDX-License-Identifier: MIT
#include <polycodec/error.hpp>

#include "codec.hpp"

#include <charconv>
#include <cmath>
#include <limits>
#include <string>

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
  Parser(const Call& call, std::string_view bytes, bool strict, Builder& out)
      : call_(call), bytes_(bytes), strict_(strict), normals_(out), vertices_(out) {}

  Facets run() {
    Facets facets;
    facets.ascii = true;
    Meter meter(call_);
    while (skip_blanks(), at_ != bytes_.size()) {
      expect("solid");
      Solid solid{.name = rest_of_line()};
      std::size_t before = at_;
      while (!accept("endsolid")) {
        facet();
        ++solid.facets;
        meter.tick(16 + (at_ - before) / 4);
        before = at_;
      }
      const std::string_view end = rest_of_line();
      if (strict_ && !end.empty() && end != solid.name)
        fail(Status::malformed, "wrong_name",
             "'endsolid' names another solid than 'solid': the names must be equal");
      facets.count += solid.facets;
      facets.solids.push_back(solid);
      meter.tick(4);
    }
    if (facets.solids.empty()) fail(Status::truncated, "truncated", "the file has no solid");
    facets.normals = column(normals_.data(), facets.count, 3);
    facets.vertices = column(vertices_.data(), facets.count, 9);
    return facets;
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

  void facet() {
    expect("facet");
    expect("normal");
    numbers(normals_.add(3));
    expect("outer");
    expect("loop");
    double* corners = vertices_.add(9);
    for (int i = 0; i < 3; ++i) {
      expect("vertex");
      numbers(corners + 3 * i);
    }
    if (peek() == "vertex")
      fail(Status::unsupported, "polygon",
           "a facet of more than three vertices: STL has triangles");
    expect("endloop");
    expect("endfacet");
  }

  void numbers(double* to) {
    for (int i = 0; i < 3; ++i) to[i] = number();
  }

  double number() {
    skip_blanks();
    const char* first = bytes_.data() + at_;
    const char* const end = bytes_.data() + bytes_.size();
    if (first == end) fail(Status::truncated, "truncated", "the file ends where a number must be");
    if (*first == '+' && end - first > 1 && first[1] != '-') ++first;
    double value = 0;
    const auto read = std::from_chars(first, end, value);
    if (read.ec == std::errc::result_out_of_range) {
      // Beyond float64: as far as it goes.
      const std::string_view digits(first, static_cast<std::size_t>(read.ptr - first));
      const auto exponent = digits.find_first_of("eE");
      const bool small = exponent == std::string_view::npos
                             ? digits.find_first_of("123456789") > digits.find('.')
                             : digits.substr(exponent + 1).starts_with('-');
      value = small ? 0 : std::numeric_limits<double>::infinity();
      if (digits.starts_with('-')) value = -value;
    } else if (read.ec != std::errc()) {
      fail(Status::malformed, "bad_number", "expected a number, not '" + quoted() + "'");
    }
    if (read.ptr != end && !is_blank(*read.ptr))
      fail(Status::malformed, "bad_number",
           "expected a number, not '" + quoted() + "': a number must end with whitespace");
    at_ = static_cast<std::size_t>(read.ptr - bytes_.data());
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
    // The line is counted for the message alone.
    std::uint64_t line = 1;
    for (std::size_t i = 0; i < at_ && i < bytes_.size(); ++i) line += bytes_[i] == '\n' ? 1 : 0;
    throw Error(status, "line " + std::to_string(line) + ": " + message, at_)
        .detail(std::string("stl.") + word);
  }

  const Call& call_;
  const std::string_view bytes_;
  const bool strict_;
  Growing normals_, vertices_;
  std::size_t at_ = 0;
  char word_[8] = {};
  std::size_t length_ = 0;
};

}  // namespace

Facets read_ascii(const Call& call, std::string_view bytes, bool strict, Builder& out) {
  return Parser(call, bytes, strict, out).run();
}

}  // namespace polycodec::stl
