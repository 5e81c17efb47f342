// SPDX-License-Identifier: MIT
// Programs `polycodec-NAME`, which the command runs as `polycodec NAME`.
#pragma once

#include <polycodec/export.hpp>
#include <polycodec/plugins.hpp>
#include <polycodec/registry.hpp>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec {

/// Every program `polycodec-NAME` in `own` (the directory of the host program) and in the plugin
/// directories, and whether it may be run. Programs are checked as libraries of plugins are: owners
/// and permissions, policy and pins. Their id in policy and pins is `command:NAME`. In order of
/// search; a program whose name an earlier one has is left out. PATH is never searched.
/// [thread-safe]
POLYCODEC_API std::vector<ProbeRecord> find_commands(const RegistryOptions& options,
                                                     const std::filesystem::path& own);

/// Replaces this process by the program `polycodec-NAME`, the first that find_commands() has, with
/// `arguments`. Returns if there is none; does not return on success. Throws Error(Status::plugin)
/// for a program that is refused, Error(Status::io) if it cannot be run.
POLYCODEC_API void run_command(std::string_view name, const std::vector<std::string>& arguments,
                               const RegistryOptions& options, const std::filesystem::path& own);

}  // namespace polycodec
