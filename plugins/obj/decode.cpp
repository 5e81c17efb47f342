// SPDX-License-Identifier: MIT
#include "decode.hpp"

#include <polycodec/mesh/dictionary.hpp>
#include <polycodec/mesh/statements.hpp>
#include <polycodec/mesh/triangulate.hpp>

#include "dictionary.hpp"
#include "keywords.hpp"
#include "lexer.hpp"
#include "materials.hpp"
#include "model.hpp"

#include <algorithm>
#include <limits>

namespace polycodec::obj {
namespace {

// The kinds of thing that indices count, each from the start of the file.
enum Kind : std::size_t { vertex, texture, normal, parameter, curve2, surface, kinds };

constexpr const char* kind_names[kinds] = {"v", "vt", "vn", "vp", "curv2", "surf"};

// With fewer bytes than this, 32 bits are enough for every count of corners (two bytes each) and of vertices (six).
constexpr std::uint64_t max_file_size = std::uint64_t{1} << 33;

class Decoder {
 public:
  Decoder(const Settings& settings, const Call& call, std::string_view file, Builder& out)
      : settings_(settings),
        call_(call),
        file_(file),
        out_(out),
        lexer_(file),
        budget_{call.limits().max_memory_bytes},
        model_(budget_),
        scratch_(budget_) {}

  polycodec_node run() {
    if (file_.size() > max_file_size)
      throw Error(Status::limit, "OBJ files of more than 8 GiB are not read").detail("obj.limit");
    if (file_.starts_with("\xef\xbb\xbf")) lexer_.move_to(lexer_.position() + 3);
    const char* next_check = lexer_.position();
    while (!lexer_.at_end()) {
      if (lexer_.position() >= next_check) {
        call_.check_cancelled();
        next_check = lexer_.position() + std::min<std::ptrdiff_t>(lexer_.end() - lexer_.position(), 1 << 20);
      }
      statement();
    }
    finish();
    return model_.give_to(out_);
  }

  LineEnding line_ending() const noexcept {
    const std::size_t at = file_.find_first_of("\r\n");
    if (at == std::string_view::npos || file_[at] == '\n') return LineEnding::lf;
    return file_.substr(at).starts_with("\r\n") ? LineEnding::crlf : LineEnding::cr;
  }

 private:
  [[noreturn, gnu::noinline]] void fail(const char* detail, const std::string& message, const char* at,
                                        Status status = Status::malformed) const {
    lexer_.fail(status, detail, message, at);
  }

  std::uint64_t count(Kind kind) const noexcept {
    switch (kind) {
      case vertex:
        return model_.vertices.size();
      case texture:
        return model_.textures.size();
      case normal:
        return model_.normals.size();
      case parameter:
        return model_.parameters.size();
      case curve2:
        return curves2_;
      default:
        return surfaces_;
    }
  }

  // Most lines of most files are these two, in their simplest form; false, and nothing has happened: it is another.
  bool quick_statement() {
    const char* p = lexer_.position();
    // No number here is longer than 24 digits, or it is left to the others; behind it stands at least a line end.
    if (lexer_.end() - p < 128 || p[1] != ' ') return false;
    if (p[0] == 'v') {
      double n[3];
      ++p;
      for (double& value : n) {
        if (*p != ' ') return false;
        const DecimalEnd read = parse_decimal(p + 1, lexer_.end(), value);
        if (read.status != DecimalStatus::ok || lexer_.end() - read.end < 64) return false;
        p = read.end;
      }
      if (*p != '\n') return false;
      model_.weights.skip();
      model_.colors.skip();
      model_.vertices.numbers.append(n, 3);
      model_.stream.data(codes[0]);
      lexer_.move_to(p + 1);
      return true;
    }
    if (p[0] != 'f' || model_.faces.textures.size() != 0 || model_.faces.normals.size() != 0) return false;
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
    for (std::size_t i = 0; i < n; ++i) {
      if (corner[i] < greatest_[vertex]) continue;
      greatest_[vertex] = corner[i] + 1;
      greatest_at_[vertex] = starts[i];
    }
    model_.faces.vertices.append(corner, n);
    model_.faces.finish();
    model_.stream.data(codes[4]);
    lexer_.move_to(p + 1);
    return true;
  }

