// SPDX-License-Identifier: MIT
// Indices of statements, resolved as they are read: from 1 or from the end of what was read so
// far to absolute from 0. Corners, which are made of them.
#pragma once

#include <base/decimal.hpp>

#include "lexer.hpp"
#include "model.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

namespace polycodec::obj {

/// The kinds of thing that indices count, each from the start of the file.
enum Kind : std::size_t { vertex, texture, normal, parameter, curve2, surface, kinds };

/// Thrown for a statement that a part of a file does not suffice for.
struct NeedsWholeFile {};

/// Reads indices at the place of a lexer and keeps the greatest of each kind: forward references
/// are legal, and are checked at the end of the file.
class Indices {
 public:
  /// `is_part`: the model has only a part of the file, and nobody knows how many rows come before:
  /// relative indices are stored for Elements::copy().
  Indices(const Lexer& lexer, const Model& model, bool is_part = false) noexcept
      : lexer_(lexer), model_(model), is_part_(is_part) {}

  /// True if a part has relative indices.
  bool has_relative() const noexcept { return has_relative_; }
  /// True if all relative indices of a part mean rows of the file, after the rows of this.
  bool has_rows_of(const Indices& part) const noexcept {
    for (const Kind kind : {vertex, texture, normal})
      if (part.lowest_[kind] < -static_cast<std::int64_t>(count(kind))) return false;
    return true;
  }
  /// A part of the file has been read by `part`.
  void add(const Indices& part) noexcept {
    for (const Kind kind : {vertex, texture, normal})
      seen(kind, part.greatest_[kind], part.greatest_at_[kind]);
  }

  /// Statements that count but are kept as text.
  void add_curve2() noexcept { ++curves2_; }
  void add_surface() noexcept { ++surfaces_; }

  /// An index at `at`, which is moved after it, as it is stored.
  std::int32_t index(Kind kind, const char*& at) {
    const char* const start = at;
    std::int64_t value = 0;
    const DecimalEnd read = parse_decimal(at, lexer_.end(), value);
    if (read.status != DecimalStatus::ok) [[unlikely]] {
      if (read.status == DecimalStatus::out_of_range) out_of_range(kind, start);
      lexer_.fail_word("obj.bad_index", "an index", start);
    }
    at = read.end;
    if (value > 0) [[likely]] {
      if (value > most_[kind]) [[unlikely]]
        out_of_range(kind, start);
      seen(kind, value, start);
      return static_cast<std::int32_t>(value - 1);
    }
    if (value == 0) lexer_.fail(Status::malformed, "obj.index_zero", "indices count from 1", start);
    const auto count = static_cast<std::int64_t>(this->count(kind));
    if (is_part_) {
      if (value < -farthest) throw NeedsWholeFile{};
      has_relative_ = true;
      lowest_[kind] = std::min(lowest_[kind], count + value);
      return static_cast<std::int32_t>(count + value - relative_bias);
    }
    if (value < -count) out_of_range(kind, start);
    return static_cast<std::int32_t>(count + value);
  }

  /// What the file has of each kind is known: an index beyond is out of range where it is.
  void limit(Kind kind, std::uint64_t count) noexcept {
    most_[kind] = std::min(most_[kind], static_cast<std::int64_t>(count));
  }

  /// The greatest index of a kind that may be.
  std::int64_t most(Kind kind) const noexcept { return most_[kind]; }

  /// The greatest index of a kind so far.
  std::int64_t greatest(Kind kind) const noexcept { return greatest_[kind]; }

  /// True if an index of a kind of points was greater than there are.
  bool any_beyond() const noexcept {
    for (std::size_t kind = 0; kind <= parameter; ++kind)
      if (greatest_[kind] > static_cast<std::int64_t>(count(static_cast<Kind>(kind)))) return true;
    return false;
  }

  /// A positive index that was read otherwise, at `at`.
  void seen(Kind kind, std::int64_t value, const char* at) noexcept {
    if (value <= greatest_[kind]) return;
    greatest_[kind] = value;
    greatest_at_[kind] = at;
  }

  /// At the end of the file: throws if an index pointed to what did not come. Curves and surfaces
  /// may be in another file that this one is merged with: tools write such references.
  void check() const {
    for (std::size_t kind = 0; kind <= parameter; ++kind)
      if (greatest_[kind] > static_cast<std::int64_t>(count(static_cast<Kind>(kind))))
        out_of_range(static_cast<Kind>(kind), greatest_at_[kind]);
  }

