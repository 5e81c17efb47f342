// SPDX-License-Identifier: MIT
// The type strings that were compared with libdynd: strict mode accepts, prints and refuses as the
// rows say.
#include <model/type/parse.hpp>
#include <model/type/print.hpp>

#include "files.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <random>
#include <string>
#include <vector>

namespace type = polycodec::type;

namespace {

nlohmann::json rows(const std::string& file) {
  return nlohmann::json::parse(
      polycodec::test::read_file(std::string(POLYCODEC_TEST_VECTORS) + "/dynd/" + file));
}

void check(const nlohmann::json& row) {
  const std::string input = row.at("input");
  SCOPED_TRACE(input);
  type::ParseOptions strict;
  strict.strict_dynd = true;
  type::ParseOptions canonical = strict;
  canonical.canonical_only = true;
  if (!row.at("profile_ok").get<bool>()) {
    try {
      const type::Type accepted = type::parse(input, strict);
      ADD_FAILURE() << "accepted as " << type::print(accepted);
    } catch (const polycodec::Error& e) {
      // `type.syntax` is our `type.syntax`.
      const auto name = row.at("profile_error").get<std::string>();
      EXPECT_EQ(e.detail(), "type." + name.substr(name.find('-') + 1)) << e.describe();
      EXPECT_EQ(e.code(), polycodec::Status::malformed);
      EXPECT_LE(e.offset(), input.size());
    }
    return;
  }
  const std::string printed = row.at("profile_printed");
  try {
    const type::Type parsed = type::parse(input, strict);
    EXPECT_EQ(type::print(parsed), printed);
    EXPECT_EQ(type::parse(printed, canonical), parsed);
    EXPECT_EQ(type::parse(printed), parsed) << "the notation with additions reads it differently";
    if (row.contains("profile_concrete")) {
      EXPECT_EQ(parsed.is_concrete(), row.at("profile_concrete").get<bool>());
    }
    if (input != printed) {
      EXPECT_THROW(type::parse(input, canonical), polycodec::Error);
    }
  } catch (const polycodec::Error& e) {
    ADD_FAILURE() << e.describe();
  }
}

}  // namespace

TEST(TypeVectors, AllRows) {
  const auto all = rows("types.json");
  ASSERT_EQ(all.size(), 524u);
  for (const auto& row : all) check(row);
}

TEST(TypeVectors, Deviations) {
  const auto all = rows("type_deviations.json");
  ASSERT_EQ(all.size(), 38u);
  for (const auto& row : all) check(row);
}

// What is accepted prints as text that parses back to the same type, whatever was done to the text
// before.
TEST(TypeVectors, MutatedRowsAreRefusedOrRoundTrip) {
  std::vector<std::string> texts = {"annotated[float64, units='cm', 'a b'=1.5, n=-3]",
                                    "union[int64, map[string, any], indexed[?null]]",
                                    "extension['x.y', datetime[unit='ns']]",
                                    "(A... * T, ..., k: 2**N * timedelta[unit='s'], ...) -> T[U]"};
  for (const auto& row : rows("types.json")) texts.push_back(row.at("input"));
  constexpr std::string_view alphabet = "?*.,:[](){}'\"\\#=-> 0123456789TNxaunfvl\n\t\x80\xc3";
  std::mt19937 random(20240229);
  const auto below = [&random](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  std::size_t accepted = 0;
  for (int round = 0; round < 60000; ++round) {
    std::string text = texts[below(texts.size())];
    for (std::size_t changes = 1 + below(3); changes > 0; --changes) {
      const std::size_t at = below(text.size() + 1);
      const char c = alphabet[below(alphabet.size())];
      const std::size_t how = below(4);
      if (how == 0 || at == text.size())
        text.insert(at, 1, c);
      else if (how == 1)
        text.erase(at, 1);
      else if (how == 2)
        text[at] = c;
      else
        text.insert(at, texts[below(texts.size())]);
    }
    try {
      const type::Type parsed = type::parse(text);
      const std::string printed = type::print(parsed);
      ++accepted;
      ASSERT_EQ(type::parse(printed), parsed) << text;
      ASSERT_EQ(type::print(type::parse(printed)), printed) << text;
    } catch (const polycodec::Error& e) {
      ASSERT_FALSE(e.detail().empty()) << text;
      ASSERT_LE(e.offset(), text.size()) << text;
    }
  }
  EXPECT_GT(accepted, 1000u);
}
