// SPDX-License-Identifier: MIT
// What the messages of errors advise, as each way into the library writes it.
#pragma once

#include <polycodec/error.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace polycodec::detail {

/// The words of a way into the library. Messages of the library have those of host.h: the parameter
/// of a function and its field, or a constant (docs/errors.md lists them).
struct Spelling {
  std::string_view tolerant;    ///< for POLYCODEC_CALL_TOLERANT
  std::string_view lossy;       ///< for call.losses
  std::string_view compare;     ///< for what leaves out POLYCODEC_CALL_COMPARE
  std::string_view from_codec;  ///< for from.codec; NAME is the codec of the error, if it has one
  std::string_view to_codec;    ///< for to.codec
  /// What comes before and after the JSON of from.options, to.options and call.limits, where NAME
  /// is the codec of the error. Without a word for the limits no message advises to raise one.
  std::pair<std::string_view, std::string_view> from, to, limits;
  bool is_python = false;  ///< JSON has the constants of Python
};

/// The end of the JSON object at the start of `text`; 0 if there is none.
inline std::size_t end_of_object(std::string_view text) noexcept {
  std::size_t depth = 0;
  bool is_quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') is_quoted = !is_quoted;
    if (is_quoted && text[i] == '\\') ++i;
    if (is_quoted) continue;
    if (text[i] == '{') ++depth;
    if (text[i] == '}' && --depth == 0) return i + 1;
  }
  return 0;
}

/// Replaces each `word` of `text` by `by`.
inline void replace_all(std::string& text, std::string_view word, std::string_view by) {
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at)) {
    text.replace(at, word.size(), by);
    at += by.size();
  }
}

/// Replaces `word {...}` by the object between the two words.
inline void replace_object(std::string& text, std::string_view word,
                           std::pair<std::string_view, std::string_view> around,
                           const std::string& codec, bool is_python) {
  std::string before(around.first);
  if (!codec.empty()) replace_all(before, "NAME", codec);
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const std::size_t begin = at + word.size();
    const std::size_t size =
        begin < text.size() && text[begin] == '{' ? end_of_object(text.substr(begin)) : 0;
    if (size == 0) continue;
    std::string object = text.substr(begin, size);
    if (is_python) {
      constexpr std::array<std::pair<std::string_view, std::string_view>, 3> words = {
          {{": true", ": True"}, {": false", ": False"}, {": null", ": None"}}};
      for (const auto& [json, python] : words) replace_all(object, json, python);
    }
    text.replace(at, word.size() + size, before + object + std::string(around.second));
  }
}

/// The key of the limits that a message about one names, and its value if it is in parentheses
/// after it.
inline std::pair<std::string_view, std::uint64_t> limit_in(std::string_view message) noexcept {
  constexpr std::array<std::string_view, 8> keys = {
      "max_depth",        "max_input_bytes",  "max_nodes",        "max_elements",
      "max_memory_bytes", "max_output_bytes", "max_header_bytes", "max_work"};
  for (const std::string_view key : keys) {
    const std::size_t at = message.find(key);
    if (at == std::string_view::npos) continue;
    std::uint64_t value = 0;
    std::string_view rest = message.substr(at + key.size());
    if (rest.substr(0, 2) == " (")
      for (rest.remove_prefix(2);
           !rest.empty() && rest[0] >= '0' && rest[0] <= '9' && value < UINT64_MAX / 20;
           rest.remove_prefix(1))
        value = 10 * value + static_cast<std::uint64_t>(rest[0] - '0');
    return {key, value};
  }
  return {};
}

/// The message of an error with the words of a door. An error about a limit ends with how to raise
/// it: to twice its value.
inline std::string spelled(const Error& error, const Spelling& door) {
  std::string text = error.message();
  if (error.code() == Status::limit && !door.limits.first.empty()) {
    const auto [key, value] = limit_in(text);
    const std::string advice = "raise " + std::string(key);
    if (!key.empty() && text.find(advice) == std::string::npos) text += "; " + advice;
    if (!key.empty())
      replace_all(text, advice,
                  advice + " with call.limits {\"" + advice.substr(6) + "\": " +
                      (value == 0 ? std::string("NUMBER") : std::to_string(2 * value)) + "}");
  }
  replace_all(text, "POLYCODEC_CALL_TOLERANT", door.tolerant);
  replace_all(text, "call.losses", door.lossy);
  replace_all(text, "no POLYCODEC_CALL_COMPARE", door.compare);
  std::string from_codec(door.from_codec);
  if (!error.codec().empty()) replace_all(from_codec, "NAME", error.codec());
  replace_all(text, "from.codec", from_codec);
  replace_all(text, "to.codec", door.to_codec);
  replace_object(text, "from.options ", door.from, error.codec(), door.is_python);
  replace_object(text, "to.options ", door.to, error.codec(), door.is_python);
  replace_object(text, "call.limits ", door.limits, error.codec(), door.is_python);
  return text;
}

}  // namespace polycodec::detail
