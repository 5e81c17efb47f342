// SPDX-License-Identifier: MIT
// What a conversion kept of a value: what was written is read back and compared.
#pragma once

#include "core/value/kept.hpp"
#include "registry/codec/codec_handle.hpp"
#include "registry/codec/registry.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec {

/// What a conversion kept, for reports.
struct Check {
  Kept kept = Kept::unknown;
  std::string reason;                    ///< why it is unknown; empty if nobody asked
  std::optional<Difference> difference;  ///< with Kept::different
};

/// Something that a codec wrote, before it gets its name.
struct Written {
  std::string file;  ///< where it lies now
  std::string name;  ///< of the output, for messages
  std::string codec, options, filters;
  std::vector<std::string> lost;  ///< paths of losses that were reported
};

/// True if the codec's values are meshes, which are written by rules of the format's own
/// (docs/mesh.md).
bool is_model(const CodecInfo* codec);

/// What losses at these paths explain.
Covers covers_of(const std::vector<std::string>& lost);
/// Throws for what a comparison found and nothing explains, or the call does not allow: then
/// is_of_kept(). Otherwise calls hear() for each member of another type.
void settle_kept(const KeptValue& found, const Written& written, const CallOptions& call,
                 const std::function<void(const Retyped& member)>& hear);
/// Throws for output that was rejected as it was read back: a codec that rejects what it has
/// written has written something wrong (then is_of_kept()), but where limits, memory, the system or
/// what is allowed here keep it from reading: then `error`.
[[noreturn]] void fail_read_back(const Error& error, const Written& written);
/// True for an error that settle_kept() or fail_read_back() makes.
bool is_of_kept(const Error& error) noexcept;

/// Reads back what was written of a valid value. `call` has limits, budget and on_loss of the call
/// that wrote: members of another type are reported there as LossClass::retyped. The output earns
/// no work. What keeps it from being compared is the reason of Kept::unknown: limits, memory, the
/// system, or what is not allowed or found here. Throws Status::internal with the detail
/// `convert.different` for a difference that no loss covers and for an output that cannot be read,
/// Status::cancelled.
Check check_written(const Registry& registry, NodeView value, const Written& written,
                    const CallOptions& call);

}  // namespace polycodec
