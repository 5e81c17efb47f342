// SPDX-License-Identifier: MIT
#include <base/nodes.hpp>
#include <model/mesh/materials.hpp>
#include <polycodec/error.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

namespace polycodec::mesh {
namespace {

constexpr std::string_view wrap_names[] = {"repeat", "clamp", "mirror"};
constexpr std::string_view alpha_names[] = {"opaque", "mask", "blend"};

// The attribute.

template <std::size_t N>
polycodec_node numbers_node(const std::array<double, N>& numbers, Builder& out) {
  std::vector<polycodec_node> items;
  for (const double number : numbers) items.push_back(Builder::real(number));
  return out.list(items);
}

polycodec_node texture_value(const MeshTexture& texture, Builder& out) {
  const MeshTexture usual;
  std::vector<Member> members;
  if (!texture.name.empty()) members.push_back({"name", text_node(out, texture.name)});
  if (!texture.data.empty()) members.push_back({"data", Builder::bytes_view(texture.data)});
  if (texture.offset != usual.offset)
    members.push_back({"offset", numbers_node(texture.offset, out)});
  if (texture.scale != usual.scale) members.push_back({"scale", numbers_node(texture.scale, out)});
  if (texture.rotation != 0) members.push_back({"rotation", Builder::real(texture.rotation)});
  if (texture.wrap != usual.wrap) {
    std::vector<polycodec_node> wraps;
    for (const MeshWrap wrap : texture.wrap)
      wraps.push_back(out.string_copy(wrap_names[static_cast<std::size_t>(wrap)]));
    members.push_back({"wrap", out.list(wraps)});
  }
  if (texture.strength != 1) members.push_back({"strength", Builder::real(texture.strength)});
  return out.object(std::span<const Member>(members));
}

polycodec_node look_value(const MeshMaterial& look, Builder& out) {
  if (!look.is_known) return Builder::null();
  std::vector<Member> members{{"base_color", numbers_node(look.base_color, out)},
                              {"opacity", Builder::real(look.opacity)},
                              {"metallic", Builder::real(look.metallic)},
                              {"roughness", Builder::real(look.roughness)}};
  if (look.emission != MeshMaterial().emission)
    members.push_back({"emission", numbers_node(look.emission, out)});
  if (look.alpha != MeshAlpha::opaque)
    members.push_back(
        {"alpha", out.string_copy(alpha_names[static_cast<std::size_t>(look.alpha)])});
  if (look.alpha == MeshAlpha::mask)
    members.push_back({"alpha_cutoff", Builder::real(look.alpha_cutoff)});
  if (look.double_sided) members.push_back({"double_sided", Builder::boolean(true)});
  if (!look.base_texture.empty())
    members.push_back({"base_texture", texture_value(look.base_texture, out)});
  if (!look.normal_texture.empty())
    members.push_back({"normal_texture", texture_value(look.normal_texture, out)});
  return out.object(std::span<const Member>(members));
}

/// The members of a record of the attribute, each of which may be absent.
class LookReader {
 public:
  LookReader(const View& record, Builder& out) : record_(record), out_(out) {
    if (!record.is_object()) fail("a material is a record or null");
  }

