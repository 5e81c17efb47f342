// SPDX-License-Identifier: MIT
// Indices of statements, resolved as they are read: from 1 or from the end of what was read so far
// to absolute from 0.
#pragma once

#include <base/decimal.hpp>

#include "lexer.hpp"
#include "model.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

namespace polycodec::obj {

/// The kinds of thing that indices count, each from the start of the file.
enum Kind : std::size_t { vertex, texture, normal, parameter, curve2, surface, kinds };

/// Reads indices at the place of a lexer and keeps the greatest of each kind: forward references
/// are legal, and are checked at the end of the file.
class Indices {
 public:
  Indices(const Lexer& lexer, const Model& model) noexcept : lexer_(lexer), model_(model) {}

  /// Statements that count but are kept as text.
  void add_curve2() noexcept { ++curves2_; }
  void add_surface() noexcept { ++surfaces_; }

  /// An index at `at`, which is moved behind it, as it is stored.
  std::int32_t index(Kind kind, const char*& at) {
    const char* const start = at;
    std::int64_t value = 0;
    const DecimalEnd read = parse_decimal(at, lexer_.end(), value);
    if (read.status != DecimalStatus::ok) [[unlikely]] {
      if (read.status == DecimalStatus::out_of_range) out_of_range(kind, start);
      lexer_.fail(Status::malformed, "obj.bad_index", lexer_.quoted(start) + " is no index", start);
    }
    at = read.end;
    if (value > 0) [[likely]] {
      if (value > std::numeric_limits<std::int32_t>::max()) out_of_range(kind, start);
      seen(kind, value, start);
      return static_cast<std::int32_t>(value - 1);
    }
    if (value == 0) lexer_.fail(Status::malformed, "obj.index_zero", "indices count from 1", start);
    const auto count = static_cast<std::int64_t>(this->count(kind));
    if (value < -count) out_of_range(kind, start);
    return static_cast<std::int32_t>(count + value);
  }

  /// A positive index that was read otherwise, at `at`.
  void seen(Kind kind, std::int64_t value, const char* at) noexcept {
    if (value <= greatest_[kind]) return;
    greatest_[kind] = value;
    greatest_at_[kind] = at;
  }

  /// At the end of the file: throws if an index pointed to what did not come. Curves and surfaces
  /// may stand in another file that this one is merged with: tools write such references.
  void check() const {
    for (std::size_t kind = 0; kind <= parameter; ++kind)
      if (greatest_[kind] > static_cast<std::int64_t>(count(static_cast<Kind>(kind))))
        out_of_range(static_cast<Kind>(kind), greatest_at_[kind]);
  }

 private:
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
  std::int64_t greatest_[kinds] = {};
  const char* greatest_at_[kinds] = {};
  std::uint64_t curves2_ = 0;
  std::uint64_t surfaces_ = 0;
};

}  // namespace polycodec::obj
