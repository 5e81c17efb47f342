// SPDX-License-Identifier: MIT
#pragma once

#include <polycodec/error.hpp>

#include <gtest/gtest.h>

#include <functional>

namespace polycodec::test {

/// The Error that `body` throws; a test failure and Status::ok if it throws none.
inline Error error_of(const std::function<void()>& body) {
  try {
    body();
  } catch (const Error& e) {
    return e;
  }
  ADD_FAILURE() << "no error";
  return Error(Status::ok, "");
}

}  // namespace polycodec::test
