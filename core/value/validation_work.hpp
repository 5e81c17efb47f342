// SPDX-License-Identifier: MIT
// What validation takes of a budget.
#pragma once

#include <polycodec/abi.h>

#include "core/call/limits.hpp"
#include "core/value/host_meter.hpp"

#include <cstdint>
#include <memory>

namespace polycodec::detail {

/// The work of one validation: charged to the budget of the call around it. Without a call, it is
/// charged to a budget of its own as soon as it is more than a slice. Content has a bound besides:
/// arrays may share buffers and repeat elements through strides of 0, so the work is not bounded by
/// the size of the input.
class ValidationWork {
 public:
  /// What is charged at once, in units and in nodes.
  static constexpr std::uint64_t slice = 65536;
  /// A small container takes about 20 ns, and a value may be of nothing else.
  static constexpr std::uint64_t units_per_node = 4;

  /// `measured`: the value may be measured, because its pointers are trusted. Both must outlive it.
  ValidationWork(const polycodec_node* root, const Limits& limits, bool measured) noexcept
      : root_(root), limits_(limits), measured_(measured) {}
  ValidationWork(const ValidationWork&) = delete;
  ValidationWork& operator=(const ValidationWork&) = delete;

  /// Charges `units`. Throws Status::limit, Status::cancelled.
  void charge(std::uint64_t units) {
    if (units > slice - uncharged_) [[unlikely]]
      return settle(units);
    uncharged_ += units;
  }
  /// The same for bytes of content, of which there may be too many.
  void take(std::uint64_t bytes);
  /// Charges what is left over, at the end.
  void finish();

 private:
  void bound_content(std::uint64_t bytes);
  void settle(std::uint64_t units);

  const polycodec_node* const root_;
  const Limits& limits_;
  const bool measured_;
  bool bounded_ = false;            // the content, which few values have
  std::uint64_t content_left_ = 0;  // if it is
  std::uint64_t uncharged_ = 0;
  std::unique_ptr<HostMeter> meter_;
};

}  // namespace polycodec::detail
