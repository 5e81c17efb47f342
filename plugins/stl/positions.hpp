// SPDX-License-Identifier: MIT
// Equal positions as one, in the order in which they first occur.
#pragma once

#include <polycodec/builder.hpp>
#include <polycodec/call.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

namespace polycodec::stl {

template <class T>
using Position = std::array<T, 3>;

// Numbers that are not equal to themselves are the same by their bits; zeros of both signs are.
template <class T>
auto bits_of(T number) noexcept {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  return std::bit_cast<Bits>(number == 0 ? T{} : number);
}

template <class T>
std::uint64_t hash_of(const Position<T>& key) noexcept {
  std::uint64_t h = 0;
  for (const T number : key) {
    h = (h ^ bits_of(number)) * 0x9e3779b97f4a7c15u;
    h ^= h >> 29;
  }
  return h;
}

template <class T>
bool is_same(const Position<T>& a, const Position<T>& b) noexcept {
  return bits_of(a[0]) == bits_of(b[0]) && bits_of(a[1]) == bits_of(b[1]) &&
         bits_of(a[2]) == bits_of(b[2]);
}

/// Finds rows by their position, which is the member `key`. Each is there once. Charges `meter` for
/// rows that are passed on the way: a file can be made so that these are many.
template <class T, class Row>
class PositionTable {
 public:
  /// Rows go to `rows`, which has room for all that add() is called with.
  PositionTable(Row* rows, Builder& out, Meter& meter)
      : out_(out), meter_(meter), rows_(rows), small_(first_size, -1), slots_(small_) {}

  /// Begins again, without a row.
  void reset(Row* rows) {
    rows_ = rows;
    count_ = 0;
    slots_ = slots_.first(first_size);
    std::ranges::fill(slots_, -1);
  }
  /// Lets the memory bring what add() will look at.
  void prefetch(std::uint64_t hash) const noexcept { __builtin_prefetch(&slots_[slot(hash)]); }
  /// The number of the row with this position: of `row`, if it is the first one.
  std::int32_t add(const Row& row, std::uint64_t hash) {
    for (std::size_t i = slot(hash);; i = next(i)) {
      if (slots_[i] < 0) return append(row, i);
      if (is_same(row.key, rows_[slots_[i]].key)) return slots_[i];
      meter_.tick();
    }
  }
  std::size_t size() const noexcept { return count_; }
  /// Gives the memory of the table back: add() is over.
  void finish() {
    if (large_ != nullptr) large_ = out_.resize(large_, large_size_, 1);
  }

 private:
  // A table that grows stays in the cache where most corners share positions.
  static constexpr std::size_t first_size = 4096;
  // From here on it is memory of the value, which the limits of the call bound.
  static constexpr std::size_t least_large = std::size_t{1} << 18;

  std::int32_t append(const Row& row, std::size_t slot) {
    rows_[count_] = row;
    slots_[slot] = static_cast<std::int32_t>(count_++);
    if (2 * count_ > slots_.size()) grow();
    return static_cast<std::int32_t>(count_ - 1);
  }
  void grow() {
    const std::size_t size = slots_.size() * 4;
    if (large_ == nullptr && size < least_large) {
      small_.resize(std::max(small_.size(), size));
      slots_ = std::span(small_).first(size);
    } else {
      if (size > large_size_) large_ = out_.resize(large_, large_size_, size);
      large_size_ = std::max(large_size_, size);
      slots_ = {large_, size};
    }
    std::ranges::fill(slots_, -1);
    for (std::size_t at = 0; at < count_; ++at) {
      std::size_t i = slot(hash_of(rows_[at].key));
      for (; slots_[i] >= 0; i = next(i)) meter_.tick();
      slots_[i] = static_cast<std::int32_t>(at);
    }
  }
  std::size_t next(std::size_t slot) const noexcept { return (slot + 1) & (slots_.size() - 1); }
  std::size_t slot(std::uint64_t hash) const noexcept {
    return static_cast<std::size_t>(hash) & (slots_.size() - 1);
  }

