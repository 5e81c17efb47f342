// SPDX-License-Identifier: MIT
#include "codec.hpp"

#include <polycodec/byte_order.hpp>
#include <polycodec/mesh.hpp>
#include <polycodec/tolerant.hpp>

namespace polycodec::gltf {

Settings Settings::from(const Options& options) {
  Settings settings;
  settings.strict = options.get("strict", settings.strict);
  settings.tolerant = tolerant_option(options);
  settings.triangulate = options.get("triangulate", settings.triangulate);
  settings.form = options.choice<Form>("form", {{"file", Form::file}, {"mesh", Form::mesh}});
  settings.format = options.choice<Format>(
      "format", {{"keep", Format::keep}, {"glb", Format::glb}, {"gltf", Format::gltf}});
  return settings;
}

Sniff Gltf::sniff(Call&, const Input& input) {
  const std::string_view head = input.bytes();
  if (head.starts_with("glTF")) return {100, "the magic number of GLB"};
  const auto first = head.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  if (first == std::string_view::npos || head[first] != '{')
    return {0, "neither GLB nor an object of JSON"};
  const bool asset = head.find("\"asset\"") != std::string_view::npos;
  if (asset && head.find("\"version\"") != std::string_view::npos)
    return {80, "JSON with 'asset' and 'version'"};
  for (const char* member :
       {"\"bufferViews\"", "\"accessors\"", "\"meshes\"", "\"extensionsUsed\""})
    if (head.find(member) != std::string_view::npos) return {55, "JSON with members of glTF"};
  return {2, "JSON without members of glTF at its beginning"};
}

Node Gltf::decode(Call& call, const Input& input, Builder& out) const {
  File file = split(call, input.bytes(), settings_);
  if (settings_.tolerant) {
    MendNotes notes;
    file.json = mended_json(file.json, notes, out, file.json_offset);
    notes.report(call);
  }
  const Node document = to_value(call, input, file, out);
  if (settings_.form == Form::mesh) return to_mesh(call, View(out.root(document)), out);
  const Node format =
      out.object({{"gltf.format", Builder::string_view(file.binary ? "glb" : "gltf")}});
  return out.annotated(document, format);
}

void Gltf::encode(const Call& call, View value, Writer& out) const {
  Builder scratch(call);
  bool binary = settings_.format != Format::gltf;
  if (const polycodec_node* metadata = value.metadata();
      metadata != nullptr && settings_.format == Format::keep) {
    std::string text;
    const auto format = View(metadata).find("gltf.format");
    if (format && format->is_string()) binary = format->as_string(text) != "gltf";
  }
  if (settings_.form == Form::mesh || (is_mesh(value) && !value.find("asset")))
    return write(call, View(scratch.root(from_mesh(call, value, settings_.triangulate, scratch))),
                 binary, scratch, out);
  if (!value.is_object() || !value.find("asset"))
    refuse(Status::type, "bad_member",
           "a glTF file is made of a document with 'asset', or of a mesh", "$");
  if (const polycodec_node* metadata = value.metadata())
    for (std::uint64_t i = 0; i < View(metadata).size(); ++i)
      if (!View(metadata).name(i).starts_with("gltf."))
        call.report_loss(LossClass::data, "$",
                         "the attribute '" + std::string(View(metadata).name(i)) + "'");
  try {
    write(call, value, binary, scratch, out);
  } catch (const Error& error) {
    // The rules are those of files. A value breaks one here, not bytes.
    if (error.code() != Status::malformed) throw;
    throw Error(Status::type, error.message()).detail(error.detail()).path(error.path());
  }
}

}  // namespace polycodec::gltf
