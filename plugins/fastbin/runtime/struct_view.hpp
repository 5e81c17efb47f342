// SPDX-License-Identifier: MIT
// What all generated structs can do.
#pragma once

#include "print.hpp"

namespace fastbin_runtime {
inline namespace v1 {

/// The part of struct N that does not depend on its members. A view is a pointer into a buffer that
/// outlives it, and the places of its variable members; it owns nothing and is copied freely.
/// [thread-safe]
template <class N>
class StructView {
 public:
  /// Marks generated structs.
  using fastbin_struct = N;

  /// Checks the whole struct at the start of `bytes`, which may be aligned in any way, and gives a
  /// view of it. Never reads outside `bytes`; one pass, and for fixed structs without booleans no
  /// pass at all.
  static Result<N> open(std::span<const std::byte> bytes, const Options& options = {}) {
    Checker c(bytes, options);
    std::size_t at = 0;
    if (check_root(c, bytes, at)) [[likely]]
      return N::trust(bytes.data());
    return c.take_error();
  }
  /// The same check without a view: how many bytes the struct takes, or what is wrong with it.
  static Result<std::size_t> verify(std::span<const std::byte> bytes, const Options& options = {}) {
    Checker c(bytes, options);
    std::size_t at = 0;
    if (check_root(c, bytes, at)) [[likely]]
      return at;
    return c.take_error();
  }
  /// A view of the struct at `data` without any check: only for bytes that passed one, or that this
  /// program wrote.
  static N trust(const std::byte* data) noexcept { return N(data); }

  /// Bytes of the struct in the buffer.
  std::size_t size_bytes() const noexcept { return Part<N>::stored_size(fastbin_data_); }
  /// The struct as it lies in the buffer.
  std::span<const std::byte> bytes() const noexcept { return {fastbin_data_, size_bytes()}; }

  /// For people: `Name{member: value, ...}`; of long vectors the first elements.
  friend std::ostream& operator<<(std::ostream& out, const N& value) {
    print_struct(out, value);
    return out;
  }

 protected:
  StructView() = default;
  explicit StructView(const std::byte* data) noexcept : fastbin_data_(data) {}

  const std::byte* fastbin_data_ = nullptr;

 private:
  static bool check_root(Checker& c, std::span<const std::byte> bytes, std::size_t& at) {
    if (!Part<N>::check(c, at, bytes.size())) return c.root();
    if (c.options().whole_buffer && at != bytes.size())
      return c.fail(Code::trailing, at, "bytes after the root:", bytes.size() - at, "expected", 0);
    return true;
  }
};

/// Writes `values` as struct N to the start of `to`: what size_of(values) says, at once. Returns
/// how many bytes.
template <class N>
Result<std::size_t> write_struct(const typename N::Values& values, std::span<std::byte> to) {
  const std::size_t size = N::size_of(values);
  if (size <= to.size()) [[likely]] {
    N::fastbin_write(to.data(), values);
    return size;
  }
  if (size == no_size)
    return std::make_unique<Error>(
        Error{Code::too_large, 0, {}, "more bytes than the format can say"});
  return std::make_unique<Error>(Error{
      Code::no_room,
      0,
      {},
      "needs bytes: " + std::to_string(size) + ", the buffer has " + std::to_string(to.size())});
}

/// Prints an enum: its name, or `Name(number)` for a value without one.
template <class E>
void print_enum(std::ostream& out, std::string_view enum_name, E value) {
  const std::string_view name = to_string(value);
  if (!name.empty()) {
    out << name;
    return;
  }
  out << enum_name << '(';
  if constexpr (sizeof(E) == 1)
    out << static_cast<int>(static_cast<std::underlying_type_t<E>>(value));
  else
    out << static_cast<std::underlying_type_t<E>>(value);
  out << ')';
}

}  // namespace v1
}  // namespace fastbin_runtime
