// SPDX-License-Identifier: MIT
// The HTML file around the data of a page.
#pragma once

#include <string>
#include <string_view>

namespace polycodec::page {

/// Returns a complete HTML file with the script and the style of the page. `title` is any text.
/// `data` is JSON, whose characters `<` become escapes, so that it cannot end its element. The
/// content security policy names the hashes of script and style and allows no network.
std::string document(std::string_view title, std::string_view data);

}  // namespace polycodec::page
