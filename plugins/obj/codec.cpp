// SPDX-License-Identifier: MIT
#include "codec.hpp"

#include <polycodec/tolerant.hpp>

#include "lexer.hpp"

#include <algorithm>
#include <iterator>
#include <string>

namespace polycodec::obj {

Settings Settings::from(const Options& options) {
  Settings settings;
  settings.strict = options.get("strict", settings.strict);
  settings.tolerant = tolerant_option(options);
  settings.materials = options.get("materials", settings.materials);
  settings.float32 = options.get("float32", settings.float32);
  settings.comments = options.get("comments", settings.comments);
  settings.triangulate = options.get("triangulate", settings.triangulate);
  settings.material_library = options.get("material_library", settings.material_library);
  settings.writes_materials =
      options.choice<bool>("part", {{"object", false}, {"materials", true}});
  settings.form = options.choice<mesh::Form>("form", {{"file", mesh::Form::file},
                                                      {"mesh", mesh::Form::mesh},
                                                      {"dict", mesh::Form::dict},
                                                      {"array_dict", mesh::Form::array_dict},
                                                      {"list", mesh::Form::list}});
  settings.weight_last =
      options.choice<bool>("seven_numbers", {{"xyzwrgb", false}, {"xyzrgbw", true}});
  settings.line_ending = options.choice("line_ending", line_ending_choices);
  return settings;
}

namespace {

struct Keyword {
  std::string_view word;
  Statement statement;
};

// In the order of the words.
constexpr Keyword keywords[] = {
    {"bevel", Statement::state},  {"bmat", Statement::state},      {"bsp", Statement::state},
    {"bzp", Statement::state},    {"c_interp", Statement::state},  {"call", Statement::state},
    {"cdc", Statement::state},    {"cdp", Statement::state},       {"con", Statement::connection},
    {"csh", Statement::state},    {"cstype", Statement::state},    {"ctech", Statement::state},
    {"curv", Statement::curv},    {"curv2", Statement::curv2},     {"d_interp", Statement::state},
    {"deg", Statement::state},    {"end", Statement::end},         {"f", Statement::face},
    {"fo", Statement::face},      {"g", Statement::state},         {"hole", Statement::trim},
    {"l", Statement::line},       {"lod", Statement::state},       {"maplib", Statement::state},
    {"mg", Statement::state},     {"mtllib", Statement::state},    {"o", Statement::state},
    {"p", Statement::point},      {"parm", Statement::body},       {"res", Statement::state},
    {"s", Statement::state},      {"scrv", Statement::trim},       {"shadow_obj", Statement::state},
    {"sp", Statement::special},   {"stech", Statement::state},     {"step", Statement::state},
    {"surf", Statement::surf},    {"trace_obj", Statement::state}, {"trim", Statement::trim},
    {"usemap", Statement::state}, {"usemtl", Statement::state},    {"v", Statement::vertex},
    {"vn", Statement::normal},    {"vp", Statement::parameter},    {"vt", Statement::texture},
};

static_assert(std::is_sorted(std::begin(keywords), std::end(keywords),
                             [](const Keyword& a, const Keyword& b) { return a.word < b.word; }));

}  // namespace

Statement statement_of(std::string_view keyword) noexcept {
  const auto* const found =
      std::lower_bound(std::begin(keywords), std::end(keywords), keyword,
                       [](const Keyword& k, std::string_view word) { return k.word < word; });
  return found != std::end(keywords) && found->word == keyword ? found->statement
                                                               : Statement::unknown;
}

// OBJ has no magic number: its lines start with words that few other files start their lines with.
Sniff Obj::sniff(Call&, const Input& input) {
  const std::string_view head = input.bytes();
  std::size_t known = 0;
  std::size_t vertices = 0;
  bool others = false;
  Lexer lexer(head);
  if (head.starts_with("\xef\xbb\xbf")) lexer.move_to(lexer.position() + 3);
  while (!lexer.at_end()) {
    while (!lexer.at_end() && is_blank(lexer.peek())) lexer.move_to(lexer.position() + 1);
    if (!lexer.at_statement_end()) {
      const std::string_view word = lexer.word();
      // The last line of the head may be cut off.
      if (lexer.at_end() && head.size() < input.total()) break;
      const Statement what = statement_of(word);
      if (what == Statement::unknown) {
        // Zero bytes pad some files to a size.
        const std::string_view left(word.data(),
                                    static_cast<std::size_t>(lexer.end() - word.data()));
        if (known != 0 &&
            left.find_first_not_of(std::string_view("\0\x1a \t\r\n", 6)) == std::string_view::npos)
          break;
        for (const char c : word)
          if (static_cast<unsigned char>(c) < 0x20)
            return {known != 0 ? 10u : 0u, "a control character: this is not text"};
        others = true;
      } else {
        ++known;
        vertices += what == Statement::vertex ? 1 : 0;
      }
    }
    static_cast<void>(lexer.rest_of_line());
    lexer.skip_line_end();
  }
  // Keywords of vendors are read, and yet any text may be this.
  if (others) return {known != 0 ? 10u : 1u, "a line that no statement of OBJ starts"};
  if (known == 0) return {10, "no statements: OBJ without content"};
  const std::string seen = std::to_string(known) + " lines that are statements of OBJ";
  if (vertices != 0) return {known > 3 ? 75u : 55u, seen + ", vertices among them"};
  return {known > 3 ? 45u : 20u, seen};
}

}  // namespace polycodec::obj
