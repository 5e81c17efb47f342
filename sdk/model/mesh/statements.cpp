// SPDX-License-Identifier: MIT
#include <base/nodes.hpp>
#include <base/seeded_hash.hpp>
#include <model/mesh/convert.hpp>
#include <model/mesh/materials.hpp>
#include <model/mesh/parts.hpp>
#include <model/mesh/whole.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polycodec::mesh {

bool is_statements(const View& root) {
  return root.find("v").has_value();
}

namespace {

class FromStatements {
 public:
  FromStatements(const View& root, Builder& out, Losses& losses, IndexProblems* problems)
      : root_(root), out_(out), losses_(losses), problems_(problems) {}

  Mesh run() {
    for (const auto& [part, path] :
         {std::pair<MeshPart, std::string_view>{MeshPart::positions, "$.v"},
          {MeshPart::normals, "$.vn"},
          {MeshPart::texcoords, "$.vt"},
          {MeshPart::colors, "$.v.red"},
          {MeshPart::faces, "$.f"},
          {MeshPart::corners, "$.f.v"},
          {MeshPart::edges, "$.l"},
          {MeshPart::materials, "$.statements"},
          {MeshPart::groups, "$.statements"},
          {MeshPart::objects, "$.statements"},
          {MeshPart::comments, "$.statements"},
          {MeshPart::material_libraries, "$.statements"},
          {MeshPart::looks, "$.materials"}})
      m_.paths.set(part, path);
    points();
    faces();
    lines();
    for (const auto& [name, what] :
         {std::pair{"p", "point elements"}, std::pair{"vp", "points in parameter space"}})
      if (rows(name).size() != 0) losses_.add(std::string("$.") + name, what);
    statements();
    looks();
    return std::move(m_);
  }

 private:
  struct State {
    std::int32_t material = -1, group = -1, object = -1;
  };
  struct Names {
    std::vector<std::string>& all;
    SeededMap<std::string, std::int32_t> known;
    std::int32_t number(const std::string& name) {
      if (name.empty()) return -1;
      const auto [at, added] = known.emplace(name, static_cast<std::int32_t>(all.size()));
      if (added) all.push_back(name);
      return at->second;
    }
  };

  View rows(const char* name) const { return root_.find(name).value_or(View()); }

  // A column that says nothing else than this in any row.
  bool is_constant(const polycodec_array* column, double value) const {
    if (column == nullptr) return true;
    const Numbers numbers(*column);
    for (std::uint64_t i = 0; i < numbers.size(); ++i)
      if (numbers.has(i) && numbers.real(i) != value) return false;
    return true;
  }
  // Without gaps.
  const polycodec_array* filled(const polycodec_array* column, double value) {
    if (column->layout == POLYCODEC_LAYOUT_NDARRAY) return column;
    const Numbers numbers(*column);
    return detail::make_column<double>(out_, numbers.size(), [&](std::uint64_t i) {
      return numbers.has(i) ? numbers.real(i) : value;
    });
  }

  void points() {
    if (const View v = rows("v"); v.size() != 0) {
      Rows points(v, "$.v", out_, "obj");
      std::size_t i = 0;
      for (const char* name : {"x", "y", "z"}) m_.positions[i++] = points.numbers(name, true);
      if (!is_constant(points.numbers("w", false), 1)) losses_.add("$.v.w", "weights of vertices");
      if (points.has("red") && points.has("green") && points.has("blue")) {
        i = 0;
        bool gaps = false;
        for (const char* name : {"red", "green", "blue"}) {
          const polycodec_array* color = points.numbers(name, false);
          gaps = gaps || color->layout != POLYCODEC_LAYOUT_NDARRAY;
          m_.colors[i++] = filled(color, 1);
        }
        detail::scale_fractions(m_.colors, out_);
        if (gaps) losses_.add("$.v.red", "which vertices have no color: they become white");
      }
    }
    if (const View vt = rows("vt"); vt.size() != 0) {
      Rows points(vt, "$.vt", out_, "obj");
      m_.texcoords[0] = points.numbers("u", true);
      const polycodec_array* v = points.numbers("v", false);
      m_.texcoords[1] = v != nullptr ? filled(v, 0) : zeros(points.size());
      if (!is_constant(points.numbers("w", false), 0))
        losses_.add("$.vt.w", "third texture coordinates");
    }
    if (const View vn = rows("vn"); vn.size() != 0) {
      Rows points(vn, "$.vn", out_, "obj");
      std::size_t i = 0;
      for (const char* name : {"i", "j", "k"}) m_.normals[i++] = points.numbers(name, true);
    }
  }
  const polycodec_array* zeros(std::uint64_t n) {
    const auto* zero = out_.store(0.0);
    return out_.strided(bytes_of(std::span(zero, 1)), zero, n, 0, POLYCODEC_DTYPE_FLOAT64, 8);
  }

