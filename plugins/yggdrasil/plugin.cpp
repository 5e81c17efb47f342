// SPDX-License-Identifier: MIT
#include "codec.hpp"
#include "polycodec_manifest.h"

namespace polycodec::yggdrasil {
namespace {

struct Exported : Yggdrasil {
  static constexpr const char* name = POLYCODEC_MANIFEST_CODEC_0_NAME;
  static constexpr const char* description = POLYCODEC_MANIFEST_CODEC_0_DESCRIPTION;
  using Yggdrasil::Yggdrasil;
};

}  // namespace
}  // namespace polycodec::yggdrasil

POLYCODEC_DEFINE_PLUGIN(POLYCODEC_MANIFEST_ID, POLYCODEC_MANIFEST_VERSION,
                        polycodec::codecs_interface<polycodec::yggdrasil::Exported>)
