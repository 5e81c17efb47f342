// SPDX-License-Identifier: MIT
#include <base/quote.hpp>
#include <polycodec/registry.hpp>

#include <spdlog/logger.h>
#include <spdlog/sinks/ansicolor_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>

#include <memory>
#include <utility>

namespace polycodec {
namespace {

spdlog::level::level_enum level_of(polycodec_log_level level) {
  switch (level) {
    case POLYCODEC_LOG_DEBUG:
      return spdlog::level::debug;
    case POLYCODEC_LOG_INFO:
      return spdlog::level::info;
    case POLYCODEC_LOG_WARNING:
      return spdlog::level::warn;
    default:
      return spdlog::level::err;
  }
}

}  // namespace

LogHook spdlog_log_hook(polycodec_log_level least) {
  // A logger of its own: the host may use spdlog's registry for itself.
  auto logger = std::make_shared<spdlog::logger>(
      "polycodec", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
  logger->set_level(level_of(least));
  logger->flush_on(spdlog::level::debug);
  return [logger = std::move(logger)](polycodec_log_level level, std::string_view source,
                                      std::string_view text) {
    const char* blame = level == POLYCODEC_LOG_HOST_MISBEHAVING ? " (the host broke the contract)"
                        : level == POLYCODEC_LOG_PLUGIN_MISBEHAVING
                            ? " (the plugin broke the contract)"
                            : "";
    // Plugins log names and values of their input.
    logger->log(level_of(level), "{}: {}{}", printable(source, false), printable(text, false),
                blame);
  };
}

}  // namespace polycodec
