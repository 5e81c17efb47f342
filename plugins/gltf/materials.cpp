// SPDX-License-Identifier: MIT
#include "materials.hpp"

#include <polycodec/detail/uri.hpp>
#include <polycodec/error.hpp>
#include <polycodec/quote.hpp>

#include "document.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

namespace polycodec::gltf {
namespace {

constexpr std::string_view transform_name = "KHR_texture_transform";
constexpr std::string_view strength_name = "KHR_materials_emissive_strength";
constexpr std::string_view alpha_names[] = {"OPAQUE", "MASK", "BLEND"};
constexpr std::int64_t wrap_numbers[] = {10497, 33071, 33648};

/// What is in a base64 `data:` address; nothing for another one.
std::optional<std::string_view> bytes_of(std::string_view uri, Builder& out) {
  const auto digits = detail::base64_of_data_uri(uri);
  return digits && detail::is_data_uri(uri) ? decode_base64(*digits, out) : std::nullopt;
}

class Reader {
 public:
  Reader(View document, const MaterialLoss& lose, Builder& out)
      : document_(document),
        lose_(lose),
        out_(out),
        materials_(list_at(document, "materials", "$")),
        textures_(list_at(document, "textures", "$")),
        images_(list_at(document, "images", "$")),
        samplers_(list_at(document, "samplers", "$")),
        shown_textures_(static_cast<std::size_t>(textures_.size())),
        shown_images_(static_cast<std::size_t>(images_.size())) {}

  std::span<const MeshMaterial> run() {
    auto* const looks = out_.allocate<MeshMaterial>(materials_.size());
    bool is_any_known = false;
    for (std::uint64_t i = 0; i < materials_.size(); ++i) {
      std::construct_at(looks + i, material(materials_.child(i), at("$.materials", i)));
      is_any_known = is_any_known || looks[i].is_known;
    }
    for (const auto& [member, count] : lost_)
      lose_(LossClass::data, "$.materials", member + " of " + std::to_string(count) + " materials");
    for (const auto& [member, count] : noted_)
      lose_(LossClass::note, "$.materials", member + " of " + std::to_string(count) + " materials");
    for (const auto& [what, shown] :
         {std::pair{"textures", &shown_textures_}, std::pair{"images", &shown_images_}})
      if (const auto idle = std::ranges::count(*shown, false); idle != 0)
        lose_(LossClass::data, std::string("$.") + what, std::to_string(idle) + " unused " + what);
    if (!is_any_known) return {};
    return {looks, static_cast<std::size_t>(materials_.size())};
  }

 private:
  void lose(const std::string& what) { ++lost_[what]; }
  /// Counts the members of an object that are not among `known`.
  void lose_others(View object, std::initializer_list<std::string_view> known,
                   const std::string& prefix = {}) {
    for (std::uint64_t i = 0; i < object.size(); ++i) {
      const std::string_view name = object.name(i);
      if (std::ranges::find(known, name) != known.end()) continue;
      if (name == "extras")
        ++noted_[prefix + "extras"];
      else if (name == "extensions" && object.child(i).is_object())
        lose_others(object.child(i), {transform_name, strength_name}, prefix + "extension ");
      else
        lose(prefix + std::string(name));
    }
  }
  static double number(View object, std::string_view name, double otherwise,
                       const std::string& path) {
    const auto found = object.find(name);
    if (!found) return otherwise;
    if (!found->is_number())
      refuse(Status::malformed, "bad_member", "expected a number", path + "." + std::string(name));
    return found->as_double();
  }
  template <std::size_t N>
  static void numbers(View object, std::string_view name, std::array<double, N>& to,
                      const std::string& path) {
    const auto found = object.find(name);
    if (!found) return;
    const std::string where = path + "." + std::string(name);
    if (!found->is_list() || found->size() != N)
      refuse(Status::malformed, "bad_member", "expected " + std::to_string(N) + " numbers", where);
    for (std::size_t i = 0; i < N; ++i) {
      if (!found->child(i).is_number())
        refuse(Status::malformed, "bad_member", "expected a number", at(where, i));
      to[i] = found->child(i).as_double();
    }
  }
  static std::optional<View> extension(View object, std::string_view name,
                                       const std::string& path) {
    const auto all = object_at(object, "extensions", path);
    return all ? object_at(*all, name, path + ".extensions") : std::nullopt;
  }

