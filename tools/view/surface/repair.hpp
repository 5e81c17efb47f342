// SPDX-License-Identifier: MIT
// Repairs of a mesh: each is done only if it was asked for, and says what it changed.
#pragma once

#include <polycodec/builder.hpp>
#include <polycodec/mesh.hpp>

#include "surface.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::cli {

enum class NormalWeight : std::uint8_t { area, angle };

/// What is to be done, in the order in which it is done.
struct Repairs {
  std::optional<double> merge;  ///< positions that are not further apart (0: equal) become one
  bool drop_degenerate = false, drop_duplicate_faces = false, drop_unreferenced = false;
  bool orient = false;
  bool triangulate = false;
  std::optional<NormalWeight> normals;
  bool split_seams = false;

  bool empty() const noexcept {
    return !merge && !drop_degenerate && !drop_duplicate_faces && !drop_unreferenced && !orient &&
           !triangulate && !normals && !split_seams;
  }
};

/// What a repair did, or left as it is.
struct Change {
  static constexpr std::size_t most_examples = 4;

  std::string_view operation;  ///< the word of the option
  std::string_view text;       ///< what it is that is counted, for users
  std::uint64_t count = 0;
  std::vector<std::string> examples = {};

  template <class Example>
  void add(const Example& example) {
    if (count++ < most_examples) examples.push_back(example());
  }
};

/// Repairs a mesh whose indices are in range. `points`: positions that stand alone on purpose.
/// Columns that change are made in `out`. Charges `meter`. Throws Error(limit).
std::vector<Change> repair(Mesh& m, const Repairs& wanted, const std::vector<std::uint64_t>& points,
                           Builder& out, Meter& meter);

// Its steps.
std::vector<Change> merge_positions(Mesh& m, double distance, Builder& out, Meter& meter);
Change drop_degenerate_faces(Mesh& m, Builder& out, Meter& meter);
Change drop_duplicate_faces(Mesh& m, Builder& out, Meter& meter);
std::vector<Change> drop_unreferenced_rows(Mesh& m, const std::vector<std::uint64_t>& points,
                                           Builder& out, Meter& meter);
std::vector<Change> orient_faces(Mesh& m, Builder& out, Meter& meter);
std::vector<Change> make_normals(Mesh& m, NormalWeight weight, Builder& out, Meter& meter);
Change split_seams(Mesh& m, Builder& out, Meter& meter);

}  // namespace polycodec::cli
