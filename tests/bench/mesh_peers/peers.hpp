// SPDX-License-Identifier: MIT
// Readers of meshes that are measured beside ours, where their sources are given to CMake. Each
// reads a whole file and drops what it read, or throws.
#pragma once

#include <string>

namespace polycodec::bench {

using ReadMesh = void (*)(const std::string& path);

void read_fast_obj(const std::string& path);
void read_rapidobj(const std::string& path);
void read_miniply(const std::string& path);

}  // namespace polycodec::bench
