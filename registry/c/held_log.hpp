// SPDX-License-Identifier: MIT
// The log of a call that may be made a second time.
#pragma once

#include <polycodec/host.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::c {

/// Where a program gets its log.
struct LogTarget {
  decltype(polycodec_registry_options::log) write;
  void* data;
};

/// While it lives, lines that this thread logs wait in it, up to a number. Nests.
class HeldLog {
 public:
  HeldLog() noexcept;
  /// Forgets the lines that wait.
  ~HeldLog();
  HeldLog(const HeldLog&) = delete;
  HeldLog& operator=(const HeldLog&) = delete;

  /// Logs the lines that wait.
  void pass();
  /// Logs a line, at once or later. Throws std::bad_alloc.
  static void line(const LogTarget& to, std::int32_t level, std::string_view origin,
                   std::string_view text);

 private:
  struct Line {
    LogTarget to;
    std::int32_t level;
    std::string origin, text;
  };

  HeldLog* const outer_;
  std::vector<Line> lines_;
};

}  // namespace polycodec::c
