// SPDX-License-Identifier: MIT
#include "mend.hpp"

#include <base/decimal.hpp>

#include "dictionary.hpp"

#include <algorithm>
#include <utility>

namespace polycodec::obj {
namespace {

constexpr std::int32_t absent = -1;
constexpr std::int32_t wrong = -2;
constexpr std::string_view unterminated = "obj.unterminated_freeform";

std::string counted(std::size_t n, std::string_view what) {
  return std::to_string(n) + " " + std::string(what);
}

}  // namespace

void Mender::note(const char* start, const std::string& path, const Error& error,
                  const std::string& done) {
  if (notes_.full()) return notes_.count();
  std::string_view why = error.message();
  if (why.starts_with("line ")) why.remove_prefix(std::min(why.size(), why.find(": ") + 2));
  notes_.add(path, "line " + std::to_string(lexer_.line(start)) + ", byte " +
                       std::to_string(lexer_.offset(start)) + ": " + std::string(why) + "; " +
                       done);
}

void Mender::statement(const char* start, const Mark& mark, const Error& error) {
  model_.faces.rewind(mark.faces);
  model_.lines.rewind(mark.lines);
  model_.points.rewind(mark.points);
  Stream& stream = model_.stream;
  stream.texts.shrink(stream.text_offsets[stream.text_offsets.size() - 1]);
  lexer_.allow_dangling(true);
  lexer_.move_to(start);
  lexer_.skip_blanks();
  const std::string_view keyword = lexer_.word();
  std::string path = "$.statements";
  std::string done;
  const auto row_path = [&](std::size_t kind, std::uint64_t row) {
    path = "$." + std::string(row_codes[kind]) + "[" + std::to_string(row) + "]";
  };
  switch (statement_of(keyword)) {
    case Statement::vertex:
      row_path(0, model_.vertices.size());
      done = vertex();
      break;
    case Statement::texture:
      row_path(1, model_.textures.size());
      done = curve_point(1);
      break;
    case Statement::normal:
      row_path(2, model_.normals.size());
      done = normal();
      break;
    case Statement::parameter:
      row_path(3, model_.parameters.size());
      done = curve_point(3);
      break;
    case Statement::face:
      done = elements(4, path);
      break;
    case Statement::line:
      done = elements(5, path);
      break;
    case Statement::point:
      done = elements(6, path);
      break;
    default:
      done = text(keyword, start, error);
  }
  lexer_.allow_dangling(false);
  note(start, path, error, done);
}

// Statements that are not rows: comments, so that others read the file as well.
std::string Mender::text(std::string_view keyword, const char* start, const Error& error) {
  if (std::any_of(keyword.begin(), keyword.end(),
                  [](char c) { return static_cast<unsigned char>(c) < 0x20; })) {
    static_cast<void>(lexer_.rest_of_line());
    return "the line is left out";
  }
  Stream& stream = model_.stream;
  const Statement what = statement_of(keyword);
  const bool opens = what == Statement::surf || what == Statement::curv || what == Statement::curv2;
  const char* const words = lexer_.position();
  if (error.detail() == unterminated) {
    end_element();
    try {
      free_form_.statement(what, start);
      lexer_.move_to(words);
      lexer_.skip_blanks();
      lexer_.rest_of_statement(stream.texts);
      stream.finish(keyword);
      return "read with an 'end' before it";
    } catch (const Error&) {
      lexer_.move_to(words);
    }
  }
  if (opens) free_form_.forget();
  stream.texts.append(" ", 1);
  stream.texts.append(keyword.data(), keyword.size());
  stream.texts.append(" ", 1);
  lexer_.skip_blanks();
  lexer_.rest_of_statement(stream.texts);
  stream.finish("#");
  return "kept as a comment";
}

void Mender::end_element() {
  model_.stream.text("end", {});
  free_form_.forget();
}

void Mender::end_of_file(const Error& error) {
  end_element();
  note(lexer_.end(), "$.statements", error, "read with an 'end' after it");
}

// The index that is between slashes from `at` to `end`.
std::int32_t Mender::part(Kind kind, const char*& at, const char* end) {
  std::int64_t value = 0;
  const DecimalEnd read = parse_decimal(at, end, value);
  at = std::find(at, end, '/');
  if (read.status != DecimalStatus::ok || read.end != at) return wrong;
  const auto count = static_cast<std::int64_t>(indices_.count(kind));
  if (value < 0 && value >= -count) return static_cast<std::int32_t>(count + value);
  if (value <= 0 || value > indices_.most(kind)) return wrong;
  indices_.seen(kind, value, at);
  return static_cast<std::int32_t>(value - 1);
}

// The corner at the place of the lexer: 1, or 0 for a word that is none, or -1 for one with a wrong
// index of a vertex.
int Mender::corner(std::array<std::int32_t, 3>& parts) {
  const std::string_view word = lexer_.word();
  const char* at = word.data();
  const char* const end = at + word.size();
  parts = {wrong, absent, absent};
  if (word[0] != '-' && word[0] != '+' && (word[0] < '0' || word[0] > '9')) return 0;
  constexpr Kind kinds_of_parts[] = {Kind::vertex, Kind::texture, Kind::normal};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool empty = at == end || *at == '/';
    parts[i] = empty ? absent : part(kinds_of_parts[i], at, end);
    if (at == end) break;
    ++at;
  }
  for (std::size_t i = 1; i < parts.size(); ++i) parts[i] = std::max(parts[i], absent);
  return parts[0] < 0 ? -1 : 1;
}

