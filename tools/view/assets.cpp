// SPDX-License-Identifier: MIT
#include "assets.hpp"

#include <polycodec/error.hpp>
#include <polycodec/registry.hpp>

#include "core/store/directory_store.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
#include <utility>

namespace polycodec::cli {
namespace {

constexpr std::string_view materials_option = "materials";

/// True if the codec that will read the source has the option.
bool reads_materials(Context& context, const Source& source) try {
  DecodeOptions wish;
  static_cast<CallOptions&>(wish) = context.call_options();
  wish.codec = context.options.from;
  const Match match = context.registry().choose(source, wish);
  if (match.codec == nullptr || !match.options.empty()) return false;
  const auto properties = View(match.codec->options_schema).find("properties");
  return properties && properties->find(materials_option).has_value();
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

double number_or(const View& item, double otherwise) {
  return item.is_integer() || item.kind() == POLYCODEC_KIND_FLOAT ? item.as_double() : otherwise;
}

}  // namespace

Read read_with_materials(Context& context, const Source& source, const std::string& file) {
  const bool adds = context.options.from_options.empty() && context.options.from_filters.empty() &&
                    file != "-" && reads_materials(context, source);
  if (!adds) return context.read(source);
  context.options.from_options = "{\"" + std::string(materials_option) + "\": true}";
  Read read = context.read(source);
  context.options.from_options.clear();
  return read;
}

std::string texture_name(const std::string& text) {
  if (!text.starts_with('-')) return text;
  const std::size_t last = text.find_last_of(" \t");
  return last == std::string::npos ? std::string() : text.substr(last + 1);
}

double displayed(const View& linear) {
  if (!linear.is_number()) return 1;
  const double c = std::clamp(linear.as_double(), 0.0, 1.0);
  if (c == 1) return 1;
  return c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1 / 2.4) - 0.055;
}

std::map<std::string, MaterialWords> materials_of(const View& root) {
  std::map<std::string, MaterialWords> all;
  const auto list = root.find(materials_option);
  if (!list || !list->is_list()) return all;
  for (std::uint64_t i = 0; i < list->size(); ++i) {
    const View item = list->child(i);
    if (!item.is_object()) continue;
    MaterialWords words;
    if (const auto color = item.find("Kd"); color && color->is_list() && color->size() == 3)
      for (std::size_t k = 0; k < 3; ++k)
        words.diffuse[k] = std::clamp(number_or(color->child(k), 0.8), 0.0, 1.0);
    if (const auto opacity = item.find("d"))
      words.opacity = number_or(*opacity, 1);
    else if (const auto transparency = item.find("Tr"))
      words.opacity = 1 - number_or(*transparency, 0);
    words.texture = texture_name(text_of(item, "map_Kd"));
    std::string name = text_of(item, "name");
    if (const auto look = item.find("pbrMetallicRoughness"); look && look->is_object()) {
      const auto factor = look->find("baseColorFactor");
      if (factor && factor->is_list() && factor->size() == 4) {
        for (std::size_t k = 0; k < 3; ++k) words.diffuse[k] = displayed(factor->child(k));
        if (text_of(item, "alphaMode") == "BLEND") words.opacity = number_or(factor->child(3), 1);
      }
      if (name.empty()) name = "material_" + std::to_string(i);
    }
    all.emplace(std::move(name), std::move(words));
  }
  return all;
}

std::string texture_of_comments(const std::vector<std::string>& comments) {
  constexpr std::string_view word = "TextureFile ";
  for (const std::string& comment : comments)
    if (comment.starts_with(word)) return comment.substr(word.size());
  return {};
}

Companions::Companions(const std::string& file, const Limits& limits) {
  if (file == "-") return;
  const auto parent = std::filesystem::path(file).parent_path();
  try {
    store_ = DirectoryStore::companions(parent.empty() ? "." : parent, limits);
  } catch (const Error& error) {
    if (error.code() == Status::memory) throw;
    problem_ = error.message();  // the file may be readable where its directory is not
  }
}

std::string_view Companions::read(std::string_view name) const {
  if (store_ == nullptr) throw Error(Status::not_found, problem_);
  std::string plain(name);
  std::replace(plain.begin(), plain.end(), '\\', '/');
  while (plain.starts_with("./")) plain.erase(0, 2);
  try {
    return store_->read(plain);
  } catch (const Error& error) {
    const std::size_t slash = plain.rfind('/');
    if ((error.code() != Status::not_found && error.code() != Status::denied) ||
        slash == std::string::npos)
      throw;
    plain.erase(0, slash + 1);
  }
  return store_->read(plain);
}

std::vector<NamedFile> named_files(const mesh::Mesh& m,
                                   const std::map<std::string, MaterialWords>& materials,
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
  for (const std::string& library : m.material_libraries) add(library, "material library");
  for (const auto& [name, words] : materials) add(words.texture, "texture");
  add(texture_of_comments(m.comments), "texture");
  return files;
}

}  // namespace polycodec::cli
