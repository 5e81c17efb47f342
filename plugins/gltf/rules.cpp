// SPDX-License-Identifier: MIT
// The rules of a document: what it requires, and that its indices lead somewhere.
#include <polycodec/error.hpp>

#include "compressed.hpp"
#include "document.hpp"

#include <algorithm>
#include <vector>

namespace polycodec::gltf {
namespace {

/// Extensions whose data is in the JSON alone, or whose accessors are those of glTF.
constexpr std::string_view known_extensions[] = {
    "KHR_texture_transform", "KHR_lights_punctual", "KHR_mesh_quantization",
    "KHR_xmp_json_ld",       "KHR_texture_basisu",  "KHR_animation_pointer",
    "KHR_node_visibility",   "EXT_texture_webp",    "EXT_texture_avif"};

bool is_known(std::string_view name) noexcept {
  return name.starts_with("KHR_materials_") ||
         std::find(std::begin(known_extensions), std::end(known_extensions), name) !=
             std::end(known_extensions);
}

class Checker {
 public:
  Checker(const Call& call, View document)
      : meter_(call),
        document_(document),
        accessors_(count("accessors")),
        nodes_(count("nodes")),
        meshes_(count("meshes")),
        materials_(count("materials")),
        textures_(count("textures")) {}

  void run() {
    for (const char* name : {"accessors", "animations", "cameras", "images", "materials", "meshes",
                             "nodes", "samplers", "scenes", "skins", "textures"})
      objects(name, [](View, const std::string&) {});
    trees();
    index(document_, "scene", count("scenes"), "$");
    objects("scenes", [&](View scene, const std::string& path) {
      indices(scene, "nodes", nodes_, path, [&](std::uint64_t node, const std::string& where) {
        if (parents_[node] >= 0)
          refuse(Status::malformed, "bad_node",
                 "node " + std::to_string(node) + " of a scene is a child of node " +
                     std::to_string(parents_[node]) + ": a scene names roots",
                 where);
      });
    });
    objects("meshes", [&](View mesh, const std::string& path) { check_mesh(mesh, path); });
    objects("materials", [&](View material, const std::string& path) {
      for (const char* name : {"normalTexture", "occlusionTexture", "emissiveTexture"})
        texture(material, name, path);
      if (const auto pbr = object_at(material, "pbrMetallicRoughness", path))
        for (const char* name : {"baseColorTexture", "metallicRoughnessTexture"})
          texture(*pbr, name, path + ".pbrMetallicRoughness");
    });
    objects("textures", [&](View texture, const std::string& path) {
      index(texture, "sampler", count("samplers"), path);
      index(texture, "source", count("images"), path);
    });
    objects("skins", [&](View skin, const std::string& path) {
      index(skin, "skeleton", nodes_, path);
      index(skin, "inverseBindMatrices", accessors_, path);
      indices(skin, "joints", nodes_, path, [](std::uint64_t, const std::string&) {});
    });
    objects("animations", [&](View animation, const std::string& path) {
      const View samplers = list_at(animation, "samplers", path);
      each(samplers, path + ".samplers", [&](View sampler, const std::string& where) {
        index(sampler, "input", accessors_, where);
        index(sampler, "output", accessors_, where);
      });
      each(list_at(animation, "channels", path), path + ".channels",
           [&](View channel, const std::string& where) {
             index(channel, "sampler", samplers.size(), where);
             if (const auto target = object_at(channel, "target", where))
               index(*target, "node", nodes_, where + ".target");
           });
    });
  }

 private:
  std::uint64_t count(std::string_view name) const { return list_at(document_, name, "$").size(); }
  template <class Body>
  void each(View list, const std::string& path, const Body& body) {
    for (std::uint64_t i = 0; i < list.size(); ++i) {
      meter_.tick(8);
      const std::string where = at(path, i);
      if (!list.child(i).is_object())
        refuse(Status::type, "bad_member", "expected an object", where);
      body(list.child(i), where);
    }
  }
  template <class Body>
  void objects(const char* name, const Body& body) {
    each(list_at(document_, name, "$"), std::string("$.") + name, body);
  }
  std::optional<std::uint64_t> index(View object, std::string_view name, std::uint64_t rows,
                                     const std::string& path) {
    const auto found = integer_at(object, name, UINT64_MAX - 1, path);
    if (found && *found >= rows)
      refuse(Status::range, "bad_index",
             "index " + std::to_string(*found) + " with " + std::to_string(rows) + " rows",
             path + "." + std::string(name));
    return found;
  }
  template <class Body>
  void indices(View object, std::string_view name, std::uint64_t rows, const std::string& path,
               const Body& body) {
    const View list = list_at(object, name, path);
    const std::string all = path + "." + std::string(name);
    for (std::uint64_t i = 0; i < list.size(); ++i) {
      meter_.tick(4);
      const View item = list.child(i);
      const std::string where = at(all, i);
      const bool fits =
          item.is_integer() && (item.kind() == POLYCODEC_KIND_UNSIGNED || item.as_int64() >= 0);
      if (!fits || item.as_uint64() >= rows)
        refuse(Status::range, "bad_index", "expected an index below " + std::to_string(rows),
               where);
      body(item.as_uint64(), where);
    }
  }
  void texture(View material, const char* name, const std::string& path) {
    if (const auto info = object_at(material, name, path))
      index(*info, "index", textures_, path + "." + name);
  }

