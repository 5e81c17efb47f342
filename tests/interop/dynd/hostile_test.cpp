// SPDX-License-Identifier: MIT
#include "support.hpp"
#include <gtest/gtest.h>
