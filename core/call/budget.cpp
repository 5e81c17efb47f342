// SPDX-License-Identifier: MIT
#include "core/call/budget.hpp"

#include <polycodec/error.hpp>

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace polycodec {
namespace {

std::uint64_t linear(std::uint64_t base, std::uint64_t factor, std::uint64_t bytes) noexcept {
  std::uint64_t product = 0, sum = 0;
  return __builtin_mul_overflow(factor, bytes, &product) ||
                 __builtin_add_overflow(base, product, &sum)
             ? UINT64_MAX
             : sum;
}

/// The limit of the control group in a file of the system; UINT64_MAX if there is none.
std::uint64_t group_limit(const char* path) noexcept {
  std::FILE* file = std::fopen(path, "re");
  if (file == nullptr) return UINT64_MAX;
  unsigned long long bytes = 0;
  const bool known = std::fscanf(file, "%llu", &bytes) == 1;
  std::fclose(file);
  return known ? bytes : UINT64_MAX;
}

constexpr std::uint64_t page_bytes = std::uint64_t{64} << 10;  // of the map of bytes seen
constexpr std::uint64_t report_interval = 50'000'000;          // nanoseconds

/// What differs between threads.
const void* this_thread() noexcept {
  static thread_local char mark;
  return &mark;
}

}  // namespace

std::uint64_t Limits::half_of_machine() noexcept {
  static const std::uint64_t half = [] {
    const auto pages = static_cast<std::uint64_t>(std::max(::sysconf(_SC_PHYS_PAGES), 0L));
    const auto size = static_cast<std::uint64_t>(std::max(::sysconf(_SC_PAGESIZE), 0L));
    std::uint64_t all = pages == 0 ? UINT64_MAX : pages * size;
    all = std::min(all, group_limit("/sys/fs/cgroup/memory.max"));
    all = std::min(all, group_limit("/sys/fs/cgroup/memory/memory.limit_in_bytes"));
    return all / 2;
  }();
  return half;
}

std::uint64_t Limits::work_for(std::uint64_t input, std::uint64_t filtered) const noexcept {
  if (max_work != by_input) return max_work;
  return linear(linear(std::uint64_t{1} << 26, 2048, input), 2, filtered);
}

std::uint64_t Limits::memory_for(std::uint64_t input) const noexcept {
  if (max_memory_bytes != by_input) return max_memory_bytes;
  std::uint64_t most = half_of_machine();
  if (max_resident_bytes < by_input) most = std::max(most, linear(0, 64, input));
  return std::min(linear(std::uint64_t{192} << 20, 1024, input), most);
}

std::uint64_t Limits::output_for(std::uint64_t input, std::uint64_t filtered) const noexcept {
  if (max_output_bytes != by_input) return max_output_bytes;
  return linear(linear(std::uint64_t{64} << 20, 1024, input), 4, filtered);
}

struct Budget::Rare {
  struct File {
    std::vector<bool> pages;
    std::uint64_t counted = 0;
  };
  std::mutex counting;
  std::map<const void*, File> files;  // that bytes were handed out of
  std::function<bool(std::uint64_t, std::uint64_t)> hear;
  std::uint64_t next_report = 0;
};

void Budget::DeleteRare::operator()(Rare* rare) const noexcept {
  delete rare;
}

Budget::Rare& Budget::rare() {
  static std::mutex making;
  const std::scoped_lock lock(making);
  if (rare_ == nullptr) rare_.reset(new Rare);
  return *rare_;
}

void Budget::add(std::atomic<std::uint64_t>& to, std::uint64_t bytes) noexcept {
  constexpr std::uint64_t most = std::uint64_t{1} << 62;  // of bytes that never overflow
  if (bytes == 0) return;
  change(to, [&](std::uint64_t count) { return std::min(count + std::min(bytes, most), most); });
}

void Budget::add_input(const void* file, std::uint64_t offset, std::uint64_t size,
                       std::uint64_t physical) {
  if (size == 0) return;
  Rare& rare = this->rare();
  const std::scoped_lock lock(rare.counting);
  Rare::File& seen = rare.files[file];
  const std::uint64_t last = (offset + size - 1) / page_bytes;
  if (seen.pages.size() <= last) seen.pages.resize(static_cast<std::size_t>(last + 1));
  std::uint64_t fresh = 0;
  for (std::uint64_t page = offset / page_bytes; page <= last; ++page) {
    if (seen.pages[static_cast<std::size_t>(page)]) continue;
    seen.pages[static_cast<std::size_t>(page)] = true;
    fresh += page_bytes;
  }
  fresh = std::min(fresh, physical - std::min(physical, seen.counted));
  seen.counted += fresh;
  add_input(fresh);
}

bool Budget::earn() {
  if (!may_earn_) return false;
  const std::scoped_lock lock(measuring_);
  if (may_earn_.exchange(false))
    add_input(measure_(value_, limits_.max_depth) + measure_(second_, limits_.max_depth));
  return true;
}

void Budget::check_caller() {
  if (cancel_ != nullptr && cancel_->load(std::memory_order_relaxed))
    throw Error(Status::cancelled, "the caller has cancelled the call");
  const bool reports = hearing_thread_ != nullptr && hearing_thread_ == this_thread();
  if (deadline_ == UINT64_MAX && !reports) return;
  timespec clock{};
  ::clock_gettime(CLOCK_MONOTONIC, &clock);
  const std::uint64_t now = static_cast<std::uint64_t>(clock.tv_sec) * 1'000'000'000 +
                            static_cast<std::uint64_t>(clock.tv_nsec);
  if (now >= deadline_)
    throw Error(Status::cancelled, "the deadline of the call has passed").detail("call.deadline");
  if (reports && now >= rare_->next_report) report(now);
}

void Budget::report_to(std::function<bool(std::uint64_t, std::uint64_t)> hear) {
  rare().hear = std::move(hear);
  hearing_thread_ = this_thread();
}

void Budget::report(std::uint64_t now) {
  const bool is_start = std::exchange(rare_->next_report, now + report_interval) == 0;
  if (!is_start && !rare_->hear(work_, input_))
    throw Error(Status::cancelled, "the caller has cancelled the call");
}

std::uint64_t Budget::spend(std::uint64_t units, std::uint64_t more) {
  check();
  std::uint64_t most = max_work();
  std::uint64_t extra = 0;
  change(work_, [&](std::uint64_t spent) {
    if (units > most - std::min(most, spent) && earn()) most = max_work();
    const std::uint64_t left = most - std::min(most, spent);
    if (units > left)
      throw Error(Status::limit, "the call would do more than " + std::to_string(most) +
                                     " units of work: raise max_work")
          .detail("limit.max_work");
    extra = std::min(more, left - units);
    return spent + units + extra;
  });
  return extra;
}

namespace {

/// Not in line: each look at such a variable is a call, and in line there are several.
[[gnu::noinline]] BudgetScope*& innermost() noexcept {
  static constinit thread_local BudgetScope* scope = nullptr;
  return scope;
}

}  // namespace

BudgetScope::BudgetScope(Budget& budget, std::uint64_t* credit) noexcept
    : budget_(budget),
      credit_(credit),
      innermost_(innermost()),
      outer_(innermost_),
      lender_(outer_ != nullptr && &outer_->budget_ == &budget ? outer_->credit_ : nullptr) {
  if (lender_ != nullptr) {
    const std::uint64_t lent = std::exchange(*lender_, 0);
    credit_ != nullptr ? static_cast<void>(*credit_ = lent) : budget_.give_back(lent);
  }
  innermost_ = this;
}

BudgetScope::~BudgetScope() {
  innermost_ = outer_;
  if (credit_ == nullptr) return;
  lender_ != nullptr ? static_cast<void>(*lender_ += *credit_) : budget_.give_back(*credit_);
}

Budget* BudgetScope::current() noexcept {
  const BudgetScope* const scope = innermost();
  return scope == nullptr ? nullptr : &scope->budget_;
}

bool Budget::take_memory(std::uint64_t bytes) noexcept {
  std::uint64_t most = max_memory();
  bool is_left = true;
  change(memory_, [&](std::uint64_t taken) noexcept {
    try {
      if (bytes > most - std::min(most, taken) && earn()) most = max_memory();
    } catch (const std::exception&) {  // what cannot be measured earns nothing
    }
    is_left = bytes <= most - std::min(most, taken);
    return is_left ? taken + bytes : taken;
  });
  return is_left;
}

}  // namespace polycodec
