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
#include <string_view>

namespace polycodec::obj {

/// The columns of rows of Width numbers, which lie side by side. `numbers` is empty afterwards. For
/// `float32` each number is that of a float32 already, because the lexer rounds once.
template <std::size_t Width>
std::array<const polycodec_array*, Width> number_columns(Growing<double>& numbers, bool float32,
                                                         Builder& out) {
  const std::span<const double> all = numbers.take();
  const std::size_t count = all.size();
  // Nobody else has them yet.
  auto* const memory = reinterpret_cast<char*>(const_cast<double*>(all.data()));
  const std::size_t size = float32 ? sizeof(float) : sizeof(double);
  // In place, because fresh memory costs more than the loop. No float overtakes its double.
  for (std::size_t i = 0; i < count && float32; ++i) {
    const auto single = static_cast<float>(all[i]);
    std::memcpy(memory + i * size, &single, size);
  }
  const std::string_view bytes(memory, count * size);
  const std::uint32_t dtype = float32 ? POLYCODEC_DTYPE_FLOAT32 : POLYCODEC_DTYPE_FLOAT64;
  std::array<const polycodec_array*, Width> columns{};
  for (std::size_t i = 0; i < Width; ++i)
    columns[i] = out.strided(bytes, memory + (count == 0 ? 0 : i * size), count / Width,
                             static_cast<std::int64_t>(Width * size), dtype,
                             static_cast<std::uint32_t>(size));
  return columns;
}

}  // namespace polycodec::obj
