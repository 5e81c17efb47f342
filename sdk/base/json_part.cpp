// SPDX-License-Identifier: MIT
#include <base/json_block.hpp>
#include <base/json_part.hpp>
#include <polycodec/utf.hpp>

#include <algorithm>
#include <bit>
#include <vector>

namespace polycodec {
namespace {

std::size_t container_end(std::string_view text, std::size_t at) noexcept {
  std::uint64_t depth = 0;
  JsonCarry carry;
  for (; at < text.size(); at += json_block_bytes) {
    const JsonMarks marks = json_marks(text, at, ',', carry);
    const auto ends = static_cast<unsigned>(std::popcount(marks.closes));
    if (depth > ends) {
      depth += static_cast<unsigned>(std::popcount(marks.opens));
      depth -= ends;
      continue;
    }
    for (std::uint64_t left = marks.opens | marks.closes; left != 0; left &= left - 1) {
      const std::uint64_t bit = left & (0 - left);
      if ((marks.opens & bit) != 0)
        ++depth;
      else if (--depth == 0)
        return at + static_cast<std::size_t>(std::countr_zero(bit)) + 1;
    }
  }
  return std::string_view::npos;
}

std::size_t string_end(std::string_view text, std::size_t at) noexcept {
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] == '"') return i + 1;
    if (text[i] == '\\') ++i;
  }
  return std::string_view::npos;
}

