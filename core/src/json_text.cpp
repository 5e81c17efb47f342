// SPDX-License-Identifier: MIT
#include "json_text.hpp"

#include <polycodec/error.hpp>
#include <polycodec/utf8.hpp>

#include "quote.hpp"

#include <nlohmann/json.hpp>

#include <unordered_set>

namespace polycodec {

namespace {

using nlohmann::json;

/// Sees the events of the parser and keeps none of the values.
class Checker {
 public:
  Checker(std::uint32_t max_depth, std::string_view what) : max_depth_(max_depth), what_(what) {}

  bool null() { return true; }
  bool boolean(bool) { return true; }
  bool number_integer(json::number_integer_t) { return true; }
  bool number_unsigned(json::number_unsigned_t) { return true; }
  bool number_float(json::number_float_t, const std::string&) { return true; }
  bool string(std::string&) { return true; }
  bool binary(json::binary_t&) { return true; }
  bool start_object(std::size_t) {
    enter();
    names_.emplace_back();
    return true;
  }
  bool key(std::string& name) {
    if (!names_.back().insert(name).second)
      throw Error(Status::malformed, std::string(what_) + " has the name " + quote(name) + " twice in one object");
    return true;
  }
  bool end_object() {
    names_.pop_back();
    --depth_;
    return true;
  }
  bool start_array(std::size_t) {
    enter();
    return true;
  }
  bool end_array() {
    --depth_;
    return true;
  }
  bool parse_error(std::size_t position, const std::string&, const json::exception& e) {
    // The library's text begins with its own code and position in brackets and words; what follows ": " is the
    // reason.
    std::string_view reason = e.what();
    if (const auto colon = reason.find(": "); colon != std::string_view::npos) reason.remove_prefix(colon + 2);
    throw Error(Status::malformed, std::string(what_) + " is not JSON: " + std::string(reason),
                position == 0 ? 0 : position - 1);
  }

 private:
  void enter() {
    if (++depth_ > max_depth_)
      throw Error(Status::limit,
                  std::string(what_) + " is nested deeper than the limit of " + std::to_string(max_depth_));
  }

  std::uint32_t max_depth_;
  std::string_view what_;
  std::uint32_t depth_ = 0;
  std::vector<std::unordered_set<std::string>> names_;
};

bool is_space(char c) noexcept {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/// Walks over text that is known to be JSON.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {
    if (text_.substr(0, 3) == "\xef\xbb\xbf") at_ = 3;
    skip_space();
  }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  std::size_t position() const { return at_; }
  void skip() {
    ++at_;
    skip_space();
  }
  /// The value that starts here; goes on behind it.
  std::string_view value() {
    const std::size_t begin = at_;
    std::size_t depth = 0;
    do {
      const char c = peek();
      if (c == '"') {
        skip_string();
      } else if (c == '{' || c == '[') {
        ++depth;
        ++at_;
      } else if (c == '}' || c == ']') {
        --depth;
        ++at_;
      } else if (depth != 0) {
        ++at_;
      } else {
        while (at_ < text_.size() && !is_space(text_[at_]) && text_[at_] != ',' && text_[at_] != '}') ++at_;
      }
    } while (depth != 0 && at_ < text_.size());
    const std::string_view found = text_.substr(begin, at_ - begin);
    skip_space();
    return found;
  }

 private:
  void skip_space() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }
  void skip_string() {
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\') ++at_;
    }
    ++at_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

void check_json(std::string_view text, std::uint32_t max_depth, std::string_view what) {
  Checker checker(max_depth, what);
  json::sax_parse(text.begin(), text.end(), &checker);
}

std::vector<JsonMember> json_members(std::string_view text, std::string_view what) {
  std::vector<JsonMember> members;
  Scanner scanner(text);
  if (scanner.peek() != '{') throw Error(Status::malformed, std::string(what) + " is not a JSON object", 0);
  scanner.skip();
  while (scanner.peek() == '"') {
    std::string name = json_string(scanner.value());
    scanner.skip();  // the colon
    const std::size_t offset = scanner.position();
    members.push_back({std::move(name), scanner.value(), offset});
    if (scanner.peek() == ',') scanner.skip();
  }
  return members;
}

std::string json_string(std::string_view text) {
  return json::parse(text).get<std::string>();
}

std::string to_json_string(std::string_view text) {
  if (!is_utf8(text)) throw Error(Status::invalid, quote(text) + " is not UTF-8");
  return json(text).dump();
}

}  // namespace polycodec
