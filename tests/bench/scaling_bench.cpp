// SPDX-License-Identifier: MIT
// What threads gain for large files and documents, beside a loop without memory traffic in the same
// rounds: what the machine scales to. Usage: bench_scaling [--rounds N] [--part N] [--threads LIST]
// [PATH...]. `--part 10` makes inputs of a tenth. Prints one row for each path and number of
// threads, and one for each other reader: msgpack-c, and those whose sources are given to CMake.
// Processor time and page faults of all threads show work that only several threads have, also
// where there are few processors.
#include <base/json_reader.hpp>

#include "core/call/thread_pool.hpp"
#include "core/io/file_sink.hpp"
#include "core/io/sink.hpp"
#include "core/value/value.hpp"
#include "medians.hpp"
#include "mesh_files.hpp"
#include "mesh_peers/peers.hpp"
#include "plugins/msgpack_ndarray/skip.hpp"
#include "registry/codec/registry.hpp"
#include "registry/json/json_cut.hpp"

#include <msgpack.hpp>
#include <sys/resource.h>
#include <time.h>
#ifdef POLYCODEC_PEER_SIMDJSON
#include <simdjson.h>
#endif

#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace polycodec::bench {
namespace {

struct Arguments {
  std::size_t rounds = 7, part = 1;
  std::vector<std::uint32_t> threads{1, 2, 4, 8, 16};
  std::vector<std::string> paths;  // empty: all

  static Arguments from(int count, char** words) {
    Arguments made;
    for (int i = 1; i < count; ++i) {
      const std::string_view word = words[i];
      const char* const next = i + 1 < count ? words[i + 1] : "";
      if (word == "--rounds") {
        made.rounds = std::strtoul(next, nullptr, 10), ++i;
      } else if (word == "--part") {
        made.part = std::strtoul(next, nullptr, 10), ++i;
      } else if (word == "--threads") {
        made.threads.clear();
        for (const char* at = next; *at != '\0'; at += *at == ',' ? 1 : 0) {
          char* end = nullptr;
          made.threads.push_back(static_cast<std::uint32_t>(std::strtoul(at, &end, 10)));
          if (end == at) std::exit(2);
          at = end;
        }
        ++i;
      } else {
        made.paths.emplace_back(word);
      }
    }
    if (made.rounds == 0 || made.part == 0 || made.threads.empty() || made.threads[0] != 1) {
      std::fputs("bench_scaling: threads begin with 1, rounds and parts are positive\n", stderr);
      std::exit(2);
    }
    return made;
  }
  bool wants(const std::string& name) const {
    if (paths.empty()) return true;
    for (const std::string& path : paths)
      if (name.find(path) != name.npos) return true;
    return false;
  }
};

/// What a work takes on all threads.
struct Cost {
  double seconds, processor;
  double faults;
};

double processor_seconds() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

double page_faults() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_minflt + usage.ru_majflt);
}

template <class Body>
Cost cost(Body&& body) {
  trim();  // otherwise memory would depend on what was measured before
  const double processor = processor_seconds(), faults = page_faults();
  const double took = seconds(body);
  return {took, processor_seconds() - processor, page_faults() - faults};
}

/// Those of all rounds.
struct Costs {
  std::vector<double> seconds, processor, faults;

  void add(const Cost& one) {
    seconds.push_back(one.seconds);
    processor.push_back(one.processor);
    faults.push_back(one.faults);
  }
};

/// The time that parallel loops take, on threads that are given to the registry.
class Measured {
 public:
  Executor executor() {
    return [this](std::uint64_t n, const std::function<void(std::uint64_t)>& task) {
      const bool is_outer = !std::exchange(inside_, true);
      const double took = seconds([&] { pool_.run(n, task, [] {}); });
      if (!is_outer) return;
      inside_ = false;
      in_loops_ += took;
    };
  }
  double take() { return std::exchange(in_loops_, 0); }

 private:
  ThreadPool pool_;
  double in_loops_ = 0;
  static thread_local bool inside_;
};
thread_local bool Measured::inside_ = false;

/// The plugins are of the same build, wherever it was moved to.
Registry open(const Executor& executor = {}) {
  RegistryOptions options;
  options.policy.isolation.mode = IsolationMode::in_process;
  options.executor = executor;
  return Registry::open(options);
}

