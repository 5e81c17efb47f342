// SPDX-License-Identifier: MIT
#include "registry/document/json_schema.hpp"

#include <polycodec/quote.hpp>

#include "core/text/text.hpp"
#include "core/value/value.hpp"

#include <regex.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>
#include <utility>

namespace polycodec {
namespace {

struct TypeWord {
  std::string_view word, phrase;
};
constexpr std::array<TypeWord, 7> type_words = {{{"null", "null"},
                                                 {"boolean", "true or false"},
                                                 {"integer", "an integer"},
                                                 {"number", "a number"},
                                                 {"string", "a string"},
                                                 {"array", "a list"},
                                                 {"object", "an object"}}};

bool has_type(NodeView value, std::string_view type) {
  if (type == "null") return value.is_null();
  if (type == "boolean") return value.kind() == POLYCODEC_KIND_BOOLEAN;
  if (type == "integer") return value.is_integer();
  if (type == "number") return value.is_number();
  if (type == "string") return value.is_string();
  if (type == "array") return value.is_list();
  return value.is_object();
}

std::string kind_text(NodeView value) {
  if (value.kind() == POLYCODEC_KIND_BOOLEAN) return "a boolean";
  for (const TypeWord& type : type_words)
    if (has_type(value, type.word)) return std::string(type.phrase);
  return std::string(kind_name(value.kind()));
}

/// A string such as "4 GiB".
bool starts_with_digit(NodeView value) {
  if (!value.is_string() || value.as_string().empty()) return false;
  return value.as_string()[0] >= '0' && value.as_string()[0] <= '9';
}

/// A word or a list of words.
std::vector<std::string_view> words_of(NodeView words) {
  if (words.is_string()) return {words.as_string()};
  std::vector<std::string_view> all;
  for (std::uint64_t i = 0; i < words.size(); ++i) all.push_back(words[i].as_string());
  return all;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  return text;
}

/// A value in a message.
std::string shown(NodeView value) {
  if (value.is_string()) return quote(value.as_string());
  const bool finite = value.kind() != POLYCODEC_KIND_FLOAT || std::isfinite(value.as_double());
  return value.is_number() && finite ? to_json(value) : kind_text(value);
}

/// Calls `use` with the number in its own C++ type.
template <class Use>
auto with_number(NodeView v, Use use) {
  if (v.kind() == POLYCODEC_KIND_SIGNED) return use(v.as_int64());
  return v.kind() == POLYCODEC_KIND_UNSIGNED ? use(v.as_uint64()) : use(v.as_double());
}

bool is_less(NodeView a, NodeView b) {
  return with_number(a, [&](auto x) {
    return with_number(b, [&](auto y) {
      if constexpr (std::is_integral_v<decltype(x)> && std::is_integral_v<decltype(y)>)
        return std::cmp_less(x, y);
      else
        return static_cast<double>(x) < static_cast<double>(y);
    });
  });
}

bool matches_pattern(std::string_view text, std::string_view pattern) {
  regex_t compiled;
  if (::regcomp(&compiled, std::string(pattern).c_str(), REG_EXTENDED | REG_NOSUB) != 0)
    return true;
  const int found = ::regexec(&compiled, std::string(text).c_str(), 0, nullptr, 0);
  ::regfree(&compiled);
  return found == 0;
}

class Checker {
 public:
  Checker(NodeView root, std::vector<SchemaProblem>& problems, std::size_t most)
      : root_(root), problems_(problems), most_(most) {}

  void check(NodeView schema, NodeView value) {
    if (errors_ >= most_) return;
    if (const auto reference = schema.find("$ref"))
      schema = root_.at("definitions")
                   .at(reference->as_string().substr(std::string_view("#/definitions/").size()));
    if (!check_type(schema, value)) return;
    if (const auto choices = schema.find("enum")) check_choice(*choices, value);
    if (value.is_number()) check_number(schema, value);
    if (value.is_string()) {
      check_size(schema, value.size(), "minLength", "maxLength", " bytes");
      const auto pattern = schema.find("pattern");
      if (pattern && !matches_pattern(value.as_string(), pattern->as_string()))
        report("must be " + expected(schema, *pattern) + ", not " + shown(value));
    }
    if (value.is_list()) {
      check_size(schema, value.size(), "minItems", "maxItems", " items");
      if (const auto items = schema.find("items"))
        for (std::uint64_t i = 0; i < value.size(); ++i) below(std::to_string(i), *items, value[i]);
    }
    if (value.is_object()) check_members(schema, value);
  }

 private:
  void report(std::string what, bool unknown = false) {
    if (errors_++ < most_) problems_.push_back({path_, std::move(what), unknown});
  }
  void report_at(std::string_view key, std::string what, bool unknown = false) {
    path_.emplace_back(key);
    report(std::move(what), unknown);
    path_.pop_back();
  }
  void below(std::string part, NodeView schema, NodeView value) {
    path_.push_back(std::move(part));
    check(schema, value);
    path_.pop_back();
  }