  Builder& out_;
  Meter& meter_;
  Row* rows_;
  std::size_t count_ = 0;
  std::vector<std::int32_t> small_;
  std::int32_t* large_ = nullptr;
  std::size_t large_size_ = 0;
  std::span<std::int32_t> slots_;
};

/// From so many corners on, the table of all would have no place in caches, or even in memory.
inline constexpr std::uint64_t least_parted_corners = std::uint64_t{1} << 22;

/// Positions of the corners just before, where most corners of most files have theirs.
template <class T>
class RecentPositions {
 public:
  RecentPositions() : slots_(std::size_t{1} << bits) {}

  /// Calls number() for a position that is not there, and puts it there. Returns its number.
  template <class Number>
  std::int32_t find(const Position<T>& key, const Number& number) {
    const std::uint64_t hash = hash_of(key);
    Slot& slot = slots_[hash & (slots_.size() - 1)];
    if (slot.number < 0 || !is_same(slot.key, key)) slot = {key, number(hash)};
    return slot.number;
  }

 private:
  static constexpr int bits = 14;

  struct Slot {
    Position<T> key;
    std::int32_t number = -1;
  };
  std::vector<Slot> slots_;
};

/// Items for several places, which get them in blocks: pages that are written one by one, each far
/// from the one before, are slow where memory is in a file.
template <class Item>
class Scatter {
 public:
  explicit Scatter(std::size_t places)
      : places_(places), held_(std::make_unique<Item[]>(places * block)) {}

  void begin(std::size_t place, Item* to) noexcept { places_[place].to = to; }
  void add(std::size_t place, const Item& item) noexcept {
    Place& to = places_[place];
    held_[place * block + to.held] = item;
    if (++to.held == block) write(place);
  }
  /// Writes the rest.
  void finish() noexcept {
    for (std::size_t i = 0; i < places_.size(); ++i) write(i);
  }
  /// Where a place ends.
  const Item* end(std::size_t place) const noexcept { return places_[place].to; }

 private:
  static constexpr std::size_t block = 65536 / sizeof(Item);

  struct Place {
    Item* to = nullptr;
    std::size_t held = 0;
  };

  void write(std::size_t place) noexcept {
    Place& to = places_[place];
    to.to = std::copy_n(held_.get() + place * block, to.held, to.to);
    to.held = 0;
  }

  std::vector<Place> places_;
  std::unique_ptr<Item[]> held_;
};

/// Divides positions by their hash into parts with a small table each. All other memory is written
/// and read from front to end, so that it may be in a file.
template <class T>
class PartedPositions {
 public:
  /// For at most `most` positions.
  PartedPositions(std::uint64_t most, Builder& out)
      : out_(out),
        shift_(64 - static_cast<int>(std::bit_width(
                        std::clamp<std::uint64_t>(most / part_positions, 1, most_parts - 1)))),
        begins_((std::size_t{1} << (64 - shift_)) + 1) {}

  // Each of these is called with all positions in order, one function after the other.

