// SPDX-License-Identifier: MIT
// The budget of a call: one pool of work, memory and output.
#pragma once

#include <polycodec/node_view.hpp>

#include "core/call/limits.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

namespace polycodec {

/// What a call may take, with all that it nests: codecs, filters, functions, threads. It grows with
/// the input that was handed out, so that no small input costs much. A program that does several
/// calls on one input may give all of them one budget (make_budget()). For one thread until
/// share().
class Budget {
 public:
  /// `cancel` (or null) must outlive the budget. `deadline`: of CLOCK_MONOTONIC, in nanoseconds.
  explicit Budget(const Limits& limits = {}, const std::atomic<bool>* cancel = nullptr,
                  std::uint64_t deadline = UINT64_MAX) noexcept
      : limits_(limits), cancel_(cancel), deadline_(deadline) {}
  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;

  /// From now on several threads may use it. Locked instructions are a tenth of a small call, so
  /// that it does without them before.
  void share() noexcept {
    if (!is_shared_) is_shared_ = true;  // others may read it when it is true
  }

  const Limits& limits() const noexcept { return limits_; }
  std::uint64_t deadline() const noexcept { return deadline_; }
  /// The bounds of the moment.
  std::uint64_t max_work() const noexcept { return limits_.work_for(input_, filtered_); }
  std::uint64_t max_memory() const noexcept { return limits_.memory_for(input_); }
  std::uint64_t max_output() const noexcept { return limits_.output_for(input_, filtered_); }
  std::uint64_t work() const noexcept { return work_; }
  std::uint64_t memory() const noexcept { return memory_; }
  /// True if the memory that was charged last is to lie in a file.
  bool is_beyond_machine() const noexcept { return memory_ > limits_.max_resident_bytes; }
  /// True if it is the memory of the machine that bounds max_memory().
  bool is_bound_by_machine() const noexcept {
    return limits_.max_memory_bytes == Limits::by_input &&
           limits_.max_resident_bytes >= Limits::by_input &&
           max_memory() == Limits::half_of_machine();
  }

  /// Input bytes were handed out.
  void add_input(std::uint64_t bytes) noexcept { add(input_, bytes); }
  /// The same for bytes [offset, offset + size) of `file`: each 64 KiB count once, and no more than
  /// `physical` bytes in all. Throws std::bad_alloc.
  void add_input(const void* file, std::uint64_t offset, std::uint64_t size,
                 std::uint64_t physical);
  /// Returns the bytes that a value is made of. Throws Error.
  using Measure = std::uint64_t(NodeView value, std::uint32_t max_depth);
  /// A value of the host program is worked on, or two: they earn as input what `measure` says of
  /// each. That is asked once at most, when the rest is spent, and until then by whoever has the
  /// budget. Call it before others use the budget. See earn_later() of host_meter.hpp.
  void earn_later(Measure& measure, NodeView value, NodeView second) noexcept {
    measure_ = &measure;
    value_ = value;
    second_ = second;
    may_earn_ = true;
  }
  /// The values are gone.
  void earn_no_more() noexcept { may_earn_ = false; }
  /// Measures. False if there was nothing to measure. Throws what the measure throws.
  bool earn();
  /// Calls hear(work, input bytes) from check() and spend() on this thread: after 50 ms of the
  /// call, and then as often. The call ends with Status::cancelled if it returns false. Call it
  /// before others use the budget.
  void report_to(std::function<bool(std::uint64_t work, std::uint64_t input)> hear);
  std::uint64_t input() const noexcept { return input_; }
  std::uint64_t filtered() const noexcept { return filtered_; }
  /// Filters produced bytes.
  void add_filtered(std::uint64_t bytes) noexcept { add(filtered_, bytes); }

  /// Throws Status::cancelled if the caller wants the call to end or the deadline has passed.
  void check() {
    if (cancel_ != nullptr || deadline_ != UINT64_MAX || hearing_thread_ != nullptr) [[unlikely]]
      check_caller();
  }
  /// Charges `units`, and as many of `more` as there are. Returns the latter. Throws Status::limit,
  /// and as check().
  std::uint64_t spend(std::uint64_t units, std::uint64_t more = 0);
  /// Credit that was not used.
  void give_back(std::uint64_t units) noexcept {
    if (units != 0) change(work_, [&](std::uint64_t work) { return work - units; });
  }
  /// Charges memory; false if there is not so much left.
  bool take_memory(std::uint64_t bytes) noexcept;
  void give_memory(std::uint64_t bytes) noexcept {
    if (bytes != 0) change(memory_, [&](std::uint64_t memory) { return memory - bytes; });
  }

 private:
  /// What few calls need. Each small call makes a budget, so that the rest has no destructors.
  struct Rare;
  struct DeleteRare {
    void operator()(Rare* rare) const noexcept;
  };
  Rare& rare();
  void check_caller();
  void report(std::uint64_t now);
  /// Puts next(count) in its place. It may be called several times.
  template <class Next>
  void change(std::atomic<std::uint64_t>& count,
              const Next& next) noexcept(noexcept(next(std::uint64_t{0}))) {
    for (std::uint64_t before = count.load(std::memory_order_relaxed);;) {
      const std::uint64_t after = next(before);
      if (!is_shared_) return count.store(after, std::memory_order_relaxed);
      if (count.compare_exchange_weak(before, after, std::memory_order_relaxed)) return;
    }
  }
  void add(std::atomic<std::uint64_t>& to, std::uint64_t bytes) noexcept;

  const Limits limits_;
  const std::atomic<bool>* const cancel_;
  const std::uint64_t deadline_;
  bool is_shared_ = false;
  std::atomic<bool> may_earn_{false};
  std::atomic<std::uint64_t> input_{0}, filtered_{0}, work_{0}, memory_{0};
  std::unique_ptr<Rare, DeleteRare> rare_;
  Measure* measure_ = nullptr;
  NodeView value_, second_;  // that are measured when the rest is spent
  std::mutex measuring_;
  const void* hearing_thread_ = nullptr;
};

/// While it lives, walks of this thread over values charge `budget`, unless they are given another
/// one. Ends before scopes that began earlier. Credit that a scope around it has of the same budget
/// is lent to this one.
class BudgetScope {
 public:
  /// `credit` (or null): units that the owner was granted and has not used yet; it begins with 0.
  explicit BudgetScope(Budget& budget, std::uint64_t* credit = nullptr) noexcept;
  ~BudgetScope();
  BudgetScope(const BudgetScope&) = delete;
  BudgetScope& operator=(const BudgetScope&) = delete;

  /// The budget of the innermost scope of this thread, or null.
  static Budget* current() noexcept;

 private:
  Budget& budget_;
  std::uint64_t* const credit_;
  BudgetScope*& innermost_;  // of this thread, which is found once
  BudgetScope* const outer_;
  std::uint64_t* const lender_;  // the credit of the scope around it, or null
};

}  // namespace polycodec
