// SPDX-License-Identifier: MIT
// polycodec_call_options.on_progress of one call.
#pragma once

#include <polycodec/host.h>

#include "core/io/sink.hpp"
#include "registry/codec/codec_handle.hpp"

#include <cstdint>

namespace polycodec::c {

/// Tells the program how far a call is, or does nothing if it does not want to know. It lives in
/// the frame of the call, and outlives its options. For one thread.
class Reporter {
 public:
  Reporter() = default;
  Reporter(const Reporter&) = delete;
  Reporter& operator=(const Reporter&) = delete;

  /// Gives the call a budget that reports.
  void begin(const polycodec_call_options& given, CallOptions& options, const Limits& limits);
  /// The source that is decoded.
  void set_input(const Source& source) noexcept;
  /// The value that is encoded, which earns budget.
  void set_value(const Value& value);
  /// Where the output goes; null: unknown. It is used until it is set again or the call ends.
  void set_output(const Sink* sink) noexcept { sink_ = sink; }
  /// The last report, after the call has succeeded; `output`: bytes written. Throws
  /// Status::cancelled.
  void end(std::uint64_t output = 0);

 private:
  bool report(std::uint64_t work, std::uint64_t input, std::uint64_t output, bool is_last);

  std::int32_t (*hear_)(void*, const polycodec_progress*) = nullptr;
  void* data_ = nullptr;
  std::shared_ptr<Budget> budget_;
  const Sink* sink_ = nullptr;
  std::uint64_t input_size_ = 0;
  std::uint64_t most_work_ = 0;  // credit that was not used is given back
};

}  // namespace polycodec::c
