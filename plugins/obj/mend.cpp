// SPDX-License-Identifier: MIT
#include "mend.hpp"

#include <polycodec/quote.hpp>

#include "dictionary.hpp"

#include <algorithm>
#include <utility>

namespace polycodec::obj {
namespace {

constexpr std::int32_t absent = -1;
constexpr std::int32_t wrong = -2;
constexpr const char* is_left_out = "is left out";
constexpr std::string_view unterminated = "obj.unterminated_freeform";
// Text of statements in messages is cut after so many bytes.
constexpr std::size_t shown_bytes = 60;

// Characters that pad files to a size, or end them.
bool is_padding(std::string_view line) noexcept {
  return line.find_first_not_of(std::string_view("\0\x1a \t", 4)) == std::string_view::npos;
}

bool is_control(char c) noexcept {
  return static_cast<unsigned char>(c) < 0x20;
}

std::string row_path(std::size_t kind, std::uint64_t row) {
  return "$." + std::string(row_codes[kind]) + "[" + std::to_string(row) + "]";
}

}  // namespace

std::string Mender::place(const char* start) const {
  return "line " + std::to_string(lexer_.line(start)) + ", byte " +
         std::to_string(lexer_.offset(start)) + ": ";
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
  const char* const begin = lexer_.position();
  const Outcome outcome = read(lexer_.word(), begin, error);
  lexer_.allow_dangling(false);
  if (!left_out_ && outcome.done == is_left_out) left_out_ = error;
  if (notes_.full()) return notes_.count(outcome.loss);
  std::string_view why = error.message();
  if (why.starts_with("line ")) why.remove_prefix(std::min(why.size(), why.find(": ") + 2));
  std::string_view old(begin, static_cast<std::size_t>(lexer_.position() - begin));
  while (!old.empty() && is_blank(old.back())) old.remove_suffix(1);
  notes_.add(outcome.loss, outcome.path,
             place(start) + std::string(why) + "; " + quote(old, shown_bytes) + " " + outcome.done);
}

Mender::Outcome Mender::read(std::string_view keyword, const char* start, const Error& error) {
  switch (statement_of(keyword)) {
    case Statement::vertex:
      return vertex();
    case Statement::texture:
      return curve_point(1);
    case Statement::normal:
      return normal();
    case Statement::parameter:
      return curve_point(3);
    case Statement::face:
      return elements(4);
    case Statement::line:
      return elements(5);
    case Statement::point:
      return elements(6);
    default:
      return text(keyword, start, error);
  }
}

// Statements that are not rows: comments, so that others read the file as well.
Mender::Outcome Mender::text(std::string_view keyword, const char* start, const Error& error) {
  const std::string path = "$.statements";
  if (std::any_of(keyword.begin(), keyword.end(), is_control)) {
    lexer_.move_to(start);
    if (is_padding(lexer_.rest_of_line()))
      return {path, "is padding, which is left out", LossClass::note};
    return {path, is_left_out};
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
      return {path, "is read with an 'end' before it", LossClass::note};
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
  return {path, "is kept as a comment"};
}

void Mender::end_element() {
  model_.stream.text("end", {});
  free_form_.forget();
}

void Mender::continued_at(const char* at) {
  if (notes_.full()) return notes_.count(LossClass::note);
  notes_.add(
      LossClass::note, "$.statements",
      place(at) + "a space follows the backslash; read as if the next line continued this one");
}

void Mender::end_of_file(const Error& error) {
  end_element();
  notes_.add(LossClass::note, "$.statements",
             place(lexer_.end()) + error.message() + "; read with an 'end' after it");
}

void Mender::check_content() const {
  if (!left_out_) return;
  // Every statement but an empty line has a code, rows too.
  if (model_.stream.codes.size() == 0) throw Error(*left_out_);
}

// The index that is between slashes from `at` to `end`.
std::int32_t Mender::part(Kind kind, const char*& at, const char* end) {
  const char* const start = at;
  at = std::find(at, end, '/');
  std::int64_t value = 0;
  if (!mended_number({start, static_cast<std::size_t>(at - start)}, value)) return wrong;
  const auto count = static_cast<std::int64_t>(indices_.count(kind));
  if (value < 0 && value >= -count) return static_cast<std::int32_t>(count + value);
  if (value <= 0 || value > indices_.most(kind)) return wrong;
  indices_.seen(kind, value, start);
  return static_cast<std::int32_t>(value - 1);
}

// The corner at the place of the lexer: 1, or 0 for a word that is none, or -1 for one with a wrong
// index of a vertex.
int Mender::corner(std::array<std::int32_t, 3>& parts) {
  std::string_view word = lexer_.word();
  // A comment may be glued to an index, which has no such character.
  if (const std::size_t comment = word.find('#'); comment != std::string_view::npos) {
    word = word.substr(0, comment);
    lexer_.move_to(word.data() + comment);
  }
  const char* at = word.data();
  const char* const end = at + word.size();
  parts = {wrong, absent, absent};
  if (word.find_first_of("0123456789") == std::string_view::npos) return 0;
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
Mender::Outcome Mender::elements(std::size_t kind) {
  const std::string_view asked = row_codes[kind];
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
  if (!whole || corners.empty()) return {"$." + std::string(asked), is_left_out};
  Elements& elements = kind == 4 ? model_.faces : kind == 5 ? model_.lines : model_.points;
  std::string now(row_codes[kind]);
  const std::string path = row_path(kind, elements.size());
  for (const auto& [v, vt, vn] : corners) {
    const std::int32_t texture = kind == 6 ? absent : vt, normal = kind == 4 ? vn : absent;
    elements.corner(v, texture, normal);
    if (now.size() > shown_bytes) continue;
    now += " " + std::to_string(v + 1);
    if (texture != absent || normal != absent) now += "/";
    if (texture != absent) now += std::to_string(texture + 1);
    if (normal != absent) now += "/" + std::to_string(normal + 1);
  }
  elements.finish();
  model_.stream.data(row_codes[kind]);
  return {path, "is read as " + quote(now, shown_bytes)};
}

// The numbers up to the end of the statement; those that are too many are counted, not stored.
std::size_t Mender::numbers(std::array<double, 8>& to) {
  std::size_t n = 0;
  for (;;) {
    lexer_.skip_blanks();
    if (lexer_.at_statement_end()) return n;
    const char* const at = lexer_.position();
    const std::string_view word = lexer_.word();
    double value = 0;
    if (!lexer_.as_number(value, [&](auto& number) { return mended_number(word, number); }))
      lexer_.fail_word("obj.bad_number", "a number in any spelling that is known", at);
    if (n < to.size()) to[n] = value;
    ++n;
  }
}

// What became of the statement of a row of numbers.
Mender::Outcome Mender::row(std::size_t kind, std::uint64_t row,
                            const std::array<double, 8>& numbers, std::size_t used) const {
  std::string now(row_codes[kind]);
  for (std::size_t i = 0; i < used; ++i) now += " " + number_text(numbers[i]);
  return {row_path(kind, row), "is read as " + quote(now, 2 * shown_bytes)};
}

Mender::Outcome Mender::vertex() {
  std::array<double, 8> n{};
  const std::size_t given = numbers(n);
  const std::uint64_t at = model_.vertices.size();
  const std::size_t used = given == 4 || given == 6 || given == 7 ? given : 3;
  const std::size_t weight = used == 7 && weight_last_ ? 6 : 3;
  const std::size_t color = used == 7 && !weight_last_ ? 4 : 3;
  used == 4 || used == 7 ? model_.weights.put(at, n.data() + weight) : model_.weights.skip();
  used >= 6 ? model_.colors.put(at, n.data() + color) : model_.colors.skip();
  model_.vertices.numbers.append(n.data(), 3);
  model_.stream.data(row_codes[0]);
  return row(0, at, n, used);
}

Mender::Outcome Mender::curve_point(std::size_t kind) {
  std::array<double, 8> n{};
  const std::size_t used = std::clamp<std::size_t>(numbers(n), 1, 3);
  const bool texture = kind == 1;
  Points<1>& u = texture ? model_.textures : model_.parameters;
  OptionalColumns<1>& v = texture ? model_.texture_v : model_.parameter_v;
  OptionalColumns<1>& w = texture ? model_.texture_w : model_.parameter_w;
  const std::uint64_t at = u.size();
  u.numbers.push(n[0]);
  used > 1 ? v.put(at, n.data() + 1) : v.skip();
  used > 2 ? w.put(at, n.data() + 2) : w.skip();
  model_.stream.data(row_codes[kind]);
  return row(kind, at, n, used);
}

Mender::Outcome Mender::normal() {
  std::array<double, 8> n{};
  static_cast<void>(numbers(n));
  const std::uint64_t at = model_.normals.size();
  model_.normals.numbers.append(n.data(), 3);
  model_.stream.data(row_codes[2]);
  return row(2, at, n, 3);
}

}  // namespace polycodec::obj
