// SPDX-License-Identifier: MIT
// Which vector instructions this processor has. Kernels are chosen at run time, so that a plugin
// built with plain flags is fast where it can be and runs everywhere.
#pragma once

#include <cstdint>
#if defined(POLYCODEC_TEST_CPU)
#include <cstdlib>
#include <string_view>
#endif

namespace polycodec {

/// Sets of vector instructions, each including those before it. On other architectures always
/// `scalar`.
enum class CpuLevel : std::uint8_t {
  scalar,       ///< what every processor of the architecture has
  ssse3,        ///< 16-byte shuffles
  avx2,         ///< 32-byte integer vectors
  avx512_vbmi,  ///< 64-byte vectors with byte permutation (F, BW, VL, VBMI)
};

#if defined(POLYCODEC_TEST_CPU)
/// For builds that have tests: the variable POLYCODEC_CPU (scalar, ssse3, avx2) is the greatest
/// level that is used, so that one machine tests all kernels.
inline CpuLevel cpu_bound() noexcept {
  static const CpuLevel bound = [] {
    const char* const value = std::getenv("POLYCODEC_CPU");
    const std::string_view name = value == nullptr ? "" : value;
    return name == "scalar"  ? CpuLevel::scalar
           : name == "ssse3" ? CpuLevel::ssse3
           : name == "avx2"  ? CpuLevel::avx2
                             : CpuLevel::avx512_vbmi;
  }();
  return bound;
}
#endif

/// True if the processor (and the operating system) has at least this level. [thread-safe] Costs
/// about a nanosecond: the answer was found when the program was loaded.
inline bool cpu_has(CpuLevel level) noexcept {
#if defined(POLYCODEC_TEST_CPU)
  if (level > cpu_bound()) return false;
#endif
#if defined(__x86_64__)
  switch (level) {
    case CpuLevel::scalar:
      return true;
    case CpuLevel::ssse3:
      return __builtin_cpu_supports("ssse3") != 0;
    case CpuLevel::avx2:
      return __builtin_cpu_supports("avx2") != 0;
    case CpuLevel::avx512_vbmi:
      return __builtin_cpu_supports("avx512vbmi") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
             __builtin_cpu_supports("avx512vl") != 0 && __builtin_cpu_supports("avx2") != 0;
  }
  return false;
#else
  return level == CpuLevel::scalar;
#endif
}

/// The greatest level that the processor has. [thread-safe]
inline CpuLevel cpu_level() noexcept {
  if (cpu_has(CpuLevel::avx512_vbmi)) return CpuLevel::avx512_vbmi;
  if (cpu_has(CpuLevel::avx2)) return CpuLevel::avx2;
  if (cpu_has(CpuLevel::ssse3)) return CpuLevel::ssse3;
  return CpuLevel::scalar;
}

}  // namespace polycodec
