// SPDX-License-Identifier: MIT
// Words that may be numbers, in all formats of text that have such words: what each is read as is
// what a table says that was made without the library, from regular expressions and strtod().

#include "sanitized.hpp"
#include "shipped.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace polycodec::test {
namespace {

using Number = std::optional<double>;  // nothing: the word is refused

/// What a word is read as by default, and by a tolerant reader.
struct Wanted {
  Number usual, tolerant;
};

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

// What no digits say.
const std::map<std::string, double>& specials() {
  static const std::map<std::string, double> all{{"nan", nan},
                                                 {"NaN", nan},
                                                 {"inf", infinity},
                                                 {"INF", infinity},
                                                 {"infinity", infinity},
                                                 {"Infinity", infinity},
                                                 {"nan(ind)", nan},
                                                 {"nan(snan)", nan},
                                                 {"nan()", nan},
                                                 {"NAN(0x8_0)", nan},
                                                 {"1.#INF", infinity},
                                                 {"1.#inf", infinity},
                                                 {"1.#INF00", infinity},
                                                 {"1.#IND", nan},
                                                 {"1.#IND00", nan},
                                                 {"1.#QNAN", nan},
                                                 {"1.#QNAN0", nan},
                                                 {"1.#SNAN", nan},
                                                 {"1.#INF00e+000", infinity},
                                                 {"1.#IND00e+000", nan}};
  return all;
}

double read(const std::string& text) {
  return std::strtod(text.c_str(), nullptr);
}

Number usual(const std::string& word) {
  static const std::regex decimal(R"([+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?)");
  if (std::regex_match(word, decimal)) return read(word);
  const bool has_sign = word[0] == '+' || word[0] == '-';
  const auto found = specials().find(word.substr(has_sign ? 1 : 0));
  if (found == specials().end()) return {};
  return word[0] == '-' ? -found->second : found->second;
}

Number tolerant(std::string word) {
  static const std::regex comma(R"([+-]?[0-9]*,[0-9]*([^0-9.,].*)?)");
  static const std::regex thousands(R"([+-]?[1-9][0-9]*,[0-9]{3}([^0-9].*)?)");
  static const std::regex fortran(R"(([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+))[dD]([+-]?[0-9]+))");
  static const std::regex no_letter(R"(([+-]?(?:[0-9]+\.[0-9]*|\.[0-9]+))([+-][0-9]+))");
  static const std::regex swapped(R"(([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+))([+-])[eE]([0-9]+))");
  static const std::regex hexadecimal(
      R"([+-]?0[xX][0-9a-fA-F]+(\.[0-9a-fA-F]*)?([pP][+-]?[0-9]+)?)");
  if (const Number known = usual(word)) return known;
  if (std::regex_match(word, hexadecimal)) return read(word);
  if (word.find_first_of("0123456789") == std::string::npos) return nan;
  if (std::regex_match(word, comma) && !std::regex_match(word, thousands))
    word[word.find(',')] = '.';
  std::smatch parts;
  if (std::regex_match(word, parts, fortran)) return read(parts.str(1) + "e" + parts.str(2));
  if (std::regex_match(word, parts, swapped))
    return read(parts.str(1) + "e" + parts.str(2) + parts.str(3));
  if (std::regex_match(word, parts, no_letter)) return read(parts.str(1) + "e" + parts.str(2));
  return usual(word);
}

/// Words made of parts that numbers have, and of others.
std::map<std::string, Wanted> words() {
  std::set<std::string> all;
  std::vector<std::string> bodies{"0x1p3", "0x1.8p-1", "0x1g", "x", "null", "?", "1:2", "NA"};
  for (const char* mantissa : {"",          "0",       "1",    "12",    "007",
                               "1.",        "1.5",     ".5",   ".",     "0,5",
                               "1,5",       "1,",      ",5",   "1,500", "0,500",
                               "1,234,567", "1.234,5", "1..2", "1_000", "12345678901234567890.5"})
    for (const char* exponent : {"", "e2", "E+02", "e-3", "e", "e+", "d2", "D+03", "D-1", "d", "q2",
                                 "+103", "-e2", "+e2", "e400", "e2.5"})
      bodies.push_back(std::string(mantissa) + exponent);
  for (const auto& [special, value] : specials()) bodies.push_back(special);
  for (const char* special :
       {"nan(", "nan(a b)", "nan(-)", "nanx", "infi", "infinit", "1.#IN", "1.#J", "1.#R", "1.#INFx",
        "1.#INF00e", "1#INF", "2.#INF", "1.#", "1.#nan"})
    bodies.push_back(special);
  for (const std::string& body : bodies)
    for (const char* sign : {"", "+", "-", "+-"})
      for (const char* rest : {"", "#", "#IND00", "_000", ",5", "x"})
        all.insert(sign + body + rest);
  std::map<std::string, Wanted> table;
  for (const std::string& word : all)
    if (!word.empty() && word[0] != '#' && word.find(' ') == std::string::npos)
      table[word] = {usual(word), tolerant(word)};
  return table;
}

/// A format with one number in it.
struct Format {
  std::string codec, before, after, list, name, detail;
};

double number_of(const Format& format, const Value& value) {
  View at = value.view()[format.list].child(0)[format.name];
  while (at.is_list()) at = at.child(0);
  return at.as_double();
}

bool is_same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) ||
         std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

