// SPDX-License-Identifier: MIT
// Tolerant reading: statements that are wrong are read again for what they can be.
#pragma once

#include <polycodec/error.hpp>
#include <polycodec/tolerant.hpp>

#include "free_form.hpp"
#include "indices.hpp"
#include "lexer.hpp"
#include "model.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace polycodec::obj {

/// Reads statements again that an error ended, at the place of a lexer. docs/tolerant.md has the
/// rules; a number in no known spelling stays an error.
class Mender {
 public:
  Mender(Lexer& lexer, Model& model, Indices& indices, FreeForm& free_form, bool weight_last,
         MendNotes& notes)
      : lexer_(lexer),
        model_(model),
        indices_(indices),
        free_form_(free_form),
        weight_last_(weight_last),
        notes_(notes) {}

  /// What reading can leave behind that an error ends.
  struct Mark {
    Elements::Mark faces, lines, points;
  };
  Mark mark() const noexcept {
    return {model_.faces.mark(), model_.lines.mark(), model_.points.mark()};
  }

  /// Reads the statement at `start`, whose reading `error` ended, up to its comment or newline.
  void statement(const char* start, const Mark& mark, const Error& error);
  /// A line continued at `at` although spaces follow the backslash there.
  void continued_at(const char* at);
  /// The file ended in an element of free-form geometry.
  void end_of_file(const Error& error);
  /// At the end of the file: throws if something was left out, and nothing is left.
  void check_content() const;

 private:
  /// What became of a statement.
  struct Outcome {
    std::string path;
    std::string done;  // follows the statement's text, such as "is read as 'v 0 0 0'"
    LossClass loss = LossClass::mended;
  };

  Outcome read(std::string_view keyword, const char* start, const Error& error);
  Outcome text(std::string_view keyword, const char* start, const Error& error);
  void end_element();
  Outcome elements(std::size_t kind);
  int corner(std::array<std::int32_t, 3>& parts);
  std::int32_t part(Kind kind, const char*& at, const char* end);
  std::size_t numbers(std::array<double, 8>& to);
  Outcome vertex();
  Outcome curve_point(std::size_t kind);
  Outcome normal();
  Outcome row(std::size_t kind, std::uint64_t row, const std::array<double, 8>& numbers,
              std::size_t used) const;
  std::string place(const char* start) const;

  Lexer& lexer_;
  Model& model_;
  Indices& indices_;
  FreeForm& free_form_;
  const bool weight_last_;
  MendNotes& notes_;
  std::optional<Error> left_out_;  // why something is missing
};

}  // namespace polycodec::obj
