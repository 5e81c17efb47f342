// SPDX-License-Identifier: MIT
// Options of writing.
#pragma once

#include <polycodec/codec.hpp>

namespace polycodec::awkward {

struct WriteSettings {
  static WriteSettings from(const Options&) { return {}; }
};

}  // namespace polycodec::awkward
