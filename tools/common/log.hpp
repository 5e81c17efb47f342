// SPDX-License-Identifier: MIT
// Lines of the log, on standard error.
#pragma once

#include <polycodec/polycodec.hpp>

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace spdlog {
class logger;
}

namespace polycodec::cli {

/// Prints lines of the log through spdlog, with time and level, colored on a terminal. Lines from
/// before the level is known wait for it. [thread-safe]
class LogPrinter {
 public:
  void operator()(std::int32_t level, std::string_view origin, std::string_view text);
  /// From now on, and of what waits, lines of at least this polycodec_log_level are printed.
  void set_level(std::int32_t least);

 private:
  struct Line {
    std::int32_t level;
    std::string origin, text;
  };
  void print(std::int32_t level, std::string_view origin, std::string_view text);

  std::mutex mutex_;
  std::shared_ptr<spdlog::logger> logger_;  // once there is a line: most runs print none
  std::optional<std::int32_t> least_;
  std::vector<Line> waiting_;
};

}  // namespace polycodec::cli
