// SPDX-License-Identifier: MIT
// Where a page goes that nobody named a file for.
#pragma once

#include <string>
#include <string_view>

namespace polycodec::page {

/// Writes the page to a new file that only this user can read, and returns its path. The file is in
/// $XDG_RUNTIME_DIR, if that is a directory of this user and closed to others. Otherwise it is in a
/// new private directory below $TMPDIR, or /tmp. Throws Error(io).
std::string write_private(std::string_view page);

/// Shows the file in the browser of the desktop and returns at once. Does nothing where there is
/// no display, or no xdg-open.
void open_in_browser(const std::string& path);

}  // namespace polycodec::page
