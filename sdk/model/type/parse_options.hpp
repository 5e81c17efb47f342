// SPDX-License-Identifier: MIT
// What the parser of the type notation accepts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace polycodec::type {

/// The notation of the type with this name, which may refer to others. Nothing if there is none.
using TypeNames = std::function<std::optional<std::string_view>(std::string_view name)>;

/// What parse() accepts and how much of it.
struct ParseOptions {
  /// Refuse what is not part of DyND's notation: null, any, union, map, annotated, extension,
  /// datetime, timedelta, indexed and complex[float16].
  bool strict_dynd = false;
  /// Accept only the text that print() gives (for serialized data); else `type.noncanonical`.
  bool canonical_only = false;
  /// Accept only types that Type::is_concrete(); else Error(type) with `type.not_concrete`.
  bool concrete_only = false;
  /// Names that stand for a type, such as `mesh`; null: none. A name that the notation itself has
  /// means what the notation says. What names stand for counts as if it were written out.
  const TypeNames* named = nullptr;
  /// Levels of nesting, each dimension being one; at most Type::max_depth whatever is asked for.
  std::uint32_t max_depth = 256;
  /// Bytes of text.
  std::size_t max_text = 65536;
  /// Parts of the type, with the dimensions that a power such as 2**200 stands for.
  std::uint32_t max_nodes = 65536;
};

}  // namespace polycodec::type
