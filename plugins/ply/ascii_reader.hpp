// SPDX-License-Identifier: MIT
// Rows of ascii bodies: numbers separated by spaces and newlines.
#pragma once

#include <base/decimal.hpp>
#include <polycodec/quote.hpp>
#include <polycodec/tolerant.hpp>

#include "ascii_columns.hpp"
#include "ascii_lines.hpp"
#include "ascii_text.hpp"
#include "decode.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace polycodec::ply {

/// Reads the rows of one element into columns.
class AsciiReader {
 public:
  AsciiReader(const Decoding& decoding, const Element& element, const Chosen& chosen,
              std::uint64_t offset)
      : d_(decoding),
        element_(element),
        chosen_(chosen),
        begin_(decoding.file.data()),
        at_(begin_ + offset),
        end_(begin_ + decoding.file.size()),
        columns_(element, chosen, decoding.out) {}

  /// Makes room for the element; throws if the file is too short for it.
  void begin() {
    // A number takes a digit and a separator at least; the very last one of the file may lack the
    // separator.
    if (!d_.has_room(element_, 2 * element_.properties.size(), left() + 1, offset()))
      d_.settings.strict ? find_end<true>() : find_end<false>();
    columns_.reserve_numbers();
  }
  /// Reads the rows from `row` on, which begins here; with `stop`: those that begin before it.
  /// Returns the number of the next one.
  std::uint64_t read(const Call& call, std::uint64_t row, const char* stop = nullptr) {
    return d_.settings.strict ? rows<true>(call, row, stop) : rows<false>(call, row, stop);
  }
  /// Reads all rows, of which each is one line, and which are rows of `whole` from `row` on. Throws
  /// if there is anything else.
  void read_lines(AsciiReader& whole, std::uint64_t row) {
    columns_.use_numbers_of(whole.columns_, row);
    static_cast<void>(rows<true>(d_.call, 0, nullptr));
    if (at_ != end_)
      fail(Status::malformed, "ply.bad_row", "the lines are not rows", at_, element_.count, 0);
  }

  const char* position() const noexcept { return at_; }
  void move_to(const char* position) noexcept { at_ = position; }
  void skip_spaces() noexcept {
    while (at_ != end_ && is_space(*at_)) ++at_;
  }
  AsciiColumns& columns() noexcept { return columns_; }
  std::uint64_t left() const noexcept { return static_cast<std::uint64_t>(end_ - at_); }
  std::uint64_t offset() const noexcept { return static_cast<std::uint64_t>(at_ - begin_); }

 private:
  [[noreturn, gnu::noinline]] void fail(Status status, const char* detail,
                                        const std::string& message, const char* at,
                                        std::uint64_t row, std::size_t property) const {
    d_.fail(
        status, detail, message,
        {static_cast<std::uint64_t>(at - begin_), &element_, row, &element_.properties[property]});
  }

  [[noreturn, gnu::noinline]] void ended(std::uint64_t row, std::size_t property) const {
    fail(Status::truncated, "ply.truncated",
         "the file ends, but " + std::to_string(d_.declared) + " rows were declared", end_, row,
         property);
  }

  // The text of the number at `at`, for messages.
  std::string word_at(const char* at) const {
    std::string text = "'";
    for (; at != end_ && !is_space(*at) && text.size() < 40; ++at)
      text += static_cast<unsigned char>(*at - 0x20) < 0x5f ? *at : '?';
    return text + "'";
  }

  // Positions go from function to function by value, so that they stay in registers.
  template <bool Strict>
  const char* skip(const char* at, std::uint64_t row, std::size_t property) const {
    if constexpr (Strict) {
      while (at != end_ && (*at == ' ' || *at == '\t')) ++at;
      if (at != end_ && is_space(*at))
        fail(Status::malformed, "ply.bad_row", "the line is shorter than the row", at, row,
             property);
    } else {
      while (at != end_ && is_space(*at)) ++at;
    }
    if (at == end_) [[unlikely]]
      ended(row, property);
    return at;
  }

  template <class T>
  const char* number(const char* at, T& value, std::uint64_t row, std::size_t property) const {
    const DecimalEnd read = parse_decimal(at, end_, value);
    if (read.status != DecimalStatus::ok || (read.end != end_ && !is_space(*read.end))) [[unlikely]]
      return unusual(at, read, value, row, property);
    return read.end;
  }

  // The end of a word that is not digits, such as `-1.#IND00`; a tolerant reader knows more of
  // them.
  template <class T>
  [[gnu::noinline]] const char* unusual(const char* at, const DecimalEnd& read, T& value,
                                        std::uint64_t row, std::size_t property) const {
    const char* const end = word_end(at, end_);
    const std::string_view word(at, static_cast<std::size_t>(end - at));
    if (number_word(word, value)) return end;
    d_.call.tick(mend_units);
    if (!d_.settings.tolerant || !mended_number(word, value))
      bad_number(at, read, std::is_integral_v<T>, row, property);
    note(LossClass::mended,
         word_at(at) + " is not a valid " + std::string(element_.properties[property].type_word) +
             "; read as " + number_text(static_cast<double>(value)),
         at, row, property);
    return end;
  }

