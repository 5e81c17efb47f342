// SPDX-License-Identifier: MIT
// What isolation costs: each call in a worker beside the same call in-process, and beside a child
// process that gets its input and gives its result through pipes.

#include "../paired.hpp"
#include "core/io/sink.hpp"
#include "registry/codec/codec_handle.hpp"
#include "registry/codec/registry.hpp"

#include <benchmark/benchmark.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

namespace {

using namespace polycodec;

Registry registry(IsolationMode mode, bool reuse = true) {
  RegistryOptions options;
  options.add_paths = {POLYCODEC_BENCH_PLUGINS};
  options.use_environment = false;
  options.policy.isolation.mode = mode;
  options.policy.isolation.reuse = reuse;
  return Registry::open(options);
}

/// A file that is removed with its owner.
class InputFile {
 public:
  explicit InputFile(const std::string& bytes)
      : path_(std::filesystem::temp_directory_path() /
              ("polycodec-bench-" + std::to_string(::getpid()))) {
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  ~InputFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  Source open() const { return Source::file(path_); }

 private:
  std::filesystem::path path_;
};

/// The second argument: 1 for a file, which each call opens, 0 for bytes in memory of the program.
/// `pauses`: there is time before each call, in which the next worker may be made.
void run_decode(benchmark::State& state, const char* codec, const std::string& bytes, int batch = 1,
                bool pauses = false) {
  const bool reuse = state.range(0) != 0;
  const bool from_file = state.range(1) != 0;
  const InputFile file(bytes);
  const Codec isolated = registry(IsolationMode::process, reuse).codec(codec);
  const Codec plain = registry(IsolationMode::in_process).codec(codec);
  const auto decode = [&](const Codec& with) {
    const Source source = from_file ? file.open() : Source::view(bytes);
    benchmark::DoNotOptimize(with.decode(source).root());
  };
  bench::paired(
      state, bytes.size(), [&] { decode(isolated); }, [&] { decode(plain); }, batch,
      [&](std::size_t) {
        if (pauses) std::this_thread::sleep_for(std::chrono::milliseconds(2));
      });
  state.counters["ratio"] = 1 / state.counters["x_peer"];
}

std::string packed_objects(int count) {
  std::string bytes("\xdd", 1);
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(count >> shift);
  for (int i = 0; i < count; ++i) bytes += std::string("\x82\xa2id\x07\xa4name\xa5value", 16);
  return bytes;
}

/// A value as the codec yggdrasil writes it: an array in base64.
std::string base64_body(std::size_t size) {
  const std::string array(size, 'q');
  BufferSink sink;
  registry(IsolationMode::in_process)
      .codec("yggdrasil")
      .encode(Value::build([&](Builder& out) { return out.bytes_copy(array); }).view(), sink);
  return std::string(sink.view());
}

void decode_copy_100mb(benchmark::State& state) {
  run_decode(state, "bench.copy", std::string(100'000'000, 'x'));
}
void decode_base64_8mb(benchmark::State& state) {
  run_decode(state, "yggdrasil", base64_body(6'000'000));
}
void decode_200k_objects(benchmark::State& state) {
  run_decode(state, "msgpack-ndarray", packed_objects(200'000));
}
void decode_200_bytes(benchmark::State& state) {
  run_decode(state, "msgpack-ndarray", packed_objects(12), 100);
}
void decode_200_bytes_after_pause(benchmark::State& state) {
  run_decode(state, "msgpack-ndarray", packed_objects(12), 1, true);
}

void encode_copy_100mb(benchmark::State& state) {
  const Codec isolated = registry(IsolationMode::process).codec("bench.copy");
  const Codec plain = registry(IsolationMode::in_process).codec("bench.copy");
  const Value value =
      Value::build([](Builder& out) { return out.bytes_copy(std::string(100'000'000, 'x')); });
  const auto encode = [&](const Codec& with) {
    SegmentSink sink;
    with.encode(value, sink);
    benchmark::DoNotOptimize(sink.segments().data());
  };
  bench::paired(
      state, 100'000'000, [&] { encode(isolated); }, [&] { encode(plain); });
  state.counters["ratio"] = 1 / state.counters["x_peer"];
}

/// Two round trips through a socket: what any two processes pay at least.
void socket_round_trips(benchmark::State& state) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) != 0) return state.SkipWithError("socketpair");
  char block[256] = {};
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    while (::read(ends[1], block, sizeof block) > 0 && ::write(ends[1], block, sizeof block) > 0) {
    }
    ::_exit(0);
  }
  ::close(ends[1]);
  for (auto _ : state)
    for (int i = 0; i < 2; ++i)
      if (::write(ends[0], block, sizeof block) < 0 || ::read(ends[0], block, sizeof block) < 0)
        state.SkipWithError("the child is gone");
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
}

