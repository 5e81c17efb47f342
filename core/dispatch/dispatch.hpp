// SPDX-License-Identifier: MIT
// The one place where a name in data becomes a call.
#pragma once

#include "core/dispatch/function_table.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec {

/// A name as JSON, such as ["zlib", "decompress"], safe to print; long names are cut.
std::string describe_path(FunctionPath path);

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
const polycodec_node* dispatch(const FunctionTable& table, const Allowlist& allowlist,
                               FunctionPath path, const polycodec_node* args,
                               const polycodec_node* kwargs, const DispatchContext& context);

/// The same for a name as the ABI and documents have it. Throws Status::type unless `path` is a
/// LIST of STRINGs.
std::vector<std::string_view> function_path(NodeView path);
std::vector<std::string_view> function_path(const polycodec_bytes* parts, std::uint64_t count);

}  // namespace polycodec