  void faces() {
    const View f = rows("f");
    if (f.size() == 0) return;
    Rows faces(f, "$.f", out_, "obj");
    m_.faces = faces.size();
    m_.face_positions = faces.lists("v", true);
    m_.face_texcoords = faces.lists("vt", false);
    m_.face_normals = faces.lists("vn", false);
    const Lists corners(*m_.face_positions);
    for (const auto& [column, name] :
         {std::pair{m_.face_texcoords, "vt"}, std::pair{m_.face_normals, "vn"}}) {
      if (column == nullptr) continue;
      const Lists lists(*column);
      for (std::uint64_t i = 0; i < m_.faces; ++i)
        if (const std::uint64_t n = lists.row(i).count; n != 0 && n != corners.row(i).count)
          faces.fail(Status::invalid, "bad_corner", "the lists of a face have different lengths",
                     faces.at(i, name));
    }
    check_lists(m_.face_positions, m_.position_count(), false, "$.f", "v", problems_);
    check_lists(m_.face_texcoords, m_.texcoord_count(), true, "$.f", "vt", problems_);
    check_lists(m_.face_normals, m_.normal_count(), true, "$.f", "vn", problems_);
  }

  void lines() {
    const View l = rows("l");
    if (l.size() == 0) return;
    Rows lines(l, "$.l", out_, "obj");
    const polycodec_array* column = lines.lists("v", true);
    check_lists(column, m_.position_count(), false, "$.l", "v", problems_);
    const Lists lists(*column);
    std::uint64_t edges = 0;
    bool chains = false;
    for (std::uint64_t i = 0; i < lists.size(); ++i) {
      const std::uint64_t n = lists.row(i).count;
      edges += n == 0 ? 0 : n - 1;
      chains = chains || n > 2;
    }
    auto* first = out_.allocate<std::int32_t>(edges);
    auto* second = out_.allocate<std::int32_t>(edges);
    std::uint64_t at = 0;
    for (std::uint64_t i = 0; i < lists.size(); ++i) {
      const Lists::Row row = lists.row(i);
      for (std::uint64_t k = 1; k < row.count; ++k, ++at) {
        first[at] = static_cast<std::int32_t>(lists.integer(row, k - 1));
        second[at] = static_cast<std::int32_t>(lists.integer(row, k));
      }
    }
    const auto n = static_cast<std::size_t>(edges);
    m_.edges = {out_.vector(std::span<const std::int32_t>(first, n)),
                out_.vector(std::span<const std::int32_t>(second, n))};
    if (chains) losses_.add("$.l", "which edges are one line");
    if (const polycodec_array* textures = lines.lists("vt", false)) {
      const Lists vt(*textures);
      for (std::uint64_t i = 0; i < vt.size(); ++i) {
        const Lists::Row row = vt.row(i);
        for (std::uint64_t k = 0; k < row.count; ++k)
          if (vt.integer(row, k) >= 0) return losses_.add("$.l.vt", "texture coordinates of lines");
      }
    }
  }

