// SPDX-License-Identifier: MIT
#include "registry/sandbox/confine.hpp"

#include "registry/sandbox/landlock.hpp"
#include "registry/sandbox/namespaces.hpp"
#include "registry/sandbox/system_call_filter.hpp"

#include <fcntl.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace polycodec::sandbox {
namespace {

/// Descriptors that a worker may have: the control socket, arenas, inputs.
constexpr rlim_t most_descriptors = 64;

/// Private memory that the zygote had when it dropped its rights. A sanitizer's shadow is in it.
std::uint64_t memory_before = 0;

std::uint64_t private_memory() {
  const int fd = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  char text[256] = {};
  const ssize_t size = ::read(fd, text, sizeof text - 1);
  ::close(fd);
  unsigned long long data = 0;  // the sixth number, in pages
  if (size <= 0 || std::sscanf(text, "%*u %*u %*u %*u %*u %llu", &data) != 1) return 0;
  return data * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

int drop_capabilities() {
  for (unsigned long capability = 0; capability <= CAP_LAST_CAP; ++capability)
    (void)::prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  const __user_cap_data_struct none[2] = {};
  return ::syscall(SYS_capset, &header, none) == 0 ? 0 : errno;
}

/// A handler of the plugin would hide the death of a worker.
void reset_signals() {
  struct sigaction standard = {};
  standard.sa_handler = SIG_DFL;
  for (int number = 1; number < NSIG; ++number) (void)::sigaction(number, &standard, nullptr);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

int set_limit(__rlimit_resource resource, std::uint64_t most) {
  const rlimit limit{most, most};
  return ::setrlimit(resource, &limit) == 0 ? 0 : errno;
}

int set_limits(const IsolationRule& rule) {
  int error = set_limit(RLIMIT_CORE, 0);
  const auto also = [&](int result) { error = error != 0 ? error : result; };
  also(set_limit(RLIMIT_FSIZE, 0));
  also(set_limit(RLIMIT_MEMLOCK, 0));
  also(set_limit(RLIMIT_NOFILE, most_descriptors));
  if (rule.memory_bytes != 0 && rule.memory_bytes < RLIM_INFINITY - memory_before)
    also(set_limit(RLIMIT_DATA, memory_before + rule.memory_bytes));
  // The first limit sends SIGXCPU, which says why. A worker that blocks that is killed by the
  // second.
  if (const std::uint64_t most = std::uint64_t{rule.cpu_seconds} * 2; most != 0) {
    const rlimit limit{most, most + 1};
    also(::setrlimit(RLIMIT_CPU, &limit) == 0 ? 0 : errno);
  }
  return error;
}

}  // namespace

bool end_others() {
  if (::getpid() <= 2) {
    ::kill(-1, SIGKILL);
    while (::waitpid(-1, nullptr, __WALL) > 0) continue;
  }
  struct stat tasks {};
  // A directory has a link for each directory in it, and two of its own.
  return ::stat("/proc/self/task", &tasks) == 0 && tasks.st_nlink == 3;
}

std::vector<LayerResult> drop_rights() {
  std::vector<LayerResult> results;
  reset_signals();
  memory_before = private_memory();
  int privileges = ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 ? 0 : errno;
  if (const int root = leave_files(); root != 0) results.push_back({Layer::mount_namespace, root});
  if (const int error = drop_capabilities(); privileges == 0) privileges = error;
  results.push_back({Layer::no_new_privileges, privileges});
  results.push_back({Layer::landlock, restrict_by_landlock()});
  results.push_back({Layer::not_dumpable, ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 ? 0 : errno});
  return results;
}

std::array<LayerResult, 2> confine_worker(const IsolationRule& rule, ForbiddenCallHook hook) {
  const int limits = set_limits(rule);
  return {{{Layer::limits, limits}, {Layer::seccomp, filter_system_calls(hook)}}};
}

bool is_spent(const IsolationRule& rule) noexcept {
  timespec used{};
  return rule.cpu_seconds != 0 && ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) == 0 &&
         used.tv_sec >= static_cast<std::time_t>(rule.cpu_seconds);
}

}  // namespace polycodec::sandbox
