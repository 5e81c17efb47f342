// SPDX-License-Identifier: MIT
#include <base/decimal.hpp>
#include <base/text_block.hpp>
#include <polycodec/byte_order.hpp>
#include <polycodec/dtype.hpp>

#include "encode.hpp"

#include <algorithm>
#include <bit>

namespace polycodec::ply {
namespace {

template <class T>
char* print_run(char* to, const Run& run, std::endian order) noexcept {
  const std::byte* p = run.data;
  for (std::uint64_t i = 0; i < run.count; ++i, p += run.stride) {
    to = print_decimal(to, load<T>(p, order));
    *to++ = ' ';
  }
  return to;
}

// Numbers with a blank behind each.
char* print_numbers(char* to, const Run& run, std::uint32_t dtype, std::endian order) noexcept {
  switch (dtype) {
    case POLYCODEC_DTYPE_INT8:
      return print_run<std::int8_t>(to, run, order);
    case POLYCODEC_DTYPE_UINT8:
      return print_run<std::uint8_t>(to, run, order);
    case POLYCODEC_DTYPE_INT16:
      return print_run<std::int16_t>(to, run, order);
    case POLYCODEC_DTYPE_UINT16:
      return print_run<std::uint16_t>(to, run, order);
    case POLYCODEC_DTYPE_INT32:
      return print_run<std::int32_t>(to, run, order);
    case POLYCODEC_DTYPE_UINT32:
      return print_run<std::uint32_t>(to, run, order);
    case POLYCODEC_DTYPE_FLOAT32:
      return print_run<float>(to, run, order);
    default:
      return print_run<double>(to, run, order);
  }
}

void print_row(TextBlock& text, const ElementSource& e, std::uint64_t row,
               std::string_view newline) {
  constexpr std::uint64_t run_items = 1024;
  for (const Source& s : e.sources) {
    const auto order =
        s.byte_order == POLYCODEC_BIG_ENDIAN ? std::endian::big : std::endian::little;
    Run run = s.row(row);
    if (s.kind != Source::Kind::scalar) {
      char* to = print_decimal(text.reserve(max_decimal_size + 1), run.count);
      *to++ = ' ';
      text.commit(to);
    }
    while (run.count != 0) {
      const Run part{run.data, std::min(run.count, run_items), run.stride};
      text.commit(
          print_numbers(text.reserve(part.count * (max_decimal_size + 1)), part, s.dtype, order));
      run.data += static_cast<std::int64_t>(part.count) * run.stride;
      run.count -= part.count;
    }
  }
  text.replace_last(newline);
}

}  // namespace

void encode_ascii_element(const Call& call, const ElementSource& element, LineEnding ending,
                          Writer& out) {
  const std::string_view newline = line_ending_text(ending);
  write_text_blocks(call, out, element.element.count,
                    [&](TextBlock& text, std::uint64_t first, std::uint64_t last) {
                      for (std::uint64_t row = first; row < last; ++row)
                        print_row(text, element, row, newline);
                    });
}

}  // namespace polycodec::ply
