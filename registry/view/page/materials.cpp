// SPDX-License-Identifier: MIT
#include "materials.hpp"

#include <base/base64.hpp>
#include <base/quote.hpp>
#include <polycodec/error.hpp>

#include "blob.hpp"
#include "opened_file.hpp"
#include "registry/view/assets.hpp"
#include "table.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <system_error>
#include <utility>

namespace polycodec::page {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_materials = 1000;
constexpr std::size_t most_notes = 20;

/// The media type of an image by its first bytes, or nothing.
std::string_view media_type(std::string_view bytes) {
  if (bytes.starts_with("\x89PNG\r\n\x1a\n")) return "image/png";
  if (bytes.starts_with("\xff\xd8\xff")) return "image/jpeg";
  if (bytes.starts_with("GIF8")) return "image/gif";
  if (bytes.starts_with("RIFF") && bytes.substr(0, 12).ends_with("WEBP")) return "image/webp";
  if (bytes.starts_with("BM")) return "image/bmp";
  return {};
}

/// Reads textures, each once.
class Textures {
 public:
  Textures(const std::string& file, std::uint64_t most, std::vector<std::string>& notes)
      : most_(most), notes_(notes) {
    if (file == "-") return;
    std::error_code error;
    directory_ = fs::canonical(fs::absolute(file, error).parent_path(), error);
    if (error) directory_.clear();
  }

  /// The address of a texture; empty for one that is left out.
  const std::string& address(std::string_view words) {
    // Options come before the name. Programs of other systems write backslashes.
    std::string name(words.substr(words.starts_with('-') ? words.rfind(' ') + 1 : 0));
    std::ranges::replace(name, '\\', '/');
    const auto [at, is_new] = known_.try_emplace(name);
    if (is_new) {
      std::string why;
      at->second = load(name, why);
      if (!why.empty() && notes_.size() < most_notes)
        notes_.push_back("the texture " + quote(name) + " is not shown: " + why);
    }
    return at->second;
  }

  /// The address of an image of a scene: its own bytes, those of a `data:` address, or a file.
  const std::string& address_of_image(const View& images, std::uint64_t number) {
    const View image = images.child(number);
    const auto uri = image.find("uri");
    if (uri && uri->is_string() && !uri->as_string().starts_with("data:"))
      return address(uri->as_string());
    const auto [at, is_new] = images_.try_emplace(number);
    if (is_new) {
      std::string why = "it has no bytes";
      if (const auto bytes = image.find("data"); bytes && bytes->is_binary())
        at->second = embed(bytes->as_bytes(), why);
      else if (uri && uri->is_string())
        at->second = embed(bytes_of(uri->as_string()), why);
      if (at->second.empty() && notes_.size() < most_notes)
        notes_.push_back("image " + std::to_string(number) + " is not shown: " + why);
    }
    return at->second;
  }

 private:
  /// The bytes of a `data:` address in base64; nothing if it is another one.
  static std::string bytes_of(std::string_view uri) {
    constexpr std::string_view mark = ";base64,";
    const std::size_t at = uri.find(mark);
    if (at == std::string_view::npos) return {};
    const std::string_view text = uri.substr(at + mark.size());
    std::string bytes(base64_decoded_bound(text.size()), '\0');
    const Base64Result result = base64_decode(bytes.data(), bytes.size(), text);
    bytes.resize(result.status == Base64Status::ok ? result.written : 0);
    return bytes;
  }

  std::string embed(std::string_view bytes, std::string& why) {
    if (bytes.size() * 4 / 3 > most_)
      return why = "it does not fit into the size of the page", std::string();
    const std::string_view type = media_type(bytes);
    if (type.empty()) return why = "it is not a PNG, JPEG, GIF, WebP or BMP image", std::string();
    std::string address = "data:" + std::string(type) + ";base64," + to_base64(bytes);
    most_ -= std::min<std::uint64_t>(most_, address.size());
    return address;
  }

