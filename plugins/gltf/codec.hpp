// SPDX-License-Identifier: MIT
// glTF 2.0, as JSON and as GLB.
#pragma once

#include <polycodec/codec.hpp>

#include "document.hpp"

#include <cstdint>

namespace polycodec::gltf {

enum class Form : std::uint8_t { file, mesh };
enum class Format : std::uint8_t { keep, glb, gltf };

/// The options of the codec.
struct Settings {
  bool strict = false;
  bool tolerant = false;
  Form form = Form::file;
  Format format = Format::keep;
  bool triangulate = false;

  static Settings from(const Options& options);
};

/// The parts of the bytes. Throws Error with a byte offset. `strict` rejects bytes after the end,
/// `tolerant` mends the frame and reports it.
File split(const Call& call, std::string_view bytes, const Settings& settings);

/// The document of a file as its value: `values` in accessors, `data` in images, and neither
/// buffers nor buffer views. Reports extensions that refer to these.
Node to_value(const Call& call, const Input& input, const File& file, Builder& out);

/// The mesh of a document that to_value() made: the primitives of all nodes of the scene, where the
/// nodes put them. Reports what a mesh has no place for.
Node to_mesh(const Call& call, View document, Builder& out);

/// The document of a mesh: a node for each object, a primitive for each material of it. Reports
/// what glTF has no place for.
Node from_mesh(const Call& call, View value, bool triangulate, Builder& out);

/// Writes a document of the form of to_value().
void write(const Call& call, View document, bool binary, Builder& scratch, Writer& out);

/// The codec. Thread-safe.
class Gltf {
 public:
  static constexpr const char* name = "gltf";
  static constexpr std::uint32_t inputs = POLYCODEC_INPUT_BYTES | POLYCODEC_INPUT_COMPANIONS;

  Gltf(Call&, const Options& options) : settings_(Settings::from(options)) {}
  static Sniff sniff(Call& call, const Input& input);
  Node decode(Call& call, const Input& input, Builder& out) const;
  void encode(const Call& call, View value, Writer& out) const;

 private:
  const Settings settings_;
};

}  // namespace polycodec::gltf
