// SPDX-License-Identifier: MIT
// Views turned into the values that the same bytes are written from.
#pragma once

#include "access.hpp"
#include "fastbin_runtime.hpp"

#include <array>
#include <memory>

namespace polycodec::test {

/// Keeps the arrays that values refer to.
class Arena {
 public:
  template <class T>
  T* take(std::size_t n) {
    auto block = std::make_shared<T[]>(n);
    T* const data = block.get();
    blocks_.push_back(std::move(block));
    return data;
  }

 private:
  std::vector<std::shared_ptr<void>> blocks_;
};

namespace rt = fastbin_runtime;

/// A variant of which alternative `index` is chosen and has no value.
template <class Input, std::size_t... I>
Input empty_variant(std::size_t index, std::index_sequence<I...>) {
  constexpr std::array<Input (*)() noexcept, sizeof...(I)> makers = {&Input::template empty<I>...};
  return makers[index]();
}

template <rt::Scalar T>
std::span<const T> to_input(const rt::Vector<T>& list, Arena& arena);
template <rt::Struct T>
typename T::Values to_input(const T& value, Arena& arena);
template <class T>
std::span<const typename rt::Part<T>::Input> to_input(const rt::Records<T>& list, Arena& arena);
template <class... T>
rt::VariantInput<T...> to_input(const rt::Variant<T...>& variant, Arena& arena);

inline std::string_view to_input(std::string_view text, Arena&) {
  return text;
}
template <rt::Scalar T>
T to_input(T value, Arena&) {
  return value;
}
template <rt::Scalar T>
std::span<const T> to_input(const rt::Vector<T>& list, Arena& arena) {
  T* const data = arena.take<T>(list.size());
  return {data, list.copy_to({data, list.size()})};
}
template <class T>
std::span<const typename rt::Part<T>::Input> to_input(const rt::Records<T>& list, Arena& arena) {
  using View = typename rt::Part<T>::Input;
  View* const data = arena.take<View>(list.size());
  std::size_t i = 0;
  for (const T& item : list) data[i++] = to_input(item, arena);
  return std::span<const View>(data, i);
}
template <class... T>
rt::VariantInput<T...> to_input(const rt::Variant<T...>& variant, Arena& arena) {
  using Input = rt::VariantInput<T...>;
  Input made = empty_variant<Input>(variant.index(), std::index_sequence_for<T...>());
  variant.visit(
      [&](auto at, const auto& value) { made = Input::template of<at()>(to_input(value, arena)); });
  return made;
}
template <rt::Struct T>
typename T::Values to_input(const T& value, Arena& arena) {
  typename T::Values values;
  // From the last member to the first: any order will do.
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    constexpr auto members = T::members();
    constexpr std::size_t last = sizeof...(I) - 1;
    ((values.*std::get<last - I>(members).values =
          to_input((value.*std::get<last - I>(members).get)(), arena)),
     ...);
  }
  (std::make_index_sequence<std::tuple_size_v<decltype(T::members())>>());
  return values;
}

/// The bytes of a struct, written from its values into memory that is anything but zero.
template <rt::Struct T>
Bytes rewritten(const T& value) {
  Arena arena;
  const typename T::Values values = to_input(value, arena);
  Bytes bytes(T::size_of(values), std::byte{0xA5});
  const auto written = T::write(values, bytes);
  if (!written || *written != bytes.size()) return {};
  return bytes;
}

}  // namespace polycodec::test
