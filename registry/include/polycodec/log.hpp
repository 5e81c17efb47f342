// SPDX-License-Identifier: MIT
// Where log lines of the registry and of plugins go: nowhere, unless the host says so.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/export.hpp>

#include <functional>
#include <optional>
#include <string_view>

namespace polycodec {

/// Receives one line of text without a line end. `source` is "registry" or "plugin". Called from
/// any thread, also from several at once; must not throw and must not call the registry.
using LogHook =
    std::function<void(polycodec_log_level level, std::string_view source, std::string_view text)>;

/// A hook that writes lines of at least `least` to standard error through spdlog, with time and
/// level, colored on a terminal. For programs; libraries leave the choice to their host.
POLYCODEC_API LogHook spdlog_log_hook(polycodec_log_level least = POLYCODEC_LOG_WARNING);

/// The level with this name ("debug", "info", "warning", "error"), or nothing.
POLYCODEC_API std::optional<polycodec_log_level> log_level_from_name(
    std::string_view name) noexcept;

}  // namespace polycodec
