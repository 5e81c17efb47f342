// SPDX-License-Identifier: MIT
// Variant<...>: a padded block that holds a cell, whose word is the size of the cell and the index
// of the alternative.
#pragma once

#include "records.hpp"

#include <array>
#include <optional>
#include <variant>

namespace fastbin_runtime {
inline namespace v1 {

namespace detail {

/// True for alternatives that are a value without any byte: an empty text is a text, an absent
/// number is no number.
template <class T>
inline constexpr bool may_be_empty = false;
template <>
inline constexpr bool may_be_empty<std::string_view> = true;
template <class T>
inline constexpr bool may_be_empty<Vector<T>> = true;

}  // namespace detail

/// A variant in the buffer: the index of its alternative, and its value unless nothing was ever
/// set.
template <class... Alternatives>
class Variant {
 public:
  static constexpr std::size_t alternatives = sizeof...(Alternatives);
  /// What alternative I reads as.
  template <std::size_t I>
  using Alternative = std::tuple_element_t<I, std::tuple<Alternatives...>>;

  Variant() = default;
  /// The cell at `data`, which has been checked.
  explicit Variant(const std::byte* data) noexcept : data_(data) {}

  /// Which alternative, counted from 0.
  std::size_t index() const noexcept { return load<std::uint8_t>(data_); }
  /// True if no value stands there. Texts and vectors of numbers are values even then.
  bool empty() const noexcept {
    constexpr std::array<bool, alternatives> may_be = {detail::may_be_empty<Alternatives>...};
    return payload() == 0 && !may_be[index()];
  }
  /// The value if alternative I is the one that is set.
  template <std::size_t I>
  std::optional<Alternative<I>> get() const noexcept {
    if (index() != I || empty()) return std::nullopt;
    return Part<Alternative<I>>::payload_view(data_ + word, payload());
  }
  /// The value if it is the one of the only alternative of type T.
  template <class T>
  requires((0 + ... + std::same_as<T, Alternatives>) == 1) std::optional<T> get()
  const noexcept {
    constexpr std::array<bool, alternatives> is = {std::same_as<T, Alternatives>...};
    constexpr std::size_t at = [&] {
      std::size_t i = 0;
      while (!is[i]) ++i;
      return i;
    }();
    return get<at>();
  }
  /// Calls f(std::integral_constant<std::size_t, I>, value) with what is set; false if nothing is.
  template <class F>
  bool visit(F&& f) const {
    return visit_each(f, std::make_index_sequence<alternatives>());
  }

 private:
  std::size_t payload() const noexcept { return (load<std::uint64_t>(data_) >> 8) - word; }
  template <class F, std::size_t... I>
  bool visit_each(F& f, std::index_sequence<I...>) const {
    if (empty()) return false;
    const auto one = [&]<std::size_t J>(std::integral_constant<std::size_t, J> at) {
      if (index() != J) return false;
      f(at, Part<Alternative<J>>::payload_view(data_ + word, payload()));
      return true;
    };
    return (one(std::integral_constant<std::size_t, I>()) || ...);
  }

  const std::byte* data_ = nullptr;
};

/// What is written as a variant: an alternative with its value, or without one. By default the
/// first one without.
template <class... Alternatives>
class VariantInput {
  using Value = std::variant<std::monostate, typename Part<Alternatives>::Input...>;
  template <class T>
  static constexpr std::size_t same = (0 + ... +
                                       std::same_as<T, typename Part<Alternatives>::Input>);

 public:
  static constexpr std::size_t alternatives = sizeof...(Alternatives);
  VariantInput() = default;
  /// The value of the only alternative that takes this type.
  template <class T>
  requires(same<std::remove_cvref_t<T>> == 1) VariantInput(T&& value)
      : value_(std::in_place_type<std::remove_cvref_t<T>>, std::forward<T>(value)) {}

  /// Alternative I with this value.
  template <std::size_t I, class T>
  static VariantInput of(T&& value) {
    static_assert(I < alternatives);
    VariantInput made;
    made.value_.template emplace<I + 1>(std::forward<T>(value));
    return made;
  }
  /// Alternative I without a value.
  template <std::size_t I>
  static VariantInput empty() noexcept {
    static_assert(I < alternatives);
    VariantInput made;
    made.empty_ = I;
    return made;
  }

  /// Which alternative, counted from 0.
  std::size_t index() const noexcept { return value_.index() == 0 ? empty_ : value_.index() - 1; }
  /// Calls f(Part<alternative>, value) with the value, if there is one.
  template <class F>
  constexpr void visit(F&& f) const {
    visit_each(f, std::index_sequence_for<Alternatives...>());
  }

 private:
  template <class F, std::size_t... I>
  constexpr void visit_each(F& f, std::index_sequence<I...>) const {
    const auto one = [&]<class P, std::size_t J>(P part, std::integral_constant<std::size_t, J>) {
      if (value_.index() == J) f(part, *std::get_if<J>(&value_));
    };
    (one(Part<Alternatives>(), std::integral_constant<std::size_t, I + 1>()), ...);
  }

  Value value_;
  std::size_t empty_ = 0;
};

template <class... Alternatives>
struct Part<Variant<Alternatives...>> {
  static_assert(sizeof...(Alternatives) <= 255);
  static constexpr bool is_fixed = false;
  static constexpr std::size_t least = 2 * word;
  using Input = VariantInput<Alternatives...>;

  static bool check(Checker& c, std::size_t& at, std::size_t end) {
    std::size_t content = 0;
    if (!c.open_block(at, end, 1, content)) return false;
    if (content < word)
      return c.fail(Code::bad_variant_size, at, "bytes of content:", content, "at least", word);
    const std::size_t cell = at + word;
    const auto head = c.get<std::uint64_t>(cell);
    if (head >> 8 != content)
      return c.fail(Code::bad_variant_size, cell, "inner size", head >> 8, "the outer one says",
                    content);
    const std::size_t index = head & 0xFF;
    if (index >= sizeof...(Alternatives))
      return c.fail(Code::bad_variant_index, cell, "alternative", index, "of",
                    sizeof...(Alternatives));
    if (content > word && !check_payload(c, index, cell + word, content - word)) return false;
    at += whole_words(word + content);
    return true;
  }
  static std::size_t stored_size(const std::byte* p) noexcept { return stored_block_size(p); }
  static Variant<Alternatives...> view(const std::byte* p) noexcept {
    return Variant<Alternatives...>(p + word);
  }
  static constexpr std::size_t size_of(const Input& input) noexcept {
    return block_size(add_sizes(word, payload_bytes(input)));
  }
  static std::byte* write(std::byte* p, const Input& input) noexcept {
    const std::size_t content = word + payload_bytes(input);
    std::byte* const cell = begin_block(p, content);
    store<std::uint64_t>(cell, static_cast<std::uint64_t>(content) << 8 | input.index());
    input.visit(
        [&](auto part, const auto& value) { decltype(part)::payload_write(cell + word, value); });
    return p + whole_words(word + content);
  }

 private:
  static bool check_payload(Checker& c, std::size_t index, std::size_t at, std::size_t n) {
    using Check = bool (*)(Checker&, std::size_t, std::size_t);
    constexpr std::array<Check, sizeof...(Alternatives)> checks = {
        &Part<Alternatives>::payload_check...};
    return checks[index](c, at, n);
  }
  static constexpr std::size_t payload_bytes(const Input& input) noexcept {
    std::size_t n = 0;
    input.visit([&](auto part, const auto& value) { n = decltype(part)::payload_size(value); });
    return n;
  }
};

}  // namespace v1
}  // namespace fastbin_runtime
