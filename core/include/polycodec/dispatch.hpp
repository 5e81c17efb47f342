// SPDX-License-Identifier: MIT
// Functions that data may name: the table, the allowlist, and the one place where a name becomes a
// call.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/export.hpp>
#include <polycodec/node_view.hpp>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace polycodec {

/// The name of a function: its parts, such as {"zlib", "decompress"}.
using FunctionPath = std::span<const std::string_view>;

/// A name as JSON, such as ["zlib", "decompress"], safe to print; long names are cut.
POLYCODEC_API std::string describe_path(FunctionPath path);

/// The functions that exist. Built once, then frozen; look-ups are safe from several threads at
/// once.
class POLYCODEC_API FunctionTable {
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
  std::unordered_map<std::string, const polycodec_function*> index_;
};

class POLYCODEC_API FunctionTable::Builder {
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

/// Which functions data may call: a list of specifiers, each a list of patterns (see
/// match_pattern), one for each part of a name. A specifier allows a name that has as many parts as
/// it has patterns, each part matching its pattern. There are no prefixes: ["awkward0"] does not
/// allow ["awkward0", "persist"]. The one exception is the specifier of the lone pattern "*", which
/// allows every name. The default allows nothing.
class POLYCODEC_API Allowlist {
 public:
  using Specifier = std::vector<std::string>;

  Allowlist() = default;
  /// Throws Status::option if a specifier has no patterns.
  explicit Allowlist(std::vector<Specifier> specifiers);

  /// From a document: a list of specifiers; one specifier is promoted to a list of it, and a string
  /// to a specifier, so that "*" allows everything. A list whose items are all strings is one
  /// specifier; lists and strings must not be mixed. Throws Status::option that says which item is
  /// wrong.
  static Allowlist from(NodeView document);
  /// The same from JSON text.
  static Allowlist parse(std::string_view json);

  bool allows(FunctionPath path) const noexcept;
  std::span<const Specifier> specifiers() const noexcept { return specifiers_; }
  /// The specifiers as JSON, for messages; at most `most` of them, then how many more there are.
  std::string describe(std::size_t most = 16) const;

 private:
  std::vector<Specifier> specifiers_;
};

/// A call that was refused because of the allowlist.
struct Denial {
  std::string_view function;  ///< the name as describe_path() gives it
  std::string_view
      where;  ///< path of the call in the expression, such as `$.args[0]`; may be empty
  std::string_view specifiers;  ///< what was tried, as Allowlist::describe() gives it
};

/// What a call runs in.
struct DispatchContext {
  polycodec_call* call = nullptr;  ///< handed to the function; the result lives in its arena
  std::string_view where;  ///< path of the call in the expression that is evaluated, for messages
  /// Told about every denial before the error is thrown. It may be empty; must not throw.
  std::function<void(const Denial&)> on_denied;
};

/// The only way from a name in data to a function: allowlist first, then the table, then the number
/// of arguments, then the call. `args` is a LIST or TUPLE (or null: no arguments), `kwargs` an
/// OBJECT (or null). Throws Status::denied if the allowlist does not allow the name, whether or not
/// such a function exists; Status::not_found if it does and there is none; Status::type or
/// Status::range for wrong arguments; Status::plugin if the function breaks its contract; and
/// whatever the function reports. The error's path starts with context.where.
POLYCODEC_API const polycodec_node* dispatch(const FunctionTable& table, const Allowlist& allowlist,
                                             FunctionPath path, const polycodec_node* args,
                                             const polycodec_node* kwargs,
                                             const DispatchContext& context);

/// The same for a name as the ABI and documents have it. Throws Status::type unless `path` is a
/// LIST of STRINGs.
POLYCODEC_API std::vector<std::string_view> function_path(NodeView path);
POLYCODEC_API std::vector<std::string_view> function_path(const polycodec_bytes* parts,
                                                          std::uint64_t count);

}  // namespace polycodec