  void number(const char* name, double& to) const {
    if (const auto found = record_.find(name)) to = number_of(*found, name);
  }
  template <std::size_t N>
  void numbers(const char* name, std::array<double, N>& to) const {
    const auto found = record_.find(name);
    if (!found) return;
    if (!found->is_list() || found->size() != N)
      fail(std::string(name) + " has " + std::to_string(N) + " numbers");
    for (std::size_t i = 0; i < N; ++i) to[i] = number_of(found->child(i), name);
  }
  void flag(const char* name, bool& to) const {
    const auto found = record_.find(name);
    if (!found) return;
    if (found->kind() != POLYCODEC_KIND_BOOLEAN) fail(std::string(name) + " is true or false");
    to = found->as_bool();
  }
  void text(const char* name, std::string_view& to) const {
    const auto found = record_.find(name);
    if (!found) return;
    to = out_.copy_text(word_of(*found, name));
  }
  void bytes(const char* name, std::string_view& to) const {
    const auto found = record_.find(name);
    if (!found) return;
    if (!found->is_binary()) fail(std::string(name) + " is bytes");
    to = found->as_bytes();
  }
  template <class Enum, std::size_t N>
  void word(const View& value, const std::string_view (&names)[N], Enum& to) const {
    const std::string found = word_of(value, "a word");
    const auto* const at = std::find(std::begin(names), std::end(names), found);
    if (at == std::end(names)) fail("a word of a material is not known");
    to = static_cast<Enum>(at - std::begin(names));
  }
  void texture(const char* name, MeshTexture& to) const {
    const auto found = record_.find(name);
    if (!found) return;
    const LookReader reader(*found, out_);
    reader.text("name", to.name);
    reader.bytes("data", to.data);
    reader.numbers("offset", to.offset);
    reader.numbers("scale", to.scale);
    reader.number("rotation", to.rotation);
    reader.number("strength", to.strength);
    const auto wraps = found->find("wrap");
    if (!wraps) return;
    if (!wraps->is_list() || wraps->size() != 2) fail("wrap has two words");
    for (std::size_t i = 0; i < 2; ++i) word(wraps->child(i), wrap_names, to.wrap[i]);
  }
  MeshMaterial material() const {
    MeshMaterial made;
    made.is_known = true;
    numbers("base_color", made.base_color);
    number("opacity", made.opacity);
    number("metallic", made.metallic);
    number("roughness", made.roughness);
    numbers("emission", made.emission);
    if (const auto alpha = record_.find("alpha")) word(*alpha, alpha_names, made.alpha);
    number("alpha_cutoff", made.alpha_cutoff);
    flag("double_sided", made.double_sided);
    texture("base_texture", made.base_texture);
    texture("normal_texture", made.normal_texture);
    return made;
  }

  [[noreturn]] static void fail(const std::string& message) {
    throw Error(Status::type, "in the attribute looks: " + message).detail("mesh.bad_member");
  }

 private:
  static double number_of(const View& value, const char* name) {
    if (!value.is_number()) fail(std::string(name) + " is a number");
    return value.as_double();
  }
  static std::string word_of(const View& value, const char* name) {
    if (!value.is_string()) fail(std::string(name) + " is a string");
    std::string scratch;
    return std::string(value.as_string(scratch));
  }

  const View record_;
  Builder& out_;
};

// The words of libraries.

/// One number or several, as a list or alone; nothing for anything else.
std::optional<std::vector<double>> numbers_of(const View& value) {
  std::vector<double> numbers;
  if (value.is_number()) return std::vector{value.as_double()};
  if (!value.is_list()) return std::nullopt;
  for (const View item : value) {
    if (!item.is_number()) return std::nullopt;
    numbers.push_back(item.as_double());
  }
  return numbers;
}

std::string string_of(const View& value) {
  std::string scratch;
  return value.is_string() ? std::string(value.as_string(scratch)) : std::string();
}

/// A word with one number, three (or one for all three).
bool take(const View& value, double& to) {
  const auto numbers = numbers_of(value);
  if (!numbers || numbers->size() != 1 || !std::isfinite((*numbers)[0])) return false;
  to = (*numbers)[0];
  return true;
}
bool take(const View& value, std::array<double, 3>& to) {
  const auto numbers = numbers_of(value);
  if (!numbers || (numbers->size() != 1 && numbers->size() != 3)) return false;
  for (std::size_t i = 0; i < 3; ++i) {
    const double number = (*numbers)[numbers->size() == 1 ? 0 : i];
    if (!std::isfinite(number)) return false;
    to[i] = number;
  }
  return true;
}

bool are_all(const View& value, std::initializer_list<double> choices) {
  const auto numbers = numbers_of(value);
  if (!numbers || numbers->empty()) return false;
  return std::ranges::any_of(choices, [&](double choice) {
    return std::ranges::all_of(*numbers, [&](double number) { return number == choice; });
  });
}

double opposite(double of) noexcept {
  return 1 - of;
}

/// v grows downward in a texture of a material, and upward in one of a library.
double turned_offset(double offset, double scale) noexcept {
  return opposite(scale) - offset;
}

class WordReader {
 public:
  WordReader(const View& record, Builder& out, LostWords& lost)
      : record_(record), out_(out), lost_(lost) {}

  MeshMaterial run() {
    m_.is_known = true;
    is_new_ = record_.find("Pr") || record_.find("Pm");
    for (std::uint64_t i = 0; i < record_.size(); ++i)
      if (!takes(record_.name(i), record_.child(i))) lost_.add(std::string(record_.name(i)));
    if (m_.opacity < 1) m_.alpha = MeshAlpha::blend;
    if (const auto texture = record_.find("map_d")) {
      const std::string name = string_of(*texture);
      if (!name.empty() && name == m_.base_texture.name)
        m_.alpha = MeshAlpha::blend;
      else
        lost_.add("map_d");
    }
    return m_;
  }

