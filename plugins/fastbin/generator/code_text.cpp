// SPDX-License-Identifier: MIT
#include "code_text.hpp"

namespace polycodec::fastbin {

CodeText& CodeText::function(std::string_view head, std::string_view body) {
  if (depth_ * indent_width_ + head.size() + body.size() + 5 <= width)
    return line(std::string(head) + " { " + std::string(body) + " }");
  return open(std::string(head) + " {").line(body).close("}");
}

CodeText& CodeText::list(std::string_view before, const std::vector<std::string>& items,
                         std::string_view after) {
  const std::string further(2 * indent_width_, ' ');
  const std::size_t room = width - depth_ * indent_width_;
  std::string now(before);
  for (std::size_t i = 0; i < items.size(); ++i) {
    const bool last = i + 1 == items.size();
    std::string piece = items[i];
    piece += last ? after : std::string_view(",");
    const bool spaced = i != 0 && now.size() > further.size();
    if (i != 0 && now.size() + (spaced ? 1 : 0) + piece.size() > room) {
      line(now);
      now = further + piece;
    } else {
      now += (spaced ? " " : "") + piece;
    }
  }
  if (items.empty()) now += after;
  return line(now);
}

}  // namespace polycodec::fastbin
