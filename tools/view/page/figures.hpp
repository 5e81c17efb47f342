// SPDX-License-Identifier: MIT
// The numeric columns of a value as figures, plots and images, and where its bytes are.
#pragma once

#include <polycodec/node_view.hpp>

#include "common/json.hpp"

#include <string_view>

namespace polycodec::page {

using cli::Json;

/// Returns `{"columns": [..], "uses": [..], "complete": bool, "omitted": number}` of a value that
/// was decoded from `input` (survey()), on up to `threads` threads.
///
/// A column has its figures, a histogram of equal bins between `low` and `high`, and where it has
/// several elements `line`: the least and the greatest number of each of `buckets` parts of equal
/// length, as pack_words(.., 2). A 2-d array has an `image`: `width`, `height`, the `step` between
/// elements that are shown, and `levels`, pack_bytes() of two little-endian bytes for each pixel:
/// 0 for a missing number, otherwise 1 to 65535 from `low` to `high`. An array of bytes with 3 or 4
/// numbers for each pixel has `channels` instead, and its levels are the bytes. `units` and other
/// attributes of the leaf are `attributes`.
/// A use is `[path, role, offset or null, length]`.
Json figures(NodeView root, std::string_view input, std::uint32_t threads);

}  // namespace polycodec::page
