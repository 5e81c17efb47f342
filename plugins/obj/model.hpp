// SPDX-License-Identifier: MIT
// What an OBJ file holds, while it is being read.
#pragma once

#include <base/growing.hpp>
#include <polycodec/builder.hpp>

#include "number_columns.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace polycodec::obj {

/// Columns that not every row has, such as the colors of vertices: Width numbers side by side, and
/// a mark for each row from the first one on that has them.
template <std::size_t Width>
class OptionalColumns {
 public:
  explicit OptionalColumns(Builder& out) noexcept : numbers_(out), present_(out) {}

  /// The `rows` rows from `row` on (each in turn) have these numbers.
  void put(std::uint64_t row, const double* numbers, std::uint64_t rows = 1) {
    if (!used_) begin(row);
    numbers_.append(numbers, rows * Width);
    present_.fill(rows, 1);
    rows_ += rows;
  }
  /// The next `rows` rows have none.
  void skip(std::uint64_t rows = 1) {
    if (!used_) return;
    numbers_.fill(rows * Width, 0);
    present_.fill(rows, 0);
  }

  /// True if make_room() would leave all where it is.
  bool has_room(const OptionalColumns& part, std::uint64_t rows) const noexcept {
    if (!used_) return !part.used_;
    return numbers_.room() >= rows * Width && present_.room() >= rows;
  }
  /// Makes room for `rows` rows of `part` from row `at` on, the next one; copy() fills it if these
  /// columns are used then.
  void make_room(std::uint64_t at, const OptionalColumns& part, std::uint64_t rows) {
    if (!used_ && !part.used_) return;
    if (!used_) begin(at);
    numbers_.extend(rows * Width);
    present_.extend(rows);
    rows_ += part.rows_;
  }
  void copy(std::uint64_t at, const OptionalColumns& part, std::uint64_t rows) {
    double* const numbers = numbers_.data() + at * Width;
    std::uint8_t* const present = present_.data() + at;
    if (part.used_) {
      std::copy_n(part.numbers_.data(), rows * Width, numbers);
      std::copy_n(part.present_.data(), rows, present);
    } else {
      std::fill_n(numbers, rows * Width, 0);
      std::fill_n(present, rows, std::uint8_t{0});
    }
  }
  void clear() noexcept {
    used_ = false;
    rows_ = 0;
    numbers_.shrink(0);
    present_.shrink(0);
  }

  bool used() const noexcept { return used_; }
  Growing<double>& numbers() noexcept { return numbers_; }

  /// The columns, as options if some rows have none. The arrays are empty afterwards. `float32`: as
  /// number_columns().
  std::array<const polycodec_array*, Width> give_to(Builder& out, bool float32) {
    std::array<const polycodec_array*, Width> columns =
        number_columns<Width>(numbers_, float32, out);
    const std::span<const std::uint8_t> present = present_.take();
    if (rows_ == present.size()) return columns;
    for (const polycodec_array*& column : columns) {
      polycodec_array* option =
          out.with_children(POLYCODEC_LAYOUT_OPTION_BYTES, present.size(), {{column}});
      option->index = Builder::column(present);
      option->flags = POLYCODEC_ARRAY_MASK_VALID;
      column = option;
    }
    return columns;
  }

 private:
  void begin(std::uint64_t row) {
    used_ = true;
    numbers_.fill(row * Width, 0);
    present_.fill(row, 0);
  }

  bool used_ = false;
  std::uint64_t rows_ = 0;  // that have numbers
  Growing<double> numbers_;
  Growing<std::uint8_t> present_;
};

/// v, vt, vn or vp: numbers that every row has, in rows of Width.
template <std::size_t Width>
struct Points {
  explicit Points(Builder& out) noexcept : numbers(out) {}
  std::uint64_t size() const noexcept { return numbers.size() / Width; }
  void copy(std::uint64_t at, const Points& part) {
    std::copy_n(part.numbers.data(), part.numbers.size(), numbers.data() + at * Width);
  }
  Growing<double> numbers;
};

/// How an index is stored that counts from the end, while it is not known how many rows come before
/// the part of the file: by this less than the row of the part that it means.
inline constexpr std::int32_t relative_bias = 1 << 22;

/// f, l or p: lists of corners, each with an index of every kind that occurs. -1: the corner has
/// none.
struct Elements {
  explicit Elements(Builder& out) : offsets(out), vertices(out), textures(out), normals(out) {
    offsets.push(0);
  }

  void corner(std::int32_t v, std::int32_t vt, std::int32_t vn) {
    put(textures, vt);
    put(normals, vn);
    vertices.push(v);
  }
  void finish() { offsets.push(static_cast<std::uint32_t>(vertices.size())); }
  std::uint64_t size() const noexcept { return offsets.size() - 1; }
  void clear() noexcept { rewind({}); }

