// SPDX-License-Identifier: MIT
// Typed JSON as it is read: the position, the path there, and what the limits leave.
#pragma once

#include <base/json_cursor.hpp>
#include <base/seeded_hash.hpp>
#include <model/type/type.hpp>

#include "core/call/limits.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::text {

/// Reads tokens and forms, and knows the path of the value that is here.
class Scanner : public JsonCursor {
 public:
  /// Paths of errors start with `path`. Throws Error where the text is not UTF-8 or too long.
  Scanner(std::string_view text, const Limits& limits, std::string_view path);

  /// The members of one object or list in order, one level deeper, with the path kept up.
  class Members {
   public:
    Members(Scanner& scanner, char open, char close);
    Members(const Members&) = delete;
    Members& operator=(const Members&) = delete;
    /// True if there is one more; its value (of an object: its key) comes next.
    bool next();
    /// The key of the member, which must stay alive until the next one.
    void named(std::string_view key) noexcept;
    std::uint64_t count() const noexcept { return count_; }

   private:
    Scanner& scanner_;
    char close_;
    std::uint64_t count_ = 0;
  };

  /// A position and its path, to return to.
  struct Place {
    std::size_t at;
    std::size_t depth;
  };
  Place place() const noexcept { return {at(), parts_.size()}; }
  void return_to(const Place& place);

  const Limits& limits() const noexcept { return limits_; }
  /// How many lists, objects and values in values are open.
  std::size_t depth() const noexcept { return parts_.size(); }
  std::string path() const;
  /// Opens a part that is not a member of a list or object; close_part() closes it.
  void open_part(std::string_view name);
  void close_part() noexcept { parts_.pop_back(); }
  /// At the root, paths start at `suffix` of it until leave_root(); returns what that takes.
  std::size_t enter_root(std::string_view suffix);
  void leave_root(std::size_t entered) { root_.resize(entered); }

  /// Counts a value.
  void count_node();
  /// Counts bytes that the notation stands for without holding them (padding, members that are
  /// absent).
  void pad(std::uint64_t bytes);

  bool accept_null() noexcept { return accept_word("null"); }
  /// The key of an object's member, without the `$` that escapes a `$`. A key of a form is refused,
  /// but for one of a `plain` document.
  std::string_view key(bool plain = false);
  /// Passes `{"$name":`, and the end of it; false if another value is here.
  bool open_form(std::string_view name);
  void expect_form(std::string_view name, const char* what);
  void close_form() { expect('}'); }

  using JsonCursor::fail;
  [[noreturn]] void fail(Status status, std::string_view word, std::string message);
  /// The same, about the number or string that was read last.
  [[noreturn]] void fail_token(Status status, std::string_view word, std::string message);
  /// The item count of a list was not what the type says.
  [[noreturn]] void wrong_count(std::uint64_t expected, std::uint64_t found);

 private:
  struct Part {
    std::string_view key;
    std::uint64_t index;
    bool named;
  };

  /// Throws where `depth` open parts are more than the limits or the stack allow.
  void check_depth(std::size_t depth);

  const Limits& limits_;
  std::string root_;
  std::vector<Part> parts_;
  std::uint64_t nodes_ = 0;
  std::uint64_t padding_ = 0;
};

/// Finds the fields of a record type by name; fast where they come in order.
class FieldFinder {
 public:
  /// Views `t`, a record.
  explicit FieldFinder(const type::Type& t);
  /// Reads a key and returns the index of its field, which the type must have.
  std::size_t next(Scanner& scanner);
  /// Field `i`, of this type, is not there: rejected unless it may be missing. `weight` is the
  /// number of nodes that are stored for it.
  void absent(Scanner& scanner, std::size_t i, const type::Type& t, std::uint64_t weight) const;

 private:
  std::size_t find(std::string_view name);

  std::span<const std::string> names_;
  std::size_t next_ = 0;
  SeededMap<std::string_view, std::size_t> index_;  // of records with many fields
};

}  // namespace polycodec::text
