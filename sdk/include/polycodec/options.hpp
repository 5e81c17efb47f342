// SPDX-License-Identifier: MIT
// The options of a codec, filter or store.
#pragma once

#include <polycodec/view.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace polycodec {

/// The options that the host parsed and checked against the schema of the manifest. They need not
/// outlive the call that gets them: copy what you keep.
class Options {
 public:
  /// `node`: an OBJECT, or NULL for the defaults.
  explicit Options(const polycodec_node* node = nullptr) noexcept
      : options_(node == nullptr ? View() : View(node)) {}

  /// The option, or nothing if it was not given (or given as null).
  std::optional<View> find(std::string_view name) const {
    const auto found = options_.find(name);
    return found && !found->is_null() ? found : std::nullopt;
  }
  /// The option, or `fallback` if it was not given. Throws Status::option for another type.
  bool get(std::string_view name, bool fallback) const {
    return read(name, fallback, [](View v) { return v.as_bool(); });
  }
  std::int64_t get(std::string_view name, std::int64_t fallback) const {
    return read(name, fallback, [](View v) { return v.as_int64(); });
  }
  double get(std::string_view name, double fallback) const {
    return read(name, fallback, [](View v) { return v.as_double(); });
  }
  std::string get(std::string_view name, std::string_view fallback) const {
    return read(name, std::string(fallback), [](View v) { return std::string(v.as_string()); });
  }
  std::string get(std::string_view name, const char* fallback) const {
    return get(name, std::string_view(fallback));
  }
  /// The value of the word that was given, one of `choices`; the first is the default:
  /// `choice<Style>("style", {{"plain", Style::plain}, {"rich", Style::rich}})`.
  template <class T>
  struct Choice {
    std::string_view word;
    T value;
  };
  template <class T, std::size_t N>
  T choice(std::string_view name, const Choice<T> (&choices)[N]) const {
    const auto option = find(name);
    if (!option) return choices[0].value;
    std::string words;
    for (const auto& c : choices) {
      if (option->is_string() && option->as_string() == c.word) return c.value;
      words.append(words.empty() ? "'" : ", '").append(c.word).append("'");
    }
    throw Error(Status::option, "bad option '" + std::string(name) + "': must be one of " + words);
  }

 private:
  template <class T, class Read>
  T read(std::string_view name, T fallback, Read convert) const {
    const auto option = find(name);
    if (!option) return fallback;
    try {
      return convert(*option);
    } catch (const Error& e) {
      throw Error(Status::option, "bad option '" + std::string(name) + "': " + e.message());
    }
  }
  View options_;
};

}  // namespace polycodec
