// SPDX-License-Identifier: MIT
// The library's own threads: how many there are, who waits, what a child of fork() has, and that
// results do not depend on them.
#include "core/call/thread_pool.hpp"

#include "core/io/mapping_guard.hpp"
#include "core/io/sink.hpp"
#include "registry/codec/registry.hpp"
#include "tests/support/error_of.hpp"
#include "tests/unit/registry/test_codec.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <barrier>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace polycodec;
using namespace std::chrono_literals;

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr bool has_sanitizer = true;
#elif defined(__has_feature)
constexpr bool has_sanitizer = __has_feature(thread_sanitizer) || __has_feature(address_sanitizer);
#else
constexpr bool has_sanitizer = false;
#endif

const std::function<void()> nothing = [] {};

TEST(ThreadPool, EachTaskRunsOnceAndTheyRunAtTheSameTime) {
  ThreadPool pool;
  for (int round = 0; round < 3; ++round) {
    std::barrier all(4);
    std::vector<std::atomic<int>> runs(4);
    pool.run(
        4,
        [&](std::uint64_t i) {
          ++runs[i];
          all.arrive_and_wait();
        },
        nothing);
    for (const auto& n : runs) EXPECT_EQ(n, 1);
  }
}

TEST(ThreadPool, TasksMayRunTasks) {
  ThreadPool pool;
  std::atomic<int> runs{0};
  pool.run(
      3,
      [&](std::uint64_t) {
        pool.run(
            5, [&](std::uint64_t) { ++runs; }, nothing);
      },
      nothing);
  EXPECT_EQ(runs, 15);
}

TEST(ThreadPool, WhoWaitsIsAskedMeanwhile) {
  ThreadPool pool;
  std::atomic<bool> is_asked{false};
  const auto self = std::this_thread::get_id();
  std::barrier both(2);
  pool.run(
      2,
      [&](std::uint64_t) {
        both.arrive_and_wait();  // each thread has one task
        if (std::this_thread::get_id() != self)
          while (!is_asked) std::this_thread::sleep_for(1ms);
      },
      [&] { is_asked = true; });
  EXPECT_TRUE(is_asked);
}

TEST(ThreadPool, ItsThreadsBlockSignals) {
  ThreadPool pool;
  const auto self = std::this_thread::get_id();
  std::barrier both(2);
  sigset_t blocked;
  ::sigemptyset(&blocked);
  pool.run(
      2,
      [&](std::uint64_t) {
        both.arrive_and_wait();
        if (std::this_thread::get_id() != self) ::pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
      },
      nothing);
  for (const int sent : {SIGINT, SIGTERM, SIGALRM, SIGUSR1, SIGCHLD})
    EXPECT_EQ(::sigismember(&blocked, sent), 1) << sent;
  for (const int raised : {SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP})
    EXPECT_EQ(::sigismember(&blocked, raised), 0) << raised;
}

TEST(ThreadPool, AFileThatIsCutShortIsAnErrorOnAnyOfItsThreads) {
  if (has_sanitizer) GTEST_SKIP() << "sanitizers do not support threads in such a child";
  const std::string path = testing::TempDir() + "polycodec-cut-" + std::to_string(::getpid());
  std::ofstream(path) << std::string(1'000'000, 'a');
  const pid_t child = ::fork();  // the guard lasts as long as the process
  if (child == 0) {
    ::alarm(20);
    posix::guard_mappings();
    const Source source = Source::file(path);
    std::filesystem::resize_file(path, 5000);
    ThreadPool pool;
    std::barrier all(4);
    std::atomic<int> wrong{source.is_mapped() ? 0 : 1};
    const auto self = std::this_thread::get_id();
    pool.run(
        4,
        [&](std::uint64_t i) {
          all.arrive_and_wait();  // each thread has one task
          if (std::this_thread::get_id() != self && source.bytes()[900'000 - 200'000 * i] != 0)
            ++wrong;
        },
        nothing);
    if (test::error_of([] { posix::check_mappings(); }).detail() != "io.cut_short") ++wrong;
    ::_exit(wrong);
  }
  int status = 1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  std::filesystem::remove(path);
}

