// SPDX-License-Identifier: MIT
// Statements of an OBJ file as lines of the header of a PLY file.
#include <base/nodes.hpp>
#include <model/mesh/whole.hpp>
#include <polycodec/error.hpp>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <utility>

namespace polycodec::mesh::detail {
namespace {

// Longer lines of counts are split, so that users can read them.
constexpr std::size_t long_line = 96;
constexpr std::string_view blank_lines = "-";
// At the end of a line: how many times all of it is said.
constexpr std::string_view times_word = "*";
constexpr std::string_view plain_info = "obj_info ";

std::string text_of(const View& row, const char* name) {
  const auto found = row.find(name);
  if (!found || found->is_null()) return {};
  std::string scratch;
  return std::string(found->kind() == POLYCODEC_KIND_BINARY ? found->as_bytes()
                                                            : found->as_string(scratch));
}

bool is_counted(const StatementLine& statement) {
  return statement.code.empty() || row_kind(statement.code) != row_kinds;
}

std::string counted_text(const StatementLine& statement) {
  return std::string(statement.code.empty() ? blank_lines : statement.code) + " " +
         std::to_string(statement.count);
}

bool is_same(const StatementLine& a, const StatementLine& b) {
  return a.count == b.count && is_counted(b) && a.code == b.code;
}

// Counted statements from `first` on that come again and again, as exporters write `v` and `vn` in
// turn; once, if they do not.
struct Repeated {
  std::size_t period = 1;
  std::size_t times = 1;
};
Repeated repeated_at(const std::vector<StatementLine>& all, std::size_t first) {
  constexpr std::size_t longest = 4;
  constexpr std::size_t worth = 4;
  for (std::size_t period = 2; period <= longest; ++period) {
    std::size_t end = first;
    while (end < first + period && end < all.size() && is_counted(all[end])) ++end;
    if (end < first + period) break;
    while (end < all.size() && is_same(all[end - period], all[end])) ++end;
    if (const std::size_t times = (end - first) / period; times >= worth) return {period, times};
  }
  return {};
}

// The word at the start of `text`, which is moved behind the one space that follows it.
std::string_view take_word(std::string_view& text) {
  const std::string_view word = text.substr(0, text.find(' '));
  text.remove_prefix(std::min(text.size(), word.size() + 1));
  return word;
}

bool starts_with_word(std::string_view text, std::string_view word) {
  return text.starts_with(word) && (text.size() == word.size() || text[word.size()] == ' ');
}

bool is_own_line(std::string_view text) {
  return starts_with_word(text, rows_line) || starts_with_word(text, text_line) ||
         starts_with_word(text, colors_line);
}

// A comment as other programs write it; false: only a line of ours says it exactly.
bool plain_comment(std::string_view text, HeaderLine& line) {
  if (!text.starts_with(' ')) return false;
  text.remove_prefix(1);
  if (text.starts_with(texture_line)) return false;
  line.info = text.starts_with(plain_info);
  if (line.info) text.remove_prefix(plain_info.size());
  if (line.info && is_own_line(text)) return false;
  line.text = text;
  return true;
}

}  // namespace

std::size_t row_kind(std::string_view code) noexcept {
  return static_cast<std::size_t>(std::find(std::begin(row_codes), std::end(row_codes), code) -
                                  std::begin(row_codes));
}

std::vector<StatementLine> statement_lines(const View& root,
                                           const std::uint64_t (&totals)[row_kinds]) {
  std::vector<StatementLine> lines;
  std::uint64_t done[row_kinds] = {};
  const View all = root.find("statements").value_or(View());
  lines.reserve(static_cast<std::size_t>(all.size()));
  for (std::uint64_t i = 0; i < all.size(); ++i) {
    const View row = all.child(i);
    StatementLine line{text_of(row, "code"), 1, text_of(row, "text")};
    if (const auto count = row.find("count"); count && !count->is_null())
      line.count = count->as_uint64();
    if (const std::size_t kind = row_kind(line.code); kind != row_kinds) {
      if (line.count > totals[kind] - done[kind])
        throw Error(Status::invalid,
                    "there are only " + std::to_string(totals[kind]) + " rows of " + line.code)
            .detail("obj.bad_statement")
            .path("$.statements[" + std::to_string(i) + "]");
      done[kind] += line.count;
      if (line.count == 0) continue;
      // What two entries say, one says as well.
      if (!lines.empty() && lines.back().code == line.code) {
        lines.back().count += line.count;
        continue;
      }
    }
    lines.push_back(std::move(line));
  }
  for (std::size_t kind = 0; kind < row_kinds; ++kind) {
    if (done[kind] == totals[kind]) continue;
    const std::uint64_t left = totals[kind] - done[kind];
    if (!lines.empty() && lines.back().code == row_codes[kind])
      lines.back().count += left;
    else
      lines.push_back({std::string(row_codes[kind]), left, {}});
  }
  return lines;
}

std::vector<HeaderLine> header_lines(const std::vector<StatementLine>& statements) {
  std::vector<HeaderLine> lines;
  bool counting = false;
  for (std::size_t i = 0; i < statements.size();) {
    const StatementLine& statement = statements[i];
    if (is_counted(statement)) {
      const Repeated repeated = repeated_at(statements, i);
      if (!counting || repeated.times > 1 || lines.back().text.size() > long_line)
        lines.push_back({true, std::string(rows_line)});
      for (std::size_t k = 0; k < repeated.period; ++k)
        lines.back().text.append(" ").append(counted_text(statements[i + k]));
      if (repeated.times > 1)
        lines.back()
            .text.append(" ")
            .append(times_word)
            .append(" ")
            .append(std::to_string(repeated.times));
      counting = repeated.times == 1;
      i += repeated.period * repeated.times;
      continue;
    }
    counting = false;
    ++i;
    HeaderLine line;
    if (statement.code == "#" && plain_comment(statement.text, line)) {
      lines.push_back(std::move(line));
      continue;
    }
    line = {true, std::string(text_line) + " " + statement.code};
    if (!statement.text.empty()) line.text.append(" ").append(statement.text);
    lines.push_back(std::move(line));
  }
  return lines;
}

namespace {

// The counts of a line, as often as it says; false for a line that cannot be read, or for more than
// `left` rows, which are counted down.
bool read_counts(std::string_view text, std::uint64_t& left, std::vector<StatementLine>& to) {
  const std::size_t first = to.size();
  while (!text.empty()) {
    const std::string_view code = take_word(text);
    const std::string_view digits = take_word(text);
    std::uint64_t count = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), count);
    if (read.ec != std::errc() || read.ptr != digits.data() + digits.size() || count == 0)
      return false;
    if (code == times_word) {
      std::uint64_t rows = 0;
      for (std::size_t i = first; i < to.size(); ++i) rows += to[i].code.empty() ? 0 : to[i].count;
      if (!text.empty() || rows == 0 || count - 1 > left / rows) return false;
      left -= (count - 1) * rows;
      const std::size_t period = to.size() - first;
      to.reserve(first + period * static_cast<std::size_t>(count));
      for (std::size_t i = period; i < period * count; ++i) to.push_back(to[first + i - period]);
      return true;
    }
    if (code == blank_lines) {
      to.push_back({{}, count, {}});
      continue;
    }
    if (row_kind(code) == row_kinds || count > left) return false;
    left -= count;
    to.push_back({std::string(code), count, {}});
  }
  return true;
}

}  // namespace