  /// How many of each there are, to go back to.
  struct Mark {
    std::uint64_t rows = 0, vertices = 0, textures = 0, normals = 0;
  };
  Mark mark() const noexcept { return {size(), vertices.size(), textures.size(), normals.size()}; }
  void rewind(const Mark& to) noexcept {
    offsets.shrink(to.rows + 1);
    vertices.shrink(to.vertices);
    textures.shrink(to.textures);
    normals.shrink(to.normals);
  }

  /// True if make_room() would leave all where it is.
  bool has_room(const Elements& part) const noexcept {
    const std::uint64_t corners = part.vertices.size();
    return has_room(textures, part.textures, corners) && has_room(normals, part.normals, corners) &&
           vertices.room() >= corners && offsets.room() >= part.size();
  }
  /// Where the elements of a part go.
  struct Place {
    std::uint64_t row = 0, corner = 0;
    bool has_textures = false, has_normals = false;
  };
  /// Makes room for the elements of `part`; copy() fills it.
  Place make_room(const Elements& part) {
    const Mark at = mark();
    make_room(textures, part.textures, part.vertices.size());
    make_room(normals, part.normals, part.vertices.size());
    vertices.extend(part.vertices.size());
    offsets.extend(part.size());
    return {at.rows, at.vertices, textures.size() != 0, normals.size() != 0};
  }
  /// The rows of v, vt and vn before a part, if it has indices that count from the end.
  using Before = std::optional<std::array<std::uint64_t, 3>>;
  /// The elements of `part` go to `at`.
  void copy(const Place& at, const Elements& part, const Before& before) {
    std::uint32_t* const ends = offsets.data() + at.row + 1;
    const std::uint32_t* const from = part.offsets.data() + 1;
    const auto first = static_cast<std::uint32_t>(at.corner);
    for (std::uint64_t i = 0; i < part.size(); ++i) ends[i] = first + from[i];
    const std::uint64_t n = part.vertices.size();
    copy(vertices, at.corner, part.vertices, n, before, 0);
    if (at.has_textures) copy(textures, at.corner, part.textures, n, before, 1);
    if (at.has_normals) copy(normals, at.corner, part.normals, n, before, 2);
  }

  Growing<std::uint32_t> offsets;  // 0, then the end of each list
  Growing<std::int32_t> vertices;
  Growing<std::int32_t> textures;  // empty as long as no corner has one
  Growing<std::int32_t> normals;

 private:
  void put(Growing<std::int32_t>& column, std::int32_t index) {
    if (column.size() == 0) {
      if (index == -1) return;
      column.fill(vertices.size(), -1);
    }
    column.push(index);
  }
  static bool has_room(const Growing<std::int32_t>& column, const Growing<std::int32_t>& part,
                       std::uint64_t corners) noexcept {
    return column.size() == 0 ? part.size() == 0 : column.room() >= corners;
  }
  void make_room(Growing<std::int32_t>& column, const Growing<std::int32_t>& part,
                 std::uint64_t corners) {
    if (column.size() == 0) {
      if (part.size() == 0) return;
      column.fill(vertices.size(), -1);
    }
    column.extend(corners);
  }
  static void copy(Growing<std::int32_t>& column, std::uint64_t at,
                   const Growing<std::int32_t>& part, std::uint64_t corners, const Before& before,
                   std::size_t kind) {
    std::int32_t* const to = column.data() + at;
    const std::int32_t* const from = part.data();
    if (part.size() == 0) {
      std::fill_n(to, corners, -1);
    } else if (!before) {
      std::copy_n(from, corners, to);
    } else {
      const auto shift = static_cast<std::int32_t>((*before)[kind]) + relative_bias;
      for (std::uint64_t i = 0; i < corners; ++i) to[i] = from[i] < -1 ? from[i] + shift : from[i];
    }
  }
};

/// The statements in their order. Data statements of one kind that follow each other are one entry
/// with a count.
struct Stream {
  explicit Stream(Builder& out)
      : counts(out), codes(out), code_offsets(out), texts(out), text_offsets(out) {
    code_offsets.push(0);
    text_offsets.push(0);
  }

