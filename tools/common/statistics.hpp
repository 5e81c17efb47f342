// SPDX-License-Identifier: MIT
// Figures about the numeric columns of a value, for `polycodec inspect`.
#pragma once

#include <polycodec/array_view.hpp>
#include <polycodec/node_view.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace polycodec::cli {

/// One numeric column: a leaf array of the value, with the option and index nodes above it applied.
struct ColumnStatistics {
  static constexpr std::size_t bins = 16;

  std::string path;           ///< where in the value, such as `$.events.x`
  std::uint32_t dtype = 0;    ///< polycodec_dtype of the elements
  std::uint64_t count = 0;    ///< elements, without missing ones
  std::uint64_t missing = 0;  ///< elements that are missing
  std::uint64_t nans = 0;     ///< elements that are not a number
  long double minimum = 0;    ///< over numbers that are not NaN; 64-bit integers are exact
  long double maximum = 0;
  long double mean = 0;  ///< over finite numbers
  std::array<std::uint64_t, bins>
      histogram{};  ///< equal bins from minimum to maximum, over finite numbers
  std::uint64_t finite = 0;
  long double low = 0;  ///< over finite numbers
  long double high = 0;

  bool has_numbers() const noexcept { return count > nans; }
};

/// The bytes that a part of the value is made of.
struct BufferUse {
  std::string path;
  std::string role;          ///< "data", "offsets", "starts", "stops", "tags", "index", "mask"
  bool in_input = false;     ///< a view of the input bytes
  std::uint64_t offset = 0;  ///< in the input, if in_input
  std::uint64_t length = 0;  ///< bytes, from the first to the last element
};

/// What is found by one walk over a value.
struct Survey {
  std::vector<ColumnStatistics> columns;
  std::vector<BufferUse> buffers;
  std::uint64_t document_nodes = 0;
  std::uint64_t arrays = 0;
  std::uint64_t omitted_columns = 0;  ///< beyond max_columns, or more work than survey() does
  std::uint64_t units = 0;            ///< the work that there was to do with
  bool complete = true;               ///< false if the work ended before the value did
};

/// The elements of a column that are not missing.
class Column {
 public:
  virtual ~Column() = default;
  /// Calls visit with all, in order, some at a time.
  virtual void each(const std::function<void(std::span<const long double>)>& visit) const = 0;
  static constexpr std::size_t most_bins = 64;
  /// Counts the finite ones in `bins` (at most most_bins) equal bins from `low` on, the number of
  /// the least, over `width`. The last bin has also what is beyond.
  virtual std::vector<std::uint64_t> histogram(std::size_t bins, long double low,
                                               long double width) const = 0;
};

/// Is called for each column after it was measured: with its figures, the leaf that holds the
/// elements, and the elements, which must not be kept.
using ColumnHook =
    std::function<void(const ColumnStatistics&, const ArrayView& leaf, const Column&)>;

/// Walks the value (validated before) to at most `max_columns` columns. `input` is what it was
/// decoded from: buffers inside are reported by offset. Up to `threads` threads (0: one for each
/// processor) share large columns; the figures do not depend on them. Looks at as many nodes and
/// elements as the input has bytes, and 10^7 more, so that values which are huge on paper only take
/// no longer.
Survey survey(NodeView root, std::string_view input, std::uint32_t threads = 1,
              std::size_t max_columns = 1000, const ColumnHook& on_column = {});

/// A column's number for users: integers without a point, floats shortest.
std::string format_number(long double number, std::uint32_t dtype);

/// The histogram as one character a bin.
std::string sparkline(const ColumnStatistics& column);

}  // namespace polycodec::cli
