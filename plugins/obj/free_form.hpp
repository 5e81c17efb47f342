// SPDX-License-Identifier: MIT
// Statements of free-form geometry, which are checked and kept as text.
#pragma once

#include "indices.hpp"
#include "lexer.hpp"
#include "model.hpp"

#include <cstddef>

namespace polycodec::obj {

/// Checks statements at the place of a lexer, which moves.
class FreeForm {
 public:
  FreeForm(Lexer& lexer, Indices& indices, Corners& corners, Builder& out)
      : lexer_(lexer), indices_(indices), corners_(corners), scratch_(out) {}

  /// The words of a statement whose keyword, at `start`, has been read.
  void statement(Statement what, const char* start) {
    switch (what) {
      case Statement::surf: {
        open(start);
        check_numbers(4, start);
        need(start);
        while (more()) corners_.corner(scratch_, 3);
        scratch_.clear();
        indices_.add_surface();
        break;
      }
      case Statement::curv:
        open(start);
        check_numbers(2, start);
        need(start);
        while (more()) check_index(vertex);
        break;
      case Statement::curv2:
        open(start);
        need(start);
        while (more()) check_index(parameter);
        indices_.add_curve2();
        break;
      case Statement::trim:
        need(start);
        while (more()) {
          check_numbers(2, start);
          need(start);
          check_index(curve2);
        }
        break;
      case Statement::special:
        need(start);
        while (more()) check_index(parameter);
        break;
      case Statement::connection:
        for (int side = 0; side < 2; ++side) {
          need(start);
          check_index(surface);
          check_numbers(2, start);
          need(start);
          check_index(curve2);
        }
        break;
      case Statement::end:
        open_ = nullptr;
        break;
      default:
        break;
    }
  }

  /// No element waits for its end any more.
  void forget() noexcept { open_ = nullptr; }

  /// At the end of the file: throws if an element waits for its end.
  void finish() const {
    if (open_ != nullptr) unterminated();
  }

 private:
  void check_index(Kind kind) {
    const char* at = lexer_.position();
    static_cast<void>(indices_.index(kind, at));
    if (!lexer_.is_index_end(at)) lexer_.fail_word("obj.bad_index", "an index", lexer_.position());
    lexer_.move_to(at);
  }
  bool more() {
    lexer_.skip_blanks();
    return !lexer_.at_statement_end();
  }
  void need(const char* start) {
    if (!more())
      lexer_.fail(Status::malformed, "obj.bad_freeform", "the statement is too short", start);
  }
  void check_numbers(std::size_t n, const char* start) {
    for (; n != 0; --n) {
      need(start);
      static_cast<void>(lexer_.number());
    }
  }

  void open(const char* start) {
    if (open_ != nullptr) unterminated();
    open_ = start;
  }
  [[noreturn]] void unterminated() const {
    lexer_.fail(Status::malformed, "obj.unterminated_freeform", "a free-form element without 'end'",
                open_);
  }

  Lexer& lexer_;
  Indices& indices_;
  Corners& corners_;
  Elements scratch_;            // corners that are only checked
  const char* open_ = nullptr;  // the element that waits for its end
};

}  // namespace polycodec::obj