  // One line with what continues it.
  void statement() {
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
        fail("obj.bad_statement", "the statement goes on: " + here(), lexer_.position());
    } else if (lexer_.at_end() || lexer_.peek() != '#') {
      model_.stream.data(blank_line);
    }
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
        face(start);  // fo, the old name of f
        break;
      case Statement::texture: {
        double n[3];
        const std::size_t given = numbers(n, 3, "obj.bad_vt", start);
        if (given == 0) fail("obj.bad_vt", "vt has 1, 2 or 3 numbers", start);
        const std::uint64_t row = model_.textures.size();
        model_.textures.numbers.push(n[0]);
        given > 1 ? model_.texture_v.put(row, n + 1) : model_.texture_v.skip();
        given > 2 ? model_.texture_w.put(row, n + 2) : model_.texture_w.skip();
        model_.stream.data(codes[1]);
        break;
      }
      case Statement::normal: {
        double n[3];
        if (numbers(n, 3, "obj.bad_vn", start) != 3) fail("obj.bad_vn", "vn has 3 numbers", start);
        model_.normals.numbers.append(n, 3);
        model_.stream.data(codes[2]);
        break;
      }
      case Statement::parameter: {
        double n[3];
        const std::size_t given = numbers(n, 3, "obj.bad_vertex", start);
        if (given == 0) fail("obj.bad_vertex", "vp has 1, 2 or 3 numbers", start);
        const std::uint64_t row = model_.parameters.size();
        model_.parameters.numbers.push(n[0]);
        given > 1 ? model_.parameter_v.put(row, n + 1) : model_.parameter_v.skip();
        given > 2 ? model_.parameter_w.put(row, n + 2) : model_.parameter_w.skip();
        model_.stream.data(codes[3]);
        break;
      }
      case Statement::line:
        line(start);
        break;
      case Statement::point:
        point(start);
        break;
      case Statement::unknown:
        unknown(keyword, start);
        break;
      default:
        free_form(what, start);
        lexer_.move_to(start + keyword.size());
        lexer_.skip_blanks();
        lexer_.rest_of_statement(model_.stream.texts);
        model_.stream.finish(keyword);
        break;
    }
  }

  void unknown(std::string_view keyword, const char* start) {
    for (const char c : keyword)
      if (static_cast<unsigned char>(c) < 0x20)
        fail("obj.not_text", "a control character: this is no text file", start);
    if (unknown_statements_++ == 0) first_unknown_ = start;
    lexer_.skip_blanks();
    lexer_.rest_of_statement(model_.stream.texts);
    model_.stream.finish(keyword);
  }

  double number() {
    double value = 0;
    const char* const at = lexer_.position();
    const DecimalEnd read = parse_decimal(at, lexer_.end(), value);
    if (read.status != DecimalStatus::ok || !lexer_.is_word_end(read.end)) [[unlikely]]
      fail("obj.bad_number", lexer_.quoted(at) + " is no number", at);
    lexer_.move_to(read.end);
    return value;
  }

