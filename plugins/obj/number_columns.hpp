// SPDX-License-Identifier: MIT
// Numbers of rows as columns: float64, or float32 where the caller asks for it.
#pragma once

#include <base/growing.hpp>
#include <polycodec/builder.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace polycodec::obj {

/// The columns of rows of Width numbers, which lie side by side. `numbers` is empty afterwards. For
/// `float32` each number is that of a float32 already, because the lexer rounds once.
template <std::size_t Width>
std::array<const polycodec_array*, Width> number_columns(Growing<double>& numbers, bool float32,
                                                         Builder& out) {
  const std::span<double> all = numbers.take();
  std::size_t size = sizeof(double);
  if (float32) {
    size = sizeof(float);
    // In place, because fresh memory costs more than the loop. No float overtakes its double.
    auto* const memory = reinterpret_cast<std::byte*>(all.data());
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto single = static_cast<float>(all[i]);
      std::memcpy(memory + i * size, &single, size);
    }
  }
  const auto bytes = std::as_bytes(all).first(all.size() * size);
  const std::uint32_t dtype = float32 ? POLYCODEC_DTYPE_FLOAT32 : POLYCODEC_DTYPE_FLOAT64;
  std::array<const polycodec_array*, Width> columns{};
  for (std::size_t i = 0; i < Width; ++i)
    columns[i] = out.strided(bytes, bytes.data() + (all.empty() ? 0 : i * size), all.size() / Width,
                             static_cast<std::int64_t>(Width * size), dtype,
                             static_cast<std::uint32_t>(size));
  return columns;
}

}  // namespace polycodec::obj
