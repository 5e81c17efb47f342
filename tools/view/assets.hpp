// SPDX-License-Identifier: MIT
// What a mesh names beside its geometry: materials, and files in its directory.
#pragma once

#include <polycodec/mesh.hpp>

#include "common/run.hpp"

#include <array>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::cli {

/// Reads a file, `-` being standard input. A codec that can read material libraries does so, unless
/// --from-options are given.
Read read_with_materials(const Run& run, const Input& input, const std::string& file);

/// True if the codec has an option to read them.
bool reads_materials(const Run& run, const std::string& codec);
/// That option, set.
inline constexpr const char* with_materials = R"({"materials":true})";

/// The textures of the materials of a value that was read with its libraries, by the names of
/// materials, or empty; the first of a name counts. Members of another shape than expected are left
/// out.
std::map<std::string, std::string> textures_of(const View& root);

/// A part of a linear color as screens have it, from 0 to 1.
double displayed(double linear);

/// The image that a comment `TextureFile NAME` gives all faces, or nothing.
std::string texture_of_comments(std::span<const std::string_view> comments);

/// The files in the directory of another file. Names are what data says, so nothing outside of the
/// directory, no hidden file and nothing behind a symbolic link is read.
class Companions {
 public:
  /// `file` "-" has no companions.
  Companions(const Run& run, const std::string& file);

  /// The content of the file that data calls `name`: with slashes of any kind, or, if there is no
  /// such file, its last part alone (programs write names of their own machine). Valid as long as
  /// this. Throws Error(not_found) or Error(denied) with the reason, Error(io), Error(limit).
  std::string_view read(std::string_view name) const;

 private:
  OpenedStore store_;
  std::string problem_ = "standard input has no directory with other files";
};

/// A file that a mesh names.
struct NamedFile {
  std::string name;
  std::string_view kind;  ///< "material library" or "texture"
  std::string problem;    ///< why it cannot be read; empty if it can
};

/// The files that a mesh and its materials name, each once, in order, and whether they are there.
std::vector<NamedFile> named_files(const Mesh& m,
                                   const std::map<std::string, std::string>& textures,
                                   const Companions& companions);

}  // namespace polycodec::cli
