// SPDX-License-Identifier: MIT
#include "mesh_file.hpp"

#include <string>
#include <string_view>

namespace polycodec::cli {
namespace {

constexpr std::string_view mesh_word = "mesh";

/// The option that chooses the type of the value, if `mesh` is one of its words. Empty: none.
std::string type_option(const View& properties) {
  for (std::uint64_t i = 0; i < properties.size(); ++i) {
    const View option = properties.child(i);
    const auto role = option.find("role");
    const auto words = option.find("enum");
    if (!role || !role->is_string() || role->as_string() != "type" || !words) continue;
    for (const View word : *words)
      if (word.is_string() && word.as_string() == mesh_word) return std::string(properties.name(i));
  }
  return {};
}

}  // namespace

View options_of_codec(const Run& run, const std::string& codec, Value& facts) try {
  facts = run.registry().describe(About::codec, codec);
  const auto options = facts.view().find("options");
  return (options ? options->find("properties") : options).value_or(View());
} catch (const Error& error) {
  if (error.code() != Status::not_found) throw;
  return {};  // such as `raw`
}

std::optional<MeshRead> read_as_mesh(const Run& run, const Input& input, const Read& decoded) {
  if (decoded.match.by == ChosenBy::header || decoded.value.is_partial() ||
      !run.options.from_options.empty())
    return std::nullopt;
  Value facts;
  const std::string option = type_option(options_of_codec(run, decoded.codec_name(), facts));
  if (option.empty()) return std::nullopt;
  MeshRead mesh;
  CallOptions call = run.call(mesh.losses, decoded.budget);
  call.losses = all_losses;
  Json options = Json::object();
  options[option] = mesh_word;
  const Format format{decoded.codec_name(), text_of(options), run.options.from_filters};
  about_input(input.name, [&] { mesh.value = run.registry().decode(input.source, call, format); });
  return mesh;
}

bool is_usually_y_up(const Read& decoded) {
  const std::string& codec = decoded.codec_name();
  if (codec == "obj" || codec == "gltf") return true;
  const View root = decoded.value.view();
  return root.find("v") && root.find("statements");
}

}  // namespace polycodec::cli
