// SPDX-License-Identifier: MIT
#include "dictionary.hpp"

#include "dictionary_names.hpp"
#include "properties.hpp"

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
    } else if (!code.empty() && !is_points(code) && !is_elements(code)) {
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
    losses.add("$.statements", "where statements stand among the others", LossClass::note);
  if (!comments.empty()) members.push_back({"comment", out.list(comments)});
  for (const char* code : {"v", "vt", "vn", "vp", "f", "l", "p"}) {
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
  std::array<std::uint64_t, 7> done{};
  constexpr std::string_view codes[] = {"v", "vt", "vn", "vp", "f", "l", "p"};
  const View statements = root.find("statements").value_or(View());
  for (std::uint64_t i = 0; i < statements.size(); ++i) {
    const View row = statements.child(i);
    const std::string code = text_of(row, "code");
    const std::string text = text_of(row, "text");
    if (code.empty()) continue;
    const auto* const kind = std::find(std::begin(codes), std::end(codes), code);
    if (kind != std::end(codes)) {
      std::uint64_t& next = done[static_cast<std::size_t>(kind - std::begin(codes))];
      const View rows = root.find(*kind).value_or(View());
      for (std::uint64_t n = row.find("count").value_or(View()).as_uint64(); n != 0; --n, ++next)
        all.push_back(copy_row(rows.child(next), *kind, out));
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

}  // namespace polycodec::obj
