// SPDX-License-Identifier: MIT
#include "registry/isolation/system_call_name.hpp"

#include <sys/syscall.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace polycodec {
namespace {

struct Name {
  long number;
  std::string_view name;
};

#define POLYCODEC_CALL(name) \
  Name {                     \
    SYS_##name, #name        \
  }
constexpr auto system_calls = std::to_array<Name>({
#if defined(__x86_64__)
  POLYCODEC_CALL(open), POLYCODEC_CALL(stat), POLYCODEC_CALL(lstat), POLYCODEC_CALL(access),
      POLYCODEC_CALL(fork), POLYCODEC_CALL(vfork), POLYCODEC_CALL(dup2), POLYCODEC_CALL(pipe),
      POLYCODEC_CALL(readlink), POLYCODEC_CALL(unlink), POLYCODEC_CALL(mkdir),
      POLYCODEC_CALL(symlink), POLYCODEC_CALL(rename), POLYCODEC_CALL(alarm),
      POLYCODEC_CALL(arch_prctl), POLYCODEC_CALL(select), POLYCODEC_CALL(epoll_wait),
      POLYCODEC_CALL(getdents64),
#endif
      POLYCODEC_CALL(openat), POLYCODEC_CALL(openat2), POLYCODEC_CALL(newfstatat),
      POLYCODEC_CALL(statx), POLYCODEC_CALL(faccessat), POLYCODEC_CALL(readlinkat),
      POLYCODEC_CALL(unlinkat), POLYCODEC_CALL(mkdirat), POLYCODEC_CALL(symlinkat),
      POLYCODEC_CALL(linkat), POLYCODEC_CALL(renameat2), POLYCODEC_CALL(ftruncate),
      POLYCODEC_CALL(fchmod), POLYCODEC_CALL(pwrite64), POLYCODEC_CALL(dup), POLYCODEC_CALL(dup3),
      POLYCODEC_CALL(fcntl), POLYCODEC_CALL(pipe2), POLYCODEC_CALL(socket),
      POLYCODEC_CALL(socketpair), POLYCODEC_CALL(connect), POLYCODEC_CALL(bind),
      POLYCODEC_CALL(listen), POLYCODEC_CALL(accept4), POLYCODEC_CALL(setsockopt),
      POLYCODEC_CALL(shutdown), POLYCODEC_CALL(execve), POLYCODEC_CALL(execveat),
      POLYCODEC_CALL(clone), POLYCODEC_CALL(clone3), POLYCODEC_CALL(ptrace), POLYCODEC_CALL(kill),
      POLYCODEC_CALL(tkill), POLYCODEC_CALL(tgkill), POLYCODEC_CALL(rt_sigqueueinfo),
      POLYCODEC_CALL(wait4), POLYCODEC_CALL(waitid), POLYCODEC_CALL(prctl),
      POLYCODEC_CALL(prlimit64), POLYCODEC_CALL(setrlimit), POLYCODEC_CALL(setuid),
      POLYCODEC_CALL(setresuid), POLYCODEC_CALL(setgid), POLYCODEC_CALL(capset),
      POLYCODEC_CALL(unshare), POLYCODEC_CALL(setns), POLYCODEC_CALL(mount),
      POLYCODEC_CALL(umount2), POLYCODEC_CALL(pivot_root), POLYCODEC_CALL(chroot),
      POLYCODEC_CALL(chdir), POLYCODEC_CALL(mmap), POLYCODEC_CALL(mprotect),
      POLYCODEC_CALL(pkey_mprotect), POLYCODEC_CALL(mlock), POLYCODEC_CALL(memfd_create),
      POLYCODEC_CALL(userfaultfd), POLYCODEC_CALL(io_uring_setup), POLYCODEC_CALL(bpf),
      POLYCODEC_CALL(seccomp), POLYCODEC_CALL(perf_event_open), POLYCODEC_CALL(process_vm_readv),
      POLYCODEC_CALL(process_vm_writev), POLYCODEC_CALL(pidfd_open), POLYCODEC_CALL(pidfd_getfd),
      POLYCODEC_CALL(pidfd_send_signal), POLYCODEC_CALL(setitimer), POLYCODEC_CALL(timer_create),
      POLYCODEC_CALL(timerfd_create), POLYCODEC_CALL(eventfd2), POLYCODEC_CALL(epoll_create1),
      POLYCODEC_CALL(epoll_pwait), POLYCODEC_CALL(pselect6), POLYCODEC_CALL(shmget),
      POLYCODEC_CALL(shmat), POLYCODEC_CALL(keyctl), POLYCODEC_CALL(add_key),
      POLYCODEC_CALL(sched_setaffinity), POLYCODEC_CALL(sched_setscheduler),
      POLYCODEC_CALL(setpriority), POLYCODEC_CALL(setsid), POLYCODEC_CALL(getcwd),
      POLYCODEC_CALL(msync), POLYCODEC_CALL(mincore), POLYCODEC_CALL(splice),
      POLYCODEC_CALL(sendfile), POLYCODEC_CALL(name_to_handle_at),
      POLYCODEC_CALL(open_by_handle_at),
});
#undef POLYCODEC_CALL

}  // namespace

std::string system_call_name(long number) {
  const auto at = std::ranges::find(system_calls, number, &Name::number);
  return at == system_calls.end() ? "number " + std::to_string(number) : std::string(at->name);
}

}  // namespace polycodec
