// SPDX-License-Identifier: MIT
// Corners of faces, lines, points and surfaces.
#pragma once

#include "indices.hpp"
#include "lexer.hpp"
#include "model.hpp"

#include <cstdint>

namespace polycodec::obj {

/// Reads corners at the place of a lexer.
class Corners {
 public:
  Corners(Lexer& lexer, Indices& indices, bool strict) noexcept
      : lexer_(lexer), indices_(indices), strict_(strict) {}

  // One corner: v, v/vt, v//vn or v/vt/vn. Returns its form: 1 with vt, 2 with vn.
  unsigned corner(Elements& elements, unsigned allowed) {
    const char* at = lexer_.position();
    if (*at == '/')
      lexer_.fail(Status::malformed, "obj.bad_corner", "a corner without a vertex", at);
    const std::int32_t v = indices_.index(vertex, at);
    std::int32_t vt = -1;
    std::int32_t vn = -1;
    if (!lexer_.is_word_end(at)) {
      if (*at != '/')
        lexer_.fail(Status::malformed, "obj.bad_index",
                    lexer_.quoted(lexer_.position()) + " is no index", lexer_.position());
      const char* const slash = at++;
      if (lexer_.is_word_end(at)) {
        empty_part(slash);
      } else {
        if (*at != '/') vt = indices_.index(texture, at);
        if (!lexer_.is_word_end(at)) {
          if (*at != '/')
            lexer_.fail(Status::malformed, "obj.bad_index",
                        lexer_.quoted(lexer_.position()) + " is no corner", lexer_.position());
          ++at;
          lexer_.is_word_end(at) ? empty_part(slash)
                                 : static_cast<void>(vn = indices_.index(normal, at));
          if (!lexer_.is_word_end(at))
            lexer_.fail(Status::malformed, *at == '/' ? "obj.bad_corner" : "obj.bad_index",
                        lexer_.quoted(lexer_.position()) + " is no corner", lexer_.position());
        }
      }
    }
    const unsigned form = (vt >= 0 ? 1u : 0u) | (vn >= 0 ? 2u : 0u);
    if ((form & ~allowed) != 0)
      lexer_.fail(Status::malformed, "obj.bad_corner", "this statement takes no such index",
                  lexer_.position());
    elements.corner(v, vt, vn);
    lexer_.move_to(at);
    return form;
  }

  // Corners up to the end of the statement; returns how many.
  std::uint64_t corners(Elements& elements, unsigned allowed) {
    std::uint64_t n = 0;
    unsigned first_form = 0;
    for (;; ++n) {
      lexer_.skip_blanks();
      if (lexer_.at_statement_end()) break;
      const char* const at = lexer_.position();
      const unsigned form = corner(elements, allowed);
      if (n == 0) first_form = form;
      if (form != first_form && strict_)
        lexer_.fail(Status::malformed, "obj.mixed_corner_forms",
                    "all corners of an element have the same form", at);
    }
    elements.finish();
    return n;
  }

 private:
  void empty_part(const char* at) const {
    if (strict_)
      lexer_.fail(Status::malformed, "obj.bad_corner", "a slash without an index behind it", at);
  }

  Lexer& lexer_;
  Indices& indices_;
  bool strict_;
};

}  // namespace polycodec::obj
