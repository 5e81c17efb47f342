// SPDX-License-Identifier: MIT
// Tolerant reading: statements that are wrong are read again for what they can be.
#pragma once

#include <model/mend_notes.hpp>
#include <polycodec/error.hpp>

#include "free_form.hpp"
#include "indices.hpp"
#include "lexer.hpp"
#include "model.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace polycodec::obj {

/// Reads statements again that an error ended, at the place of a lexer.
///
/// - Indices of texture coordinates and normals that are none become absent. An element with such
/// an
///   index of a vertex is left out.
/// - Elements of too few corners become lines or points.
/// - Words that are not numbers become the number that they start with, NaN or 0; rows of points
/// have
///   as many numbers as they need, so that the indices of others stay right.
/// - Other statements become comments, and lines of control characters are left out. Elements of
///   free-form geometry get the `end` that they lack.
class Mender {
 public:
  Mender(Lexer& lexer, Model& model, Indices& indices, FreeForm& free_form, MendNotes& notes)
      : lexer_(lexer), model_(model), indices_(indices), free_form_(free_form), notes_(notes) {}

  /// What reading can leave behind that an error ends.
  struct Mark {
    Elements::Mark faces, lines, points;
  };
  Mark mark() const noexcept {
    return {model_.faces.mark(), model_.lines.mark(), model_.points.mark()};
  }

  /// Reads the statement at `start`, whose reading `error` ended, up to its comment or newline.
  void statement(const char* start, const Mark& mark, const Error& error);
  /// The file ended in an element of free-form geometry.
  void end_of_file(const Error& error);

 private:
  std::string text(std::string_view keyword, const char* start, const Error& error);
  void end_element();
  std::string elements(std::size_t kind, std::string& path);
  int corner(std::array<std::int32_t, 3>& parts);
  std::int32_t part(Kind kind, const char*& at, const char* end);
  std::size_t numbers(std::array<double, 8>& to);
  std::string vertex();
  std::string curve_point(std::size_t kind);
  std::string normal();
  void note(const char* start, const std::string& path, const Error& error,
            const std::string& done);

  Lexer& lexer_;
  Model& model_;
  Indices& indices_;
  FreeForm& free_form_;
  MendNotes& notes_;
};

}  // namespace polycodec::obj
