// SPDX-License-Identifier: MIT
// Meshes in OBJ and PLY, from the name of a file to the value and back, on one thread and on two.
// Other readers are measured in the same rounds where CMake knows their sources. Binary files are
// measured beside reading the bytes into fresh memory, and all writing beside fwrite().
#include <polycodec/builder.hpp>

#include "core/io/file_sink.hpp"
#include "core/io/sink.hpp"
#include "core/io/source.hpp"
#include "core/value/value.hpp"
#include "mesh_files.hpp"
#include "mesh_peers/peers.hpp"
#include "paired.hpp"
#include "registry/codec/registry.hpp"

#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace polycodec::bench {
namespace {

#if defined(POLYCODEC_PEER_FAST_OBJ)
constexpr ReadMesh fast_obj = &read_fast_obj;
#else
constexpr ReadMesh fast_obj = nullptr;
#endif
#if defined(POLYCODEC_PEER_RAPIDOBJ)
constexpr ReadMesh rapidobj = &read_rapidobj;
#else
constexpr ReadMesh rapidobj = nullptr;
#endif
#if defined(POLYCODEC_PEER_MINIPLY)
constexpr ReadMesh miniply = &read_miniply;
#else
constexpr ReadMesh miniply = nullptr;
#endif

const Registry& registry() {
  static const Registry opened = Registry::open();
  return opened;
}

CallOptions with(std::int64_t threads) {
  CallOptions call;
  call.threads = static_cast<std::uint32_t>(threads);
  Limits limits;
  limits.max_output_bytes = std::uint64_t{1} << 30;  // text takes more than the columns
  call.limits = limits;
  return call;
}

Files& files() {
  static Files all;
  return all;
}

/// The mesh as columns that stand one after another, as a program has them: nothing is laid out as
/// in a file.
Value columns(const Torus& mesh) {
  return Value::build([&](Builder& out) {
    const std::string_view names[] = {"x", "y", "z"};
    const polycodec_array* points[] = {out.vector(std::span(mesh.x)), out.vector(std::span(mesh.y)),
                                       out.vector(std::span(mesh.z))};
    const std::int64_t shape[] = {static_cast<std::int64_t>(mesh.corners.size() / 3), 3};
    const std::string_view face_names[] = {"vertex_indices"};
    const polycodec_array* faces[] = {
        out.ndarray(bytes_of(std::span(mesh.corners)), POLYCODEC_DTYPE_INT32, 4, shape)};
    return out.object(
        {{"vertex", Builder::array(out.record(mesh.x.size(), names, points))},
         {"face", Builder::array(out.record(mesh.corners.size() / 3, face_names, faces))}});
  });
}

const Value& written() {
  static const Torus mesh(1000);
  static const Value value = columns(mesh);
  return value;
}

/// The bytes of the torus in a format.
std::string bytes_in(const char* codec, const char* options) {
  SegmentSink sink;
  registry().codec_with_json(codec, options).encode(written(), sink, with(1));
  return sink.to_string();
}

void read_fresh(const std::string& path) {
  const auto size = static_cast<std::size_t>(std::filesystem::file_size(path));
  // Not malloc(), which may hand out pages that this program has touched before.
  void* const memory =
      ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  std::FILE* const file = std::fopen(path.c_str(), "rb");
  const std::size_t read = std::fread(memory, 1, size, file);
  std::fclose(file);
  benchmark::DoNotOptimize(memory);
  ::munmap(memory, size);
  if (read != size) throw std::runtime_error("short read");
}

/// Opens, maps, decodes and drops a file, with as many threads as the row says.
void read(benchmark::State& state, const char* codec_name, const std::string& path, ReadMesh peer) {
  const Codec codec = registry().codec(codec_name);
  const auto size = static_cast<std::size_t>(std::filesystem::file_size(path));
  const CallOptions call = with(state.range(0));
  const auto ours = [&] {
    const Value value = codec.decode(Source::file(path), call);
    benchmark::DoNotOptimize(value.root());
  };
  if (peer == nullptr)
    paired(state, size, ours, NoPeer{});
  else
    paired(state, size, ours, [&] { peer(path); });
}

/// `one` and `two` are the peers of one thread and of two.
void read_obj(benchmark::State& state, Corner corner, std::uint32_t around, ReadMesh one,
              ReadMesh two) {
  const std::string path = files().get("torus" + std::to_string(around) + ".obj",
                                       [&] { return obj_text(Torus(around), corner); });
  read(state, "obj", path, state.range(0) == 1 ? one : two);
}

void read_ascii_ply(benchmark::State& state) {
  read(state, "ply", files().get("torus.ply", [] { return ply_text(Torus(815)); }), miniply);
}

void read_binary_ply(benchmark::State& state, const char* name, const char* options) {
  read(state, "ply", files().get(name, [&] { return bytes_in("ply", options); }), &read_fresh);
}

/// Waits until the file is on the disk.
void flush(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0 || ::fsync(file) != 0) throw std::runtime_error("cannot flush");
  ::close(file);
}

