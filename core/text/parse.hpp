// SPDX-License-Identifier: MIT
// From typed JSON to values: one value by its type in parse_value.cpp, without one in
// parse_any.cpp, columns in column.cpp.
#pragma once

#include <model/type/type.hpp>
#include <polycodec/builder.hpp>

#include "core/call/limits.hpp"
#include "core/text/parse_layout.hpp"
#include "core/text/parse_scalar.hpp"
#include "core/text/parse_shared.hpp"
#include "core/text/scanner.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace polycodec::text {

/// Reads one text: which notation a type asks for. The recursion is as deep as the value, which
/// Scanner::Members bounds.
class Parser {
 public:
  Parser(Builder& builder, std::string_view text, const Limits& limits, std::string_view path)
      : builder_(builder), scanner_(text, limits, path) {}
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  /// The whole text: the notation with its type, or plain JSON.
  const polycodec_node* document();
  /// The whole text is a value of this type.
  const polycodec_node* whole(const type::Type& t);

  /// A value of type `t`.
  polycodec_node value(const type::Type& t);
  polycodec_node any();
  /// A value with its type: the members `type` and `value`.
  polycodec_node typed();
  /// The attributes that the annotations of a type say.
  polycodec_node attributes(std::span<const type::Annotation> annotations);

  Scanner& scanner() noexcept { return scanner_; }
  ScalarParser& scalars() noexcept { return scalars_; }
  SharedParser& shared() noexcept { return shared_; }
  Builder& builder() noexcept { return builder_; }
  /// True if columns that could throw NotColumnar are documents.
  bool loose() const noexcept { return loose_; }

 private:
  const polycodec_node* finish(const polycodec_node& n);
  polycodec_node any_form(std::string_view name);
  polycodec_node any_object();
  polycodec_node dims(const type::Type& t);
  polycodec_node columns(const type::Type& t);
  polycodec_node document_list(const type::Type& t);
  /// What is here after the name of a form that says what kind a value of type `t` has; nothing
  /// if the form is another. See parse_mark.cpp.
  std::optional<polycodec_node> marked(std::string_view name, const type::Type& t);
  polycodec_node marked_array(const type::Type& t);
  polycodec_node pairs(polycodec_kind kind, const type::Type& key, const type::Type& item);
  polycodec_node record(const type::Type& t);
  polycodec_node tuple(const type::Type& t);
  std::vector<polycodec_node> tuple_items(const type::Type& t);
  polycodec_node map(const type::Type& t);
  polycodec_node map_entries(const type::Type& key, const type::Type& item);
  polycodec_node extension(const type::Type& payload, std::string_view name);
  polycodec_node variant(const type::Type& t);
  polycodec_node annotated(const type::Type& t);
  polycodec_node number_node(std::uint32_t dtype);
  polycodec_node text_node();
  polycodec_node element_node(const type::Type& t);

  Builder& builder_;
  Scanner scanner_;
  ScalarParser scalars_{scanner_};
  SharedParser shared_{*this};
  LayoutParser layouts_{*this};
  std::vector<type::Type>
      types_;  // of the typed values around here: the path of an error views their field names
  bool documents_ = false;  // inside of a `$list`: lists are documents
  bool loose_ = false;
  bool plain_ = false;  // a plain JSON document: objects with other keys that start with `$` stand
                        // for themselves
};

/// A document array over the items of a list.
polycodec_node document_array(Builder& builder, const polycodec_node& list);

/// A value under `any`, read from a text of its own.
polycodec_node parse_any(Builder& builder, std::string_view text, const Limits& limits);

}  // namespace polycodec::text