bool ends_word(char c) noexcept {
  return c == ',' || c == '}' || c == ']' || c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/// True if a number or a word may begin so.
bool begins_word(char c) noexcept {
  return c == '-' || (c >= '0' && c <= '9') || c == 't' || c == 'f' || c == 'n';
}

class PartReader {
 public:
  PartReader(Builder& builder, std::string_view text, const JsonOptions& options,
             std::uint64_t first_row, const ReadJson& read_whole)
      : builder_(builder),
        options_(options),
        first_row_(first_row),
        read_whole_(read_whole),
        text_(text),
        cursor_(text) {
    if (text.starts_with("\xef\xbb\xbf")) cursor_.rewind(3);
  }

  /// Each false if the whole is to be read.
  bool document(polycodec_node& node, const Wanted& wanted, std::uint64_t rows) {
    if (options_.values == JsonReader::Values::one)
      return value(node, wanted, rows, 0) && cursor_.at_end();
    std::vector<polycodec_node> values;
    for (std::uint64_t i = 0; !cursor_.at_end(); ++i)
      if (!row(values, i, wanted, rows, 0)) return false;
    node = builder_.list(values);
    return true;
  }

 private:
  static constexpr std::uint64_t all_rows = UINT64_MAX;
  static constexpr std::uint64_t most_levels = 64;  // of lists and objects on the way

  bool value(polycodec_node& node, const Wanted& wanted, std::uint64_t rows, std::uint64_t depth) {
    const char c = cursor_.peek();
    const bool is_whole = wanted.all() && rows == all_rows;
    if (c != '[' && c != '{') return scalar(node, c);
    if (is_whole || (c == '{' && wanted.all())) return whole(node, depth);
    if (depth >= std::min(options_.max_depth, most_levels)) return false;
    cursor_.accept(c);
    return c == '[' ? list(node, wanted, rows, depth) : object(node, wanted, rows, depth);
  }

  bool list(polycodec_node& node, const Wanted& wanted, std::uint64_t rows, std::uint64_t depth) {
    std::vector<polycodec_node> items;
    if (!cursor_.accept(']')) {
      std::uint64_t i = 0;
      do {
        if (!row(items, i++, wanted, rows, depth + 1)) return false;
      } while (cursor_.accept(','));
      if (!cursor_.accept(']')) return false;
    }
    node = builder_.list(items);
    return take(1);
  }

  /// Item `i` of a list.
  bool row(std::vector<polycodec_node>& items, std::uint64_t i, const Wanted& wanted,
           std::uint64_t rows, std::uint64_t depth) {
    if (i >= rows) return pass();
    if (rows == all_rows || i >= first_row_)
      return value(items.emplace_back(), wanted, all_rows, depth);
    items.push_back(Builder::null());
    return pass() && take(1);
  }

  bool object(polycodec_node& node, const Wanted& wanted, std::uint64_t rows, std::uint64_t depth) {
    const std::size_t first = kept_.size();
    const std::size_t start = cursor_.at() - 1;
    if (cursor_.peek() == '}') {
      cursor_.rewind(start);
      return whole(node, depth);
    }
    do {
      const std::string_view name = cursor_.string();
      const Wanted* const member = wanted.find(name);
      if (member == nullptr) {
        if (!cursor_.accept(':') || !pass()) return false;
        continue;
      }
      const auto is_member = [&](const Kept& one) { return one.wanted == member; };
      if (std::any_of(kept_.begin() + static_cast<std::ptrdiff_t>(first), kept_.end(), is_member))
        return false;
      Kept one{member, {builder_.string_copy(name), {}}};
      if (!cursor_.accept(':') || !value(one.entry[1], *member, rows, depth + 1)) return false;
      kept_.push_back(one);
    } while (cursor_.accept(','));
    if (!cursor_.accept('}')) return false;
    if (kept_.size() - first != wanted.members().size()) {
      kept_.resize(first);
      cursor_.rewind(start);
      return whole(node, depth);  // whose names the error about a missing member shows
    }
    polycodec_node* entries;
    node = builder_.object(kept_.size() - first, &entries);
    for (std::size_t i = first; i < kept_.size(); ++i)
      entries = std::copy_n(kept_[i].entry, 2, entries);
    kept_.resize(first);
    return take(2);
  }

  bool scalar(polycodec_node& node, char first) {
    if (first == '"')
      node = builder_.string_copy(cursor_.string());
    else if (cursor_.at_number())
      node = options_.number(builder_, cursor_.number());
    else if (cursor_.accept_word("null"))
      node = Builder::null();
    else if (const bool is_true = cursor_.accept_word("true");
             is_true || cursor_.accept_word("false"))
      node = Builder::boolean(is_true);
    else
      return false;
    return take(1);
  }

  /// A container with all that is in it.
  bool whole(polycodec_node& node, std::uint64_t depth) {
    const std::size_t start = cursor_.at();
    const std::size_t end = container_end(text_, start);
    // A value takes a byte, and a comma, a colon or a bracket is beside it.
    if (end == std::string_view::npos || depth > options_.max_depth || !take((end - start) / 2 + 1))
      return false;
    JsonOptions options = options_;
    options.max_depth -= depth;
    options.values = JsonReader::Values::one;
    node = read_whole_(text_.substr(start, end - start), options);
    cursor_.rewind(end);
    return true;
  }

  bool pass() {
    const char c = cursor_.peek();
    if (c != '"' && c != '[' && c != '{' && !begins_word(c)) return false;
    const std::size_t end = json_value_end(text_, cursor_.at());
    if (end == std::string_view::npos) return false;
    cursor_.rewind(end);
    return true;
  }

  bool take(std::uint64_t nodes) noexcept {
    count_ += nodes;
    return count_ <= options_.max_nodes;
  }

  /// An entry of an object on the way.
  struct Kept {
    const Wanted* wanted;
    polycodec_node entry[2];
  };

  Builder& builder_;
  const JsonOptions& options_;
  const std::uint64_t first_row_;
  const ReadJson& read_whole_;
  std::string_view text_;
  JsonCursor cursor_;
  std::uint64_t count_ = 0;
  std::vector<Kept> kept_;
};

}  // namespace

std::size_t json_value_end(std::string_view text, std::size_t at) noexcept {
  if (text[at] == '"') return string_end(text, at);
  if (text[at] == '[' || text[at] == '{') return container_end(text, at);
  while (at < text.size() && !ends_word(text[at])) ++at;
  return at;
}

std::optional<polycodec_node> read_json_part(Builder& builder, std::string_view text,
                                             const JsonOptions& options,
                                             const polycodec_projection& wanted,
                                             const ReadJson& read_whole) {
  if (validate_utf8(text) != utf8_npos) return std::nullopt;
  try {
    polycodec_node node;
    PartReader reader(builder, text, options, wanted.first_row, read_whole);
    if (reader.document(node, Wanted(&wanted), rows_to_read(&wanted))) return node;
  } catch (const Error& e) {
    if (e.code() == Status::memory || e.code() == Status::cancelled) throw;
    // The reader of the whole says what is wrong, and where.
  }
  return std::nullopt;
}

}  // namespace polycodec
