// SPDX-License-Identifier: MIT
// How a View is made of parts of arrays, and what the arrays around a part say about it.
#pragma once

#include <polycodec/view.hpp>

#include <cstdint>
#include <string_view>

namespace polycodec {

struct ViewParts {
  static View range(const polycodec_array* array, std::uint64_t begin,
                    std::uint64_t count) noexcept;
  static View axis(const polycodec_array* leaf, const void* data, std::uint32_t axis) noexcept;
  template <class T>
  static T load_as(const View& element) noexcept;
  static std::uint64_t integer(const View& item) noexcept;

  /// An element of an array; the array is null for what is none.
  struct Place {
    const polycodec_array* array;
    std::uint64_t at;
  };
  /// The element that child(i) of `item` is. Null for nodes, and for the axes of a leaf, whose
  /// array the first of them is.
  static Place place_of_child(const View& item, std::uint64_t i) noexcept;
  /// The attribute `name` of the innermost array that has it, on the way from `place` to the
  /// element. Null if none has.
  static const polycodec_node* inner_attribute(Place place, std::string_view name) noexcept;
};

}  // namespace polycodec
