// SPDX-License-Identifier: MIT
// A plugin whose constructor does EVIL_LOADING, before the host can look at it.
#include <polycodec/codec.hpp>

#include <pthread.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

namespace {

[[maybe_unused]] void crash() {
  ::raise(SIGSEGV);
}
[[maybe_unused]] void leave() {
  std::exit(0);
}
[[maybe_unused]] void hang() {
  for (;;) ::usleep(1000);
}
[[maybe_unused]] void kill_parent() {
  ::kill(::getppid(), SIGKILL);
  ::kill(0, SIGKILL);
  ::kill(-1, SIGKILL);
}
[[maybe_unused]] void start_thread() {
  pthread_t thread;
  (void)::pthread_create(
      &thread, nullptr,
      [](void*) -> void* {
        for (;;) ::usleep(1000);
      },
      nullptr);
}
[[maybe_unused]] void cling() {
  ::prctl(PR_SET_PDEATHSIG, 0);
  ::setsid();
  sigset_t every;
  sigfillset(&every);
  ::sigprocmask(SIG_BLOCK, &every, nullptr);
  hang();
}
[[maybe_unused]] void close_all() {
  for (int fd = 0; fd < 1024; ++fd) ::close(fd);
}
[[maybe_unused]] void leave_child() {
  if (::fork() == 0)
    for (;;) ::usleep(1000);
}

const bool done = (EVIL_LOADING(), true);

struct Nothing {
  static constexpr const char* name = EVIL_ID;
  Nothing(polycodec::Call&, const polycodec::Options&) {}
  polycodec::Node decode(polycodec::Call&, const polycodec::Input&, polycodec::Builder&) const {
    return polycodec::Builder::boolean(done);
  }
};

}  // namespace

POLYCODEC_DEFINE_PLUGIN(EVIL_ID, "1.0.0", polycodec::Codecs<Nothing>)