void check(const Format& format, const Codec& codec, const std::string& word, const Wanted& by_rule,
           bool is_tolerant, std::vector<std::string>& wrong) {
  const Number& wanted = is_tolerant ? by_rule.tolerant : by_rule.usual;
  Losses losses;
  std::string found;
  try {
    const Value value = decode(codec, format.before + word + format.after, losses);
    const double number = number_of(format, value);
    if (wanted && is_same(number, *wanted)) {
      // A word that is not a usual number is reported, with what it was read as.
      const bool is_reported =
          !losses.all.empty() && losses.all[0].find("read as") != std::string::npos;
      if (by_rule.usual ? losses.all.empty() : is_reported) return;
      found = "losses: " + (losses.all.empty() ? "none" : losses.all[0]);
    } else {
      found = std::to_string(number);
    }
  } catch (const Error& error) {
    if (!wanted && error.detail() == format.detail) return;
    found = error.describe();
  }
  wrong.push_back(format.codec + (is_tolerant ? " (tolerant)" : "") + ": " + word + " is " + found +
                  ", not " + (wanted ? std::to_string(*wanted) : "refused"));
}

TEST(NumberWords, AreReadAsTheTableSaysInEveryFormat) {
  // The quick way to read a line needs more bytes after it.
  const std::string rest = "\n" + std::string(300, ' ') + "\n";
  const std::string ply =
      "ply\nformat ascii 1.0\nelement v 1\nproperty double x\nproperty double y\nend_header\n";
  const std::string stl = "solid\nfacet normal 0 0 1\nouter loop\nvertex ";
  const std::string triangle = " 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid\n";
  const std::vector<Format> formats{
      {"obj", "v ", " 2 3\n", "v", "x", "obj.bad_number"},
      {"obj", "v ", " 2 3" + rest, "v", "x", "obj.bad_number"},
      {"obj", "vt 0 ", "", "vt", "v", "obj.bad_number"},
      {"ply", ply, " 2\n", "v", "x", "ply.bad_number"},
      {"ply", ply + "2 ", rest, "v", "y", "ply.bad_number"},
      {"stl", stl, triangle, "facets", "vertices", "stl.bad_number"},
  };
  const std::map<std::string, Wanted> table = words();
  EXPECT_GT(table.size(), 5000u);
  std::vector<std::string> wrong;
  for (const Format& format : formats) {
    const Codec strict = shipped(format.codec);
    const Codec mending = shipped(format.codec, {{"tolerant", true}});
    unsigned number = 0, every = 100 / cases_of(100);
    for (const auto& [word, wanted] : table) {
      if (number++ % every != 0) continue;
      check(format, strict, word, wanted, false, wrong);
      check(format, mending, word, wanted, true, wrong);
    }
  }
  for (std::size_t i = 0; i < std::min<std::size_t>(wrong.size(), 20); ++i)
    ADD_FAILURE() << wrong[i];
  EXPECT_EQ(wrong.size(), 0u);
}

TEST(NumberWords, NumbersAreRoundedOnceInEverySpelling) {
  // A little above the middle of two floats.
  for (const char* word : {"1.00000005960464477540", "1,00000005960464477540",
                           "0.100000005960464477540d1", "0.100000005960464477540+e1"}) {
    const Codec codec = shipped("obj", {{"float32", true}, {"tolerant", true}});
    const Value value = decode(codec, "v " + std::string(word) + " 0 0\n", Losses());
    EXPECT_EQ(value.view()["v"].child(0)["x"].as_double(), 1 + 0x1p-23) << word;
  }
}

TEST(NumberWords, IntegersOfPlyAreAnySpellingThatSaysThem) {
  const auto read = [](const std::string& word, bool is_tolerant) -> std::optional<std::int64_t> {
    const std::string file =
        "ply\nformat ascii 1.0\nelement v 1\nproperty uchar x\nend_header\n" + word + "\n";
    try {
      const Value value = decode(shipped("ply", {{"tolerant", is_tolerant}}), file, Losses());
      return value.view()["v"].child(0)["x"].as_int64();
    } catch (const Error&) {
      return {};
    }
  };
  for (const char* word : {"255.0", "2.55e2", "255,0", "0xff", "255."}) {
    EXPECT_EQ(read(word, false), std::nullopt) << word;
    EXPECT_EQ(read(word, true), 255) << word;
  }
  // A number is never replaced by another one, and nothing is made up.
  for (const char* word : {"256", "255.5", "-1", "300.0", "nan", "inf", "x", "-", "1_0", "1e9"}) {
    EXPECT_EQ(read(word, false), std::nullopt) << word;
    EXPECT_EQ(read(word, true), std::nullopt) << word;
  }
}

}  // namespace
}  // namespace polycodec::test
