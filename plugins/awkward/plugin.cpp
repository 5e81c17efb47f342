// SPDX-License-Identifier: MIT
#include "codec.hpp"
#include "functions.hpp"
#include "polycodec_manifest.h"

#include <string_view>

namespace polycodec::awkward {
namespace {

struct Exported : Awkward {
  static constexpr const char* name = POLYCODEC_MANIFEST_CODEC_0_NAME;
  static constexpr const char* description = POLYCODEC_MANIFEST_CODEC_0_DESCRIPTION;
  using Awkward::Awkward;
};

const void* POLYCODEC_ABI get_interface(const char* id) {
  if (std::string_view(id) == POLYCODEC_FUNCTIONS_INTERFACE) return &functions();
  return codecs_interface<Exported>(id);
}

}  // namespace
}  // namespace polycodec::awkward

POLYCODEC_DEFINE_PLUGIN(POLYCODEC_MANIFEST_ID, POLYCODEC_MANIFEST_VERSION, polycodec::awkward::get_interface)