  MeshMaterial material(View given, const std::string& path) {
    MeshMaterial made;
    if (given.size() == (given.find("name") ? 1u : 0u)) return made;
    made.is_known = true;
    lose_others(given, {"name", "pbrMetallicRoughness", "normalTexture", "emissiveFactor",
                        "alphaMode", "alphaCutoff", "doubleSided"});
    made.metallic = 1;
    std::array<double, 4> color{1, 1, 1, 1};
    if (const auto base = object_at(given, "pbrMetallicRoughness", path)) {
      const std::string where = path + ".pbrMetallicRoughness";
      lose_others(*base,
                  {"baseColorFactor", "metallicFactor", "roughnessFactor", "baseColorTexture"});
      numbers(*base, "baseColorFactor", color, where);
      made.metallic = number(*base, "metallicFactor", 1, where);
      made.roughness = number(*base, "roughnessFactor", 1, where);
      if (const auto info = object_at(*base, "baseColorTexture", where))
        made.base_texture = texture(*info, "", where + ".baseColorTexture");
    }
    std::copy_n(color.begin(), 3, made.base_color.begin());
    made.opacity = color[3];
    numbers(given, "emissiveFactor", made.emission, path);
    if (const auto strength = extension(given, strength_name, path))
      for (double& part : made.emission) part *= number(*strength, "emissiveStrength", 1, path);
    const std::string_view mode = string_at(given, "alphaMode", path);
    const auto* const found = std::ranges::find(alpha_names, mode);
    if (!mode.empty() && found == std::end(alpha_names))
      refuse(Status::malformed, "bad_member", "unknown mode " + quote(mode), path + ".alphaMode");
    if (!mode.empty()) made.alpha = static_cast<MeshAlpha>(found - std::begin(alpha_names));
    if (made.alpha == MeshAlpha::opaque && made.opacity != 1) {
      made.opacity = 1;
      ++noted_["alpha that counts for nothing"];
    }
    made.alpha_cutoff = number(given, "alphaCutoff", made.alpha_cutoff, path);
    const auto sides = given.find("doubleSided");
    made.double_sided = sides && sides->kind() == POLYCODEC_KIND_BOOLEAN && sides->as_bool();
    if (const auto info = object_at(given, "normalTexture", path)) {
      made.normal_texture = texture(*info, "scale", path + ".normalTexture");
      made.normal_texture.strength = number(*info, "scale", 1, path + ".normalTexture");
    }
    return made;
  }

  MeshTexture texture(View info, std::string_view own, const std::string& path) {
    MeshTexture made;
    lose_others(info, {"index", "texCoord", own}, "texture ");
    auto set = integer_at(info, "texCoord", UINT32_MAX, path).value_or(0);
    if (const auto moved = extension(info, transform_name, path)) {
      const std::string where = path + ".extensions." + std::string(transform_name);
      lose_others(*moved, {"offset", "rotation", "scale", "texCoord"}, "texture ");
      numbers(*moved, "offset", made.offset, where);
      numbers(*moved, "scale", made.scale, where);
      made.rotation = number(*moved, "rotation", 0, where);
      set = integer_at(*moved, "texCoord", UINT32_MAX, where).value_or(set);
    }
    if (set != 0) lose("texture coordinates " + std::to_string(set));
    const auto number = need_integer(info, "index", UINT32_MAX, path);
    const std::string where = at("$.textures", number);
    const View used = textures_.child(number);
    shown_textures_[static_cast<std::size_t>(number)] = true;
    lose_others(used, {"name", "sampler", "source"}, "texture ");
    if (const auto sampler = integer_at(used, "sampler", UINT32_MAX, where))
      sample(samplers_.child(*sampler), at("$.samplers", *sampler), made);
    const auto source = integer_at(used, "source", UINT32_MAX, where);
    if (!source) {
      lose("textures without an image");
      return MeshTexture();
    }
    shown_images_[static_cast<std::size_t>(*source)] = true;
    image(images_.child(*source), *source, made);
    return made;
  }

