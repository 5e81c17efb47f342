// SPDX-License-Identifier: MIT
#include <polycodec/byte_order.hpp>
#include <polycodec/dtype.hpp>
#include <polycodec/path.hpp>

#include "columns.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace polycodec::ply {
namespace {

// What the numbers of a column have in common.
struct Census {
  std::uint32_t dtype = POLYCODEC_DTYPE_NONE;  // of all of them
  bool same = true;
  bool integers = false;
  bool reals = false;
  bool wide_reals = false;  // float64
  bool inexact = false;     // an integer that float64 does not hold
  std::int64_t least = 0;
  std::uint64_t greatest = 0;

  /// True if an integer has been seen that PLY has no type for.
  bool beyond() const noexcept { return least < INT32_MIN || greatest > UINT32_MAX; }

  void add(const View& item) {
    const std::uint32_t d = item.dtype();
    same = same && (dtype == POLYCODEC_DTYPE_NONE || dtype == d);
    dtype = d;
    switch (item.kind()) {
      case POLYCODEC_KIND_BOOLEAN:
        integers = true;
        greatest = std::max<std::uint64_t>(greatest, 1);
        break;
      case POLYCODEC_KIND_SIGNED: {
        const std::int64_t value = item.as_int64();
        integers = true;
        least = std::min(least, value);
        inexact =
            inexact || !is_exact(value < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(value)
                                           : static_cast<std::uint64_t>(value));
        if (value > 0) greatest = std::max(greatest, static_cast<std::uint64_t>(value));
        break;
      }
      case POLYCODEC_KIND_UNSIGNED:
        integers = true;
        greatest = std::max(greatest, item.as_uint64());
        inexact = inexact || !is_exact(item.as_uint64());
        break;
      case POLYCODEC_KIND_FLOAT:
        reals = true;
        wide_reals = wide_reals || d == POLYCODEC_DTYPE_FLOAT64;
        break;
      default:
        throw Error(Status::type,
                    "PLY holds numbers, not " +
                        std::string(kind_name(static_cast<std::uint8_t>(item.kind()))))
            .detail("ply.no_number");
    }
  }

  static bool is_exact(std::uint64_t magnitude) noexcept {
    return magnitude <= (std::uint64_t{1} << 53) ||
           (magnitude & ((std::uint64_t{1} << (11 - std::countl_zero(magnitude))) - 1)) == 0;
  }

