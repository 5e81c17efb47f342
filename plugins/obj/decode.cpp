// SPDX-License-Identifier: MIT

#include <base/wanted.hpp>

#include "codec.hpp"
#include "dictionary.hpp"
#include "indices.hpp"
#include "lexer.hpp"
#include "mend.hpp"
#include "model.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

namespace polycodec::obj {
namespace {

// With fewer bytes than this, 32 bits are enough for every count of corners (two bytes each) and of
// vertices (six).
constexpr std::uint64_t max_file_size = std::uint64_t{1} << 33;

class Decoder {
 public:
  Decoder(const Settings& settings, const Call& call, std::string_view file, Builder& out)
      : settings_(settings),
        call_(call),
        wants_faces_(wants_faces(settings, call)),
        file_(file),
        lexer_(file, settings.float32),
        model_(out, settings.float32),
        indices_(lexer_, model_),
        corners_(lexer_, indices_, settings.strict),
        free_form_(lexer_, indices_, corners_, out),
        mender_(lexer_, model_, indices_, free_form_, notes_) {}

  /// Reads all of the file. With Settings::tolerant: false if an index is beyond what the file has,
  /// so that it is to be read again after `limit_to()`.
  bool read() {
    if (file_.size() > max_file_size)
      throw Error(Status::limit, "OBJ files of more than 8 GiB are not read").detail("obj.limit");
    if (file_.starts_with("\xef\xbb\xbf")) lexer_.move_to(lexer_.position() + 3);
    const char* next_check = lexer_.position();
    while (!lexer_.at_end()) {
      if (lexer_.position() >= next_check) {
        // About a unit for each byte of text.
        const auto part = std::min<std::ptrdiff_t>(lexer_.end() - lexer_.position(), 1 << 16);
        call_.tick(static_cast<std::uint64_t>(part));
        next_check = lexer_.position() + part;
      }
      settings_.tolerant ? tolerant_statement() : statement();
    }
    return finish();
  }
  polycodec_node give() { return model_.give(); }
  const MendNotes& notes() const noexcept { return notes_; }

  /// No index may be beyond what `other` read of the same file.
  void limit_to(const Decoder& other) {
    limited_ = true;
    for (const Kind kind : {vertex, texture, normal, parameter})
      indices_.limit(kind, other.indices_.count(kind));
  }

  LineEnding line_ending() const noexcept {
    const std::size_t at = file_.find_first_of("\r\n");
    if (at == std::string_view::npos || file_[at] == '\n') return LineEnding::lf;
    return file_.substr(at).starts_with("\r\n") ? LineEnding::crlf : LineEnding::cr;
  }

 private:
  [[noreturn, gnu::noinline]] void fail(const char* detail, const std::string& message,
                                        const char* at) const {
    lexer_.fail(Status::malformed, detail, message, at);
  }

  // Other forms than the file's have other names.
  static bool wants_faces(const Settings& settings, const Call& call) {
    if (settings.form != mesh::Form::file || settings.triangulate) return true;
    constexpr std::string_view names[] = {"v", "vt", "vn", "vp", "f", "l", "p", "statements"};
    const Wanted wanted(call.projection());
    const Wanted& members = wanted.of(names);
    return members.find("f") != nullptr || members.find("statements") != nullptr;
  }

  // Passes a face in one line that nobody wants; false, and nothing has happened: it is none.
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

  // Most lines of most files are these two, in their simplest form; false, and nothing has
  // happened: it is another.
  bool quick_statement() {
    const char* p = lexer_.position();
    // No number here is longer than 24 digits, or it is left to the others; after it is at
    // least a newline.
    if (lexer_.end() - p < 128 || p[1] != ' ') return false;
    if (p[0] == 'v') {
      double n[3];
      ++p;
      for (double& value : n) {
        if (*p != ' ') return false;
        const DecimalEnd read = lexer_.decimal(p + 1, value);
        if (read.status != DecimalStatus::ok || lexer_.end() - read.end < 64) return false;
        p = read.end;
      }
      if (*p != '\n') return false;
      model_.weights.skip();
      model_.colors.skip();
      model_.vertices.numbers.append(n, 3);
      model_.stream.data(row_codes[0]);
      lexer_.move_to(p + 1);
      return true;
    }
    if (p[0] != 'f' || limited_ || model_.faces.textures.size() != 0 ||
        model_.faces.normals.size() != 0)
      return false;
    constexpr std::size_t most = 8;
    const char* starts[most];
    std::int32_t corner[most];
    std::size_t n = 0;
    for (++p; *p == ' '; ++n) {
      if (n == most) return false;
      starts[n] = ++p;
      std::int32_t value = 0;
      const DecimalEnd read = parse_decimal(p, p + 12, value);
      if (read.status != DecimalStatus::ok || value <= 0) return false;
      corner[n] = value - 1;
      p = read.end;
    }
    if (*p != '\n' || n < 3) return false;
    for (std::size_t i = 0; i < n; ++i)
      indices_.seen(vertex, std::int64_t{corner[i]} + 1, starts[i]);
    model_.faces.vertices.append(corner, n);
    model_.faces.finish();
    model_.stream.data(row_codes[4]);
    lexer_.move_to(p + 1);
    return true;
  }

