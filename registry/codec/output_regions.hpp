// SPDX-License-Identifier: MIT
// The memory that an encoder or filter may refer to in its output.
#pragma once

#include "core/value/arena.hpp"
#include "core/value/value_parts.hpp"
#include "registry/codec/codec_handle.hpp"
#include "registry/session/instance.hpp"

#include <span>
#include <string_view>
#include <utility>

namespace polycodec {

/// Memory of the call, constants of plugins, and what the call reads: the owners of a value, or
/// else the value or the pieces themselves. They are looked for when a reference is not elsewhere.
class OutputRegions final : public Regions {
 public:
  /// For a codec. `value`: what owns the root, or null for nodes of the host program, whose
  /// pointers are followed. Takes no memory before it is asked.
  OutputRegions(NodeView root, const Value* value, const Arena& memory, const Opened& plugin,
                std::uint32_t max_depth)
      : value_(value),
        memory_(memory),
        plugin_(plugin),
        read_([=] { return parts_of(root, max_depth); }) {}
  /// For a filter.
  OutputRegions(std::span<const polycodec_bytes> pieces, const Arena& memory, const Opened& plugin)
      : memory_(memory), plugin_(plugin), read_([=] {
          MemoryParts extents;
          for (const polycodec_bytes& piece : pieces)
            if (piece.size != 0) extents.push_back(to_string_view(piece));
          unite(extents);
          return extents;
        }) {}

  std::string_view region_of(const void* data, std::uint64_t size) const noexcept override {
    if (value_ != nullptr && value_->contains(data, size)) return to_string_view(data, size);
    std::string_view found = memory_.region_of(data, size);
    if (found.empty()) found = plugin_.region_of(data, size);
    return found.empty() ? read_.region_of(data, size) : found;
  }

 private:
  const Value* value_ = nullptr;
  const Arena& memory_;
  const Opened& plugin_;
  LazyRegions read_;
};

}  // namespace polycodec