  bool check_type(NodeView schema, NodeView value) {
    const auto types = schema.find("type");
    if (!types) return true;
    std::vector<std::string> wanted;
    bool wants_number = false;
    for (const std::string_view type : words_of(*types)) {
      if (has_type(value, type)) return true;
      wanted.emplace_back(std::ranges::find(type_words, type, &TypeWord::word)->phrase);
      wants_number = wants_number || type == "integer" || type == "number";
    }
    report("must be " + joined(wanted) + ", not " + kind_text(value) +
           (wants_number && starts_with_digit(value)
                ? ": write the number alone, without quotes and unit"
                : ""));
    return false;
  }

  void check_choice(NodeView choices, NodeView value) {
    CompareOptions by_value;
    by_value.numbers_by_value = true;
    std::vector<std::string> texts, names;
    for (std::uint64_t i = 0; i < choices.size(); ++i) {
      if (equal(choices[i], value, by_value)) return;
      texts.push_back(shown(choices[i]));
      if (choices[i].is_string()) names.emplace_back(choices[i].as_string());
    }
    report("must be " + joined(texts) + ", not " + shown(value) +
           (value.is_string() ? did_you_mean(value.as_string(), names) : std::string()));
  }

  void check_number(NodeView schema, NodeView value) {
    if (const auto least = schema.find("minimum"); least && is_less(value, *least))
      report("must be at least " + shown(*least) + ", not " + shown(value));
    if (const auto most = schema.find("maximum"); most && is_less(*most, value))
      report("must be at most " + shown(*most) + ", not " + shown(value));
  }

  void check_size(NodeView schema, std::uint64_t size, const char* least, const char* most,
                  const char* unit) {
    if (const auto at = schema.find(least); at && size < at->as_uint64())
      report("must have at least " + shown(*at) + unit);
    if (const auto at = schema.find(most); at && size > at->as_uint64())
      report("must have at most " + shown(*at) + unit);
  }

  void check_members(NodeView schema, NodeView value) {
    const NodeView properties = object_at(schema, "properties");
    const auto others = schema.find("additionalProperties");
    for (std::uint64_t i = 0; i < value.size(); ++i) {
      const std::string_view key = value.key(i).as_string();
      if (const auto member = properties.find(key))
        below(std::string(key), *member, value.value(i));
      else if (others && others->is_object())
        below(std::string(key), *others, value.value(i));
      else if (others && !others->as_bool())
        report_unknown(key, properties);
    }
    const NodeView required = list_at(schema, "required");
    for (std::uint64_t i = 0; i < required.size(); ++i)
      if (const auto key = required[i].as_string(); !value.find(key)) report_at(key, "is missing");
  }

  void report_unknown(std::string_view key, NodeView properties) {
    std::vector<std::string> names;
    for (std::uint64_t i = 0; i < properties.size(); ++i)
      names.emplace_back(properties.key(i).as_string());
    report_at(key,
              did_you_mean(key, names) +
                  (names.empty() ? "; there are none" : "; known are " + joined(names)),
              true);
  }

  static std::string expected(NodeView schema, NodeView pattern) {
    const auto title = schema.find("title");
    return std::string(title ? title->as_string() : pattern.as_string());
  }

  NodeView root_;
  std::vector<SchemaProblem>& problems_;
  std::size_t most_, errors_ = 0;
  JsonPath path_;
};

}  // namespace

std::string SchemaProblem::describe() const {
  const std::string name = path.empty() ? "the document" : path_text(path);
  return unknown ? "unknown key " + name + what : name + " " + what;
}

std::vector<SchemaProblem> schema_problems(NodeView schema, NodeView value, std::size_t most) {
  std::vector<SchemaProblem> problems;
  Checker(schema, problems, most).check(schema, value);
  return problems;
}

void check_options_schema(const JsonDocument& document, NodeView schema, const JsonPath& path) {
  if (const auto types = schema.find("type")) {
    const auto words = words_of(*types);
    if (words.empty()) document.fail(path / "type", "'type' must name at least one type");
    for (const std::string_view word : words)
      if (std::ranges::find(type_words, word, &TypeWord::word) == type_words.end()) {
        std::vector<std::string> known;
        for (const TypeWord& type : type_words) known.emplace_back(type.word);
        document.fail(path / "type", "unknown type " + quote(word) + did_you_mean(word, known));
      }
  }
  if (const auto items = schema.find("items"))
    check_options_schema(document, *items, path / "items");
  const NodeView properties = object_at(schema, "properties");
  for (std::uint64_t i = 0; i < properties.size(); ++i)
    check_options_schema(document, properties.value(i),
                         path / "properties" / properties.key(i).as_string());
  if (const auto value = schema.find("default")) {
    if (const auto problems = schema_problems(schema, *value, 1); !problems.empty())
      document.fail(path / "default",
                    "the default does not fit its schema: " + problems[0].describe());
  }
  const NodeView lifts = object_at(schema, "lifts");
  for (std::uint64_t i = 0; i < lifts.size(); ++i)
    if (const auto problems = schema_problems(schema, lifts.value(i), 1); !problems.empty())
      document.fail(path / "lifts" / lifts.key(i).as_string(),
                    "the value does not fit the option: " + problems[0].describe());
}

}  // namespace polycodec
