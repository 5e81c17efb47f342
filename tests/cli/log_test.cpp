// SPDX-License-Identifier: MIT
// Lines of the log, as programs print them.
#include "common/log.hpp"

#include <gtest/gtest.h>

namespace polycodec::cli {
namespace {

TEST(Log, ShowsNoForeignTextRaw) {
  LogPrinter log;
  ::testing::internal::CaptureStderr();
  log(POLYCODEC_LOG_WARNING, "codec\x1b[2J", "a name\nforged line \xe2\x80\xae");
  log.set_level(POLYCODEC_LOG_WARNING);
  log(POLYCODEC_LOG_INFO, "codec", "of no interest");
  const std::string text = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(text.find("codec\\u001b[2J: a name\\u000aforged line \\u202e"), std::string::npos)
      << text;
  EXPECT_EQ(text.find("of no interest"), std::string::npos) << text;
}

}  // namespace
}  // namespace polycodec::cli
