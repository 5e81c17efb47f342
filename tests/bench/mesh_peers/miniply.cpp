// SPDX-License-Identifier: MIT
#include "peers.hpp"

#include <cstdint>
#include <stdexcept>
#include <vector>

#include <miniply.cpp>

namespace polycodec::bench {

void read_miniply(const std::string& path) {
  miniply::PLYReader reader(path.c_str());
  std::vector<float> positions;
  std::vector<std::int32_t> corners;
  std::uint32_t found[3];
  for (; reader.has_element(); reader.next_element()) {
    if (!reader.load_element()) continue;
    if (reader.element_is("vertex") && reader.find_pos(found)) {
      positions.resize(std::size_t{reader.num_rows()} * 3);
      reader.extract_properties(found, 3, miniply::PLYPropertyType::Float, positions.data());
    } else if (reader.element_is("face") && reader.find_indices(found)) {
      corners.resize(std::size_t{reader.num_rows()} * 3);
      reader.extract_list_property(found[0], miniply::PLYPropertyType::Int, corners.data());
    }
  }
  if (!reader.valid() || positions.empty() || corners.empty())
    throw std::runtime_error("miniply cannot read '" + path + "'");
}

}  // namespace polycodec::bench