  std::uint64_t count(Kind kind) const noexcept {
    switch (kind) {
      case vertex:
        return model_.vertices.size();
      case texture:
        return model_.textures.size();
      case normal:
        return model_.normals.size();
      case parameter:
        return model_.parameters.size();
      case curve2:
        return curves2_;
      default:
        return surfaces_;
    }
  }

 private:
  [[noreturn, gnu::noinline]] void out_of_range(Kind kind, const char* at) const {
    constexpr const char* kind_names[kinds] = {"v", "vt", "vn", "vp", "curv2", "surf"};
    lexer_.fail(Status::range, "obj.index_out_of_range",
                "there is no " + std::string(kind_names[kind]) + " " + lexer_.quoted(at) + " (" +
                    std::to_string(count(kind)) +
                    (lexer_.at_end() ? " in the file)" : " up to here)"),
                at);
  }

  const Lexer& lexer_;
  const Model& model_;
  const bool is_part_;
  static constexpr std::int64_t all = std::numeric_limits<std::int32_t>::max();
  std::int64_t most_[kinds] = {all, all, all, all, all, all};
  // Relative indices in parts of files go no farther back.
  static constexpr std::int64_t farthest = std::int64_t{1} << 30;
  bool has_relative_ = false;
  std::int64_t lowest_[kinds] = {};  // row that a relative index means
  std::int64_t greatest_[kinds] = {};
  const char* greatest_at_[kinds] = {};
  std::uint64_t curves2_ = 0;
  std::uint64_t surfaces_ = 0;
};

/// Reads corners at the place of a lexer.
class Corners {
 public:
  Corners(Lexer& lexer, Indices& indices, bool strict) noexcept
      : lexer_(lexer), indices_(indices), strict_(strict) {}

  // One corner: v, v/vt, v//vn or v/vt/vn. Returns its form: 1 with vt, 2 with vn.
  unsigned corner(Elements& elements, unsigned allowed) {
    const char* at = lexer_.position();
    if (*at == '/')
      lexer_.fail(Status::malformed, "obj.bad_corner", "a corner without a vertex", at);
    const std::int32_t v = indices_.index(vertex, at);
    std::int32_t vt = -1;
    std::int32_t vn = -1;
    if (!lexer_.is_index_end(at)) {
      if (*at != '/') lexer_.fail_word("obj.bad_index", "an index", lexer_.position());
      const char* const slash = at++;
      if (lexer_.is_index_end(at)) {
        empty_part(slash);
      } else {
        if (*at != '/') vt = indices_.index(texture, at);
        if (!lexer_.is_index_end(at)) {
          if (*at != '/') lexer_.fail_word("obj.bad_index", "a corner", lexer_.position());
          ++at;
          lexer_.is_index_end(at) ? empty_part(slash)
                                  : static_cast<void>(vn = indices_.index(normal, at));
          if (!lexer_.is_index_end(at))
            lexer_.fail_word(*at == '/' ? "obj.bad_corner" : "obj.bad_index", "a corner",
                             lexer_.position());
        }
      }
    }
    const unsigned form = (vt != -1 ? 1u : 0u) | (vn != -1 ? 2u : 0u);
    if ((form & ~allowed) != 0)
      lexer_.fail(Status::malformed, "obj.bad_corner", "this statement takes no such index",
                  lexer_.position());
    elements.corner(v, vt, vn);
    lexer_.move_to(at);
    return form;
  }

  // Corners up to the end of the statement; returns how many.
  std::uint64_t corners(Elements& elements, unsigned allowed) {
    std::uint64_t n = 0;
    unsigned first_form = 0;
    for (;; ++n) {
      lexer_.skip_blanks();
      if (lexer_.at_statement_end()) break;
      const char* const at = lexer_.position();
      const unsigned form = corner(elements, allowed);
      if (n == 0) first_form = form;
      if (form != first_form && strict_)
        lexer_.fail(Status::malformed, "obj.mixed_corner_forms",
                    "all corners of an element have the same form", at);
    }
    elements.finish();
    return n;
  }

 private:
  void empty_part(const char* at) const {
    if (strict_)
      lexer_.fail(Status::malformed, "obj.bad_corner", "a slash without an index after it", at);
  }

  Lexer& lexer_;
  Indices& indices_;
  bool strict_;
};

}  // namespace polycodec::obj
