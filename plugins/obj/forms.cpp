// SPDX-License-Identifier: MIT
#include <base/growing.hpp>
#include <base/nodes.hpp>
#include <base/seeded_hash.hpp>
#include <model/loss.hpp>
#include <model/mesh/convert.hpp>
#include <model/mesh/operations.hpp>
#include <polycodec/quote.hpp>
#include <polycodec/utf.hpp>
#include <polycodec/view.hpp>

#include "codec.hpp"
#include "dictionary.hpp"
#include "lexer.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::obj {
namespace {

// The text of a Growing<char> as rest_of_statement() wants it, in a string.
struct Text {
  std::string text;
  std::uint64_t size() const noexcept { return text.size(); }
  void append(const char* p, std::uint64_t n) { text.append(p, static_cast<std::size_t>(n)); }
  void push(char c) { text.push_back(c); }
  void shrink(std::uint64_t n) { text.resize(static_cast<std::size_t>(n)); }
  char operator[](std::uint64_t i) const noexcept { return text[static_cast<std::size_t>(i)]; }
};

std::string_view without_spaces_before(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  return text;
}

// The next word, which `text` loses, with the spaces before it; empty if there is none.
std::string_view next_word(std::string_view& text) {
  text = without_spaces_before(text);
  std::size_t size = 0;
  while (size != text.size() && !is_blank(text[size])) ++size;
  const std::string_view word = text.substr(0, size);
  text.remove_prefix(size);
  return word;
}

// Numbers as a number or a list of numbers; anything else as text.
polycodec_node value_node(Builder& out, std::string_view text) {
  std::vector<polycodec_node> numbers;
  for (std::string_view left = text;;) {
    const std::string_view word = next_word(left);
    if (word.empty()) break;
    double value = 0;
    if (!number_word(word, value)) return text_node(out, text);
    numbers.push_back(Builder::real(value));
  }
  if (numbers.size() == 1) return numbers[0];
  return numbers.empty() ? text_node(out, text) : out.list(numbers);
}

// An option of a texture map: at most and at least so many words follow it, which are numbers or
// not.
struct MapOption {
  std::string_view name;
  int least, most;
  bool numbers;
};
constexpr MapOption map_options[] = {
    {"blendu", 1, 1, false},     {"blendv", 1, 1, false},  {"bm", 1, 1, true},
    {"boost", 1, 1, true},       {"cc", 1, 1, false},      {"clamp", 1, 1, false},
    {"colorspace", 1, 1, false}, {"imfchan", 1, 1, false}, {"mm", 2, 2, true},
    {"o", 1, 3, true},           {"s", 1, 3, true},        {"t", 1, 3, true},
    {"texres", 1, 1, true},      {"type", 1, 1, false},
};

// Takes one option with its words from the front of `text`; false: none is there. The last word is
// always of the name.
bool take_option(std::string_view& text, Builder& out, std::vector<Member>& options) {
  std::string_view left = text;
  const std::string_view word = next_word(left);
  const auto* const found =
      std::find_if(std::begin(map_options), std::end(map_options), [&](const MapOption& option) {
        return word.starts_with('-') && word.substr(1) == option.name;
      });
  if (found == std::end(map_options)) return false;
  const std::string_view words = without_spaces_before(left);
  int count = 0;
  while (count != found->most) {
    std::string_view rest = left;
    const std::string_view next = next_word(rest);
    double number = 0;
    if (without_spaces_before(rest).empty() || (found->numbers && !number_word(next, number)))
      break;
    left = rest;
    ++count;
  }
  if (count < found->least) return false;
  options.push_back({found->name, value_node(out, words.substr(0, words.size() - left.size()))});
  text = left;
  return true;
}

class Library {
 public:
  Library(std::string_view name, std::string_view file, const Call& call, Builder& out,
          std::vector<polycodec_node>& materials)
      : name_(name), call_(call), out_(out), lexer_(file), materials_(materials) {}

  void read() {
    call_.tick(static_cast<std::uint64_t>(lexer_.end() - lexer_.position()));
    while (!lexer_.at_end()) {
      lexer_.skip_blanks();
      if (!lexer_.at_statement_end()) {
        const std::string_view keyword = lexer_.word();
        lexer_.skip_blanks();
        Text words;
        lexer_.rest_of_statement(words);
        statement(keyword, words.text);
      }
      static_cast<void>(lexer_.rest_of_line());
      lexer_.skip_line_end();
    }
    finish();
  }

