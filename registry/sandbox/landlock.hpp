// SPDX-License-Identifier: MIT
// Landlock: no files, no TCP, no sockets and signals of processes outside, as far as the kernel's
// version knows.
#pragma once

namespace polycodec::sandbox {

/// Takes every right away that the kernel's Landlock knows. Returns 0 or an errno.
int restrict_by_landlock();
/// Takes the right to signal processes outside alone: while the plugin is loaded it reads files.
int forbid_signals();

}  // namespace polycodec::sandbox
