// SPDX-License-Identifier: MIT
#include "core/text/parse.hpp"

#include <base/depth.hpp>
#include <base/utf8.hpp>
#include <model/type/build.hpp>
#include <model/type/parse.hpp>
#include <model/type/print.hpp>
#include <polycodec/detail/utf8_char.hpp>
#include <polycodec/path.hpp>

#include "core/text/infer.hpp"
#include "core/text/text.hpp"
#include "core/value/host_meter.hpp"

#include <algorithm>

namespace polycodec::text {

using type::Type;

Parser::Parser(Builder& builder, std::string_view text, const Limits& limits, std::string_view path)
    : builder_(builder), cursor_(text, "text.syntax"), limits_(limits), root_(path) {
  if (text.size() > limits.max_input_bytes)
    throw Error(Status::limit, "the text has " + std::to_string(text.size()) +
                                   " bytes, more than the limit of " +
                                   std::to_string(limits.max_input_bytes))
        .detail("text.limit");
  if (const std::size_t bad = validate_utf8(text); bad != utf8_npos)
    throw json_error(Status::malformed, "text.utf8", "the text is not valid UTF-8", text, bad);
  if (text.starts_with("\xef\xbb\xbf")) cursor_.rewind(3);
}

// Errors and paths

std::string Parser::path() const {
  std::string path = root_;
  for (const Part& part : parts_) {
    if (part.named)
      append_key(path, part.key);
    else
      append_index(path, part.index);
  }
  return path;
}

void Parser::fail(Status status, std::string_view word, std::string message) {
  cursor_.fail(status, word, std::move(message), cursor_.at());
}

void Parser::fail_token(Status status, std::string_view word, std::string message) {
  cursor_.fail(status, word, std::move(message), cursor_.token_at());
}

void Parser::wrong_count(std::uint64_t expected, std::uint64_t found) {
  fail(Status::type, "text.shape",
       "expected " + std::to_string(expected) + " items, found " +
           (found > expected ? "more" : std::to_string(found)));
}

void Parser::count_node() {
  if (++nodes_ > limits_.max_nodes)
    fail(Status::limit, "text.limit",
         "more values than the limit of " + std::to_string(limits_.max_nodes));
}

void Parser::pad(std::uint64_t bytes) {
  // As a decompressor: what a short text may blow up to is bounded by its size.
  const std::uint64_t most = limits_.memory_for(cursor_.text().size());
  if (bytes > most - padding_)
    fail(Status::limit, "text.limit", "the padding of fixed strings takes too much memory");
  padding_ += bytes;
}

Parser::Members::Members(Parser& parser, char open, char close) : parser_(parser), close_(close) {
  if (parser_.parts_.size() >= parser_.limits_.max_depth)
    parser_.fail(
        Status::limit, "text.limit",
        "the text nests deeper than the limit of " + std::to_string(parser_.limits_.max_depth));
  check_stack(parser_.parts_.size());
  parser_.cursor_.expect(open);
  parser_.parts_.push_back({{}, 0, false});
}

bool Parser::Members::next() {
  JsonCursor& cursor = parser_.cursor_;
  if (count_ == 0 ? cursor.accept(close_) : !cursor.accept(',')) {
    if (count_ != 0) {
      if (!cursor.accept(close_)) cursor.unexpected(std::string("',' or '") + close_ + "'");
    }
    parser_.parts_.pop_back();
    return false;
  }
  parser_.parts_.back() = {{}, count_++, false};
  return true;
}

void Parser::Members::named(std::string_view key) noexcept {
  parser_.parts_.back().key = key;
  parser_.parts_.back().named = true;
}

// Documents

const polycodec_node* Parser::finish(const polycodec_node& n) {
  if (!cursor_.at_end())
    fail(Status::trailing, "text.trailing", "there are characters after the value");
  // References may lead to the root: it is where it stays.
  polycodec_node* root = builder_.store(n);
  HostMeter meter(NodeView(root), limits_);
  if (!labels_.empty() && !labels_.resolve(*root, meter))
    fail(Status::malformed, "text.form", "a $ref has no $id");
  return root;
}

const polycodec_node* Parser::whole(const Type& t) try {
  return finish(value(t));
} catch (Error& e) {
  if (e.path().empty()) e.path(path());
  throw;
}

bool Parser::at_typed() {
  // Exactly two members, `type` (a string) and `value`, in any order.
  const std::size_t start = cursor_.at();
  bool type_seen = false, value_seen = false, other = false;
  const std::string_view key_texts[] = {"\"type\"", "\"value\""};
  if (cursor_.accept('{')) {
    while (!other) {
      if (cursor_.peek() != '"') {
        other = true;
      } else if (cursor_.accept_word(key_texts[0])) {
        other = type_seen || !cursor_.accept(':') || cursor_.peek() != '"';
        type_seen = true;
      } else if (cursor_.accept_word(key_texts[1])) {
        other = value_seen || !cursor_.accept(':');
        value_seen = true;
      } else {
        other = true;
      }
      if (other) break;
      // A document that is no such pair is read as a plain one, which finds what is wrong with it.
      cursor_.skip_value();
      if (!cursor_.accept(',')) break;
    }
    other = other || !cursor_.accept('}');
  }
  cursor_.rewind(start);
  return !other && type_seen && value_seen;
}

polycodec_node Parser::typed() {
  cursor_.expect('{');
  std::size_t value_at = 0, end = 0;
  bool have_type = false;
  Type t;
  for (int member = 0; member < 2; ++member) {
    if (member != 0) cursor_.expect(',');
    cursor_.peek();
    const std::size_t key_at = cursor_.at();
    const std::string_view name = cursor_.string();
    cursor_.expect(':');
    cursor_.peek();
    if (name == "type" && !have_type) {
      const std::size_t type_at = cursor_.at() + 1;
      const std::string text(cursor_.string());
      type::ParseOptions options;
      options.concrete_only = true;
      options.max_text = cursor_.text().size();
      options.max_depth = Type::max_depth;
      options.max_nodes = Type::max_nodes;
      try {
        t = type::parse(text, options);
      } catch (const Error& e) {
        throw Error(json_error(e.code(), e.detail(), "in the type: " + e.message(), cursor_.text(),
                               type_at + (e.offset() == Error::no_offset ? 0 : e.offset())))
            .path(path() + ".type");
      }
      have_type = true;
    } else if (name == "value" && value_at == 0) {
      value_at = cursor_.at();
      if (!have_type) {
        cursor_.skip_value();
      } else {
        break;
      }
    } else {
      cursor_.fail(Status::malformed, "text.form", "expected the members \"type\" and \"value\"",
                   key_at);
    }
  }
  if (!have_type) fail(Status::malformed, "text.form", "the member \"type\" is missing");
  if (value_at == 0) fail(Status::malformed, "text.form", "the member \"value\" is missing");
  if (value_at < cursor_.at()) {
    end = cursor_.at();
    cursor_.rewind(value_at);
  }
  const std::size_t root_size = root_.size();
  if (parts_.empty()) root_ += ".value";
  types_.push_back(t);
  const bool documents = documents_;
  documents_ = false;
  const polycodec_node n = value(t);
  documents_ = documents;
  types_.pop_back();
  root_.resize(root_size);
  if (end != 0) cursor_.rewind(end);
  cursor_.expect('}');
  return n;
}

const polycodec_node* Parser::document() try {
  if (cursor_.peek() == '{' && at_typed()) return finish(typed());
  plain_ = true;
  return finish(any());
} catch (Error& e) {
  if (e.path().empty()) e.path(path());
  throw;
}

std::string_view Parser::key() {
  if (!plain_ && cursor_.peek() == '"') {
    const std::string_view rest = cursor_.text().substr(cursor_.at());
    if (rest.starts_with("\"$") && !rest.starts_with("\"$$"))
      fail(Status::malformed, "text.form",
           "no such form here; a key that starts with $ is written with $$");
  }
  std::string_view name = cursor_.string();
  if (name.starts_with("$$")) name.remove_prefix(1);
  cursor_.expect(':');
  return name;
}

bool Parser::open_form(std::string_view name) {
  if (cursor_.form() != name) return false;
  cursor_.expect('{');
  cursor_.string();
  cursor_.expect(':');
  return true;
}

void Parser::expect_form(std::string_view name, const char* what) {
  if (open_form(name)) return;
  if (cursor_.at_end()) cursor_.unexpected(what);
  fail(Status::type, "text.type",
       std::string("expected ") + what + ", {\"" + std::string(name) + "\": ...}");
}

FieldFinder::FieldFinder(std::span<const std::string> names) : names_(names) {
  if (names.size() > 16)
    for (std::size_t i = 0; i < names.size(); ++i) index_.emplace(names[i], i);
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

polycodec_node parse_any(Builder& builder, std::string_view text, const Limits& limits) {
  return *Parser(builder, text, limits, path_root).whole(type::any());
}

}  // namespace polycodec::text

namespace polycodec {

Value parse_text(std::string_view text, const Limits& limits) {
  Value value;
  Builder builder(value.prepare(limits.memory_for(text.size())));
  value.set_root(text::Parser(builder, text, limits, path_root).document());
  return value;
}

Value parse_text(std::string_view text, const type::Type& type, const Limits& limits) {
  if (!type.is_concrete())
    throw Error(Status::type, "no value can have exactly this type").detail("type.not_concrete");
  Value value;
  Builder builder(value.prepare(limits.memory_for(text.size())));
  value.set_root(text::Parser(builder, text, limits, path_root).whole(type));
  return value;
}

}  // namespace polycodec
