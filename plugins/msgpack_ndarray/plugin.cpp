// SPDX-License-Identifier: MIT
#include "codec.hpp"
#include "polycodec_manifest.h"

namespace polycodec::msgpack_ndarray {
namespace {

struct Exported : MsgpackNdarray {
  static constexpr const char* name = POLYCODEC_MANIFEST_CODEC_0_NAME;
  static constexpr const char* description = POLYCODEC_MANIFEST_CODEC_0_DESCRIPTION;
  using MsgpackNdarray::MsgpackNdarray;
};

}  // namespace
}  // namespace polycodec::msgpack_ndarray

POLYCODEC_DEFINE_PLUGIN(POLYCODEC_MANIFEST_ID, POLYCODEC_MANIFEST_VERSION,
                        polycodec::codecs_interface<polycodec::msgpack_ndarray::Exported>)
