// SPDX-License-Identifier: MIT
#include <polycodec/line_column.hpp>

#include <algorithm>

namespace polycodec {

LineColumn line_column(std::string_view text, std::uint64_t offset) noexcept {
  const std::string_view before = text.substr(0, std::min<std::uint64_t>(offset, text.size()));
  const auto last = before.rfind('\n');
  return {1 + static_cast<std::uint64_t>(std::count(before.begin(), before.end(), '\n')),
          before.size() - (last == before.npos ? 0 : last + 1) + 1};
}

Error text_error(Status status, std::string message, std::string_view text, std::uint64_t offset) {
  const LineColumn at = line_column(text, offset);
  message += " (line " + std::to_string(at.line) + ", column " + std::to_string(at.column) + ")";
  return Error(status, std::move(message), offset);
}

}  // namespace polycodec
