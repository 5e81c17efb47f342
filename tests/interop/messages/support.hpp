// SPDX-License-Identifier: MIT
// What the tests of messages share.
#pragma once

#include <polycodec/registry.hpp>

#include <gtest/gtest.h>

#include <functional>

namespace polycodec {

/// All plugins of this build.
inline const Registry& registry() {
  static const Registry all = Registry::open();
  return all;
}

/// The error that `body` throws; fails the test if it throws none.
inline Error error_of(const std::function<void()>& body) {
  try {
    body();
  } catch (const Error& e) {
    return e;
  }
  ADD_FAILURE() << "no error";
  return Error(Status::ok, "");
}

}  // namespace polycodec
