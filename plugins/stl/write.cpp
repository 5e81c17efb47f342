// SPDX-License-Identifier: MIT
#include <polycodec/byte_order.hpp>
#include <polycodec/error.hpp>

#include "codec.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <string>

namespace polycodec::stl {
namespace {

/// Facets for which the output is reserved at once.
constexpr std::uint64_t batch = 512;

/// True if a float32 is this number, or neither is one.
bool is_single(double number) noexcept {
  return std::isnan(number) || static_cast<double>(static_cast<float>(number)) == number;
}

/// Counts the numbers of a column that are not float32.
std::uint64_t count_wide(const Points& points, std::uint64_t vectors, Meter& meter) {
  if (points.data == nullptr || points.dtype == POLYCODEC_DTYPE_FLOAT32) return 0;
  std::uint64_t count = 0;
  for (std::uint64_t i = 0; i < points.rows; ++i) {
    meter.tick(vectors);
    for (std::uint64_t v = 0; v < vectors; ++v)
      for (const double number : points.vector(i, v)) count += is_single(number) ? 0 : 1;
  }
  return count;
}

void put_vector(std::uint8_t*& to, const Point& point) noexcept {
  for (const double number : point) {
    store_le(to, static_cast<float>(number));
    to += 4;
  }
}

Point normal_at(const Facets& facets, std::uint64_t i) noexcept {
  if (facets.normals.data != nullptr) return facets.normals.vector(i);
  return normal_of(facets.vertices.vector(i, 0), facets.vertices.vector(i, 1),
                   facets.vertices.vector(i, 2));
}

/// " x y z" and a newline, the shortest digits that are read as the same number.
char* print_vector(char* to, const Point& point, bool narrow) noexcept {
  for (const double number : point) {
    *to++ = ' ';
    char* const end = to + 32;
    if (std::isnan(number)) {
      std::memcpy(to, "nan", 3);  // the sign of what is not a number means nothing
      to += 3;
    } else {
      to = narrow ? std::to_chars(to, end, static_cast<float>(number)).ptr
                  : std::to_chars(to, end, number).ptr;
    }
  }
  *to++ = '\n';
  return to;
}

/// Throws for a name that would not be read as it was.
void check_name(std::string_view name, std::size_t solid) {
  const auto blank = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
  if (name.empty() || (name.find_first_of("\r\n") == std::string_view::npos &&
                       !blank(name.front()) && !blank(name.back())))
    return;
  throw Error(
      Status::unsupported,
      "a name with a newline, or with whitespace at an end: the name of a solid is one line")
      .detail("stl.bad_name")
      .path("$.solids[" + std::to_string(solid) + "].name");
}

}  // namespace

void write_binary(const Call& call, const Facets& facets, Writer& out) {
  Meter meter(call);
  if (const std::uint64_t wide =
          count_wide(facets.vertices, 3, meter) + count_wide(facets.normals, 1, meter);
      wide != 0)
    call.report_loss(LossClass::data, facets.paths[MeshPart::positions],
                     std::to_string(wide) +
                         " numbers that float32 rounds; the format 'ascii' "
                         "keeps them");
  if (facets.solids.size() > 1)
    call.report_loss(LossClass::data, facets.paths[MeshPart::objects],
                     std::to_string(facets.solids.size()) + " solids, which become one");
  else if (facets.solids.size() == 1 && !facets.solids[0].name.empty())
    call.report_loss(LossClass::data, facets.paths[MeshPart::objects], "the name of the solid");
  out.expect(header_size + facet_size * facets.count);
  out.put_text(facets.header);
  out.put_fill(0, comment_size - facets.header.size());
  out.put_le(static_cast<std::uint32_t>(facets.count));
  if (!facets.block.empty()) return out.reference(facets.block);
  for (std::uint64_t i = 0; i < facets.count;) {
    const std::uint64_t end = std::min(i + batch, facets.count);
    meter.tick((end - i) * 8);
    std::uint8_t* to = out.reserve((end - i) * facet_size);
    const std::uint64_t size = (end - i) * facet_size;
    for (; i < end; ++i) {
      put_vector(to, normal_at(facets, i));
      for (std::uint64_t v = 0; v < 3; ++v) put_vector(to, facets.vertices.vector(i, v));
      store_le(to, facets.attribute(i));
      to += 2;
    }
    out.commit(size);
  }
}

void write_ascii(const Call& call, const Facets& facets, Writer& out) {
  std::uint64_t attributes = 0;
  for (std::uint64_t i = 0; i < facets.count && facets.attributes.data != nullptr; ++i)
    attributes += facets.attribute(i) != 0 ? 1 : 0;
  if (attributes != 0)
    call.report_loss(LossClass::data, "$.facets.attribute",
                     std::to_string(attributes) + " attributes, which ascii files lack");
  if (std::any_of(facets.header.begin(), facets.header.end(), [](char c) { return c != 0; }))
    call.report_loss(LossClass::note, facets.paths[MeshPart::comments],
                     "the comment in the header, which ascii files lack");
  std::vector<Solid> solids = facets.solids;
  if (solids.empty()) solids.push_back({.name = {}, .facets = facets.count});
  for (std::size_t s = 0; s < solids.size(); ++s) check_name(solids[s].name, s);
  const bool narrow_normals =
      facets.normals.data == nullptr || facets.normals.dtype == POLYCODEC_DTYPE_FLOAT32;
  // Another format has the positions of a mesh as doubles, perhaps.
  const bool narrow =
      facets.vertices.dtype == POLYCODEC_DTYPE_FLOAT32 && facets.vertices.indices == nullptr;
  Meter meter(call);
  std::uint64_t i = 0;
  const auto line = [&](const char* word, std::string_view name) {
    out.put_text(word);
    if (!name.empty()) out.put_u8(' ');
    out.put_text(name);
    out.put_u8('\n');
  };
  for (const Solid& solid : solids) {
    line("solid", solid.name);
    for (const std::uint64_t end = i + solid.facets; i < end; ++i) {
      meter.tick(100);
      char text[600];
      char* to = text;
      const auto put = [&](std::string_view words) {
        std::memcpy(to, words.data(), words.size());
        to += words.size();
      };
      put("  facet normal");
      to = print_vector(to, normal_at(facets, i), narrow_normals);
      put("    outer loop\n");
      for (std::uint64_t v = 0; v < 3; ++v) {
        put("      vertex");
        to = print_vector(to, facets.vertices.vector(i, v), narrow);
      }
      put("    endloop\n  endfacet\n");
      out.put_bytes(text, static_cast<std::uint64_t>(to - text));
    }
    line("endsolid", solid.name);
  }
}

}  // namespace polycodec::stl
