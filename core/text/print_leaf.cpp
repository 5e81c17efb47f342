// SPDX-License-Identifier: MIT
#include "core/text/print.hpp"
#include "core/text/time.hpp"

namespace polycodec::text {

bool print_leaf(TextWriter& writer, const polycodec_node& n) {
  TextOut& out = writer.out();
  const auto size = static_cast<std::size_t>(polycodec_node_size(&n));
  switch (n.kind) {
    case POLYCODEC_KIND_NULL:
      out.put("null");
      return true;
    case POLYCODEC_KIND_BOOLEAN:
      out.put(n.as.u64 != 0 ? "true" : "false");
      return true;
    case POLYCODEC_KIND_SIGNED:
      out.put_with([&](char* p) { return write_signed(p, n.as.i64); });
      return true;
    case POLYCODEC_KIND_UNSIGNED:
      out.put_with([&](char* p) { return write_unsigned(p, n.as.u64); });
      return true;
    case POLYCODEC_KIND_FLOAT:
      if (n.dtype == POLYCODEC_DTYPE_FLOAT32)
        put_float(out, n.as.f32);
      else if (n.dtype == POLYCODEC_DTYPE_FLOAT16)
        put_half(out, static_cast<std::uint16_t>(n.as.u64));
      else
        put_double(out, n.as.f64);
      return true;
    case POLYCODEC_KIND_WIDE:
      put_number(out, n.as.data, n.dtype);
      return true;
    case POLYCODEC_KIND_STRING:
      writer.charge(0, size);
      put_text(out, {static_cast<const char*>(n.as.data), size});
      return true;
    case POLYCODEC_KIND_BINARY:
      writer.charge(0, size);
      put_bytes(out, n.as.data, size);
      return true;
    case POLYCODEC_KIND_TIMESTAMP:
      put_datetime(out, *n.as.time);
      return true;
    case POLYCODEC_KIND_DURATION:
      put_timedelta(out, n.as.time->count, n.as.time->unit);
      return true;
    default:
      return false;
  }
}

bool is_default_leaf(const polycodec_node& n) noexcept {
  switch (n.kind) {
    case POLYCODEC_KIND_SIGNED:
      return n.dtype == POLYCODEC_DTYPE_INT64;
    case POLYCODEC_KIND_UNSIGNED:
      return n.dtype == POLYCODEC_DTYPE_UINT64 && n.as.u64 > static_cast<std::uint64_t>(INT64_MAX);
    case POLYCODEC_KIND_FLOAT:
      return n.dtype == POLYCODEC_DTYPE_FLOAT64;
    case POLYCODEC_KIND_WIDE: {
      if (n.dtype == POLYCODEC_DTYPE_COMPLEX128) return true;
      if (!is_integer(n.dtype)) return false;
      Uint128 bits = 0;
      std::memcpy(&bits, n.as.data, sizeof bits);
      const auto value = static_cast<Int128>(bits);
      // Each of them is the first in the order int64, uint64, int128, uint128 that holds the
      // number.
      return n.dtype == POLYCODEC_DTYPE_UINT128 ? value < 0
                                                : value < INT64_MIN || value > Int128{UINT64_MAX};
    }
    case POLYCODEC_KIND_TIMESTAMP:
      return n.as.time->count != not_a_time && n.as.time->unit != POLYCODEC_UNIT_NONE &&
             n.as.time->unit != POLYCODEC_UNIT_WEEK && is_whole(*n.as.time);
    default:
      return true;
  }
}

}  // namespace polycodec::text
