// SPDX-License-Identifier: MIT
#include "core/text/parse.hpp"

#include <model/type/build.hpp>
#include <model/type/parse.hpp>
#include <polycodec/path.hpp>

#include "core/text/text.hpp"

namespace polycodec::text {

using type::Type;

namespace {

/// True if an object of exactly two members is here, `type` (a string) and `value`, in any order.
bool at_typed(Scanner& scanner) {
  const std::size_t start = scanner.at();
  bool type_seen = false, value_seen = false, other = false;
  const std::string_view key_texts[] = {"\"type\"", "\"value\""};
  if (scanner.accept('{')) {
    while (!other) {
      if (scanner.peek() != '"') {
        other = true;
      } else if (scanner.accept_word(key_texts[0])) {
        other = type_seen || !scanner.accept(':') || scanner.peek() != '"';
        type_seen = true;
      } else if (scanner.accept_word(key_texts[1])) {
        other = value_seen || !scanner.accept(':');
        value_seen = true;
      } else {
        other = true;
      }
      if (other) break;
      // Any other document is read as a plain one, which finds what is wrong with it.
      scanner.skip_value();
      if (!scanner.accept(',')) break;
    }
    other = other || !scanner.accept('}');
  }
  scanner.rewind(start);
  return !other && type_seen && value_seen;
}

}  // namespace

const polycodec_node* Parser::finish(const polycodec_node& n) {
  if (!scanner_.at_end())
    scanner_.fail(Status::trailing, "text.trailing", "there are characters after the value");
  // References may lead to the root: it is where it stays.
  polycodec_node* root = builder_.store(n);
  shared_.resolve(*root);
  return root;
}

const polycodec_node* Parser::whole(const Type& t) try {
  return finish(value(t));
} catch (Error& e) {
  if (e.path().empty()) e.path(scanner_.path());
  throw;
}

polycodec_node Parser::typed() {
  scanner_.expect('{');
  std::size_t value_at = 0, end = 0;
  bool have_type = false;
  Type t;
  for (int member = 0; member < 2; ++member) {
    if (member != 0) scanner_.expect(',');
    scanner_.peek();
    const std::size_t key_at = scanner_.at();
    const std::string_view name = scanner_.string();
    scanner_.expect(':');
    scanner_.peek();
    if (name == "type" && !have_type) {
      const std::size_t type_at = scanner_.at() + 1;
      const std::string text(scanner_.string());
      type::ParseOptions options;
      options.concrete_only = true;
      options.max_text = scanner_.text().size();
      options.max_depth = Type::max_depth;
      options.max_nodes = Type::max_nodes;
      try {
        t = type::parse(text, options);
      } catch (const Error& e) {
        throw Error(text_error(e.code(), "in the type: " + e.message(), scanner_.text(),
                               type_at + (e.offset() == Error::no_offset ? 0 : e.offset())))
            .detail(e.detail())
            .path(scanner_.path() + ".type");
      }
      have_type = true;
    } else if (name == "value" && value_at == 0) {
      value_at = scanner_.at();
      if (!have_type) {
        scanner_.skip_value();
      } else {
        break;
      }
    } else {
      scanner_.fail(Status::malformed, "text.form", "expected the members \"type\" and \"value\"",
                    key_at);
    }
  }
  if (!have_type) scanner_.fail(Status::malformed, "text.form", "the member \"type\" is missing");
  if (value_at == 0)
    scanner_.fail(Status::malformed, "text.form", "the member \"value\" is missing");
  if (value_at < scanner_.at()) {
    end = scanner_.at();
    scanner_.rewind(value_at);
  }
  const std::size_t entered = scanner_.enter_root(".value");
  types_.push_back(t);
  const bool documents = documents_;
  documents_ = false;
  const polycodec_node n = value(t);
  documents_ = documents;
  types_.pop_back();
  scanner_.leave_root(entered);
  if (end != 0) scanner_.rewind(end);
  scanner_.expect('}');
  return n;
}

const polycodec_node* Parser::document() try {
  if (scanner_.peek() == '{' && at_typed(scanner_)) return finish(typed());
  plain_ = true;
  return finish(any());
} catch (Error& e) {
  if (e.path().empty()) e.path(scanner_.path());
  throw;
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
