// SPDX-License-Identifier: MIT
// Runs of items of a document, which threads read at the same time.
#pragma once

#include <polycodec/builder.hpp>

#include "codec.hpp"
#include "skip.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace polycodec::msgpack_ndarray {

/// Throws the error that ends the reading by several threads: one thread reads the document then.
[[noreturn]] void fail_shared();

/// Shorter documents are read by one thread.
inline constexpr std::ptrdiff_t least_shared = std::ptrdiff_t{1} << 20;

/// Items of one container that follow each other.
struct ItemRun {
  polycodec_node* nodes = nullptr;  ///< of the first item
  polycodec_node* end = nullptr;    ///< after the last one
  const std::uint8_t* begin = nullptr;
  const std::uint8_t* bytes_end = nullptr;
  bool is_map = false;    ///< the nodes are keys and values
  std::size_t depth = 0;  ///< of the container, that of the document being 1
};

/// Cuts a document into runs. The containers that hold them are made here: the document itself, and
/// those in it that are longer than a run. Everything that is not as usual ends with fail_shared().
/// For one thread at a time.
class Cutter {
 public:
  /// A run has so many bytes at least, but for the last one of a container.
  static constexpr std::ptrdiff_t least_bytes = std::ptrdiff_t{1} << 18;

  /// `root`: where the node of the document goes.
  Cutter(const Settings& settings, const polycodec_limits& limits, std::string_view bytes,
         std::uint64_t max_depth, polycodec_node* root) noexcept;

  /// The next run; false after the last one. Containers are made in `out`.
  bool cut(Builder& out, ItemRun& run);

  /// After the last run: where the document ends.
  const std::uint8_t* position() const noexcept { return at_; }
  /// Of the containers that were made.
  std::uint64_t nodes() const noexcept { return nodes_; }

 private:
  /// Deeper containers are parts of runs, however long they are: an item that is longer than a run
  /// is passed once for each level.
  static constexpr std::size_t most_levels = 8;

  struct Level {
    polycodec_node* cursor;
    polycodec_node* end;
    bool is_map;
  };

  std::string_view key();
  bool pass();
  void open(Builder& out, polycodec_node* node);

  const bool strict_;
  const polycodec_limits& limits_;
  const std::uint8_t* const begin_;
  const std::uint8_t* at_;
  const std::uint8_t* const end_;
  const std::uint64_t max_depth_;
  polycodec_node* const root_;
  std::uint64_t nodes_ = 0;
  std::vector<Level> levels_;
  Skipper skip_;
};

}  // namespace polycodec::msgpack_ndarray
