// SPDX-License-Identifier: MIT
// The examples of two processes, with peers that behave and peers that do not.
#include "run.hpp"
#include "sanitized.hpp"

#include <gtest/gtest.h>

#include <string>

namespace polycodec::test {
namespace {

/// Both streams are in `out`.
Finished run(const std::string& program, const std::string& arguments) {
  return run_line(".", "timeout 120 " + shell_word(program) + " " + arguments + " 2>&1");
}

class Exchange : public ::testing::TestWithParam<const char*> {};

TEST_P(Exchange, SmallAndLargeValuesArrive) {
  const std::string small = std::to_string(cases_of(100'000));
  const Finished finished = run(GetParam(), small + " 10");
  EXPECT_EQ(finished.status, 0) << finished.out;
  EXPECT_NE(finished.out.find("received " + small + " small and 10 large values by "),
            std::string::npos)
      << finished.out;
}

TEST_P(Exchange, ASilentPeerIsServedYggdrasil) {
  const Finished finished = run(GetParam(), "100 1 silent");
  EXPECT_EQ(finished.status, 0) << finished.out;
  EXPECT_NE(finished.out.find("received 100 small and 1 large values by yggdrasil\n"),
            std::string::npos)
      << finished.out;
}

TEST_P(Exchange, UnknownCodecsEndInAnExplanation) {
  const Finished finished = run(GetParam(), "100 1 unknown");
  EXPECT_EQ(finished.status, 1) << finished.out;
  EXPECT_NE(finished.out.find("nobody-has-this: no such codec here"), std::string::npos)
      << finished.out;
  EXPECT_NE(finished.out.find("received 0 small and 0 large values"), std::string::npos)
      << finished.out;
}

TEST_P(Exchange, WrongSizesAndDeadPeersAreErrors) {
  const Finished lies = run(GetParam(), "1 1 lies");
  EXPECT_EQ(lies.status, 1) << lies.out;
  EXPECT_NE(lies.out.find("receiver: "), std::string::npos) << lies.out;
  const Finished dies = run(GetParam(), "1 1 dies");
  EXPECT_EQ(dies.status, 1) << dies.out;
  EXPECT_NE(dies.out.find("13 of the 20 bytes of its body are missing"), std::string::npos)
      << dies.out;
}

// What goes wrong while both ends close shows only in some sessions of many; under AddressSanitizer
// a leak is a failure.
TEST_P(Exchange, ManyShortSessionsEndCleanly) {
  for (int session = 0; session < 15; ++session) {
    const Finished finished = run(GetParam(), "10 1");
    ASSERT_EQ(finished.status, 0) << "session " << session << ": " << finished.out;
  }
}

INSTANTIATE_TEST_SUITE_P(Pipe, Exchange,
                         ::testing::Values(POLYCODEC_BIN_DIR "/example_exchange_pipe"));
#ifdef POLYCODEC_EXCHANGE_ZMQ
INSTANTIATE_TEST_SUITE_P(ZeroMq, Exchange,
                         ::testing::Values(POLYCODEC_BIN_DIR "/example_exchange_zmq"));
#endif

}  // namespace
}  // namespace polycodec::test
