// SPDX-License-Identifier: MIT
#include "materials.hpp"

#include <polycodec/quote.hpp>

#include "blob.hpp"
#include "data_uri.hpp"
#include "table.hpp"
#include "view/image_file.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <utility>

namespace polycodec::page {
namespace {

constexpr std::size_t most_materials = 1000;
constexpr std::size_t most_notes = 20;

/// Where an image is in the list of the page; nothing for one that is left out.
using Number = std::optional<std::size_t>;

/// Reads textures, each once.
class Textures {
 public:
  Textures(const cli::Companions& companions, std::uint64_t most, std::vector<std::string>& notes)
      : companions_(companions), most_(most), notes_(notes) {}

  /// The image in the file that a material names.
  Number named(const std::string& name) {
    const auto [at, is_new] = by_name_.try_emplace(name);
    if (is_new)
      at->second = image("the texture " + quote(name), [&] { return companions_.read(name); });
    return at->second;
  }

  /// An image of a scene: its own bytes, those of a `data:` address, or a file.
  Number of_scene(const View& images, std::uint64_t number) {
    const View description = images.child(number);
    const auto uri = description.find("uri");
    const bool has_address = uri && uri->is_string();
    if (has_address && !is_data_uri(uri->as_string())) return named(std::string(uri->as_string()));
    const auto [at, is_new] = by_number_.try_emplace(number);
    if (is_new)
      at->second = image("image " + std::to_string(number), [&]() -> std::string_view {
        if (const auto bytes = description.find("data"); bytes && bytes->is_binary())
          return bytes->as_bytes();
        if (!has_address) throw Error(Status::not_found, "it has no bytes");
        return decoded_.emplace_back(bytes_of(uri->as_string()));
      });
    return at->second;
  }

  /// The list of the page. Adds the note of what was too much.
  Json finish() {
    if (left_out_ != 0)
      notes_.push_back(std::to_string(left_out_) +
                       " images are not shown: a page has no images of more than " +
                       std::to_string(cli::most_image_pixels) + " pixels in all");
    return std::move(images_);
  }

 private:
  /// The bytes of a `data:` address in base64; nothing if it is another one.
  static std::string bytes_of(std::string_view uri) {
    return from_base64(base64_of_data_uri(uri).value_or(std::string_view()));
  }

  template <class Load>
  Number image(const std::string& what, const Load& load) try {
    const std::string_view bytes = load();
    const auto [at, is_new] = by_content_.try_emplace(bytes);
    if (!is_new) return at->second;
    const auto head = cli::image_head(bytes);
    if (!head) throw Error(Status::unsupported, "it is not a PNG, JPEG, GIF, WebP or BMP image");
    if (bytes.size() * 4 / 3 > most_)
      throw Error(Status::limit, "it does not fit into the size of the page");
    if (!allowance_.take(*head, bytes.size())) {
      ++left_out_;
      return std::nullopt;
    }
    std::string address = "data:" + std::string(head->media_type) + ";base64," + to_base64(bytes);
    most_ -= std::min<std::uint64_t>(most_, address.size());
    images_.push_back(std::move(address));
    return at->second = images_.size() - 1;
  } catch (const Error& error) {
    if (error.code() == Status::cancelled || error.code() == Status::memory) throw;
    if (notes_.size() < most_notes) notes_.push_back(what + " is not shown: " + error.message());
    return std::nullopt;
  }

  const cli::Companions& companions_;
  std::uint64_t most_;
  cli::PixelAllowance allowance_;
  std::vector<std::string>& notes_;
  Json images_ = Json::array();
  std::deque<std::string> decoded_;  // images of `data:` addresses
  std::map<std::string, Number> by_name_;
  std::map<std::uint64_t, Number> by_number_;
  std::map<std::string_view, Number, cli::ByContent> by_content_;
  std::size_t left_out_ = 0;
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
    Json parts = Json::array();
    for (const View part : *color) parts.push_back(cli::displayed(part));
    object["color"] = std::move(parts);
  }
  if (const auto opacity = record.find("d"); opacity && opacity->is_number())
    object["opacity"] = opacity->as_double();
  if (const auto texture = text_member(record, "map_Kd"))
    if (const Number image = textures.named(std::string(*texture))) object["texture"] = *image;
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
    Json parts = Json::array();
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
    if (const Number shown = textures.of_scene(*images, *image)) object["texture"] = *shown;
  return object;
}

}  // namespace

Materials materials_of(const View& root, const std::vector<std::string>& texture_files,
                       const cli::Companions& companions, std::uint64_t most,
                       std::vector<std::string>& notes) {
  Json all = Json::array();
  Textures textures(companions, most, notes);
  const auto found = root.is_object() ? root.find("materials") : std::nullopt;
  const bool is_scene = root.is_object() && root.find("asset") && root.find("accessors");
  if (found && found->is_list())
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(found->size(), most_materials); ++i)
      if (const View item = found->child(i); item.is_object())
        all.push_back(is_scene ? scene_material(root, item, i, textures)
                               : material(item, textures));
  for (const std::string& name : texture_files) {
    const Number image = textures.named(name);
    if (!image) continue;
    Json object = Json::object();
    object["name"] = "";
    object["texture"] = *image;
    all.push_back(std::move(object));
  }
  return {std::move(all), textures.finish()};
}

}  // namespace polycodec::page
