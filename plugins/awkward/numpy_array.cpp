// SPDX-License-Identifier: MIT
#include <base/contiguous.hpp>
#include <base/fixed_text.hpp>
#include <polycodec/array_view.hpp>
#include <polycodec/byte_order.hpp>
#include <polycodec/error.hpp>
#include <polycodec/quote.hpp>
#include <polycodec/utf.hpp>

#include "array_parts.hpp"
#include "numpy.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace polycodec::awkward {

bool elements_are_valid(const polycodec_array& leaf) {
  const bool text = leaf.dtype == POLYCODEC_DTYPE_FIXED_UTF8 ||
                    leaf.dtype == POLYCODEC_DTYPE_FIXED_UTF16 ||
                    leaf.dtype == POLYCODEC_DTYPE_FIXED_UTF32;
  const ArrayView view(leaf);
  if ((!text && leaf.dtype != POLYCODEC_DTYPE_BOOLEAN) || leaf.item_size == 0 ||
      view.element_count() == 0)
    return true;
  const auto order =
      leaf.byte_order == POLYCODEC_LITTLE_ENDIAN ? std::endian::little : std::endian::big;
  bool valid = true;
  for_each_run(view, [&](const std::byte* p, std::uint64_t items, std::int64_t stride) {
    for (std::uint64_t i = 0; i < items && valid; ++i, p += stride)
      valid = text ? is_fixed_text(p, leaf.dtype, leaf.item_size, order)
                   : std::to_integer<unsigned>(*p) <= 1;
  });
  return valid;
}

namespace {

/// Where elements lie: the first of them, and an extent and a stride in bytes for each axis.
struct Place {
  std::string_view buffer;
  const std::byte* data;
  std::vector<std::int64_t> shape, strides;

