// SPDX-License-Identifier: MIT
// Options of reading.
#pragma once

#include <polycodec/codec.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace polycodec::awkward {

struct ReadSettings {
  std::optional<std::string> array;                 ///< read this one alone
  std::optional<std::vector<std::string>> columns;  ///< of the outermost tables
  std::optional<std::array<std::int64_t, 2>>
      rows;  ///< first, behind the last; negative from the end
  std::optional<std::string> schema_suffix;
  bool contents = false;  ///< no arrays, but which there are (container.hpp)
  bool check = true;      ///< look at what index buffers hold

  static ReadSettings from(const Options& options);
};

}  // namespace polycodec::awkward
