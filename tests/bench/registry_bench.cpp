// SPDX-License-Identifier: MIT
// What the registry costs: listing a hundred plugins, a call through a loaded library beside a
// direct one, the first use.
#include <polycodec/registry.hpp>

#include "codec.hpp"
#include "codec_calls.hpp"

#include <benchmark/benchmark.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

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

void list_100_plugins(benchmark::State& state) {
  const PluginDirectory directory(100);
  RegistryOptions options;
  options.plugin_paths = {directory.path()};
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

void look_up_and_open(benchmark::State& state) {
  const Registry registry = Registry::open();
  (void)registry.codec("msgpack-ndarray");
  for (auto _ : state) benchmark::DoNotOptimize(registry.codec("msgpack-ndarray").instance());
}
BENCHMARK(look_up_and_open);

}  // namespace
