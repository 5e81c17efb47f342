// SPDX-License-Identifier: MIT
#include <base/json_cursor.hpp>
#include <base/path_steps.hpp>
#include <polycodec/error.hpp>
#include <polycodec/path.hpp>
#include <polycodec/quote.hpp>

#include <algorithm>
#include <charconv>
#include <system_error>

namespace polycodec {
namespace {

bool begins_step(std::string_view text) noexcept {
  return text.starts_with('.') || text.starts_with('[');
}

bool has_root(std::string_view path) noexcept {
  return path == path_root ||
         (path.starts_with(path_root) && begins_step(path.substr(path_root.size())));
}

}  // namespace

PathSteps::PathSteps(std::string_view path) : path_(path) {
  if (path.empty()) fail();
  if (has_root(path)) at_ = path_root.size();
}

std::string PathSteps::taken() const {
  const std::string_view text = path_.substr(0, at_);
  if (has_root(text)) return std::string(text);
  std::string full(path_root);
  if (!text.empty() && !begins_step(text)) full += '.';
  return full.append(text);
}

PathSteps::Step PathSteps::next() {
  Step step;
  const std::string_view rest = path_.substr(at_);
  if (!rest.starts_with('[')) {
    const std::size_t begin = rest.starts_with('.') ? 1 : 0;
    if (begin == 0 && at_ != 0) fail();
    const std::size_t end = std::min(rest.find_first_of(".[", begin), rest.size());
    if (end == begin) fail();
    step.name = rest.substr(begin, end - begin);
    at_ += end;
  } else if (rest.starts_with("[\"")) {
    JsonCursor cursor(rest.substr(1));
    try {
      step.name = cursor.string();
      cursor.expect(']');
    } catch (const Error&) {
      fail();
    }
    at_ += 1 + cursor.at();
  } else {
    const char* const end = rest.data() + rest.size();
    const auto [stop, problem] = std::from_chars(rest.data() + 1, end, step.index);
    if (problem != std::errc() || stop == end || *stop != ']') fail();
    step.is_index = true;
    at_ += static_cast<std::size_t>(stop - rest.data()) + 1;
  }
  return step;
}

void PathSteps::fail() const {
  throw Error(Status::option,
              "invalid path " + quote(path_) +
                  R"(: must be names such as vertex.x, with ["any key"] and [3] where needed)",
              at_)
      .detail("path.syntax");
}

std::string full_path(std::string_view path) {
  PathSteps steps(path);
  while (!steps.is_done()) steps.next();
  return steps.taken();
}

}  // namespace polycodec
