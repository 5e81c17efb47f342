// SPDX-License-Identifier: MIT
#define FAST_OBJ_IMPLEMENTATION
#include "peers.hpp"

#include <fast_obj.h>

#include <stdexcept>

namespace polycodec::bench {

void read_fast_obj(const std::string& path) {
  fastObjMesh* const mesh = fast_obj_read(path.c_str());
  if (mesh == nullptr) throw std::runtime_error("fast_obj cannot read '" + path + "'");
  fast_obj_destroy(mesh);
}

}  // namespace polycodec::bench
