// SPDX-License-Identifier: MIT
#pragma once

#include "shipped.hpp"

namespace polycodec::test {

/// The value alone, as JSON on one line.
inline std::string plain(const Value& value) {
  return value.text({.plain = true});
}

}  // namespace polycodec::test