  void statements() {
    const View all = rows("statements");
    Names materials{m_.materials, {}};
    Names groups{m_.groups, {}};
    Names objects{m_.objects, {}};
    std::map<std::string, std::uint64_t> dropped;
    std::vector<std::pair<std::uint64_t, State>> changes;  // from which face on
    State state;
    std::uint64_t face = 0;
    for (std::uint64_t i = 0; i < all.size(); ++i) {
      const View row = all.child(i);
      const std::string code = text(row, "code");
      const std::string words = text(row, "text");
      if (code == "f" || code == "fo") {
        const auto count = row.find("count");
        const std::uint64_t n = count && count->is_integer() ? count->as_uint64() : 1;
        if (changes.empty() ? state.material >= 0 || state.group >= 0 || state.object >= 0 : true)
          changes.emplace_back(face, state);
        face += std::min(n, m_.faces - std::min(face, m_.faces));
      } else if (code == "#") {
        m_.comments.push_back(words.starts_with(' ') ? words.substr(1) : words);
      } else if (code == "usemtl") {
        state.material = materials.number(words);
      } else if (code == "g") {
        state.group = groups.number(words);
      } else if (code == "o") {
        state.object = objects.number(words);
      } else if (code == "mtllib") {
        m_.material_libraries.push_back(words);
      } else if (!code.empty() && code != "v" && code != "vt" && code != "vn" && code != "vp" &&
                 code != "l" && code != "p" && !(code == "s" && (words == "off" || words == "0"))) {
        ++dropped[code];
      }
    }
    for (const auto& [code, count] : dropped)
      losses_.add("$.statements", code + " (" + std::to_string(count) + ")",
                  code == "#" ? LossClass::note : LossClass::data);
    if (changes.empty()) return;
    auto* numbers = out_.allocate<std::int32_t>(3 * m_.faces);
    const auto n = static_cast<std::size_t>(m_.faces);
    std::size_t next = 0;
    State now;
    for (std::uint64_t i = 0; i < m_.faces; ++i) {
      while (next < changes.size() && changes[next].first <= i) now = changes[next++].second;
      numbers[i] = now.material;
      numbers[m_.faces + i] = now.group;
      numbers[2 * m_.faces + i] = now.object;
    }
    const auto column = [&](std::size_t k) {
      return out_.vector(std::span<const std::int32_t>(numbers + k * n, n));
    };
    if (!m_.materials.empty()) m_.face_materials = column(0);
    if (!m_.groups.empty()) m_.face_groups = column(1);
    if (!m_.objects.empty()) m_.face_objects = column(2);
  }

  /// What the parsed libraries say of the materials; the first of a name counts.
  void looks() {
    const View all = rows("materials");
    SeededMap<std::string, View> records;
    for (std::uint64_t i = 0; i < all.size(); ++i)
      if (const View record = all.child(i); record.is_object())
        records.try_emplace(text(record, "name"), record);
    LostWords lost;
    std::size_t known = 0;
    for (const std::string& name : m_.materials) {
      const auto found = records.find(name);
      known += found == records.end() ? 0 : 1;
      m_.looks.push_back(found == records.end() ? MeshMaterial()
                                                : material_of_words(found->second, out_, lost));
    }
    if (known == 0) m_.looks.clear();
    lost.report("$.materials", losses_);
    if (records.size() != known)
      losses_.add("$.materials",
                  std::to_string(records.size() - known) + " materials that no face has",
                  LossClass::note);
  }

  static std::string text(const View& row, const char* name) {
    const auto found = row.find(name);
    if (!found || found->is_null()) return {};
    std::string scratch;
    return std::string(found->kind() == POLYCODEC_KIND_BINARY ? found->as_bytes()
                                                              : found->as_string(scratch));
  }

  const View& root_;
  Builder& out_;
  Losses& losses_;
  IndexProblems* problems_;
  Mesh m_;
};

class ToStatements {
 public:
  /// `keep_alpha`: as a column of `v` that no OBJ file has, instead of a loss.
  ToStatements(const Mesh& mesh, std::string_view library, Builder& out, Losses& losses,
               bool keep_alpha = false)
      : m_(mesh), out_(out), losses_(losses), keep_alpha_(keep_alpha) {
    if (!library.empty())
      libraries_.emplace_back(library);
    else
      libraries_ = m_.material_libraries;
    if (!std::ranges::any_of(m_.looks, &MeshMaterial::is_known)) libraries_ = m_.material_libraries;
  }

