// SPDX-License-Identifier: MIT
// Runs of lines of one kind in its simplest form, which most lines of most files are.
#pragma once

#include <base/line_numbers.hpp>

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
    if (lexer_.float32()) return points<float>(p);
    return points<double>(p);
  }

 private:
  // Lines of a run, so that work is charged and room is made now and then.
  static constexpr std::uint64_t most_lines = 128;
  static constexpr std::size_t most_corners = 8;

  // Lines end before end_.
  bool has_line(const char* p) const noexcept {
    return p < end_ && lexer_.end() - p >= LineNumbers::line_bytes;
  }

  bool counted(std::size_t kind, std::uint64_t rows) {
    if (rows != 0) model_.stream.data(row_codes[kind], rows);
    return rows != 0;
  }

  // Behind the newline at `p`, maybe with a blank before it, or NULL.
  static const char* behind_newline(const char* p) noexcept {
    p += *p == ' ' ? 1 : 0;
    if (*p == '\n') return p + 1;
    return p[0] == '\r' && p[1] == '\n' ? p + 2 : nullptr;
  }

  template <class T>
  bool points(const char* p) {
    if (p[1] == ' ') {
      const std::uint64_t rows = points<1, T>(model_.vertices);
      model_.weights.skip(rows);
      model_.colors.skip(rows);
      return counted(0, rows);
    }
    if (p[1] == 'n' && p[2] == ' ') return counted(2, points<2, T>(model_.normals));
    if (p[1] == 't' && p[2] == ' ') return counted(1, textures<T>());
    return false;
  }

  // The number at `at`, which moves behind it, and the blank behind it unless it is the last one.
  template <class T>
  [[gnu::always_inline]] static bool number(LineNumbers& numbers, const char*& at, double& to,
                                            bool last) noexcept {
    T value;
    if (!numbers.number(at, value)) return false;
    to = static_cast<double>(value);
    if (last) return true;
    return *at++ == ' ';
  }

  // Rows of three numbers after a keyword of `Keyword` letters.
  template <std::size_t Keyword, class T>
  std::uint64_t points(Points<3>& all) {
    double* to = all.numbers.reserve(most_lines * 3);
    const char* p = lexer_.position();
    const char first = p[Keyword - 1];
    std::uint64_t rows = 0;
    for (; rows < most_lines && has_line(p) && p[0] == 'v' && p[Keyword - 1] == first; ++rows) {
      if (p[Keyword] != ' ') break;
      const char* at = p + Keyword + 1;
      LineNumbers numbers(at, lexer_.end());
      if (!number<T>(numbers, at, to[0], false) || !number<T>(numbers, at, to[1], false) ||
          !number<T>(numbers, at, to[2], true))
        break;
      at = behind_newline(at);
      if (at == nullptr) break;
      p = at;
      to += 3;
    }
    all.numbers.commit(rows * 3);
    lexer_.move_to(p);
    return rows;
  }

  // Texture coordinates of two numbers.
  template <class T>
  std::uint64_t textures() {
    double* const to = model_.textures.numbers.reserve(most_lines);
    double others[most_lines];
    const char* p = lexer_.position();
    std::uint64_t rows = 0;
    for (; rows < most_lines && has_line(p) && p[0] == 'v' && p[1] == 't' && p[2] == ' '; ++rows) {
      const char* at = p + 3;
      LineNumbers numbers(at, lexer_.end());
      if (!number<T>(numbers, at, to[rows], false) || !number<T>(numbers, at, others[rows], true))
        break;
      at = behind_newline(at);
      if (at == nullptr) break;
      p = at;
    }
    if (rows != 0) model_.texture_v.put(model_.textures.size(), others, rows);
    model_.textures.numbers.commit(rows);
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

  // The index that is the bytes from `p` to `stop`; false: it is not to be read here.
  [[gnu::always_inline]] static bool index(const char* p, const char* stop, std::uint64_t most,
                                           Greatest& greatest, std::int32_t& to) noexcept {
    const auto size = static_cast<std::uint64_t>(stop - p);
    if (size - 1 >= 8) [[unlikely]]
      return false;
    std::uint64_t text;
    std::memcpy(&text, p, 8);
    const auto value =
        static_cast<std::int64_t>(detail::digits_value(text, static_cast<unsigned>(size)));
    if (static_cast<std::uint64_t>(value - 1) >= most) [[unlikely]]
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
    const std::uint64_t most[] = {static_cast<std::uint64_t>(indices_.most(vertex)),
                                  static_cast<std::uint64_t>(indices_.most(texture)),
                                  static_cast<std::uint64_t>(indices_.most(normal))};
    Greatest greatest[] = {
        {indices_.greatest(vertex)}, {indices_.greatest(texture)}, {indices_.greatest(normal)}};
    const char* p = lexer_.position();
    std::uint64_t rows = 0;
    std::uint32_t corners = 0;
    for (; rows < most_lines && has_line(p) && p[0] == 'f' && p[1] == ' '; ++rows) {
      Greatest v_most = greatest[0], vt_most = greatest[1], vn_most = greatest[2];
      std::uint32_t n = corners;
      const char* at = p + 1;
      LineNumbers numbers(at + 1, lexer_.end());
      for (; *at == ' ' && n - corners < most_corners; ++n) {
        const char* from = at + 1;
        const char* stop = numbers.next();
        bool good = index(from, stop, most[0], v_most, v[n]);
        if constexpr (Texture || Normal) good = good && *stop == '/';
        if constexpr (Texture) {
          from = stop + 1;
          stop = numbers.next();
          good = good && index(from, stop, most[1], vt_most, vt[n]);
        } else if constexpr (Normal) {
          from = stop + 1;
          stop = numbers.next();
          good = good && from == stop;
        }
        if constexpr (Normal) {
          good = good && *stop == '/';
          from = stop + 1;
          stop = numbers.next();
          good = good && index(from, stop, most[2], vn_most, vn[n]);
        }
        if (!good) [[unlikely]]
          break;
        at = stop;
      }
      if (n - corners < 3) break;
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
