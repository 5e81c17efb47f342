// SPDX-License-Identifier: MIT
// Statements at the place of a lexer, read into a model.
#pragma once

#include "codec.hpp"
#include "dictionary.hpp"
#include "free_form.hpp"
#include "indices.hpp"
#include "lexer.hpp"
#include "model.hpp"
#include "runs.hpp"

#include <cstring>
#include <string>
#include <string_view>

namespace polycodec::obj {

/// Statements with keywords that nobody knows.
struct Unknown {
  std::uint64_t count = 0;
  const char* first = nullptr;

  void add(const Unknown& after) noexcept {
    if (count == 0) first = after.first;
    count += after.count;
  }
};

/// Reads statements. What it refers to outlives it.
class Reader {
 public:
  /// Without `free_form`, statements of free-form geometry throw NeedsWholeFile.
  Reader(const Settings& settings, bool wants_faces, Lexer& lexer, Model& model, Indices& indices,
         Corners& corners, FreeForm* free_form) noexcept
      : settings_(settings),
        wants_faces_(wants_faces),
        lexer_(lexer),
        model_(model),
        corners_(corners),
        free_form_(free_form),
        runs_(lexer, model, indices) {}

  /// One line with what continues it, or a run of simple ones.
  void statement() {
    if (!wants_faces_ && pass_face()) return;
    if (runs_.read()) return;
    lexer_.skip_blanks();
    if (!lexer_.at_statement_end()) {
      const char* const start = lexer_.position();
      const std::string_view keyword = lexer_.word();
      // The two that most lines of most files are.
      if (keyword == "v") {
        vertex_statement(start);
      } else if (keyword == "f") {
        face(start);
      } else {
        other(keyword, start);
      }
      lexer_.skip_blanks();
      if (!lexer_.at_statement_end())
        fail("obj.bad_statement", "the statement does not end here: " + here(), lexer_.position());
    } else if (lexer_.at_end() || lexer_.peek() != '#') {
      model_.stream.data(blank_line);
    }
    end_of_line();
  }

  /// The comment after a statement, and the newline.
  void end_of_line() {
    if (!lexer_.at_end() && lexer_.peek() == '#') {
      lexer_.move_to(lexer_.position() + 1);
      model_.stream.text("#", lexer_.rest_of_line());
    }
    lexer_.skip_line_end();
  }

  /// No run goes beyond `end`, which is behind the end of a line.
  void end_runs_at(const char* end) noexcept { runs_.end_at(end); }

  const Unknown& unknown() const noexcept { return unknown_; }
  void add_unknown(const Unknown& others) noexcept { unknown_.add(others); }

 private:
  [[noreturn, gnu::noinline]] void fail(const char* detail, const std::string& message,
                                        const char* at) const {
    lexer_.fail(Status::malformed, detail, message, at);
  }

  // Passes a face in one line that nobody wants; false, and nothing has happened, for other lines.
  bool pass_face() {
    const char* const p = lexer_.position();
    if (lexer_.end() - p < 2 || p[0] != 'f' || p[1] != ' ') return false;
    const auto left = static_cast<std::size_t>(lexer_.end() - p);
    const auto* const newline = static_cast<const char*>(std::memchr(p, '\n', left));
    if (newline == nullptr) return false;
    const auto size = static_cast<std::size_t>(newline - p);
    if (std::memchr(p, '\\', size) != nullptr || std::memchr(p, '\r', size) != nullptr)
      return false;
    lexer_.move_to(newline + 1);
    return true;
  }

  std::string here() const { return lexer_.quoted(lexer_.position()); }