  std::string load(const std::string& name, std::string& why) {
    const fs::path path(name);
    if (directory_.empty()) return why = "the data has no directory", std::string();
    if (name.empty() || path.is_absolute() || std::ranges::find(path, "..") != path.end())
      return why = "its name leads out of the directory of the file", std::string();
    std::error_code error;
    const fs::path whole = fs::canonical(directory_ / path, error);
    if (error) return why = "there is no such file in the directory", std::string();
    if (std::mismatch(directory_.begin(), directory_.end(), whole.begin(), whole.end()).first !=
        directory_.end())
      return why = "a link leads out of the directory of the file", std::string();
    const OpenedFile file(::open(whole.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    struct stat status {};
    if (!file || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode))
      return why = "it cannot be read", std::string();
    const auto size = static_cast<std::uint64_t>(status.st_size);
    if (size * 4 / 3 > most_)
      return why = "it does not fit into the size of the page", std::string();
    std::string bytes(static_cast<std::size_t>(size), '\0');
    std::size_t done = 0;
    while (done < bytes.size()) {
      const ::ssize_t got = ::read(file.get(), bytes.data() + done, bytes.size() - done);
      if (got <= 0) break;
      done += static_cast<std::size_t>(got);
    }
    bytes.resize(done);
    return embed(bytes, why);
  }

  fs::path directory_;
  std::uint64_t most_;
  std::vector<std::string>& notes_;
  std::map<std::string, std::string> known_;
  std::map<std::uint64_t, std::string> images_;
};

std::optional<std::string_view> text_member(const View& record, std::string_view name) {
  const auto found = record.find(name);
  if (!found || !found->is_string()) return std::nullopt;
  return found->as_string();
}

Json material(const View& record, Textures& textures) {
  Json object = Json::object();
  object["name"] = cut(std::string(text_member(record, "name").value_or("")), 120);
  if (const auto color = record.find("Kd"); color && color->is_list() && color->size() == 3) {
    Json parts = Json::list();
    for (const View part : *color) parts.push_back(part.is_number() ? part.as_double() : 1.0);
    object["color"] = std::move(parts);
  }
  if (const auto opacity = record.find("d"); opacity && opacity->is_number())
    object["opacity"] = opacity->as_double();
  if (const auto texture = text_member(record, "map_Kd"))
    if (const std::string& address = textures.address(*texture); !address.empty())
      object["texture"] = address;
  return object;
}

/// Item `index` of a list of records, by the integer `name` of another record.
std::optional<std::uint64_t> index_in(const View& list, const View& record, std::string_view name) {
  const auto index = record.find(name);
  if (!list.is_list() || !index || !index->is_integer()) return std::nullopt;
  const std::int64_t number = index->as_int64();
  if (number < 0 || static_cast<std::uint64_t>(number) >= list.size()) return std::nullopt;
  return static_cast<std::uint64_t>(number);
}

/// A material of a scene with nodes: its base color, which is linear, and the image of it.
Json scene_material(const View& root, const View& record, std::uint64_t number,
                    Textures& textures) {
  Json object = Json::object();
  const auto name = text_member(record, "name");
  object["name"] =
      cut(name && !name->empty() ? std::string(*name) : "material_" + std::to_string(number), 120);
  const auto look = record.find("pbrMetallicRoughness");
  if (!look || !look->is_object()) return object;
  if (const auto color = look->find("baseColorFactor");
      color && color->is_list() && color->size() == 4) {
    Json parts = Json::list();
    for (std::uint64_t i = 0; i < 3; ++i) parts.push_back(cli::displayed(color->child(i)));
    object["color"] = std::move(parts);
    if (text_member(record, "alphaMode") == "BLEND" && color->child(3).is_number())
      object["opacity"] = color->child(3).as_double();
  }
  const auto texture = look->find("baseColorTexture");
  const auto all = root.find("textures");
  const auto images = root.find("images");
  if (!texture || !texture->is_object() || !all || !images) return object;
  const auto used = index_in(*all, *texture, "index");
  const auto image = used ? index_in(*images, all->child(*used), "source") : std::nullopt;
  if (image && images->child(*image).is_object())
    if (const std::string& address = textures.address_of_image(*images, *image); !address.empty())
      object["texture"] = address;
  return object;
}

}  // namespace

Json materials_of(const View& root, const std::vector<std::string>& texture_files,
                  const std::string& file, std::uint64_t most, std::vector<std::string>& notes) {
  Json all = Json::list();
  Textures textures(file, most, notes);
  const auto found = root.is_object() ? root.find("materials") : std::nullopt;
  const bool is_scene = root.is_object() && root.find("asset") && root.find("accessors");
  if (found && found->is_list())
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(found->size(), most_materials); ++i)
      if (const View item = found->child(i); item.is_object())
        all.push_back(is_scene ? scene_material(root, item, i, textures)
                               : material(item, textures));
  for (const std::string& name : texture_files) {
    const std::string& address = textures.address(name);
    if (address.empty()) continue;
    Json object = Json::object();
    object["name"] = "";
    object["texture"] = address;
    all.push_back(std::move(object));
  }
  return all;
}

}  // namespace polycodec::page
