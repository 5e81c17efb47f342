// SPDX-License-Identifier: MIT
// The installed header of this name.
#pragma once

#include <polycodec/quote.hpp>