/// How the peer writes a file.
enum class Peer {
  over,    // over the old one, which a crash then leaves half
  beside,  // beside the old one, which it then replaces, as we do
};

/// Encodes columns to a file; the peer writes the same bytes. The file of each is on the disk
/// before: else, who is first after its own turn waits until the file before has been written.
void write(benchmark::State& state, const char* codec_name, const char* options, Peer peer) {
  const Codec codec = registry().codec_with_json(codec_name, options);
  const CallOptions call = with(state.range(0));
  const std::string bytes = bytes_in(codec_name, options);
  const std::string path = files().path("out"), other = files().path("out2"),
                    beside = files().path("out3");
  paired(
      state, bytes.size(),
      [&] {
        FileSink sink(path);
        codec.encode(written(), sink, call);
        sink.finish();
        if (sink.size() != bytes.size()) state.SkipWithError("other bytes");
      },
      [&] {
        const std::string& to = peer == Peer::over ? other : beside;
        std::FILE* const file = std::fopen(to.c_str(), "wb");
        const std::size_t size = std::fwrite(bytes.data(), 1, bytes.size(), file);
        std::fclose(file);
        if (peer == Peer::beside) std::filesystem::rename(beside, other);
        if (size != bytes.size()) state.SkipWithError("short write");
      },
      1,
      [&](std::size_t) {
        flush(path);
        flush(other);
      });
}

#define MESH(function, name, ...)                \
  BENCHMARK_CAPTURE(function, name, __VA_ARGS__) \
      ->UseManualTime()                          \
      ->Unit(benchmark::kMicrosecond)            \
      ->Iterations(11)                           \
      ->Arg(1)
// Files of about 75 MB.
MESH(read_obj, a_b_c, Corner::plain, 1010, fast_obj, rapidobj)->Arg(2);
MESH(read_obj, a__a, Corner::normals, 715, fast_obj, rapidobj)->Arg(2);
MESH(read_obj, a_b_a, Corner::all, 610, fast_obj, rapidobj)->Arg(2);
BENCHMARK(read_ascii_ply)
    ->UseManualTime()
    ->Unit(benchmark::kMicrosecond)
    ->Iterations(11)
    ->Arg(1)
    ->Arg(2);
MESH(read_binary_ply, little, "little.ply", R"({"format": "binary_little_endian"})");
MESH(read_binary_ply, big, "big.ply", R"({"format": "binary_big_endian"})");
MESH(write, obj, "obj", "{}", Peer::over)->Arg(2);
MESH(write, obj_beside, "obj", "{}", Peer::beside)->Arg(2);
MESH(write, ply_ascii, "ply", R"({"format": "ascii"})", Peer::over)->Arg(2);
MESH(write, ply_ascii_beside, "ply", R"({"format": "ascii"})", Peer::beside)->Arg(2);
MESH(write, ply_little, "ply", R"({"format": "binary_little_endian"})", Peer::over);
MESH(write, ply_big, "ply", R"({"format": "binary_big_endian"})", Peer::over);

}  // namespace
}  // namespace polycodec::bench