  // The type of the column; parts of colors are bytes if they can be.
  std::uint32_t choose(bool color) const {
    if (dtype == POLYCODEC_DTYPE_NONE) return POLYCODEC_DTYPE_INT32;
    if (same && !type_word(dtype, true).empty()) return dtype;
    if (same && dtype == POLYCODEC_DTYPE_BOOLEAN) return POLYCODEC_DTYPE_UINT8;
    if (!reals) {
      if (color && least >= 0 && greatest <= 255) return POLYCODEC_DTYPE_UINT8;
      if (least >= INT32_MIN && greatest <= static_cast<std::uint64_t>(INT32_MAX))
        return POLYCODEC_DTYPE_INT32;
      if (least >= 0 && greatest <= UINT32_MAX) return POLYCODEC_DTYPE_UINT32;
      throw Error(
          Status::range,
          "PLY has no integers of more than 32 bits, and none that are both below 0 and above " +
              std::to_string(INT32_MAX))
          .detail("ply.out_of_range");
    }
    if (inexact)
      throw Error(Status::range,
                  "numbers with fractions are mixed with an integer that a double cannot hold")
          .detail("ply.out_of_range");
    // An integer of up to 24 bits is exact in a float.
    const std::uint64_t magnitude =
        std::max(greatest, std::uint64_t{0} - static_cast<std::uint64_t>(least));
    if (!wide_reals && magnitude <= (std::uint64_t{1} << 24)) return POLYCODEC_DTYPE_FLOAT32;
    return POLYCODEC_DTYPE_FLOAT64;
  }
};

template <class T>
void put(std::vector<std::byte>& bytes, T value) {
  const auto* p = reinterpret_cast<const std::byte*>(&value);
  bytes.insert(bytes.end(), p, p + sizeof value);
}

void put_number(std::vector<std::byte>& bytes, std::uint32_t dtype, const View& item) {
  if (item.kind() == POLYCODEC_KIND_BOOLEAN) {
    const std::uint8_t value = item.as_bool() ? 1 : 0;
    if (dtype == POLYCODEC_DTYPE_UINT8) return put(bytes, value);
    if (dtype == POLYCODEC_DTYPE_INT32 || dtype == POLYCODEC_DTYPE_UINT32)
      return put(bytes, std::uint32_t{value});
    return dtype == POLYCODEC_DTYPE_FLOAT32 ? put(bytes, static_cast<float>(value))
                                            : put(bytes, static_cast<double>(value));
  }
  switch (dtype) {
    case POLYCODEC_DTYPE_FLOAT32:
      if (item.dtype() == POLYCODEC_DTYPE_FLOAT32) break;
      return put(bytes, static_cast<float>(item.as_double()));
    case POLYCODEC_DTYPE_FLOAT64:
      if (item.dtype() == POLYCODEC_DTYPE_FLOAT64) break;
      return put(bytes, item.as_double());
    case POLYCODEC_DTYPE_INT32:
      return put(bytes, static_cast<std::int32_t>(item.as_int64()));
    case POLYCODEC_DTYPE_UINT32:
      return put(bytes, static_cast<std::uint32_t>(item.as_uint64()));
    case POLYCODEC_DTYPE_UINT8:
      return put(bytes, static_cast<std::uint8_t>(item.as_uint64()));
    default:
      break;
  }
  // The same type: bit for bit, so that a NaN keeps its payload.
  std::byte bits[16];
  const std::uint32_t size = item.copy_bits(bits);
  bytes.insert(bytes.end(), bits, bits + size);
}

std::string place(const std::string& path, std::uint64_t row, bool list, std::uint64_t index) {
  std::string at = path + index_step(row);
  if (list) at.append("[").append(std::to_string(index)).append("]");
  return at;
}

}  // namespace

Source convert_column(std::uint64_t rows, const GetItem& get, Table& table, const std::string& path,
                      bool color) {
  std::uint64_t row = 0;
  std::uint64_t index = 0;
  bool lists = false;
  std::string culprit = path;  // what an error of the whole column is said of
  try {
    Census census;
    const auto add = [&](const View& item) {
      const bool before = census.beyond();
      census.add(item);
      if (!before && census.beyond()) culprit = place(path, row, lists, index);
    };
    for (row = 0; row < rows; ++row) {
      const View item = get(row);
      if (row == 0) lists = item.is_list();
      if (item.is_list() != lists) {
        lists = false;
        throw Error(Status::type, "a property is a number in all rows, or a list in all rows")
            .detail("ply.bad_element");
      }
      if (!lists) {
        add(item);
        continue;
      }
      for (index = 0; index < item.size(); ++index) add(item.child(index));
    }
    Source source;
    source.dtype = census.choose(color);
    source.byte_order = host_byte_order;
    const std::uint32_t size = dtype_size(source.dtype);
    std::vector<std::byte>& bytes = table.bytes.emplace_back();
    std::vector<std::uint64_t>* offsets = nullptr;
    if (lists) {
      offsets = &table.offsets.emplace_back();
      offsets->reserve(static_cast<std::size_t>(rows) + 1);
      offsets->push_back(0);
    }
    for (row = 0; row < rows; ++row) {
      const View item = get(row);
      if (!lists) {
        put_number(bytes, source.dtype, item);
        continue;
      }
      for (index = 0; index < item.size(); ++index)
        put_number(bytes, source.dtype, item.child(index));
      offsets->push_back(bytes.size() / size);
    }
    source.data = bytes.data();
    source.item_stride = size;
    if (lists) {
      source.kind = Source::Kind::list;
      source.offsets = offsets->data();
    } else {
      source.row_stride = size;
    }
    return source;
  } catch (Error& error) {
    error.path(row == rows ? culprit : place(path, row, lists, index));
    throw;
  }
}

}  // namespace polycodec::ply
