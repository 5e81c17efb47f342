// SPDX-License-Identifier: MIT
#include "registry/sandbox/system_call_filter.hpp"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <utility>

namespace polycodec::sandbox {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t machine = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t machine = AUDIT_ARCH_AARCH64;
#else
#error "the system calls of this machine are not listed"
#endif

/// The newest number of this list of calls, cachestat to lsm_list_modules of Linux 6.8. A C library
/// that tries a newer call falls back when it answers ENOSYS. The numbers of x32 are above them.
constexpr std::uint32_t newest = 461;
constexpr std::uint32_t x32 = 0x40000000;

/// Allowed whatever their arguments are.
constexpr int allowed[] = {
    SYS_read,
    SYS_write,
    SYS_readv,
    SYS_writev,
    SYS_pread64,
    SYS_recvmsg,
    SYS_sendmsg,
    SYS_recvfrom,
    SYS_sendto,
    SYS_ppoll,
    SYS_close,
    SYS_fstat,
    SYS_lseek,
    SYS_munmap,
    SYS_mremap,
    SYS_madvise,
    SYS_brk,
    SYS_futex,
    SYS_clock_gettime,
    SYS_clock_getres,
    SYS_clock_nanosleep,
    SYS_nanosleep,
    SYS_gettimeofday,
    SYS_times,
    SYS_getrusage,
    SYS_exit,
    SYS_exit_group,
    SYS_rt_sigreturn,
    SYS_rt_sigprocmask,
    SYS_sigaltstack,
    SYS_restart_syscall,
    SYS_getpid,
    SYS_getppid,
    SYS_gettid,
    SYS_getuid,
    SYS_geteuid,
    SYS_getgid,
    SYS_getegid,
    SYS_uname,
    SYS_sysinfo,
    SYS_getcpu,
    SYS_sched_yield,
    SYS_sched_getaffinity,
    SYS_getrandom,
#if defined(POLYCODEC_SANDBOX_SANITIZED)  // a sanitizer asks a pipe whether memory can be read
    SYS_pipe2,
#endif
#if defined(__x86_64__)
    SYS_poll,
    SYS_time,
#endif
};

/// Allowed or not as their arguments are, or answered with an error.
constexpr int checked[] = {SYS_mmap,   SYS_mprotect, SYS_newfstatat, SYS_prlimit64,
                           SYS_tgkill, SYS_ioctl,    SYS_getcwd,     SYS_rt_sigaction};

/// Numbers without a gap that have one answer.
struct Row {
  std::uint32_t first = 0, last = 0;
  bool is_checked = false;
};

/// All of them, in order.
constexpr auto rows_of_calls = [] {
  std::array<Row, std::size(allowed) + std::size(checked)> rows{};
  std::size_t n = 0;
  for (const int number : allowed)
    rows[n++] = {std::uint32_t(number), std::uint32_t(number), false};
  for (const int number : checked) rows[n++] = {std::uint32_t(number), std::uint32_t(number), true};
  std::ranges::sort(rows, {}, &Row::first);
  std::size_t kept = 0;
  for (const Row& row : rows)
    if (Row& before = rows[kept == 0 ? 0 : kept - 1];
        kept != 0 && !row.is_checked && !before.is_checked && row.first <= before.last + 1)
      before.last = row.last;
    else
      rows[kept++] = row;
  return std::pair(rows, kept);
}();

static_assert(rows_of_calls.second < 48, "jumps have 8 bits");

/// A program of the Berkeley packet filter, in room of its own: nothing is allocated after a fork.
class Program {
 public:
  constexpr void add(std::uint16_t code, std::uint32_t k, unsigned yes = 0, unsigned no = 0) {
    code_[size_++] = {code, static_cast<std::uint8_t>(yes), static_cast<std::uint8_t>(no), k};
  }
  constexpr void load(std::size_t offset) {
    add(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset));
  }
  /// The lower half of an argument, or the upper one.
  constexpr void load_argument(std::size_t index, bool upper = false) {
    load(offsetof(seccomp_data, args) + index * 8 + (upper ? 4 : 0));
  }
  constexpr void answer(std::uint32_t action) { add(BPF_RET | BPF_K, action); }
  /// What follows, up to end(), holds for one call.
  constexpr void begin(int number) {
    skip_ = size_;
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(number));
  }
  constexpr void end() { code_[skip_].jf = static_cast<std::uint8_t>(size_ - skip_ - 1); }
  /// Traps unless the bits of the argument are all unset.
  constexpr void need_unset(std::size_t argument, std::uint32_t bits) {
    load_argument(argument);
    add(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1);
    answer(SECCOMP_RET_TRAP);
  }
  constexpr void need_equal(std::size_t argument, std::uint32_t value) {
    load_argument(argument);
    add(BPF_JMP | BPF_JEQ | BPF_K, value, 1, 0);
    answer(SECCOMP_RET_TRAP);
  }
  constexpr void need_zero(std::size_t argument) {
    need_equal(argument, 0);
    load_argument(argument, true);
    add(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0);
    answer(SECCOMP_RET_TRAP);
  }
  /// Finds the row of the number that is loaded. Half of the rows are left after each step: the
  /// kernel runs the program for all numbers whenever it is installed.
  constexpr void find(std::span<const Row> rows) {
    if (rows.size() > 1) {
      const std::size_t half = rows.size() / 2;
      const std::size_t at = size_;
      add(BPF_JMP | BPF_JGE | BPF_K, rows[half].first);
      find(rows.first(half));
      code_[at].jt = static_cast<std::uint8_t>(size_ - at - 1);
      find(rows.subspan(half));
    } else if (rows[0].is_checked) {
      add(BPF_JMP | BPF_JEQ | BPF_K, rows[0].first, to_checks, to_others);
    } else {
      add(BPF_JMP | BPF_JGE | BPF_K, rows[0].first, 0, to_others);
      add(BPF_JMP | BPF_JGT | BPF_K, rows[0].last, to_others, 0);
      answer(SECCOMP_RET_ALLOW);
    }
  }
  /// The jumps of find() that went to `place` lead here.
  constexpr void set_place(unsigned place) {
    for (std::size_t i = 0; i < size_; ++i)
      for (std::uint8_t* const jump : {&code_[i].jt, &code_[i].jf})
        if (*jump == place) *jump = static_cast<std::uint8_t>(size_ - i - 1);
  }
  static constexpr unsigned to_checks = 254, to_others = 255;
  sock_fprog view() { return {static_cast<unsigned short>(size_), code_.data()}; }

 private:
  std::array<sock_filter, 256> code_{};
  std::size_t size_ = 0, skip_ = 0;
};

