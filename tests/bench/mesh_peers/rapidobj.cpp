// SPDX-License-Identifier: MIT
#include "peers.hpp"

#include <rapidobj/rapidobj.hpp>

#include <stdexcept>

namespace polycodec::bench {

void read_rapidobj(const std::string& path) {
  const rapidobj::Result read = rapidobj::ParseFile(path, rapidobj::MaterialLibrary::Ignore());
  if (read.error) throw std::runtime_error("rapidobj cannot read '" + path + "'");
}

}  // namespace polycodec::bench
