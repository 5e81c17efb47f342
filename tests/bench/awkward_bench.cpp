// SPDX-License-Identifier: MIT
// A jagged array of a million events, five million float64, in an .awkd file of 48 MB: opening,
// checking, summing, saving, and blobs compressed with zlib. Each figure is a ratio to a plain
// loop, a memcpy, a single write call or zlib's inflate in the same round.
#include <base/array_view.hpp>
#include <polycodec/builder.hpp>
#include <polycodec/sink.hpp>
#include <polycodec/source.hpp>
#include <polycodec/text.hpp>
#include <polycodec/value.hpp>

#include "core/store/sinks.hpp"
#include "core/store/zip_store.hpp"
#include "paired.hpp"
#include "read_support.hpp"

#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <random>

namespace polycodec::bench {
namespace {

namespace fs = std::filesystem;
using test::AwkwardHost;

struct Events {
  std::vector<std::int64_t> offsets{0};
  std::vector<double> items;

  explicit Events(std::size_t count) {
    std::mt19937_64 random(42);
    std::poisson_distribution<int> size(5);
    std::uniform_real_distribution<double> item(0, 100);
    for (std::size_t i = 0; i < count; ++i) offsets.push_back(offsets.back() + size(random));
    items.resize(static_cast<std::size_t>(offsets.back()));
    // Four digits, as measurements have: numbers that compress a little.
    for (double& value : items) value = std::round(item(random) * 100) / 100;
  }
  std::size_t bytes() const { return offsets.size() * 8 + items.size() * 8; }
};

const Events& events() {
  static const Events all(1000000);
  return all;
}

struct Directory {
  fs::path path;
  Directory() {
    std::string name = (fs::temp_directory_path() / "polycodec_awkward_bench_XXXXXX").string();
    path = ::mkdtemp(name.data());
  }
  ~Directory() { fs::remove_all(path); }
};

const fs::path& directory() {
  static const Directory made;
  return made.path;
}

Value value_of(const Events& events) {
  Value value;
  Builder out(value.prepare(UINT64_MAX));
  value.set_root(out.root(
      Builder::array(out.list_offsets(std::span<const std::int64_t>(events.offsets),
                                      out.vector(std::span<const double>(events.items))))));
  return value;
}

awkward::Awkward codec(const std::string& options) {
  const Value given = parse_json(options);
  return test::open<awkward::Awkward>(given.root());
}

void save(const awkward::Awkward& awkward, NodeView value, const fs::path& path) {
  const AwkwardHost host;
  ZipSink sink(path);
  test::encode_blobs(awkward, value, sink, host);
}

fs::path saved(std::size_t count, const std::string& options, const std::string& name) {
  const fs::path path = directory() / name;
  if (!fs::exists(path)) {
    const Events few(count);
    save(codec(options), value_of(count == 1000000 ? events() : few).view(), path);
  }
  return path;
}

/// What is in the file, and which blobs: all that a program needs to know before it reads.
void open(benchmark::State& state) {
  const auto count = static_cast<std::size_t>(state.range(0));
  const fs::path path =
      saved(count, R"({"compression": false})", "plain" + std::to_string(count) + ".awkd");
  const AwkwardHost host;
  for (auto _ : state) {
    const auto store = open_store(Source::file(path));
    const Value value = test::list_store(store, host);
    benchmark::DoNotOptimize(value.root());
  }
  state.counters["file_MB"] = static_cast<double>(fs::file_size(path)) * 1e-6;
}
BENCHMARK(open)->Arg(1000)->Arg(1000000)->Unit(benchmark::kMicrosecond);

Value load(const fs::path& path, ZipCheck check, const awkward::Awkward& awkward, bool validated) {
  const auto store = std::make_shared<ZipStore>(Source::file(path), Limits{}, check);
  static const AwkwardHost host;
  Value value;
  polycodec_input input{};
  input.struct_size = sizeof input;
  input.parts = POLYCODEC_INPUT_STORE;
  input.store = &store->abi();
  test::decode_into(awkward, input, host, value);
  value.pin(store);
  if (validated) validate(value.view(), {}, Validation::full);
  return value;
}

/// Checksums of everything, checks of the format and full validation of the value. x_memcpy: at
/// least 0.5.
void check_everything(benchmark::State& state) {
  const fs::path path = saved(1000000, R"({"compression": false})", "plain1000000.awkd");
  const awkward::Awkward awkward = codec("{}");
  Value value;
  paired(
      state, events().bytes(), [&] { value = load(path, ZipCheck::crc, awkward, true); }, NoPeer{});
}
BENCHMARK(check_everything)->UseManualTime()->Iterations(15)->Unit(benchmark::kMillisecond);

/// The array alone, nothing checked: what is left is making offsets of counts.
void decode_unchecked(benchmark::State& state) {
  const fs::path path = saved(1000000, R"({"compression": false})", "plain1000000.awkd");
  const awkward::Awkward awkward = codec(R"({"check": false})");
  Value value;
  paired(
      state, events().bytes(), [&] { value = load(path, ZipCheck::none, awkward, false); },
      NoPeer{});
}
BENCHMARK(decode_unchecked)->UseManualTime()->Iterations(15)->Unit(benchmark::kMillisecond);

/// x_peer: at least 1 / 1.3.
void jagged_sum(benchmark::State& state) {
  const Value value = load(saved(1000000, R"({"compression": false})", "plain1000000.awkd"),
                           ZipCheck::none, codec("{}"), false);
  const Events& plain = events();
  std::vector<double> ours(plain.offsets.size() - 1), theirs(ours.size());
  const ArrayView lists = value.view().as_array();
  const auto numbers = lists.child().elements<double>();
  if (!numbers) return state.SkipWithError("the numbers are no aligned view of the file");
  paired(
      state, plain.bytes(),
      [&] {
        for (std::uint64_t i = 0; i < lists.length(); ++i) {
          const auto [begin, end] = lists.range(i);
          double sum = 0;
          for (std::uint64_t k = begin; k < end; ++k) sum += (*numbers)[k];
          ours[i] = sum;
        }
        benchmark::DoNotOptimize(ours.data());
      },
      [&] {
        for (std::size_t i = 0; i < theirs.size(); ++i) {
          double sum = 0;
          for (std::int64_t k = plain.offsets[i]; k < plain.offsets[i + 1]; ++k)
            sum += plain.items[static_cast<std::size_t>(k)];
          theirs[i] = sum;
        }
        benchmark::DoNotOptimize(theirs.data());
      });
  if (ours != theirs) state.SkipWithError("the sums differ");
}
BENCHMARK(jagged_sum)->UseManualTime()->Iterations(15)->Unit(benchmark::kMillisecond);

/// Against one write call of the same bytes, to a new file that takes its name afterwards, too.
/// x_peer: at least 1 / 1.5.
void save_uncompressed(benchmark::State& state) {
  const Value value = value_of(events());
  const awkward::Awkward awkward = codec(R"({"compression": false})");
  const fs::path path = saved(1000000, R"({"compression": false})", "plain1000000.awkd");
  const std::string bytes = std::string(Source::file(path).bytes());
  const fs::path temporary = directory() / "peer.tmp";
  paired(
      state, bytes.size(), [&] { save(awkward, value.view(), directory() / "ours.awkd"); },
      [&] {
        const int fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        if (::write(fd, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()))
          std::abort();
        ::close(fd);
        fs::rename(temporary, directory() / "peer.awkd");
      });
}
BENCHMARK(save_uncompressed)->UseManualTime()->Iterations(15)->Unit(benchmark::kMillisecond);

/// All blobs through zlib.decompress, against zlib's inflate of the same blobs. x_peer: at
/// least 1.6.
void zlib_blobs(benchmark::State& state) {
  const fs::path path = saved(1000000, R"({"compression": true})", "zlib1000000.awkd");
  const awkward::Awkward awkward = codec(R"({"check": false})");
  ZipStore packed(Source::file(path));
  std::vector<std::string_view> blobs;
  for (const BlobStore::Entry& entry : packed.entries())
    if (entry.name != ".json") blobs.push_back(packed.read(entry.name));
  Value value;
  paired(
      state, 0, [&] { value = load(path, ZipCheck::none, awkward, false); },
      [&] {
        for (const std::string_view blob : blobs) {
          const std::unique_ptr<Bytef[]> out(new Bytef[events().bytes()]);
          auto size = static_cast<uLongf>(events().bytes());
          if (::uncompress(out.get(), &size, reinterpret_cast<const Bytef*>(blob.data()),
                           static_cast<uLong>(blob.size())) != Z_OK)
            std::abort();
          benchmark::DoNotOptimize(out.get());
        }
      });
}
BENCHMARK(zlib_blobs)->UseManualTime()->Iterations(7)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace polycodec::bench
