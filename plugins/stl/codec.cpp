// SPDX-License-Identifier: MIT
#include "codec.hpp"

#include <polycodec/byte_order.hpp>
#include <polycodec/mesh.hpp>
#include <polycodec/tolerant.hpp>

#include <algorithm>
#include <cmath>

namespace polycodec::stl {
namespace {

bool is_blank(char c) noexcept {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

/// True if the numbers, the names and the solids of the facets need an ascii file. Attributes,
/// which are their colors, need a binary one: they go before names.
bool needs_ascii(const Call& call, const Facets& facets) {
  bool has_attributes = false;
  for (std::uint64_t i = 0; i < facets.count && facets.attributes.data != nullptr; ++i)
    has_attributes = has_attributes || facets.attribute(i) != 0;
  if (!has_attributes &&
      (facets.solids.size() > 1 || (facets.solids.size() == 1 && !facets.solids[0].name.empty())))
    return true;
  if (facets.vertices.dtype == POLYCODEC_DTYPE_FLOAT32 &&
      (facets.normals.data == nullptr || facets.normals.dtype == POLYCODEC_DTYPE_FLOAT32))
    return false;
  Meter meter(call);
  const auto fits = [](double number) {
    return std::isnan(number) || static_cast<double>(static_cast<float>(number)) == number;
  };
  for (std::uint64_t i = 0; i < facets.count; ++i) {
    meter.tick(2);
    for (std::uint64_t v = 0; v < 3; ++v)
      for (const double number : facets.vertices.vector(i, v))
        if (!fits(number)) return true;
    if (facets.normals.data == nullptr) continue;
    for (const double number : facets.normals.vector(i))
      if (!fits(number)) return true;
  }
  return false;
}

/// True if the bytes begin with a normal of length 0 or 1 and a vertex of finite numbers.
bool begins_like_facet(std::string_view bytes) noexcept {
  if (bytes.size() < facet_size) return false;
  double square = 0;
  for (std::size_t i = 0; i < 12; ++i) {
    const auto number = static_cast<double>(load_le<float>(bytes.data() + 4 * i));
    if (!std::isfinite(number) || (number != 0 && std::abs(number) < 1e-30)) return false;
    if (i < 3) square += number * number;
  }
  return square == 0 || std::abs(square - 1) < 0.01;
}

}  // namespace

Settings Settings::from(const Options& options) {
  Settings settings;
  settings.strict = options.get("strict", settings.strict);
  settings.tolerant = tolerant_option(options);
  settings.merge = options.get("merge", settings.merge);
  settings.triangulate = options.get("triangulate", settings.triangulate);
  settings.form = options.choice<Form>("form", {{"file", Form::file}, {"mesh", Form::mesh}});
  settings.format = options.choice<Format>(
      "format", {{"keep", Format::keep}, {"binary", Format::binary}, {"ascii", Format::ascii}});
  return settings;
}

bool is_ascii(std::string_view head, std::uint64_t total) noexcept {
  if (head.size() >= header_size &&
      total == header_size + facet_size * load_le<std::uint32_t>(head.data() + comment_size))
    return false;  // binary files of some programs begin with "solid", too
  std::size_t at = 0;
  while (at < head.size() && is_blank(head[at])) ++at;
  const std::string_view word = head.substr(at, 5);
  return word.size() == 5 && std::equal(word.begin(), word.end(), "solid",
                                        [](char a, char b) { return (a | 0x20) == b; });
}

Sniff Stl::sniff(Call&, const Input& input) {
  const std::string_view head = input.bytes();
  if (is_ascii(head, input.total())) {
    if (head.find("facet") != std::string_view::npos ||
        head.find("endsolid") != std::string_view::npos)
      return {95, "a line 'solid' and facets after it"};
    // "FACET" of programs that write capitals, or a long name: likely, no more.
    if (head.find('\0') == std::string_view::npos) return {60, "the first word is 'solid'"};
  }
  if (head.size() < header_size) return {0, "neither 'solid' nor the count of a binary file"};
  const std::uint64_t count = load_le<std::uint32_t>(head.data() + comment_size);
  if (input.total() != header_size + facet_size * count) {
    const bool likely = count != 0 && begins_like_facet(head.substr(header_size));
    if (likely) return {10, "a normal of length 1 where the first facet has one"};
    const bool is_whole = (input.total() - header_size) % facet_size == 0;
    return {is_whole ? 10u : 0u, "the count of facets does not fit the size"};
  }
  // Four bytes of zeros in a file of 84 bytes are not proof.
  return {count == 0 ? 40u : 88u, "the count of facets fits the size"};
}

Node Stl::decode(Call& call, const Input& input, Builder& out) const {
  // Ascii is read once; the counts of a binary file are read once, too.
  const std::string_view bytes = input.bytes();
  const Facets facets = is_ascii(bytes, bytes.size()) ? read_ascii(call, bytes, settings_, out)
                                                      : read_binary(call, bytes, settings_);
  return settings_.form == Form::mesh ? to_mesh(call, facets, settings_.merge, out)
                                      : to_value(facets, out);
}

void Stl::encode(const Call& call, View value, Writer& out) const {
  Builder scratch(call);
  const bool mesh = settings_.form == Form::mesh || (is_mesh(value) && !value.find("facets"));
  const Facets facets =
      mesh ? from_mesh(call, value, settings_, scratch) : from_value(call, value, scratch);
  const bool ascii = settings_.format == Format::ascii ||
                     (settings_.format == Format::keep &&
                      (facets.ascii || (!facets.is_binary && needs_ascii(call, facets))));
  ascii ? write_ascii(call, facets, out) : write_binary(call, facets, out);
}

}  // namespace polycodec::stl