void add_checked_calls(Program& program) {
  // Memory that is written never becomes code.
  for (const int number : {SYS_mmap, SYS_mprotect}) {
    program.begin(number);
    program.need_unset(2, PROT_EXEC);
    program.answer(SECCOMP_RET_ALLOW);
    program.end();
  }
  // The C library asks for the size of an open file so. No path is looked up without an empty one.
  program.begin(SYS_newfstatat);
  program.need_equal(3, AT_EMPTY_PATH);
  program.answer(SECCOMP_RET_ALLOW);
  program.end();
  // Limits can be read, of this process alone.
  program.begin(SYS_prlimit64);
  program.need_zero(0);
  program.need_zero(2);
  program.answer(SECCOMP_RET_ALLOW);
  program.end();
  // abort() sends a signal to its own process.
  program.begin(SYS_tgkill);
  program.need_equal(0, static_cast<std::uint32_t>(::getpid()));
  program.answer(SECCOMP_RET_ALLOW);
  program.end();
  const auto fails = [&](int number, std::uint32_t error) {
    program.begin(number);
    program.answer(SECCOMP_RET_ERRNO | error);
    program.end();
  };
  fails(SYS_ioctl, ENOTTY);        // standard streams ask whether they are terminals
  fails(SYS_getcwd, ENOENT);       // libraries that complete the names of files
  fails(SYS_rt_sigaction, EPERM);  // a handler would hide the death of the worker
}

ForbiddenCallHook forbidden_call_hook = nullptr;

void on_forbidden_call(int, siginfo_t* info, void*) {
  if (forbidden_call_hook != nullptr) forbidden_call_hook(info->si_syscall);
  ::_exit(128 + SIGSYS);
}

}  // namespace

int filter_system_calls(ForbiddenCallHook hook) {
  forbidden_call_hook = hook;
  struct sigaction action = {};
  action.sa_sigaction = on_forbidden_call;
  action.sa_flags = SA_SIGINFO;
  if (::sigaction(SIGSYS, &action, nullptr) != 0) return errno;

  Program program;
  program.load(offsetof(seccomp_data, arch));
  program.add(BPF_JMP | BPF_JEQ | BPF_K, machine, 1, 0);
  program.answer(SECCOMP_RET_KILL_PROCESS);
  program.load(offsetof(seccomp_data, nr));
  program.find(std::span(rows_of_calls.first).first(rows_of_calls.second));
  program.set_place(Program::to_checks);
  add_checked_calls(program);
  program.set_place(Program::to_others);
  program.add(BPF_JMP | BPF_JGT | BPF_K, newest, 0, 2);
  program.add(BPF_JMP | BPF_JGE | BPF_K, x32, 1, 0);
  program.answer(SECCOMP_RET_ERRNO | ENOSYS);
  program.answer(SECCOMP_RET_TRAP);
  const sock_fprog code = program.view();
  return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &code, 0, 0) == 0 ? 0 : errno;
}

}  // namespace polycodec::sandbox
