// SPDX-License-Identifier: MIT
#include "dictionary.hpp"

#include <polycodec/mesh/dictionary.hpp>
#include <polycodec/utf8.hpp>

#include "keywords.hpp"
#include "properties.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace polycodec::obj {
namespace {

struct Name {
  std::string_view code, name;
};
constexpr Name long_names[] = {{"v", "vertex"}, {"f", "face"}, {"l", "edge"}};
constexpr Name corner_names[] = {{"v", "vertex_index"}, {"vt", "texture_index"}, {"vn", "normal_index"}};

std::string_view long_name(std::string_view code) {
  for (const Name& n : long_names)
    if (n.code == code) return n.name;
  return code;
}
std::string_view code_of(std::string_view name) {
  for (const Name& n : long_names)
    if (n.name == name) return n.code;
  return name;
}

bool is_points(std::string_view code) {
  return code == "v" || code == "vt" || code == "vn" || code == "vp";
}
bool is_elements(std::string_view code) {
  return code == "f" || code == "l" || code == "p";
}

std::string text_of(const Item& row, const char* name) {
  const auto found = row.find(name);
  if (!found || found->is_null()) return {};
  std::string scratch;
  return std::string(found->kind() == POLYCODEC_BINARY ? found->as_bytes() : found->as_string(scratch));
}

polycodec_node text_node(Builder& out, std::string_view text) {
  polycodec_node node = out.string_copy(text);
  if (!is_utf8(text)) node.dtype = POLYCODEC_TEXT_LENIENT;
  return node;
}

// f, l or p with the names of the dictionary: the same columns.
polycodec_node renamed(const Item& elements, Builder& out) {
  const polycodec_array& record = *elements.array();
  std::vector<std::string_view> names;
  for (std::uint32_t i = 0; i < record.n_children; ++i)
    for (const Name& n : corner_names)
      if (to_string_view(record.names[i]) == n.code) names.push_back(n.name);
  return Builder::array(
      out.record(record.length, names, std::span<const polycodec_array* const>(record.children, record.n_children)));
}

std::string_view comment_text(std::string_view text) {
  return text.starts_with(' ') ? text.substr(1) : text;
}

// A row of a list of records as a node of its own.
polycodec_node copy_row(const Item& row, std::string_view code, Builder& out) {
  std::vector<Member> members{{"code", Builder::string_view(code)}};
  for (std::uint64_t i = 0; i < row.size(); ++i) {
    const Item item = row.child(i);
    if (item.is_null()) continue;
    if (!item.is_list()) {
      members.push_back({row.name(i), Builder::real(item.as_double())});
      continue;
    }
    polycodec_node* nodes;
    const polycodec_node list = out.list(item.size(), &nodes);
    for (std::uint64_t k = 0; k < item.size(); ++k) *nodes++ = Builder::integer(item.child(k).as_int64());
    for (const Name& n : corner_names)
      if (row.name(i) == n.code) members.push_back({n.name, list});
  }
  return out.object(std::span<const Member>(members));
}

// Rows and statements that a dictionary or a list describes, in columns as of a file.
class Gatherer {
 public:
  explicit Gatherer(Builder& out) : out_(out) {}

  void points(std::string_view code, const polycodec_node& row) { kind(code).rows.push_back(row); }

  // A face, line or point statement: lists of indices under their long names, or a list of corners that are records.
  void element(std::string_view code, const Item& row, const std::string& path) {
    Item corners = row.is_list() ? row : row.find("vertex_index").value_or(Item());
    if (!corners.is_list()) fail("expected a list 'vertex_index'", path);
    std::vector<Member> members;
    if (corners.size() != 0 && corners.child(0).kind() == POLYCODEC_OBJECT) {
      for (const Name& n : corner_names) {
        bool used = n.code == "v";
        std::vector<polycodec_node> indices;
        for (std::uint64_t i = 0; i < corners.size(); ++i) {
          const Item index = corners.child(i).find(n.name).value_or(Item());
          used = used || !index.is_null();
          indices.push_back(Builder::integer(index.is_null() ? -1 : index.as_int64()));
        }
        if (used) members.push_back({n.code, out_.list(indices)});
      }
    } else {
      for (const Name& n : corner_names) {
        const Item list = n.code == "v" ? corners : row.find(n.name).value_or(Item());
        if (!list.is_list()) continue;
        polycodec_node* nodes;
        members.push_back({n.code, out_.list(list.size(), &nodes)});
        for (std::uint64_t i = 0; i < list.size(); ++i)
          *nodes++ = Builder::integer(list.child(i).is_null() ? -1 : list.child(i).as_int64());
      }
    }
    kind(code).rows.push_back(out_.object(std::span<const Member>(members)));
  }

