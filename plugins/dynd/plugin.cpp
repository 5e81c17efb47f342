// SPDX-License-Identifier: MIT
#include "codec.hpp"
#include "polycodec_manifest.h"

namespace polycodec::dynd {
namespace {

struct ExportedDynd : Dynd {
  static constexpr const char* name = POLYCODEC_MANIFEST_CODEC_0_NAME;
  static constexpr const char* description = POLYCODEC_MANIFEST_CODEC_0_DESCRIPTION;
  using Dynd::Dynd;
};

struct ExportedCbor : DyndCbor {
  static constexpr const char* name = POLYCODEC_MANIFEST_CODEC_1_NAME;
  static constexpr const char* description = POLYCODEC_MANIFEST_CODEC_1_DESCRIPTION;
  using DyndCbor::DyndCbor;
};

}  // namespace
}  // namespace polycodec::dynd

POLYCODEC_DEFINE_PLUGIN(POLYCODEC_MANIFEST_ID, POLYCODEC_MANIFEST_VERSION,
                        (polycodec::codecs_interface<polycodec::dynd::ExportedDynd, polycodec::dynd::ExportedCbor>))