CallOptions with(std::uint32_t threads) {
  CallOptions call;
  call.threads = threads;
  return call;
}

/// One work to be measured.
struct Path {
  std::string name;
  std::size_t bytes;
  std::function<Cost(const Registry&, std::uint32_t threads)> run;
  std::function<double()> skip;  // seconds of the serial skip alone; or empty
};

std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Another reader of an input: it has one thread, or as many as the machine has.
struct Peer {
  std::string name;
  std::size_t bytes;
  bool has_threads;
  std::function<void()> read;
};

/// Those of a file, into fresh memory as ours are.
std::vector<Peer> peers_of(const std::string& name, const std::string& path, std::size_t bytes) {
  std::vector<Peer> peers;
  [[maybe_unused]] const auto add = [&](const char* peer, bool has_threads, auto read) {
    peers.push_back({std::string(peer) + " " + name, bytes, has_threads, std::move(read)});
  };
  if (name.ends_with(".obj")) {
#ifdef POLYCODEC_PEER_FAST_OBJ
    add("fast_obj", false, [path] { read_fast_obj(path); });
#endif
#ifdef POLYCODEC_PEER_RAPIDOBJ
    add("rapidobj", true, [path] { read_rapidobj(path); });
#endif
  } else if (name.ends_with(".ply")) {
#ifdef POLYCODEC_PEER_MINIPLY
    add("miniply", false, [path] { read_miniply(path); });
#endif
  } else if (name.ends_with(".json")) {
#ifdef POLYCODEC_PEER_SIMDJSON
    add("simdjson", false, [path] {
      simdjson::dom::parser parser;
      if (parser.load(path).error() != simdjson::SUCCESS) std::abort();
    });
#endif
  } else {
    add("msgpack-c", false, [path] {
      const std::string all = bytes_of(path);
      if (::msgpack::unpack(all.data(), all.size()).get().is_nil()) std::abort();
    });
  }
  return peers;
}

/// Records as services write them: nested, with text, integers and doubles.
std::string json_document(std::size_t size) {
  std::mt19937_64 random(7);
  const char* const names[] = {"Müller", "Ольга", "Smith", "张伟", "García"};
  const char* const tags[] = {"alpha", "bêta", "release", "long label of a sample", "x"};
  std::string text = "[";
  char line[400];
  const auto real = [&] { return static_cast<double>(random() >> 11) * 0x1p-52 - 1; };
  while (text.size() < size) {
    const int length = std::snprintf(
        line, sizeof line,
        "%s{\"id\": %u, \"name\": \"%s %u\", \"tags\": [\"%s\", \"%s\"], \"position\": {\"x\": "
        "%.17g, \"y\": %.17g, \"z\": %.17g}, \"active\": %s, \"score\": %.17g}",
        text.size() == 1 ? "" : ", ", static_cast<unsigned>(random() % 10'000'000),
        names[random() % 5], static_cast<unsigned>(random() % 1000), tags[random() % 5],
        tags[random() % 5], real(), real(), real(), random() % 2 == 0 ? "true" : "false", real());
    text.append(line, static_cast<std::size_t>(length));
  }
  return text + "]";
}

double skip_msgpack(const std::string& bytes) {
  const auto* at = reinterpret_cast<const std::uint8_t*>(bytes.data());
  const std::uint8_t* const end = at + bytes.size();
  std::uint64_t due = 1;
  bool is_right = false;
  const double took =
      seconds([&] { is_right = msgpack_ndarray::Skipper().items(at, end, end, due) && due == 0; });
  if (!is_right) std::abort();
  return took;
}

double skip_json(const std::string& text) {
  json::JsonCutter cutter(text, false);
  return seconds([&] {
    for (;;) {
      const json::JsonCut cut = cutter.next();
      if (cut.kind == json::JsonCut::other) std::abort();
      if (cut.kind == json::JsonCut::end) return;
    }
  });
}

