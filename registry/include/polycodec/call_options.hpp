// SPDX-License-Identifier: MIT
// What applies to one decode or encode.
#pragma once

#include <polycodec/limits.hpp>
#include <polycodec/validate.hpp>
#include <polycodec/view.hpp>

#include <atomic>
#include <memory>
#include <optional>
#include <string>

namespace polycodec {

class Whitelist;

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
};

/// For Registry::decode, which also chooses the codec.
struct DecodeOptions : CallOptions {
  std::string codec;  ///< name or alias; empty: the message header chooses, else the first bytes do
  View options;       ///< options of the codec: an OBJECT, or null for the defaults
};

}  // namespace polycodec
