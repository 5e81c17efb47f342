// SPDX-License-Identifier: MIT
#include <polycodec/mesh.hpp>

#include "codec.hpp"

POLYCODEC_DEFINE_PLUGIN(POLYCODEC_MANIFEST_ID, POLYCODEC_MANIFEST_VERSION,
                        polycodec::Codecs<polycodec::gltf::Gltf>,
                        polycodec::Types<polycodec::mesh_type>)