 private:
  void statement(std::string_view keyword, std::string_view text) {
    if (keyword == "newmtl") {
      finish();
      names_ = {"name", "library"};
      members_ = {{"name", text_node(out_, text)}, {"library", text_node(out_, name_)}};
      return;
    }
    // What is before the first material belongs to none; what is said twice counts the first
    // time.
    if (members_.empty() || !is_utf8(keyword) || !names_.insert(std::string(keyword)).second)
      return;
    const bool map = keyword.starts_with("map_") || keyword == "bump" || keyword == "disp" ||
                     keyword == "decal" || keyword == "refl" || keyword == "norm";
    if (!map) return members_.push_back({keyword, value_node(out_, text)});
    // The name of the file is the rest after the options, and text also where it looks like a
    // number.
    std::vector<Member> options;
    while (take_option(text, out_, options)) {
    }
    members_.push_back({keyword, text_node(out_, without_spaces_before(text))});
    if (options.empty()) return;
    const std::string name = std::string(keyword) + "_options";
    if (names_.insert(name).second)
      members_.push_back({out_.copy_text(name), out_.object(std::span<const Member>(options))});
  }
  void finish() {
    if (!members_.empty()) materials_.push_back(out_.object(members_));
    members_.clear();
  }

  std::string_view name_;
  const Call& call_;
  Builder& out_;
  Lexer lexer_;
  std::vector<polycodec_node>& materials_;
  std::vector<Member> members_;
  SeededSet<std::string> names_;
};

// The library `name`, if the store has it. A store that is the directory of the file lists
// nothing: there only files right beside it are asked for, so that no path in the data leads
// anywhere.
std::optional<std::string_view> library(const Input& input,
                                        const SeededSet<std::string_view>& listed,
                                        std::string_view name) {
  if (listed.count(name) != 0) return input.blob(name);
  // Programs write so that it is beside the file.
  while (name.starts_with("./")) name.remove_prefix(2);
  if (listed.count(name) != 0) return input.blob(name);
  if (!listed.empty() || !input.has_store() || name.find_first_of("/\\:") != std::string_view::npos)
    return std::nullopt;
  try {
    return input.blob(name);
  } catch (const Error& error) {
    if (error.code() == Status::not_found || error.code() == Status::denied) return std::nullopt;
    throw;
  }
}

}  // namespace

polycodec_node with_materials(const Call& call, const Input& input, const polycodec_node& root,
                              Builder& out) {
  std::vector<polycodec_node> materials;
  SeededSet<std::string> seen;
  SeededSet<std::string_view> blobs;
  if (input.has_store())
    for (std::uint64_t i = 0; i < input.store().size(); ++i) blobs.insert(input.store()[i].name);
  const auto read = [&](std::string_view name) {
    if (seen.count(std::string(name)) != 0) return true;
    const std::optional<std::string_view> file = library(input, blobs, name);
    if (!file) return false;
    seen.insert(std::string(name));
    Library(name, *file, call, out, materials).read();
    return true;
  };
  const auto missing = [&](std::string_view name) {
    if (seen.insert(std::string(name)).second)
      call.log(POLYCODEC_LOG_WARNING,
               "obj: no material library " + quote(name) + " beside the file");
  };
  const View statements(NodeView(&root).at("statements"));
  for (std::uint64_t i = 0; i < statements.size(); ++i) {
    const View row = statements.child(i);
    std::string scratch;
    const View code = row.child(0);
    const View text = row.child(2);
    if (code.kind() != POLYCODEC_KIND_STRING || code.as_string(scratch) != "mtllib") continue;
    const std::string_view names =
        text.kind() == POLYCODEC_KIND_STRING ? text.as_string(scratch) : text.as_bytes();
    // One name with spaces, or several names: only the store can tell.
    if (names.empty() || read(names)) continue;
    Lexer words(names);
    for (;;) {
      words.skip_blanks();
      if (words.at_end()) break;
      const std::string_view name = words.word();
      if (!read(name)) missing(name);
    }
  }

  polycodec_node* members;
  const std::uint64_t size = polycodec_node_size(&root);
  const polycodec_node object = out.object(size + 1, &members);
  members = std::copy_n(root.as.nodes, static_cast<std::size_t>(size * 2), members);
  *members++ = Builder::string_view("materials");
  *members++ = out.list(materials);
  return object;
}

polycodec_node other_form(const Settings& settings, const Call& call, View root, Builder& out) {
  Losses losses;
  polycodec_node made = Builder::null();
  const char* holder = "a mesh";
  if (settings.form == mesh::Form::mesh || settings.triangulate) {
    mesh::Mesh mesh = mesh::from_statements(root, out, losses);
    if (settings.triangulate)
      mesh::triangulate(mesh, out, [&] { call.tick(mesh::units_per_check); });
    made = settings.form == mesh::Form::mesh ? mesh::to_value(mesh, out)
                                             : mesh::to_statements(mesh, out, losses);
    root = View(out.root(made));
  }
  if (settings.form == mesh::Form::list) {
    made = to_list(root, out);
  } else if (settings.form == mesh::Form::dict || settings.form == mesh::Form::array_dict) {
    holder = "a dictionary";
    std::vector<Member> members = to_dictionary(root, out, losses);
    if (settings.form == mesh::Form::array_dict)
      members = mesh::array_dictionary(members, out, losses);
    made = out.object(std::span<const Member>(members));
  }
  losses.settle(call, holder, "obj.lossy");
  return made;
}

}  // namespace polycodec::obj