  void count(std::uint64_t hash) noexcept { ++begins_[part(hash) + 1]; }
  /// Between count() and divide().
  void begin_parts() {
    std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
    entries_ = out_.resize<Entry>(nullptr, 0, all());
    parts_.emplace(begins_.size() - 1);
    for (std::size_t i = 0; i + 1 < begins_.size(); ++i) parts_->begin(i, entries_ + begins_[i]);
  }
  void divide(const Position<T>& key, std::uint64_t hash) noexcept {
    parts_->add(part(hash), {key, at_++});
  }
  /// Between divide() and take().
  void merge(Meter& meter) {
    parts_->finish();
    parts_.reset();
    const std::uint64_t words = all() / 64 + 1;
    is_first_ = out_.resize<std::uint64_t>(nullptr, 0, words);
    std::fill_n(is_first_, words, 0);
    range_bits_ = std::max(least_range_bits, static_cast<int>(std::bit_width(all())) - 8);
    repeats_ = out_.resize<Repeat>(nullptr, 0, all());
    ranges_.emplace(static_cast<std::size_t>(all() >> range_bits_) + 1);
    for (std::uint64_t i = 0; i <= all() >> range_bits_; ++i)
      ranges_->begin(static_cast<std::size_t>(i), repeats_ + (i << range_bits_));
    PositionTable<T, Entry> table(entries_, out_, meter);
    for (std::size_t i = 0; i + 1 < begins_.size(); ++i) {
      meter.tick(8 * (begins_[i + 1] - begins_[i]));
      // Rows of the table overtake nothing that is still to be read.
      Entry* const rows = entries_ + begins_[i];
      table.reset(rows);
      for (std::uint64_t at = begins_[i]; at < begins_[i + 1]; ++at) {
        const Entry entry = entries_[at];
        const std::uint32_t first = rows[table.add(entry, hash_of(entry.key))].number;
        if (first == entry.number)
          is_first_[first / 64] |= std::uint64_t{1} << first % 64;
        else
          ranges_->add(entry.number >> range_bits_, {entry.number, first});
      }
    }
    ranges_->finish();
    table.finish();
    entries_ = out_.resize(entries_, all(), 1);
    ranks_.reserve(static_cast<std::size_t>(words / rank_words + 1));
    std::uint64_t rank = 0;
    for (std::uint64_t i = 0; i < words; ++i) {
      if (i % rank_words == 0) ranks_.push_back(static_cast<std::uint32_t>(rank));
      rank += static_cast<std::uint64_t>(std::popcount(is_first_[i]));
    }
    numbers_ = out_.allocate<T>(3 * rank);
    firsts_.resize(std::size_t{1} << range_bits_);
    at_ = 0;
  }
  /// The number of the position among those that differ.
  std::int32_t take(const Position<T>& key) noexcept {
    const std::uint32_t number = at_++;
    const std::uint32_t in_range = number & ((std::uint32_t{1} << range_bits_) - 1);
    if (in_range == 0) begin_range(number >> range_bits_);
    if ((is_first_[number / 64] >> number % 64 & 1) != 0) {
      std::copy(key.begin(), key.end(), numbers_ + 3 * size_);
      return static_cast<std::int32_t>(size_++);
    }
    const std::uint32_t first = firsts_[in_range];
    const std::uint32_t word = first / 64;
    std::uint32_t rank = ranks_[word / rank_words];
    for (std::uint32_t i = word / rank_words * rank_words; i < word; ++i)
      rank += static_cast<std::uint32_t>(std::popcount(is_first_[i]));
    const std::uint64_t before = (std::uint64_t{1} << first % 64) - 1;
    return static_cast<std::int32_t>(
        rank + static_cast<std::uint32_t>(std::popcount(is_first_[word] & before)));
  }
  /// All that differ.
  std::span<const T> finish() {
    repeats_ = out_.resize(repeats_, all(), 1);
    is_first_ = out_.resize(is_first_, all() / 64 + 1, 1);
    return {numbers_, static_cast<std::size_t>(3 * size_)};
  }

 private:
  // A table of so many stays in the cache.
  static constexpr std::uint64_t part_positions = std::uint64_t{1} << 17, most_parts = 256;
  static constexpr int least_range_bits = 16;
  static constexpr std::uint32_t rank_words = 8;

  struct Entry {
    Position<T> key;
    std::uint32_t number;
  };
  struct Repeat {
    std::uint32_t number, first;
  };

  /// Ranges divide the numbers, so that what the parts found of them comes in order again.
  void begin_range(std::size_t range) noexcept {
    const Repeat* const begin = repeats_ + (std::uint64_t{range} << range_bits_);
    const std::uint32_t mask = (std::uint32_t{1} << range_bits_) - 1;
    for (const Repeat* at = begin; at != ranges_->end(range); ++at)
      firsts_[at->number & mask] = at->first;
  }
  std::uint64_t all() const noexcept { return begins_.back(); }
  std::size_t part(std::uint64_t hash) const noexcept {
    return static_cast<std::size_t>(hash >> shift_);
  }

  Builder& out_;
  const int shift_;
  std::vector<std::uint64_t> begins_;  // of the parts, and the end of the last one
  std::uint32_t at_ = 0;
  Entry* entries_ = nullptr;
  std::uint64_t* is_first_ = nullptr;  // a bit for each
  std::vector<std::uint32_t> ranks_;   // bits before each group of words
  int range_bits_ = 0;
  Repeat* repeats_ = nullptr;  // those that are not the first, by range
  std::optional<Scatter<Entry>> parts_;
  std::optional<Scatter<Repeat>> ranges_;
  std::vector<std::uint32_t> firsts_;  // of the range
  T* numbers_ = nullptr;
  std::uint64_t size_ = 0;
};

}  // namespace polycodec::stl
