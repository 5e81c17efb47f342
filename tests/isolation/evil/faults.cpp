// SPDX-License-Identifier: MIT
#include "deed.hpp"

#include <alloca.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <csetjmp>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace evil {
namespace {

Node die_by(int signal) {
  ::raise(signal);
  return Builder::null();
}

/// Depth that no compiler turns into a loop.
std::size_t descend(volatile char* above) {
  if (above == nullptr) return 0;
  volatile char here[4096];
  here[0] = above[0];
  return descend(here) + static_cast<std::size_t>(here[0]);
}

const Deed all[] = {
    {"segv",
     [](Call&, std::string_view, Builder&) {
       volatile std::uintptr_t nowhere = 16;
       *reinterpret_cast<volatile int*>(nowhere) = 1;
       return Builder::null();
     }},
    {"bus", [](Call&, std::string_view, Builder&) { return die_by(SIGBUS); }},
    {"fpe", [](Call&, std::string_view, Builder&) { return die_by(SIGFPE); }},
    {"ill", [](Call&, std::string_view, Builder&) { return die_by(SIGILL); }},
    {"kill-self", [](Call&, std::string_view, Builder&) { return die_by(SIGKILL); }},
    {"terminate-self", [](Call&, std::string_view, Builder&) { return die_by(SIGTERM); }},
    {"stop-self", [](Call&, std::string_view, Builder&) { return die_by(SIGSTOP); }},
    {"abort", [](Call&, std::string_view, Builder&) -> Node { std::abort(); }},
    {"terminate", [](Call&, std::string_view, Builder&) -> Node { std::terminate(); }},
    {"exit", [](Call&, std::string_view, Builder&) -> Node { std::exit(0); }},
    {"quick-exit", [](Call&, std::string_view, Builder&) -> Node { ::_exit(0); }},
    {"exit-thread",
     [](Call&, std::string_view, Builder&) {
       ::syscall(SYS_exit, 0);
       return Builder::null();
     }},
    {"longjmp",
     [](Call&, std::string_view, Builder&) -> Node {
       static std::jmp_buf nowhere;
       std::memset(&nowhere, 0x41, sizeof nowhere);
       std::longjmp(nowhere, 1);
     }},
    {"throw", [](Call&, std::string_view, Builder&) -> Node { throw 42; }},
    {"stack",
     [](Call&, std::string_view, Builder&) {
       volatile char here[1] = {};
       return Builder::integer(static_cast<std::int64_t>(descend(here)));
     }},
    {"double-free",
     [](Call&, std::string_view, Builder&) {
       void* const memory = std::malloc(100);
       volatile auto again = memory;
       std::free(memory);
       std::free(again);
       return Builder::null();
     }},
    {"smash",
     [](Call&, std::string_view, Builder&) -> Node {
       // Everything above this frame, up to the end of the stack.
       volatile char here[8];
       for (volatile char* at = here;; ++at) *at = 'A';
     }},
    {"loop",
     [](Call&, std::string_view, Builder&) -> Node {
       for (volatile std::uint64_t i = 0;;) i = i + 1;
     }},
    {"sleep",
     [](Call&, std::string_view, Builder&) -> Node {
       for (;;) ::usleep(100000);
     }},
    {"blocked-signals",
     [](Call&, std::string_view, Builder&) -> Node {
       sigset_t every;
       sigfillset(&every);
       ::sigprocmask(SIG_BLOCK, &every, nullptr);
       for (;;) ::usleep(100000);
     }},
    {"slow-clock",
     [](Call&, std::string_view, Builder&) -> Node {
       timespec now;
       for (;;) ::clock_gettime(CLOCK_MONOTONIC, &now);
     }},
};

}  // namespace

std::span<const Deed> faults() {
  return all;
}

}  // namespace evil
