// SPDX-License-Identifier: MIT
// Owners for handles of polycodec/host.h, and its errors as exceptions.
#pragma once

#include <polycodec/error.hpp>
#include <polycodec/host.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace polycodec_sql {

/// An error that a query shows.
class Failure : public std::runtime_error {
 public:
  explicit Failure(const std::string& message, std::int32_t code = POLYCODEC_ERROR_INVALID)
      : std::runtime_error(message), code_(code) {}
  /// A polycodec_status.
  std::int32_t code() const noexcept { return code_; }

 private:
  std::int32_t code_;
};

/// Gives handles of the library back.
struct Release {
  void operator()(polycodec_registry* p) const { polycodec_registry_release(p); }
  void operator()(polycodec_source* p) const { polycodec_source_release(p); }
  void operator()(polycodec_value* p) const { polycodec_value_release(p); }
  void operator()(polycodec_sink* p) const { polycodec_sink_free(p); }
  void operator()(polycodec_budget* p) const { polycodec_budget_release(p); }
};
using Registry = std::unique_ptr<polycodec_registry, Release>;
using Source = std::unique_ptr<polycodec_source, Release>;
using Value = std::unique_ptr<polycodec_value, Release>;
using Sink = std::unique_ptr<polycodec_sink, Release>;
using Budget = std::unique_ptr<polycodec_budget, Release>;

/// The memory of an error: pass error() to a call and its result to check().
class Check {
 public:
  polycodec_error* error() noexcept { return call_.raw(); }
  /// Throws Failure with status, place and message if `code` is not POLYCODEC_OK.
  void check(int32_t code) const;

 private:
  polycodec::CallError call_;
};

inline polycodec_bytes bytes_of(std::string_view text) noexcept {
  return {text.data(), text.size()};
}
inline std::string_view text_of(const polycodec_bytes& bytes) noexcept {
  return bytes.size == 0 ? std::string_view()
                         : std::string_view(static_cast<const char*>(bytes.data), bytes.size);
}

/// Makes a sink of one buffer.
Sink make_sink();
/// Returns what a sink holds.
std::string taken(const Sink& sink);

/// Returns the value of `array`, a part of `value`, which it keeps.
Value part_of(const Value& value, const polycodec_item& item);
inline Value part_of(const Value& value, const polycodec_array* array) {
  return part_of(value, polycodec_item{nullptr, array, POLYCODEC_WHOLE});
}
/// Makes a budget for walks over a value.
Budget budget_of(const Value& value, const polycodec_limits& limits);
/// Charges work, in units of 5 ns, and memory. Throws Failure.
void spend(const Budget& budget, std::uint64_t units, std::uint64_t bytes = 0);
/// Runs `body`; what the library does with values meanwhile charges the budget.
void walk(const Budget& budget, const std::function<void()>& body);

/// Returns the type of a value in type notation.
std::string type_notation(const Value& value);

}  // namespace polycodec_sql
