// SPDX-License-Identifier: MIT
// References to arrays that are still being made: cycles.
#pragma once

#include <polycodec/builder.hpp>
#include <polycodec/call.hpp>

#include <cstdint>
#include <unordered_map>

namespace polycodec::awkward {

/// A reference to an array that is still being made, in whose place it is until the whole value is
/// there. It is a valid array that is as long as an array may be, `most` (the limit max_elements),
/// because every index may turn out to be right. It must not leave the decoder.
polycodec_array* make_deferred(Builder& out, std::uint64_t most);
bool is_deferred(const polycodec_array& array) noexcept;
/// What the copies of the header of one reference have in common.
const polycodec_array* deferred_id(const polycodec_array& deferred) noexcept;

/// True for what has no length before the cycle is closed: a deferred array, and a table that has
/// only such columns.
bool has_unknown_length(const polycodec_array& array) noexcept;

/// Which values and arrays lead to a deferred array. Throws Error: Status::limit for too deep
/// values, and when the work of the call is spent; Status::unsupported (`expression.cycle`) for a
/// deferred array in what cannot be a part of a cycle: attributes, maps, extensions, members of
/// unions.
class DeferredSearch {
 public:
  explicit DeferredSearch(const Call& call) : call_(call) {}
  bool in(const polycodec_array& array, std::uint32_t depth);
  bool in(const polycodec_node& node, std::uint32_t depth);
  /// Charges one step of a walk that may go `depth` levels deeper.
  void step(std::uint32_t depth) const;

 private:
  bool in_all(const polycodec_node* nodes, std::uint64_t count, std::uint64_t every,
              std::uint32_t depth);
  void refuse(const polycodec_node* node, const char* what, std::uint32_t depth);

  const Call& call_;
  std::unordered_map<const polycodec_array*, bool> known_;
};

/// Throws Error(Status::unsupported), `expression.cycle`, if the arguments of a function that does
/// not know deferred arrays lead to one.
void refuse_deferred(const Call& call, const polycodec_node& args, const polycodec_node* kwargs);

/// The arrays that deferred ones stand for, by deferred_id().
using DeferredTargets = std::unordered_map<const polycodec_array*, const polycodec_array*>;

/// `root` without deferred arrays. An array on a cycle becomes an array of documents: its rows are
/// nodes, and where the cycle closes, a REFERENCE to the node of a row. Throws Error:
/// Status::malformed if a row replaces itself or contains itself through tables and indices
/// alone, so that it has no end; indices out of range, with their row; Status::limit for more than
/// max_nodes nodes; what DeferredSearch throws.
polycodec_node resolve_cycles(Builder& out, const Call& call, const polycodec_node& root,
                              const DeferredTargets& targets);

}  // namespace polycodec::awkward
