// SPDX-License-Identifier: MIT
// What applies to one call: limits, losses, the part of a value that is wanted.
#pragma once

#include <polycodec/call.hpp>

#include "core/call/budget.hpp"
#include "core/call/limits.hpp"
#include "core/dispatch/function_table.hpp"
#include "core/value/value.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec {

/// Receives one loss: its place, such as `$.vertex.quality`, and a text. Called during the call
/// from any thread; must not throw and must not call the registry.
using LossHook = std::function<void(LossClass loss, std::string_view path, std::string_view what)>;

/// A set of classes of loss.
constexpr std::uint32_t losses_of(LossClass loss) noexcept {
  return 1u << static_cast<std::uint32_t>(loss);
}
inline constexpr std::uint32_t all_losses = (1u << POLYCODEC_LOSS_COUNT) - 1;
/// The classes that pass without CallOptions::on_loss.
inline constexpr std::uint32_t default_losses =
    losses_of(LossClass::note) | losses_of(LossClass::retyped);

/// The part of a value that is wanted. A codec may leave out the rest, and have nulls in place of
/// rows before the first one. The value is then marked: see Value::is_partial().
struct Projection {
  std::vector<std::string> paths;  ///< such as `$.vertex.x`; empty: everything
  std::uint64_t first_row = 0;     ///< of the outermost dimension of each path, or of the root
  std::uint64_t rows = UINT64_MAX;
  /// Only the codec leaves out parts, as many as it likes, and the value is not marked. For who
  /// takes a part of the value, and nothing else.
  bool is_hint = false;

  bool is_all() const noexcept { return paths.empty() && first_row == 0 && rows == UINT64_MAX; }
};

/// A budget of work, memory and output for several calls on one input. `cancel` (or null) must
/// outlive it. `deadline`: see CallOptions. [thread-safe]
std::shared_ptr<Budget> make_budget(const Limits& limits = {},
                                    const std::atomic<bool>* cancel = nullptr,
                                    std::uint64_t deadline = UINT64_MAX);

/// What applies to one decode or encode. What is left out is taken from the registry's options.
struct CallOptions {
  std::optional<Limits> limits;
  /// The named value of a store to decode, or the name to encode under; empty: it is alone.
  std::string member;
  /// How much of a decoded value is checked: the structure always, the content unless `structure`.
  Validation validation = Validation::full;
  /// The call ends with Status::cancelled soon after this becomes true. May be set from any thread
  /// or a signal handler; must outlive the call. Null: never.
  const std::atomic<bool>* cancel = nullptr;
  /// The call ends with Status::cancelled soon after this time of CLOCK_MONOTONIC, in nanoseconds.
  std::uint64_t deadline = UINT64_MAX;
  /// One budget of several calls on one input, instead of limits, cancel and deadline; or null.
  std::shared_ptr<Budget> budget;
  /// Functions that data may call; null: the registry's allowlist.
  std::shared_ptr<const Allowlist> allowlist;
  /// Further functions, beside all others that are allowed; null: none.
  std::shared_ptr<const Allowlist> allow_also;
  /// Allows lossy calls, and is notified of each loss. Empty: default_losses alone pass, which the
  /// log has; other losses are Status::unsupported. See docs/loss.md.
  LossHook on_loss;
  /// encode() reads its output back first, and reports members of another type as
  /// LossClass::retyped. It takes the time and memory of encoding and decoding once more.
  bool report_retyped = false;
  std::uint32_t losses = all_losses;  ///< which classes of loss are allowed
  Projection projection;              ///< for decoding
  bool allow_partial = false;         ///< for encoding: a value with a projection may be written
  std::uint32_t threads = 0;          ///< as RegistryOptions::threads; 0: those of the registry
};

/// Who gives the options of a codec or filter. Those of others come with data (metadata, headers,
/// journals) or from users who may not do what the host may: in them an option that names a file,
/// or that its manifest marks as `host_only`, is Status::denied.
enum class OptionsFrom : std::uint8_t { host, others };

}  // namespace polycodec
