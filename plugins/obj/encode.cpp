// SPDX-License-Identifier: MIT
#include <base/decimal.hpp>
#include <base/text_block.hpp>
#include <base/text_rows.hpp>
#include <model/loss_search.hpp>
#include <model/mesh/convert.hpp>
#include <model/mesh/face_looks.hpp>
#include <model/mesh/operations.hpp>
#include <model/mesh/whole.hpp>

#include "codec.hpp"
#include "dictionary.hpp"
#include "library.hpp"
#include "print_elements.hpp"
#include "sources.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

namespace polycodec::obj {
namespace {

char* print_number(char* to, const mesh::Numbers& numbers, std::uint64_t row) noexcept {
  switch (numbers.dtype()) {
    case POLYCODEC_DTYPE_FLOAT32:
      return print_decimal(to, load<float>(numbers.at(row), numbers.order()));
    case POLYCODEC_DTYPE_FLOAT64:
      return print_decimal(to, load<double>(numbers.at(row), numbers.order()));
    case POLYCODEC_DTYPE_UINT64:
      return print_decimal(to, load<std::uint64_t>(numbers.at(row), numbers.order()));
    default:
      return print_decimal(to, numbers.integer(row));
  }
}

class Encoder {
 public:
  Encoder(const Call& call, const Sources& sources, LineEnding ending, bool comments, Writer& out)
      : call_(call),
        s_(sources),
        newline_(line_ending_text(ending)),
        comments_(comments),
        out_(out) {}

  void run() {
    if (s_.statements.is_list()) {
      for (std::uint64_t i = 0; i < s_.statements.size(); ++i) {
        if (i % 1024 == 0) call_.tick(std::min<std::uint64_t>(1024, s_.statements.size() - i) * 32);
        statement(s_.statements.child(i), i);
      }
    }
    // What no statement mentions: points before the elements that use them.
    for (std::size_t kind = 0; kind < kinds; ++kind) rows(kind, total(kind) - done_[kind]);
    flush();
  }

 private:
  std::uint64_t total(std::size_t kind) const noexcept {
    return kind < 4 ? s_.points[kind].rows : s_.elements[kind - 4].rows;
  }

  [[noreturn]] static void fail(Status status, const char* detail, const std::string& message,
                                const std::string& path) {
    throw Error(status, message).detail(detail).path(path);
  }

  void statement(const View& row, std::uint64_t number) {
    const std::string path = "$.statements[" + std::to_string(number) + "]";
    std::string code_scratch;
    std::string text_scratch;
    const std::string_view code = text_of(row, "code", code_scratch, path);
    const std::string_view words = text_of(row, "text", text_scratch, path);
    std::uint64_t count = 1;
    if (const auto given = row.find("count"); given && !given->is_null())
      count = given->as_uint64();
    for (std::size_t kind = 0; kind < kinds; ++kind) {
      if (code != codes[kind]) continue;
      if (count > total(kind) - done_[kind])
        fail(Status::invalid, "obj.bad_statement",
             "there are only " + std::to_string(total(kind)) + " rows of " + std::string(code),
             path);
      return rows(kind, count);
    }
    if (code == "#" && !comments_) return;
    if (words.find_first_of("\n\r") != std::string_view::npos)
      fail(Status::unsupported, "obj.bad_statement", "a statement cannot hold newlines", path);
    for (const char c : code)
      if (static_cast<unsigned char>(c) <= 0x20)
        fail(Status::unsupported, "obj.bad_statement", "a keyword cannot hold whitespace", path);
    if (code != "#" && (code.starts_with('#') || starts_comment(words)))
      fail(Status::unsupported, "obj.bad_statement", "a '#' after whitespace would start a comment",
           path);
    if (code.empty() ? !words.empty() : count > 1)
      fail(Status::invalid, "obj.bad_statement",
           "only empty lines and statements with rows are counted", path);
    blank_lines_ += code.empty() ? count : 0;
    if (count > call_.limits().max_nodes || blank_lines_ > call_.limits().max_nodes)
      fail(Status::limit, "obj.limit",
           "more than " + std::to_string(call_.limits().max_nodes) + " empty lines", path);
    // At the start of a file this would be a byte order mark.
    if (number == 0 && code.starts_with("\xef\xbb\xbf")) text_.append(" ");
    for (std::uint64_t i = 0; i < count; ++i) {
      text_.append(code);
      if (!words.empty()) {
        if (code != "#") text_.append(" ");
        text_.append(words);
      }
      // A backslash at the end of the line would go on with the next one.
      if (code != "#" && !code.empty() && (words.empty() ? code : words).back() == '\\')
        text_.append(" ");
      text_.append(newline_);
      flush_if_long();
    }
  }

  static bool starts_comment(std::string_view words) noexcept {
    for (std::size_t at = words.find('#'); at != std::string_view::npos;
         at = words.find('#', at + 1))
      if (at == 0 || words[at - 1] == ' ' || words[at - 1] == '\t') return true;
    return false;
  }

  static std::string_view text_of(const View& row, const char* name, std::string& scratch,
                                  const std::string& path) {
    const auto found = row.find(name);
    if (!found || found->is_null()) return {};
    if (found->kind() == POLYCODEC_KIND_BINARY) return found->as_bytes();
    if (found->kind() != POLYCODEC_KIND_STRING)
      fail(Status::type, "obj.bad_statement", "expected a text", path);
    return found->as_string(scratch);
  }

  void flush_if_long() {
    if (text_.size() >= 65536) flush();
  }
  void flush() {
    out_.put_text(text_.view());
    text_.clear();
  }

