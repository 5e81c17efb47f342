// SPDX-License-Identifier: MIT
// Every kernel of the index against a reader that looks at one character after another.
#include <base/json_index.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec {
namespace {

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}
bool is_separator(char c) {
  return c == ',' || c == ':';
}
bool needs_look(char c) {
  return c == '\\' || static_cast<signed char>(c) < 0x20;
}

std::vector<std::size_t> reference(std::string_view text) {
  std::vector<std::size_t> places;
  bool in_string = false;
  bool escaped = false;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    const char c = text[i];
    const char before = i == 0 ? ' ' : text[i - 1];
    const bool is_quote = c == '"' && !escaped;
    escaped = c == '\\' && !escaped;
    if (is_quote) {
      places.push_back(i);
      in_string = !in_string;
    } else if (in_string) {
      if (needs_look(c) && (i == 0 || !needs_look(before))) places.push_back(i);
    } else if (is_separator(c)) {
      if (is_space(text[i + 1]) || is_separator(text[i + 1])) places.push_back(i);
    } else if (std::string_view("[]{}").find(c) != std::string_view::npos) {
      places.push_back(i);
    } else if (!is_space(c)) {
      const bool behind_quote = before == '"' && !places.empty() && places.back() == i - 1;
      if (i == 0 || behind_quote || is_space(before) || is_separator(before) ||
          std::string_view("[]{}").find(before) != std::string_view::npos)
        places.push_back(i);
    }
  }
  return places;
}

// The last character is only what follows.
void check(const std::string& text) {
  const std::size_t blocks = (text.size() - 1) / 64;
  ASSERT_EQ(text.size(), 64 * blocks + 1);
  const auto copy = std::make_unique<char[]>(text.size());
  text.copy(copy.get(), text.size());
  const auto expected = reference(text);
  for (const CpuLevel level : {CpuLevel::scalar, CpuLevel::avx2, CpuLevel::avx512_vbmi}) {
    if (!cpu_has(level)) continue;
    std::vector<JsonIndex::Place> found(64 * blocks + 64);
    found.resize(detail::json_places_at(level, copy.get(), blocks, found.data()));
    ASSERT_EQ(std::vector<std::size_t>(found.begin(), found.end()), expected)
        << static_cast<int>(level) << ' ' << text;
  }
}

#if defined(__x86_64__)
TEST(JsonIndex, RandomCharacters) {
  std::mt19937_64 random(1);
  constexpr std::string_view all[] = {"\"\\", "\"\\\\\\ab", "[]{},: \n1a\"",
                                      "\",:[]{} \t\n\r\\\x01\x0c\x1a\x7f\x80\xff-0e.t"};
  for (int round = 0; round < 40000; ++round) {
    const std::string_view letters = all[random() % std::size(all)];
    std::string text(64 * (1 + random() % 5) + 1, ' ');
    for (char& c : text) c = letters[random() % letters.size()];
    check(text);
  }
}

TEST(JsonIndex, EveryPairOfBytesAtABorder) {
  for (const std::size_t at : {0u, 15u, 31u, 63u})
    for (unsigned a = 0; a < 256; ++a)
      for (unsigned b = 0; b < 256; b += at == 63 ? 1 : 7) {
        std::string text(129, 'x');
        text[at] = static_cast<char>(a);
        text[at + 1] = static_cast<char>(b);
        check(text);
      }
}

TEST(JsonIndex, SeeksInOrder) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "[\"abc\", " + std::to_string(i) + "],";
  const char* const end = text.data() + text.size();
  JsonIndex index;
  std::size_t found = 0;
  for (std::size_t at = 0; at != text.npos && index.seek(text.data() + at, end);
       at = text.find('[', at + 1), ++found) {
    ASSERT_EQ(index.base() + *index.next(), text.data() + at);
    ASSERT_EQ(index.base()[index.next()[1]], '"');
  }
  EXPECT_GT(found, 4900u);
  // Little text, or few tokens.
  EXPECT_FALSE(index.seek(end - 100, end));
  const std::string sparse(100000, 'x');
  index.forget();
  EXPECT_FALSE(index.seek(sparse.data(), sparse.data() + sparse.size()));
}
#endif

}  // namespace
}  // namespace polycodec