TEST(ThreadPool, AChildHasThreadsOfItsOwn) {
  // A child may find locks of the sanitizer that a thread of its parent held.
  if (has_sanitizer) GTEST_SKIP() << "sanitizers do not support threads in such a child";
  auto pool = std::make_unique<ThreadPool>();
  pool->run(
      3, [](std::uint64_t) {}, nothing);
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(20);
    std::barrier all(3);
    pool->run(
        3, [&](std::uint64_t) { all.arrive_and_wait(); }, nothing);
    pool.reset();
    ::_exit(0);
  }
  int status = 1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  const pid_t idle = ::fork();
  if (idle == 0) {
    ::alarm(20);
    pool.reset();  // the threads of the parent are missing here
    ::_exit(0);
  }
  ASSERT_EQ(::waitpid(idle, &status, 0), idle);
  EXPECT_EQ(status, 0);
}

TEST(UsableProcessors, TheLowestQuotaOfAGroupAndThoseAroundItHolds) {
  namespace fs = std::filesystem;
  const fs::path root = testing::TempDir() + "polycodec-groups-" + std::to_string(::getpid());
  fs::create_directories(root / "outer/inner");
  const auto write = [&](const char* name, const char* text) {
    std::ofstream(root / name) << text;
  };
  const auto quota = [&](const char* groups) { return processor_quota(root, groups); };
  EXPECT_EQ(quota("0::/outer/inner\n"), UINT32_MAX);
  write("outer/cpu.max", "250000 100000\n");
  EXPECT_EQ(quota("0::/outer/inner\n"), 3u);
  write("outer/inner/cpu.max", "max 100000\n");
  EXPECT_EQ(quota("0::/outer/inner\n"), 3u);
  write("outer/inner/cpu.max", "1000 100000\n");
  EXPECT_EQ(quota("0::/outer/inner\n"), 1u);
  EXPECT_EQ(quota("5:cpu:/x\n0::/outer\n"), 3u);
  EXPECT_EQ(quota("0::/\n"), UINT32_MAX);
  EXPECT_EQ(quota("5:cpu:/outer\n"), UINT32_MAX);
  EXPECT_EQ(quota(""), UINT32_MAX);
  write("outer/cpu.max", "200000 0\n");
  EXPECT_EQ(quota("0::/outer\n"), UINT32_MAX);
  fs::remove_all(root);
  EXPECT_GE(usable_processors(), 1u);
}

/// On how many threads 64 parts run, which wait up to 50 ms until `wanted` have begun.
std::size_t threads_of_a_call(std::uint32_t of_registry, std::uint32_t of_call, std::size_t wanted,
                              Executor executor = {}) {
  struct Seen {
    std::mutex mutex;
    std::set<std::thread::id> threads;
    std::size_t wanted;
    std::uint32_t announced = 0;
  } seen{{}, {}, wanted};
  test::TestCodec codec;
  codec.decode = [&](polycodec_call* call, const polycodec_input*, const polycodec_node** root,
                     polycodec_error* error) {
    seen.announced = call->threads(call);
    const auto code = call->parallel_for(
        call, 64, 1,
        [](void* data, polycodec_call*, std::uint64_t, std::uint64_t, polycodec_error*) {
          auto& all = *static_cast<Seen*>(data);
          for (int i = 0; i < 50; ++i) {
            {
              const std::scoped_lock lock(all.mutex);
              all.threads.insert(std::this_thread::get_id());
              if (all.threads.size() >= all.wanted) break;
            }
            std::this_thread::sleep_for(1ms);
          }
          return std::int32_t{POLYCODEC_OK};
        },
        &seen, error);
    return code != POLYCODEC_OK ? code : test::give_null(call, root, error);
  };
  RegistryOptions options;
  options.use_environment = options.use_builtins = false;
  options.plugin_paths = {"/nonexistent"};
  options.objects = codec.objects;
  options.threads = of_registry;
  options.executor = std::move(executor);
  CallOptions call;
  call.threads = of_call;
  Registry::open(options).codec("test.call").decode(Source::view("x"), call);
  // One that the host brings may do all on one.
  EXPECT_GE(seen.announced, seen.threads.size());
  EXPECT_TRUE(options.executor || seen.announced == wanted) << seen.announced;
  return seen.threads.size();
}

