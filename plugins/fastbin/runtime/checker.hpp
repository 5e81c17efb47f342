// SPDX-License-Identifier: MIT
// One pass over an untrusted buffer: each part is checked against what encloses it before it is
// looked into.
#pragma once

#include "load.hpp"
#include "result.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace fastbin_runtime {
inline namespace v1 {

/// The state of a pass. Positions are offsets from the start of the root; `end` is always inside
/// the buffer, and a position never exceeds its `end`. Functions return false after they have
/// recorded an error.
class Checker {
 public:
  Checker(std::span<const std::byte> bytes, const Options& options) noexcept
      : base_(bytes.data()), options_(options) {}

  const Options& options() const noexcept { return options_; }
  template <Scalar T>
  T get(std::size_t at) const noexcept {
    return load<T>(base_ + at);
  }
  const std::byte* address(std::size_t at) const noexcept { return base_ + at; }
  std::unique_ptr<Error> take_error() noexcept { return std::move(error_); }

  [[gnu::cold, gnu::noinline]] bool fail(Code code, std::size_t at, std::string message) {
    error_ = std::make_unique<Error>(Error{code, at, {}, std::move(message)});
    return false;
  }
  [[gnu::cold, gnu::noinline]] bool fail(Code code, std::size_t at, std::string_view what,
                                         std::uint64_t found, std::string_view than,
                                         std::uint64_t limit) {
    return fail(code, at,
                std::string(what) + " " + std::to_string(found) + ", " + std::string(than) + " " +
                    std::to_string(limit));
  }
  /// Puts the error inside the member `name`. Returns false.
  [[gnu::cold, gnu::noinline]] bool in(std::string_view name) {
    std::string& path = error_->path;
    if (!path.empty() && path.front() != '[') path.insert(path.begin(), '.');
    path.insert(0, name);
    return false;
  }
  /// Puts the error inside the element `index`. Returns false.
  [[gnu::cold, gnu::noinline]] bool in(std::size_t index) {
    return in("[" + std::to_string(index) + "]");
  }

  /// Of the root, a size beyond the buffer means that the buffer was cut. Returns false.
  [[gnu::cold, gnu::noinline]] bool root() {
    if (error_->code == Code::out_of_range && error_->path.empty()) error_->code = Code::truncated;
    return false;
  }

  /// `n` bytes of a part of constant size.
  bool room(std::size_t at, std::size_t end, std::size_t n) {
    if (n <= end - at) [[likely]]
      return true;
    return fail(Code::truncated, at, "needs bytes:", n, "left:", end - at);
  }
  /// The size word of a struct; `stop` is where the struct ends.
  bool open_struct(std::size_t at, std::size_t end, std::size_t& stop) {
    if (!room(at, end, word)) return false;
    const auto size = get<std::uint64_t>(at);
    if (size == 0) return fail(Code::not_finalized, at, "the size word of a struct is 0");
    if (!size_fits(at, end, size, word)) return false;
    stop = at + size;
    return true;
  }
  /// That the members of a struct, which end at `last`, fill it up to `stop`.
  bool close_struct(std::size_t at, std::size_t last, std::size_t stop) {
    if (last == stop) [[likely]]
      return true;
    return fail(Code::size_mismatch, at, "bytes of the struct:", stop - at, "its members take",
                last - at);
  }
  /// The word of a padded block of elements of `item` bytes; `content` is the number of bytes in
  /// it, from at + 8.
  bool open_block(std::size_t at, std::size_t end, std::size_t item, std::size_t& content) {
    if (!room(at, end, word)) return false;
    const auto head = get<std::uint64_t>(at);
    const std::uint64_t size = head & block_size_mask;
    const std::uint64_t pad = head >> 56;
    if (pad > 7)
      return fail(Code::reserved_bits, at, "the high byte of the size word is", pad, "at most", 7);
    if (!size_fits(at, end, size, word)) return false;
    if (pad > size - word)
      return fail(Code::bad_pad, at, "bytes of padding:", pad, "of content:", size - word);
    content = size - word - pad;
    if (content % item == 0) [[likely]]
      return true;
    return fail(Code::bad_length, at, "bytes of content:", content, "no multiple of", item);
  }
  /// Both words of an array; `stop` is where it ends, elements start at at + 16 and take `least`
  /// bytes or more each.
  bool open_array(std::size_t at, std::size_t end, std::size_t least, std::size_t& stop,
                  std::size_t& count) {
    if (!room(at, end, word)) return false;
    const auto size = get<std::uint64_t>(at);
    if (!size_fits(at, end, size, 2 * word)) return false;
    count = get<std::uint64_t>(at + word);
    stop = at + size;
    if (count <= (size - 2 * word) / least) [[likely]]
      return true;
    return fail(Code::bad_count, at + word, "elements:", count, "their bytes:", size - 2 * word);
  }
  /// That the elements of an array, which end at `last`, fill it.
  bool close_array(std::size_t at, std::size_t last, std::size_t stop) {
    if (last == stop) [[likely]]
      return true;
    return fail(Code::bad_count, at + word, "bytes after the last element:", stop - last,
                "expected", 0);
  }

 private:
  bool size_fits(std::size_t at, std::size_t end, std::uint64_t size, std::uint64_t least) {
    if (size < least || size % word != 0) [[unlikely]]
      return fail(Code::bad_size, at, "size", size, "not a multiple of 8 of at least", least);
    if (size > end - at) [[unlikely]]
      return fail(Code::out_of_range, at, "size", size, "bytes left:", end - at);
    return true;
  }

  const std::byte* base_;
  Options options_;
  std::unique_ptr<Error> error_;
};

}  // namespace v1
}  // namespace fastbin_runtime