  void note(LossClass loss, const std::string& message, const char* at, std::uint64_t row,
            std::size_t property) const {
    d_.note(
        loss, message,
        {static_cast<std::uint64_t>(at - begin_), &element_, row, &element_.properties[property]});
  }

  [[noreturn, gnu::noinline]] void bad_number(const char* at, const DecimalEnd& read,
                                              bool is_integer, std::uint64_t row,
                                              std::size_t property) const {
    const bool whole_word = read.end == end_ || is_space(*read.end);
    const std::string type(element_.properties[property].type_word);
    if (read.status == DecimalStatus::out_of_range && whole_word)
      fail(Status::range, "ply.out_of_range", word_at(at) + " does not fit in " + type, at, row,
           property);
    fail(Status::malformed, "ply.bad_number",
         word_at(at) + (is_integer ? " is not an integer" : " is not a number"), at, row, property);
  }

  // The length of the list at at_, which is moved after it: no more items than the file can hold.
  [[gnu::always_inline]] std::uint64_t length(std::uint64_t row, std::size_t property) {
    const Property& p = element_.properties[property];
    const char* const start = at_;
    std::int64_t length = 0;
    DecimalEnd read = parse_decimal(at_, end_, length);
    if (read.status == DecimalStatus::not_a_number || (read.end != end_ && !is_space(*read.end)))
        [[unlikely]]
      read = unusual_length(start, length, row, property);
    if (read.status == DecimalStatus::not_a_number) [[unlikely]]
      fail(Status::malformed, "ply.bad_number", word_at(start) + " is not a list length", start,
           row, property);
    const std::int64_t most = greatest_length(p);
    if (read.status != DecimalStatus::ok || length < 0 || length > most) [[unlikely]]
      fail(Status::malformed, "ply.bad_list_count",
           "invalid list length " + word_at(start) + ": must fit in " + std::string(p.count_word) +
               " (0 to " + std::to_string(most) + ")",
           start, row, property);
    at_ = read.end;
    const auto items = static_cast<std::uint64_t>(length);
    if (items > (left() + 1) / 2) [[unlikely]]
      fail(Status::truncated, "ply.truncated",
           "a list of " + std::to_string(items) + " items does not fit in the " +
               std::to_string(left()) + " bytes that are left",
           start, row, property);
    return items;
  }

  // A length such as `3.0`, for a tolerant reader.
  [[gnu::noinline]] DecimalEnd unusual_length(const char* at, std::int64_t& length,
                                              std::uint64_t row, std::size_t property) const {
    const char* const end = word_end(at, end_);
    const std::string_view word(at, static_cast<std::size_t>(end - at));
    d_.call.tick(mend_units);
    if (!d_.settings.tolerant || !mended_number(word, length))
      return {at, DecimalStatus::not_a_number};
    note(LossClass::mended,
         word_at(at) + " is not a valid " + std::string(element_.properties[property].count_word) +
             "; read as " + std::to_string(length),
         at, row, property);
    return {end, DecimalStatus::ok};
  }

  template <bool Strict>
  void list(std::uint64_t row, std::size_t property) {
    const Property& p = element_.properties[property];
    const std::uint64_t items = length(row, property);
    AsciiColumn& c = columns_[property];
    if (items > c.capacity - c.used) [[unlikely]]
      columns_.make_room(property, row, 1, items, (left() + 1) / 2);
    if (c.offsets == nullptr && items != c.length) [[unlikely]]
      columns_.become_ragged(property, row, items);
    with_type(p.dtype, [&](auto type) {
      using T = decltype(type);
      auto* const to = reinterpret_cast<T*>(c.data) + c.used;
      const char* at = at_;
      for (std::uint64_t i = 0; i < items; ++i)
        at = number(skip<Strict>(at, row, property), to[i], row, property);
      at_ = at;
    });
    c.used += items;
    if (c.offsets != nullptr) c.offsets[row + 1] = c.used;
  }

  // Passes `count` numbers that nobody wants.
  template <bool Strict>
  const char* pass(const char* at, std::uint64_t count, std::uint64_t row,
                   std::size_t property) const {
    for (; count != 0; --count) at = word_end(skip<Strict>(at, row, property), end_);
    return at;
  }

