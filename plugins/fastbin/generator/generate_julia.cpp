// SPDX-License-Identifier: MIT
#include "generate.hpp"
namespace polycodec::fastbin {
std::vector<GeneratedFile> generate_julia(const Schema&, std::string_view) {
  return {};
}
}  // namespace polycodec::fastbin
