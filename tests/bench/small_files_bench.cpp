// SPDX-License-Identifier: MIT
// The conversion of 2,000 small files in one process, beside a loop that reads each of them, writes
// its bytes to another file and renames that.

#include "paired.hpp"
#include "registry/codec/registry.hpp"

#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using namespace polycodec;

constexpr std::size_t file_count = 2000;

const Registry& registry() {
  static const Registry all = Registry::open();
  return all;
}

/// A record of some 3 KB: short texts, numbers and an array.
Value record(std::size_t number) {
  return Value::build([&](Builder& out) {
    constexpr std::size_t rows = 256;
    double* const column = out.allocate<double>(rows);
    for (std::size_t i = 0; i < rows; ++i)
      column[i] = static_cast<double>(number * rows + i) / 1024;
    auto samples = out.list();
    for (std::size_t i = 0; i < 40; ++i)
      samples.push(out.object({{"id", Builder::integer(static_cast<std::int64_t>(number + i))},
                               {"name", out.string_copy("sample " + std::to_string(i))}}));
    return out.object(
        {{"number", Builder::integer(static_cast<std::int64_t>(number))},
         {"samples", samples},
         {"column", Builder::array(out.vector(std::span<const double>(column, rows)))}});
  });
}

/// 2,000 files of msgpack, and directories for what is made of them.
class SmallFiles {
 public:
  SmallFiles() {
    std::string pattern = (fs::temp_directory_path() / "polycodec_bench_XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
    fs::create_directory(path_ / "in");
    begin_directory();
    const Codec codec = registry().codec("msgpack-ndarray");
    for (std::size_t i = 0; i < file_count; ++i) {
      const std::string name = std::to_string(i);
      inputs.push_back(path_ / "in" / (name + ".msgpack"));
      write_file(inputs.back(), codec.encode_to_string(record(i).view()));
    }
  }
  ~SmallFiles() { fs::remove_all(path_); }

  /// From here on the results go to a new directory. Nothing is removed until the end: some file
  /// systems look for a number that was not given back lately, which takes longer than all else.
  void begin_directory() {
    directory_ = path_ / ("out" + std::to_string(++directories_));
    fs::create_directory(directory_);
  }
  std::string output(std::size_t i) const { return directory_ + "/" + std::to_string(i) + ".ygg"; }

  std::vector<std::string> inputs;

 private:
  fs::path path_;
  std::string directory_;
  int directories_ = 0;
};

void check(bool is_done) {
  if (!is_done) throw std::runtime_error("a file cannot be copied");
}

/// What any program does at least: each new file appears when it is complete.
void copy_file(const std::string& from, const std::string& to, std::vector<char>& bytes) {
  const int in = ::open(from.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status {};
  check(in >= 0 && ::fstat(in, &status) == 0);
  bytes.resize(static_cast<std::size_t>(status.st_size));
  check(::read(in, bytes.data(), bytes.size()) == status.st_size);
  ::close(in);
  const std::string temporary = to + ".tmp";
  const int out = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  check(out >= 0 && ::write(out, bytes.data(), bytes.size()) == status.st_size);
  ::close(out);
  check(::rename(temporary.c_str(), to.c_str()) == 0);
}

/// The same for all benchmarks, because of what begin_directory() says.
SmallFiles& all_files() {
  static SmallFiles files;
  return files;
}

template <class Convert>
void small_files(benchmark::State& state, Convert convert) {
  SmallFiles& files = all_files();
  std::vector<char> bytes;
  bench::paired(
      state, 0,
      [&] {
        for (std::size_t i = 0; i < file_count; ++i) convert(files.inputs[i], files.output(i));
      },
      [&] {
        for (std::size_t i = 0; i < file_count; ++i)
          copy_file(files.inputs[i], files.output(i), bytes);
      },
      1, [&](std::size_t) { files.begin_directory(); });
}

/// As the command converts: the codec of each file is found by its name and content.
void convert_small_files(benchmark::State& state) {
  const Codec yggdrasil = registry().codec("yggdrasil");
  small_files(state, [&](const std::string& from, const std::string& to) {
    const Read read = registry().read(Source::file(from));
    SegmentSink sink(UINT64_MAX);
    yggdrasil.encode(read.value.view(), sink);
    write_file(to, sink.segments());
  });
}
BENCHMARK(convert_small_files)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(15);

/// With both codecs named, and memory that is used again.
void convert_small_files_with_named_codecs(benchmark::State& state) {
  const Codec msgpack = registry().codec("msgpack-ndarray");
  const Codec yggdrasil = registry().codec("yggdrasil");
  Value value;
  SegmentSink sink(UINT64_MAX);
  small_files(state, [&](const std::string& from, const std::string& to) {
    msgpack.decode_into(value, Source::file(from));
    sink.reset(UINT64_MAX);
    yggdrasil.encode(value.view(), sink);
    write_file(to, sink.segments());
  });
}
BENCHMARK(convert_small_files_with_named_codecs)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(15);

}  // namespace
