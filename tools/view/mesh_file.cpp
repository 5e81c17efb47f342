// SPDX-License-Identifier: MIT
#include "mesh_file.hpp"

#include <polycodec/registry.hpp>
#include <polycodec/text.hpp>

#include <string>
#include <string_view>

namespace polycodec::cli {
namespace {

constexpr std::string_view mesh_type = "mesh";

/// The option that chooses the type of the value, if `mesh` is one of its words. Empty: none.
std::string type_option(const View& schema) {
  const auto properties = schema.is_object() ? schema.find("properties") : std::nullopt;
  for (std::uint64_t i = 0; properties && i < properties->size(); ++i) {
    const View option = properties->child(i);
    const auto role = option.find("role");
    const auto words = option.find("enum");
    if (!role || !role->is_string() || role->as_string() != "type" || !words) continue;
    for (const View word : *words)
      if (word.is_string() && word.as_string() == mesh_type)
        return std::string(properties->name(i));
  }
  return {};
}

}  // namespace

std::optional<MeshRead> read_as_mesh(Context& context, const Source& source, const Read& decoded) {
  if (decoded.codec == nullptr || decoded.by == ChosenBy::header || decoded.value.is_partial() ||
      !context.options.from_options.empty())
    return std::nullopt;
  const std::string option = type_option(View(decoded.codec->options_schema));
  if (option.empty()) return std::nullopt;
  Json words = Json::object();
  words[option] = mesh_type;
  if (context.options.tolerant) words["strict"] = false;
  const Value options = parse_json(words.text(json_compact));
  MeshRead mesh;
  ReadOptions how;
  static_cast<CallOptions&>(how) = context.call_options();
  how.losses = all_losses;
  how.on_loss = [&mesh](LossClass loss, std::string_view path, std::string_view what) {
    mesh.losses.push_back({std::string(path), std::string(what), loss});
  };
  how.codec = decoded.codec->name;
  how.options = options.view();
  how.filters = context.options.from_filters;
  mesh.value = context.registry().read(source, how).value;
  return mesh;
}

bool is_usually_y_up(const Read& decoded) {
  const std::string_view codec = decoded.codec_name();
  if (codec == "obj" || codec == "gltf") return true;
  const View root(decoded.value.view());
  return root.find("v") && root.find("statements");
}

}  // namespace polycodec::cli
