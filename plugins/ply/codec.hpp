// SPDX-License-Identifier: MIT
// The codec as a class: tests and benchmarks call it directly.
#pragma once

#include <polycodec/codec.hpp>

#include "settings.hpp"

#include <cstdint>
#include <string_view>

namespace polycodec::ply {

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
