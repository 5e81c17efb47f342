// SPDX-License-Identifier: MIT
#include <base/nodes.hpp>
#include <base/seeded_hash.hpp>
#include <model/mesh/convert.hpp>
#include <model/mesh/parts.hpp>
#include <polycodec/node_view.hpp>
#include <polycodec/quote.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::mesh {

std::optional<Mesh> mesh_of(const View& root, Builder& out, Losses& losses,
                            IndexProblems* problems) {
  if (root.kind() != POLYCODEC_KIND_OBJECT) return std::nullopt;
  if (is_mesh(root)) return from_value(root, out, problems);
  if (is_elements(root)) return from_elements(root, out, losses, problems);
  if (is_statements(root)) return from_statements(root, out, losses, problems);
  return std::nullopt;
}

std::vector<Member> array_dictionary(const std::vector<Member>& members, Builder& out,
                                     Losses& losses) {
  std::vector<Member> made;
  const auto with_attribute = [&](const polycodec_array* matrix, std::string_view name,
                                  const polycodec_node& value) {
    polycodec_array* told = out.store(*matrix);
    told->metadata = out.store(out.object({{name, value}}));
    return told;
  };
  const auto add = [&](std::string_view element, Rows& rows, const std::vector<std::string>& names,
                       bool colors) {
    const polycodec_array* matrix = detail::columns_matrix(rows, names, colors, out);
    const auto usual = detail::usual_columns(element, names.size());
    if (!std::equal(names.begin(), names.end(), usual.begin(), usual.end()))
      matrix = with_attribute(matrix, detail::columns_attribute, detail::text_list(out, names));
    made.push_back({out.copy_text(element), Builder::array(matrix)});
  };
  for (const Member& member : members) {
    const View item(&member.value);
    if (item.array() == nullptr || item.size() == 0 ||
        item.child(0).kind() != POLYCODEC_KIND_OBJECT) {
      made.push_back(member);
      continue;
    }
    const std::string path = "$." + std::string(member.name);
    Rows rows(item, path, out);
    std::vector<std::string> numbers;
    std::vector<std::string> colors;
    std::string list;
    for (const std::string& name : rows.names()) {
      View first;
      for (std::uint64_t i = 0; i < rows.size() && first.is_null(); ++i)
        first = rows.member(i, name);
      if (!first.is_list()) (detail::is_color(rows, name) ? colors : numbers).push_back(name);
      if (first.is_list() && list.empty()) list = name;
    }
    if (!list.empty()) {
      for (const std::string& name : rows.names())
        if (name != list) losses.add(path + "." + name, "a column beside a list");
      const polycodec_array* matrix = detail::lists_matrix(rows.number_lists(list), out);
      if (member.name != "face")
        matrix = with_attribute(matrix, detail::list_attribute, text_node(out, list));
      made.push_back({member.name, Builder::array(matrix)});
      continue;
    }
    add(member.name, rows, numbers, false);
    if (!colors.empty()) add(std::string(member.name) + "_colors", rows, colors, true);
  }
  return made;
}

namespace {

class FromDictionary {
 public:
  FromDictionary(const View& root, Builder& out) : root_(root), out_(out) {}

  polycodec_node run() {
    if (root_.kind() != POLYCODEC_KIND_OBJECT) fail("a dictionary is expected", "$");
    std::vector<Member> members;
    SeededSet<std::string_view> seen;
    for (std::uint64_t i = 0; i < root_.size(); ++i) {
      const std::string_view name = singular(root_.name(i));
      if (!seen.insert(name).second)
        fail("the element " + quote(name) + " has been given already",
             "$." + std::string(root_.name(i)));
      if (name.ends_with("_colors") && root_.find(name.substr(0, name.size() - 7))) continue;
      if (name == "vertex_colors" || name == "edge_colors" || name == "face_colors") continue;
      const View item = root_.child(i);
      if (name == "comment" && item.kind() == POLYCODEC_KIND_STRING) {
        members.push_back({name, lines(item)});
        continue;
      }
      members.push_back(
          {name, is_matrix(item) ? Builder::array(element(name, item)) : node_of(item)});
    }
    return out_.object(std::span<const Member>(members));
  }

 private:
  [[noreturn]] static void fail(const std::string& message, const std::string& path) {
    throw Error(Status::type, message).detail("mesh.bad_member").path(path);
  }

  // Comments that were joined to one text.
  polycodec_node lines(const View& text) {
    std::string scratch;
    std::vector<std::string> all{""};
    for (const char c : text.as_string(scratch)) {
      if (c == '\n')
        all.emplace_back();
      else
        all.back() += c;
    }
    return detail::text_list(out_, all);
  }

  static bool is_matrix(const View& item) {
    if (!item.is_list()) return false;
    if (const polycodec_array* array = item.array();
        array != nullptr && array->layout == POLYCODEC_LAYOUT_NDARRAY)
      return array->ndim == 2;
    if (item.size() == 0 || !item.child(0).is_list()) return false;
    const View first = item.child(0);
    return first.size() == 0 || first.child(0).is_integer() ||
           first.child(0).kind() == POLYCODEC_KIND_FLOAT;
  }

