// SPDX-License-Identifier: MIT
#include "text_print.hpp"
#include "text_time.hpp"

namespace polycodec::text {

bool Printer::leaf(const polycodec_node& n) {
  const auto size = static_cast<std::size_t>(polycodec_node_size(&n));
  switch (n.kind) {
    case POLYCODEC_NULL:
      out_.put("null");
      return true;
    case POLYCODEC_BOOLEAN:
      out_.put(n.as.u64 != 0 ? "true" : "false");
      return true;
    case POLYCODEC_SIGNED:
      out_.put_with([&](char* p) { return write_signed(p, n.as.i64); });
      return true;
    case POLYCODEC_UNSIGNED:
      out_.put_with([&](char* p) { return write_unsigned(p, n.as.u64); });
      return true;
    case POLYCODEC_REAL:
      if (n.dtype == POLYCODEC_FLOAT32)
        put_float(out_, n.as.f32);
      else if (n.dtype == POLYCODEC_FLOAT16)
        put_half(out_, static_cast<std::uint16_t>(n.as.u64));
      else
        put_double(out_, n.as.f64);
      return true;
    case POLYCODEC_WIDE:
      put_number(out_, n.as.data, n.dtype);
      return true;
    case POLYCODEC_STRING:
      put_text(out_, {static_cast<const char*>(n.as.data), size});
      return true;
    case POLYCODEC_BINARY:
      put_bytes(out_, n.as.data, size);
      return true;
    case POLYCODEC_DATETIME:
      put_datetime(out_, *n.as.time);
      return true;
    case POLYCODEC_TIMEDELTA:
      put_timedelta(out_, n.as.time->count, n.as.time->unit);
      return true;
    default:
      return false;
  }
}

bool Printer::is_default_leaf(const polycodec_node& n) noexcept {
  switch (n.kind) {
    case POLYCODEC_SIGNED:
      return n.dtype == POLYCODEC_INT64;
    case POLYCODEC_UNSIGNED:
      return n.dtype == POLYCODEC_UINT64 && n.as.u64 > static_cast<std::uint64_t>(INT64_MAX);
    case POLYCODEC_REAL:
      return n.dtype == POLYCODEC_FLOAT64;
    case POLYCODEC_WIDE: {
      if (n.dtype == POLYCODEC_COMPLEX128) return true;
      if (!is_integer(n.dtype)) return false;
      Uint128 bits = 0;
      std::memcpy(&bits, n.as.data, sizeof bits);
      const auto value = static_cast<Int128>(bits);
      // Each of them is the first in the order int64, uint64, int128, uint128 that holds the number.
      return n.dtype == POLYCODEC_UINT128 ? value < 0 : value < INT64_MIN || value > Int128{UINT64_MAX};
    }
    case POLYCODEC_DATETIME:
      return n.as.time->count != not_a_time && n.as.time->unit != POLYCODEC_UNIT_NONE &&
             n.as.time->unit != POLYCODEC_UNIT_W && is_whole(*n.as.time);
    default:
      return true;
  }
}

}  // namespace polycodec::text