  void other(std::string_view keyword, const char* start) {
    switch (const Statement what = statement_of(keyword)) {
      case Statement::vertex:
      case Statement::face:
        return face(start);  // fo, the old name of f
      case Statement::texture:
        return curve_point(model_.textures, model_.texture_v, model_.texture_w, 1, "obj.bad_vt",
                           start);
      case Statement::normal: {
        double n[3];
        if (numbers(n, 3, "obj.bad_vn", start) != 3) fail("obj.bad_vn", "vn has 3 numbers", start);
        model_.normals.numbers.append(n, 3);
        model_.stream.data(row_codes[2]);
        break;
      }
      case Statement::parameter:
        return curve_point(model_.parameters, model_.parameter_v, model_.parameter_w, 3,
                           "obj.bad_vertex", start);
      case Statement::line:
        return line(start);
      case Statement::point:
        return point(start);
      case Statement::unknown:
        return unknown(keyword, start);
      default:
        if (what != Statement::state) {
          if (free_form_ == nullptr) throw NeedsWholeFile{};
          free_form_->statement(what, start);
        }
        lexer_.move_to(start + keyword.size());
        lexer_.skip_blanks();
        lexer_.rest_of_statement(model_.stream.texts);
        model_.stream.finish(keyword);
        break;
    }
  }

  // vt or vp: one number that must be there, and two that may.
  void curve_point(Points<1>& u, OptionalColumns<1>& v, OptionalColumns<1>& w, std::size_t code,
                   const char* bad, const char* start) {
    double n[3];
    const std::size_t given = numbers(n, 3, bad, start);
    if (given == 0) fail(bad, std::string(row_codes[code]) + " has 1, 2 or 3 numbers", start);
    const std::uint64_t row = u.size();
    u.numbers.push(n[0]);
    given > 1 ? v.put(row, n + 1) : v.skip();
    given > 2 ? w.put(row, n + 2) : w.skip();
    model_.stream.data(row_codes[code]);
  }

  void unknown(std::string_view keyword, const char* start) {
    for (const char c : keyword)
      if (static_cast<unsigned char>(c) < 0x20)
        fail("obj.not_text", "a control character: this is not a text file", start);
    if (unknown_.count++ == 0) unknown_.first = start;
    lexer_.skip_blanks();
    lexer_.rest_of_statement(model_.stream.texts);
    model_.stream.finish(keyword);
  }

  // The numbers up to the end of the statement, at most `most`.
  std::size_t numbers(double* to, std::size_t most, const char* too_many, const char* start) {
    std::size_t given = 0;
    for (;; ++given) {
      lexer_.skip_blanks();
      if (lexer_.at_statement_end()) return given;
      const double value = lexer_.number();
      if (given == most) [[unlikely]]
        fail(too_many, "more than " + std::to_string(most) + " numbers", start);
      to[given] = value;
    }
  }

  void vertex_statement(const char* start) {
    double n[7];
    const std::size_t given = numbers(n, 7, "obj.bad_vertex", start);
    const std::uint64_t row = model_.vertices.size();
    if (given == 3) [[likely]] {
      model_.weights.skip();
      model_.colors.skip();
    } else if (given == 4) {
      model_.weights.put(row, n + 3);
      model_.colors.skip();
    } else if (given == 6) {
      model_.weights.skip();
      model_.colors.put(row, n + 3);
    } else if (given == 7) {
      model_.weights.put(row, n + (settings_.weight_last ? 6 : 3));
      model_.colors.put(row, n + (settings_.weight_last ? 3 : 4));
    } else {
      fail("obj.bad_vertex", "v has 3, 4, 6 or 7 numbers, not " + std::to_string(given), start);
    }
    model_.vertices.numbers.append(n, 3);
    model_.stream.data(row_codes[0]);
  }

  void face(const char* start) {
    if (corners_.corners(model_.faces, 3) < 3)
      fail("obj.face_too_small", "a face has at least 3 corners", start);
    model_.stream.data(row_codes[4]);
  }
  void line(const char* start) {
    if (corners_.corners(model_.lines, 1) < 2)
      fail("obj.line_too_small", "a line has at least 2 corners", start);
    model_.stream.data(row_codes[5]);
  }
  void point(const char* start) {
    if (corners_.corners(model_.points, 0) < 1)
      fail("obj.point_empty", "a point statement has at least 1 vertex", start);
    model_.stream.data(row_codes[6]);
  }

  static constexpr std::string_view blank_line = "";

  const Settings& settings_;
  const bool wants_faces_;
  Lexer& lexer_;
  Model& model_;
  Corners& corners_;
  FreeForm* const free_form_;
  Runs runs_;
  Unknown unknown_;
};

}  // namespace polycodec::obj
