// SPDX-License-Identifier: MIT
#include "deflate_end.hpp"

#include <polycodec/byte_order.hpp>
#include <polycodec/error.hpp>

#include <algorithm>
#include <array>
#include <span>

namespace polycodec::zlib {

namespace {

constexpr unsigned longest_code = 15;
constexpr unsigned end_of_block = 256;

/// Bits after the code of a length (from symbol 257 on) and of a distance (from 0 on).
constexpr unsigned length_extra(unsigned symbol) {
  const unsigned i = symbol - 257;
  return i < 8 || i == 28 ? 0 : i / 4 - 1;
}
constexpr unsigned distance_extra(unsigned symbol) {
  return symbol < 4 ? 0 : symbol / 2 - 1;
}

[[noreturn]] void throw_damaged() {
  throw Error(Status::internal, "the compressor made a stream that is not deflate");
}

class Bits {
 public:
  explicit Bits(std::string_view bytes) noexcept : bytes_(bytes) {}

  /// Makes at least 56 bits visible; those past the end of the bytes are zero.
  void fill() {
    if (next_ + 8 <= bytes_.size()) [[likely]] {
      word_ |= load<std::uint64_t>(bytes_.data() + next_, std::endian::little) << count_;
      next_ += (63 - count_) / 8;
      count_ |= 56;
      return;
    }
    for (; count_ <= 56; count_ += 8, ++next_)
      if (next_ < bytes_.size())
        word_ |= std::uint64_t{static_cast<std::uint8_t>(bytes_[next_])} << count_;
  }
  std::uint64_t word() const noexcept { return word_; }
  void drop(unsigned bits) noexcept {
    word_ >>= bits;
    count_ -= bits;
  }
  unsigned take(unsigned bits) noexcept {
    const auto value = static_cast<unsigned>(word_ & ((std::uint64_t{1} << bits) - 1));
    drop(bits);
    return value;
  }
  /// Bits that were taken.
  std::uint64_t position() const noexcept { return std::uint64_t{next_} * 8 - count_; }
  void check() const {
    if (position() > std::uint64_t{bytes_.size()} * 8) throw_damaged();
  }
  /// To the next whole byte, and `bytes` on.
  void skip(std::uint64_t bytes) {
    const std::uint64_t at = (position() + 7) / 8 + bytes;
    if (at > bytes_.size()) throw_damaged();
    next_ = static_cast<std::size_t>(at);
    word_ = 0;
    count_ = 0;
  }

 private:
  std::string_view bytes_;
  std::size_t next_ = 0;
  std::uint64_t word_ = 0;
  unsigned count_ = 0;
};

enum class Kind : std::uint8_t { none, plain, copy, end, long_code };

/// What the next bits are: `bits` to drop, with what follows the code.
struct Step {
  std::uint8_t bits = 0;
  Kind kind = Kind::none;
  std::uint16_t symbol = 0;
};

/// A code: short ones through a table, others bit by bit.
template <unsigned table_bits>
class Code {
 public:
  /// `extra`: the bits that follow the code of a symbol.
  template <class Extra, class KindOf>
  Code(std::span<const std::uint8_t> lengths, const Extra& extra, const KindOf& kind_of) {
    std::array<unsigned, longest_code + 1> counts{};
    for (const std::uint8_t length : lengths) ++counts[length];
    counts[0] = 0;
    std::array<unsigned, longest_code + 2> next{};
    unsigned place = 0, code = 0;
    for (unsigned length = 1; length <= longest_code; ++length) {
      code = (code + counts[length - 1]) << 1;
      first_code_[length] = next[length] = code;
      first_place_[length] = place;
      ends_[length] = code + counts[length];
      place += counts[length];
    }
    for (unsigned symbol = 0; symbol < lengths.size(); ++symbol) {
      const unsigned length = lengths[symbol];
      if (length == 0) continue;
      const unsigned own = next[length]++;
      const Step step{static_cast<std::uint8_t>(length + extra(symbol)), kind_of(symbol),
                      static_cast<std::uint16_t>(symbol)};
      sorted_[first_place_[length] + own - first_code_[length]] = step;
      const unsigned bits = reversed(own, length);
      if (length > table_bits) {
        table_[bits & (table_size - 1)].kind = Kind::long_code;
        continue;
      }
      for (unsigned i = bits; i < table_size; i += 1u << length) table_[i] = step;
    }
  }

  const Step& at(std::uint64_t word) const noexcept { return table_[word & (table_size - 1)]; }
  /// The same of a code that is longer than the table.
  Step find_long(std::uint64_t word) const {
    unsigned code = 0;
    for (unsigned length = 1; length <= longest_code; ++length) {
      code = code << 1 | static_cast<unsigned>(word >> (length - 1) & 1);
      if (code < ends_[length] && code >= first_code_[length])
        return sorted_[first_place_[length] + code - first_code_[length]];
    }
    throw_damaged();
  }
  /// Two plain symbols that fit the table become one step.
  void join_plain() noexcept {
    const auto single = table_;
    for (unsigned i = 0; i < table_size; ++i) {
      const Step first = single[i];
      if (first.kind != Kind::plain || first.bits >= table_bits) continue;
      const Step second = single[i >> first.bits];
      if (second.kind == Kind::plain && first.bits + second.bits <= table_bits)
        table_[i].bits = static_cast<std::uint8_t>(first.bits + second.bits);
    }
  }