 private:
  bool takes(std::string_view word, const View& value) {
    if (word == "name" || word == "library" || word == "map_d" || word == "map_d_options")
      return true;
    if (word == "Kd") return take(value, m_.base_color);
    if (word == "Ke") return take(value, m_.emission);
    if (word == "d") return take(value, m_.opacity);
    if (word == "Tr") {
      double transparency = 0;
      if (record_.find("d")) return true;
      if (!take(value, transparency)) return false;
      m_.opacity = opposite(transparency);
      return true;
    }
    if (word == "Pm") return take(value, m_.metallic);
    if (word == "Pr") return take(value, m_.roughness);
    if (word == "Ns") {
      double exponent = 0;
      if (record_.find("Pr")) return true;
      if (!take(value, exponent)) return false;
      m_.roughness = std::sqrt(2 / (std::max(exponent, 0.0) + 2));
      return true;
    }
    if (word == "Ks") return is_new_ || are_all(value, {0});
    if (word == "Ka") return are_all(value, {0, 1});
    if (word == "Ni") return are_all(value, {1, 1.45, 1.5});
    if (word == "Tf") return are_all(value, {1});
    if (word == "illum") return are_all(value, {0, 1, 2});
    if (word == "double_sided") {
      double flag = 0;
      if (!take(value, flag)) return false;
      m_.double_sided = flag != 0;
      return true;
    }
    if (word == "map_Kd") return texture(word, value, m_.base_texture);
    if (word == "norm") return texture(word, value, m_.normal_texture);
    // Many programs write normals there, and no other word has them.
    if (word == "map_Bump" || word == "map_bump" || word == "bump")
      return !record_.find("norm") && m_.normal_texture.empty() &&
             texture(word, value, m_.normal_texture);
    for (const std::string_view map : {"map_Kd", "norm", "map_Bump", "map_bump", "bump"})
      if (word.starts_with(map) && word.substr(map.size()) == "_options") return true;
    return false;
  }

  bool texture(std::string_view word, const View& value, MeshTexture& to) {
    to.name = out_.copy_text(string_of(value));
    const auto options = record_.find(std::string(word) + "_options");
    for (std::uint64_t i = 0; options && i < options->size(); ++i)
      if (!option(options->name(i), options->child(i), &to == &m_.normal_texture, to))
        lost_.add(std::string(word) + " -" + std::string(options->name(i)));
    if (options && options->find("o")) {
      to.offset[1] = turned_offset(to.offset[1], to.scale[1]);
    } else {
      to.offset[1] = opposite(to.scale[1]);
    }
    return !to.name.empty();
  }
  static bool option(std::string_view name, const View& value, bool of_normals, MeshTexture& to) {
    if (name == "s" || name == "o") {
      const auto numbers = numbers_of(value);
      if (!numbers || numbers->empty()) return false;
      auto& pair = name == "s" ? to.scale : to.offset;
      for (std::size_t i = 0; i < std::min<std::size_t>(2, numbers->size()); ++i) {
        if (!std::isfinite((*numbers)[i])) return false;
        pair[i] = (*numbers)[i];
      }
      return numbers->size() < 3 || (*numbers)[2] == (name == "s" ? 1 : 0);
    }
    if (name == "clamp") {
      if (string_of(value) == "on") to.wrap = {MeshWrap::clamp, MeshWrap::clamp};
      return true;
    }
    if (name == "bm") return of_normals && take(value, to.strength);
    return false;
  }