  // The next `count` rows of a kind.
  void rows(std::size_t kind, std::uint64_t count) {
    const std::uint64_t first = done_[kind];
    done_[kind] += count;
    if (count < 32768) {
      print(text_, kind, first, first + count);
      return flush_if_long();
    }
    flush();
    write_text_blocks(call_, out_, count,
                      [&](TextBlock& text, std::uint64_t begin, std::uint64_t end) {
                        print(text, kind, first + begin, first + end);
                      });
  }

  void print(TextBlock& text, std::size_t kind, std::uint64_t first, std::uint64_t last) const {
    if (kind < 4) return print_points(text, codes[kind], s_.points[kind], first, last);
    print_elements(text, s_, kind, newline_, first, last);
  }

  void print_points(TextBlock& text, std::string_view code, const PointSource& source,
                    std::uint64_t first, std::uint64_t last) const {
    const auto is_plain = [](const NumberColumn& column) {
      return column.numbers.are_plain_floats();
    };
    if (source.columns.size() <= most_float_columns &&
        std::ranges::all_of(source.columns, is_plain)) {
      std::array<FloatColumn, most_float_columns> columns;
      std::ranges::transform(source.columns, columns.begin(), [](const NumberColumn& column) {
        return FloatColumn{column.numbers.at(0), column.numbers.stride()};
      });
      return print_float_rows(text, std::span(columns.data(), source.columns.size()), first, last,
                              LineFrame(code, newline_));
    }
    for (std::uint64_t row = first; row < last; ++row) {
      char* to = text.reserve((source.columns.size() + 1) * (max_decimal_size + 1));
      to = put_short(to, code);
      for (const NumberColumn& column : source.columns) {
        if (!column.numbers.has(row)) continue;
        if (column.needs >= 0 &&
            !source.columns[static_cast<std::size_t>(column.needs)].numbers.has(row))
          fail(Status::unsupported, "obj.missing_number", "a row of numbers has a gap",
               "$" + key_step(code) + index_step(row));
        *to++ = ' ';
        to = print_number(to, column.numbers, row);
      }
      text.commit(put_short(to, newline_));
    }
  }

  const Call& call_;
  const Sources& s_;
  std::string_view newline_;
  bool comments_;
  Writer& out_;
  TextBlock text_;
  std::uint64_t blank_lines_ = 0;
  std::uint64_t done_[kinds] = {};
};

std::string_view attribute(const View& root, const char* name) {
  const polycodec_node* attributes = root.metadata();
  if (attributes == nullptr) return {};
  const auto found = NodeView(attributes).find(name);
  return found && found->is_string() ? found->as_string() : std::string_view();
}

// The value as columns and statements: as it is, or what a mesh in another form is in an OBJ file.
NodeView statements_of(const Settings& settings, const Call& call, NodeView value, Builder& out,
                       Losses& losses) {
  add_attribute_losses(value, losses, call, {"comments", "material_libraries", "looks"});
  View root(value);
  if (settings.form == mesh::Form::dict || settings.form == mesh::Form::array_dict)
    value = NodeView(out.root(from_dictionary(root, out)));
  if (settings.form == mesh::Form::list) value = NodeView(out.root(from_list(root, out)));
  root = View(value);
  if (!settings.triangulate && !mesh::is_mesh(root) && !mesh::is_elements(root)) return value;
  if (!settings.triangulate && mesh::holds_statements(root) && !mesh::has_face_looks(root))
    if (const auto statements = mesh::elements_to_statements(root, out, losses))
      return NodeView(out.root(*statements));
  std::optional<mesh::Mesh> mesh = mesh::mesh_of(root, out, losses);
  if (!mesh)
    throw Error(Status::type, "the value has no vertices and faces that could be made triangles")
        .detail("obj.bad_member");
  if (settings.triangulate)
    mesh::triangulate(*mesh, out, [&] { call.tick(mesh::units_per_check); });
  const polycodec_node* made =
      out.root(mesh::to_statements(*mesh, out, losses, settings.material_library));
  return NodeView(made);
}

}  // namespace

void Obj::encode(const Call& call, NodeView value, Writer& out) const {
  const View root(value);
  if (root.kind() != POLYCODEC_KIND_OBJECT && settings_.form != mesh::Form::list)
    throw Error(Status::type, "an OBJ file is made of a record, not of " +
                                  std::string(kind_name(static_cast<std::uint8_t>(root.kind()))))
        .detail("obj.bad_member");
  // It would come back with all the members that an empty file has: another value.
  if (root.size() == 0 && settings_.form == mesh::Form::file)
    throw Error(Status::type,
                "an empty record is not an OBJ value: it has none of the members of one")
        .detail("obj.bad_member");
  LineEnding ending = LineEnding::lf;
  line_ending_from_name(attribute(root, "line_ending"), ending);
  if (settings_.line_ending) ending = *settings_.line_ending;
  const bool weight_last = settings_.weight_last || attribute(root, "seven_numbers") == "xyzrgbw";
  Builder builder(call);
  Losses losses;
  const NodeView written = statements_of(settings_, call, value, builder, losses);
  if (settings_.writes_materials) {
    losses.settle(call, "OBJ", "obj.lossy");
    return write_library(View(written).find("materials").value_or(View()), line_ending_text(ending),
                         out);
  }
  const Sources sources = Sources::from(View(written), weight_last, builder, losses);
  losses.settle(call, "OBJ", "obj.lossy");
  Encoder(call, sources, ending, settings_.comments, out).run();
}

}  // namespace polycodec::obj
