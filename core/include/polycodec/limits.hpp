// SPDX-License-Identifier: MIT
// Bounds on what one decode or encode may take.
#pragma once

#include <polycodec/abi.h>

#include <cstdint>

namespace polycodec {

/// Limits of one decode or encode, with safe defaults. Each is checked before memory is taken for what it bounds.
/// UINT64_MAX means unlimited.
struct Limits {
  std::uint32_t max_depth = 512;  ///< nesting of containers, types and expressions
  std::uint64_t max_input_bytes = std::uint64_t{1}
                                  << 40;  ///< bytes of one input; views of a mapped file cost nothing
  std::uint64_t max_output_bytes = std::uint64_t{1} << 40;  ///< bytes that one encode writes
  std::uint64_t max_memory_bytes = std::uint64_t{4} << 30;  ///< memory that one value takes beside its input
  std::uint64_t max_nodes = std::uint64_t{1} << 28;         ///< document nodes and array nodes of one value
  std::uint64_t max_elements = std::uint64_t{1} << 40;      ///< elements of one array or list
  std::uint64_t max_ratio = 1024;                           ///< decompressed bytes per compressed byte, after 1 MiB
  std::uint64_t max_header_bytes = std::uint64_t{1} << 20;  ///< bytes of a message or file header

  friend bool operator==(const Limits&, const Limits&) = default;

  /// The limits as plugins get them.
  polycodec_limits to_abi() const noexcept {
    return {sizeof(polycodec_limits), max_depth, max_input_bytes, max_output_bytes,
            max_memory_bytes,         max_nodes, max_elements,    max_ratio,
            max_header_bytes};
  }
};

}  // namespace polycodec