  /// `count` statements that are in a column; `code` must outlive the stream.
  void data(std::string_view code, std::uint64_t count = 1) {
    if (is_run(run_, code)) {
      counts[counts.size() - 1] += count;
      return;
    }
    text(code, {});
    run_ = code;
    if (counts.size() == 1) first_run_ = run_;
    counts[counts.size() - 1] = count;
  }
  /// A statement of text.
  void text(std::string_view code, std::string_view words) {
    texts.append(words.data(), words.size());
    finish(code);
  }
  /// A statement whose words have been appended to `texts`.
  void finish(std::string_view code) {
    run_ = {};
    codes.append(code.data(), code.size());
    code_offsets.push(codes.size());
    text_offsets.push(texts.size());
    counts.push(1);
  }

  /// True if append() would leave all where it is.
  bool has_room(const Stream& part) const noexcept {
    const std::uint64_t rows = part.counts.size();
    return counts.room() >= rows && codes.room() >= part.codes.size() &&
           code_offsets.room() >= rows && texts.room() >= part.texts.size() &&
           text_offsets.room() >= rows;
  }
  /// The statements of `part` after these.
  void append(const Stream& part) {
    const std::uint64_t rows = part.counts.size();
    if (rows == 0) return;
    const bool joins = is_run(run_, part.first_run_);
    const std::uint64_t first = joins ? 1 : 0;
    if (joins) counts[counts.size() - 1] += part.counts[0];
    if (counts.size() == 0) first_run_ = part.first_run_;
    counts.append(part.counts.data() + first, rows - first);
    const std::uint64_t code = part.code_offsets[first];
    const std::uint64_t code_shift = codes.size() - code;
    const std::uint64_t text_shift = texts.size();
    codes.append(part.codes.data() + code, part.codes.size() - code);
    texts.append(part.texts.data(), part.texts.size());
    std::uint64_t* const code_to = code_offsets.extend(rows - first);
    std::uint64_t* const text_to = text_offsets.extend(rows - first);
    for (std::uint64_t i = first; i < rows; ++i) {
      code_to[i - first] = part.code_offsets[i + 1] + code_shift;
      text_to[i - first] = part.text_offsets[i + 1] + text_shift;
    }
    run_ = part.run_;
  }
  void clear() noexcept {
    run_ = first_run_ = {};
    counts.shrink(0);
    codes.shrink(0);
    code_offsets.shrink(1);
    texts.shrink(0);
    text_offsets.shrink(1);
  }

  Growing<std::uint64_t> counts;
  Growing<char> codes;
  Growing<std::uint64_t> code_offsets;
  Growing<char> texts;
  Growing<std::uint64_t> text_offsets;

 private:
  // By content: each source file may have a literal of its own. Without data there is not a run.
  static bool is_run(std::string_view a, std::string_view b) noexcept {
    return a.data() != nullptr && b.data() != nullptr && a == b;
  }

  std::string_view run_;        // the code of the last entry, if it counts
  std::string_view first_run_;  // of the first one
};

/// All of a file.
struct Model {
  explicit Model(Builder& builder) : out(builder) {}

  Builder& out;
  Points<3> vertices{out};
  OptionalColumns<1> weights{out};
  OptionalColumns<3> colors{out};
  Points<1> textures{out};
  OptionalColumns<1> texture_v{out}, texture_w{out};
  Points<3> normals{out};
  Points<1> parameters{out};
  OptionalColumns<1> parameter_v{out}, parameter_w{out};
  Elements faces{out}, lines{out}, points{out};
  Stream stream{out};

  /// Where a part of the file goes.
  struct Place {
    std::array<std::uint64_t, 3> before;  // rows of v, vt and vn
    bool has_relative;                    // indices
    std::uint64_t parameters;
    // Which are used: weights, colors, v and w of vt and of vp.
    std::array<bool, 6> optional;
    Elements::Place faces, lines, points;
  };
  /// True if make_room() would leave all where it is.
  bool has_room(const Model& part) const noexcept;
  /// Makes room for the rows of `part`, and appends its statements. `has_relative`: some of its
  /// indices count from the end.
  Place make_room(const Model& part, bool has_relative);
  /// Copies the rows of `part` to `at`. [thread-safe] for different parts, while others make room
  /// that there is.
  void copy(const Place& at, const Model& part);
  /// The columns that have most of the memory.
  static constexpr std::size_t long_columns = 9;
  /// Calls act(i, column) for each of them.
  template <class Act>
  void each_long_column(const Act& act) {
    act(0, vertices.numbers);
    act(1, colors.numbers());
    act(2, textures.numbers);
    act(3, texture_v.numbers());
    act(4, normals.numbers);
    act(5, faces.offsets);
    act(6, faces.vertices);
    act(7, faces.textures);
    act(8, faces.normals);
  }
  void clear() noexcept;

  /// The model as a value; the model is empty afterwards. `float32`: numbers are float32.
  polycodec_node give(bool float32);
};

}  // namespace polycodec::obj