/// Reading a file into fresh memory, and writing its value to memory that was written before, or to
/// a file.
void add_codec(std::vector<Path>& paths, const Arguments& arguments, Files& files,
               const std::string& codec, const std::string& name, std::size_t bytes,
               std::function<double()> skip) {
  const std::string path = files.path(name);
  if (arguments.wants("read " + name))
    paths.push_back({"read " + name, bytes,
                     [=](const Registry& registry, std::uint32_t threads) {
                       const Codec reader = registry.codec(codec);
                       Value value;
                       return cost(
                           [&] { value = reader.decode(Source::file(path), with(threads)); });
                     },
                     std::move(skip)});
  const bool to_memory = arguments.wants("write " + name);
  const bool to_file = arguments.wants("save " + name);
  if (!to_memory && !to_file) return;
  const auto value =
      std::make_shared<const Value>(open().codec(codec).decode(Source::file(path), with(1)));
  const auto sink = std::make_shared<SegmentSink>();
  if (to_memory)
    paths.push_back({"write " + name,
                     bytes,
                     [=](const Registry& registry, std::uint32_t threads) {
                       const Codec writer = registry.codec(codec);
                       sink->reset();
                       return cost([&] { writer.encode(*value, *sink, with(threads)); });
                     },
                     {}});
  const std::string target = files.path("again." + name);
  if (to_file)
    paths.push_back({"save " + name,
                     bytes,
                     [=](const Registry& registry, std::uint32_t threads) {
                       const Codec writer = registry.codec(codec);
                       return cost([&] {
                         FileSink file(target);
                         writer.encode(*value, file, with(threads));
                         file.finish();
                       });
                     },
                     {}});
}

/// A loop in registers: `threads` of it take as long as one where the machine has so many cores.
Cost loop_cost(ThreadPool& pool, std::uint32_t threads) {
  constexpr std::uint64_t parts = 960, steps = 200'000;
  std::atomic<std::uint64_t> next{0}, all{0};
  const std::function<void(std::uint64_t)> task = [&](std::uint64_t) {
    std::uint64_t sum = 0;
    while (next.fetch_add(1) < parts) {
      std::uint64_t x = 88172645463325252u + sum;
      for (std::uint64_t i = 0; i < steps; ++i) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
      }
      sum += x;
    }
    all += sum;
  };
  return cost([&] { pool.run(threads, task, [] {}); });
}

void print(const std::string& name, std::size_t bytes, const std::vector<std::uint32_t>& threads,
           const std::vector<Costs>& costs, std::vector<double>& loop) {
  const double one = median(costs[0].seconds);
  for (std::size_t i = 0; i < threads.size(); ++i) {
    const double took = median(costs[i].seconds);
    if (name == "loop") loop.push_back(one / took);
    std::printf("| %-20s | %7.1f | %2u | %8.1f | %5.2f | %5.2f | %3.0f%% | %7.1f | %6.0f |\n",
                name.c_str(), static_cast<double>(bytes) * 1e-6, threads[i], took * 1e3, one / took,
                one / took / loop[i], spread(costs[i].seconds) * 100,
                median(costs[i].processor) * 1e3, median(costs[i].faults));
  }
  std::fflush(stdout);
}