  // The numbers up to the end of the statement, at most `most`.
  std::size_t numbers(double* to, std::size_t most, const char* too_many, const char* start) {
    std::size_t given = 0;
    for (;; ++given) {
      lexer_.skip_blanks();
      if (lexer_.at_statement_end()) return given;
      const double value = number();
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
    model_.stream.data(codes[0]);
  }

  // An index at `at`, which is moved behind it, as it is stored. Forward references are checked at the end of the
  // file.
  std::int32_t index(Kind kind, const char*& at) {
    const char* const start = at;
    std::int64_t value = 0;
    const DecimalEnd read = parse_decimal(at, lexer_.end(), value);
    if (read.status != DecimalStatus::ok) [[unlikely]] {
      if (read.status == DecimalStatus::out_of_range) out_of_range(kind, start);
      fail("obj.bad_index", lexer_.quoted(start) + " is no index", start);
    }
    at = read.end;
    if (value > 0) [[likely]] {
      if (value > greatest_[kind]) {
        if (value > std::numeric_limits<std::int32_t>::max()) out_of_range(kind, start);
        greatest_[kind] = value;
        greatest_at_[kind] = start;
      }
      return static_cast<std::int32_t>(value - 1);
    }
    if (value == 0) fail("obj.index_zero", "indices count from 1", start);
    const std::int64_t absolute = static_cast<std::int64_t>(count(kind)) + value;
    if (value < -static_cast<std::int64_t>(count(kind))) out_of_range(kind, start);
    return static_cast<std::int32_t>(absolute);
  }

  [[noreturn, gnu::noinline]] void out_of_range(Kind kind, const char* at) const {
    fail("obj.index_out_of_range",
         "there is no " + std::string(kind_names[kind]) + " " + lexer_.quoted(at) + " (" +
             std::to_string(count(kind)) + (lexer_.at_end() ? " in the file)" : " up to here)"),
         at, Status::range);
  }

  // One corner: v, v/vt, v//vn or v/vt/vn. Returns its form: 1 with vt, 2 with vn.
  unsigned corner(Elements& elements, unsigned allowed) {
    const char* at = lexer_.position();
    if (*at == '/') fail("obj.bad_corner", "a corner without a vertex", at);
    const std::int32_t v = index(vertex, at);
    std::int32_t vt = -1;
    std::int32_t vn = -1;
    if (!lexer_.is_word_end(at)) {
      if (*at != '/') fail("obj.bad_index", lexer_.quoted(lexer_.position()) + " is no index", lexer_.position());
      const char* const slash = at++;
      if (lexer_.is_word_end(at)) {
        empty_part(slash);
      } else {
        if (*at != '/') vt = index(texture, at);
        if (!lexer_.is_word_end(at)) {
          if (*at != '/')
            fail("obj.bad_index", lexer_.quoted(lexer_.position()) + " is no corner", lexer_.position());
          ++at;
          lexer_.is_word_end(at) ? empty_part(slash) : static_cast<void>(vn = index(normal, at));
          if (!lexer_.is_word_end(at))
            fail(*at == '/' ? "obj.bad_corner" : "obj.bad_index", lexer_.quoted(lexer_.position()) + " is no corner",
                 lexer_.position());
        }
      }
    }
    const unsigned form = (vt >= 0 ? 1u : 0u) | (vn >= 0 ? 2u : 0u);
    if ((form & ~allowed) != 0) fail("obj.bad_corner", "this statement takes no such index", lexer_.position());
    elements.corner(v, vt, vn);
    lexer_.move_to(at);
    return form;
  }

  void empty_part(const char* at) const {
    if (settings_.strict) fail("obj.bad_corner", "a slash without an index behind it", at);
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
      if (form != first_form && settings_.strict)
        fail("obj.mixed_corner_forms", "all corners of an element have the same form", at);
    }
    elements.finish();
    return n;
  }

  void face(const char* start) {
    if (corners(model_.faces, 3) < 3) fail("obj.face_too_small", "a face has at least 3 corners", start);
    model_.stream.data(codes[4]);
  }
  void line(const char* start) {
    if (corners(model_.lines, 1) < 2) fail("obj.line_too_small", "a line has at least 2 corners", start);
    model_.stream.data(codes[5]);
  }
  void point(const char* start) {
    if (corners(model_.points, 0) < 1) fail("obj.point_empty", "a point statement has at least 1 vertex", start);
    model_.stream.data(codes[6]);
  }

  void check_index(Kind kind) {
    const char* at = lexer_.position();
    static_cast<void>(index(kind, at));
    if (!lexer_.is_word_end(at))
      fail("obj.bad_index", lexer_.quoted(lexer_.position()) + " is no index", lexer_.position());
    lexer_.move_to(at);
  }
  bool more() {
    lexer_.skip_blanks();
    return !lexer_.at_statement_end();
  }
  void need(const char* start) {
    if (!more()) fail("obj.bad_freeform", "the statement is too short", start);
  }
  void check_numbers(std::size_t n, const char* start) {
    for (; n != 0; --n) {
      need(start);
      static_cast<void>(number());
    }
  }

