// SPDX-License-Identifier: MIT
// Taking rights away from the sandbox, layer by layer. A layer that the kernel refuses is reported
// and left out. Nothing here starts a thread, and nothing after fork allocates memory.
#pragma once

#include "registry/load/plugins.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace polycodec::sandbox {

/// Enters new user, mount, network, IPC and PID namespaces: before the plugin is loaded, in the
/// process that starts the sandbox. The first child of the caller is process 1 of the PID
/// namespace. Call it once, with one thread.
std::vector<LayerResult> enter_namespaces();

/// Ends the processes that a plugin has started while it was loaded, if the caller is process 1 or
/// 2 of a namespace. Returns false if the plugin has started threads: they would keep the rights
/// that drop_rights() takes from the calling thread.
bool end_others();

/// Drops what the zygote needs no more once the plugin is loaded and its init has run:
/// capabilities, new privileges, access to files. A worker inherits all of it.
std::vector<LayerResult> drop_rights();

/// Receives the number of a forbidden system call, in a signal handler of the worker. The worker
/// exits when it returns.
using ForbiddenCallHook = void (*)(int number);

/// Narrows a worker after its fork: limits, and the system calls that serving calls needs. A
/// forbidden one ends the worker with status 128 + SIGSYS after `hook` (or null) was told of it.
std::array<LayerResult, 2> confine_worker(const IsolationRule& rule, ForbiddenCallHook hook);

/// Returns true once a worker has used as much processor time as one call may use: it must serve no
/// further call. The kernel ends it at twice that time, so each call has the time of the rule.
bool is_spent(const IsolationRule& rule) noexcept;

}  // namespace polycodec::sandbox