  polycodec_node run() {
    points();
    if (m_.faces != 0) {
      std::vector<std::string_view> names{"v"};
      std::vector<const polycodec_array*> columns{m_.face_positions};
      if (m_.face_texcoords != nullptr && m_.texcoord_count() != 0) {
        names.emplace_back("vt");
        columns.push_back(m_.face_texcoords);
      }
      if (m_.face_normals != nullptr && m_.normal_count() != 0) {
        names.emplace_back("vn");
        columns.push_back(m_.face_normals);
      }
      members_.push_back({"f", Builder::array(out_.record(m_.faces, names, columns))});
    }
    if (const std::uint64_t edges = m_.edge_count(); edges != 0) {
      const Numbers first(*m_.edges[0]);
      const Numbers second(*m_.edges[1]);
      auto* pairs = out_.allocate<std::int32_t>(2 * edges);
      for (std::uint64_t i = 0; i < edges; ++i) {
        pairs[2 * i] = static_cast<std::int32_t>(first.integer(i));
        pairs[2 * i + 1] = static_cast<std::int32_t>(second.integer(i));
      }
      const std::int64_t shape[] = {static_cast<std::int64_t>(edges), 2};
      const polycodec_array* column =
          out_.ndarray(bytes_of(std::span(pairs, static_cast<std::size_t>(2 * edges))),
                       POLYCODEC_DTYPE_INT32, 4, shape);
      members_.push_back({"l", Builder::array(out_.record(
                                   edges, std::array<std::string_view, 1>{"v"}, {{column}}))});
    }
    statements();
    materials();
    return out_.object(std::span<const Member>(members_));
  }

 private:
  /// Those that are known, as the parsed libraries of an OBJ value.
  void materials() {
    LostWords lost;
    std::vector<polycodec_node> records;
    const std::string_view library =
        libraries_.empty() ? std::string_view() : std::string_view(libraries_[0]);
    for (std::size_t i = 0; i < m_.looks.size(); ++i) {
      if (!m_.looks[i].is_known) continue;
      const std::vector<Member> words =
          words_of_material(m_.looks[i], m_.materials[i], library, out_, lost);
      records.push_back(out_.object(std::span<const Member>(words)));
    }
    if (!records.empty()) members_.push_back({"materials", out_.list(records)});
    lost.report(std::string(m_.paths[MeshPart::looks]), losses_);
  }

  void points() {
    std::vector<std::string_view> names{"x", "y", "z"};
    std::vector<const polycodec_array*> columns(m_.positions.begin(), m_.positions.end());
    if (columns[0] == nullptr) columns.assign(3, out_.vector(std::span<const double>()));
    if (m_.colors[0] != nullptr) {
      for (std::size_t i = 0; i < 3; ++i) {
        names.push_back(std::array<std::string_view, 3>{"red", "green", "blue"}[i]);
        columns.push_back(fraction(m_.colors[i]));
      }
    }
    if (m_.alpha != nullptr && keep_alpha_) {
      names.emplace_back("alpha");
      columns.push_back(m_.alpha);
    }
    members_.push_back({"v", Builder::array(out_.record(m_.position_count(), names, columns))});
    if (m_.alpha != nullptr && !keep_alpha_) {
      const Numbers alpha(*m_.alpha);
      const double opaque = is_integer(alpha.dtype()) ? 255 : 1;
      for (std::uint64_t i = 0; i < alpha.size(); ++i) {
        if (alpha.real(i) == opaque) continue;
        losses_.add(std::string(m_.paths[MeshPart::alpha]), "transparency of positions");
        break;
      }
    }
    if (m_.texcoord_count() != 0)
      members_.push_back({"vt", Builder::array(out_.record(
                                    m_.texcoord_count(), std::array<std::string_view, 2>{"u", "v"},
                                    m_.texcoords))});
    if (m_.normal_count() != 0)
      members_.push_back({"vn", Builder::array(out_.record(
                                    m_.normal_count(),
                                    std::array<std::string_view, 3>{"i", "j", "k"}, m_.normals))});
  }

