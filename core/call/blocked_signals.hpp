// SPDX-License-Identifier: MIT
// The signals of threads that the library starts.
#pragma once

#include <signal.h>

namespace polycodec {

/// Blocks the signals of this thread, and of those that it starts meanwhile: the host's handlers do
/// not run in a thread that the host does not know. Signals that an instruction of the thread
/// itself raises are left as they are. Blocked, they would end the process and not reach their
/// handler.
class BlockedSignals {
 public:
  BlockedSignals() noexcept {
    sigset_t most;
    ::sigfillset(&most);
    for (const int own : {SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP})
      ::sigdelset(&most, own);
    ::pthread_sigmask(SIG_BLOCK, &most, &before_);
  }
  ~BlockedSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace polycodec
