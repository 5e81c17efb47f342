// SPDX-License-Identifier: MIT
#include "dictionary.hpp"

#include <model/mesh/convert.hpp>
#include <polycodec/path.hpp>

#include "lexer.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace polycodec::obj {
namespace {

// f, l or p with the names of the dictionary: the same columns.
polycodec_node renamed(const View& elements, Builder& out) {
  const polycodec_array& record = *elements.array();
  std::vector<std::string_view> names;
  for (std::uint32_t i = 0; i < record.n_children; ++i)
    for (const Name& n : corner_names)
      if (to_string_view(record.names[i]) == n.code) names.push_back(n.name);
  return Builder::array(
      out.record(record.length, names,
                 std::span<const polycodec_array* const>(record.children, record.n_children)));
}

std::string_view comment_text(std::string_view text) {
  return text.starts_with(' ') ? text.substr(1) : text;
}

// A row of a list of records as a node of its own.
polycodec_node copy_row(const View& row, std::string_view code, Builder& out) {
  std::vector<Member> members{{"code", Builder::string_view(code)}};
  for (std::uint64_t i = 0; i < row.size(); ++i) {
    const View item = row.child(i);
    if (item.is_null()) continue;
    if (!item.is_list()) {
      members.push_back({row.name(i), Builder::real(item.as_double())});
      continue;
    }
    polycodec_node* nodes;
    const polycodec_node list = out.list(item.size(), &nodes);
    bool any = false;
    for (std::uint64_t k = 0; k < item.size(); ++k) {
      const std::int64_t index = item.child(k).as_int64();
      any = any || index != -1;
      *nodes++ = Builder::integer(index);
    }
    for (const Name& n : corner_names)
      if (row.name(i) == n.code && any) members.push_back({n.name, list});
  }
  return out.object(std::span<const Member>(members));
}

}  // namespace

std::vector<Member> to_dictionary(const View& root, Builder& out, Losses& losses) {
  std::vector<Member> members;
  std::vector<polycodec_node> comments;
  std::vector<std::pair<std::string, std::vector<polycodec_node>>> others;
  bool placed = false;
  const View statements = root.find("statements").value_or(View());
  for (std::uint64_t i = 0; i < statements.size(); ++i) {
    const std::string code = text_of(statements.child(i), "code");
    const std::string text = text_of(statements.child(i), "text");
    if (code == "#") {
      comments.push_back(text_node(out, comment_text(text)));
    } else if (!code.empty() && kind_of(code) == row_kinds) {
      if (!is_utf8(code)) {
        losses.add("$.statements[" + std::to_string(i) + "]",
                   "a statement whose keyword is not UTF-8");
        continue;
      }
      placed = placed || code != "mtllib";
      auto at = std::find_if(others.begin(), others.end(),
                             [&](const auto& other) { return other.first == code; });
      if (at == others.end()) at = others.insert(others.end(), {code, {}});
      const std::vector<Member> properties = properties_of(code, text, out);
      at->second.push_back(out.object(std::span<const Member>(properties)));
    }
  }
  if (placed)
    losses.add("$.statements", "the places of statements among the others", LossClass::note);
  if (!comments.empty()) members.push_back({"comment", out.list(comments)});
  for (const std::string_view code : row_codes) {
    const View rows = root.find(code).value_or(View());
    if (rows.size() == 0) continue;
    members.push_back(
        {long_name(code), is_points(code) ? Builder::array(rows.array()) : renamed(rows, out)});
  }
  for (auto& [code, rows] : others) members.push_back({out.copy_text(code), out.list(rows)});
  return members;
}

polycodec_node to_list(const View& root, Builder& out) {
  std::vector<polycodec_node> all;
  std::array<std::uint64_t, row_kinds> done{};
  const View statements = root.find("statements").value_or(View());
  for (std::uint64_t i = 0; i < statements.size(); ++i) {
    const View row = statements.child(i);
    const std::string code = text_of(row, "code");
    const std::string text = text_of(row, "text");
    if (code.empty()) continue;
    if (const std::size_t kind = kind_of(code); kind != row_kinds) {
      std::uint64_t& next = done[kind];
      const View rows = root.find(code).value_or(View());
      for (std::uint64_t n = row.find("count").value_or(View()).as_uint64(); n != 0; --n, ++next)
        all.push_back(copy_row(rows.child(next), row_codes[kind], out));
      continue;
    }
    std::vector<Member> members{
        {"code", code == "#" ? Builder::string_view("comment") : text_node(out, code)}};
    if (code == "#") {
      members.push_back({"comment", text_node(out, comment_text(text))});
    } else {
      for (const Member& member : properties_of(code, text, out)) members.push_back(member);
    }
    all.push_back(out.object(std::span<const Member>(members)));
  }
  return out.list(all);
}