  void sample(View sampler, const std::string& path, MeshTexture& made) {
    for (const char* name : {"magFilter", "minFilter"})
      if (sampler.find(name)) ++noted_[std::string("texture ") + name];
    lose_others(sampler, {"name", "wrapS", "wrapT", "magFilter", "minFilter"}, "texture ");
    for (std::size_t i = 0; i < 2; ++i) {
      const char* const name = i == 0 ? "wrapS" : "wrapT";
      const auto given = integer_at(sampler, name, UINT32_MAX, path);
      const auto* const found =
          std::ranges::find(wrap_numbers, static_cast<std::int64_t>(given.value_or(10497)));
      if (found == std::end(wrap_numbers))
        refuse(Status::malformed, "bad_member", "unknown number", path + "." + name);
      made.wrap[i] = static_cast<MeshWrap>(found - std::begin(wrap_numbers));
    }
  }

  void image(View given, std::uint64_t number, MeshTexture& made) {
    const std::string path = at("$.images", number);
    lose_others(given, {"name", "mimeType", "data", "uri"}, "image ");
    if (const auto data = given.find("data"); data && data->is_binary())
      made.data = data->as_bytes();
    const std::string_view uri = string_at(given, "uri", path);
    if (const auto inside = bytes_of(uri, out_))
      made.data = *inside;
    else if (!uri.empty())
      made.name = out_.copy_text(detail::name_of_uri(uri));
    if (made.data.empty()) return;
    const std::string_view name = string_at(given, "name", path);
    std::string file(name.empty() ? "image_" + std::to_string(number) : name);
    const std::string_view extension =
        made.data.starts_with("\x89PNG")                                 ? ".png"
        : made.data.starts_with("\xff\xd8\xff")                          ? ".jpg"
        : made.data.substr(0, 16).find("WEBP") != std::string_view::npos ? ".webp"
                                                                         : "";
    if (!file.ends_with(extension) && !(extension == ".jpg" && file.ends_with(".jpeg")))
      file += extension;
    made.name = out_.copy_text(file);
  }

  const View document_;
  const MaterialLoss& lose_;
  Builder& out_;
  const View materials_, textures_, images_, samplers_;
  std::vector<bool> shown_textures_, shown_images_;
  std::map<std::string, std::uint64_t> lost_, noted_;
};

class Adder {
 public:
  Adder(const Mesh& mesh, const MaterialLoss& lose, Builder& out)
      : m_(mesh),
        lose_(lose),
        out_(out),
        materials_(out.list()),
        textures_(out.list()),
        samplers_(out.list()),
        images_(out.list()) {}

  void run(ObjectBuilder& document) {
    for (std::size_t i = 0; i < m_.materials.size(); ++i) {
      auto made = out_.object();
      if (!m_.materials[i].empty()) made.push("name", out_.string_copy(m_.materials[i]));
      if (i < m_.looks.size() && m_.looks[i].is_known) material(m_.looks[i], made);
      materials_.push(made);
    }
    if (beyond_ != 0)
      lose_(LossClass::data, std::string(m_.paths[MeshPart::looks]),
            std::to_string(beyond_) + " parameters of materials beyond 0 to 1: they are cut");
    document.push("materials", materials_);
    for (const auto& [name, list] :
         {std::pair{"textures", &textures_}, {"samplers", &samplers_}, {"images", &images_}})
      if (list->size() != 0) document.push(name, *list);
    auto used = out_.list();
    for (const auto& [is_used, name] :
         {std::pair{uses_transform_, transform_name}, {uses_strength_, strength_name}})
      if (is_used) used.push(Builder::string_view(name));
    if (used.size() != 0) document.push("extensionsUsed", used);
  }

 private:
  Node fraction(double number) {
    const double cut = number >= 0 ? std::min(number, 1.0) : 0;
    beyond_ += cut == number ? 0 : 1;
    return Builder::real(cut);
  }
  template <std::size_t N>
  Node reals(const std::array<double, N>& numbers) {
    auto list = out_.list();
    for (const double number : numbers) list.push(Builder::real(number));
    return list;
  }

  void material(const MeshMaterial& look, ObjectBuilder& made) {
    auto base = out_.object();
    if (look.base_color != MeshMaterial().base_color || look.opacity != 1) {
      auto color = out_.list();
      for (const double part : look.base_color) color.push(fraction(part));
      color.push(fraction(look.opacity));
      base.push("baseColorFactor", color);
    }
    if (!look.base_texture.empty())
      base.push("baseColorTexture", texture(look.base_texture, false));
    base.push("metallicFactor", fraction(look.metallic));
    base.push("roughnessFactor", fraction(look.roughness));
    made.push("pbrMetallicRoughness", base);
    if (!look.normal_texture.empty())
      made.push("normalTexture", texture(look.normal_texture, true));
    emission(look, made);
    if (look.alpha != MeshAlpha::opaque)
      made.push("alphaMode",
                Builder::string_view(alpha_names[static_cast<std::size_t>(look.alpha)]));
    if (look.alpha == MeshAlpha::mask && look.alpha_cutoff != MeshMaterial().alpha_cutoff)
      made.push("alphaCutoff", Builder::real(look.alpha_cutoff));
    if (look.double_sided) made.push("doubleSided", Builder::boolean(true));
  }

