// SPDX-License-Identifier: MIT
// Bounds on what one call may take.
#pragma once

#include <cstdint>

namespace polycodec {

/// Limits of one call, with safe defaults. Each is checked before memory is taken for what it
/// bounds. UINT64_MAX: no limit.
struct Limits {
  /// Of work, memory and output: as much as the input earns, see work_for() and its companions.
  static constexpr std::uint64_t by_input = UINT64_MAX - 1;

  std::uint32_t max_depth = 512;  ///< nesting of containers, types and expressions
  std::uint64_t max_input_bytes = std::uint64_t{1} << 40;   ///< of one input
  std::uint64_t max_header_bytes = std::uint64_t{1} << 20;  ///< of a message or file header
  std::uint64_t max_nodes = std::uint64_t{1} << 28;         ///< nodes and arrays of one value
  std::uint64_t max_elements = std::uint64_t{1} << 40;      ///< elements of one array or list
  std::uint64_t max_work = by_input;                        ///< in units of about 5 ns
  std::uint64_t max_memory_bytes = by_input;  ///< memory that a value takes beside its input
  /// Of that, what lies in the memory of the machine. More lies in a file (see FileMemory).
  /// by_input: all of it, but for conversions from file to file.
  std::uint64_t max_resident_bytes = by_input;
  std::uint64_t max_output_bytes = by_input;  ///< bytes that encoders, filters and printers write
  std::uint64_t max_stack_bytes = std::uint64_t{1}
                                  << 30;  ///< of a thread; its real stack bounds it

  friend bool operator==(const Limits&, const Limits&) = default;

  // The bounds for an input of `input` bytes from which filters made `filtered` bytes: the number
  // that was set, or else a base and so much for each byte.

  /// 2^26 units, 2,048 an input byte and 2 a filtered byte.
  std::uint64_t work_for(std::uint64_t input, std::uint64_t filtered = 0) const noexcept;
  /// 192 MiB and 1,024 bytes an input byte, but at most half of the machine's memory. Where more
  /// lies in a file, 64 bytes an input byte may be more than that.
  std::uint64_t memory_for(std::uint64_t input) const noexcept;
  /// Half of the memory of the machine, or of its control group.
  static std::uint64_t half_of_machine() noexcept;
  /// 64 MiB, 1,024 bytes an input byte and 4 a filtered byte.
  std::uint64_t output_for(std::uint64_t input, std::uint64_t filtered = 0) const noexcept;
};

}  // namespace polycodec