/// The usual way: bytes through a pipe to a child, which copies them, and back.
void pipe_and_copy_100mb(benchmark::State& state) {
  const std::string bytes(100'000'000, 'x');
  const Codec plain = registry(IsolationMode::in_process).codec("bench.copy");
  int to[2], from[2];
  if (::pipe(to) != 0 || ::pipe(from) != 0) return state.SkipWithError("pipe");
  const auto read_all = [](int fd, std::string& buffer) {
    for (std::size_t done = 0; done < buffer.size();) {
      const ssize_t n = ::read(fd, buffer.data() + done, buffer.size() - done);
      if (n <= 0) return false;
      done += static_cast<std::size_t>(n);
    }
    return true;
  };
  const auto write_all = [](int fd, const std::string& buffer) {
    for (std::size_t done = 0; done < buffer.size();)
      if (const ssize_t n = ::write(fd, buffer.data() + done, buffer.size() - done); n > 0)
        done += static_cast<std::size_t>(n);
      else
        return;
  };
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(to[1]);
    ::close(from[0]);
    std::string in(bytes.size(), 0), out(bytes.size(), 0);
    while (read_all(to[0], in)) {
      std::memcpy(out.data(), in.data(), in.size());
      write_all(from[1], out);
    }
    ::_exit(0);
  }
  ::close(to[0]);
  ::close(from[1]);
  bench::paired(
      state, bytes.size(),
      [&] {
        write_all(to[1], bytes);
        std::string back(bytes.size(), 0);
        read_all(from[0], back);
        benchmark::DoNotOptimize(back.data());
      },
      [&] { benchmark::DoNotOptimize(plain.decode(Source::view(bytes)).root()); });
  state.counters["ratio"] = 1 / state.counters["x_peer"];
  ::close(to[1]);
  ::close(from[0]);
  ::waitpid(child, nullptr, 0);
}

// Arguments: 1 for workers that are reused, 0 for a fresh one for each call. 1 for files, 0 for
// memory.
BENCHMARK(decode_copy_100mb)
    ->ArgsProduct({{1, 0}, {1, 0}})
    ->Unit(benchmark::kMillisecond)
    ->UseManualTime();
BENCHMARK(decode_base64_8mb)
    ->ArgsProduct({{1, 0}, {1, 0}})
    ->Unit(benchmark::kMillisecond)
    ->UseManualTime();
BENCHMARK(decode_200k_objects)
    ->ArgsProduct({{1, 0}, {1, 0}})
    ->Unit(benchmark::kMillisecond)
    ->UseManualTime();
BENCHMARK(decode_200_bytes)
    ->ArgsProduct({{1, 0}, {0}})
    ->Unit(benchmark::kMicrosecond)
    ->UseManualTime();
BENCHMARK(decode_200_bytes_after_pause)
    ->ArgsProduct({{1, 0}, {0}})
    ->Unit(benchmark::kMicrosecond)
    ->UseManualTime();
BENCHMARK(encode_copy_100mb)->Unit(benchmark::kMillisecond)->UseManualTime();
BENCHMARK(socket_round_trips)->Unit(benchmark::kMicrosecond);
BENCHMARK(pipe_and_copy_100mb)->Unit(benchmark::kMillisecond)->UseManualTime();

}  // namespace