  // The same, but what is wrong is mended.
  void tolerant_statement() {
    const char* const start = lexer_.position();
    const Mender::Mark mark = mender_.mark();
    try {
      return statement();
    } catch (const Error& error) {
      if (error.code() != Status::malformed && error.code() != Status::range &&
          error.code() != Status::truncated)
        throw;
      call_.tick(mend_units);
      mender_.statement(start, mark, error);
    }
    end_of_line();
  }

  // One line with what continues it.
  void statement() {
    if (!wants_faces_ && pass_face()) return;
    if (quick_statement()) return;
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

  // The comment after a statement, and the newline.
  void end_of_line() {
    if (!lexer_.at_end() && lexer_.peek() == '#') {
      lexer_.move_to(lexer_.position() + 1);
      model_.stream.text("#", lexer_.rest_of_line());
    }
    lexer_.skip_line_end();
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
        free_form_.statement(what, start);
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
    if (unknown_statements_++ == 0) first_unknown_ = start;
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

  bool finish() {
    if (!settings_.tolerant) {
      free_form_.finish();
      indices_.check();
    } else {
      if (!limited_ && indices_.any_beyond()) return false;
      try {
        free_form_.finish();
      } catch (const Error& error) {
        mender_.end_of_file(error);
      }
    }
    if (unknown_statements_ != 0)
      call_.log(POLYCODEC_LOG_WARNING,
                "obj: " + std::to_string(unknown_statements_) +
                    " statements with unknown keywords are kept as they are (line " +
                    std::to_string(lexer_.line(first_unknown_)) + ")");
    return true;
  }

  static constexpr std::string_view blank_line = "";
  // Work for a statement that is read a second time, behind an exception.
  static constexpr std::uint64_t mend_units = 256;

  const Settings& settings_;
  const Call& call_;
  const bool wants_faces_;
  std::string_view file_;
  Lexer lexer_;
  Model model_;
  Indices indices_;
  Corners corners_;
  FreeForm free_form_;
  MendNotes notes_;
  Mender mender_;
  bool limited_ = false;
  std::uint64_t unknown_statements_ = 0;
  const char* first_unknown_ = nullptr;
};

}  // namespace

Node Obj::decode(Call& call, const Input& input, Builder& out) const {
  Decoder decoder(settings_, call, input.bytes(), out);
  const LineEnding ending = decoder.line_ending();
  polycodec_node root;
  if (decoder.read()) {
    decoder.notes().report(call);
    root = decoder.give();
  } else {
    // Only now it is known which indices point to nothing.
    Decoder again(settings_, call, input.bytes(), out);
    again.limit_to(decoder);
    again.read();
    again.notes().report(call);
    root = again.give();
  }
  if (settings_.materials) root = with_materials(call, input, root, out);
  // Only what is not as usual is said, so that the type of a value is not cluttered with it.
  std::vector<Member> attributes;
  if (ending != LineEnding::lf)
    attributes.push_back({"line_ending", Builder::string_view(line_ending_name(ending))});
  if (settings_.weight_last)
    attributes.push_back({"seven_numbers", Builder::string_view("xyzrgbw")});
  if (!attributes.empty())
    root = out.annotated(root, out.object(std::span<const Member>(attributes)));
  if (settings_.form == mesh::Form::file && !settings_.triangulate) return root;
  return other_form(settings_, call, View(out.root(root)), out);
}

}  // namespace polycodec::obj
