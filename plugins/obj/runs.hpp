// SPDX-License-Identifier: MIT
// Runs of lines of one kind in its simplest form, which most lines of most files are.
#pragma once

#include <base/decimal.hpp>

#include "dictionary.hpp"
#include "indices.hpp"
#include "lexer.hpp"
#include "model.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>

namespace polycodec::obj {

/// Reads runs at the place of a lexer, which moves behind them. Lines that are in any way unusual,
/// and the last lines of a file, are left to others.
class Runs {
 public:
  Runs(Lexer& lexer, Model& model, Indices& indices) noexcept
      : lexer_(lexer), model_(model), indices_(indices), end_(lexer.end()) {}

  /// No run goes beyond `end`, which is behind the end of a line.
  void end_at(const char* end) noexcept { end_ = end; }

  /// False, and nothing has happened: no such line is here.
  bool read() {
    const char* const p = lexer_.position();
    if (std::endian::native != std::endian::little || !has_line(p)) return false;
    if (p[0] == 'f' && p[1] == ' ') return faces(p);
    if (p[0] != 'v') return false;
    if (p[1] == ' ') {
      const std::uint64_t rows = points<1>(model_.vertices);
      model_.weights.skip(rows);
      model_.colors.skip(rows);
      return counted(0, rows);
    }
    if (p[1] == 'n' && p[2] == ' ') return counted(2, points<2>(model_.normals));
    if (p[1] == 't' && p[2] == ' ') return counted(1, textures());
    return false;
  }

 private:
  // Lines of a run, so that work is charged and room is made now and then.
  static constexpr std::uint64_t most_lines = 128;
  static constexpr std::size_t most_corners = 8;

  // Enough for a face of the most corners of 8 digits, and for what digit_run() looks at.
  bool has_line(const char* p) const noexcept { return end_ - p >= 256; }

  bool counted(std::size_t kind, std::uint64_t rows) {
    if (rows != 0) model_.stream.data(row_codes[kind], rows);
    return rows != 0;
  }

  // The number behind the blank at `p`, and where it ends; NULL: it is not to be read here.
  const char* number(const char* p, double& value) const noexcept {
    if (*p != ' ') return nullptr;
    const DecimalEnd read = lexer_.decimal(p + 1, value);
    return read.status == DecimalStatus::ok && end_ - read.end >= 64 ? read.end : nullptr;
  }
  // Behind the newline at `p`, or NULL.
  static const char* behind_newline(const char* p) noexcept {
    if (*p == '\n') return p + 1;
    return p[0] == '\r' && p[1] == '\n' ? p + 2 : nullptr;
  }

  // Rows of three numbers after a keyword of `Keyword` letters.
  template <std::size_t Keyword>
  std::uint64_t points(Points<3>& all) {
    double* const to = all.numbers.reserve(most_lines * 3);
    const char* p = lexer_.position();
    const char first = p[Keyword - 1];
    std::uint64_t rows = 0;
    while (rows < most_lines && has_line(p) && p[0] == 'v' && p[Keyword - 1] == first) {
      const char* at = number(p + Keyword, to[rows * 3]);
      if (at != nullptr) at = number(at, to[rows * 3 + 1]);
      if (at != nullptr) at = number(at, to[rows * 3 + 2]);
      if (at != nullptr) at = behind_newline(at);
      if (at == nullptr) break;
      p = at;
      ++rows;
    }
    all.numbers.commit(rows * 3);
    lexer_.move_to(p);
    return rows;
  }

  // Texture coordinates of two numbers.
  std::uint64_t textures() {
    const char* p = lexer_.position();
    std::uint64_t rows = 0;
    for (; rows < most_lines && has_line(p) && p[0] == 'v' && p[1] == 't'; ++rows) {
      double u, v;
      const char* at = number(p + 2, u);
      if (at != nullptr) at = number(at, v);
      if (at != nullptr) at = behind_newline(at);
      if (at == nullptr) break;
      p = at;
      model_.texture_v.put(model_.textures.size(), &v);
      model_.textures.numbers.push(u);
    }
    model_.texture_w.skip(rows);
    lexer_.move_to(p);
    return rows;
  }

  bool faces(const char* p) {
    // The form of the first corner.
    const char* at = p + 2;
    while (detail::is_digit(*at) && at - p < 16) ++at;
    if (at[0] != '/') return faces<false, false>();
    if (at[1] == '/') return faces<false, true>();
    for (++at; detail::is_digit(*at) && at - p < 32;) ++at;
    return at[0] == '/' ? faces<true, true>() : faces<true, false>();
  }

