// SPDX-License-Identifier: MIT
// What materials look like, as the attribute `looks` of a mesh and as words of material libraries.
#pragma once

#include <model/loss.hpp>
#include <polycodec/builder.hpp>
#include <polycodec/detail/mesh_material.hpp>
#include <polycodec/view.hpp>

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::mesh {

/// True if a material is more than a color with its opacity and a base texture.
bool says_more(const MeshMaterial& material) noexcept;

/// The attribute `looks`: a record for each material that is known, null for the others.
polycodec_node looks_value(std::span<const MeshMaterial> looks, Builder& out);

/// Reads the attribute of a mesh with `materials` names. Throws Error(type, `mesh.bad_member`).
std::vector<MeshMaterial> looks_of(const View& list, std::size_t materials, Builder& out);

/// What materials say that has no place, each thing with the number of materials that say it.
class LostWords {
 public:
  void add(std::string word) { ++all_[std::move(word)]; }
  /// One loss of class data at `path`, if there is any.
  void report(const std::string& path, Losses& losses) const;

 private:
  std::map<std::string, std::uint64_t> all_;
};

/// The material in a record of words of a material library (`Kd`, `Pr`, `map_Kd`, ..). Without
/// `Pm` and `Pr` it is not metallic, and as rough as its `Ns` says.
MeshMaterial material_of_words(const View& record, Builder& out, LostWords& lost);

/// The words of a known material, from which material_of_words() gives it back.
std::vector<Member> words_of_material(const MeshMaterial& material, std::string_view name,
                                      std::string_view library, Builder& out, LostWords& lost);

}  // namespace polycodec::mesh
