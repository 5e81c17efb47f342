// SPDX-License-Identifier: MIT
// What applies to one decode or encode.
#pragma once

#include <polycodec/limits.hpp>
#include <polycodec/validate.hpp>
#include <polycodec/view.hpp>

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace polycodec {

class Whitelist;

/// Hears of one thing that a codec leaves out: `path` is where it stands in the value, such as `$.vertex.quality`,
/// `what` tells people what is lost. Called in the course of the call, from its thread or from others that the codec
/// works with; must not throw and must not call the registry.
using LossHook = std::function<void(std::string_view path, std::string_view what)>;

/// What applies to one decode or encode. What is left out is taken from the registry's options.
struct CallOptions {
  std::optional<Limits> limits;
  /// How much of a decoded value is checked before it is handed out: structure always, and the content of structural
  /// columns and texts unless `structure` is asked for.
  Validation validation = Validation::full;
  /// The call ends with Status::cancelled soon after this becomes true. May be set from any thread or a signal
  /// handler; must outlive the call. Null: never.
  const std::atomic<bool>* cancel = nullptr;
  /// Functions that data may call; null: the registry's whitelist.
  std::shared_ptr<const Whitelist> whitelist;
  /// Allows codecs to leave out what the other side cannot hold, and hears of each loss. Empty: nothing may be lost,
  /// and a call that cannot do without ends with Status::unsupported. See docs/loss.md.
  LossHook on_loss;
};

/// For Registry::decode, which also chooses the codec.
struct DecodeOptions : CallOptions {
  std::string codec;  ///< name or alias; empty: the message header chooses, else the first bytes do
  View options;       ///< options of the codec: an OBJECT, or null for the defaults
};

}  // namespace polycodec
