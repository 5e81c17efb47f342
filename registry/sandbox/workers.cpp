// SPDX-License-Identifier: MIT
#include "registry/sandbox/workers.hpp"

#include <polycodec/error.hpp>

#include "registry/sandbox/worker.hpp"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <utility>

namespace polycodec::sandbox {

using isolation::Op;

namespace {

constexpr std::uint64_t common_stack = std::uint64_t{8} << 20;

std::uint64_t stack_bytes() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return common_stack;
  return limit.rlim_cur;
}

}  // namespace

void Workers::fork(const Message& request, std::vector<FileHandle> descriptors) {
  if (descriptors.empty()) return;
  Channel channel(std::move(descriptors.front()));
  descriptors.erase(descriptors.begin());
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid == 0) {
    // Ends with the zygote, which ends with the host.
    if (::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0 || ::getppid() != parent) ::_exit(0);
    send_lines_to(nullptr);
    control_ = Channel();
    Worker(*loaded_.plugin, loaded_.manifest, loaded_.rule, loaded_.code, std::move(channel),
           loaded_.window, stack_bytes())
        .run(request, std::move(descriptors));
  }
  if (pid > 0) return;
  Message refusal;
  refusal.op = Op::ready;
  refusal.error = make_error();
  refusal.code =
      fill_error(&refusal.error, Status::memory, "the system has no room for a worker process");
  channel.send(refusal);
}

void Workers::reap(Message& message) {
  const auto pid = static_cast<pid_t>(std::exchange(message.a[0], 0));
  int status = 0;
  rusage used{};
  ::kill(pid, SIGKILL);
  while (::wait4(pid, &status, 0, &used) < 0)
    if (errno != EINTR) return;
  message.a[0] = static_cast<std::uint64_t>(status);
  message.a[1] = static_cast<std::uint64_t>(used.ru_maxrss) << 10;
}

void Workers::retire(std::uint64_t number) {
  if (number == 0) return;
  const auto pid = static_cast<pid_t>(number);
  ::kill(pid, SIGKILL);
  retired_.push_back(pid);
}

bool Workers::forget_retired() noexcept {
  std::erase_if(retired_, [](pid_t pid) { return ::waitpid(pid, nullptr, WNOHANG) != 0; });
  return retired_.empty();
}

}  // namespace polycodec::sandbox