  void emission(const MeshMaterial& look, ObjectBuilder& made) {
    if (look.emission == MeshMaterial().emission) return;
    const double most = *std::ranges::max_element(look.emission);
    auto factor = out_.list();
    for (const double part : look.emission) factor.push(fraction(most > 1 ? part / most : part));
    made.push("emissiveFactor", factor);
    if (!(most > 1)) return;
    uses_strength_ = true;
    const Node strength = out_.object({{"emissiveStrength", Builder::real(most)}});
    made.push("extensions", out_.object({{strength_name, strength}}));
  }

  Node texture(const MeshTexture& given, bool of_normals) {
    auto made = out_.object();
    made.push("index", Builder::integer(texture_number(given)));
    if (of_normals && given.strength != 1) made.push("scale", Builder::real(given.strength));
    auto moved = out_.object();
    const MeshTexture usual;
    if (given.offset != usual.offset) moved.push("offset", reals(given.offset));
    if (given.rotation != 0) moved.push("rotation", Builder::real(given.rotation));
    if (given.scale != usual.scale) moved.push("scale", reals(given.scale));
    if (moved.size() != 0) {
      uses_transform_ = true;
      made.push("extensions", out_.object({{transform_name, moved}}));
    }
    return made;
  }

  std::int64_t texture_number(const MeshTexture& given) {
    const std::int64_t image = image_number(given);
    const auto [at, is_new] =
        known_textures_.try_emplace({image, given.wrap}, known_textures_.size());
    if (!is_new) return at->second;
    auto made = out_.object();
    if (given.wrap != MeshTexture().wrap)
      made.push("sampler", Builder::integer(sampler_number(given.wrap)));
    made.push("source", Builder::integer(image));
    textures_.push(made);
    return at->second;
  }
  std::int64_t sampler_number(const std::array<MeshWrap, 2>& wrap) {
    const auto [at, is_new] = known_samplers_.try_emplace(wrap, known_samplers_.size());
    if (!is_new) return at->second;
    const auto number = [](MeshWrap of) {
      return Builder::integer(wrap_numbers[static_cast<std::size_t>(of)]);
    };
    samplers_.push(out_.object({{"wrapS", number(wrap[0])}, {"wrapT", number(wrap[1])}}));
    return at->second;
  }
  std::int64_t image_number(const MeshTexture& given) {
    const auto [at, is_new] =
        known_images_.try_emplace({given.name, given.data}, known_images_.size());
    if (!is_new) return at->second;
    auto made = out_.object();
    if (given.data.empty()) {
      made.push("uri", out_.string_copy(detail::uri_of_name(given.name)));
    } else {
      if (!given.name.empty()) made.push("name", out_.string_copy(given.name));
      made.push("data", Builder::bytes_view(given.data));
    }
    images_.push(made);
    return at->second;
  }

  const Mesh& m_;
  const MaterialLoss& lose_;
  Builder& out_;
  ListBuilder materials_, textures_, samplers_, images_;
  std::map<std::pair<std::int64_t, std::array<MeshWrap, 2>>, std::int64_t> known_textures_;
  std::map<std::array<MeshWrap, 2>, std::int64_t> known_samplers_;
  std::map<std::pair<std::string_view, std::string_view>, std::int64_t> known_images_;
  std::uint64_t beyond_ = 0;
  bool uses_transform_ = false, uses_strength_ = false;
};

}  // namespace

std::span<const MeshMaterial> looks_of(View document, const MaterialLoss& lose, Builder& out) {
  return Reader(document, lose, out).run();
}

void add_materials(const Mesh& mesh, const MaterialLoss& lose, ObjectBuilder& document,
                   Builder& out) {
  if (!mesh.materials.empty()) Adder(mesh, lose, out).run(document);
}

}  // namespace polycodec::gltf
