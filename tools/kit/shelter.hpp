// SPDX-License-Identifier: MIT
// The place from which a plugin under test can't reach the rest of the machine.
#pragma once

namespace polycodec::kit {

/// Goes on in a child process in namespaces of its own: it sees no other process and no network,
/// and can write no file. A plugin can't end it by a signal. This process waits and exits with the
/// status of the child. Layers that the kernel refuses are left out.
void enter_shelter();

}  // namespace polycodec::kit
