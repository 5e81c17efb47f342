// SPDX-License-Identifier: MIT
// Runs of items of a JSON text, which threads read at the same time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace polycodec::json {

/// What the cutter came to.
struct JsonCut {
  enum Kind : std::uint8_t {
    run,    ///< items of the open container, or members, with commas between them
    open,   ///< a container that is cut itself
    close,  ///< the end of the last one that was opened
    end,    ///< of the text
    other,  ///< what only one thread reads
  };
  Kind kind = end;
  bool is_object = false;  ///< run: of members; open: the container is an object
  std::string_view text;   ///< run: the items; open: before the bracket, what makes it a member
  std::size_t depth = 0;   ///< run, open: how many containers are open
};

/// Cuts a text that may be wrong: brackets in a run are balanced in number, and quotes closed, no
/// more. Containers are opened that are longer than a run, on the way to those of the document that
/// are not. For one thread at a time.
class JsonCutter {
 public:
  /// A run has so many bytes at least, but for the last one of a container.
  static constexpr std::size_t least_bytes = std::size_t{1} << 17;

  /// `is_lines`: the text has values one after another, which are cut at newlines and not opened.
  JsonCutter(std::string_view text, bool is_lines) noexcept;

  JsonCut next();

 private:
  /// Deeper containers are parts of runs, however long they are: an item that is longer than a run
  /// is passed once for each level.
  static constexpr std::size_t most_levels = 8;

  void skip_spaces() noexcept;
  JsonCut opened(std::size_t start);
  JsonCut opened_item();
  JsonCut closed();

  const std::string_view text_;
  const bool is_lines_;
  std::size_t at_ = 0;
  bool begins_ = true;
  bool is_due_ = false;       // an item, after a comma
  std::vector<bool> levels_;  // true: an object
};

}  // namespace polycodec::json
