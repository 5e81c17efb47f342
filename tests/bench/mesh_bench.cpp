// SPDX-License-Identifier: MIT
// PLY and OBJ of a torus of a million vertices and two million triangles, beside reading and
// writing the same bytes with the C library and beside other loaders where they are installed.
#include <polycodec/codec.hpp>
#include <polycodec/limits.hpp>
#include <polycodec/sink.hpp>
#include <polycodec/source.hpp>
#include <polycodec/value.hpp>

#include "core/value/arena.hpp"
#include "mesh_codecs.hpp"

#include <benchmark/benchmark.h>
#include <sys/mman.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#if defined(POLYCODEC_BENCH_ASSIMP)
#include <assimp/Importer.hpp>
#include <assimp/scene.h>
#endif
#if defined(POLYCODEC_BENCH_TINYOBJ)
#include <tiny_obj_loader.h>
#endif

namespace polycodec::bench {
namespace {

constexpr std::uint32_t around = 1000;

struct Mesh {
  std::vector<float> x, y, z;
  std::vector<std::int32_t> corners;
  Mesh() {
    for (std::uint32_t i = 0; i < around * around; ++i) {
      const double u = 2 * 3.14159265358979 * (i / around) / around;
      const double v = 2 * 3.14159265358979 * (i % around) / around;
      x.push_back(static_cast<float>((2 + 0.7 * std::cos(v)) * std::cos(u)));
      y.push_back(static_cast<float>((2 + 0.7 * std::cos(v)) * std::sin(u)));
      z.push_back(static_cast<float>(0.7 * std::sin(v)));
      const auto at = [](std::uint32_t a, std::uint32_t b) {
        return static_cast<std::int32_t>(a % around * around + b % around);
      };
      const std::uint32_t a = i / around;
      const std::uint32_t b = i % around;
      for (const std::int32_t corner :
           {at(a, b), at(a + 1, b), at(a + 1, b + 1), at(a, b), at(a + 1, b + 1), at(a, b + 1)})
        corners.push_back(corner);
    }
  }
};

// The mesh as columns that stand one after another, as a program has them: nothing is laid out as
// in a file.
Value columns(const Mesh& mesh) {
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

struct Files {
  std::filesystem::path directory;
  std::string little, big, ascii, obj, obj_normals, obj_all;
  Mesh mesh;
  Value value = columns(mesh);

  Files() {
    const char* given = std::getenv("TMPDIR");
    directory = std::filesystem::path(given != nullptr ? given : "/tmp") / "polycodec_mesh_bench";
    std::filesystem::create_directories(directory);
    little = write("torus_le.ply", encode_ply(value.view(), "binary_little_endian"));
    big = write("torus_be.ply", encode_ply(value.view(), "binary_big_endian"));
    ascii = write("torus_ascii.ply", encode_ply(value.view(), "ascii"));
    obj = write("torus.obj", encode_obj(value.view()));
    obj_normals = write("torus_normals.obj", obj_with(false));
    obj_all = write("torus_all.obj", obj_with(true));
  }
  ~Files() {
    std::error_code ignored;
    std::filesystem::remove_all(directory, ignored);
  }
  // The same faces with a normal for each vertex, as `f a//a`, or with texture coordinates of their
  // own too, as `f a/b/a`.
  std::string obj_with(bool textures) const {
    std::string text;
    char line[128];
    const auto add = [&](const char* format, auto... values) {
      text.append(line,
                  static_cast<std::size_t>(std::snprintf(line, sizeof line, format, values...)));
    };
    const std::size_t vertices = mesh.x.size();
    for (std::size_t i = 0; i < vertices; ++i)
      add("v %.6f %.6f %.6f\n", double{mesh.x[i]}, double{mesh.y[i]}, double{mesh.z[i]});
    for (std::size_t i = 0; textures && i < vertices; ++i)
      add("vt %.6f %.6f\n", static_cast<double>(i / around) / around,
          static_cast<double>(i % around) / around);
    for (std::size_t i = 0; i < vertices; ++i) {
      const double u = 2 * 3.14159265358979 * static_cast<double>(i / around) / around;
      const double v = 2 * 3.14159265358979 * static_cast<double>(i % around) / around;
      add("vn %.4f %.4f %.4f\n", std::cos(v) * std::cos(u), std::cos(v) * std::sin(u), std::sin(v));
    }
    for (std::size_t i = 0; i < mesh.corners.size(); i += 3) {
      text += 'f';
      for (std::size_t k = i; k < i + 3; ++k) {
        const std::int32_t a = mesh.corners[k] + 1;
        const std::int32_t b = static_cast<std::int32_t>(vertices) + 1 - a;
        textures ? add(" %d/%d/%d", a, b, a) : add(" %d//%d", a, a);
      }
      text += '\n';
    }
    return text;
  }
  std::string write(const char* name, const std::string& bytes) const {
    const std::string path = (directory / name).string();
    std::ofstream(path, std::ios::binary)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return path;
  }
};

const Files& files() {
  static const Files all;
  return all;
}

using Which = std::string Files::*;

void count_bytes(benchmark::State& state, const std::string& path) {
  state.SetBytesProcessed(state.iterations() *
                          static_cast<std::int64_t>(std::filesystem::file_size(path)));
}

void read_fresh(benchmark::State& state, Which which) {
  const std::string& path = files().*which;
  const auto size = static_cast<std::size_t>(std::filesystem::file_size(path));
  for (auto _ : state) {
    // Not malloc(), which may hand out pages that this program has touched before.
    void* const memory =
        ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return state.SkipWithError("no memory");
    std::FILE* file = std::fopen(path.c_str(), "rb");
    if (std::fread(memory, 1, size, file) != size) state.SkipWithError("short read");
    std::fclose(file);
    benchmark::DoNotOptimize(memory);
    ::munmap(memory, size);
  }
  count_bytes(state, path);
}

// Opens, maps, decodes and drops a file: everything from the name to the value.
void open_file(benchmark::State& state, Which which, Decode decode) {
  const std::string& path = files().*which;
  for (auto _ : state) {
    const Source source = Source::file(path);
    Value value;
    decode(source.bytes(), value);
    benchmark::DoNotOptimize(value.root());
  }
  count_bytes(state, path);
}

void write_plain(benchmark::State& state, Which which) {
  std::ifstream in(files().*which, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  const std::string path = (files().directory / "out").string();
  for (auto _ : state) {
    std::FILE* file = std::fopen(path.c_str(), "wb");
    if (std::fwrite(bytes.data(), 1, bytes.size(), file) != bytes.size())
      state.SkipWithError("short write");
    std::fclose(file);
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes.size()));
}

// Encodes columns and writes the segments to a file.
void write_mesh(benchmark::State& state, const char* format) {
  const std::string path = (files().directory / "out").string();
  std::uint64_t size = 0;
  for (auto _ : state) {
    SegmentSink sink;
    std::string(format) == "obj" ? encode_obj(files().value.view(), sink)
                                 : encode_ply(files().value.view(), format, sink);
    std::FILE* file = std::fopen(path.c_str(), "wb");
    size = 0;
    for (const Segment& s : sink.segments()) size += std::fwrite(s.data, 1, s.size, file);
    std::fclose(file);
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(size));
}

#if defined(POLYCODEC_BENCH_ASSIMP)
void open_assimp(benchmark::State& state, Which which) {
  for (auto _ : state) {
    Assimp::Importer importer;
    if (importer.ReadFile(files().*which, 0) == nullptr)
      state.SkipWithError(importer.GetErrorString());
  }
  count_bytes(state, files().*which);
}
BENCHMARK_CAPTURE(open_assimp, ply_little, &Files::little)
    ->Unit(benchmark::kMillisecond)
    ->MinTime(0.1);
BENCHMARK_CAPTURE(open_assimp, ply_ascii, &Files::ascii)
    ->Unit(benchmark::kMillisecond)
    ->MinTime(0.1);
BENCHMARK_CAPTURE(open_assimp, obj, &Files::obj)->Unit(benchmark::kMillisecond)->MinTime(0.1);
#endif

#if defined(POLYCODEC_BENCH_TINYOBJ)
void open_tinyobj(benchmark::State& state) {
  for (auto _ : state) {
    tinyobj::attrib_t attributes;
    std::vector<tinyobj::shape_t> shapes;
    std::vector<tinyobj::material_t> materials;
    std::string warning;
    std::string error;
    if (!tinyobj::LoadObj(&attributes, &shapes, &materials, &warning, &error, files().obj.c_str(),
                          nullptr, false))
      state.SkipWithError(error.c_str());
  }
  count_bytes(state, files().obj);
}
BENCHMARK(open_tinyobj)->Unit(benchmark::kMillisecond)->MinTime(0.1);
#endif

#define POLYCODEC_MESH_BENCH(function, name, ...) \
  BENCHMARK_CAPTURE(function, name, __VA_ARGS__)->Unit(benchmark::kMillisecond)->UseRealTime()

POLYCODEC_MESH_BENCH(read_fresh, ply_little, &Files::little);
POLYCODEC_MESH_BENCH(open_file, ply_little, &Files::little, &decode_ply);
POLYCODEC_MESH_BENCH(open_file, ply_big, &Files::big, &decode_ply);
POLYCODEC_MESH_BENCH(read_fresh, ply_ascii, &Files::ascii);
POLYCODEC_MESH_BENCH(open_file, ply_ascii, &Files::ascii, &decode_ply);
POLYCODEC_MESH_BENCH(read_fresh, obj, &Files::obj);
POLYCODEC_MESH_BENCH(open_file, obj, &Files::obj, &decode_obj);
POLYCODEC_MESH_BENCH(read_fresh, obj_normals, &Files::obj_normals);
POLYCODEC_MESH_BENCH(open_file, obj_normals, &Files::obj_normals, &decode_obj);
POLYCODEC_MESH_BENCH(read_fresh, obj_all, &Files::obj_all);
POLYCODEC_MESH_BENCH(open_file, obj_all, &Files::obj_all, &decode_obj);
POLYCODEC_MESH_BENCH(write_plain, ply_little, &Files::little);
POLYCODEC_MESH_BENCH(write_mesh, ply_little, "binary_little_endian");
POLYCODEC_MESH_BENCH(write_mesh, ply_big, "binary_big_endian");
POLYCODEC_MESH_BENCH(write_plain, ply_ascii, &Files::ascii);
POLYCODEC_MESH_BENCH(write_mesh, ply_ascii, "ascii");
POLYCODEC_MESH_BENCH(write_plain, obj, &Files::obj);
POLYCODEC_MESH_BENCH(write_mesh, obj, "obj");

}  // namespace
}  // namespace polycodec::bench
