// SPDX-License-Identifier: MIT
// Namespaces: the sandbox sees no other process, no network and, once its plugin is loaded, no
// file.
#pragma once

namespace polycodec::sandbox {

/// Leaves the directory tree for an empty one, if enter_namespaces() made the mounts private.
/// Returns 0 or an errno.
int leave_files();

}  // namespace polycodec::sandbox
