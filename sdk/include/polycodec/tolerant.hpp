// SPDX-License-Identifier: MIT
// Tolerant reading: words that say numbers, and the places of a file that a reader mends. See
// docs/tolerant.md.
#pragma once

#include <polycodec/builder.hpp>
#include <polycodec/call.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polycodec {

/// The option `tolerant` of a codec. Throws Status::option where `strict` is true as well.
bool tolerant_option(const Options& options);

/// Reads a word that says a number, all of it: digits with point and exponent, `inf`, `infinity`,
/// `nan`, and what printf() of some libraries writes for these (docs/tolerant.md). Rounded once to
/// the type of `value`. False for any other word. Independent of the locale. [thread-safe]
bool number_word(std::string_view word, float& value) noexcept;
bool number_word(std::string_view word, double& value) noexcept;
/// The same for an integer: sign and digits.
bool number_word(std::string_view word, std::int64_t& value) noexcept;

/// The same for a tolerant reader, which knows other spellings, too: `1.5D+03`, `1.5+103`,
/// `3.1+e2`, `0,5`, `0x1p3`, and `255.0` for an integer. A word without a digit, such as `x` or
/// `-`, is NaN where the type has it. False for any other word: nobody knows its number.
bool mended_number(std::string_view word, float& value);
bool mended_number(std::string_view word, double& value);
bool mended_number(std::string_view word, std::int64_t& value);

/// Both for other integers, which the number fits.
template <std::integral T>
bool number_word(std::string_view word, T& value) noexcept {
  std::int64_t wide = 0;
  if (!number_word(word, wide) || !std::in_range<T>(wide)) return false;
  value = static_cast<T>(wide);
  return true;
}
template <std::integral T>
bool mended_number(std::string_view word, T& value) {
  std::int64_t wide = 0;
  if (!mended_number(word, wide) || !std::in_range<T>(wide)) return false;
  value = static_cast<T>(wide);
  return true;
}

/// A number as messages show it: the shortest digits that read back.
std::string number_text(double value);

/// The places that were mended in one call. The first ones are kept, the others counted. For one
/// thread.
class MendNotes {
 public:
  static constexpr std::size_t most_shown = 32;

  /// `path` is where in the value; `what` says line, byte, what is wrong, and what it was read as.
  /// `loss` is `mended` where words that are not valid became a value, or none, and `note` where
  /// the values are those that the file says.
  void add(LossClass loss, std::string path, std::string what) {
    count(loss);
    if (shown_.size() < most_shown) shown_.push_back({loss, std::move(path), std::move(what)});
  }
  /// Adds what was noted about a part, whose path in the whole value is `path`.
  void add(const MendNotes& part, const std::string& path);
  /// How much is noted now.
  struct Mark {
    std::uint64_t mended, notes;
    std::size_t shown;
  };
  Mark mark() const noexcept { return {mended_, notes_, shown_.size()}; }
  /// Forgets what was noted after `mark`, because it is read again.
  void rewind(const Mark& mark) {
    mended_ = mark.mended;
    notes_ = mark.notes;
    shown_.resize(mark.shown);
  }
  bool full() const noexcept { return shown_.size() == most_shown; }
  /// Counts a place that is not described any more.
  void count(LossClass loss) noexcept { ++(loss == LossClass::mended ? mended_ : notes_); }

  /// Reports each place that was kept as a loss of its class, and how many others there are.
  void report(const Call& call) const;

 private:
  struct Note {
    LossClass loss;
    std::string path, what;
  };

  std::uint64_t mended_ = 0;
  std::uint64_t notes_ = 0;
  std::vector<Note> shown_;
};

/// JSON text as a tolerant reader takes it: with spaces for a byte order mark, for comments (`//`
/// and `/* */`), for commas before `]` and `}`, and for zero bytes at the end, so that all else
/// stays where it is. Adds a note of each; the text begins at byte `offset` of the file. The text
/// itself where nothing is to be mended, otherwise a copy in the arena of `out`.
std::string_view mended_json(std::string_view text, MendNotes& notes, Builder& out,
                             std::uint64_t offset = 0);

}  // namespace polycodec