  std::uint64_t count() const {
    std::uint64_t n = 1;
    for (const std::int64_t extent : shape) n *= static_cast<std::uint64_t>(extent);
    return n;
  }
  /// Calls use(element) for each, in C order.
  template <class Use>
  void for_each(Use use) const {
    const std::uint64_t n = count();
    std::vector<std::int64_t> at(shape.size(), 0);
    const std::byte* p = data;
    for (std::uint64_t i = 0; i < n; ++i) {
      use(p);
      for (std::size_t axis = shape.size(); axis-- > 0;) {
        p += strides[axis];
        if (++at[axis] < shape[axis]) break;
        p -= shape[axis] * strides[axis];
        at[axis] = 0;
      }
    }
  }
};

/// numpy takes any byte that is not 0 for true; here a boolean is 0 or 1. A copy only where
/// there are others.
Place to_booleans(Builder& out, const Place& place) {
  const std::uint64_t count = place.count();
  const bool packed = place.strides.size() == 1 && place.strides[0] == 1;
  unsigned all = 0;
  const auto collect = [&](const std::byte* p) { all |= std::to_integer<unsigned>(*p); };
  if (packed) {
    for (std::uint64_t i = 0; i < count; ++i) collect(place.data + i);
  } else {
    place.for_each(collect);
  }
  if (all <= 1) return place;
  auto* copy = out.allocate<std::byte>(count);
  std::byte* to = copy;
  place.for_each(
      [&](const std::byte* p) { *to++ = *p == std::byte{0} ? std::byte{0} : std::byte{1}; });
  Place made{to_string_view(copy, count), copy, place.shape, place.strides};
  std::int64_t stride = 1;
  for (std::size_t axis = made.shape.size(); axis-- > 0;
       stride *= std::max<std::int64_t>(made.shape[axis], 1))
    made.strides[axis] = stride;
  return made;
}

polycodec_array* leaf(Builder& out, const NumpyType& type, const Place& given) {
  const Place place = type.dtype == POLYCODEC_DTYPE_BOOLEAN ? to_booleans(out, given) : given;
  polycodec_array* a =
      out.ndarray(place.buffer, type.dtype, static_cast<std::uint32_t>(type.base_size), place.shape,
                  dtype_swap_width(type.dtype) == 1 ? host_byte_order : type.byte_order);
  a->data = place.data;
  a->unit = type.unit;
  std::copy(place.strides.begin(), place.strides.end(), const_cast<std::int64_t*>(a->strides));
  if (!elements_are_valid(*a))
    throw Error(Status::malformed, "an element of dtype " + quote(type.name) + " is not valid text")
        .detail("buffer.text");
  if (type.opaque != nullptr)
    a->metadata = out.store(out.object(
        {{"dtype", out.string_copy(type.name)}, {"reason", Builder::string_view(type.opaque)}}));
  return a;
}

/// Byte strings without the zeros at their end: as they are if none has any.
const polycodec_array* byte_strings(Builder& out, const NumpyType& type, const Place& place) {
  bool padded = false;
  const std::uint64_t size = type.base_size;
  if (size != 0) place.for_each([&](const std::byte* p) { padded |= p[size - 1] == std::byte{0}; });
  if (!padded) return leaf(out, type, place);
  const std::uint64_t count = place.count();
  auto* starts = out.allocate<std::int64_t>(count * 2);
  auto* stops = starts + count;
  std::uint64_t i = 0;
  place.for_each([&](const std::byte* p) {
    std::uint64_t length = size;
    while (length != 0 && p[length - 1] == std::byte{0}) --length;
    starts[i] = p - reinterpret_cast<const std::byte*>(place.buffer.data());
    stops[i] = starts[i] + static_cast<std::int64_t>(length);
    ++i;
  });
  const auto* content = out.vector(
      std::span(reinterpret_cast<const std::uint8_t*>(place.buffer.data()), place.buffer.size()));
  polycodec_array* a = out.with_children(POLYCODEC_LAYOUT_LIST_VIEW, count, {{content}});
  a->starts = Builder::column(std::span<const std::int64_t>(starts, count));
  a->stops = Builder::column(std::span<const std::int64_t>(stops, count));
  a->flags = POLYCODEC_ARRAY_BINARY;
  return nested(out, place.shape, a);
}

/// The same elements with one axis: where they lie evenly a view, otherwise a copy.
Place flattened(Builder& out, const Place& place, std::uint64_t element_size) {
  const std::uint64_t count = place.count();
  bool even = true;
  for (std::size_t axis = 0; axis + 1 < place.shape.size(); ++axis)
    even = even && place.strides[axis] == place.shape[axis + 1] * place.strides[axis + 1];
  if (even || count == 0 || element_size == 0)
    return {place.buffer, place.data, {static_cast<std::int64_t>(count)}, {place.strides.back()}};
  auto* copy = out.allocate<std::byte>(count * element_size);
  std::byte* to = copy;
  place.for_each([&](const std::byte* p) {
    std::memcpy(to, p, static_cast<std::size_t>(element_size));
    to += element_size;
  });
  return {to_string_view(copy, count * element_size),
          copy,
          {static_cast<std::int64_t>(count)},
          {static_cast<std::int64_t>(element_size)}};
}

const polycodec_array* build(Builder& out, const NumpyType& type, Place place) {
  auto stride = static_cast<std::int64_t>(type.base_size);
  const std::size_t outer = place.shape.size();
  place.shape.insert(place.shape.end(), type.shape.begin(), type.shape.end());
  place.strides.resize(place.shape.size());
  for (std::size_t axis = place.shape.size(); axis-- > outer;) {
    place.strides[axis] = stride;
    stride *= std::max<std::int64_t>(place.shape[axis], 1);
  }
  if (type.zero_ends) return byte_strings(out, type, place);
  if (type.dtype != POLYCODEC_DTYPE_NONE) return leaf(out, type, place);
  const Place rows = flattened(out, place, type.base_size);
  std::vector<std::string_view> names;
  std::vector<const polycodec_array*> columns;
  for (const NumpyType::Field& field : type.fields) {
    Place at = rows;
    if (at.data != nullptr) at.data += field.offset;
    names.push_back(field.name);
    columns.push_back(build(out, field.type, std::move(at)));
  }
  return nested(out, place.shape, out.record(rows.count(), names, columns));
}

}  // namespace

const polycodec_array* numpy_array(Builder& out, const NumpyType& type, std::string_view bytes,
                                   std::uint64_t count) {
  return build(out, type,
               Place{bytes,
                     reinterpret_cast<const std::byte*>(bytes.data()),
                     {static_cast<std::int64_t>(count)},
                     {static_cast<std::int64_t>(type.item_size)}});
}

}  // namespace polycodec::awkward
