// SPDX-License-Identifier: MIT
#include "registry/isolation/spawn.hpp"

#include "core/io/process.hpp"
#include "registry/load/library.hpp"
#include "registry/load/search_path.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

namespace polycodec::isolation {
namespace {

constexpr int control_descriptor = 3;

/// The few variables that loading libraries and sanitizers need: others may hold secrets.
std::vector<std::string> environment() {
  std::vector<std::string> kept;
  for (const char* name : {"LD_LIBRARY_PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS",
                           "TSAN_OPTIONS", "POLYCODEC_CPU", "TZ"})
    if (const char* value = trusted_environment(name))
      kept.push_back(std::string(name) + "=" + value);
  // Otherwise each new worker would look up the functions that it calls.
  kept.emplace_back("LD_BIND_NOW=1");
  return kept;
}

class SpawnActions {
 public:
  explicit SpawnActions(int control) {
    ::posix_spawn_file_actions_init(&files_);
    ::posix_spawnattr_init(&attributes_);
    for (const int standard : {0, 1, 2})
      keep(::posix_spawn_file_actions_addopen(&files_, standard, "/dev/null",
                                              standard == 0 ? O_RDONLY : O_WRONLY, 0));
    keep(::posix_spawn_file_actions_adddup2(&files_, control, control_descriptor));
    keep(::posix_spawn_file_actions_addclosefrom_np(&files_, control_descriptor + 1));
    sigset_t none, all;
    ::sigemptyset(&none);
    ::sigfillset(&all);
    keep(::posix_spawnattr_setsigmask(&attributes_, &none));
    keep(::posix_spawnattr_setsigdefault(&attributes_, &all));
    keep(::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF));
  }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;
  ~SpawnActions() {
    ::posix_spawn_file_actions_destroy(&files_);
    ::posix_spawnattr_destroy(&attributes_);
  }

  int spawn(pid_t& pid, const char* path, char* const* arguments, char* const* variables) {
    return error_ != 0 ? error_
                       : ::posix_spawn(&pid, path, &files_, &attributes_, arguments, variables);
  }

 private:
  void keep(int error) { error_ = error_ != 0 ? error_ : error; }
  posix_spawn_file_actions_t files_;
  posix_spawnattr_t attributes_;
  int error_ = 0;
};

/// The same by fork(), after which only functions that signal handlers may call are called.
int spawn_by_fork(pid_t& pid, int control, const char* path, char* const* arguments,
                  char* const* variables) {
  rlimit descriptors{};
  if (::getrlimit(RLIMIT_NOFILE, &descriptors) != 0) return errno;
  pid = ::fork();
  if (pid < 0) return errno;
  if (pid > 0) return 0;
  struct sigaction standard = {};
  standard.sa_handler = SIG_DFL;
  for (int number = 1; number < NSIG; ++number) (void)::sigaction(number, &standard, nullptr);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  const int nowhere = ::open("/dev/null", O_RDWR);
  const int high = ::fcntl(control, F_DUPFD, control_descriptor + 1);
  if (nowhere < 0 || high < 0) ::_exit(127);
  for (const int standard_stream : {0, 1, 2}) ::dup2(nowhere, standard_stream);
  ::dup2(high, control_descriptor);
  const auto most = static_cast<int>(std::min<rlim_t>(descriptors.rlim_cur, 1 << 16));
  for (int fd = control_descriptor + 1; fd < most; ++fd) ::close(fd);
  ::execve(path, arguments, variables);
  ::_exit(127);
}

}  // namespace

pid_t spawn_sandbox(int control) {
  const std::filesystem::path path = library_directory() / "polycodec" / "polycodec-sandbox";
  std::string name = "polycodec-sandbox";
  char* const arguments[] = {name.data(), nullptr};
  std::vector<std::string> variables = environment();
  std::vector<char*> pointers;
  for (std::string& variable : variables) pointers.push_back(variable.data());
  pointers.push_back(nullptr);
  pid_t pid = -1;
  int error = SpawnActions(control).spawn(pid, path.c_str(), arguments, pointers.data());
  // Some containers forbid clone3() in a way that the C library takes for a failure.
  if (error == EPERM && ::access(path.c_str(), X_OK) == 0)
    error = spawn_by_fork(pid, control, path.c_str(), arguments, pointers.data());
  if (error != 0)
    throw LoadFailure{Stage::load,
                      "cannot start " + path.string() + " (" +
                          std::generic_category().message(error) +
                          "): isolated plugins need it; reinstall the package of polycodec, or set "
                          "policy.isolation to in-process"};
  return pid;
}

}  // namespace polycodec::isolation