namespace {

// Rows and statements that a dictionary or a list describes, in columns as of a file.
class Gatherer {
 public:
  explicit Gatherer(Builder& out) : out_(out) {}

  void points(std::string_view code, const polycodec_node& row) { rows(code).push_back(row); }

  // Two vertices by name.
  void edge(const View& row) {
    const polycodec_node ends[] = {Builder::integer(row.find("vertex1")->as_int64()),
                                   Builder::integer(row.find("vertex2")->as_int64())};
    std::vector<Member> members{{"v", out_.list(ends)}};
    add_others(row, members);
    rows("l").push_back(out_.object(std::span<const Member>(members)));
  }

  // A face, line or point statement: lists of indices under their long names, or a list of corners
  // that are records.
  void element(std::string_view code, const View& row, const std::string& path) {
    View corners = row.is_list() ? row : row.find("vertex_index").value_or(View());
    if (!corners.is_list()) fail("expected a list 'vertex_index'", path);
    std::vector<Member> members;
    const auto part = [](const View& of, std::string_view name) {
      const auto found = of.find(name);
      if (found || name != corner_names[1].name) return found.value_or(View());
      return of.find(old_texture_index).value_or(View());
    };
    if (corners.size() != 0 && corners.child(0).kind() == POLYCODEC_KIND_OBJECT) {
      for (const Name& n : corner_names) {
        bool used = n.code == "v";
        std::vector<polycodec_node> indices;
        for (std::uint64_t i = 0; i < corners.size(); ++i) {
          const View index = part(corners.child(i), n.name);
          used = used || !index.is_null();
          indices.push_back(Builder::integer(index.is_null() ? -1 : index.as_int64()));
        }
        if (used) members.push_back({n.code, out_.list(indices)});
      }
      for (std::uint64_t i = 0; i < corners.size(); ++i) add_others(corners.child(i), members);
    } else {
      for (const Name& n : corner_names) {
        const View list = n.code == "v" ? corners : part(row, n.name);
        if (!list.is_list()) continue;
        polycodec_node* nodes;
        members.push_back({n.code, out_.list(list.size(), &nodes)});
        for (std::uint64_t i = 0; i < list.size(); ++i)
          *nodes++ = Builder::integer(list.child(i).is_null() ? -1 : list.child(i).as_int64());
      }
    }
    add_others(row, members);
    rows(code).push_back(out_.object(std::span<const Member>(members)));
  }

  void statement(std::string_view code, std::uint64_t count, std::string_view text) {
    statements_.push_back(out_.object({{"code", text_node(out_, code)},
                                       {"count", Builder::unsigned_integer(count)},
                                       {"text", text_node(out_, text)}}));
  }

  polycodec_node run() {
    std::vector<Member> members;
    for (std::size_t kind = 0; kind < row_kinds; ++kind)
      if (!rows_[kind].empty()) members.push_back({row_codes[kind], out_.list(rows_[kind])});
    members.push_back({"statements", out_.list(statements_)});
    return out_.object(std::span<const Member>(members));
  }

  [[noreturn]] static void fail(const std::string& message, const std::string& path) {
    throw Error(Status::type, message).detail("obj.bad_statement").path(path);
  }

 private:
  // What OBJ has no place for stays under its name, so that it is seen to be lost.
  static void add_others(const View& row, std::vector<Member>& members) {
    if (row.kind() != POLYCODEC_KIND_OBJECT) return;
    for (std::uint64_t i = 0; i < row.size(); ++i) {
      const std::string_view name = row.name(i);
      bool known =
          name == "code" || name == "vertex1" || name == "vertex2" || name == old_texture_index;
      for (const Name& n : corner_names) known = known || name == n.name;
      for (const Member& m : members) known = known || m.name == name;
      if (!known && !row.child(i).is_null()) members.push_back({name, Builder::boolean(true)});
    }
  }

