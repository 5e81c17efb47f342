// SPDX-License-Identifier: MIT
#include "core/text/scanner.hpp"

#include <base/depth.hpp>
#include <model/type/print.hpp>
#include <polycodec/detail/utf8_char.hpp>
#include <polycodec/path.hpp>
#include <polycodec/utf.hpp>

#include <algorithm>

namespace polycodec::text {

Scanner::Scanner(std::string_view text, const Limits& limits, std::string_view path)
    : JsonCursor(text, "text.syntax"), limits_(limits), root_(path) {
  if (text.size() > limits.max_input_bytes)
    throw Error(Status::limit, "the text has " + std::to_string(text.size()) +
                                   " bytes, more than max_input_bytes (" +
                                   std::to_string(limits.max_input_bytes) + ")")
        .detail("text.limit");
  if (const std::size_t bad = validate_utf8(text); bad != utf8_npos)
    throw text_error(Status::malformed, "the text is not valid UTF-8", text, bad)
        .detail("text.utf8");
  if (text.starts_with("\xef\xbb\xbf")) rewind(3);
}

// Errors and paths

std::string Scanner::path() const {
  std::string path = root_;
  for (const Part& part : parts_) {
    if (part.named)
      append_key(path, part.key);
    else
      append_index(path, part.index);
  }
  return path;
}

void Scanner::fail(Status status, std::string_view word, std::string message) {
  fail(status, word, std::move(message), at());
}

void Scanner::fail_token(Status status, std::string_view word, std::string message) {
  fail(status, word, std::move(message), token_at());
}

void Scanner::wrong_count(std::uint64_t expected, std::uint64_t found) {
  fail(Status::type, "text.shape",
       "expected " + std::to_string(expected) + " items, found " +
           (found > expected ? "more" : std::to_string(found)));
}

void Scanner::return_to(const Place& place) {
  rewind(place.at);
  parts_.resize(place.depth);
}

std::size_t Scanner::enter_root(std::string_view suffix) {
  const std::size_t entered = root_.size();
  if (parts_.empty()) root_ += suffix;
  return entered;
}

// Limits

void Scanner::count_node() {
  if (++nodes_ > limits_.max_nodes)
    fail(Status::limit, "text.limit",
         "more values than max_nodes (" + std::to_string(limits_.max_nodes) + ")");
}

void Scanner::pad(std::uint64_t bytes) {
  // As a decompressor: what a short text may blow up to is bounded by its size.
  const std::uint64_t most = limits_.memory_for(text().size());
  if (bytes > most - padding_)
    fail(Status::limit, "text.limit",
         "the padding of fixed strings and the members that are missing take too much memory");
  padding_ += bytes;
}

void Scanner::check_depth(std::size_t depth) {
  if (depth > limits_.max_depth)
    fail(Status::limit, "text.limit",
         "the text nests deeper than max_depth (" + std::to_string(limits_.max_depth) + ")");
  check_stack(depth);
}

void Scanner::open_part(std::string_view name) {
  parts_.push_back({name, 0, true});
  check_depth(parts_.size());
}

Scanner::Members::Members(Scanner& scanner, char open, char close)
    : scanner_(scanner), close_(close) {
  scanner_.check_depth(scanner_.parts_.size() + 1);
  scanner_.expect(open);
  scanner_.parts_.push_back({{}, 0, false});
}

bool Scanner::Members::next() {
  if (count_ == 0 ? scanner_.accept(close_) : !scanner_.accept(',')) {
    if (count_ != 0) {
      if (!scanner_.accept(close_)) scanner_.unexpected(std::string("',' or '") + close_ + "'");
    }
    scanner_.parts_.pop_back();
    return false;
  }
  scanner_.parts_.back() = {{}, count_++, false};
  return true;
}

void Scanner::Members::named(std::string_view key) noexcept {
  scanner_.parts_.back().key = key;
  scanner_.parts_.back().named = true;
}

// Keys and forms

std::string_view Scanner::key(bool plain) {
  if (!plain && peek() == '"') {
    const std::string_view rest = text().substr(at());
    if (rest.starts_with("\"$") && !rest.starts_with("\"$$"))
      fail(Status::malformed, "text.form",
           "no such form here; a key that starts with $ is written with $$");
  }
  std::string_view name = string();
  if (name.starts_with("$$")) name.remove_prefix(1);
  expect(':');
  return name;
}

bool Scanner::open_form(std::string_view name) {
  if (form() != name) return false;
  expect('{');
  string();
  expect(':');
  return true;
}

void Scanner::expect_form(std::string_view name, const char* what) {
  if (open_form(name)) return;
  if (at_end()) unexpected(what);
  fail(Status::type, "text.type",
       std::string("expected ") + what + ", {\"" + std::string(name) + "\": ...}");
}

FieldFinder::FieldFinder(const type::Type& t) : names_(t.names()) {
  if (names_.size() > 16)
    for (std::size_t i = 0; i < names_.size(); ++i) index_.emplace(names_[i], i);
}

std::size_t FieldFinder::find(std::string_view name) {
  std::size_t found = names_.size();
  if (next_ < names_.size() && names_[next_] == name) {
    found = next_;
  } else if (names_.size() <= 16) {
    found =
        static_cast<std::size_t>(std::find(names_.begin(), names_.end(), name) - names_.begin());
  } else if (const auto at = index_.find(name); at != index_.end()) {
    found = at->second;
  }
  next_ = found + 1 < names_.size() ? found + 1 : 0;
  return found;
}

std::size_t FieldFinder::next(Scanner& scanner) {
  const std::size_t start = scanner.at();
  const std::string_view name = scanner.key();
  const std::size_t i = find(name);
  if (i == names_.size())
    scanner.fail(Status::type, "text.type",
                 "the type has no member \"" + std::string(name.substr(0, 80)) + "\"", start);
  return i;
}

void FieldFinder::absent(Scanner& scanner, std::size_t i, const type::Type& t,
                         std::uint64_t weight) const {
  if (!t.is(type::Kind::option))
    scanner.fail(Status::type, "text.type",
                 "the member \"" + names_[i].substr(0, 80) + "\" is missing, and its type is " +
                     type::print(t).substr(0, 80) + ", not ?T, which may be");
  scanner.count_node();
  scanner.pad(weight * sizeof(polycodec_node));
}

}  // namespace polycodec::text
