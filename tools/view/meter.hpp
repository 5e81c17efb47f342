// SPDX-License-Identifier: MIT
// What walks over meshes and pictures may take.
#pragma once

#include <polycodec/polycodec.hpp>

#include <cstdint>
#include <utility>

namespace polycodec::cli {

/// Charges a budget for a walk of the program's own, in slices. For one thread; not copied, because
/// each has its own slice.
class Meter {
 public:
  /// Without a budget nothing is charged.
  Meter() = default;
  explicit Meter(Budget budget) noexcept : budget_(std::move(budget)) {}
  Meter(const Meter&) = delete;
  Meter& operator=(const Meter&) = delete;

  /// Charges `units`. Throws Status::limit, Status::cancelled.
  void tick(std::uint64_t units = 1) {
    if (units > left_) [[unlikely]]
      refill(units);
    left_ -= units;
  }

 private:
  [[gnu::cold, gnu::noinline]] void refill(std::uint64_t units) {
    const std::uint64_t lacking = units - left_;
    const std::uint64_t more = lacking < UINT64_MAX - slice_ ? lacking + slice_ : lacking;
    if (budget_) try {
        budget_.spend(more);
      } catch (const Error& error) {
        if (error.code() != Status::limit || more == lacking) throw;
        slice_ /= 2;  // there is no whole slice left
        budget_.spend(lacking);
        left_ = units;
        return;
      }
    left_ += more;
  }

  Budget budget_;
  std::uint64_t left_ = 0;
  std::uint64_t slice_ = 65536;
};

}  // namespace polycodec::cli
