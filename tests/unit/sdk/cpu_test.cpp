// SPDX-License-Identifier: MIT
#include <base/cpu.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace polycodec {
namespace {

// scripts/test.sh runs all tests again with this variable, which must not be ignored.
TEST(Cpu, TheVariableBoundsTheLevel) {
  const char* const value = std::getenv("POLYCODEC_CPU");
  const std::string name = value == nullptr ? "" : value;
  EXPECT_TRUE(cpu_has(CpuLevel::scalar));
  if (name == "scalar") {
    EXPECT_EQ(cpu_level(), CpuLevel::scalar);
  } else if (name == "avx2") {
    EXPECT_LE(cpu_level(), CpuLevel::avx2);
  }
  for (const CpuLevel level : {CpuLevel::ssse3, CpuLevel::avx2, CpuLevel::avx512_vbmi})
    EXPECT_EQ(cpu_has(level), level <= cpu_level());
}

// In each build, so that what is tested with it is what is installed.
TEST(Cpu, TheVariableIsReadInEachBuild) {
  const char* const before = std::getenv("POLYCODEC_CPU");
  const std::string kept = before == nullptr ? "" : before;
  ::setenv("POLYCODEC_CPU", "ssse3", 1);
  EXPECT_EQ(detail::cpu_bound(), CpuLevel::ssse3);
  ::setenv("POLYCODEC_CPU", "none of these", 1);
  EXPECT_EQ(detail::cpu_bound(), CpuLevel::avx512_vbmi);
  before == nullptr ? ::unsetenv("POLYCODEC_CPU") : ::setenv("POLYCODEC_CPU", kept.c_str(), 1);
}

}  // namespace
}  // namespace polycodec
