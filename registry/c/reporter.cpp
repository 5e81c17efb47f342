// SPDX-License-Identifier: MIT
#include "registry/c/reporter.hpp"

#include <polycodec/error.hpp>

#include "core/call/budget.hpp"
#include "core/value/host_meter.hpp"
#include "core/value/value.hpp"

#include <algorithm>

namespace polycodec::c {

void Reporter::begin(const polycodec_call_options& given, CallOptions& options,
                     const Limits& limits) {
  hear_ = given.on_progress;
  data_ = given.progress_data;
  budget_ =
      make_budget(options.limits ? *options.limits : limits, options.cancel, options.deadline);
  budget_->report_to([this](std::uint64_t work, std::uint64_t input) {
    return report(work, input, sink_ == nullptr ? 0 : sink_->size(), false);
  });
  options.budget = budget_;
}

void Reporter::set_input(const Source& source) noexcept {
  if (budget_ != nullptr) input_size_ = source.physical_bytes();
}

void Reporter::set_value(const Value& value) {
  if (budget_ != nullptr) earn(*budget_, value);
}

void Reporter::end(std::uint64_t output) {
  if (budget_ != nullptr && !report(budget_->work(), budget_->input(), output, true))
    throw Error(Status::cancelled, "the caller has cancelled the call");
}

bool Reporter::report(std::uint64_t work, std::uint64_t input, std::uint64_t output, bool is_last) {
  most_work_ = std::max(most_work_, work);
  const polycodec_progress progress{
      sizeof(polycodec_progress), is_last ? 1u : 0u, most_work_, input, input_size_, output};
  return hear_(data_, &progress) == 0;
}

}  // namespace polycodec::c
