// SPDX-License-Identifier: MIT
// Programs of tests have the library linked in, and find what is beside it in the build tree.
#include "core/io/process.hpp"

namespace polycodec {

std::filesystem::path library_file() {
  return POLYCODEC_LIBRARY_DIR "/libpolycodec.so";
}

}  // namespace polycodec
