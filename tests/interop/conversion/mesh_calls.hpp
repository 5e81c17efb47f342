// SPDX-License-Identifier: MIT
// Calls to both mesh codecs, and values as text.
#pragma once

#include <polycodec/text.hpp>

#include "../../../plugins/obj/codec.hpp"
#include "../../../plugins/ply/codec.hpp"
#include "codec_calls.hpp"

#include <string>
#include <string_view>

namespace polycodec::test {

using obj::Obj;
using ply::Ply;

inline polycodec_node word(std::string_view text) {
  return Builder::string_view(text);
}

/// The value alone, as JSON on one line.
inline std::string plain(NodeView value) {
  TextOptions options;
  options.plain = true;
  return to_text(value, options);
}

}  // namespace polycodec::test
