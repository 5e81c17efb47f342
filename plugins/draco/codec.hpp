// SPDX-License-Identifier: MIT
#pragma once

#include <polycodec/codec.hpp>

namespace polycodec::draco {

/// Meshes and point clouds that Draco compressed. Thread-safe.
class Draco {
 public:
  static constexpr const char* name = "draco";

  Draco(Call&, const Options&) {}
  Node decode(Call& call, const Input& input, Builder& out) const;
};

}  // namespace polycodec::draco
