// SPDX-License-Identifier: MIT
#pragma once

#include <polycodec/limits.hpp>

#include "json_document.hpp"

namespace polycodec {

/// The limits in the object at `path`, over `base`. Throws the document's error.
Limits read_limits(const JsonDocument& document, const Json& value, const JsonPath& path, Limits base);

}  // namespace polycodec
