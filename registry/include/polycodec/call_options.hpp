// SPDX-License-Identifier: MIT
// What applies to one decode or encode.
#pragma once

#include <polycodec/budget.hpp>
#include <polycodec/call.hpp>
#include <polycodec/limits.hpp>
#include <polycodec/node_view.hpp>
#include <polycodec/value.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec {

class Allowlist;

/// Hears of one thing that a codec leaves out: `path` is its place in the value, such as
/// `$.vertex.quality`, `what` tells people what is lost. Called in the course of the call, from its
/// thread or from others that the codec works with; must not throw and must not call the registry.
using LossHook = std::function<void(LossClass loss, std::string_view path, std::string_view what)>;

/// A set of classes of loss.
constexpr std::uint32_t losses_of(LossClass loss) noexcept {
  return 1u << static_cast<std::uint32_t>(loss);
}
inline constexpr std::uint32_t all_losses = (1u << POLYCODEC_LOSS_COUNT) - 1;

/// The part of a value that is wanted. A codec may leave out the rest; it never replaces it. The
/// value is then marked: see Value::is_partial().
struct Projection {
  std::vector<std::string> paths;  ///< such as `$.vertex.x`; empty: everything
  std::uint64_t first_row = 0;     ///< of the outermost dimension of each path, or of the root
  std::uint64_t rows = UINT64_MAX;

  bool is_all() const noexcept { return paths.empty() && first_row == 0 && rows == UINT64_MAX; }
};

/// What applies to one decode or encode. What is left out is taken from the registry's options.
struct CallOptions {
  std::optional<Limits> limits;
  /// Which of the named values of a store to decode, or the name to encode under; empty: it is
  /// alone.
  std::string member;
  /// How much of a decoded value is checked before it is handed out: structure always, and the
  /// content of structural columns and strings unless `structure` is asked for.
  Validation validation = Validation::full;
  /// The call ends with Status::cancelled soon after this becomes true. May be set from any thread
  /// or a signal handler; must outlive the call. Null: never.
  const std::atomic<bool>* cancel = nullptr;
  /// The call ends with Status::cancelled soon after this time of CLOCK_MONOTONIC, in nanoseconds.
  std::uint64_t deadline = UINT64_MAX;
  /// One budget for several calls on one input, whose limits, cancel and deadline then apply; null:
  /// each call has its own.
  std::shared_ptr<Budget> budget;
  /// Functions that data may call; null: the registry's allowlist.
  std::shared_ptr<const Allowlist> allowlist;
  /// Allows codecs to leave out what the other side cannot hold, and hears of each loss. Empty:
  /// nothing may be lost, and a call that cannot do without ends with Status::unsupported. See
  /// docs/loss.md.
  LossHook on_loss;
  std::uint32_t losses = all_losses;  ///< which classes of loss on_loss allows
  Projection projection;              ///< for decoding
  bool allow_partial = false;         ///< for encoding: a value with a projection may be written
};

/// For Registry::decode, which also chooses the codec.
struct DecodeOptions : CallOptions {
  std::string codec;  ///< name or alias; empty: the message header chooses, else the first bytes do
  NodeView options;   ///< options of the codec: an OBJECT, or null for the defaults
};

}  // namespace polycodec
