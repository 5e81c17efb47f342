// SPDX-License-Identifier: MIT
// From typed JSON to values: single values in parse_*.cpp, columns in column.cpp.
#pragma once

#include <base/json_cursor.hpp>
#include <base/json_number.hpp>
#include <model/type/type.hpp>
#include <polycodec/builder.hpp>

#include "core/call/limits.hpp"
#include "core/text/references.hpp"

#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace polycodec::text {

/// What a column throws at a value that its type allows but its memory cannot hold: a list for a
/// tuple, text that is not UTF-8, a time out of the range of 64 bits. The array is then read again
/// as documents.
struct NotColumnar {};

class FieldFinder;

/// Reads one text. The recursion is as deep as the value, which Members bounds.
class Parser {
 public:
  Parser(Builder& builder, std::string_view text, const Limits& limits, std::string_view path);

  /// The whole text: the notation with its type, or plain JSON.
  const polycodec_node* document();
  /// The whole text is a value of this type.
  const polycodec_node* whole(const type::Type& t);

  /// A value of type `t`.
  polycodec_node value(const type::Type& t);
  polycodec_node any();

  /// The members of one object or list in order, one level deeper, with the path kept up.
  class Members {
   public:
    Members(Parser& parser, char open, char close);
    Members(const Members&) = delete;
    Members& operator=(const Members&) = delete;
    /// True if there is one more; its value (of an object: its key) comes next.
    bool next();
    /// The key of the member, which must stay alive until the next one.
    void named(std::string_view key) noexcept;
    std::uint64_t count() const noexcept { return count_; }

   private:
    Parser& parser_;
    char close_;
    std::uint64_t count_ = 0;
  };

  // For columns
  JsonCursor& cursor() noexcept { return cursor_; }
  Builder& builder() noexcept { return builder_; }
  const Limits& limits() const noexcept { return limits_; }
  bool loose() const noexcept { return loose_; }
  bool accept_null() noexcept { return cursor_.accept_word("null"); }
  /// The key of an object's member, without the `$` that escapes a `$`; a key of a form is refused.
  std::string_view key();
  /// A number, boolean or complex number of this dtype, as its bytes in host order.
  void number(std::uint32_t dtype, unsigned char* out);
  polycodec_time datetime(std::uint32_t unit);
  std::int64_t timedelta(std::uint32_t unit);
  /// A string, or the bytes of a `$string`, valid until the next call; `raw` tells which.
  std::string_view text(bool& raw);
  /// The bytes of a `$bytes`, valid until the next call.
  std::string_view bytes();
  /// The item count of a list was not what the type says.
  [[noreturn]] void wrong_count(std::uint64_t expected, std::uint64_t found);
  [[noreturn]] void fail(Status status, std::string_view word, std::string message);
  /// The same, about the number or string that was read last.
  [[noreturn]] void fail_token(Status status, std::string_view word, std::string message);

  /// Reads a key and finds its field in a record type, which must have it.
  std::size_t field(FieldFinder& finder, const type::Type& t);
  [[noreturn]] void missing_field(const type::Type& t, std::size_t i);
  /// Reads the tag of a member of a union; of `any` every tag.
  std::int64_t union_tag(const type::Type& t);
  /// The attributes that the annotations of a type say.
  polycodec_node attributes(std::span<const type::Annotation> annotations);

  /// Passes `{"$name":`, and the end of it; false if another value is here.
  bool open_form(std::string_view name);
  void expect_form(std::string_view name, const char* what);
  void close_form() { cursor_.expect('}'); }
  /// Counts bytes that the notation stands for without holding them (padding).
  void pad(std::uint64_t bytes);

 private:
  friend class Members;
  struct Part {
    std::string_view key;
    std::uint64_t index;
    bool named;
  };

  std::string path() const;
  void count_node();
  const polycodec_node* finish(const polycodec_node& n);
  polycodec_node any_form(std::string_view name);
  bool is_lone_form();
  polycodec_node any_object();
  polycodec_node typed();
  bool at_typed();
  polycodec_node dims(const type::Type& t);
  polycodec_node columns(const type::Type& t);
  polycodec_node document_list(const type::Type& t);
  polycodec_node document_array(const polycodec_node& list);
  /// What is here after the name of a form that says what kind a value of type `t` has; nothing
  /// if the form is another. See parse_mark.cpp.
  std::optional<polycodec_node> marked(std::string_view name, const type::Type& t);
  polycodec_node labeled(const type::Type& t);
  polycodec_node reference(const type::Type& t);
  polycodec_node marked_array(const type::Type& t);
  polycodec_node same_array(const type::Type& t);
  polycodec_node pairs(polycodec_kind kind, const type::Type& key, const type::Type& item);
  polycodec_node layout();
  void layout_member(std::string_view name, polycodec_array& a, std::uint64_t (&counts)[2]);
  void check_layout(polycodec_array& a, const std::uint64_t (&counts)[2]);
  polycodec_column structure(std::uint64_t& count);
  std::uint64_t count();
  const polycodec_array* child();
  /// `a` with this metadata; the same array for a shared one each time.
  const polycodec_array* with_metadata(const polycodec_array& a, const polycodec_node* metadata);
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
  polycodec_node any_datetime();
  void special_float(std::uint32_t dtype, unsigned char* out);
  void float_number(std::uint32_t dtype, unsigned char* out);
  std::string_view base64();

  Builder& builder_;
  JsonCursor cursor_;
  const Limits& limits_;
  std::string root_;
  std::vector<Part> parts_;
  std::vector<type::Type>
      types_;  // of the typed values around here: the path of an error views their field names
  std::vector<unsigned char> decoded_;
  Labels labels_;
  std::unordered_map<std::uint64_t, const polycodec_array*> shared_;  // by number
  std::unordered_map<const polycodec_array*, const polycodec_array*> annotated_;
  std::uint32_t layouts_ = 0;  // around here
  std::uint64_t nodes_ = 0;
  std::uint64_t padding_ = 0;
  std::uint32_t any_unit_ = 0;  // the unit of the last timedelta
  bool documents_ = false;      // inside of a `$list`: lists are documents
  bool loose_ = false;          // columns that could throw NotColumnar are documents
  bool plain_ = false;  // a plain JSON document: objects with other keys that start with `$` stand
                        // for themselves
};

/// Finds fields by name; fast where they come in order.
class FieldFinder {
 public:
  explicit FieldFinder(std::span<const std::string> names);
  /// The index of a field; the number of fields if there is none.
  std::size_t find(std::string_view name);

 private:
  std::span<const std::string> names_;
  std::size_t next_ = 0;
  std::unordered_map<std::string_view, std::size_t> index_;  // of records with many fields
};

/// A value under `any`, read from a text of its own.
polycodec_node parse_any(Builder& builder, std::string_view text, const Limits& limits);

}  // namespace polycodec::text
