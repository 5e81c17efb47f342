// SPDX-License-Identifier: MIT
#include "registry/json/json_cut.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace polycodec::json {
namespace {

bool is_gap(char c) noexcept {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

constexpr std::size_t block_size = 64;

/// A bit for each of 64 bytes.
struct Bytes {
  std::uint64_t quotes = 0, backslashes = 0, opens = 0, closes = 0, separators = 0;
};

// `[` and `{` differ in one bit, as `]` and `}` do.
#if defined(__SSE2__)
Bytes bytes_at(const char* p, char separator) noexcept {
  Bytes found;
  for (unsigned i = 0; i < block_size; i += 16) {
    const __m128i text = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + i));
    const __m128i folded = _mm_or_si128(text, _mm_set1_epi8(0x20));
    const auto put = [i](std::uint64_t& bits, __m128i equal) {
      bits |= static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm_movemask_epi8(equal))) << i;
    };
    put(found.quotes, _mm_cmpeq_epi8(text, _mm_set1_epi8('"')));
    put(found.backslashes, _mm_cmpeq_epi8(text, _mm_set1_epi8('\\')));
    put(found.opens, _mm_cmpeq_epi8(folded, _mm_set1_epi8('{')));
    put(found.closes, _mm_cmpeq_epi8(folded, _mm_set1_epi8('}')));
    put(found.separators, _mm_cmpeq_epi8(text, _mm_set1_epi8(separator)));
  }
  return found;
}
#else
Bytes bytes_at(const char* p, char separator) noexcept {
  Bytes found;
  for (unsigned i = 0; i < block_size; ++i) {
    const auto put = [i](std::uint64_t& bits, bool is) { bits |= std::uint64_t{is} << i; };
    put(found.quotes, p[i] == '"');
    put(found.backslashes, p[i] == '\\');
    put(found.opens, (p[i] | 0x20) == '{');
    put(found.closes, (p[i] | 0x20) == '}');
    put(found.separators, p[i] == separator);
  }
  return found;
}
#endif

// The bytes after backslashes that are not escaped themselves.
std::uint64_t escaped_bytes(std::uint64_t backslashes, bool& is_escaped) noexcept {
  std::uint64_t escaped = is_escaped ? 1 : 0;
  is_escaped = false;
  for (std::uint64_t left = backslashes & ~escaped; left != 0;) {
    const std::uint64_t first = left & (0 - left);
    escaped |= first << 1;
    if (first >> 63 != 0) is_escaped = true;
    left &= ~(first | first << 1);
  }
  return escaped;
}

// Each bit is the parity of itself and those below.
std::uint64_t parities(std::uint64_t bits) noexcept {
  for (unsigned i = 1; i < 64; i *= 2) bits ^= bits << i;
  return bits;
}

}  // namespace

JsonCutter::JsonCutter(std::string_view text, bool is_lines) noexcept
    : text_(text), is_lines_(is_lines) {
  if (text.starts_with("\xef\xbb\xbf")) at_ = 3;
}

JsonCutter::Marks JsonCutter::marks_at(std::size_t at, bool& in_string,
                                       bool& is_escaped) const noexcept {
  char copy[block_size];
  const char* p = text_.data() + at;
  if (text_.size() - at < block_size) {  // the last ones
    std::memset(copy, ' ', block_size);
    std::memcpy(copy, p, text_.size() - at);
    p = copy;
  }
  const Bytes found = bytes_at(p, is_lines_ ? '\n' : ',');
  std::uint64_t quotes = found.quotes;
  if (found.backslashes != 0 || is_escaped) [[unlikely]]
    quotes &= ~escaped_bytes(found.backslashes, is_escaped);
  const std::uint64_t strings = parities(quotes) ^ (in_string ? ~std::uint64_t{0} : 0);
  in_string = (strings >> 63) != 0;
  return {found.opens & ~strings, found.closes & ~strings, found.separators & ~strings};
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
  bool in_string = false, is_escaped = false;
  const bool may_open = !is_lines_ && levels_.size() < most_levels;
  for (std::size_t at = start; at < text_.size(); at += block_size) {
    const Marks marks = marks_at(at, in_string, is_escaped);
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
    const std::size_t seen = std::min(at + block_size, text_.size());
    if (last != none && last - start >= least_bytes) return cut_at(last, last + 1);
    const std::size_t item = last == none ? start : last + 1;
    if (may_open && depth != 0 && seen - item > least_bytes) {
      if (last != none) return cut_at(last, last + 1);
      return opened_item();
    }
  }
  if (!is_lines_ || depth != 0 || in_string) return {JsonCut::other, false, {}, 0};
  return cut_at(text_.size(), text_.size());
}

}  // namespace polycodec::json
