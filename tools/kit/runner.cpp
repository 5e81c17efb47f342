// SPDX-License-Identifier: MIT
#include "runner.hpp"

#include <polycodec/error.hpp>

#include "plugin.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <new>

namespace polycodec::kit {
namespace {

constexpr std::size_t note_size = 512;

// Shared with the child, so that the last note survives a crash.
struct Shared {
  Tally tally;
  char note[note_size];
};
Shared& shared() {
  static Shared* const page = [] {
    void* p =
        ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? new Shared{} : new (p) Shared{};
  }();
  return *page;
}

std::string noted() {
  const char* const text = shared().note;
  if (text[0] == '\0') return {};
  return " (during: " + std::string(text, ::strnlen(text, note_size)) + ")";
}

/// Standard output and standard error go to a file in memory as long as this lives.
class OutputTrap {
 public:
  OutputTrap() : file_(::memfd_create("output", MFD_CLOEXEC)), out_(::dup(1)), err_(::dup(2)) {
    std::fflush(nullptr);
    ::dup2(file_, 1);
    ::dup2(file_, 2);
  }
  ~OutputTrap() {
    restore();
    ::close(file_);
  }
  OutputTrap(const OutputTrap&) = delete;
  OutputTrap& operator=(const OutputTrap&) = delete;

  void restore() {
    if (out_ < 0) return;
    std::fflush(nullptr);
    ::dup2(out_, 1);
    ::dup2(err_, 2);
    ::close(out_);
    ::close(err_);
    out_ = err_ = -1;
  }
  /// The first bytes of what was written.
  std::string text() const {
    char buffer[2000];
    const auto n = ::pread(file_, buffer, sizeof buffer, 0);
    return n > 0 ? std::string(buffer, static_cast<std::size_t>(n)) : std::string();
  }

 private:
  int file_, out_, err_;
};

std::string& last_warning() {
  static std::string text;
  return text;
}

Result run_here(const Case& c) {
  last_warning().clear();
  try {
    c.run();
    return {Outcome::passed, last_warning(), 0};
  } catch (const Failure& f) {
    return {Outcome::failed, f.message, 0};
  } catch (const Skip& s) {
    return {Outcome::skipped, s.reason, 0};
  } catch (const Error& e) {
    return {Outcome::failed, e.describe(), 0};
  } catch (const std::exception& e) {
    return {Outcome::failed, std::string("an exception: ") + e.what(), 0};
  }
}

void check_output(Result& result, const OutputTrap& trap) {
  const std::string text = trap.text();
  if (text.empty()) return;
  result.message += (result.message.empty() ? "" : "\n") +
                    std::string("the plugin wrote to standard output: ") + text;
  result.outcome = Outcome::failed;
}

[[noreturn]] void run_child(const Case& c, int pipe) {
  const Result result = run_here(c);
  std::string message(1, static_cast<char>('0' + static_cast<int>(result.outcome)));
  message += result.message;
  for (std::size_t sent = 0; sent < message.size();) {
    const auto n = ::write(pipe, message.data() + sent, message.size() - sent);
    if (n <= 0) break;
    sent += static_cast<std::size_t>(n);
  }
  std::fflush(nullptr);
  ::_exit(0);
}

/// Reads until the pipe is closed; false if the time ran out.
bool read_until(int pipe, std::chrono::steady_clock::time_point deadline, std::string& text) {
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    pollfd waiting = {pipe, POLLIN, 0};
    if (::poll(&waiting, 1, static_cast<int>(left.count())) <= 0) continue;
    char buffer[4096];
    const auto n = ::read(pipe, buffer, sizeof buffer);
    if (n <= 0) return true;
    text.append(buffer, static_cast<std::size_t>(n));
  }
}

Result run_apart(const Case& c, const Settings& settings) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return {Outcome::failed, "no pipe: " + std::string(std::strerror(errno)), 0};
  OutputTrap trap;
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    run_child(c, ends[1]);
  }
  ::close(ends[1]);
  trap.restore();
  if (child < 0) {
    ::close(ends[0]);
    return {Outcome::failed, "no process: " + std::string(std::strerror(errno)), 0};
  }

  std::string report;
  const auto deadline =
      std::chrono::steady_clock::now() + std::chrono::seconds(settings.timeout_seconds);
  const bool in_time = read_until(ends[0], deadline, report);
  ::close(ends[0]);
  if (!in_time) ::kill(child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }

  Result result;
  if (!in_time) {
    result.message =
        "took longer than " + std::to_string(settings.timeout_seconds) + " s" + noted();
  } else if (WIFSIGNALED(status)) {
    result.message = std::string("crashed: ") + ::strsignal(WTERMSIG(status)) + noted();
  } else if (report.empty()) {
    result.message =
        "ended the process with status " + std::to_string(WEXITSTATUS(status)) + noted();
  } else {
    result.outcome = static_cast<Outcome>(report[0] - '0');
    result.message = report.substr(1);
  }
  check_output(result, trap);
  return result;
}

}  // namespace

Tally& tally() {
  return shared().tally;
}

void note(std::string_view step) {
  char* const page = shared().note;
  const std::size_t size = step.size() < note_size - 1 ? step.size() : note_size - 1;
  if (size != 0) std::memcpy(page, step.data(), size);
  page[size] = '\0';
}

void remark(std::string text) {
  last_warning() = std::move(text);
}

Result run_case(const Case& c, const Settings& settings) {
  note({});
  const auto start = std::chrono::steady_clock::now();
  Result result;
  if (settings.in_process) {
    OutputTrap trap;
    result = run_here(c);
    trap.restore();
    check_output(result, trap);
  } else {
    result = run_apart(c, settings);
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace polycodec::kit
