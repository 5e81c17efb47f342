// SPDX-License-Identifier: MIT
#include "common/log.hpp"

#include <polycodec/quote.hpp>

#include <spdlog/logger.h>
#include <spdlog/sinks/ansicolor_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>

namespace polycodec::cli {
namespace {

spdlog::level::level_enum level_of(std::int32_t level) {
  switch (level) {
    case POLYCODEC_LOG_DEBUG:
      return spdlog::level::debug;
    case POLYCODEC_LOG_INFO:
      return spdlog::level::info;
    case POLYCODEC_LOG_WARNING:
      return spdlog::level::warn;
    default:
      return spdlog::level::err;  // also of who breaks the contract
  }
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
  if (level_of(level) < level_of(*least_)) return;
  if (!logger_) {
    logger_ = std::make_shared<spdlog::logger>(
        "polycodec", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
    logger_->set_level(spdlog::level::debug);
    logger_->flush_on(spdlog::level::debug);
  }
  const char* const blame =
      level == POLYCODEC_LOG_HOST_MISBEHAVING     ? " (the host broke the contract)"
      : level == POLYCODEC_LOG_PLUGIN_MISBEHAVING ? " (the plugin broke the contract)"
                                                  : "";
  // Plugins log names and values of their input.
  logger_->log(level_of(level), "{}: {}{}", printable(origin, false), printable(text, false),
               blame);
}

}  // namespace polycodec::cli
