// SPDX-License-Identifier: MIT
// The option `float32`: columns of doubles as columns of floats.
#include <polycodec/byte_order.hpp>
#include <polycodec/dtype.hpp>
#include <polycodec/path.hpp>

#include "decode.hpp"

#include <algorithm>
#include <bit>

namespace polycodec::ply {
namespace {

// The leaf as one of floats, row by row. Adds the numbers that change to `rounded`.
polycodec_array* narrowed(const Call& call, Builder& out, const polycodec_array& leaf,
                          std::uint64_t& rounded) {
  const std::endian order =
      leaf.byte_order == POLYCODEC_BIG_ENDIAN ? std::endian::big : std::endian::little;
  const std::span shape(leaf.shape, leaf.ndim);
  const auto columns = static_cast<std::uint64_t>(leaf.ndim > 1 ? shape[1] : 1);
  auto* const floats = out.allocate<float>(leaf.length * columns);
  constexpr std::uint64_t block = 1 << 14;
  std::uint64_t in_block = 0;
  float* to = floats;
  for (std::uint64_t row = 0; row < leaf.length; ++row) {
    const auto* from =
        static_cast<const std::byte*>(leaf.data) + static_cast<std::int64_t>(row) * leaf.strides[0];
    for (std::uint64_t i = 0; i < columns; ++i, ++to) {
      if (in_block++ % block == 0) call.tick(block);
      const auto number = load<double>(from + i * sizeof(double), order);
      *to = static_cast<float>(number);
      const bool same = static_cast<double>(*to) == number || number != number;
      rounded += same ? 0 : 1;
    }
  }
  return out.ndarray(bytes_of(std::span<const float>(floats, to)), POLYCODEC_DTYPE_FLOAT32,
                     sizeof(float), shape);
}

}  // namespace

void narrow_doubles(const Call& call, Builder& out, Element& element, Columns& columns,
                    bool old_names, Losses& losses) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    Property& p = element.properties[i];
    if (columns[i] == nullptr || p.dtype != POLYCODEC_DTYPE_FLOAT64) continue;
    std::uint64_t rounded = 0;
    if (columns[i]->layout == POLYCODEC_LAYOUT_NDARRAY)
      columns[i] = narrowed(call, out, *columns[i], rounded);
    else
      columns[i]->children =
          out.store<const polycodec_array*>(narrowed(call, out, *columns[i]->children[0], rounded));
    p.dtype = POLYCODEC_DTYPE_FLOAT32;
    p.type_word = type_word(p.dtype, old_names);
    const std::string path = "$" + key_step(element.name) + key_step(p.name);
    if (rounded == 0)
      losses.add(path, "float64 -> float32", LossClass::retyped);
    else
      losses.add(path, std::to_string(rounded) + " numbers that float32 rounds");
  }
}

}  // namespace polycodec::ply
