// SPDX-License-Identifier: MIT
#include <polycodec/json.hpp>
#include <polycodec/utf8.hpp>

#include "json_error.hpp"
#include "text_number.hpp"

#include <nlohmann/detail/exceptions.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <unordered_set>
#include <vector>

namespace polycodec {

namespace {

/// Characters of the text, counted as they are read: the parser's events do not say where they are.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, const char** seen) noexcept : at_(at), seen_(seen) {}
  reference operator*() const noexcept { return *at_; }
  CountingIterator& operator++() noexcept {
    *seen_ = ++at_;
    return *this;
  }
  CountingIterator operator++(int) noexcept {
    const CountingIterator before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const CountingIterator& a, const CountingIterator& b) noexcept { return a.at_ == b.at_; }

 private:
  const char* at_;
  const char** seen_;
};

/// Builds nodes from the parser's events: those of the open containers stand in one stack.
class DocumentBuilder final : public nlohmann::json_sax<nlohmann::json> {
 public:
  DocumentBuilder(Builder& builder, std::string_view text, const Limits& limits, DuplicateKeys duplicates)
      : builder_(builder), text_(text), limits_(limits), duplicates_(duplicates), seen_(text.data()) {}

  CountingIterator begin() noexcept { return {text_.data(), &seen_}; }
  CountingIterator end() noexcept { return {text_.data() + text_.size(), &seen_}; }
  polycodec_node root() const noexcept { return nodes_.front(); }

  bool null() override { return add(Builder::null()); }
  bool boolean(bool value) override { return add(Builder::boolean(value)); }
  bool number_integer(number_integer_t value) override { return add(Builder::integer(value)); }
  bool number_unsigned(number_unsigned_t value) override {
    return add(value <= INT64_MAX ? Builder::integer(static_cast<std::int64_t>(value))
                                  : Builder::unsigned_integer(value));
  }
  bool number_float(number_float_t, const string_t& token) override {
    // The lexer puts the locale's decimal point into the token.
    std::string digits = token;
    for (char& c : digits)
      if ((c < '0' || c > '9') && c != '-' && c != '+' && c != 'e' && c != 'E') c = '.';
    try {
      return add(text::number_node(builder_, digits));
    } catch (const Error& e) {
      if (e.detail() != "json.number") throw;
      fail(e.code(), "json.number", e.message());
    }
  }
  bool string(string_t& value) override { return add(builder_.string_copy(value)); }
  bool binary(binary_t&) override { return false; }
  bool key(string_t& value) override { return add(builder_.string_copy(value)); }
  bool start_object(std::size_t) override { return open(); }
  bool start_array(std::size_t) override { return open(); }

  bool end_array() override {
    const std::size_t first = close();
    const polycodec_node list = builder_.list(std::span(nodes_).subspan(first));
    nodes_.resize(first);
    return add(list);
  }

  bool end_object() override {
    const std::size_t first = close();
    const auto entries = std::span<const polycodec_node>(nodes_).subspan(first);
    if (duplicates_ == DuplicateKeys::refuse) check_keys(entries);
    polycodec_node* out;
    const polycodec_node object = builder_.object(entries.size() / 2, &out);
    std::copy(entries.begin(), entries.end(), out);
    nodes_.resize(first);
    return add(object);
  }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception& e) override {
    const std::uint64_t offset = std::min<std::uint64_t>(position == 0 ? 0 : position - 1, text_.size());
    std::string_view what = e.what();
    if (const auto end = what.find("] "); end != what.npos) what.remove_prefix(end + 2);
    for (const std::string_view word : {"syntax error ", "number overflow"})
      if (const auto at = what.find(word); at != what.npos) what.remove_prefix(at);
    const bool is_text = is_utf8(what);
    std::string message(is_text ? what.substr(0, 160) : "syntax error");
    if (!is_utf8(message)) message = "syntax error";  // a character was cut
    if (e.id == 406) throw text::json_error(Status::range, "json.number", "the number is too great", text_, offset);
    const bool ended = message.find("unexpected end of input") != message.npos || offset >= text_.size();
    const bool trailing = message.find("expected end of input") != message.npos &&
                          message.find("unexpected end of input") == message.npos;
    throw text::json_error(trailing ? Status::trailing
                           : ended  ? Status::truncated
                                    : Status::malformed,
                           "json.syntax", std::move(message), text_, offset);
  }

 private:
  [[noreturn]] void fail(Status status, std::string_view word, std::string message) const {
    throw text::json_error(status, word, std::move(message), text_, static_cast<std::uint64_t>(seen_ - text_.data()));
  }

  bool add(const polycodec_node& node) {
    if (++count_ > limits_.max_nodes)
      fail(Status::limit, "limit", "more values than the limit of " + std::to_string(limits_.max_nodes));
    nodes_.push_back(node);
    return true;
  }

  bool open() {
    if (starts_.size() >= limits_.max_depth)
      fail(Status::limit, "limit", "nested deeper than the limit of " + std::to_string(limits_.max_depth));
    starts_.push_back(nodes_.size());
    return true;
  }

  std::size_t close() {
    const std::size_t first = starts_.back();
    starts_.pop_back();
    return first;
  }

  void check_keys(std::span<const polycodec_node> entries) {
    std::unordered_set<std::string_view> keys;
    for (std::size_t i = 0; i < entries.size(); i += 2) {
      const std::string_view key = View(&entries[i]).as_string();
      if (!keys.insert(key).second)
        fail(Status::malformed, "json.duplicate_key",
             "the key \"" + std::string(key.substr(0, 80)) + "\" stands twice in the object that ends here");
    }
  }

  Builder& builder_;
  std::string_view text_;
  const Limits& limits_;
  DuplicateKeys duplicates_;
  const char* seen_;
  std::uint64_t count_ = 0;
  std::vector<polycodec_node> nodes_;
  std::vector<std::size_t> starts_;  // where in nodes_ each open container begins
};

}  // namespace

TextPosition position_in_text(std::string_view text, std::uint64_t offset) noexcept {
  const std::string_view before = text.substr(0, std::min<std::uint64_t>(offset, text.size()));
  const auto last = before.rfind('\n');
  return {1 + static_cast<std::uint64_t>(std::count(before.begin(), before.end(), '\n')),
          before.size() - (last == before.npos ? 0 : last + 1) + 1};
}

Error text::json_error(Status status, std::string_view word, std::string message, std::string_view text,
                       std::uint64_t offset) {
  const TextPosition at = position_in_text(text, offset);
  return Error(
             status,
             std::move(message) + " (line " + std::to_string(at.line) + ", column " + std::to_string(at.column) + ")",
             offset)
      .detail(word);
}

Value parse_json(std::string_view text, const Limits& limits, DuplicateKeys duplicates) {
  if (text.size() > limits.max_input_bytes)
    throw Error(Status::limit, "the JSON text has " + std::to_string(text.size()) +
                                   " bytes, more than the limit of " + std::to_string(limits.max_input_bytes))
        .detail("limit");
  return Value::build(
      [&](Builder& builder) {
        DocumentBuilder document(builder, text, limits, duplicates);
        nlohmann::json::sax_parse(document.begin(), document.end(), &document);
        return document.root();
      },
      limits.max_memory_bytes);
}

}  // namespace polycodec
