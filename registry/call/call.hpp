// SPDX-License-Identifier: MIT
// A call of a plugin's function as the host makes it, and the table of functions that plugins call.
#pragma once

#include <polycodec/abi.h>

#include "core/call/budget.hpp"
#include "core/call/call_state.hpp"
#include "core/call/thread_pool.hpp"
#include "core/value/arena.hpp"
#include "core/value/regions.hpp"
#include "registry/call/call_options.hpp"
#include "registry/load/catalog.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace polycodec {

/// What calls of plugins go through. Outlives them and what they make.
struct CallHost {
  const Catalog& catalog;
  const polycodec_host& table;  // that plugins see
  ThreadPool& threads;          // for programs that bring none
};

/// What applies to a top-level call with all that it nests.
struct CallTerms {
  /// `through` and `options` must outlive the terms. `is_tolerant`: the codec was asked to mend its
  /// input, so losses of the class `mended` are allowed where notes are.
  CallTerms(const CallHost& through, const CallOptions& options, bool is_tolerant = false);
  CallTerms(const CallTerms&) = delete;
  CallTerms& operator=(const CallTerms&) = delete;
  /// Tells the caller of a loss. Throws Status::unsupported if it is not allowed.
  void report_loss(LossClass loss, std::string_view path, std::string_view what) const;
  /// On how many threads to work on so many parts.
  std::uint64_t tasks_for(std::uint64_t parts) const;

  const CallHost& host;
  const CallOptions& options;
  Budget own;  // unless the options have one
  Budget& budget;
  const Allowlist* allowlist;  // of the caller or the registry, or null
  std::uint32_t losses;        // classes that are allowed with a hook to hear of them,
  std::uint32_t default_ones;  // and without
};

/// Gives the options a budget for several calls on a value, which must outlive it, if they have
/// none.
void use_one_budget(CallOptions& options, const Limits& limits, NodeView value);

/// How deep a call is that a plugin makes in the course of one of depth `outer`. Throws
/// Status::limit if that is too deep.
std::uint32_t nested_depth(std::uint32_t outer, std::uint32_t max_depth);

/// One call of a plugin's function. What a plugin asks for in the course of it is granted on the
/// same terms. For one thread.
class CallContext : private CallState {
 public:
  /// A call that the host makes; results live in `arena`.
  CallContext(const CallTerms& terms, polycodec_arena* arena);
  /// A call that a plugin makes in the course of another, whose credit goes to the pool meanwhile.
  /// Throws Status::limit if calls are nested too deeply.
  explicit CallContext(CallContext& outer);
  ~CallContext();
  CallContext(const CallContext&) = delete;
  CallContext& operator=(const CallContext&) = delete;

  /// The context of a call that a plugin passes back. Throws Status::plugin if it is none of ours.
  static CallContext& of(polycodec_call* call);

  polycodec_call* abi() noexcept { return &abi_; }
  const CallTerms& terms() const noexcept { return terms_; }
  const Catalog& catalog() const noexcept { return terms_.host.catalog; }
  Budget& pool() const noexcept { return budget; }
  const Limits& limits() const noexcept { return budget.limits(); }
  /// What data may call where no allowlist is set: what the codec says that it needs.
  void set_codec_calls(const Allowlist& calls) noexcept { codec_calls_ = &calls; }
  const Allowlist& allowlist() const;
  /// Hands the wishes of the caller to the codec.
  void set_projection(const Projection& projection) {
    if (!projection.is_all()) hand_over(projection);
  }

  /// Validates what the call has made: it lies in what its arena keeps, and in `read` (or null).
  /// Structure in files that others may change is copied first.
  void accept(const polycodec_node* root, const Regions* read) const;
  /// The arena of the call, with what it keeps.
  Arena& arena() const noexcept;

  /// The call has returned: takes back its credit. Throws Status::plugin if that is more than was
  /// granted.
  void settle();

 private:
  struct Thunks;
  void hand_over(const Projection& projection);
  void fill(std::uint32_t depth, polycodec_arena* arena);
  void refresh() noexcept;

  const CallTerms& terms_;
  const Allowlist* codec_calls_ = nullptr;
  mutable std::optional<Allowlist> with_others_;  // what allow_also adds
  std::uint64_t granted_ = 0;                     // credit in all
  polycodec_limits limits_;
  std::vector<polycodec_bytes> paths_;
  polycodec_projection projection_{};
  polycodec_call abi_;
};

}  // namespace polycodec
