// SPDX-License-Identifier: MIT
// One call of a plugin's function: its budget, its limits, and what it may ask of the host.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/bytes.hpp>
#include <polycodec/error.hpp>
#include <polycodec/view.hpp>

#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace polycodec {

/// Classes of loss; see polycodec_loss.
enum class LossClass : std::int32_t {
  note = POLYCODEC_LOSS_NOTE,
  type = POLYCODEC_LOSS_TYPE,
  data = POLYCODEC_LOSS_DATA,
};

/// Units that a Meter takes from the call at once, and that cost about 20 microseconds.
inline constexpr std::uint64_t call_slice = 4096;

/// A handle on a polycodec_call. Not owning; cheap to copy; for one thread. Functions throw Error:
/// what the host reports, in particular Status::limit and Status::cancelled.
class Call {
 public:
  explicit Call(polycodec_call* call) noexcept : call_(call) {}
  polycodec_call* raw() const noexcept { return call_; }

  /// Charges `units` of work, about 5 ns each: 1 an item visited or 16 bytes copied. Charge in
  /// batches, before the work. In loops over items use a Meter.
  void tick(std::uint64_t units = 1) const {
    if (units <= call_->credit) [[likely]] {
      call_->credit -= units;
      return;
    }
    spend(units);
  }
  /// Throws Status::limit if a recursive function must go no deeper on this stack.
  void check_stack() const {
    if (polycodec_stack_left(call_) == 0) [[unlikely]]
      throw Error(Status::limit,
                  "the value is nested too deeply for this stack: raise "
                  "max_stack_bytes, or use a thread with a larger stack");
  }
  const polycodec_limits& limits() const noexcept { return *call_->limits; }
  polycodec_arena* arena() const noexcept { return call_->arena; }
  /// What the caller wants of the value, or NULL: everything.
  const polycodec_projection* projection() const noexcept { return call_->projection; }

  /// Writes one line to the host's log.
  void log(polycodec_log_level level, std::string_view text) const noexcept {
    call_->host->log(call_->host, level, to_bytes(text));
  }
  /// Reports a loss: `path` is where, `what` tells humans what. Throws Status::unsupported if the
  /// host does not allow losses of this class. Call it before anything is written.
  void report_loss(LossClass loss, std::string_view path, std::string_view what) const {
    invoke(call_->report_loss, call_, static_cast<std::int32_t>(loss), to_bytes(path),
           to_bytes(what));
  }

  /// Calls a registered function, if the allowlist allows it. The result lives in the call's arena.
  const polycodec_node* call_function(std::span<const std::string_view> path,
                                      const polycodec_node& args,
                                      const polycodec_node* kwargs = nullptr) const {
    std::vector<polycodec_bytes> parts;
    for (const std::string_view part : path) parts.push_back(to_bytes(part));
    const polycodec_node* result = nullptr;
    invoke(call_->host->call_function, call_->host, call_,
           static_cast<const polycodec_bytes*>(parts.data()), std::uint64_t{path.size()}, &args,
           kwargs, &result);
    return result;
  }
  /// Decodes with another codec. The value lives in the call's arena and may view the input.
  const polycodec_node* decode_with(std::string_view codec, const polycodec_node* options,
                                    const polycodec_input& input) const {
    const polycodec_node* root = nullptr;
    invoke(call_->host->decode_with, call_->host, call_, to_bytes(codec), options, &input, &root);
    return root;
  }
  const polycodec_node* decode_with(std::string_view codec, const polycodec_node* options,
                                    std::string_view bytes) const {
    polycodec_input input{};
    input.struct_size = sizeof input;
    input.parts = POLYCODEC_INPUT_BYTES;
    input.bytes = to_bytes(bytes);
    return decode_with(codec, options, input);
  }
  /// The notation of a registered type; throws Status::not_found.
  std::string_view lookup_type(std::string_view name) const {
    polycodec_bytes notation{};
    invoke(call_->host->lookup_type, call_->host, call_, to_bytes(name), &notation);
    return to_string_view(notation);
  }

  /// Calls body(Call&, from, to) for parts of at most `grain` of [0, n), maybe on several threads.
  /// Each body uses its own call only.
  template <class Body>
  void parallel_for(std::uint64_t n, std::uint64_t grain, Body&& body) const {
    const polycodec_body thunk = [](void* data, polycodec_call* child, std::uint64_t from,
                                    std::uint64_t to, polycodec_error* error) -> std::int32_t {
      return guard(error, [&] {
        Call own(child);
        (*static_cast<std::remove_reference_t<Body>*>(data))(own, from, to);
      });
    };
    invoke(call_->parallel_for, call_, n, grain, thunk, static_cast<void*>(&body));
  }

 private:
  [[gnu::noinline]] void spend(std::uint64_t units) const { invoke(call_->spend, call_, units); }

  polycodec_call* call_;
};

/// Charges a call for loops over items: it holds a slice of the credit, so that a tick is a
/// subtraction in a register. What is left of the slice goes back when it ends. For one thread; the
/// call outlives it and may be used meanwhile.
class Meter {
 public:
  explicit Meter(const Call& call) noexcept : call_(call) {}
  Meter(const Meter&) = delete;
  Meter& operator=(const Meter&) = delete;
  ~Meter() { call_.raw()->credit += left_; }

  /// Charges `units`. Throws Status::limit, Status::cancelled.
  void tick(std::uint64_t units = 1) {
    if (units > left_) [[unlikely]]
      refill(units);
    left_ -= units;
  }
  /// Charges one item of `bytes` bytes.
  void step(std::uint64_t bytes = 0) { tick(1 + bytes / 16); }

 private:
  [[gnu::noinline]] void refill(std::uint64_t units) {
    const std::uint64_t more = units - left_ < call_slice ? call_slice : units - left_;
    call_.tick(more);
    left_ += more;
  }

  const Call call_;
  std::uint64_t left_ = 0;
};

}  // namespace polycodec
