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
    __NR_##name, #name       \
  }
constexpr auto system_calls = std::to_array<Name>({
#if defined(__x86_64__)
  POLYCODEC_CALL(open), POLYCODEC_CALL(stat), POLYCODEC_CALL(lstat), POLYCODEC_CALL(poll),
      POLYCODEC_CALL(access), POLYCODEC_CALL(pipe), POLYCODEC_CALL(select), POLYCODEC_CALL(dup2),
      POLYCODEC_CALL(pause), POLYCODEC_CALL(alarm), POLYCODEC_CALL(fork), POLYCODEC_CALL(vfork),
      POLYCODEC_CALL(getdents), POLYCODEC_CALL(rename), POLYCODEC_CALL(mkdir),
      POLYCODEC_CALL(rmdir), POLYCODEC_CALL(creat), POLYCODEC_CALL(link), POLYCODEC_CALL(unlink),
      POLYCODEC_CALL(symlink), POLYCODEC_CALL(readlink), POLYCODEC_CALL(chmod),
      POLYCODEC_CALL(chown), POLYCODEC_CALL(lchown), POLYCODEC_CALL(getpgrp), POLYCODEC_CALL(utime),
      POLYCODEC_CALL(mknod), POLYCODEC_CALL(uselib), POLYCODEC_CALL(ustat), POLYCODEC_CALL(sysfs),
      POLYCODEC_CALL(modify_ldt), POLYCODEC_CALL(_sysctl), POLYCODEC_CALL(arch_prctl),
      POLYCODEC_CALL(iopl), POLYCODEC_CALL(ioperm), POLYCODEC_CALL(create_module),
      POLYCODEC_CALL(get_kernel_syms), POLYCODEC_CALL(query_module), POLYCODEC_CALL(getpmsg),
      POLYCODEC_CALL(putpmsg), POLYCODEC_CALL(afs_syscall), POLYCODEC_CALL(tuxcall),
      POLYCODEC_CALL(security), POLYCODEC_CALL(time), POLYCODEC_CALL(set_thread_area),
      POLYCODEC_CALL(get_thread_area), POLYCODEC_CALL(epoll_create), POLYCODEC_CALL(epoll_ctl_old),
      POLYCODEC_CALL(epoll_wait_old), POLYCODEC_CALL(epoll_wait), POLYCODEC_CALL(utimes),
      POLYCODEC_CALL(vserver), POLYCODEC_CALL(inotify_init), POLYCODEC_CALL(futimesat),
      POLYCODEC_CALL(signalfd), POLYCODEC_CALL(eventfd),
#endif
      POLYCODEC_CALL(read), POLYCODEC_CALL(write), POLYCODEC_CALL(close), POLYCODEC_CALL(fstat),
      POLYCODEC_CALL(lseek), POLYCODEC_CALL(mmap), POLYCODEC_CALL(mprotect), POLYCODEC_CALL(munmap),
      POLYCODEC_CALL(brk), POLYCODEC_CALL(rt_sigaction), POLYCODEC_CALL(rt_sigprocmask),
      POLYCODEC_CALL(rt_sigreturn), POLYCODEC_CALL(ioctl), POLYCODEC_CALL(pread64),
      POLYCODEC_CALL(pwrite64), POLYCODEC_CALL(readv), POLYCODEC_CALL(writev),
      POLYCODEC_CALL(sched_yield), POLYCODEC_CALL(mremap), POLYCODEC_CALL(msync),
      POLYCODEC_CALL(mincore), POLYCODEC_CALL(madvise), POLYCODEC_CALL(shmget),
      POLYCODEC_CALL(shmat), POLYCODEC_CALL(shmctl), POLYCODEC_CALL(dup), POLYCODEC_CALL(nanosleep),
      POLYCODEC_CALL(getitimer), POLYCODEC_CALL(setitimer), POLYCODEC_CALL(getpid),
      POLYCODEC_CALL(sendfile), POLYCODEC_CALL(socket), POLYCODEC_CALL(connect),
      POLYCODEC_CALL(accept), POLYCODEC_CALL(sendto), POLYCODEC_CALL(recvfrom),
      POLYCODEC_CALL(sendmsg), POLYCODEC_CALL(recvmsg), POLYCODEC_CALL(shutdown),
      POLYCODEC_CALL(bind), POLYCODEC_CALL(listen), POLYCODEC_CALL(getsockname),
      POLYCODEC_CALL(getpeername), POLYCODEC_CALL(socketpair), POLYCODEC_CALL(setsockopt),
      POLYCODEC_CALL(getsockopt), POLYCODEC_CALL(clone), POLYCODEC_CALL(execve),
      POLYCODEC_CALL(exit), POLYCODEC_CALL(wait4), POLYCODEC_CALL(kill), POLYCODEC_CALL(uname),
      POLYCODEC_CALL(semget), POLYCODEC_CALL(semop), POLYCODEC_CALL(semctl), POLYCODEC_CALL(shmdt),
      POLYCODEC_CALL(msgget), POLYCODEC_CALL(msgsnd), POLYCODEC_CALL(msgrcv),
      POLYCODEC_CALL(msgctl), POLYCODEC_CALL(fcntl), POLYCODEC_CALL(flock), POLYCODEC_CALL(fsync),
      POLYCODEC_CALL(fdatasync), POLYCODEC_CALL(truncate), POLYCODEC_CALL(ftruncate),
      POLYCODEC_CALL(getcwd), POLYCODEC_CALL(chdir), POLYCODEC_CALL(fchdir), POLYCODEC_CALL(fchmod),
      POLYCODEC_CALL(fchown), POLYCODEC_CALL(umask), POLYCODEC_CALL(gettimeofday),
      POLYCODEC_CALL(getrlimit), POLYCODEC_CALL(getrusage), POLYCODEC_CALL(sysinfo),
      POLYCODEC_CALL(times), POLYCODEC_CALL(ptrace), POLYCODEC_CALL(getuid), POLYCODEC_CALL(syslog),
      POLYCODEC_CALL(getgid), POLYCODEC_CALL(setuid), POLYCODEC_CALL(setgid),
      POLYCODEC_CALL(geteuid), POLYCODEC_CALL(getegid), POLYCODEC_CALL(setpgid),
      POLYCODEC_CALL(getppid), POLYCODEC_CALL(setsid), POLYCODEC_CALL(setreuid),
      POLYCODEC_CALL(setregid), POLYCODEC_CALL(getgroups), POLYCODEC_CALL(setgroups),
      POLYCODEC_CALL(setresuid), POLYCODEC_CALL(getresuid), POLYCODEC_CALL(setresgid),
      POLYCODEC_CALL(getresgid), POLYCODEC_CALL(getpgid), POLYCODEC_CALL(setfsuid),
      POLYCODEC_CALL(setfsgid), POLYCODEC_CALL(getsid), POLYCODEC_CALL(capget),
      POLYCODEC_CALL(capset), POLYCODEC_CALL(rt_sigpending), POLYCODEC_CALL(rt_sigtimedwait),
      POLYCODEC_CALL(rt_sigqueueinfo), POLYCODEC_CALL(rt_sigsuspend), POLYCODEC_CALL(sigaltstack),
      POLYCODEC_CALL(personality), POLYCODEC_CALL(statfs), POLYCODEC_CALL(fstatfs),
      POLYCODEC_CALL(getpriority), POLYCODEC_CALL(setpriority), POLYCODEC_CALL(sched_setparam),
      POLYCODEC_CALL(sched_getparam), POLYCODEC_CALL(sched_setscheduler),
      POLYCODEC_CALL(sched_getscheduler), POLYCODEC_CALL(sched_get_priority_max),
      POLYCODEC_CALL(sched_get_priority_min), POLYCODEC_CALL(sched_rr_get_interval),
      POLYCODEC_CALL(mlock), POLYCODEC_CALL(munlock), POLYCODEC_CALL(mlockall),
      POLYCODEC_CALL(munlockall), POLYCODEC_CALL(vhangup), POLYCODEC_CALL(pivot_root),
      POLYCODEC_CALL(prctl), POLYCODEC_CALL(adjtimex), POLYCODEC_CALL(setrlimit),
      POLYCODEC_CALL(chroot), POLYCODEC_CALL(sync), POLYCODEC_CALL(acct),
      POLYCODEC_CALL(settimeofday), POLYCODEC_CALL(mount), POLYCODEC_CALL(umount2),
      POLYCODEC_CALL(swapon), POLYCODEC_CALL(swapoff), POLYCODEC_CALL(reboot),
      POLYCODEC_CALL(sethostname), POLYCODEC_CALL(setdomainname), POLYCODEC_CALL(init_module),
      POLYCODEC_CALL(delete_module), POLYCODEC_CALL(quotactl), POLYCODEC_CALL(nfsservctl),
      POLYCODEC_CALL(gettid), POLYCODEC_CALL(readahead), POLYCODEC_CALL(setxattr),
      POLYCODEC_CALL(lsetxattr), POLYCODEC_CALL(fsetxattr), POLYCODEC_CALL(getxattr),
      POLYCODEC_CALL(lgetxattr), POLYCODEC_CALL(fgetxattr), POLYCODEC_CALL(listxattr),
      POLYCODEC_CALL(llistxattr), POLYCODEC_CALL(flistxattr), POLYCODEC_CALL(removexattr),
      POLYCODEC_CALL(lremovexattr), POLYCODEC_CALL(fremovexattr), POLYCODEC_CALL(tkill),
      POLYCODEC_CALL(futex), POLYCODEC_CALL(sched_setaffinity), POLYCODEC_CALL(sched_getaffinity),
      POLYCODEC_CALL(io_setup), POLYCODEC_CALL(io_destroy), POLYCODEC_CALL(io_getevents),
      POLYCODEC_CALL(io_submit), POLYCODEC_CALL(io_cancel), POLYCODEC_CALL(lookup_dcookie),
      POLYCODEC_CALL(remap_file_pages), POLYCODEC_CALL(getdents64), POLYCODEC_CALL(set_tid_address),
      POLYCODEC_CALL(restart_syscall), POLYCODEC_CALL(semtimedop), POLYCODEC_CALL(fadvise64),
      POLYCODEC_CALL(timer_create), POLYCODEC_CALL(timer_settime), POLYCODEC_CALL(timer_gettime),
      POLYCODEC_CALL(timer_getoverrun), POLYCODEC_CALL(timer_delete), POLYCODEC_CALL(clock_settime),
      POLYCODEC_CALL(clock_gettime), POLYCODEC_CALL(clock_getres), POLYCODEC_CALL(clock_nanosleep),
      POLYCODEC_CALL(exit_group), POLYCODEC_CALL(epoll_ctl), POLYCODEC_CALL(tgkill),
      POLYCODEC_CALL(mbind), POLYCODEC_CALL(set_mempolicy), POLYCODEC_CALL(get_mempolicy),
      POLYCODEC_CALL(mq_open), POLYCODEC_CALL(mq_unlink), POLYCODEC_CALL(mq_timedsend),
      POLYCODEC_CALL(mq_timedreceive), POLYCODEC_CALL(mq_notify), POLYCODEC_CALL(mq_getsetattr),
      POLYCODEC_CALL(kexec_load), POLYCODEC_CALL(waitid), POLYCODEC_CALL(add_key),
      POLYCODEC_CALL(request_key), POLYCODEC_CALL(keyctl), POLYCODEC_CALL(ioprio_set),
      POLYCODEC_CALL(ioprio_get), POLYCODEC_CALL(inotify_add_watch),
      POLYCODEC_CALL(inotify_rm_watch), POLYCODEC_CALL(migrate_pages), POLYCODEC_CALL(openat),
      POLYCODEC_CALL(mkdirat), POLYCODEC_CALL(mknodat), POLYCODEC_CALL(fchownat),
      POLYCODEC_CALL(newfstatat), POLYCODEC_CALL(unlinkat), POLYCODEC_CALL(renameat),
      POLYCODEC_CALL(linkat), POLYCODEC_CALL(symlinkat), POLYCODEC_CALL(readlinkat),
      POLYCODEC_CALL(fchmodat), POLYCODEC_CALL(faccessat), POLYCODEC_CALL(pselect6),
      POLYCODEC_CALL(ppoll), POLYCODEC_CALL(unshare), POLYCODEC_CALL(set_robust_list),
      POLYCODEC_CALL(get_robust_list), POLYCODEC_CALL(splice), POLYCODEC_CALL(tee),
      POLYCODEC_CALL(sync_file_range), POLYCODEC_CALL(vmsplice), POLYCODEC_CALL(move_pages),
      POLYCODEC_CALL(utimensat), POLYCODEC_CALL(epoll_pwait), POLYCODEC_CALL(timerfd_create),
      POLYCODEC_CALL(fallocate), POLYCODEC_CALL(timerfd_settime), POLYCODEC_CALL(timerfd_gettime),
      POLYCODEC_CALL(accept4), POLYCODEC_CALL(signalfd4), POLYCODEC_CALL(eventfd2),
      POLYCODEC_CALL(epoll_create1), POLYCODEC_CALL(dup3), POLYCODEC_CALL(pipe2),
      POLYCODEC_CALL(inotify_init1), POLYCODEC_CALL(preadv), POLYCODEC_CALL(pwritev),
      POLYCODEC_CALL(rt_tgsigqueueinfo), POLYCODEC_CALL(perf_event_open), POLYCODEC_CALL(recvmmsg),
      POLYCODEC_CALL(fanotify_init), POLYCODEC_CALL(fanotify_mark), POLYCODEC_CALL(prlimit64),
      POLYCODEC_CALL(name_to_handle_at), POLYCODEC_CALL(open_by_handle_at),
      POLYCODEC_CALL(clock_adjtime), POLYCODEC_CALL(syncfs), POLYCODEC_CALL(sendmmsg),
      POLYCODEC_CALL(setns), POLYCODEC_CALL(getcpu), POLYCODEC_CALL(process_vm_readv),
      POLYCODEC_CALL(process_vm_writev), POLYCODEC_CALL(kcmp), POLYCODEC_CALL(finit_module),
      POLYCODEC_CALL(sched_setattr), POLYCODEC_CALL(sched_getattr), POLYCODEC_CALL(renameat2),
      POLYCODEC_CALL(seccomp), POLYCODEC_CALL(getrandom), POLYCODEC_CALL(memfd_create),
      POLYCODEC_CALL(kexec_file_load), POLYCODEC_CALL(bpf), POLYCODEC_CALL(execveat),
      POLYCODEC_CALL(userfaultfd), POLYCODEC_CALL(membarrier), POLYCODEC_CALL(mlock2),
      POLYCODEC_CALL(copy_file_range), POLYCODEC_CALL(preadv2), POLYCODEC_CALL(pwritev2),
      POLYCODEC_CALL(pkey_mprotect), POLYCODEC_CALL(pkey_alloc), POLYCODEC_CALL(pkey_free),
      POLYCODEC_CALL(statx), POLYCODEC_CALL(io_pgetevents), POLYCODEC_CALL(rseq),
      POLYCODEC_CALL(pidfd_send_signal), POLYCODEC_CALL(io_uring_setup),
      POLYCODEC_CALL(io_uring_enter), POLYCODEC_CALL(io_uring_register), POLYCODEC_CALL(open_tree),
      POLYCODEC_CALL(move_mount), POLYCODEC_CALL(fsopen), POLYCODEC_CALL(fsconfig),
      POLYCODEC_CALL(fsmount), POLYCODEC_CALL(fspick), POLYCODEC_CALL(pidfd_open),
      POLYCODEC_CALL(clone3), POLYCODEC_CALL(close_range), POLYCODEC_CALL(openat2),
      POLYCODEC_CALL(pidfd_getfd), POLYCODEC_CALL(faccessat2), POLYCODEC_CALL(process_madvise),
      POLYCODEC_CALL(epoll_pwait2), POLYCODEC_CALL(mount_setattr), POLYCODEC_CALL(quotactl_fd),
      POLYCODEC_CALL(landlock_create_ruleset), POLYCODEC_CALL(landlock_add_rule),
      POLYCODEC_CALL(landlock_restrict_self), POLYCODEC_CALL(memfd_secret),
      POLYCODEC_CALL(process_mrelease), POLYCODEC_CALL(futex_waitv),
      POLYCODEC_CALL(set_mempolicy_home_node),
});
#undef POLYCODEC_CALL

}  // namespace

std::string system_call_name(long number) {
  const auto at = std::ranges::find(system_calls, number, &Name::number);
  return at == system_calls.end() ? "number " + std::to_string(number) : std::string(at->name);
}

}  // namespace polycodec