 private:
  static constexpr unsigned table_size = 1u << table_bits;

  static unsigned reversed(unsigned code, unsigned length) noexcept {
    unsigned bits = 0;
    for (unsigned i = 0; i < length; ++i) bits |= (code >> i & 1) << (length - 1 - i);
    return bits;
  }

  std::array<Step, table_size> table_{};
  std::array<Step, 288> sorted_{};
  std::array<unsigned, longest_code + 1> first_code_{}, first_place_{}, ends_{};
};

constexpr unsigned no_extra(unsigned) {
  return 0;
}
constexpr Kind always_plain(unsigned) {
  return Kind::plain;
}
constexpr unsigned symbol_extra(unsigned symbol) {
  return symbol > end_of_block ? length_extra(symbol) : 0;
}
constexpr Kind symbol_kind(unsigned symbol) {
  return symbol < end_of_block ? Kind::plain : symbol == end_of_block ? Kind::end : Kind::copy;
}

using Lengths = std::array<std::uint8_t, 288 + 32>;

/// The lengths of the codes of a block that says them; returns how many are of literals.
unsigned read_lengths(Bits& bits, Lengths& lengths, unsigned& distances) {
  bits.fill();
  const unsigned literals = bits.take(5) + 257;
  distances = bits.take(5) + 1;
  const unsigned count = bits.take(4) + 4;
  constexpr std::uint8_t order[] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                    11, 4,  12, 3, 13, 2, 14, 1, 15};
  std::array<std::uint8_t, 19> own{};
  for (unsigned i = 0; i < count; ++i) {
    bits.fill();
    own[order[i]] = static_cast<std::uint8_t>(bits.take(3));
  }
  const Code<7> code(own, no_extra, always_plain);
  for (unsigned i = 0; i < literals + distances;) {
    bits.fill();
    const Step step = code.at(bits.word());
    if (step.kind != Kind::plain) throw_damaged();
    bits.drop(step.bits);
    const unsigned symbol = step.symbol;
    unsigned times = 1;
    std::uint8_t value = 0;
    if (symbol < 16)
      value = static_cast<std::uint8_t>(symbol);
    else if (symbol == 16)
      times = 3 + bits.take(2), value = i == 0 ? std::uint8_t{0} : lengths[i - 1];
    else
      times = symbol == 17 ? 3 + bits.take(3) : 11 + bits.take(7);
    bits.check();
    if (times > literals + distances - i) throw_damaged();
    std::fill_n(lengths.begin() + i, times, value);
    i += times;
  }
  return literals;
}

/// To the end of a block of codes.
void walk_block(Bits& bits, std::span<const std::uint8_t> literals,
                std::span<const std::uint8_t> distances) {
  Code<11> symbols(literals, symbol_extra, symbol_kind);
  symbols.join_plain();
  const Code<9> places(distances, distance_extra, always_plain);
  for (;;) {
    bits.fill();
    Step step = symbols.at(bits.word());
    // 56 bits are visible, and a step takes at most 11 here.
    for (int i = 0; step.kind == Kind::plain && i < 3; ++i) {
      bits.drop(step.bits);
      step = symbols.at(bits.word());
    }
    if (step.kind == Kind::long_code) step = symbols.find_long(bits.word());
    if (step.kind == Kind::none) throw_damaged();
    bits.drop(step.bits);
    if (step.kind == Kind::end) return bits.check();
    if (step.kind != Kind::copy) {
      bits.check();
      continue;
    }
    bits.fill();
    Step place = places.at(bits.word());
    if (place.kind == Kind::long_code) place = places.find_long(bits.word());
    if (place.kind == Kind::none) throw_damaged();
    bits.drop(place.bits);
    bits.check();
  }
}

}  // namespace

DeflateEnd find_deflate_end(std::string_view stream) {
  Bits bits(stream);
  Lengths lengths;
  for (;;) {
    const std::uint64_t head = bits.position();
    bits.fill();
    const bool is_last = bits.take(1) != 0;
    const unsigned type = bits.take(2);
    bits.check();
    if (type == 0) {
      const std::uint64_t at = (bits.position() + 7) / 8;
      if (at + 4 > stream.size()) throw_damaged();
      bits.skip(4 + load<std::uint16_t>(stream.data() + at, std::endian::little));
    } else if (type == 1) {
      std::fill(lengths.begin(), lengths.begin() + 144, std::uint8_t{8});
      std::fill(lengths.begin() + 144, lengths.begin() + 256, std::uint8_t{9});
      std::fill(lengths.begin() + 256, lengths.begin() + 280, std::uint8_t{7});
      std::fill(lengths.begin() + 280, lengths.begin() + 288, std::uint8_t{8});
      std::fill(lengths.begin() + 288, lengths.end(), std::uint8_t{5});
      walk_block(bits, std::span(lengths).first(288), std::span(lengths).subspan(288));
    } else if (type == 2) {
      unsigned distances = 0;
      const unsigned literals = read_lengths(bits, lengths, distances);
      walk_block(bits, std::span(lengths).first(literals),
                 std::span(lengths).subspan(literals, distances));
    } else {
      throw_damaged();
    }
    if (is_last) return {head, bits.position()};
  }
}

}  // namespace polycodec::zlib