// Lines take no normals, and points neither: what the kind has no place for is absent.
std::string Mender::elements(std::size_t kind, std::string& path) {
  const std::string asked(row_codes[kind]);
  std::vector<std::array<std::int32_t, 3>> corners;
  bool whole = true;
  for (;;) {
    lexer_.skip_blanks();
    if (lexer_.at_statement_end()) break;
    std::array<std::int32_t, 3> parts{};
    const int found = corner(parts);
    whole = whole && found >= 0;
    if (found > 0) corners.push_back(parts);
  }
  if (kind == 4 && corners.size() < 3) kind = 5;
  if (kind == 5 && corners.size() < 2) kind = 6;
  if (!whole || corners.empty()) {
    path = "$." + asked;
    return "the element is left out";
  }
  Elements& elements = kind == 4 ? model_.faces : kind == 5 ? model_.lines : model_.points;
  const std::string code(row_codes[kind]);
  path = "$." + code + "[" + std::to_string(elements.size()) + "]";
  for (const auto& [v, vt, vn] : corners)
    elements.corner(v, kind == 6 ? absent : vt, kind == 4 ? vn : absent);
  elements.finish();
  model_.stream.data(row_codes[kind]);
  return asked == code ? "read with " + counted(corners.size(), "corners, without the wrong parts")
                       : "read as '" + code + "'";
}

// The numbers up to the end of the statement; those that are too many are counted, not stored.
std::size_t Mender::numbers(std::array<double, 8>& to) {
  std::size_t n = 0;
  for (;;) {
    lexer_.skip_blanks();
    if (lexer_.at_statement_end()) return n;
    const double value = mended_number(lexer_.word());
    if (n < to.size()) to[n] = value;
    ++n;
  }
}

std::string Mender::vertex() {
  std::array<double, 8> n{};
  const std::size_t given = numbers(n);
  const std::uint64_t row = model_.vertices.size();
  const std::size_t used = given == 4 || given == 6 ? given : 3;
  used == 4 ? model_.weights.put(row, n.data() + 3) : model_.weights.skip();
  used == 6 ? model_.colors.put(row, n.data() + 3) : model_.colors.skip();
  model_.vertices.numbers.append(n.data(), 3);
  model_.stream.data(row_codes[0]);
  return "read with " + counted(used, "numbers");
}

std::string Mender::curve_point(std::size_t kind) {
  std::array<double, 8> n{};
  const std::size_t used = std::clamp<std::size_t>(numbers(n), 1, 3);
  const bool texture = kind == 1;
  Points<1>& u = texture ? model_.textures : model_.parameters;
  OptionalColumns<1>& v = texture ? model_.texture_v : model_.parameter_v;
  OptionalColumns<1>& w = texture ? model_.texture_w : model_.parameter_w;
  const std::uint64_t row = u.size();
  u.numbers.push(n[0]);
  used > 1 ? v.put(row, n.data() + 1) : v.skip();
  used > 2 ? w.put(row, n.data() + 2) : w.skip();
  model_.stream.data(row_codes[kind]);
  return "read with " + counted(used, "numbers");
}

std::string Mender::normal() {
  std::array<double, 8> n{};
  static_cast<void>(numbers(n));
  model_.normals.numbers.append(n.data(), 3);
  model_.stream.data(row_codes[2]);
  return "read with 3 numbers";
}

}  // namespace polycodec::obj
