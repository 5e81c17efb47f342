// SPDX-License-Identifier: MIT
// Which vector instructions this processor has. Kernels are chosen at run time, so that a plugin
// built with plain flags is fast where it can be and runs everywhere.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>
// clang does not take this header as strict C++.
#if defined(__x86_64__) && !defined(__clang__) && __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>
#endif

namespace polycodec {

/// Sets of vector instructions, each including those before it. On other architectures always
/// `scalar`.
enum class CpuLevel : std::uint8_t {
  scalar,       ///< what every processor of the architecture has
  ssse3,        ///< 16-byte shuffles
  avx2,         ///< 32-byte integer vectors, with BMI1, PCLMUL and POPCNT
  avx512_vbmi,  ///< 64-byte vectors with permutation of bytes (F, BW, VL, VBMI, VBMI2)
};

namespace detail {

// The C library knows, and asks nobody. __builtin_cpu_supports() asks the processor some ten times
// in each library that has it, when it is loaded. In a virtual machine that takes 0.1 ms.
#if defined(CPU_FEATURE_ACTIVE)
#define POLYCODEC_CPU_HAS(name, word) CPU_FEATURE_ACTIVE(name)
#else
#define POLYCODEC_CPU_HAS(name, word) (__builtin_cpu_supports(word) != 0)
#endif

inline CpuLevel found_cpu_level() noexcept {
#if defined(__x86_64__)
  if (!POLYCODEC_CPU_HAS(SSSE3, "ssse3")) return CpuLevel::scalar;
  if (!POLYCODEC_CPU_HAS(AVX2, "avx2") || !POLYCODEC_CPU_HAS(BMI1, "bmi") ||
      !POLYCODEC_CPU_HAS(PCLMULQDQ, "pclmul") || !POLYCODEC_CPU_HAS(POPCNT, "popcnt"))
    return CpuLevel::ssse3;
  if (!POLYCODEC_CPU_HAS(AVX512_VBMI, "avx512vbmi") ||
      !POLYCODEC_CPU_HAS(AVX512_VBMI2, "avx512vbmi2") || !POLYCODEC_CPU_HAS(AVX512BW, "avx512bw") ||
      !POLYCODEC_CPU_HAS(AVX512VL, "avx512vl"))
    return CpuLevel::avx2;
  return CpuLevel::avx512_vbmi;
#else
  return CpuLevel::scalar;
#endif
}

#undef POLYCODEC_CPU_HAS

/// The variable POLYCODEC_CPU (scalar, ssse3, avx2) is the greatest level that is used, so that one
/// machine tests all kernels. It has no say in processes with more rights than who started them.
inline CpuLevel cpu_bound() noexcept {
  const char* const value = ::secure_getenv("POLYCODEC_CPU");
  const std::string_view name = value == nullptr ? "" : value;
  if (name == "scalar") return CpuLevel::scalar;
  if (name == "ssse3") return CpuLevel::ssse3;
  if (name == "avx2") return CpuLevel::avx2;
  return CpuLevel::avx512_vbmi;
}

}  // namespace detail

/// The greatest level that the processor (and the operating system) has. [thread-safe] Costs about
/// a nanosecond: the answer is found once.
inline CpuLevel cpu_level() noexcept {
  static const CpuLevel level = std::min(detail::found_cpu_level(), detail::cpu_bound());
  return level;
}

/// True if the processor has at least this level. [thread-safe]
inline bool cpu_has(CpuLevel level) noexcept {
  return level <= cpu_level();
}

}  // namespace polycodec