  void statement(std::string_view code, std::uint64_t count, std::string_view text) {
    statements_.push_back(out_.object({{"code", text_node(out_, code)},
                                       {"count", Builder::unsigned_integer(count)},
                                       {"text", text_node(out_, text)}}));
  }

  polycodec_node run() {
    std::vector<Member> members;
    for (const Kind& k : kinds_)
      if (!k.rows.empty()) members.push_back({k.code, out_.list(k.rows)});
    members.push_back({"statements", out_.list(statements_)});
    return out_.object(std::span<const Member>(members));
  }

  [[noreturn]] static void fail(const std::string& message, const std::string& path) {
    throw Error(Status::type, message).detail("obj.bad_statement").path(path);
  }

 private:
  struct Kind {
    std::string_view code;
    std::vector<polycodec_node> rows;
  };
  Kind& kind(std::string_view code) {
    for (Kind& k : kinds_)
      if (k.code == code) return k;
    fail("no such statement", "$");
  }

  Builder& out_;
  std::array<Kind, 7> kinds_{{{"v", {}}, {"vt", {}}, {"vn", {}}, {"vp", {}}, {"f", {}}, {"l", {}}, {"p", {}}}};
  std::vector<polycodec_node> statements_;
};

// The numbers of a v, vt, vn or vp record.
polycodec_node numbers_of(const Item& row, Builder& out) {
  std::vector<Member> members;
  for (std::uint64_t i = 0; i < row.size(); ++i)
    if (row.name(i) != "code" && !row.child(i).is_null())
      members.push_back({row.name(i), Builder::real(row.child(i).as_double())});
  return out.object(std::span<const Member>(members));
}

}  // namespace

std::vector<Member> to_dictionary(const Item& root, Builder& out, Losses& losses) {
  std::vector<Member> members;
  std::vector<polycodec_node> comments;
  std::vector<std::pair<std::string, std::vector<polycodec_node>>> others;
  bool placed = false;
  const Item statements = root.find("statements").value_or(Item());
  for (std::uint64_t i = 0; i < statements.size(); ++i) {
    const std::string code = text_of(statements.child(i), "code");
    const std::string text = text_of(statements.child(i), "text");
    if (code == "#") {
      comments.push_back(text_node(out, comment_text(text)));
    } else if (!code.empty() && !is_points(code) && !is_elements(code)) {
      if (!is_utf8(code)) {
        losses.add("$.statements[" + std::to_string(i) + "]", "a statement whose keyword is not UTF-8");
        continue;
      }
      placed = placed || code != "mtllib";
      auto at = std::find_if(others.begin(), others.end(), [&](const auto& other) { return other.first == code; });
      if (at == others.end()) at = others.insert(others.end(), {code, {}});
      const std::vector<Member> properties = properties_of(code, text, out);
      at->second.push_back(out.object(std::span<const Member>(properties)));
    }
  }
  if (placed) losses.add("$.statements", "where statements stand among the others");
  if (!comments.empty()) members.push_back({"comment", out.list(comments)});
  for (const char* code : {"v", "vt", "vn", "vp", "f", "l", "p"}) {
    const Item rows = root.find(code).value_or(Item());
    if (rows.size() == 0) continue;
    members.push_back({long_name(code), is_points(code) ? Builder::array(rows.array()) : renamed(rows, out)});
  }
  for (auto& [code, rows] : others) members.push_back({out.copy_text(code), out.list(rows)});
  return members;
}

