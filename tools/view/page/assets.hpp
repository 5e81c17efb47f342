// SPDX-License-Identifier: MIT
// The script and the style of a page, which the build takes from web/dist.
#pragma once

#include <string_view>

namespace polycodec::page {

extern const std::string_view page_script, page_style;

}  // namespace polycodec::page
