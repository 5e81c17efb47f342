// SPDX-License-Identifier: MIT
#include "assets.hpp"

#include "mesh_file.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace polycodec::cli {
namespace {

constexpr std::string_view materials_option = "materials";

/// True if the codec that will read the input has the option.
bool will_read_materials(const Run& run, const Input& input, std::string codec) try {
  if (codec.empty()) {
    const Match match = run.registry().choose(input.source);
    if (match.by == ChosenBy::header) return false;
    codec = match.codec;
  }
  return reads_materials(run, codec);
} catch (const Error& error) {
  if (error.code() == Status::cancelled) throw;
  return false;  // reading says what is wrong
}

std::string text_of(const View& object, const char* name) {
  const auto found = object.find(name);
  std::string scratch;
  if (!found || found->kind() != POLYCODEC_KIND_STRING) return {};
  return std::string(found->as_string(scratch));
}

}  // namespace

bool reads_materials(const Run& run, const std::string& codec) {
  Value facts;
  return options_of_codec(run, codec, facts).find(materials_option).has_value();
}

Read read_with_materials(const Run& run, const Input& input, const std::string& file) {
  Format from = run.from();
  if (from.options.empty() && from.filters.empty() && file != "-" &&
      will_read_materials(run, input, from.codec))
    from.options = with_materials;
  return run.read(input, from);
}

double displayed(double linear) {
  const double c = std::clamp(linear, 0.0, 1.0);
  if (c == 1) return 1;
  return c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1 / 2.4) - 0.055;
}

std::map<std::string, std::string> textures_of(const View& root) {
  std::map<std::string, std::string> all;
  const auto list = root.find(materials_option);
  if (!list || !list->is_list()) return all;
  for (std::uint64_t i = 0; i < list->size(); ++i)
    if (const View item = list->child(i); item.is_object())
      all.emplace(text_of(item, "name"), text_of(item, "map_Kd"));
  return all;
}

std::string texture_of_comments(std::span<const std::string_view> comments) {
  constexpr std::string_view word = "TextureFile ";
  for (const std::string_view comment : comments)
    if (comment.starts_with(word)) return std::string(comment.substr(word.size()));
  return {};
}

Companions::Companions(const Run& run, const std::string& file) {
  if (file == "-") return;
  try {
    const SourceOptions options{
        .copy = run.options.no_mmap, .companions = true, .limits = run.limits()};
    store_ = OpenedStore(run.registry(), Source::file(file, options));
  } catch (const Error& error) {
    if (error.code() == Status::memory) throw;
    problem_ = error.message();  // the file may be readable where its directory is not
  }
}

std::string_view Companions::read(std::string_view name) const {
  if (!store_) throw Error(Status::not_found, problem_);
  std::string plain(name);
  std::replace(plain.begin(), plain.end(), '\\', '/');
  while (plain.starts_with("./")) plain.erase(0, 2);
  try {
    return store_.read(plain);
  } catch (const Error& error) {
    const std::size_t slash = plain.rfind('/');
    if ((error.code() != Status::not_found && error.code() != Status::denied) ||
        slash == std::string::npos)
      throw;
    plain.erase(0, slash + 1);
  }
  return store_.read(plain);
}

std::vector<NamedFile> named_files(const Mesh& m,
                                   const std::map<std::string, std::string>& textures,
                                   const Companions& companions) {
  std::vector<NamedFile> files;
  std::set<std::string> seen;
  const auto add = [&](const std::string& name, std::string_view kind) {
    if (name.empty() || !seen.insert(name).second) return;
    NamedFile& file = files.emplace_back(NamedFile{name, kind, {}});
    try {
      (void)companions.read(name);
    } catch (const Error& error) {
      if (error.code() == Status::cancelled || error.code() == Status::memory) throw;
      file.problem = error.message();
    }
  };
  for (const std::string_view library : m.material_libraries)
    add(std::string(library), "material library");
  for (const auto& [name, texture] : textures) add(texture, "texture");
  add(texture_of_comments(m.comments), "texture");
  return files;
}

}  // namespace polycodec::cli
