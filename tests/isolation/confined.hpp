// SPDX-License-Identifier: MIT
// Runs a function in a worker as the sandbox makes one: a process in namespaces, a zygote without
// rights, a confined fork of it.
#pragma once

#include "registry/sandbox/confine.hpp"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <map>
#include <vector>

namespace polycodec::sandbox {

/// What came of a worker.
struct Confined {
  std::map<Layer, int> errors;  ///< of each layer; the last report counts
  int status = -1;              ///< of waitpid()
  int forbidden = -1;           ///< number of the system call that ended it
  int answer = -1;              ///< what the function returned

  /// Errors of one layer; -1: it was not tried.
  int error(Layer layer) const {
    const auto at = errors.find(layer);
    return at == errors.end() ? -1 : at->second;
  }
};

namespace detail {

struct Note {
  enum Kind : int { layer, status, forbidden, answer } kind;
  int a, b;
};
inline int notes = -1;

inline void put(Note::Kind kind, int a, int b = 0) {
  const Note note{kind, a, b};
  if (::write(notes, &note, sizeof note) != static_cast<ssize_t>(sizeof note)) ::_exit(99);
}

template <class Results>
void put_all(const Results& results) {
  for (const LayerResult& result : results)
    put(Note::layer, static_cast<int>(result.layer), result.error);
}

inline int wait_for(pid_t child) {
  int status = -1;
  ::waitpid(child, &status, 0);
  return status;
}

}  // namespace detail

/// `before` runs in the process that then enters the namespaces, `body` in the worker.
inline Confined run_confined(const IsolationRule& rule, const std::function<int()>& body,
                             const std::function<void()>& before = {},
                             const std::function<void()>& in_zygote = {}) {
  using namespace detail;
  int ends[2];
  if (::pipe(ends) != 0) std::abort();
  const pid_t first = ::fork();
  if (first == 0) {
    ::close(ends[0]);
    notes = ends[1];
    if (before) before();
    put_all(enter_namespaces());
    const pid_t zygote = ::fork();
    if (zygote == 0) {
      if (in_zygote) in_zygote();
      put_all(drop_rights());
      const pid_t worker = ::fork();
      if (worker == 0) {
        put_all(confine_worker(rule, [](int number) { put(Note::forbidden, number); }));
        put(Note::answer, body());
        ::_exit(0);
      }
      put(Note::status, wait_for(worker));
      ::_exit(0);
    }
    (void)wait_for(zygote);
    ::_exit(0);
  }
  ::close(ends[1]);
  Confined result;
  Note note;
  while (::read(ends[0], &note, sizeof note) == static_cast<ssize_t>(sizeof note)) {
    if (note.kind == Note::layer) result.errors[static_cast<Layer>(note.a)] = note.b;
    if (note.kind == Note::status) result.status = note.a;
    if (note.kind == Note::forbidden) result.forbidden = note.a;
    if (note.kind == Note::answer) result.answer = note.a;
  }
  ::close(ends[0]);
  (void)wait_for(first);
  return result;
}

/// Makes a system call of this process fail, as a kernel or a container without it does. `argument`
/// and `value` narrow it: the argument with this index has this value. 0 means any value.
inline void refuse_call(long number, int error, unsigned argument = 0, std::uint32_t value = 0) {
  const std::vector<sock_filter> code{
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(number), 0, 4),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
               static_cast<std::uint32_t>(offsetof(seccomp_data, args)) + argument * 8),
      BPF_STMT(BPF_ALU | BPF_AND | BPF_K, value == 0 ? 0 : UINT32_MAX),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error)),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  const sock_fprog program{static_cast<unsigned short>(code.size()),
                           const_cast<sock_filter*>(code.data())};
  // Without new privileges a user may install a filter; root may without this.
  if (::geteuid() != 0 && ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) ::_exit(98);
  if (::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) != 0) ::_exit(97);
}

}  // namespace polycodec::sandbox