  // A byte of color is told from its neighbors by four digits; as a float it comes back as the
  // same byte.
  const polycodec_array* fraction(const polycodec_array* column) {
    const Numbers from(*column);
    if (!is_integer(from.dtype())) return column;
    return detail::make_column<float>(out_, from.size(),
                                      [&](std::uint64_t i) { return from.real(i) / 255; });
  }

  void statements() {
    const auto say = [&](std::string_view code, std::uint64_t count, std::string_view text) {
      nodes_.push_back(out_.object({{"code", out_.string_copy(code)},
                                    {"count", Builder::unsigned_integer(count)},
                                    {"text", text_node(out_, text)}}));
    };
    for (const std::string& comment : m_.comments) say("#", 1, " " + comment);
    for (const std::string& library : libraries_) say("mtllib", 1, library);
    for (const auto& [code, count] :
         {std::pair{"v", m_.position_count()}, std::pair{"vt", m_.texcoord_count()},
          std::pair{"vn", m_.normal_count()}, std::pair{"l", m_.edge_count()}})
      if (count != 0) say(code, count, {});
    struct Kind {
      const char* code;
      const char* what;
      MeshPart part;
      const polycodec_array* column;
      const std::vector<std::string>& names;
      std::int64_t now = -1;
    };
    Kind kinds[] = {{"o", "objects", MeshPart::objects, m_.face_objects, m_.objects},
                    {"g", "groups", MeshPart::groups, m_.face_groups, m_.groups},
                    {"usemtl", "materials", MeshPart::materials, m_.face_materials, m_.materials}};
    const auto is_said = [](const Kind& kind) {
      return kind.column != nullptr && !kind.names.empty();
    };
    std::uint64_t run = std::ranges::any_of(kinds, is_said) ? 0 : m_.faces;
    for (std::uint64_t i = run; i < m_.faces; ++i) {
      for (Kind& kind : kinds) {
        if (!is_said(kind)) continue;
        const std::int64_t number = Numbers(*kind.column).integer(i);
        if (number == kind.now) continue;
        if (run != 0) say("f", std::exchange(run, 0), {});
        say(kind.code, 1,
            number < 0 ? std::string_view() : kind.names[static_cast<std::size_t>(number)]);
        kind.now = number;
      }
      ++run;
    }
    if (run != 0) say("f", run, {});
    for (const Kind& kind : kinds)
      if (const std::uint64_t unused = detail::unused_names(kind.names, kind.column); unused != 0)
        losses_.add(std::string(m_.paths[kind.part]),
                    std::to_string(unused) + " " + kind.what + " that no face has",
                    LossClass::note);
    members_.push_back({"statements", out_.list(nodes_)});
  }

  const Mesh& m_;
  Builder& out_;
  Losses& losses_;
  bool keep_alpha_;
  std::vector<std::string> libraries_;
  std::vector<Member> members_;
  std::vector<polycodec_node> nodes_;
};

}  // namespace

Mesh from_statements(const View& root, Builder& out, Losses& losses, IndexProblems* problems) {
  return FromStatements(root, out, losses, problems).run();
}

std::optional<polycodec_node> whole_elements(const Mesh& m, const FaceColumns& more, Builder& out,
                                             Losses& losses) {
  if (m.faces != 0) {
    const Lists lists(*m.face_positions);
    for (std::uint64_t i = 0; i < m.faces; ++i)
      if (lists.row(i).count < 3) return std::nullopt;
  }
  // Statements are comments of an OBJ file, which name no textures.
  Mesh rest = m;
  FaceColumns with = more;
  rest.comments.clear();
  for (const std::string& text : m.comments)
    (text.starts_with(detail::texture_line) ? with.textures : rest.comments).push_back(text);
  const polycodec_node statements = ToStatements(rest, {}, out, losses, true).run();
  Losses found;
  const polycodec_node made = statements_to_elements(View(out.root(statements)), out, found, with);
  detail::add_elsewhere(found, m.paths, losses);
  return made;
}

polycodec_node to_statements(Mesh m, Builder& out, Losses& losses, std::string_view library) {
  drop_small_faces(m, out, losses);
  if (library.empty()) drop_texture_of_comment(m);
  return ToStatements(m, library, out, losses).run();
}

}  // namespace polycodec::mesh
