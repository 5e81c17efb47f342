// SPDX-License-Identifier: MIT
// What an OBJ file holds, while it is being read.
#pragma once

#include <base/growing.hpp>
#include <polycodec/builder.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace polycodec::obj {

/// Numbers of v, vt, vn or vp, row by row: float64, or float32 where the caller asks for it.
class Numbers {
 public:
  Numbers(Builder& out, bool float32) noexcept : float32_(float32), wide_(out), narrow_(out) {}

  std::uint64_t size() const noexcept { return float32_ ? narrow_.size() : wide_.size(); }
  void append(const double* numbers, std::uint64_t count) {
    if (!float32_) return wide_.append(numbers, count);
    float* const to = narrow_.extend(count);
    for (std::uint64_t i = 0; i < count; ++i) to[i] = static_cast<float>(numbers[i]);
  }
  void push(double number) { append(&number, 1); }
  void fill_zeros(std::uint64_t count) { float32_ ? narrow_.fill(count, 0) : wide_.fill(count, 0); }

  /// The columns of rows of Width numbers. The array is empty afterwards.
  template <std::size_t Width>
  std::array<const polycodec_array*, Width> give_to(Builder& out) {
    return float32_ ? columns<Width>(narrow_.take(), POLYCODEC_DTYPE_FLOAT32, out)
                    : columns<Width>(wide_.take(), POLYCODEC_DTYPE_FLOAT64, out);
  }

 private:
  template <std::size_t Width, class T>
  static std::array<const polycodec_array*, Width> columns(std::span<const T> numbers,
                                                           std::uint32_t dtype, Builder& out) {
    std::array<const polycodec_array*, Width> columns{};
    for (std::size_t i = 0; i < Width; ++i)
      columns[i] =
          out.strided(bytes_of(numbers), numbers.data() + (numbers.empty() ? 0 : i),
                      numbers.size() / Width, std::int64_t{Width * sizeof(T)}, dtype, sizeof(T));
    return columns;
  }

  bool float32_;
  Growing<double> wide_;
  Growing<float> narrow_;
};

/// Columns that not every row has, such as the colors of vertices: Width numbers side by side, and
/// a mark for each row from the first one on that has them.
template <std::size_t Width>
class OptionalColumns {
 public:
  OptionalColumns(Builder& out, bool float32) noexcept : numbers_(out, float32), present_(out) {}

  /// Row number `row` (each in turn) has these numbers.
  void put(std::uint64_t row, const double* numbers) {
    if (!used_) begin(row);
    numbers_.append(numbers, Width);
    present_.push(1);
    ++rows_;
  }
  /// Row number `row` has none.
  void skip() {
    if (!used_) return;
    numbers_.fill_zeros(Width);
    present_.push(0);
  }

  bool used() const noexcept { return used_; }

  /// The columns, as options if some rows have none. The arrays are empty afterwards.
  std::array<const polycodec_array*, Width> give_to(Builder& out) {
    std::array<const polycodec_array*, Width> columns = numbers_.template give_to<Width>(out);
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
    numbers_.fill_zeros(row * Width);
    present_.fill(row, 0);
  }

  bool used_ = false;
  std::uint64_t rows_ = 0;  // that have numbers
  Numbers numbers_;
  Growing<std::uint8_t> present_;
};

/// v, vt, vn or vp: numbers that every row has, in rows of Width.
template <std::size_t Width>
struct Points {
  Points(Builder& out, bool float32) noexcept : numbers(out, float32) {}
  std::uint64_t size() const noexcept { return numbers.size() / Width; }
  Numbers numbers;
};

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

  Growing<std::uint32_t> offsets;  // 0, then the end of each list
  Growing<std::int32_t> vertices;
  Growing<std::int32_t> textures;  // empty as long as no corner has one
  Growing<std::int32_t> normals;

 private:
  void put(Growing<std::int32_t>& column, std::int32_t index) {
    if (column.size() == 0) {
      if (index < 0) return;
      column.fill(vertices.size(), -1);
    }
    column.push(index);
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

  /// One statement that is in a column; `code` must outlive the stream.
  void data(std::string_view code) {
    if (run_ == code.data()) {
      ++counts[counts.size() - 1];
      return;
    }
    text(code, {});
    run_ = code.data();
  }
  /// A statement of text.
  void text(std::string_view code, std::string_view words) {
    texts.append(words.data(), words.size());
    finish(code);
  }
  /// A statement whose words have been appended to `texts`.
  void finish(std::string_view code) {
    run_ = nullptr;
    codes.append(code.data(), code.size());
    code_offsets.push(codes.size());
    text_offsets.push(texts.size());
    counts.push(1);
  }

  Growing<std::uint64_t> counts;
  Growing<char> codes;
  Growing<std::uint64_t> code_offsets;
  Growing<char> texts;
  Growing<std::uint64_t> text_offsets;

 private:
  const char* run_ = nullptr;
};

/// All of a file.
struct Model {
  Model(Builder& builder, bool float32_numbers) : out(builder), float32(float32_numbers) {}

  Builder& out;
  bool float32;
  Points<3> vertices{out, float32};
  OptionalColumns<1> weights{out, float32};
  OptionalColumns<3> colors{out, float32};
  Points<1> textures{out, float32};
  OptionalColumns<1> texture_v{out, float32}, texture_w{out, float32};
  Points<3> normals{out, float32};
  Points<1> parameters{out, float32};
  OptionalColumns<1> parameter_v{out, float32}, parameter_w{out, float32};
  Elements faces{out}, lines{out}, points{out};
  Stream stream{out};

  /// The model as a value; the model is empty afterwards.
  polycodec_node give();
};

}  // namespace polycodec::obj
