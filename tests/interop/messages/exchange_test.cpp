// SPDX-License-Identifier: MIT
// The examples of two processes, with peers that behave and peers that do not.
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <string>

namespace {

struct Finished {
  int status = -1;
  std::string output;  // both streams
};

Finished run(const std::string& program, const std::string& arguments) {
  const std::string line = "timeout 120 '" + program + "' " + arguments + " 2>&1";
  Finished finished;
  std::FILE* pipe = ::popen(line.c_str(), "r");
  if (pipe == nullptr) return finished;
  char buffer[4096];
  for (std::size_t got; (got = std::fread(buffer, 1, sizeof buffer, pipe)) != 0;) finished.output.append(buffer, got);
  const int status = ::pclose(pipe);
  finished.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return finished;
}

class Exchange : public ::testing::TestWithParam<const char*> {};

TEST_P(Exchange, SmallAndLargeValuesArrive) {
  const Finished finished = run(GetParam(), "100000 10");
  EXPECT_EQ(finished.status, 0) << finished.output;
  EXPECT_NE(finished.output.find("received 100000 small and 10 large values by "), std::string::npos)
      << finished.output;
}

TEST_P(Exchange, ASilentPeerIsServedYggdrasil) {
  const Finished finished = run(GetParam(), "100 1 silent");
  EXPECT_EQ(finished.status, 0) << finished.output;
  EXPECT_NE(finished.output.find("received 100 small and 1 large values by yggdrasil\n"), std::string::npos)
      << finished.output;
}

TEST_P(Exchange, UnknownCodecsEndInAnExplanation) {
  const Finished finished = run(GetParam(), "100 1 unknown");
  EXPECT_EQ(finished.status, 1) << finished.output;
  EXPECT_NE(finished.output.find("nobody-has-this: no such codec here"), std::string::npos) << finished.output;
  EXPECT_NE(finished.output.find("received 0 small and 0 large values"), std::string::npos) << finished.output;
}

TEST_P(Exchange, WrongSizesAndDeadPeersAreErrors) {
  const Finished lies = run(GetParam(), "1 1 lies");
  EXPECT_EQ(lies.status, 1) << lies.output;
  EXPECT_NE(lies.output.find("receiver: "), std::string::npos) << lies.output;
  const Finished dies = run(GetParam(), "1 1 dies");
  EXPECT_EQ(dies.status, 1) << dies.output;
  EXPECT_NE(dies.output.find("13 of the 20 bytes of its body are missing"), std::string::npos) << dies.output;
}

// What goes wrong while both ends close shows only in some sessions of many; under AddressSanitizer a leak is a
// failure.
TEST_P(Exchange, ManyShortSessionsEndCleanly) {
  for (int session = 0; session < 40; ++session) {
    const Finished finished = run(GetParam(), "10 1");
    ASSERT_EQ(finished.status, 0) << "session " << session << ": " << finished.output;
  }
}

INSTANTIATE_TEST_SUITE_P(Pipe, Exchange, ::testing::Values(POLYCODEC_EXCHANGE_PIPE));
#ifdef POLYCODEC_EXCHANGE_ZMQ
INSTANTIATE_TEST_SUITE_P(ZeroMq, Exchange, ::testing::Values(POLYCODEC_EXCHANGE_ZMQ));
#endif

}  // namespace
