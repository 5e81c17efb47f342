// SPDX-License-Identifier: MIT
// Lack of memory, at each allocation in turn: an error, and never the end of the process. A program
// of its own, because it replaces the functions that allocate.

#include "plugin_directory.hpp"
#include "registry/codec/codec_handle.hpp"
#include "registry/codec/registry.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <iostream>
#include <new>
#include <stdexcept>

namespace {

/// Allocations until the one that fails; negative: none fails.
std::atomic<long> until_failure{-1};
std::atomic<bool> all_later{false}, has_failed{false};

bool fails() noexcept {
  if (until_failure.load(std::memory_order_relaxed) < 0) return false;
  if (until_failure.fetch_sub(1, std::memory_order_relaxed) != 0) return false;
  if (all_later.load(std::memory_order_relaxed)) until_failure.store(0);
  has_failed.store(true);
  errno = ENOMEM;
  return true;
}

}  // namespace

// What the C library offers to programs that have a malloc() of their own.
extern "C" {
void* __libc_malloc(std::size_t size);                 // NOLINT
void* __libc_calloc(std::size_t n, std::size_t size);  // NOLINT
void* __libc_realloc(void* old, std::size_t size);     // NOLINT

void* malloc(std::size_t size) noexcept {
  return fails() ? nullptr : __libc_malloc(size);
}
void* calloc(std::size_t n, std::size_t size) noexcept {
  return fails() ? nullptr : __libc_calloc(n, size);
}
void* realloc(void* old, std::size_t size) noexcept {
  return fails() ? nullptr : __libc_realloc(old, size);
}
}

namespace polycodec {
namespace {

enum Outcome : int { finished = 10, refused, unexpected };

/// Runs `body` in a child in which allocation `number`, and perhaps each later one, fails. Returns
/// its exit status, or 128 and the number of the signal that ended it.
template <class Body>
int run_without_memory(long number, bool later, Body&& body) {
  const pid_t child = ::fork();
  if (child == 0) {
    int outcome = refused;
    all_later.store(later);
    until_failure.store(number);
    try {
      body();
      outcome = has_failed.load() ? refused : finished;  // it did without
    } catch (const Error&) {
    } catch (const std::bad_alloc&) {
    } catch (const std::exception& e) {
      until_failure.store(-1);
      std::cerr << e.what() << "\n";
      outcome = unexpected;
    }
    until_failure.store(-1);
    ::_exit(outcome);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

class Allocation : public PluginDirectory {
 protected:
  template <class Body>
  static void fail_each(Body&& body) {
    for (const bool later : {false, true}) {
      int outcome = refused;
      long number = 0;
      for (; outcome == refused; ++number) {
        outcome = run_without_memory(number, later, body);
        // The C++ library needs memory to throw, of which it has a little in store.
        ASSERT_TRUE(outcome == refused || outcome == finished)
            << "allocation " << number << (later ? " and all later ones" : "") << ": " << outcome;
      }
      EXPECT_GT(number, 50);
    }
  }
};

TEST_F(Allocation, OpeningARegistryFailsWithAnError) {
  install_sample(directory);
  RegistryOptions with = options();
  with.default_options = {{"test.raw", R"({"level": 3})"}};
  const std::size_t all = Registry::open(with).codecs().size();
  fail_each([&] {
    // A plugin that is left out for lack of memory would be loss in silence.
    if (Registry::open(with).codecs().size() != all) throw std::logic_error("a codec is missing");
  });
}

TEST_F(Allocation, LoadingAPluginAndDecodingFailsWithAnError) {
  install_sample(directory);
  const Registry registry = Registry::open(options());
  const Source source = Source::owned("abc");
  fail_each([&] {
    const Codec codec = registry.codec("test.raw");
    const Value value = codec.decode(source);
    (void)codec.encode_to_string(value.view());
  });
}

}  // namespace
}  // namespace polycodec
