// SPDX-License-Identifier: MIT
#include "common/chosen_rows.hpp"

namespace polycodec::cli {

namespace {

// The number of the first row of a chunk. Offsets may be absent where there are few chunks.
std::uint64_t first_of_chunk(const ArrayView& array, std::uint32_t child) {
  if (array.offsets().present()) return static_cast<std::uint64_t>(array.offsets()[child]);
  std::uint64_t first = 0;
  for (std::uint32_t i = 0; i < child; ++i) first += array.child(i).length();
  return first;
}

}  // namespace

bool shows_all(const ArrayView& array) {
  switch (array.layout()) {
    case POLYCODEC_LAYOUT_CHUNKED:
      return true;
    case POLYCODEC_LAYOUT_LIST_OFFSETS:
    case POLYCODEC_LAYOUT_LIST_FIXED:
      // Lists of these layouts follow each other, so the two ends tell.
      return array.length() == 0
                 ? array.child().length() == 0
                 : array.range(0).begin == 0 &&
                       array.range(array.length() - 1).end == array.child().length();
    default:
      return false;
  }
}

std::optional<Rows> child_rows(const ArrayView& array, std::uint32_t child, const Rows* rows,
                               const Take& take) {
  Rows shown;
  const std::uint64_t first =
      array.layout() == POLYCODEC_LAYOUT_CHUNKED ? first_of_chunk(array, child) : 0;
  const std::uint64_t count = rows == nullptr ? array.length() : rows->size();
  if (!take(count)) return std::nullopt;
  for (std::uint64_t k = 0; k < count; ++k) {
    const std::int64_t row =
        rows == nullptr ? static_cast<std::int64_t>(k) : (*rows)[static_cast<std::size_t>(k)];
    const bool is_there = row >= 0;
    const auto at = static_cast<std::uint64_t>(row);
    switch (array.layout()) {
      case POLYCODEC_LAYOUT_LIST_OFFSETS:
      case POLYCODEC_LAYOUT_LIST_VIEW:
      case POLYCODEC_LAYOUT_LIST_FIXED: {
        if (!is_there) break;
        const ArrayView::Range items = array.range(at);
        if (!take(items.end - items.begin)) return std::nullopt;
        for (std::uint64_t i = items.begin; i < items.end; ++i)
          shown.push_back(static_cast<std::int64_t>(i));
        break;
      }
      case POLYCODEC_LAYOUT_UNION:
        if (is_there && array.tags()[at] == child)
          shown.push_back(array.index().present() ? array.index()[at] : row);
        break;
      case POLYCODEC_LAYOUT_CHUNKED:
        if (is_there ? at - first < array.child(child).length() : child == 0)
          shown.push_back(is_there ? static_cast<std::int64_t>(at - first) : -1);
        break;
      default:
        if (!is_there || !array.is_present(at))
          shown.push_back(-1);
        else
          shown.push_back(array.layout() == POLYCODEC_LAYOUT_INDEXED ? array.index()[at] : row);
        break;
    }
  }
  return shown;
}

}  // namespace polycodec::cli
