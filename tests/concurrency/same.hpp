// SPDX-License-Identifier: MIT
// One call with one and with several threads.
#pragma once

#include <polycodec/builder.hpp>

#include "core/io/sink.hpp"
#include "registry/codec/registry.hpp"
#include "sanitized.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace polycodec::test {

inline const Registry& codecs() {
  static const Registry opened = Registry::open();
  return opened;
}

/// An executor that does all tasks here, and keeps the greatest number of them in `most`.
inline RegistryOptions counting_tasks(std::uint64_t& most) {
  RegistryOptions options;
  options.executor = [&](std::uint64_t n, const std::function<void(std::uint64_t)>& task) {
    most = std::max(most, n);
    for (std::uint64_t i = 0; i < n; ++i) task(i);
  };
  return options;
}

inline CallOptions with_threads(std::uint32_t threads) {
  CallOptions call;
  call.threads = threads;
  return call;
}

/// What writing ends with.
inline std::string written(const Codec& codec, NodeView value, std::uint32_t threads) {
  BufferSink sink;
  codec.encode(value, sink, with_threads(threads));
  return std::string(sink.view());
}

/// All that an error says.
inline std::string words(const Error& e) {
  return std::to_string(static_cast<int>(e.code())) + " " + e.detail() + " " + e.path() + " " +
         std::to_string(e.offset()) + " " + e.message();
}

/// What reading ends with: the value in another form, or the error.
inline std::string outcome_of(const Codec& codec, const Source& source, std::uint32_t threads) {
  try {
    const Value value = codec.decode(source, with_threads(threads));
    return written(codecs().codec("msgpack-ndarray"), value.view(), 1);
  } catch (const Error& e) {
    return words(e);
  }
}

/// `data` lives as long as the value.
inline Value vector_of(const std::vector<double>& data) {
  return Value::build(
      [&](Builder& out) { return Builder::array(out.vector(std::span<const double>(data))); });
}

/// Sanitizers look at what threads touch, for which one number of them will do.
#if POLYCODEC_SANITIZED || defined(__SANITIZE_THREAD__)
inline constexpr std::uint32_t several[] = {7};
#else
inline constexpr std::uint32_t several[] = {2, 7, 16};
#endif

/// True if a case is to be run. What threads touch depends little on the data, so that
/// ThreadSanitizer, which is slow, runs each sixth case of a test, the first among them, and
/// AddressSanitizer each third; all of them with POLYCODEC_FULL.
inline bool is_next_case() {
#if defined(__SANITIZE_THREAD__)
  constexpr unsigned every = 6;
#else
  constexpr unsigned every = POLYCODEC_SANITIZED ? 3 : 1;
#endif
  static unsigned cases = 0;
  return cases++ % every == 0 || runs_all();
}

/// The same result of one, two, seven and sixteen threads. Returns it.
template <class Run>
std::string same(const Run& run) {
  const std::string one = run(1u);
  for (const std::uint32_t threads : several)
    EXPECT_TRUE(run(threads) == one) << threads << " threads: " << run(threads).substr(0, 500)
                                     << "\none: " << one.substr(0, 500);
  return one;
}

inline std::vector<double> numbers(std::size_t count) {
  std::mt19937_64 random(1);
  std::vector<double> all(count);
  for (double& x : all) x = static_cast<double>(random() % 1000) / 8;
  return all;
}

}  // namespace polycodec::test
