// SPDX-License-Identifier: MIT
#pragma once

#include <polycodec/codec.hpp>

#include <cstdint>

namespace polycodec::meshopt {

enum class Mode : std::uint8_t { attributes, triangles, indices };
enum class Filter : std::uint8_t { none, octahedral, quaternion, exponential };

/// Vertices and indices that meshoptimizer compressed, as EXT_meshopt_compression of glTF says.
/// Thread-safe.
class Meshopt {
 public:
  static constexpr const char* name = "meshopt";

  Meshopt(Call& call, const Options& options);
  Node decode(Call& call, const Input& input, Builder& out) const;

 private:
  /// Throws Error(Status::option) if mode, filter, stride and count do not go together.
  void check() const;

  const std::uint64_t count_, stride_;
  const Mode mode_;
  const Filter filter_;
};

}  // namespace polycodec::meshopt
