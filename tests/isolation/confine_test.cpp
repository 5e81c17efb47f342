// SPDX-License-Identifier: MIT
// A confined worker can compute, and nothing else.
#include "confined.hpp"
#include "registry/sandbox/landlock.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/capability.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <cerrno>
#include <ctime>
#include <functional>
#include <thread>

namespace polycodec::sandbox {
namespace {

constexpr int answered = 1;

IsolationRule rule_of(std::uint64_t memory, std::uint32_t cpu) {
  IsolationRule rule;
  rule.memory_bytes = memory;
  rule.cpu_seconds = cpu;
  return rule;
}

TEST(Confine, EveryLayerIsReported) {
  const Confined run = run_confined({}, [] { return answered; });
  EXPECT_EQ(run.answer, answered);
  for (int layer = 0; layer <= static_cast<int>(Layer::not_dumpable); ++layer)
    EXPECT_GE(run.error(static_cast<Layer>(layer)), 0) << layer_name(static_cast<Layer>(layer));
  EXPECT_EQ(run.error(Layer::no_new_privileges), 0);
  EXPECT_EQ(run.error(Layer::seccomp), 0);
  EXPECT_EQ(run.error(Layer::limits), 0);
  EXPECT_EQ(run.error(Layer::not_dumpable), 0);
}

struct Forbidden {
  const char* name;
  long number;
  long arguments[4];
};

class ForbiddenCall : public testing::TestWithParam<Forbidden> {};

TEST_P(ForbiddenCall, EndsTheWorkerAndIsNamed) {
  const Forbidden& call = GetParam();
  const Confined run = run_confined({}, [&] {
    ::syscall(call.number, call.arguments[0], call.arguments[1], call.arguments[2],
              call.arguments[3]);
    return answered;
  });
  EXPECT_EQ(run.answer, -1);
  EXPECT_EQ(run.forbidden, call.number);
  ASSERT_TRUE(WIFEXITED(run.status)) << run.status;
  EXPECT_EQ(WEXITSTATUS(run.status), 128 + SIGSYS);
}

const Forbidden forbidden[] = {
    {"openat", SYS_openat, {AT_FDCWD, 0, O_RDONLY}},
    {"socket", SYS_socket, {AF_UNIX, SOCK_STREAM}},
    {"socketpair", SYS_socketpair, {AF_UNIX, SOCK_STREAM}},
    {"execve", SYS_execve, {}},
    {"clone", SYS_clone, {SIGCHLD}},
    {"clone3", SYS_clone3, {}},
    {"ptrace", SYS_ptrace, {0, 1}},
    {"kill", SYS_kill, {1, SIGKILL}},
    {"tgkill", SYS_tgkill, {1, 1, SIGKILL}},
    {"setrlimit", SYS_prlimit64, {0, RLIMIT_CPU, 8}},
    {"prlimit", SYS_prlimit64, {1, RLIMIT_CPU, 0}},
    {"prctl", SYS_prctl, {PR_SET_DUMPABLE, 1}},
    {"memfd_create", SYS_memfd_create, {}},
    {"dup", SYS_dup, {0}},
    {"setlease", SYS_fcntl, {0, F_SETLEASE, F_WRLCK}},
    {"seals", SYS_fcntl, {0, F_ADD_SEALS, 0}},
    {"unshare", SYS_unshare, {CLONE_NEWUSER}},
    {"mount", SYS_mount, {}},
    {"setuid", SYS_setuid, {0}},
    {"symlinkat", SYS_symlinkat, {}},
    {"readlinkat", SYS_readlinkat, {}},
    {"statx", SYS_statx, {}},
    {"fstatat", SYS_newfstatat, {AT_FDCWD, 0, 0, 0}},
    {"ftruncate", SYS_ftruncate, {1, 0}},
    {"io_uring_setup", SYS_io_uring_setup, {1}},
    {"userfaultfd", SYS_userfaultfd, {}},
    {"bpf", SYS_bpf, {}},
    {"process_vm_writev", SYS_process_vm_writev, {1}},
    {"pidfd_open", SYS_pidfd_open, {1}},
    {"setitimer", SYS_setitimer, {}},
    {"mmap_exec", SYS_mmap, {0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS}},
    {"mprotect_exec", SYS_mprotect, {0, 4096, PROT_READ | PROT_EXEC}},
};
INSTANTIATE_TEST_SUITE_P(All, ForbiddenCall, testing::ValuesIn(forbidden),
                         [](const auto& it) { return std::string(it.param.name); });

TEST(Confine, NewerSystemCallsAreAbsent) {
  const Confined run = run_confined({}, [] { return ::syscall(600) == -1 ? errno : answered; });
  EXPECT_EQ(run.answer, ENOSYS);
}

TEST(Confine, HandlersCannotBeSet) {
  const Confined run =
      run_confined({}, [] { return ::signal(SIGSEGV, SIG_IGN) == SIG_ERR ? errno : answered; });
  EXPECT_EQ(run.answer, EPERM);
}

TEST(Confine, AbortAndFaultsKeepTheirSignals) {
  EXPECT_EQ(WTERMSIG(run_confined({}, []() -> int { std::abort(); }).status), SIGABRT);
  const auto fault = [] {
    const auto one =
        static_cast<char*>(::mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    return static_cast<int>(*static_cast<volatile char*>(one));
  };
  // A handler of the plugin is gone with the rights of the zygote.
  const Confined run =
      run_confined({}, fault, {}, [] { (void)::signal(SIGSEGV, [](int) { ::_exit(0); }); });
  EXPECT_TRUE(WIFSIGNALED(run.status));
  EXPECT_EQ(WTERMSIG(run.status), SIGSEGV);
}

TEST(Confine, MemoryIsLimited) {
  const auto take = [] {
    const std::size_t size = std::size_t{256} << 20;
    void* const memory =
        ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? errno : answered;
  };
  EXPECT_EQ(run_confined(rule_of(64 << 20, 0), take).answer, ENOMEM);
  EXPECT_EQ(run_confined(rule_of(512 << 20, 0), take).answer, answered);
  EXPECT_EQ(run_confined(rule_of(0, 0), take).answer, answered);
}

TEST(Confine, ProcessorTimeIsLimited) {
  const IsolationRule rule = rule_of(0, 1);
  const Confined spent = run_confined(rule, [&] {
    if (is_spent(rule)) return 0;
    while (!is_spent(rule)) {
    }
    return answered;
  });
  EXPECT_EQ(spent.answer, answered);
  const Confined endless = run_confined(rule, []() -> int {
    for (;;) (void)is_spent({});
  });
  ASSERT_TRUE(WIFSIGNALED(endless.status));
  EXPECT_EQ(WTERMSIG(endless.status), SIGXCPU);
}

/// Errno of the call, or 0.
int error_of(long result) {
  return result < 0 ? errno : 0;
}

TEST(Confine, TheZygoteSeesNoFilesOnceRightsAreDropped) {
  int seen[4] = {-1, -1, -1, -1};
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    (void)enter_namespaces();
    if (::fork() == 0) {
      seen[0] = error_of(::open("/etc/passwd", O_RDONLY | O_CLOEXEC));
      seen[1] = error_of(::open("/tmp/confine_test", O_RDWR | O_CREAT | O_CLOEXEC, 0600));
      (void)drop_rights();
      seen[2] = error_of(::open("/etc/passwd", O_RDONLY | O_CLOEXEC));
      seen[3] = error_of(::mkdir("/x", 0700));
      if (::write(ends[1], seen, sizeof seen) < 0) ::_exit(1);
    }
    ::_exit(0);
  }
  ::close(ends[1]);
  ASSERT_EQ(::read(ends[0], seen, sizeof seen), static_cast<ssize_t>(sizeof seen));
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  const Confined layers = run_confined({}, [] { return answered; });
  EXPECT_EQ(seen[0], 0);
  if (layers.error(Layer::mount_namespace) == 0) {
    EXPECT_EQ(seen[1], EROFS);
    EXPECT_NE(seen[2], 0);
    EXPECT_NE(seen[3], 0);
  }
  if (layers.error(Layer::landlock) == 0) {
    EXPECT_NE(seen[2], 0);
    EXPECT_NE(seen[3], 0);
  }
}

/// What `body` returns in process 1 of new namespaces, or -1.
int in_namespaces(const std::function<int()>& body) {
  int ends[2];
  if (::pipe(ends) != 0) return -1;
  const pid_t child = ::fork();
  if (child == 0) {
    (void)enter_namespaces();
    if (::fork() == 0) {
      const int answer = body();
      if (::write(ends[1], &answer, sizeof answer) < 0) ::_exit(1);
      ::_exit(0);
    }
    ::_exit(0);
  }
  ::close(ends[1]);
  int answer = -1;
  if (::read(ends[0], &answer, sizeof answer) != static_cast<ssize_t>(sizeof answer)) answer = -1;
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  return answer;
}

TEST(Confine, ConstructorsCannotMakeFilesWritable) {
  if (run_confined({}, [] { return answered; }).error(Layer::mount_namespace) != 0)
    GTEST_SKIP() << "the kernel refuses mount namespaces";
  const int error = in_namespaces([] {
    (void)::mount("none", "/", nullptr, MS_REMOUNT | MS_BIND, nullptr);
    (void)::umount2("/", MNT_DETACH);
    return error_of(::open("/tmp/confine_test", O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  });
  EXPECT_EQ(error, EROFS);
}

TEST(Confine, ProcessesAndThreadsOfConstructorsAreFound) {
  if (run_confined({}, [] { return answered; }).error(Layer::pid_namespace) != 0)
    GTEST_SKIP() << "the kernel refuses process namespaces";
  const auto alone = [] { return end_others() ? 1 : 0; };
  EXPECT_EQ(in_namespaces(alone), 1);
  const auto after_fork = [&] {
    const pid_t left = ::fork();
    if (left == 0)
      for (;;) ::pause();
    return alone() == 1 && ::kill(left, 0) != 0 && errno == ESRCH ? 1 : 0;
  };
  EXPECT_EQ(in_namespaces(after_fork), 1);
  const auto after_thread = [&] {
    std::thread([] {
      for (;;) ::pause();
    }).detach();
    return alone();
  };
  EXPECT_EQ(in_namespaces(after_thread), 0);
}

TEST(Confine, ConstructorsCannotSignalProcessesOutside) {
  const pid_t child = ::fork();
  if (child == 0) {
    if (forbid_signals() != 0) ::_exit(2);
    const pid_t own = ::fork();
    if (own == 0)
      for (;;) ::pause();
    const bool is_forbidden = ::kill(::getppid(), 0) != 0 && errno == EPERM;
    const bool is_allowed = ::kill(own, SIGKILL) == 0;
    ::waitpid(own, nullptr, 0);
    ::_exit(is_forbidden && is_allowed ? 0 : 1);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == 2) GTEST_SKIP() << "the kernel has no such rule (Landlock 6)";
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(Confine, TheZygoteHasNoCapabilities) {
  __user_cap_data_struct data[2] = {};
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    (void)enter_namespaces();
    if (::fork() == 0) {
      (void)drop_rights();
      __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
      ::syscall(SYS_capget, &header, data);
      if (::write(ends[1], data, sizeof data) < 0) ::_exit(1);
    }
    ::_exit(0);
  }
  ::close(ends[1]);
  data[0].effective = 1;
  ASSERT_EQ(::read(ends[0], data, sizeof data), static_cast<ssize_t>(sizeof data));
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  for (const auto& half : data) EXPECT_EQ(half.effective | half.permitted | half.inheritable, 0u);
}

}  // namespace
}  // namespace polycodec::sandbox
