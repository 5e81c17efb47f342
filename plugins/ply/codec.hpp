// SPDX-License-Identifier: MIT
// The options of an instance, and the codec as a class, which tests and benchmarks call directly.
#pragma once

#include <model/mesh/convert.hpp>
#include <polycodec/codec.hpp>

#include "header.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace polycodec::ply {

/// The options of the codec, with the defaults of the manifest. The README says what each one does.
struct Settings {
  bool strict = false;
  bool tolerant = false;
  bool float32 = false;
  std::optional<Format> format;           ///< absent: as the value came, otherwise native binary
  std::optional<LineEnding> line_ending;  ///< absent: as the value came, otherwise LF
  Spelling types = Spelling::keep;
  bool comments = true;
  bool triangulate = false;
  mesh::Form form = mesh::Form::file;

  /// Throws Error(Status::option) for a value that the schema forbids.
  static Settings from(const Options& options);
};

/// PLY 1.0. The members are those that make_codec() asks for; all are [thread-safe].
class Ply {
 public:
  static constexpr const char* name = "ply";

  Ply(Call&, const Options& options) : settings_(Settings::from(options)) {}

  Node decode(Call& call, const Input& input, Builder& out) const;
  void encode(const Call& call, NodeView value, Writer& out) const;
  static Sniff sniff(Call& call, const Input& input);

 private:
  Settings settings_;
};

}  // namespace polycodec::ply
