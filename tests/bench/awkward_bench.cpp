// SPDX-License-Identifier: MIT
// A jagged array of a million events, five million float64, in an .awkd file of 48 MB: opening,
// checking, summing, saving, and blobs compressed with zlib. Each figure is a ratio to a plain
// loop, a memcpy, a single write call or zlib's inflate in the same round.
#include <polycodec/array_view.hpp>

#include "paired.hpp"
#include "shipped.hpp"

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
using test::Json;

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
  return Value::build([&](Builder& out) {
    return Builder::array(out.list_offsets(test::kept(out, events.offsets),
                                           out.vector(test::kept(out, events.items))));
  });
}

Codec codec(const std::string& options) {
  return test::shipped("awkward", Json::parse(options));
}

void save(const Codec& awkward, const Value& value, const fs::path& path) {
  StoreChange change = StoreChange::create(test::registry(), path.native(), "zip");
  awkward.encode(value, change);
  change.commit();
}

fs::path saved(std::size_t count, const std::string& options, const std::string& name) {
  const fs::path path = directory() / name;
  if (!fs::exists(path)) {
    const Events few(count);
    save(codec(options), value_of(count == 1000000 ? events() : few), path);
  }
  return path;
}

/// What is in the file, and which blobs: all that a program needs to know before it reads.
void open(benchmark::State& state) {
  const auto count = static_cast<std::size_t>(state.range(0));
  const fs::path path =
      saved(count, R"({"compression": false})", "plain" + std::to_string(count) + ".awkd");
  const Codec awkward = codec("{}");
  for (auto _ : state) {
    const Value value = awkward.list(Source::file(path.native()));
    benchmark::DoNotOptimize(value.root());
  }
  state.counters["file_MB"] = static_cast<double>(fs::file_size(path)) * 1e-6;
}
BENCHMARK(open)->Arg(1000)->Arg(1000000)->Unit(benchmark::kMicrosecond);

/// Without `checks`: no checksums, and only the structure of the value is looked at.
Value load(const fs::path& path, const Codec& awkward, bool checks) {
  return awkward.decode(Source::file(path.native()),
                        {.flags = checks ? 0u : POLYCODEC_CALL_STRUCTURE});
}

/// Checksums of everything, checks of the format and full validation of the value. x_memcpy: at
/// least 0.5.
void check_everything(benchmark::State& state) {
  const fs::path path = saved(1000000, R"({"compression": false})", "plain1000000.awkd");
  const Codec awkward = codec("{}");
  Value value;
  paired(
      state, events().bytes(), [&] { value = load(path, awkward, true); }, NoPeer{});
}
BENCHMARK(check_everything)->UseManualTime()->Iterations(15)->Unit(benchmark::kMillisecond);

/// The array alone, nothing checked: what is left is making offsets of counts.
void decode_unchecked(benchmark::State& state) {
  const fs::path path = saved(1000000, R"({"compression": false})", "plain1000000.awkd");
  const Codec awkward = codec(R"({"check": false})");
  Value value;
  paired(
      state, events().bytes(), [&] { value = load(path, awkward, false); }, NoPeer{});
}
BENCHMARK(decode_unchecked)->UseManualTime()->Iterations(15)->Unit(benchmark::kMillisecond);

/// x_peer: at least 1 / 1.3.
void jagged_sum(benchmark::State& state) {
  const Value value =
      load(saved(1000000, R"({"compression": false})", "plain1000000.awkd"), codec("{}"), false);
  const Events& plain = events();
  std::vector<double> ours(plain.offsets.size() - 1), theirs(ours.size());
  const ArrayView lists = test::node(value).as_array();
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
  const Codec awkward = codec(R"({"compression": false})");
  const fs::path path = saved(1000000, R"({"compression": false})", "plain1000000.awkd");
  const std::string bytes = test::read_file(path);
  const fs::path temporary = directory() / "peer.tmp";
  paired(
      state, bytes.size(), [&] { save(awkward, value, directory() / "ours.awkd"); },
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
  const Codec awkward = codec(R"({"check": false})");
  const OpenedStore packed(test::registry(), Source::file(path.native()));
  std::vector<std::string_view> blobs;
  for (std::uint64_t i = 0; i < packed.raw()->count(packed.raw()); ++i) {
    polycodec_store_entry entry{};
    entry.struct_size = sizeof entry;
    border::call(packed.raw()->entry, packed.raw(), static_cast<polycodec_call*>(nullptr), i,
                 &entry);
    polycodec_bytes content{};
    border::call(packed.raw()->read, packed.raw(), static_cast<polycodec_call*>(nullptr), i,
                 std::uint64_t{0}, UINT64_MAX, &content);
    if (to_string_view(entry.name) != ".json") blobs.push_back(to_string_view(content));
  }
  Value value;
  paired(
      state, 0, [&] { value = load(path, awkward, false); },
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