  std::vector<Group> groups() const {
    std::vector<Group> all;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const Property& p = element_.properties[i];
      const Property* const before = all.empty() ? nullptr : &element_.properties[all.back().first];
      const bool joins = before != nullptr && !p.is_list() && !before->is_list() &&
                         chosen_[all.back().first] == chosen_[i] &&
                         (!chosen_[i] || before->dtype == p.dtype);
      if (joins)
        all.back().last = i + 1;
      else
        all.push_back({i, i + 1});
    }
    return all;
  }

  template <bool Strict>
  std::uint64_t rows(const Call& call, const std::uint64_t first, const char* stop) {
    if (columns_.size() == 0) return element_.count;
    const std::vector<Group> all = groups();
    AsciiLines lines(element_, chosen_, all, columns_);
    std::uint64_t charged = first;
    std::uint64_t row = first;
    while (row < element_.count && (stop == nullptr || at_ < stop)) {
      if (row == charged) charged += charge_rows(call, element_.count - row);
      row = lines.read(row, charged, at_, stop != nullptr ? stop : end_, end_);
      if (row == charged || (stop != nullptr && at_ >= stop)) continue;
      for (const Group& group : all) {
        const Property& p = element_.properties[group.first];
        if (!chosen_[group.first]) {
          std::uint64_t count = group.last - group.first;
          if (p.is_list()) {
            at_ = skip<Strict>(at_, row, group.first);
            count = length(row, group.first);
          }
          at_ = pass<Strict>(at_, count, row, group.first);
          continue;
        }
        if (p.is_list()) {
          at_ = skip<Strict>(at_, row, group.first);
          list<Strict>(row, group.first);
          continue;
        }
        with_type(p.dtype, [&](auto type) {
          const char* at = at_;
          for (std::size_t i = group.first; i < group.last; ++i)
            at = number(skip<Strict>(at, row, i),
                        reinterpret_cast<decltype(type)*>(columns_[i].data)[row], row, i);
          at_ = at;
        });
      }
      if constexpr (Strict)
        end_of_row(row);
      else if (stop != nullptr)
        skip_spaces();  // the next row begins behind them
      else if (d_.settings.tolerant)
        pass_rest_of_line(row);
      ++row;
    }
    return row;
  }

  // Passes what follows a row on its line and is not a number, such as `{ a note }`.
  [[gnu::noinline]] void pass_rest_of_line(std::uint64_t row) {
    const char* at = at_;
    while (at != end_ && (*at == ' ' || *at == '\t')) ++at;
    if (at == end_ || is_space(*at)) return;
    double number = 0;
    const std::string_view word(at, static_cast<std::size_t>(word_end(at, end_) - at));
    if (detail::is_digit(word[0]) || word[0] == '-' || word[0] == '+' || word[0] == '.' ||
        number_word(word, number))
      return;
    at_ = std::find_if(at, end_, [](char c) { return c == '\n' || c == '\r'; });
    d_.call.tick(mend_units);
    note(LossClass::note,
         quote({at, static_cast<std::size_t>(at_ - at)}) + " follows the row and is left out", at,
         row, element_.properties.size() - 1);
  }

  // Charges some of the rows, of which there are `left`, and returns how many: a number takes about
  // 4 units to read.
  std::uint64_t charge_rows(const Call& call, std::uint64_t left) const {
    const std::uint64_t rows = std::min<std::uint64_t>(256, left);
    call.tick(rows * element_.properties.size() * 4);
    return rows;
  }

  // Reads rows that the file is too short for, keeping nothing, up to the number that is missing.
  template <bool Strict>
  [[noreturn, gnu::noinline]] void find_end() {
    for (std::uint64_t row = 0;; ++row) {
      if ((row & 0xff) == 0) static_cast<void>(charge_rows(d_.call, 256));
      for (std::size_t i = 0; i < columns_.size(); ++i) {
        const Property& p = element_.properties[i];
        at_ = skip<Strict>(at_, row, i);
        const std::uint64_t items = p.is_list() ? length(row, i) : 1;
        with_type(p.dtype, [&](auto value) {
          for (std::uint64_t k = 0; k < items; ++k)
            at_ = number(p.is_list() ? skip<Strict>(at_, row, i) : at_, value, row, i);
        });
      }
      if constexpr (Strict) end_of_row(row);
    }
  }

  void end_of_row(std::uint64_t row) {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\t')) ++at_;
    if (at_ == end_) return;
    if (!is_space(*at_))
      fail(Status::malformed, "ply.bad_row", "the line continues after the row", at_, row,
           columns_.size() - 1);
    at_ += at_[0] == '\r' && end_ - at_ > 1 && at_[1] == '\n' ? 2 : 1;
  }

  // Work for a number that is read a second time.
  static constexpr std::uint64_t mend_units = 64;

  const Decoding& d_;
  const Element& element_;
  const Chosen& chosen_;
  const char* begin_;
  const char* at_;
  const char* end_;
  AsciiColumns columns_;
};

}  // namespace polycodec::ply
