// SPDX-License-Identifier: MIT
// What the registry costs: listing many plugins beside reading their files alone, the first decode
// of a process, a call through a loaded library beside a direct one.

#include "codec.hpp"
#include "codec_calls.hpp"
#include "paired.hpp"
#include "registry/codec/registry.hpp"

#include <benchmark/benchmark.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using namespace polycodec;

/// A directory with `count` plugins, of which only the manifests will ever be read.
class PluginDirectory {
 public:
  explicit PluginDirectory(int count) {
    std::string pattern = (fs::temp_directory_path() / "polycodec_bench_XXXXXX").string();
    path_ = fs::canonical(::mkdtemp(pattern.data()));
    const Registry registry = Registry::open();
    const fs::path library = registry.find("msgpack-ndarray")->library;
    std::ifstream in(library.parent_path() / "msgpack-ndarray.polycodec.json");
    const std::string manifest((std::istreambuf_iterator<char>(in)), {});
    fs::copy_file(library, path_ / library.filename());
    for (int i = 0; i < count; ++i) {
      std::string text = manifest;
      const std::string id = "org.example.codec" + std::to_string(i);
      for (std::size_t at = text.find("\"msgpack-ndarray\""); at != text.npos;
           at = text.find("\"msgpack-ndarray\"", at + 1))
        text.replace(at, 17, "\"" + id + "\"");
      const std::string alias = "\"msgpack\"";
      if (const auto at = text.find(alias); at != text.npos)
        text.replace(at, alias.size(), "\"alias" + std::to_string(i) + "\"");
      std::ofstream(path_ / (id + ".polycodec.json")) << text;
    }
  }
  ~PluginDirectory() { fs::remove_all(path_); }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// Opens and reads a file as any program would.
std::size_t read_whole(int directory, const char* name, std::vector<char>& to) {
  const int file = ::openat(directory, name, O_RDONLY | O_CLOEXEC);
  struct stat status {};
  if (file < 0 || ::fstat(file, &status) != 0) throw std::runtime_error("a file is missing");
  to.resize(static_cast<std::size_t>(status.st_size));
  const ssize_t got = ::read(file, to.data(), to.size());
  ::close(file);
  return got < 0 ? 0 : static_cast<std::size_t>(got);
}

/// The peer reads the same manifests and looks at nothing in them.
void list_plugins(benchmark::State& state) {
  const auto count = static_cast<std::size_t>(state.range(0));
  const PluginDirectory directory(static_cast<int>(count));
  RegistryOptions options;
  options.plugin_paths = {directory.path()};
  options.use_environment = false;
  options.use_builtins = false;
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(directory.path()))
    if (entry.path().extension() == ".json") names.push_back(entry.path().filename());
  const int at = ::open(directory.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  std::vector<char> bytes;
  bench::paired(
      state, 0,
      [&] {
        const Registry registry = Registry::open(options);
        if (registry.codecs().size() < count) throw std::runtime_error("not all are listed");
      },
      [&] {
        for (const std::string& name : names) read_whole(at, name.c_str(), bytes);
      });
  ::close(at);
}
BENCHMARK(list_plugins)->Arg(100)->Arg(1000)->UseManualTime()->Unit(benchmark::kMillisecond);

// The same small decode three ways; the differences are what each layer costs.
constexpr std::string_view message("\x93\x01\x02\x03", 4);

void decode_direct(benchmark::State& state) {
  const auto codec = test::make<msgpack_ndarray::MsgpackNdarray>();
  const test::TestCall call;
  Value value;
  for (auto _ : state) {
    test::decode_into(codec, test::input_of(message), call, value);
    benchmark::DoNotOptimize(value.root());
  }
}
BENCHMARK(decode_direct);

void decode_through_the_abi(benchmark::State& state) {
  const Codec opened = Registry::open().codec("msgpack-ndarray");
  const test::TestCall own;
  Call raw = own;
  const polycodec_input input = test::input_of(message);
  Value value;
  auto error = make_error();
  for (auto _ : state) {
    own.begin(message.size());
    own.use(value.prepare(own.limits().max_memory_bytes));
    const polycodec_node* root = nullptr;
    const polycodec_instance* instance = opened.instance();
    if (instance->decode(instance, raw.raw(), &input, &root, &error) != 0)
      state.SkipWithError("refused");
    benchmark::DoNotOptimize(root);
  }
}
BENCHMARK(decode_through_the_abi);

void decode_through_the_handle_with_validation(benchmark::State& state) {
  const Codec codec = Registry::open().codec("msgpack-ndarray");
  Value value;
  for (auto _ : state) {
    codec.decode_into(value, message);
    benchmark::DoNotOptimize(value.root());
  }
}
BENCHMARK(decode_through_the_handle_with_validation);

/// How long `body` takes in a process of its own, in which nothing was loaded before.
template <class Body>
double seconds_in_new_process(Body body) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  const pid_t child = ::fork();
  if (child == 0) {
    const double taken = bench::seconds(body);
    const bool is_told = ::write(ends[1], &taken, sizeof taken) == sizeof taken;
    ::_exit(is_told ? 0 : 1);
  }
  ::close(ends[1]);
  double taken = 0;
  const bool is_told = ::read(ends[0], &taken, sizeof taken) == sizeof taken;
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (!is_told || status != 0) throw std::runtime_error("the process failed");
  return taken;
}

/// From a process with the library and one plugin to the value of a small file. The peer loads the
/// plugin's library and reads the file.
void first_decode(benchmark::State& state) {
  const PluginDirectory directory(0);
  const fs::path source = Registry::open().find("msgpack-ndarray")->library;
  const fs::path library = directory.path() / source.filename();
  fs::copy_file(source.parent_path() / "msgpack-ndarray.polycodec.json",
                directory.path() / "msgpack-ndarray.polycodec.json");
  const std::string file = directory.path() / "small.msgpack";
  std::ofstream(file) << message;
  RegistryOptions options;
  options.plugin_paths = {directory.path()};
  options.use_environment = false;
  options.use_builtins = false;
  options.policy.isolation.mode = IsolationMode::in_process;
  std::vector<double> own, peers, of_peer;
  for (auto _ : state) {
    own.push_back(seconds_in_new_process([&] {
      const Registry registry = Registry::open(options);
      const Value value = registry.codec("msgpack-ndarray").decode(Source::file(file));
      if (value.view().size() != 3) ::_exit(2);
    }));
    peers.push_back(seconds_in_new_process([&] {
      void* const loaded = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
      std::vector<char> bytes;
      if (loaded == nullptr || read_whole(AT_FDCWD, file.c_str(), bytes) != message.size())
        ::_exit(2);
    }));
    of_peer.push_back(own.back() / peers.back());
    state.SetIterationTime(own.back());
  }
  state.counters["ours_us"] = bench::median(own) * 1e6;
  state.counters["spread"] = bench::spread(own);
  state.counters["peer_us"] = bench::median(peers) * 1e6;
  state.counters["of_peer"] = bench::median(of_peer);
}
BENCHMARK(first_decode)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(200);

void look_up_and_open(benchmark::State& state) {
  const Registry registry = Registry::open();
  (void)registry.codec("msgpack-ndarray");
  for (auto _ : state) benchmark::DoNotOptimize(registry.codec("msgpack-ndarray").instance());
}
BENCHMARK(look_up_and_open);

}  // namespace
