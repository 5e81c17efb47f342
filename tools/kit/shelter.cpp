// SPDX-License-Identifier: MIT
#include "shelter.hpp"

#include "registry/sandbox/confine.hpp"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>

namespace polycodec::kit {

void enter_shelter() {
  std::fflush(nullptr);
  (void)sandbox::enter_namespaces();
  const pid_t child = ::fork();
  if (child < 0) return;  // the namespaces hold but for that of processes
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    ::setsid();  // a plugin's signal to its process group ends no process outside
    ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    return;
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  ::_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

}  // namespace polycodec::kit
