// SPDX-License-Identifier: MIT
// The options of an instance, and the codec as a class, which tests and benchmarks call directly.
#pragma once

#include <base/line_ending.hpp>
#include <model/mesh/convert.hpp>
#include <polycodec/builder.hpp>
#include <polycodec/codec.hpp>
#include <polycodec/view.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace polycodec::obj {

/// The options of the codec, with the defaults of the manifest. The README says what each one does.
struct Settings {
  bool strict = false;
  bool tolerant = false;
  bool weight_last = false;  ///< seven numbers of a vertex are x y z r g b w, not x y z w r g b
  bool materials = false;
  bool float32 = false;
  std::optional<LineEnding> line_ending;  ///< absent: as the value came, otherwise LF
  bool comments = true;
  bool triangulate = false;
  std::string material_library;   ///< the file that has the materials of a mesh; empty: none has
  bool writes_materials = false;  ///< that file, in place of the one with the mesh
  mesh::Form form = mesh::Form::file;

  /// Throws Error(Status::option) for a value that the schema forbids.
  static Settings from(const Options& options);
};

/// Wavefront OBJ. The members are those that make_codec() asks for; all are [thread-safe].
class Obj {
 public:
  static constexpr const char* name = "obj";

  static constexpr std::uint32_t inputs = POLYCODEC_INPUT_BYTES | POLYCODEC_INPUT_COMPANIONS;

  Obj(Call&, const Options& options) : settings_(Settings::from(options)) {}

  Node decode(Call& call, const Input& input, Builder& out) const;
  void encode(const Call& call, NodeView value, Writer& out) const;
  static Sniff sniff(Call& call, const Input& input);

 private:
  Settings settings_;
};

/// What the settings ask for instead of `root`, the value of the file. Throws Error where that
/// loses what the host does not allow to be lost.
polycodec_node other_form(const Settings& settings, const Call& call, View root, Builder& out);

/// `root` (the value of an OBJ file) with a member `materials`: the materials of all its mtllib
/// statements in order, as the README says. Libraries come from the input's store, never from a
/// path; those that it lacks are logged.
polycodec_node with_materials(const Call& call, const Input& input, const polycodec_node& root,
                              Builder& out);

}  // namespace polycodec::obj