  // The greatest index of a kind so far.
  struct Greatest {
    std::int64_t value;
    const char* at = nullptr;
  };

  // A column that a run of faces adds to.
  template <bool Used>
  bool begin(Growing<std::int32_t>& column, std::int32_t*& to) const {
    // The first corner that has an index is read by others, which fill the column before it.
    if (Used && column.size() != model_.faces.vertices.size()) return false;
    if (Used) to = column.reserve(most_lines * most_corners);
    return true;
  }
  template <bool Used>
  static void end(Growing<std::int32_t>& column, std::uint64_t corners) {
    if (Used)
      column.commit(corners);
    else if (column.size() != 0)
      column.fill(corners, -1);
  }

  // The index that the `size` bytes at `p` are; false: it is not to be read here.
  [[gnu::always_inline]] static bool index(const char* p, unsigned size, std::int64_t most,
                                           Greatest& greatest, std::int32_t& to) noexcept {
    if (size - 1 >= 8) [[unlikely]]
      return false;
    const auto value = static_cast<std::int64_t>(detail::digits_value(p, size));
    if (value == 0 || value > most) [[unlikely]]
      return false;
    to = static_cast<std::int32_t>(value - 1);
    greatest.at = value > greatest.value ? p : greatest.at;
    greatest.value = value > greatest.value ? value : greatest.value;
    return true;
  }

  template <bool Texture, bool Normal>
  bool faces() {
    Elements& all = model_.faces;
    std::int32_t *v = nullptr, *vt = nullptr, *vn = nullptr;
    if (!begin<Texture>(all.textures, vt) || !begin<Normal>(all.normals, vn)) return false;
    begin<true>(all.vertices, v);
    std::uint32_t* const offsets = all.offsets.reserve(most_lines);
    const auto before = static_cast<std::uint32_t>(all.vertices.size());
    const std::int64_t most[] = {indices_.most(vertex), indices_.most(texture),
                                 indices_.most(normal)};
    Greatest greatest[] = {
        {indices_.greatest(vertex)}, {indices_.greatest(texture)}, {indices_.greatest(normal)}};
    const char* p = lexer_.position();
    std::uint64_t rows = 0;
    std::uint32_t corners = 0;
    for (; rows < most_lines && has_line(p) && p[0] == 'f'; ++rows) {
      Greatest v_most = greatest[0], vt_most = greatest[1], vn_most = greatest[2];
      std::uint32_t n = corners;
      const char* at = p + 1;
      // Where digits end is found for many bytes at once, so that no index waits for another.
      for (std::uint32_t others = 0; *at == ' ' && n - corners < most_corners; ++n) {
        const char* const block = at + 1;
        others = detail::other_than_digits(block);
        const auto end_of_digits = [&] {
          const auto size = static_cast<unsigned>(std::countr_zero(others));
          others &= others - 1;
          return size;
        };
        unsigned size = end_of_digits();
        bool good = index(block, size, most[0], v_most, v[n]);
        if constexpr (Texture || Normal) good = good && block[size] == '/';
        if constexpr (Texture) {
          const unsigned from = size + 1;
          size = end_of_digits();
          good = good && index(block + from, size - from, most[1], vt_most, vt[n]);
        } else if constexpr (Normal) {
          good = good && size + 1 == end_of_digits();
          ++size;
        }
        if constexpr (Normal) {
          good = good && block[size] == '/';
          const unsigned from = size + 1;
          size = end_of_digits();
          good = good && index(block + from, size - from, most[2], vn_most, vn[n]);
        }
        if (!good) [[unlikely]] {
          at = nullptr;
          break;
        }
        at = block + size;
      }
      if (at == nullptr || n - corners < 3) break;
      at = behind_newline(at);
      if (at == nullptr) break;
      p = at;
      corners = n;
      offsets[rows] = before + corners;
      greatest[0] = v_most;
      greatest[1] = vt_most;
      greatest[2] = vn_most;
    }
    all.offsets.commit(rows);
    end<Texture>(all.textures, corners);
    end<Normal>(all.normals, corners);
    all.vertices.commit(corners);
    for (const Kind kind : {vertex, texture, normal})
      indices_.seen(kind, greatest[kind].value, greatest[kind].at);
    lexer_.move_to(p);
    return counted(4, rows);
  }

  Lexer& lexer_;
  Model& model_;
  Indices& indices_;
  const char* end_;
};

}  // namespace polycodec::obj
