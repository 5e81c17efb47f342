// SPDX-License-Identifier: MIT
// Lines of generated code.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace polycodec::fastbin {

/// Text that grows by indented lines.
class CodeText {
 public:
  static constexpr std::size_t width = 118;

  explicit CodeText(std::size_t indent_width) : indent_width_(indent_width) {}

  /// One line; an empty one is not indented.
  CodeText& line(std::string_view text = {}) {
    if (!text.empty()) text_.append(depth_ * indent_width_, ' ').append(text);
    text_ += '\n';
    return *this;
  }
  /// A line, after which lines are indented by one more level.
  CodeText& open(std::string_view text) {
    line(text);
    ++depth_;
    return *this;
  }
  /// A line, before which the indentation goes back by one level.
  CodeText& close(std::string_view text) {
    --depth_;
    return line(text);
  }
  /// A line that stands half a level further out, as `public:` does.
  CodeText& label(std::string_view text) {
    text_.append(depth_ * indent_width_ - indent_width_ / 2, ' ').append(text) += '\n';
    return *this;
  }
  /// A function of one statement: on one line if it fits.
  CodeText& function(std::string_view head, std::string_view body);
  /// `before`, the items with commas between them, and `after`: on one line if they fit, else on as
  /// many as it takes, indented by two more levels.
  CodeText& list(std::string_view before, const std::vector<std::string>& items,
                 std::string_view after);

  const std::string& text() const noexcept { return text_; }

 private:
  std::size_t indent_width_;
  std::size_t depth_ = 0;
  std::string text_;
};

/// fastbin_runtime.hpp
std::string_view cpp_runtime_text();
/// cpp_macros.txt: macros of the C standard, and those of glibc as far as anybody might call
/// something so (limits, numbers of errors and signals, words). One a line.
std::string_view cpp_macros_text();
/// FastbinRuntime.jl
std::string_view julia_runtime_text();

}  // namespace polycodec::fastbin
