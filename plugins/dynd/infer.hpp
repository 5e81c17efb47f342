// SPDX-License-Identifier: MIT
// The DyND type of any value.
#pragma once

#include <model/type/type.hpp>
#include <polycodec/codec.hpp>
#include <polycodec/node_view.hpp>
#include <polycodec/view.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::dynd {

/// The DyND type of the value at `value`. As the type that the host infers, where DyND has it;
/// otherwise null is `void`, items without a common type make `array[Any]`, a map is `{'$map': N *
/// (K, V)}`, an extension
/// `{'$ext': (string, T)}`, a member of a union `{'$union': (int64, T)}`, times are `{'$datetime':
/// (int64, uint32, string)}` and `{'$timedelta': (int64, string)}`, complex[float16] is widened.
/// Attributes do not count, except `dynd.type`, which is taken at its word. References have the
/// type of their target. Linear in the number of nodes. Throws Error(limit) where the value nests
/// deeper than `max_depth`, as most cycles of references do, and Error(invalid) for a `dynd.type`
/// that is none.
type::Type infer(const View& value, std::uint32_t max_depth, const Call& call);
inline type::Type infer(NodeView value, std::uint32_t max_depth, const Call& call) {
  return infer(View(value), max_depth, call);
}

/// The type of what the record for a map, an extension or a member of a union has inside, where the
/// type of the record says `array[Any]`.
type::Type infer_inside(const View& value, std::uint32_t max_depth, const Call& call);
/// The type of an entry of a map as a tuple.
type::Type infer_pair(const View& key, const View& value, std::uint32_t max_depth,
                      const Call& call);

/// The types in the attribute `dynd.type` of a node, the outermost first; none if it has no such
/// attribute. Throws Error(invalid) for an attribute that is neither text nor a list of strings.
std::vector<std::string_view> declared_types(const polycodec_node* attributes);

/// `type` with `?pointer[T]` for every `?T` that has a sentinel: there every value of T may be
/// present.
type::Type without_sentinels(const type::Type& type);
/// True if somewhere in `type` a `?T` has a sentinel.
bool has_sentinels(const type::Type& type);

}  // namespace polycodec::dynd
