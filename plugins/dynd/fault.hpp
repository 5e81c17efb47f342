// SPDX-License-Identifier: MIT
// Refusals: the words of the format, and the path of what was refused, put together only when there
// is something to refuse.
#pragma once

#include <base/varint.hpp>
#include <polycodec/error.hpp>
#include <polycodec/path.hpp>

#include "plan.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace polycodec::dynd {

/// Throws with one of the words that docs of the format list, such as `varint-overlong`.
[[noreturn, gnu::cold, gnu::noinline]] inline void refuse(Status status, std::string_view word,
                                                          std::string message,
                                                          std::uint64_t offset = Error::no_offset) {
  throw Error(status, std::move(message), offset).detail(word);
}

[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_limit(
    std::string message, std::uint64_t offset = Error::no_offset) {
  refuse(Status::limit, "dynd.limit", std::move(message), offset);
}

[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_varint(VarintStatus status,
                                                                 const char* what,
                                                                 std::uint64_t offset,
                                                                 std::uint64_t end) {
  const std::string name(what);
  if (status == VarintStatus::truncated)
    refuse(Status::truncated, "dynd.truncated", "the input ends within " + name, end);
  if (status == VarintStatus::overlong)
    refuse(Status::malformed, "dynd.varint_overlong", name + " is not written in its shortest form",
           offset);
  refuse(Status::malformed, "dynd.varint_overflow", name + " does not fit in 64 bits", offset);
}

/// Puts a step, such as `[3]`, before the path of an error that comes from inside.
inline void prefix_path(Error& error, std::string_view step) {
  const std::string& inner = error.path();
  std::string path = "$";
  path += step;
  if (!inner.empty()) path.append(inner, 1);
  error.path(path);
}

/// Calls run(i) for every i below `count`; an error gets step_of(i) before its path.
template <class StepOf, class Run>
void each_part(std::uint64_t count, StepOf&& step_of, Run&& run) {
  std::uint64_t i = 0;
  try {
    for (; i < count; ++i) run(i);
  } catch (Error& e) {
    prefix_path(e, step_of(i));
    throw;
  }
}
template <class Run>
void each_item(std::uint64_t count, Run&& run) {
  each_part(count, index_step, run);
}
template <class Run>
void each_field(const Plan& plan, Run&& run) {
  each_part(
      plan.items.size(), [&](std::uint64_t i) { return plan.step(i); }, run);
}

/// Calls run(), which takes one item of a column: its `[0]` is not an index of the value.
template <class Run>
void one_item(Run&& run) {
  try {
    run();
  } catch (Error& e) {
    if (e.path().starts_with("$[0]")) e.path('$' + e.path().substr(4));
    throw;
  }
}

}  // namespace polycodec::dynd