  // Free-form statements are kept as text; their numbers and indices are checked.
  void free_form(Statement what, const char* start) {
    switch (what) {
      case Statement::surf: {
        open(start);
        check_numbers(4, start);
        need(start);
        while (more()) corner(scratch_, 3);
        scratch_.clear();
        ++surfaces_;
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
        ++curves2_;
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

  void open(const char* start) {
    if (open_ != nullptr) unterminated();
    open_ = start;
  }
  [[noreturn]] void unterminated() const {
    fail("obj.unterminated_freeform", "a free-form element without 'end'", open_);
  }

  void finish() {
    if (open_ != nullptr) unterminated();
    // Curves and surfaces may stand in another file that this one is merged with: tools write such references.
    for (std::size_t kind = 0; kind <= parameter; ++kind)
      if (greatest_[kind] > static_cast<std::int64_t>(count(static_cast<Kind>(kind))))
        out_of_range(static_cast<Kind>(kind), greatest_at_[kind]);
    if (unknown_statements_ != 0)
      call_.host().log(POLYCODEC_LOG_WARNING, "obj: " + std::to_string(unknown_statements_) +
                                                  " statements with unknown keywords are kept as they are (line " +
                                                  std::to_string(lexer_.line(first_unknown_)) + ")");
  }

  static constexpr std::string_view codes[] = {"v", "vt", "vn", "vp", "f", "l", "p"};
  static constexpr std::string_view blank_line = "";

  const Settings& settings_;
  const Call& call_;
  std::string_view file_;
  Builder& out_;
  Lexer lexer_;
  Budget budget_;
  Model model_;
  Elements scratch_;  // corners that are only checked
  std::int64_t greatest_[kinds] = {};
  const char* greatest_at_[kinds] = {};
  std::uint64_t curves2_ = 0;
  std::uint64_t surfaces_ = 0;
  const char* open_ = nullptr;  // the free-form element that waits for its end
  std::uint64_t unknown_statements_ = 0;
  const char* first_unknown_ = nullptr;
};

// What the options ask for instead of the value of the file.
const polycodec_node* other_form(const Settings& settings, const Call& call, Item root, Builder& out) {
  Losses losses;
  polycodec_node made = Builder::null();
  const char* holder = "a mesh";
  if (settings.form == mesh::Form::mesh || settings.triangulate) {
    mesh::Mesh mesh = mesh::from_statements(root, out, losses);
    if (settings.triangulate) mesh::triangulate(mesh, out, [&] { call.check_cancelled(); });
    made = settings.form == mesh::Form::mesh ? mesh::to_value(mesh, out) : mesh::to_statements(mesh, out, losses);
    root = Item(out.root(made));
  }
  if (settings.form == mesh::Form::list) {
    made = to_list(root, out);
  } else if (settings.form == mesh::Form::dict || settings.form == mesh::Form::array_dict) {
    holder = "a dictionary";
    std::vector<Member> members = to_dictionary(root, out, losses);
    if (settings.form == mesh::Form::array_dict) members = mesh::array_dictionary(members, out, losses);
    made = out.object(std::span<const Member>(members));
  }
  losses.settle(call, holder, "obj.lossy");
  return out.root(made);
}

}  // namespace

const polycodec_node* decode(const Settings& settings, const Call& call, const Input& input, Builder& out) {
  Decoder decoder(settings, call, input.bytes(), out);
  const LineEnding ending = decoder.line_ending();
  polycodec_node root = decoder.run();
  if (settings.materials) root = with_materials(call, input, root, out);
  // Only what is not as usual is said, so that the type of a value is not cluttered with it.
  std::vector<Member> attributes;
  if (ending != LineEnding::lf) attributes.push_back({"line_ending", Builder::string_view(line_ending_name(ending))});
  if (settings.weight_last) attributes.push_back({"seven_numbers", Builder::string_view("xyzrgbw")});
  if (!attributes.empty()) root = out.annotated(root, out.object(std::span<const Member>(attributes)));
  if (settings.form == mesh::Form::file && !settings.triangulate) return out.root(root);
  return other_form(settings, call, Item(out.root(root)), out);
}

}  // namespace polycodec::obj
