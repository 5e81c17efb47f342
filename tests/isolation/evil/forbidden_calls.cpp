// SPDX-License-Identifier: MIT
#include "deed.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>

namespace evil {
namespace {

/// What a call that was not ended answers: the host would see a good value.
Node survived(long result) {
  return Builder::integer(result);
}

const Deed all[] = {
    {"open-passwd",
     [](Call&, std::string_view, Builder&) { return survived(::open("/etc/passwd", O_RDONLY)); }},
    {"open-proc-root",
     [](Call&, std::string_view, Builder&) {
       return survived(::open("/proc/1/root/etc/shadow", O_RDONLY));
     }},
    {"open-proc-mem",
     [](Call&, std::string_view, Builder&) { return survived(::open("/proc/self/mem", O_RDWR)); }},
    {"create-file", [](Call&, std::string_view,
                       Builder&) { return survived(::open("/tmp/evil", O_RDWR | O_CREAT, 0600)); }},
    {"symlink", [](Call&, std::string_view,
                   Builder&) { return survived(::symlink("/etc/shadow", "/tmp/evil")); }},
    {"unlink", [](Call&, std::string_view, Builder&) { return survived(::unlink("/tmp/evil")); }},
    {"socket",
     [](Call&, std::string_view, Builder&) { return survived(::socket(AF_INET, SOCK_STREAM, 0)); }},
    {"exec", [](Call&, std::string_view,
                Builder&) { return survived(::execl("/bin/sh", "sh", "-c", "true", nullptr)); }},
    {"fork", [](Call&, std::string_view, Builder&) { return survived(::fork()); }},
    {"thread",
     [](Call&, std::string_view, Builder&) {
       pthread_t thread;
       return survived(::pthread_create(
           &thread, nullptr,
           [](void*) -> void* {
             for (;;) ::usleep(1000);
           },
           nullptr));
     }},
    {"ptrace",
     [](Call&, std::string_view, Builder&) {
       return survived(::ptrace(PTRACE_ATTACH, ::getppid(), nullptr, nullptr));
     }},
    {"kill-parent",
     [](Call&, std::string_view, Builder&) { return survived(::kill(::getppid(), SIGKILL)); }},
    {"kill-all", [](Call&, std::string_view, Builder&) { return survived(::kill(-1, SIGKILL)); }},
    {"raise-limits",
     [](Call&, std::string_view, Builder&) {
       const rlimit none{RLIM_INFINITY, RLIM_INFINITY};
       return survived(::setrlimit(RLIMIT_DATA, &none));
     }},
    {"dumpable",
     [](Call&, std::string_view, Builder&) { return survived(::prctl(PR_SET_DUMPABLE, 1)); }},
    {"pause", [](Call&, std::string_view, Builder&) { return survived(::pause()); }},
    {"become-root", [](Call&, std::string_view, Builder&) { return survived(::setuid(0)); }},
    {"memfd",
     [](Call&, std::string_view, Builder&) { return survived(::memfd_create("evil", 0)); }},
    {"code",
     [](Call&, std::string_view, Builder&) {
       const void* const memory = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
                                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
       return survived(memory == MAP_FAILED ? -1 : 0);
     }},
    {"timer",
     [](Call&, std::string_view, Builder&) {
       const itimerval soon{{0, 1000}, {0, 1000}};
       return survived(::setitimer(ITIMER_REAL, &soon, nullptr));
     }},
    {"shared-memory",
     [](Call&, std::string_view, Builder&) {
       return survived(::syscall(SYS_shmget, 0x1234, 4096, 01000 | 0600));
     }},
    {"io-uring",
     [](Call&, std::string_view, Builder&) {
       char parameters[256] = {};
       return survived(::syscall(SYS_io_uring_setup, 4, parameters));
     }},
    {"read-host",
     [](Call&, std::string_view, Builder&) {
       return survived(::syscall(SYS_process_vm_readv, ::getppid(), 0, 0, 0, 0, 0));
     }},
};

}  // namespace

std::span<const Deed> forbidden_calls() {
  return all;
}

}  // namespace evil
