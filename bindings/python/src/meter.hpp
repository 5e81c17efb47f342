// SPDX-License-Identifier: MIT
// What walks of this binding over values may take.
#pragma once

#include "python.hpp"

#include <algorithm>
#include <cstdint>

namespace polycodec_python {

/// Charges a walk over a value for the objects of Python that it makes, to the budget that the
/// library gives for the value, or in a walk() to that one's. The first few are free outside of
/// that, so that small values need no budget. Looks for Ctrl-C meanwhile. The interpreter is
/// locked.
class Meter {
 public:
  /// `limits`: instead of those of the call that decoded the value. The value lives as long.
  explicit Meter(const host::Value& value, const host::Limits& limits = {}) noexcept
      : value_(&value), limits_(limits) {}
  /// Of what a codec in Python is given, in the course of `call`.
  explicit Meter(polycodec_call* call) noexcept : call_(call) {}
  Meter(const Meter&) = delete;
  Meter& operator=(const Meter&) = delete;

  /// Charges work, in units of 5 ns, and memory. Throws Status::limit, and raises
  /// KeyboardInterrupt.
  void tick(std::uint64_t units, std::uint64_t bytes) {
    units_ += units;
    bytes_ += bytes;
    if (units_ > slice_units || bytes_ > slice_bytes) [[unlikely]]
      charge();
  }
  /// The same for each of `n` things.
  void tick_all(std::uint64_t n, std::uint64_t units, std::uint64_t bytes) {
    constexpr std::uint64_t most = std::uint64_t{1} << 44;  // more than anybody can pay
    n = std::min(n, most);
    tick(n * units, n * bytes);
  }
  /// The walk is over.
  void finish();

 private:
  static constexpr std::uint64_t slice_units = 20'000, slice_bytes = std::uint64_t{1} << 18;

  void charge();

  const host::Value* value_ = nullptr;
  polycodec_call* call_ = nullptr;
  const host::Limits limits_;
  host::Budget budget_;
  std::uint64_t units_ = 0, bytes_ = 0;
};

void bind_meter(nb::module_& module);

}  // namespace polycodec_python