int run(const Arguments& arguments) {
  Files files;
  std::vector<Path> paths;
  std::vector<Peer> peers;
  const auto make = [&](const std::string& name, const std::string& codec, const auto& text,
                        const auto& skip) {
    bool is_wanted = false;
    for (const char* work : {"read ", "write ", "save "})
      is_wanted = is_wanted || arguments.wants(work + name);
    if (!is_wanted) return;
    const std::string path = files.get(name, text);
    const auto bytes = static_cast<std::size_t>(std::filesystem::file_size(path));
    const std::function<double()> measure = skip(path);
    add_codec(paths, arguments, files, codec, name, bytes, measure);
    if (arguments.wants("read " + name))
      for (Peer& peer : peers_of(name, path, bytes)) peers.push_back(std::move(peer));
  };
  const auto none = [](const std::string&) { return std::function<double()>(); };
  const auto points = [&](double all) {
    return static_cast<std::uint32_t>(all / std::sqrt(static_cast<double>(arguments.part)));
  };
  const std::size_t document = 50'000'000 / arguments.part;
  make(
      "mesh.obj", "obj", [&] { return obj_text(Torus(points(1640)), Corner::plain); }, none);
  make(
      "mesh.ply", "ply", [&] { return ply_text(Torus(points(1310))); }, none);
  make(
      "records.json", "json", [&] { return json_document(document); },
      [](const std::string& path) {
        return std::function<double()>([text = bytes_of(path)] { return skip_json(text); });
      });
  make(
      "records.msgpack", "msgpack-ndarray",
      [&] {
        const std::string text = json_document(document * 85 / 50);
        return open()
            .codec("msgpack-ndarray")
            .encode_to_string(open().codec("json").decode(Source::view(text), with(1)).view());
      },
      [](const std::string& path) {
        return std::function<double()>([bytes = bytes_of(path)] { return skip_msgpack(bytes); });
      });

  const Registry registry = open();
  Measured measured;
  const Registry instrumented = open(measured.executor());
  const std::vector<std::uint32_t>& threads = arguments.threads;
  ThreadPool pool;
  std::vector<Costs> loop_costs(threads.size());
  std::vector<std::vector<Costs>> costs(paths.size(), std::vector<Costs>(threads.size()));
  std::vector<std::vector<double>> serial(paths.size()), skips(paths.size());
  std::vector<std::vector<double>> peer_times(peers.size());
  for (std::size_t round = 0; round <= arguments.rounds; ++round) {
    const bool counts = round != 0;  // the first one warms up
    for (std::size_t i = 0; i < threads.size(); ++i) {
      const Cost took = loop_cost(pool, threads[i]);
      if (counts) loop_costs[i].add(took);
    }
    for (std::size_t p = 0; p < paths.size(); ++p) {
      // Whoever comes first waits until the kernel has put large pages together, which all others
      // find ready.
      static_cast<void>(paths[p].run(registry, threads.back()));
      for (std::size_t i = 0; i < threads.size(); ++i) {
        const Cost took = paths[p].run(registry, threads[i]);
        if (counts) costs[p][i].add(took);
      }
      measured.take();
      const double took = paths[p].run(instrumented, threads.back()).seconds;
      if (counts) serial[p].push_back(took - measured.take());
      if (paths[p].skip && counts) skips[p].push_back(paths[p].skip());
    }
    for (std::size_t p = 0; p < peers.size(); ++p) {
      const double took = seconds(peers[p].read);
      if (counts) peer_times[p].push_back(took);
    }
  }

  std::printf("%u processors to use; %zu rounds, medians\n", usable_processors(), arguments.rounds);
  std::printf(
      "| work                 |      MB |  t |       ms |     x | of loop | spread | processor ms "
      "| "
      "faults |\n");
  std::printf(
      "|----------------------|--------:|---:|---------:|------:|------:|-----:|--------:|-------:|"
      "\n");
  std::vector<double> loop;
  print("loop", 0, threads, loop_costs, loop);
  for (std::size_t p = 0; p < paths.size(); ++p) {
    print(paths[p].name, paths[p].bytes, threads, costs[p], loop);
    const double one = median(costs[p][0].seconds);
    std::printf("| %-20s | outside of loops on %u threads: %.1f ms, %.1f%% of one thread |\n",
                paths[p].name.c_str(), threads.back(), median(serial[p]) * 1e3,
                median(serial[p]) / one * 100);
    if (paths[p].skip)
      std::printf("| %-20s | skip alone: %.1f ms, %.1f%% of one thread |\n", paths[p].name.c_str(),
                  median(skips[p]) * 1e3, median(skips[p]) / one * 100);
  }
  for (std::size_t p = 0; p < peers.size(); ++p)
    std::printf("| %-20s | %7.1f | %2u | %8.1f |     - |     - | %3.0f%% |\n",
                peers[p].name.c_str(), static_cast<double>(peers[p].bytes) * 1e-6,
                peers[p].has_threads ? usable_processors() : 1, median(peer_times[p]) * 1e3,
                spread(peer_times[p]) * 100);
  return 0;
}

}  // namespace
}  // namespace polycodec::bench

int main(int count, char** words) try {
  return polycodec::bench::run(polycodec::bench::Arguments::from(count, words));
} catch (const std::exception& e) {
  std::fprintf(stderr, "bench_scaling: %s\n", e.what());
  return 1;
}
