// SPDX-License-Identifier: MIT
#include "codec.hpp"
#include "polycodec_manifest.h"

namespace polycodec::fastbin {
namespace {

struct Exported : Fastbin {
  static constexpr const char* name = POLYCODEC_MANIFEST_CODEC_0_NAME;
  static constexpr const char* description = POLYCODEC_MANIFEST_CODEC_0_DESCRIPTION;
  using Fastbin::Fastbin;
};

}  // namespace
}  // namespace polycodec::fastbin

POLYCODEC_DEFINE_PLUGIN(POLYCODEC_MANIFEST_ID, POLYCODEC_MANIFEST_VERSION,
                        polycodec::codecs_interface<polycodec::fastbin::Exported>)