  polycodec_node node_of(const View& item) const {
    if (item.node() != nullptr) return *item.node();
    if (item.array() != nullptr) return Builder::array(item.array());
    fail("a dictionary is expected, not a row of a table", "$");
  }

  View colors_of(std::string_view name) const {
    const std::string wanted = std::string(name) + "_colors";
    for (std::uint64_t i = 0; i < root_.size(); ++i)
      if (root_.name(i) == wanted) return root_.child(i);
    return View();
  }

  // One column of a matrix that may be made of anything.
  const polycodec_array* column(const View& rows, std::uint64_t k, const std::string& path) {
    const std::uint64_t n = rows.size();
    bool integers = true;
    bool bytes = true;
    auto* values = out_.allocate<double>(n);
    for (std::uint64_t i = 0; i < n; ++i) {
      const View row = rows.child(i);
      if (k >= row.size())
        fail("all rows of a matrix have one width", path + "[" + std::to_string(i) + "]");
      const View item = row.child(k);
      values[i] = item.as_double();
      integers = integers && item.is_integer();
      bytes = bytes && item.dtype() == POLYCODEC_DTYPE_UINT8;
    }
    const polycodec_array* made =
        out_.vector(std::span<const double>(values, static_cast<std::size_t>(n)));
    if (n == 0 || !integers) return made;
    return bytes ? detail::copy_column<std::uint8_t>(out_, made)
                 : detail::copy_column<std::int64_t>(out_, made);
  }

  const polycodec_array* element(std::string_view name, const View& rows) {
    const std::string path = "$." + std::string(name);
    if (name == "face") return lists(rows, path, "vertex_index", true);
    if (const View list = told(rows, detail::list_attribute);
        list.kind() == POLYCODEC_KIND_STRING) {
      std::string scratch;
      return lists(rows, path, out_.copy_text(list.as_string(scratch)), false);
    }
    const std::uint64_t width = rows.size() == 0 ? 0 : rows.child(0).size();
    std::vector<std::string_view> names = names_of(rows, name, width);
    if (names.size() < width)
      fail("no names are known for " + std::to_string(width) + " columns", path);
    std::vector<const polycodec_array*> columns;
    for (std::uint64_t k = 0; k < width; ++k) columns.push_back(column(rows, k, path));
    if (const View colors = colors_of(name); colors.size() != 0) {
      if (colors.size() != rows.size())
        fail("as many rows of colors as of " + std::string(name), path + "_colors");
      const auto parts = names_of(colors, std::string(name) + "_colors", colors.child(0).size());
      if (parts.size() < colors.child(0).size())
        fail("a color has up to four parts", path + "_colors");
      for (std::uint64_t k = 0; k < parts.size(); ++k)
        columns.push_back(column(colors, k, path + "_colors"));
      names.insert(names.end(), parts.begin(), parts.end());
    }
    return out_.record(rows.size(), names, columns);
  }

  static View told(const View& matrix, std::string_view attribute) {
    const polycodec_node* metadata = matrix.metadata();
    if (metadata == nullptr) return View();
    const auto found = NodeView(metadata).find(attribute);
    return found ? View(*found) : View();
  }

  std::vector<std::string_view> names_of(const View& matrix, std::string_view element,
                                         std::uint64_t width) {
    const View said = told(matrix, detail::columns_attribute);
    if (!said.is_list() || said.size() != width) return detail::usual_columns(element, width);
    std::vector<std::string_view> names;
    for (const std::string& name : detail::texts_of(said)) names.push_back(out_.copy_text(name));
    return names;
  }

  // Rows of a padded matrix: faces end at the first number that says "lacking", others before the
  // last ones.
  const polycodec_array* lists(const View& rows, const std::string& path, std::string_view name,
                               bool at_first) {
    auto* offsets = out_.allocate<std::uint64_t>(rows.size() + 1);
    offsets[0] = 0;
    std::vector<std::int32_t> numbers;
    for (std::uint64_t i = 0; i < rows.size(); ++i) {
      const View row = rows.child(i);
      std::size_t end = numbers.size();
      for (std::uint64_t k = 0; k < row.size(); ++k) {
        const double value = row.child(k).as_double();
        const bool lacking = !(value >= 0);
        if (lacking && at_first) break;
        const double number = value != value ? -1 : value;
        if (number > INT32_MAX || number < INT32_MIN ||
            number != static_cast<double>(static_cast<std::int64_t>(number)))
          fail("an index is an integer", path + "[" + std::to_string(i) + "]");
        numbers.push_back(static_cast<std::int32_t>(number));
        if (!lacking) end = numbers.size();
      }
      numbers.resize(end);
      offsets[i + 1] = end;
    }
    const std::int32_t* kept = out_.store_all(std::span<const std::int32_t>(numbers));
    const polycodec_array* made = detail::list_column(out_, rows.size(), offsets, kept);
    return out_.record(rows.size(), std::array<std::string_view, 1>{name}, {{made}});
  }

  const View& root_;
  Builder& out_;
};

}  // namespace

polycodec_node from_dictionary(const View& root, Builder& out) {
  return FromDictionary(root, out).run();
}

}  // namespace polycodec::mesh
