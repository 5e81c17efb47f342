// SPDX-License-Identifier: MIT
// The edges between the faces of a surface, and the shells that the faces form.
#pragma once

#include "surface.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace polycodec::cli {

/// One side of a face on an edge between two places.
struct EdgeUse {
  std::uint32_t high = 0;          ///< the other end, with the larger number
  std::uint32_t face : 31 = 0;     ///< the face
  std::uint32_t backward : 1 = 0;  ///< the face runs from the end with the larger number
};

/// All sides of all faces that are not degenerate, by their edges. n log n time at worst.
class Edges {
 public:
  Edges(const Surface& surface, const std::vector<bool>& skipped, Meter& meter);

  /// Calls visit(low end, high end, uses of the edge) for each edge between two places.
  template <class Visit>
  void each(const Visit& visit) const {
    for (std::size_t low = 0; low + 1 < starts_.size(); ++low) {
      for (std::uint64_t at = starts_[low]; at < starts_[low + 1];) {
        std::uint64_t end = at + 1;
        while (end < starts_[low + 1] && uses_[end].high == uses_[at].high) ++end;
        visit(static_cast<std::uint32_t>(low), uses_[at].high,
              std::span(uses_).subspan(static_cast<std::size_t>(at),
                                       static_cast<std::size_t>(end - at)));
        at = end;
      }
    }
  }

 private:
  std::vector<std::uint64_t> starts_;  // of the uses of each low end
  std::vector<EdgeUse> uses_;
};

/// A group of faces that hang together by edges of two faces each.
struct Shell {
  std::uint64_t faces = 0;
  std::uint32_t first_face = 0;
  bool closed = true;         ///< every edge has two faces
  bool oriented = true;       ///< faces that share an edge agree which side is outside
  bool one_sided = false;     ///< no winding makes them agree: a Moebius strip, say
  double volume = 0;          ///< negative: inside out; 0 unless closed and oriented
  Point least{}, greatest{};  ///< the box around it
  /// It lies inside the box of a closed shell that is not inside out, so it may be a cavity.
  bool inside = false;

  bool is_inside_out() const noexcept { return closed && oriented && volume < 0; }
};

/// The shells of a surface. `turned`: which faces are to be turned so that all faces of a shell
/// agree with most of them; the shells are those after turning if `turn`.
struct Shells {
  std::vector<Shell> all;
  std::vector<std::uint32_t> of_face;  ///< number of the shell; UINT32_MAX for faces left out
  std::vector<bool> turned;
};
Shells shells_of(const Surface& surface, const Edges& edges, const std::vector<bool>& skipped,
                 bool turn, Meter& meter);

}  // namespace polycodec::cli
