// SPDX-License-Identifier: MIT
// STL, binary and ascii.
#pragma once

#include <polycodec/codec.hpp>

#include "facets.hpp"

#include <cstdint>
#include <string_view>

namespace polycodec::stl {

enum class Form : std::uint8_t { file, mesh };
enum class Format : std::uint8_t { keep, binary, ascii };

/// The options of the codec.
struct Settings {
  bool strict = false;
  bool tolerant = false;
  Form form = Form::file;
  Format format = Format::keep;
  bool merge = true;
  bool triangulate = false;

  static Settings from(const Options& options);
};

/// Returns true for bytes that are an ascii file: they begin with "solid", and the count of a
/// binary file, where one would be, does not fit their number. `total` is how many they are, or
/// UINT64_MAX.
bool is_ascii(std::string_view head, std::uint64_t total) noexcept;

/// The facets of a binary file, as views of `bytes`. Throws Error with a byte offset.
Facets read_binary(const Call& call, std::string_view bytes, const Settings& settings);

/// The facets of an ascii file. Throws Error with a byte offset.
Facets read_ascii(const Call& call, std::string_view bytes, const Settings& settings, Builder& out);

/// The facets as a value of the type `mesh`. Reports what a mesh has no place for.
Node to_mesh(const Call& call, const Facets& facets, bool merge, Builder& out);

/// The facets that a mesh is. Reports what STL has no place for.
Facets from_mesh(const Call& call, View value, const Settings& settings, Builder& out);

/// Writes facets. Reports what the format has no place for.
void write_binary(const Call& call, const Facets& facets, Writer& out);
void write_ascii(const Call& call, const Facets& facets, Writer& out);

/// The codec. Thread-safe.
class Stl {
 public:
  static constexpr const char* name = "stl";

  Stl(Call&, const Options& options) : settings_(Settings::from(options)) {}
  static Sniff sniff(Call& call, const Input& input);
  Node decode(Call& call, const Input& input, Builder& out) const;
  void encode(const Call& call, View value, Writer& out) const;

 private:
  const Settings settings_;
};

}  // namespace polycodec::stl
