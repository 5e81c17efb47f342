// SPDX-License-Identifier: MIT
#include "common/log.hpp"

#include <polycodec/quote.hpp>

#include "common/terminal.hpp"

#include <sys/time.h>

#include <cstdio>
#include <ctime>

namespace polycodec::cli {
namespace {

/// A level as users read it. Who breaks the contract has made an error.
struct Level {
  const char* word;
  Style style;
  int weight;
};
Level level_of(std::int32_t level) {
  switch (level) {
    case POLYCODEC_LOG_DEBUG:
      return {"debug", Style::plain, 0};
    case POLYCODEC_LOG_INFO:
      return {"info", Style::good, 1};
    case POLYCODEC_LOG_WARNING:
      return {"warning", Style::warning, 2};
    default:
      return {"error", Style::bad, 3};
  }
}

/// The local time, as "2026-11-27 10:15:02.031".
std::string time_text() {
  timeval now{};
  tm parts{};
  char text[64] = "";
  if (::gettimeofday(&now, nullptr) != 0 || ::localtime_r(&now.tv_sec, &parts) == nullptr)
    return {};
  const std::size_t size = std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &parts);
  std::snprintf(text + size, sizeof text - size, ".%03d", static_cast<int>(now.tv_usec / 1000));
  return text;
}

}  // namespace

void LogPrinter::operator()(std::int32_t level, std::string_view origin, std::string_view text) {
  const std::scoped_lock lock(mutex_);
  if (!least_)
    waiting_.push_back({level, std::string(origin), std::string(text)});
  else
    print(level, origin, text);
}

void LogPrinter::set_level(std::int32_t least) {
  const std::scoped_lock lock(mutex_);
  least_ = least;
  for (const Line& line : waiting_) print(line.level, line.origin, line.text);
  waiting_.clear();
}

void LogPrinter::print(std::int32_t level, std::string_view origin, std::string_view text) {
  const Level of = level_of(level);
  if (of.weight < level_of(*least_).weight) return;
  const char* const blame =
      level == POLYCODEC_LOG_HOST_MISBEHAVING     ? " (the host broke the contract)"
      : level == POLYCODEC_LOG_PLUGIN_MISBEHAVING ? " (the plugin broke the contract)"
                                                  : "";
  // Plugins log names and values of their input.
  const std::string line = "[" + time_text() + "] [polycodec] [" + styled(of.style, of.word, true) +
                           "] " + polycodec::printable(origin, false) + ": " +
                           polycodec::printable(text, false) + blame + "\n";
  std::fputs(printable(line).c_str(), stderr);
}

}  // namespace polycodec::cli
