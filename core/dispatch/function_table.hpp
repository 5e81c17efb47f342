// SPDX-License-Identifier: MIT
// Functions that data may name: the table and the allowlist.
#pragma once

#include <base/seeded_hash.hpp>
#include <polycodec/abi.h>
#include <polycodec/node_view.hpp>

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polycodec {

/// The name of a function: its parts, such as {"zlib", "decompress"}.
using FunctionPath = std::span<const std::string_view>;

/// The functions that exist. Built once, then frozen; look-ups are safe from several threads at
/// once.
class FunctionTable {
 public:
  class Builder;
  /// A table without functions.
  FunctionTable() = default;

  /// The function with exactly this name, or null.
  const polycodec_function* find(FunctionPath path) const;
  /// All functions, in the order in which they were added.
  std::span<const polycodec_function* const> functions() const noexcept { return functions_; }

 private:
  std::vector<const polycodec_function*> functions_;
  SeededMap<std::string, const polycodec_function*> index_;
};

class FunctionTable::Builder {
 public:
  /// Adds a function, which must outlive the table. Throws Status::plugin if the object breaks the
  /// contract of the ABI (too small, no name, an empty part, no call, min_args > max_args),
  /// Status::ambiguous if the name is taken. `owner` is named in these messages.
  Builder& add(const polycodec_function* function, std::string_view owner);
  /// Ends building; the builder is empty afterwards.
  FunctionTable freeze() noexcept { return std::exchange(table_, {}); }

 private:
  FunctionTable table_;
};

/// Which functions data may call: a list of entries, each a list of patterns (see
/// match_pattern), one for each part of a name. An entry allows a name that has as many parts as
/// it has patterns, each part matching its pattern. There are no prefixes: ["awkward0"] does not
/// allow ["awkward0", "persist"]. The one exception is the entry of the lone pattern "*", which
/// allows every name. The default allows nothing.
class Allowlist {
 public:
  using Specifier = std::vector<std::string>;

  Allowlist() = default;
  /// Throws Status::option if an entry has no patterns.
  explicit Allowlist(std::vector<Specifier> specifiers);

  /// From a document: a list of entries; one entry is promoted to a list of it, and a string
  /// to an entry, so that "*" allows everything. A list whose items are all strings is one
  /// entry; lists and strings must not be mixed. Throws Status::option that says which item is
  /// wrong.
  static Allowlist from(NodeView document);
  /// The same from JSON text.
  static Allowlist parse(std::string_view json);

  /// This list and the entries of `more` (or null).
  Allowlist with(const Allowlist* more) const;

  bool allows(FunctionPath path) const noexcept;
  std::span<const Specifier> specifiers() const noexcept { return specifiers_; }
  /// The entries as JSON, for messages; at most `most` of them, then how many more there are.
  std::string describe(std::size_t most = 16) const;

 private:
  std::vector<Specifier> specifiers_;
};

}  // namespace polycodec
