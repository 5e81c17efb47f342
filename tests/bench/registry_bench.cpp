// SPDX-License-Identifier: MIT
// What the registry costs: listing a hundred plugins, a call through a loaded library beside a direct one, the first
// use.
#include <polycodec/registry.hpp>

#include "codec.hpp"

#include <benchmark/benchmark.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace {

namespace fs = std::filesystem;
using namespace polycodec;

/// A folder with `count` plugins, of which only the manifests will ever be read.
class PluginFolder {
 public:
  explicit PluginFolder(int count) {
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
  ~PluginFolder() { fs::remove_all(path_); }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

void list_100_plugins(benchmark::State& state) {
  const PluginFolder folder(100);
  RegistryOptions options;
  options.plugin_paths = {folder.path()};
  options.use_environment = false;
  for (auto _ : state) {
    const Registry registry = Registry::open(options);
    if (registry.codecs().size() != 100) state.SkipWithError("not all plugins are listed");
  }
}
BENCHMARK(list_100_plugins)->Unit(benchmark::kMillisecond);

// The same small decode three ways; the differences are what each layer costs.
constexpr std::string_view message("\x93\x01\x02\x03", 4);

void decode_direct(benchmark::State& state) {
  const Codec opened = Registry::open().codec("msgpack-ndarray");
  const msgpack_ndarray::MsgpackNdarray codec{Host(opened.host()), Options(nullptr)};
  const auto limits = Limits().to_abi();
  const polycodec_call call{sizeof call, 0, &limits, nullptr, nullptr, nullptr};
  const polycodec_input input{sizeof input, 1, to_bytes(message), nullptr, {}};
  Arena arena;
  for (auto _ : state) {
    arena.reset(UINT64_MAX);
    Builder out(arena.abi());
    benchmark::DoNotOptimize(codec.decode(Call(opened.host(), &call), Input(&input), out));
  }
}
BENCHMARK(decode_direct);

void decode_through_the_abi(benchmark::State& state) {
  const Codec opened = Registry::open().codec("msgpack-ndarray");
  const auto limits = Limits().to_abi();
  const polycodec_call call{sizeof call, 0, &limits, nullptr, nullptr, nullptr};
  const polycodec_input input{sizeof input, 1, to_bytes(message), nullptr, {}};
  Arena arena;
  auto error = make_error();
  for (auto _ : state) {
    arena.reset(UINT64_MAX);
    const polycodec_node* root = nullptr;
    if (opened.abi()->decode(opened.instance(), &call, &input, arena.abi(), &root, &error) != 0)
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

void look_up_and_open(benchmark::State& state) {
  const Registry registry = Registry::open();
  (void)registry.codec("msgpack-ndarray");
  for (auto _ : state) benchmark::DoNotOptimize(registry.codec("msgpack-ndarray").instance());
}
BENCHMARK(look_up_and_open);

}  // namespace
