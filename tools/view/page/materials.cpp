// SPDX-License-Identifier: MIT
#include "materials.hpp"

#include <polycodec/quote.hpp>

#include "blob.hpp"
#include "table.hpp"
#include "view/image_file.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <span>
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

  /// The image of a material, which has its bytes or names a file; nothing for one without.
  Number of(const cli::Material& material) {
    const std::string& name = material.texture_file;
    if (material.image.empty() && name.empty()) return std::nullopt;
    const std::string what = "the texture " + quote(name);
    if (!material.image.empty())
      return image(what, [&] { return std::string_view(material.image); });
    const auto [at, is_new] = by_name_.try_emplace(name);
    if (is_new) at->second = image(what, [&] { return companions_.read(name); });
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
  std::map<std::string, Number> by_name_;
  std::map<std::string_view, Number, cli::ByContent> by_content_;
  std::size_t left_out_ = 0;
};

}  // namespace

Materials materials_of(const std::vector<cli::Material>& given, const cli::Companions& companions,
                       std::uint64_t most, std::vector<std::string>& notes) {
  Json all = Json::array();
  Textures textures(companions, most, notes);
  for (const cli::Material& material :
       std::span(given).first(std::min(given.size(), most_materials))) {
    Json object = Json::object();
    object["name"] = cut(material.name, 120);
    const bool is_textured = !material.texture_file.empty() || !material.image.empty();
    constexpr std::array white{1.0, 1.0, 1.0};
    if (material.linear_color && !(is_textured && *material.linear_color == white)) {
      Json parts = Json::array();
      for (const double part : *material.linear_color) parts.push_back(cli::displayed(part));
      object["color"] = std::move(parts);
    }
    if (material.opacity != 1) object["opacity"] = material.opacity;
    if (const Number image = textures.of(material)) object["texture"] = *image;
    all.push_back(std::move(object));
  }
  return {std::move(all), textures.finish()};
}

}  // namespace polycodec::page
