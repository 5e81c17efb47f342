// SPDX-License-Identifier: MIT
#include "interrupt.hpp"

#include <pthread.h>

#include <csignal>

namespace polycodec_python {
namespace {

pthread_t main_thread;
std::atomic<Interrupt*> innermost{nullptr};  // that watches
// Of Python. Written by the outermost watch before its handler is in place.
struct sigaction python_action;

}  // namespace

void Interrupt::set_up() {
  main_thread = pthread_self();
  // The thread that forks is the main thread of the child.
  pthread_atfork(nullptr, nullptr, [] { main_thread = pthread_self(); });
}

void Interrupt::handle(int signal) {
  for (Interrupt* call = innermost.load(); call != nullptr; call = call->outer_) call->set();
  if (python_action.sa_handler != nullptr) python_action.sa_handler(signal);
}

void Interrupt::watch() noexcept {
  if (watches_ || !install()) return;
  const nb::gil_scoped_acquire locked;
  if (PyErr_CheckSignals() == 0) return;
  // Python's handler has run, and will not run again when the call has returned.
  nb::python_error error;
  end_with(error);
}

void Interrupt::end_with(const nb::python_error& error) noexcept {
  exception_ = nb::borrow(error.value());
  set();
}

bool Interrupt::install() noexcept {
  if (pthread_equal(pthread_self(), main_thread) == 0) return false;
  outer_ = innermost.load();
  if (outer_ == nullptr) {
    struct sigaction own {};
    own.sa_handler = &Interrupt::handle;
    own.sa_flags = SA_ONSTACK;  // as Python's
    sigemptyset(&own.sa_mask);
    struct sigaction before;
    // A signal between these lines finds the handler of an earlier call, which is Python's as well.
    if (sigaction(SIGINT, &own, &before) != 0) return false;
    if ((before.sa_flags & SA_SIGINFO) != 0 || before.sa_handler == SIG_DFL ||
        before.sa_handler == SIG_IGN) {
      sigaction(SIGINT, &before, nullptr);
      return false;
    }
    python_action = before;
  }
  watches_ = true;
  innermost.store(this);
  return true;
}

Interrupt::~Interrupt() {
  if (!watches_) return;
  innermost.store(outer_);
  if (outer_ == nullptr) sigaction(SIGINT, &python_action, nullptr);
}

}  // namespace polycodec_python
