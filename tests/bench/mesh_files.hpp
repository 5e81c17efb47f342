// SPDX-License-Identifier: MIT
// A rough torus as files: the same in each run.
#pragma once

#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::bench {

/// `around` times `around` vertices, and twice as many triangles.
struct Torus {
  std::uint32_t around;
  std::vector<float> x, y, z;
  std::vector<std::int32_t> corners;

  explicit Torus(std::uint32_t points) : around(points) {
    std::mt19937_64 random(42);
    const auto rough = [&random] { return static_cast<double>(random() >> 40) * 1e-10; };
    for (std::uint32_t i = 0; i < around * around; ++i) {
      const std::uint32_t a = i / around, b = i % around;
      const double u = angle(a), v = angle(b);
      x.push_back(static_cast<float>((2 + 0.7 * std::cos(v)) * std::cos(u) + rough()));
      y.push_back(static_cast<float>((2 + 0.7 * std::cos(v)) * std::sin(u) + rough()));
      z.push_back(static_cast<float>(0.7 * std::sin(v) + rough()));
      const auto at = [this](std::uint32_t of, std::uint32_t in) {
        return static_cast<std::int32_t>(of % around * around + in % around);
      };
      for (const std::int32_t corner :
           {at(a, b), at(a + 1, b), at(a + 1, b + 1), at(a, b), at(a + 1, b + 1), at(a, b + 1)})
        corners.push_back(corner);
    }
  }
  double angle(std::uint32_t of) const { return 2 * 3.14159265358979 * of / around; }
};

/// Text of a file, line by line.
class Lines {
 public:
  template <class... Numbers>
  void add(const char* format, Numbers... numbers) {
    char line[128];
    text_.append(line,
                 static_cast<std::size_t>(std::snprintf(line, sizeof line, format, numbers...)));
  }
  void put(std::string_view word) { text_ += word; }
  const std::string& text() const noexcept { return text_; }

 private:
  std::string text_;
};

enum class Corner { plain, normals, all };  ///< `a`, `a//a`, `a/b/a`

inline std::string obj_text(const Torus& mesh, Corner corner) {
  Lines lines;
  const std::uint32_t around = mesh.around;
  const auto vertices = static_cast<std::uint32_t>(mesh.x.size());
  for (std::uint32_t i = 0; i < vertices; ++i)
    lines.add("v %.6f %.6f %.6f\n", double{mesh.x[i]}, double{mesh.y[i]}, double{mesh.z[i]});
  for (std::uint32_t i = 0; corner == Corner::all && i < vertices; ++i)
    lines.add("vt %.6f %.6f\n", static_cast<double>(i / around) / around,
              static_cast<double>(i % around) / around);
  for (std::uint32_t i = 0; corner != Corner::plain && i < vertices; ++i) {
    const double u = mesh.angle(i / around), v = mesh.angle(i % around);
    lines.add("vn %.4f %.4f %.4f\n", std::cos(v) * std::cos(u), std::cos(v) * std::sin(u),
              std::sin(v));
  }
  for (std::size_t i = 0; i < mesh.corners.size(); ++i) {
    const std::int32_t a = mesh.corners[i] + 1;
    const auto b = static_cast<std::int32_t>(vertices) + 1 - a;
    if (i % 3 == 0) lines.put("f");
    if (corner == Corner::plain) lines.add(" %d", a);
    if (corner == Corner::normals) lines.add(" %d//%d", a, a);
    if (corner == Corner::all) lines.add(" %d/%d/%d", a, b, a);
    if (i % 3 == 2) lines.put("\n");
  }
  return lines.text();
}

inline std::string ply_text(const Torus& mesh) {
  Lines lines;
  lines.add("ply\nformat ascii 1.0\nelement vertex %zu\n", mesh.x.size());
  lines.add("property float x\nproperty float y\nproperty float z\nelement face %zu\n",
            mesh.corners.size() / 3);
  lines.put("property list uchar int vertex_indices\nend_header\n");
  for (std::size_t i = 0; i < mesh.x.size(); ++i)
    lines.add("%.6f %.6f %.6f\n", double{mesh.x[i]}, double{mesh.y[i]}, double{mesh.z[i]});
  for (std::size_t i = 0; i < mesh.corners.size(); i += 3)
    lines.add("3 %d %d %d\n", mesh.corners[i], mesh.corners[i + 1], mesh.corners[i + 2]);
  return lines.text();
}

/// A directory of files that goes with the program.
class Files {
 public:
  Files() { std::filesystem::create_directories(directory_); }
  ~Files() {
    std::error_code ignored;
    std::filesystem::remove_all(directory_, ignored);
  }
  std::string path(const std::string& name) const { return (directory_ / name).string(); }
  /// The path of a file, which `make` makes the first time.
  template <class Make>
  std::string get(const std::string& name, const Make& make) {
    if (!made_[name]) {
      const std::string bytes = make();
      std::ofstream(path(name), std::ios::binary)
          .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
      made_[name] = true;
    }
    return path(name);
  }

 private:
  std::filesystem::path directory_ = std::filesystem::temp_directory_path() /
                                     ("polycodec_mesh_bench_" + std::to_string(::getpid()));
  std::map<std::string, bool> made_;
};

}  // namespace polycodec::bench
