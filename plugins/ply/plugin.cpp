// SPDX-License-Identifier: MIT
#include <polycodec/mesh/interface.hpp>

#include "codec.hpp"
#include "polycodec_manifest.h"

namespace polycodec::ply {
namespace {

struct Exported : Ply {
  static constexpr const char* name = POLYCODEC_MANIFEST_CODEC_0_NAME;
  static constexpr const char* description = POLYCODEC_MANIFEST_CODEC_0_DESCRIPTION;
  using Ply::Ply;
};

}  // namespace
}  // namespace polycodec::ply

POLYCODEC_DEFINE_PLUGIN(POLYCODEC_MANIFEST_ID, POLYCODEC_MANIFEST_VERSION,
                        polycodec::mesh::codecs_and_type<polycodec::ply::Exported>)
