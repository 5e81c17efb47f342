// SPDX-License-Identifier: MIT
#include "registry/json/json_cut.hpp"

#include <base/json_block.hpp>

#include <algorithm>
#include <bit>

namespace polycodec::json {
namespace {

bool is_gap(char c) noexcept {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

}  // namespace

JsonCutter::JsonCutter(std::string_view text, bool is_lines) noexcept
    : text_(text), is_lines_(is_lines) {
  if (text.starts_with("\xef\xbb\xbf")) at_ = 3;
}

void JsonCutter::skip_spaces() noexcept {
  while (at_ < text_.size() && is_gap(text_[at_])) ++at_;
}

JsonCut JsonCutter::opened(std::size_t start) {
  const char bracket = text_[at_];
  const JsonCut cut{JsonCut::open, bracket == '{', text_.substr(start, at_ - start),
                    levels_.size() + 1};
  levels_.push_back(cut.is_object);
  ++at_;
  is_due_ = false;
  return cut;
}

/// Opens the item that begins here.
JsonCut JsonCutter::opened_item() {
  const std::size_t start = at_;
  if (levels_.back()) {
    if (text_[at_] != '"') return {JsonCut::other, false, {}, 0};
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_)
      if (text_[at_] == '\\') ++at_;
    if (at_ < text_.size()) ++at_;
    skip_spaces();
    if (at_ < text_.size() && text_[at_] == ':') ++at_;
    skip_spaces();
  }
  if (at_ >= text_.size() || (text_[at_] != '[' && text_[at_] != '{'))
    return {JsonCut::other, false, {}, 0};
  return opened(start);
}

JsonCut JsonCutter::closed() {
  if (is_due_ || text_[at_] != (levels_.back() ? '}' : ']')) return {JsonCut::other, false, {}, 0};
  ++at_;
  levels_.pop_back();
  skip_spaces();
  if (levels_.empty()) {
    if (at_ != text_.size()) return {JsonCut::other, false, {}, 0};
  } else if (at_ < text_.size() && text_[at_] == ',') {
    ++at_;
    is_due_ = true;
  } else if (at_ == text_.size() || (text_[at_] != ']' && text_[at_] != '}')) {
    return {JsonCut::other, false, {}, 0};
  }
  return {JsonCut::close, false, {}, 0};
}

JsonCut JsonCutter::next() {
  constexpr auto none = std::string_view::npos;
  skip_spaces();
  const bool begins = begins_;
  begins_ = false;
  if (at_ == text_.size()) {
    const bool is_end = is_lines_ || (levels_.empty() && !begins);
    return {is_end ? JsonCut::end : JsonCut::other, false, {}, 0};
  }
  if (!is_lines_ && levels_.empty()) {
    if (!begins || (text_[at_] != '[' && text_[at_] != '{'))
      return {begins ? JsonCut::other : JsonCut::end, false, {}, 0};
    return opened(at_);
  }
  if (!is_lines_ && (text_[at_] == ']' || text_[at_] == '}')) return closed();

  const std::size_t start = at_;
  // The first byte order mark has been passed.
  if (is_lines_ && text_.substr(start).starts_with("\xef\xbb\xbf"))
    return {JsonCut::other, false, {}, 0};
  const auto cut_at = [&](std::size_t end, std::size_t next) {
    at_ = next;
    is_due_ = next != end;
    return JsonCut{JsonCut::run, !is_lines_ && levels_.back(), text_.substr(start, end - start),
                   levels_.size()};
  };
  std::size_t depth = 0;    // of containers from the start of the run on
  std::size_t last = none;  // the separator after the last item that is whole
  JsonCarry carry;
  const bool may_open = !is_lines_ && levels_.size() < most_levels;
  for (std::size_t at = start; at < text_.size(); at += json_block_bytes) {
    const JsonMarks marks = json_marks(text_, at, is_lines_ ? '\n' : ',', carry);
    const auto closes = static_cast<std::size_t>(std::popcount(marks.closes));
    if (depth > closes) {
      depth = depth + static_cast<std::size_t>(std::popcount(marks.opens)) - closes;
    } else {
      // The separators that are between brackets, where no container is open.
      const auto look = [&](std::uint64_t from, std::uint64_t to) {
        const std::uint64_t found = marks.separators & (to - from);
        if (depth != 0 || found == 0) return;
        last = at + 63 - static_cast<std::size_t>(std::countl_zero(found));
      };
      std::uint64_t from = 1;
      for (std::uint64_t left = marks.opens | marks.closes; left != 0; left &= left - 1) {
        const std::uint64_t bit = left & (0 - left);
        look(from, bit);
        from = bit << 1;
        if ((marks.opens & bit) != 0) {
          ++depth;
          continue;
        }
        if (depth == 0) {  // the container ends
          if (is_lines_) return {JsonCut::other, false, {}, 0};
          const std::size_t end = at + static_cast<std::size_t>(std::countr_zero(bit));
          return cut_at(end, end);
        }
        --depth;
      }
      if (from != 0) look(from, 0);
    }
    const std::size_t seen = std::min(at + json_block_bytes, text_.size());
    if (last != none && last - start >= least_bytes) return cut_at(last, last + 1);
    const std::size_t item = last == none ? start : last + 1;
    if (may_open && depth != 0 && seen - item > least_bytes) {
      if (last != none) return cut_at(last, last + 1);
      return opened_item();
    }
  }
  if (!is_lines_ || depth != 0 || carry.in_string != 0) return {JsonCut::other, false, {}, 0};
  return cut_at(text_.size(), text_.size());
}

}  // namespace polycodec::json
