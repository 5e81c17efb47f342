// SPDX-License-Identifier: MIT
// What holds of a configuration, and who said so.
#pragma once

#include <base/json_writer.hpp>

#include "registry/config/config.hpp"

#include <string>
#include <vector>

namespace polycodec {

/// A key such as `limits.max_depth`, what holds, and who said so: `NAME:LINE` of the last layer
/// that has the key, whoever Configuration::said_by names, a variable of the environment, or
/// "default".
struct Setting {
  std::string key;
  Json value;
  std::string origin;
};

/// Every setting, in the order of docs/configuration.md.
std::vector<Setting> settings_of(const Configuration& config);

}  // namespace polycodec
