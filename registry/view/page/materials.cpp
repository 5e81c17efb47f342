// SPDX-License-Identifier: MIT
#include "materials.hpp"

#include <base/quote.hpp>
#include <polycodec/error.hpp>

#include "blob.hpp"
#include "opened_file.hpp"
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

 private:
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
    const std::string_view type = media_type(bytes);
    if (type.empty()) return why = "it is not a PNG, JPEG, GIF, WebP or BMP image", std::string();
    std::string address = "data:" + std::string(type) + ";base64," + to_base64(bytes);
    most_ -= std::min<std::uint64_t>(most_, address.size());
    return address;
  }

  fs::path directory_;
  std::uint64_t most_;
  std::vector<std::string>& notes_;
  std::map<std::string, std::string> known_;
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

}  // namespace

Json materials_of(const View& root, const std::vector<std::string>& texture_files,
                  const std::string& file, std::uint64_t most, std::vector<std::string>& notes) {
  Json all = Json::list();
  Textures textures(file, most, notes);
  const auto found = root.is_object() ? root.find("materials") : std::nullopt;
  if (found && found->is_list())
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(found->size(), most_materials); ++i)
      if (const View item = found->child(i); item.is_object())
        all.push_back(material(item, textures));
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