  const View& record_;
  Builder& out_;
  LostWords& lost_;
  MeshMaterial m_;
  bool is_new_ = false;
};

/// The members of a texture in a library.
void texture_words(const MeshTexture& texture, std::string_view word, Builder& out,
                   std::vector<Member>& members, LostWords& lost) {
  if (texture.empty()) return;
  if (texture.name.empty()) return lost.add("an image inside, which has no file name");
  if (texture.name.find_first_of("\r\n") != std::string_view::npos)
    return lost.add("a texture whose name has a newline");
  if (!texture.data.empty()) lost.add("an image inside: write it as a file with --assets copy");
  std::vector<Member> options;
  const MeshTexture usual;
  const std::array<double, 2> offset{texture.offset[0],
                                     turned_offset(texture.offset[1], texture.scale[1])};
  if (offset != usual.offset) options.push_back({"o", numbers_node(offset, out)});
  if (texture.scale != usual.scale) options.push_back({"s", numbers_node(texture.scale, out)});
  if (texture.wrap == std::array{MeshWrap::clamp, MeshWrap::clamp})
    options.push_back({"clamp", Builder::string_view("on")});
  else if (texture.wrap != usual.wrap)
    lost.add("how a texture repeats");
  if (texture.rotation != 0) lost.add("how a texture is turned");
  if (texture.strength != 1) options.push_back({"bm", Builder::real(texture.strength)});
  members.push_back({word, text_node(out, texture.name)});
  if (!options.empty())
    members.push_back({out.copy_text(std::string(word) + "_options"),
                       out.object(std::span<const Member>(options))});
}

}  // namespace

bool says_more(const MeshMaterial& material) noexcept {
  const MeshMaterial usual;
  const MeshTexture& texture = material.base_texture;
  const MeshTexture plain;
  const MeshAlpha alpha = material.opacity < 1 ? MeshAlpha::blend : MeshAlpha::opaque;
  return material.metallic != 0 || material.roughness != 1 || material.emission != usual.emission ||
         material.alpha != alpha || material.double_sided || !material.normal_texture.empty() ||
         texture.offset != plain.offset || texture.scale != plain.scale || texture.rotation != 0 ||
         texture.wrap != plain.wrap;
}

polycodec_node looks_value(std::span<const MeshMaterial> looks, Builder& out) {
  std::vector<polycodec_node> items;
  for (const MeshMaterial& look : looks) items.push_back(look_value(look, out));
  return out.list(items);
}

std::vector<MeshMaterial> looks_of(const View& list, std::size_t materials, Builder& out) {
  if (!list.is_list() || list.size() != materials)
    LookReader::fail("there is one item for each of the " + std::to_string(materials) +
                     " materials");
  std::vector<MeshMaterial> looks;
  for (const View item : list)
    looks.push_back(item.is_null() ? MeshMaterial() : LookReader(item, out).material());
  return looks;
}

void LostWords::report(const std::string& path, Losses& losses) const {
  if (all_.empty()) return;
  std::string what;
  for (const auto& [word, count] : all_)
    what += (what.empty() ? "" : ", ") + word + " (" + std::to_string(count) + ")";
  losses.add(path, "of materials: " + what);
}

MeshMaterial material_of_words(const View& record, Builder& out, LostWords& lost) {
  return WordReader(record, out, lost).run();
}

std::vector<Member> words_of_material(const MeshMaterial& material, std::string_view name,
                                      std::string_view library, Builder& out, LostWords& lost) {
  constexpr double most_shininess = 1000, dielectric = 0.04;
  std::array<double, 3> reflected{};
  for (std::size_t i = 0; i < 3; ++i)
    reflected[i] =
        dielectric * opposite(material.metallic) + material.base_color[i] * material.metallic;
  const double square = material.roughness * material.roughness;
  const double shininess = square == 0 ? most_shininess : 2 / square - 2;
  std::vector<Member> members{
      {"name", text_node(out, name)},
      {"library", text_node(out, library)},
      {"Kd", numbers_node(material.base_color, out)},
      {"Ks", numbers_node(reflected, out)},
      {"Ns", Builder::real(std::round(1e6 * std::clamp(shininess, 0.0, most_shininess)) / 1e6)}};
  if (material.emission != MeshMaterial().emission)
    members.push_back({"Ke", numbers_node(material.emission, out)});
  members.push_back({"d", Builder::real(material.opacity)});
  members.push_back({"Pm", Builder::real(material.metallic)});
  members.push_back({"Pr", Builder::real(material.roughness)});
  if (material.double_sided) members.push_back({"double_sided", Builder::real(1)});
  texture_words(material.base_texture, "map_Kd", out, members, lost);
  if (material.alpha == MeshAlpha::blend && material.opacity == 1 &&
      !material.base_texture.name.empty())
    members.push_back({"map_d", text_node(out, material.base_texture.name)});
  if (material.alpha == MeshAlpha::mask) lost.add("where a texture is cut out");
  texture_words(material.normal_texture, "norm", out, members, lost);
  return members;
}

}  // namespace polycodec::mesh
