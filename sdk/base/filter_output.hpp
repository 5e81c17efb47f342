// SPDX-License-Identifier: MIT
// The output of filters that decompress.
#pragma once

#include <polycodec/checked.hpp>
#include <polycodec/filter.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>

namespace polycodec {

/// The bytes that a decompressor makes, in the contiguous sink of the call. For one thread.
class FilterOutput {
 public:
  /// `packed`: how many compressed bytes there are. `declared`: how many bytes will come, if the
  /// format says so, or POLYCODEC_SIZE_UNKNOWN. `expected`: what the caller of the filter knows.
  /// `bytes_per_unit`: what one unit of work unpacks. Throws what the sink reports, in particular
  /// Status::limit, before memory is taken, and Status::malformed if the two sizes differ.
  FilterOutput(const Call& call, Writer& out, std::uint64_t packed, std::uint64_t declared,
               std::uint64_t expected, std::uint64_t bytes_per_unit)
      : call_(call), out_(out), expected_(expected), bytes_per_unit_(bytes_per_unit) {
    if (expected == POLYCODEC_SIZE_UNKNOWN) expected_ = declared;
    if (declared != POLYCODEC_SIZE_UNKNOWN && declared != expected_) throw_size(declared);
    if (is_known())
      out_.expect(expected_);
    else
      out_.reserve(std::clamp<std::uint64_t>(checked_mul(packed, 4).value_or(0), 4096, 1u << 20));
    if (is_known() && expected_ != 0) out_.reserve(expected_);
  }

  /// Room for more bytes, at most `step` at once; empty when all that are expected have come.
  std::span<std::uint8_t> room() {
    const std::uint64_t left = is_known() ? expected_ - size() : step;
    if (left == 0) return {};
    // Doubles what is there, so that the copies that growing may take add up to one.
    if (out_.window() == 0) out_.reserve(is_known() ? left : std::max<std::uint64_t>(4096, size()));
    const std::uint64_t part = std::min({left, out_.window(), step});
    return {out_.reserve(part), static_cast<std::size_t>(part)};
  }
  /// The first `count` bytes of the room were written.
  void commit(std::uint64_t count) {
    out_.commit(count);
    call_.tick(count / bytes_per_unit_ + 1);
  }
  /// Room for all bytes that are expected, before any of them came; empty if their number is
  /// unknown.
  std::span<std::uint8_t> whole() {
    if (!is_known()) return {};
    return {out_.reserve(expected_), static_cast<std::size_t>(expected_)};
  }
  /// All of whole() was written, and charged elsewhere.
  void commit_whole() { out_.commit(expected_); }
  /// Bytes so far.
  std::uint64_t size() const noexcept { return out_.position(); }
  /// Throws Status::malformed unless as many bytes came as were expected.
  void finish() const {
    if (is_known() && size() != expected_) throw_size(size());
  }
  /// To be called when the decompressor has more bytes and room() is empty.
  [[noreturn]] void throw_more() const {
    throw Error(Status::malformed, "the data unpacks to more than the " +
                                       std::to_string(expected_) + " bytes that it should have");
  }

 private:
  static constexpr std::uint64_t step = std::uint64_t{1} << 18;

  bool is_known() const noexcept { return expected_ != POLYCODEC_SIZE_UNKNOWN; }
  [[noreturn]] void throw_size(std::uint64_t size) const {
    throw Error(Status::malformed, "the data unpacks to " + std::to_string(size) +
                                       " bytes, not to the " + std::to_string(expected_) +
                                       " that it should have");
  }

  const Call& call_;
  Writer& out_;
  std::uint64_t expected_;
  std::uint64_t bytes_per_unit_;
};

/// Calls take(part) for parts of `bytes` of at most `step` bytes, and charges the call
/// `units_per_byte` before each.
template <class Take>
void for_each_part(const Call& call, std::string_view bytes, std::size_t step,
                   double units_per_byte, Take&& take) {
  for (; !bytes.empty(); bytes.remove_prefix(std::min(bytes.size(), step))) {
    const std::string_view part = bytes.substr(0, step);
    call.tick(1 + static_cast<std::uint64_t>(static_cast<double>(part.size()) * units_per_byte));
    take(part);
  }
}

}  // namespace polycodec