polycodec_node to_list(const Item& root, Builder& out) {
  std::vector<polycodec_node> all;
  std::array<std::uint64_t, 7> done{};
  constexpr std::string_view codes[] = {"v", "vt", "vn", "vp", "f", "l", "p"};
  const Item statements = root.find("statements").value_or(Item());
  for (std::uint64_t i = 0; i < statements.size(); ++i) {
    const Item row = statements.child(i);
    const std::string code = text_of(row, "code");
    const std::string text = text_of(row, "text");
    if (code.empty()) continue;
    const auto* const kind = std::find(std::begin(codes), std::end(codes), code);
    if (kind != std::end(codes)) {
      std::uint64_t& next = done[static_cast<std::size_t>(kind - std::begin(codes))];
      const Item rows = root.find(*kind).value_or(Item());
      for (std::uint64_t n = row.find("count").value_or(Item()).as_uint64(); n != 0; --n, ++next)
        all.push_back(copy_row(rows.child(next), *kind, out));
      continue;
    }
    std::vector<Member> members{{"code", code == "#" ? Builder::string_view("comment") : text_node(out, code)}};
    if (code == "#") {
      members.push_back({"comment", text_node(out, comment_text(text))});
    } else {
      for (const Member& member : properties_of(code, text, out)) members.push_back(member);
    }
    all.push_back(out.object(std::span<const Member>(members)));
  }
  return out.list(all);
}

polycodec_node from_list(const Item& root, Builder& out) {
  if (!root.is_list()) Gatherer::fail("expected a list of statements", "$");
  Gatherer made(out);
  std::string_view run;
  std::uint64_t count = 0;
  const auto end_run = [&] {
    if (count != 0) made.statement(run, std::exchange(count, 0), {});
  };
  constexpr std::string_view codes[] = {"v", "vt", "vn", "vp", "f", "l", "p"};
  for (std::uint64_t i = 0; i < root.size(); ++i) {
    const Item row = root.child(i);
    const std::string path = "$[" + std::to_string(i) + "]";
    const std::string given = text_of(row, "code");
    if (given.empty()) Gatherer::fail("a statement has a 'code'", path);
    const std::string_view code = code_of(mesh::singular(given));
    const auto* const kind = std::find(std::begin(codes), std::end(codes), code);
    if (kind != std::end(codes)) {
      if (run != *kind) end_run();
      run = *kind;
      ++count;
      is_points(code) ? made.points(*kind, numbers_of(row, out)) : made.element(*kind, row, path);
      continue;
    }
    end_run();
    if (code == "comment")
      made.statement("#", 1, " " + text_of(row, "comment"));
    else
      made.statement(code, 1, text_of_properties(code, row, path));
  }
  end_run();
  return made.run();
}

polycodec_node from_dictionary(const Item& given, Builder& out) {
  const polycodec_node elements = mesh::from_dictionary(given, out);
  const Item root(&elements);
  Gatherer made(out);
  std::vector<Member> columns;
  for (std::uint64_t i = 0; i < root.size(); ++i) {
    const std::string_view code = code_of(root.name(i));
    const Item rows = root.child(i);
    const std::string path = "$." + std::string(root.name(i));
    if (!rows.is_list()) Gatherer::fail("expected a list", path);
    for (std::uint64_t k = 0; k < rows.size(); ++k) {
      const Item row = rows.child(k);
      const std::string row_path = path + "[" + std::to_string(k) + "]";
      std::string scratch;
      if (code == "comment") {
        if (row.kind() != POLYCODEC_STRING) Gatherer::fail("expected a text", row_path);
        made.statement("#", 1, " " + std::string(row.as_string(scratch)));
        continue;
      }
      if (is_points(code)) {
        made.points(code, numbers_of(row, out));
      } else if (code == "l" && row.find("vertex1") && row.find("vertex2")) {
        const polycodec_node ends[] = {Builder::integer(row.find("vertex1")->as_int64()),
                                       Builder::integer(row.find("vertex2")->as_int64())};
        const polycodec_node edge = out.object({{"vertex_index", out.list(ends)}});
        made.element(code, Item(&edge), row_path);
      } else if (is_elements(code)) {
        made.element(code, row, row_path);
      } else {
        const Statement what = statement_of(code);
        if (what != Statement::state && what != Statement::unknown)
          throw Error(Status::unsupported,
                      "free-form geometry has an order, which a dictionary lacks: use the list form")
              .detail("obj.bad_statement")
              .path(path);
        made.statement(code, 1, text_of_properties(code, row, row_path));
      }
    }
  }
  return made.run();
}

}  // namespace polycodec::obj