TEST(Threads, ACallUsesAsManyAsItMay) {
  EXPECT_EQ(threads_of_a_call(1, 0, 1), 1u);
  EXPECT_EQ(threads_of_a_call(3, 0, 3), 3u);
  EXPECT_EQ(threads_of_a_call(3, 1, 1), 1u);
  EXPECT_EQ(threads_of_a_call(1, 2, 2), 2u);
  const auto all = usable_processors();
  EXPECT_EQ(threads_of_a_call(UINT32_MAX, 0, all), all);
  int runs = 0;
  const Executor serial = [&](std::uint64_t n, const std::function<void(std::uint64_t)>& task) {
    ++runs;
    EXPECT_EQ(n, runs == 1 ? 64u : 5u);
    for (std::uint64_t i = 0; i < n; ++i) task(i);
  };
  EXPECT_EQ(threads_of_a_call(1, 0, 1, serial), 1u);  // that of the host has no bound
  EXPECT_EQ(threads_of_a_call(1, 5, 1, serial), 1u);
  EXPECT_EQ(threads_of_a_call(1, 1, 1, serial), 1u);
  EXPECT_EQ(runs, 2);
}

TEST(Threads, TheirBudgetLosesNoCount) {
  test::TestCodec codec;
  codec.decode = [](polycodec_call* call, const polycodec_input*, const polycodec_node** root,
                    polycodec_error* error) {
    // Each part is granted work and gives it back.
    const auto no_work = [](void*, polycodec_call*, std::uint64_t, std::uint64_t,
                            polycodec_error*) { return std::int32_t{POLYCODEC_OK}; };
    const auto code = call->parallel_for(call, 200'000, 1, no_work, nullptr, error);
    return code != POLYCODEC_OK ? code : test::give_null(call, root, error);
  };
  RegistryOptions options;
  options.use_environment = options.use_builtins = false;
  options.plugin_paths = {"/nonexistent"};
  options.objects = codec.objects;
  options.limits.max_work = 1'000'000;
  CallOptions call;
  call.threads = 4;
  const Codec opened = Registry::open(options).codec("test.call");
  EXPECT_NO_THROW(opened.decode(Source::view("x"), call));
}

TEST(Threads, TextIsTheSameWithAnyNumberOfThem) {
  std::string ply =
      "ply\nformat ascii 1.0\nelement vertex 60000\nproperty float x\nproperty float y\n"
      "property float z\n"
      "end_header\n";
  for (int i = 0; i < 60'000; ++i)
    ply += std::to_string(i * 0.37) + " -1.5 " + std::to_string(i % 7919) + "\n";
  const Registry registry = Registry::open();
  const Value value = registry.codec("ply").decode(Source::view(ply));
  for (const char* name : {"ply", "obj"}) {
    const Codec codec = registry.codec_with_json(
        name, name == std::string("ply") ? R"({"format": "ascii"})" : "{}");
    CallOptions call;
    call.losses = all_losses;
    call.on_loss = [](LossClass, std::string_view, std::string_view) {};
    const std::string one = codec.encode_to_string(value.view(), call);
    EXPECT_GT(one.size(), 500'000u);
    for (const std::uint32_t threads : {2u, 7u}) {
      call.threads = threads;
      EXPECT_TRUE(codec.encode_to_string(value.view(), call) == one) << name << " " << threads;
    }
  }
}

}  // namespace
