// SPDX-License-Identifier: MIT
// Values that differ from another in one part. They view it.
#pragma once

#include "subject.hpp"

#include <vector>

namespace polycodec::kit {

/// `value` with a note in the metadata of one part: the root, a member at any depth of objects, or
/// the first and last column of an array of records. At most 14.
std::vector<Sample> with_metadata(const Sample& value);

/// `value` with one array that is shorter or of another shape, or with one name or text that is not
/// UTF-8: values that a codec may have forgotten to reject.
std::vector<Sample> nearly(const Sample& value);

}  // namespace polycodec::kit
