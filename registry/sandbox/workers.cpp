// SPDX-License-Identifier: MIT
#include "registry/sandbox/workers.hpp"

#include <polycodec/error.hpp>

#include "registry/sandbox/worker.hpp"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <utility>

namespace polycodec::sandbox {
namespace {

constexpr std::uint64_t common_stack = std::uint64_t{8} << 20;

std::uint64_t stack_bytes() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return common_stack;
  return limit.rlim_cur;
}

void end(pid_t pid) {
  ::kill(pid, SIGKILL);
  ::waitpid(pid, nullptr, 0);
}

}  // namespace

Workers::Worker Workers::make() {
  auto [host, own] = Channel::make();
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) throw Error(Status::memory, "the system has no room for a worker process");
  if (pid == 0) {
    // Ends with the zygote, which ends with the host.
    if (::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0 || ::getppid() != parent) ::_exit(0);
    control_ = Channel();
    host = Channel();
    sandbox::Worker(*loaded_.plugin, loaded_.manifest, loaded_.rule, std::move(own), loaded_.window,
                    stack_bytes())
        .run();
  }
  FileHandle process(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  if (!process.is_open()) {
    end(pid);
    throw Error(Status::plugin, "the system has no descriptor for a worker process");
  }
  return {pid, std::move(host), std::move(process)};
}

void Workers::hand_out(Message& message) {
  const Worker worker = make();
  message.a[0] = static_cast<std::uint64_t>(worker.pid);
  const int descriptors[] = {worker.channel.descriptor(), worker.process.get()};
  if (control_.send(message, descriptors)) return;
  end(worker.pid);
  throw Error(Status::plugin, "the system has no descriptor for a worker process");
}

std::uint64_t Workers::reap(std::uint64_t number) {
  const auto pid = static_cast<pid_t>(number);
  int status = 0;
  ::kill(pid, SIGKILL);
  while (::waitpid(pid, &status, 0) < 0)
    if (errno != EINTR) return 0;
  return static_cast<std::uint64_t>(status);
}

void Workers::retire(std::uint64_t number) {
  retired_.push_back(static_cast<pid_t>(number));
}

bool Workers::forget_retired() noexcept {
  std::erase_if(retired_, [](pid_t pid) { return ::waitpid(pid, nullptr, WNOHANG) != 0; });
  return retired_.empty();
}

}  // namespace polycodec::sandbox