  std::vector<polycodec_node>& rows(std::string_view code) { return rows_[kind_of(code)]; }

  Builder& out_;
  std::array<std::vector<polycodec_node>, row_kinds> rows_;
  std::vector<polycodec_node> statements_;
};

// The numbers of a v, vt, vn or vp record. Colors that are bytes become fractions of one.
polycodec_node numbers_of(const View& row, Builder& out) {
  std::vector<Member> members;
  for (std::uint64_t i = 0; i < row.size(); ++i) {
    const std::string_view name = row.name(i);
    const View item = row.child(i);
    if (name == "code" || item.is_null()) continue;
    const bool color = item.dtype() == POLYCODEC_DTYPE_UINT8 &&
                       (name == "red" || name == "green" || name == "blue");
    if (color)
      members.push_back({name, Builder::real32(static_cast<float>(item.as_double() / 255))});
    else if (item.is_integer() || item.kind() == POLYCODEC_KIND_FLOAT)
      members.push_back({name, Builder::real(item.as_double())});
    else
      members.push_back({name, Builder::boolean(true)});
  }
  return out.object(std::span<const Member>(members));
}

}  // namespace

polycodec_node from_list(const View& root, Builder& out) {
  if (!root.is_list()) Gatherer::fail("expected a list of statements", "$");
  Gatherer made(out);
  std::string_view run;
  std::uint64_t count = 0;
  const auto end_run = [&] {
    if (count != 0) made.statement(run, std::exchange(count, 0), {});
  };
  for (std::uint64_t i = 0; i < root.size(); ++i) {
    const View row = root.child(i);
    const std::string path = "$[" + std::to_string(i) + "]";
    const std::string given = text_of(row, "code");
    if (given.empty()) Gatherer::fail("a statement has a 'code'", path);
    const std::string_view code = code_of(mesh::singular(given));
    if (const std::size_t kind = kind_of(code); kind != row_kinds) {
      if (run != code) end_run();
      run = row_codes[kind];
      ++count;
      is_points(run) ? made.points(run, numbers_of(row, out)) : made.element(run, row, path);
      continue;
    }
    end_run();
    if (code == "comment" || code == "#")
      made.statement("#", 1, " " + text_of(row, row.find("comment") ? "comment" : "value"));
    else
      made.statement(code, 1, text_of_properties(code, row, path));
  }
  end_run();
  return made.run();
}

polycodec_node from_dictionary(const View& given, Builder& out) {
  const polycodec_node elements = mesh::from_dictionary(given, out);
  const View root(&elements);
  Gatherer made(out);
  std::vector<Member> columns;
  for (std::uint64_t i = 0; i < root.size(); ++i) {
    const std::string_view code = code_of(root.name(i));
    const View rows = root.child(i);
    const std::string path = "$." + std::string(root.name(i));
    if (code == "material" && rows.kind() == POLYCODEC_KIND_STRING) {
      // The name of the one material, in dictionaries of old.
      std::string name;
      made.statement("usemtl", 1, rows.as_string(name));
      continue;
    }
    if (!rows.is_list()) Gatherer::fail("expected a list", path);
    for (std::uint64_t k = 0; k < rows.size(); ++k) {
      const View row = rows.child(k);
      const std::string row_path = path + index_step(k);
      std::string scratch;
      if (code == "comment") {
        if (row.kind() != POLYCODEC_KIND_STRING) Gatherer::fail("expected a text", row_path);
        made.statement("#", 1, " " + std::string(row.as_string(scratch)));
        continue;
      }
      if (is_points(code)) {
        made.points(code, numbers_of(row, out));
      } else if (code == "l" && row.find("vertex1") && row.find("vertex2")) {
        made.edge(row);
      } else if (kind_of(code) != row_kinds) {
        made.element(code, row, row_path);
      } else {
        const Statement what = statement_of(code);
        if (what != Statement::state && what != Statement::unknown)
          throw Error(
              Status::unsupported,
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