  void trees() {
    parents_.assign(nodes_, -1);
    objects("nodes", [&](View node, const std::string& path) {
      index(node, "mesh", meshes_, path);
      index(node, "skin", count("skins"), path);
      index(node, "camera", count("cameras"), path);
      const auto self = node_++;
      indices(node, "children", nodes_, path, [&](std::uint64_t child, const std::string& where) {
        if (parents_[child] >= 0)
          refuse(Status::malformed, "bad_node",
                 "node " + std::to_string(child) + " is a child of node " +
                     std::to_string(parents_[child]) + " already: nodes are trees",
                 where);
        parents_[child] = static_cast<std::int64_t>(self);
      });
    });
    // Each node has one parent at most, so a walk upwards ends at a root, at a node that was seen
    // before, or in a circle.
    std::vector<std::uint64_t> walk(nodes_, 0);
    for (std::uint64_t i = 0; i < nodes_; ++i) {
      meter_.tick(2);
      for (auto n = static_cast<std::int64_t>(i);
           n >= 0 && walk[static_cast<std::size_t>(n)] != i + 1;
           n = parents_[static_cast<std::size_t>(n)]) {
        if (walk[static_cast<std::size_t>(n)] != 0) break;
        walk[static_cast<std::size_t>(n)] = i + 1;
        const auto parent = parents_[static_cast<std::size_t>(n)];
        if (parent >= 0 && walk[static_cast<std::size_t>(parent)] == i + 1)
          refuse(Status::malformed, "bad_node",
                 "the children of node " + std::to_string(n) + " lead back to it: nodes are trees",
                 at("$.nodes", static_cast<std::uint64_t>(n)) + ".children");
      }
    }
  }

  void attributes(View object, std::optional<std::uint64_t>& rows, const std::string& path) {
    for (std::uint64_t i = 0; i < object.size(); ++i) {
      meter_.tick(4);
      const std::string_view name = object.name(i);
      const auto accessor = index(object, name, accessors_, path);
      const std::string where = path + "." + std::string(name);
      const auto items = integer_at(list_at(document_, "accessors", "$").child(*accessor), "count",
                                    UINT64_MAX - 1, where);
      if (rows && items != rows)
        refuse(Status::malformed, "bad_primitive",
               "attributes of one primitive have different counts", where);
      rows = items;
    }
  }
  void check_mesh(View mesh, const std::string& path) {
    const View primitives = list_at(mesh, "primitives", path);
    if (primitives.size() == 0)
      refuse(Status::malformed, "bad_primitive", "a mesh without primitives: it has 1 at least",
             path + ".primitives");
    each(primitives, path + ".primitives", [&](View primitive, const std::string& where) {
      const auto named = object_at(primitive, "attributes", where);
      if (!named || named->size() == 0)
        refuse(Status::malformed, "bad_primitive", "a primitive without attributes",
               where + ".attributes");
      std::optional<std::uint64_t> rows;
      attributes(*named, rows, where + ".attributes");
      index(primitive, "indices", accessors_, where);
      index(primitive, "material", materials_, where);
      integer_at(primitive, "mode", 6, where);
      each(list_at(primitive, "targets", where), where + ".targets",
           [&](View target, const std::string& here) { attributes(target, rows, here); });
    });
  }

  Meter meter_;
  const View document_;
  const std::uint64_t accessors_, nodes_, meshes_, materials_, textures_;
  std::vector<std::int64_t> parents_;
  std::uint64_t node_ = 0;
};

}  // namespace

void check_required(View document, bool reading) {
  if (!document.is_object())
    refuse(Status::type, "bad_member",
           "a glTF document is an object, not " + std::string(kind_name(document.kind())), "$");
  const auto asset = object_at(document, "asset", "$");
  if (!asset)
    refuse(Status::malformed, "bad_member", "the member is missing: this is not a glTF document",
           "$.asset");
  // Files of glTF 1 have their version as a number, too.
  const auto number = asset->find("version");
  if (number && number->is_number())
    refuse(Status::unsupported, "version",
           "the glTF version is a number, as in glTF 1: this codec reads \"2.0\"",
           "$.asset.version");
  const std::string_view version = string_at(*asset, "version", "$.asset");
  const std::string_view least = string_at(*asset, "minVersion", "$.asset");
  if (!version.starts_with("2.") || (!least.empty() && least != "2.0"))
    refuse(Status::unsupported, "version",
           "glTF version '" + std::string((least.empty() ? version : least).substr(0, 20)) +
               "': this codec reads 2.0",
           "$.asset.version");
  const View required = list_at(document, "extensionsRequired", "$");
  std::string unknown;
  for (std::uint64_t i = 0; i < required.size(); ++i) {
    if (!required.child(i).is_string() || required.child(i).dtype() != 0)
      refuse(Status::type, "bad_member", "expected a string", at("$.extensionsRequired", i));
    const std::string_view name = required.child(i).as_string();
    if (!is_known(name) && !(reading && is_compression(name)) && unknown.size() < 200)
      unknown.append(unknown.empty() ? "'" : ", '").append(name.substr(0, 60)).append("'");
  }
  if (!unknown.empty())
    refuse(Status::unsupported, "extension",
           "the file requires the extension " + unknown + ", which this codec does not read",
           "$.extensionsRequired");
}

void check_references(const Call& call, View document) {
  Checker(call, document).run();
}

}  // namespace polycodec::gltf