std::optional<std::vector<StatementLine>> statements_of(const std::vector<HeaderLine>& lines,
                                                        std::uint64_t rows) {
  std::vector<StatementLine> statements;
  for (const HeaderLine& line : lines) {
    std::string_view text = line.text;
    if (!line.info) {
      if (!text.starts_with(texture_line)) statements.push_back({"#", 1, " " + line.text});
    } else if (starts_with_word(text, text_line)) {
      take_word(text);
      const std::string_view code = take_word(text);
      if (code.empty() || row_kind(code) != row_kinds) return std::nullopt;
      statements.push_back({std::string(code), 1, std::string(text)});
    } else if (starts_with_word(text, rows_line)) {
      take_word(text);
      if (!read_counts(text, rows, statements)) return std::nullopt;
    } else if (!starts_with_word(text, colors_line)) {
      statements.push_back({"#", 1, " obj_info " + line.text});
    }
  }
  return statements;
}

std::vector<HeaderLine> lines_of(const View& root) {
  std::vector<HeaderLine> lines;
  std::string scratch;
  if (const auto element = root.find("obj_statements"); element && element->is_list()) {
    std::string text;
    for (std::uint64_t i = 0; i < element->size(); ++i) {
      const auto byte = element->child(i).find("byte");
      if (!byte || !byte->is_integer()) return {};
      const std::int64_t c = byte->as_int64();
      if (c != '\n') {
        text.push_back(static_cast<char>(c));
        continue;
      }
      std::string_view left = text;
      const bool info = take_word(left) == "obj_info";
      lines.push_back({info, std::string(left)});
      text.clear();
    }
  }
  const polycodec_node* metadata = root.metadata();
  const auto comments = metadata != nullptr ? View(metadata).find("comments") : std::nullopt;
  if (!comments || !comments->is_list()) return lines;
  for (std::uint64_t i = 0; i < comments->size(); ++i) {
    const auto text = comments->child(i).find("text");
    const auto keyword = comments->child(i).find("keyword");
    if (!text || text->kind() != POLYCODEC_KIND_STRING) continue;
    const bool info = keyword && keyword->kind() == POLYCODEC_KIND_STRING &&
                      keyword->as_string(scratch) == "obj_info";
    lines.push_back({info, std::string(text->as_string(scratch))});
  }
  return lines;
}

polycodec_node comments_node(const std::vector<HeaderLine>& lines, Builder& out) {
  polycodec_node* nodes;
  const polycodec_node list = out.list(lines.size(), &nodes);
  for (const HeaderLine& line : lines)
    *nodes++ = out.object({{"after", Builder::unsigned_integer(2)},
                           {"keyword", out.string_copy(line.info ? "obj_info" : "comment")},
                           {"text", text_node(out, line.text)}});
  return list;
}

}  // namespace polycodec::mesh::detail
