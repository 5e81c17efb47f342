// SPDX-License-Identifier: MIT
#include "leaf.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace polycodec_sql {
namespace {

__extension__ using Wide = __int128;

const std::byte* place(const polycodec_array& array, std::int64_t offset) {
  return static_cast<const std::byte*>(array.data) + offset;
}

/// An element of one number in the byte order of the machine.
template <class T>
T element(const polycodec_array& array, std::int64_t offset) {
  T number;
  std::array<std::byte, sizeof(T)> bytes;
  std::memcpy(bytes.data(), place(array, offset), sizeof(T));
  if (sizeof(T) > 1 && array.byte_order != polycodec::host_byte_order)
    std::reverse(bytes.begin(), bytes.end());
  std::memcpy(&number, bytes.data(), sizeof number);
  return number;
}

/// Calls put(i, offset) for each element that is there, and makes the others NULL.
template <class Put>
void each(duckdb_vector vector, std::uint64_t at, const SqlType& type, const Places& places,
          Put&& put) {
  for (std::uint64_t i = 0; i < places.size; ++i) {
    const std::int64_t offset = places[i];
    if (offset == Places::missing)
      put_null(vector, at + i, type);
    else
      put(i, offset);
  }
}

/// Elements that the engine keeps as they are.
template <class T>
void copy(duckdb_vector vector, std::uint64_t at, const SqlType& type, const polycodec_array& array,
          const Places& places) {
  T* out = static_cast<T*>(duckdb_vector_get_data(vector)) + at;
  const bool swapped = sizeof(T) > 1 && array.byte_order != polycodec::host_byte_order;
  if (places.list == nullptr && !swapped) {
    if (places.step == static_cast<std::int64_t>(sizeof(T))) {
      if (places.size != 0) std::memcpy(out, place(array, places.first), places.size * sizeof(T));
      return;
    }
    for (std::uint64_t i = 0; i < places.size; ++i)
      std::memcpy(out + i, place(array, places[i]), sizeof(T));
    return;
  }
  each(vector, at, type, places,
       [&](std::uint64_t i, std::int64_t offset) { out[i] = element<T>(array, offset); });
}

/// An integer of a leaf.
Wide integer(const polycodec_array& array, std::int64_t offset) {
  switch (array.dtype) {
    case POLYCODEC_DTYPE_INT8:
      return element<std::int8_t>(array, offset);
    case POLYCODEC_DTYPE_INT16:
      return element<std::int16_t>(array, offset);
    case POLYCODEC_DTYPE_INT32:
      return element<std::int32_t>(array, offset);
    case POLYCODEC_DTYPE_UINT8:
      return element<std::uint8_t>(array, offset);
    case POLYCODEC_DTYPE_UINT16:
      return element<std::uint16_t>(array, offset);
    case POLYCODEC_DTYPE_UINT32:
      return element<std::uint32_t>(array, offset);
    case POLYCODEC_DTYPE_UINT64:
      return element<std::uint64_t>(array, offset);
    case POLYCODEC_DTYPE_INT128:
    case POLYCODEC_DTYPE_UINT128:
      return element<Wide>(array, offset);
    default:
      return element<std::int64_t>(array, offset);
  }
}

double real(const polycodec_array& array, std::int64_t offset) {
  if (array.dtype == POLYCODEC_DTYPE_FLOAT16)
    return static_cast<double>(polycodec::half_to_float(element<std::uint16_t>(array, offset)));
  if (array.dtype == POLYCODEC_DTYPE_FLOAT32)
    return static_cast<double>(element<float>(array, offset));
  if (array.dtype == POLYCODEC_DTYPE_FLOAT64) return element<double>(array, offset);
  return static_cast<double>(integer(array, offset));
}

/// Numbers of a wider type than the leaf's.
template <class T>
void widen(duckdb_vector vector, std::uint64_t at, const SqlType& type,
           const polycodec_array& array, const Places& places) {
  T* out = static_cast<T*>(duckdb_vector_get_data(vector)) + at;
  each(vector, at, type, places, [&](std::uint64_t i, std::int64_t offset) {
    if constexpr (std::is_floating_point_v<T>)
      out[i] = static_cast<T>(real(array, offset));
    else
      out[i] = static_cast<T>(integer(array, offset));
  });
}

template <class T>
void numbers(duckdb_vector vector, std::uint64_t at, const SqlType& type,
             const polycodec_array& array, const Places& places, bool same) {
  if (same)
    copy<T>(vector, at, type, array, places);
  else
    widen<T>(vector, at, type, array, places);
}

/// The same for integers of 128 bits: their halves lie as the engine has them.
void wide_numbers(duckdb_vector vector, std::uint64_t at, const SqlType& type,
                  const polycodec_array& array, const Places& places) {
  auto* out = static_cast<std::byte*>(duckdb_vector_get_data(vector)) + at * sizeof(Wide);
  each(vector, at, type, places, [&](std::uint64_t i, std::int64_t offset) {
    const Wide number = integer(array, offset);
    const duckdb_hugeint parts{static_cast<std::uint64_t>(number),
                               static_cast<std::int64_t>(number >> 64)};
    std::memcpy(out + i * sizeof parts, &parts, sizeof parts);
  });
}

[[noreturn]] void no_such_time(std::int64_t count) {
  throw Failure("time " + std::to_string(count) + " is outside of the range of the type of SQL");
}

std::int64_t times(std::int64_t count, std::int64_t factor) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(count, factor, &product)) no_such_time(count);
  return product;
}

/// Days from 1970-01-01 to the first day of a month, counted from January 1970. The calendar goes
/// on in both directions, in eras of 400 years.
std::int64_t days_of_month(std::int64_t month) {
  const std::int64_t from_march = month - 2;  // so that a leap day ends a year
  const std::int64_t year = (from_march >= 0 ? from_march : from_march - 11) / 12;
  const std::int64_t in_year = from_march - year * 12;
  const std::int64_t since = year + 1970;
  const std::int64_t era = (since >= 0 ? since : since - 399) / 400, of_era = since - era * 400;
  const std::int64_t day = (153 * in_year + 2) / 5 + of_era * 365 + of_era / 4 - of_era / 100;
  return era * 146097 + day - 719468;
}

/// Calls put(i, count) for the times of a leaf; "not a time" becomes NULL.
template <class Put>
void each_time(duckdb_vector vector, std::uint64_t at, const SqlType& type,
               const polycodec_array& array, const Places& places, Put&& put) {
  each(vector, at, type, places, [&](std::uint64_t i, std::int64_t offset) {
    const auto count = element<std::int64_t>(array, offset);
    if (count == INT64_MIN)
      put_null(vector, at + i, type);
    else
      put(i, count);
  });
}

void dates(duckdb_vector vector, std::uint64_t at, const SqlType& type,
           const polycodec_array& array, const Places& places) {
  auto* out = static_cast<std::int32_t*>(duckdb_vector_get_data(vector)) + at;
  each_time(vector, at, type, array, places, [&](std::uint64_t i, std::int64_t count) {
    if (std::abs(count) > INT32_MAX) no_such_time(count);
    const std::int64_t days = array.unit == POLYCODEC_UNIT_YEAR    ? days_of_month(count * 12)
                              : array.unit == POLYCODEC_UNIT_MONTH ? days_of_month(count)
                              : array.unit == POLYCODEC_UNIT_WEEK  ? count * 7
                                                                   : count;
    // The two largest numbers are the engine's infinities.
    if (days <= -INT32_MAX || days >= INT32_MAX) no_such_time(count);
    out[i] = static_cast<std::int32_t>(days);
  });
}

void timestamps(duckdb_vector vector, std::uint64_t at, const SqlType& type,
                const polycodec_array& array, const Places& places) {
  auto* out = static_cast<std::int64_t*>(duckdb_vector_get_data(vector)) + at;
  const std::int64_t factor = array.unit == POLYCODEC_UNIT_HOUR     ? 3600
                              : array.unit == POLYCODEC_UNIT_MINUTE ? 60
                                                                    : 1;
  each_time(vector, at, type, array, places, [&](std::uint64_t i, std::int64_t count) {
    out[i] = times(count, factor);
    if (type.id != DUCKDB_TYPE_BIGINT && (out[i] == INT64_MAX || out[i] == -INT64_MAX))
      no_such_time(count);
  });
}

void intervals(duckdb_vector vector, std::uint64_t at, const SqlType& type,
               const polycodec_array& array, const Places& places) {
  auto* out = static_cast<duckdb_interval*>(duckdb_vector_get_data(vector)) + at;
  // Months, or microseconds, of each unit from years on.
  constexpr std::array<std::int64_t, 10> factors = {
      0, 12, 1, 604'800'000'000, 86'400'000'000, 3'600'000'000, 60'000'000, 1'000'000, 1'000, 1};
  each_time(vector, at, type, array, places, [&](std::uint64_t i, std::int64_t count) {
    const std::int64_t amount = times(count, factors[array.unit]);
    const bool months = array.unit <= POLYCODEC_UNIT_MONTH;
    if (months && (amount > INT32_MAX || amount < INT32_MIN)) no_such_time(count);
    out[i] = months ? duckdb_interval{static_cast<std::int32_t>(amount), 0, 0}
                    : duckdb_interval{0, 0, amount};
  });
}

/// A fixed-width string without its padding, as UTF-8.
std::string fixed_text(const polycodec_array& array, std::int64_t offset) {
  polycodec_array one = array;
  one.ndim = 0;
  one.data = place(array, offset);
  std::string scratch;
  return std::string(View(one).as_string(scratch));
}

void texts(duckdb_vector vector, std::uint64_t at, const SqlType& type,
           const polycodec_array& array, const Places& places) {
  each(vector, at, type, places, [&](std::uint64_t i, std::int64_t offset) {
    if (type.id == DUCKDB_TYPE_BLOB)
      put_bytes(vector, at + i, type,
                {reinterpret_cast<const char*>(place(array, offset)), array.item_size});
    else
      put_bytes(vector, at + i, type, fixed_text(array, offset));
  });
}

/// The two parts of complex numbers, each as a leaf of its own.
void complexes(duckdb_vector vector, std::uint64_t at, const SqlType& type,
               const polycodec_array& array, const Places& places) {
  polycodec_array part = array;
  part.item_size = array.item_size / 2;
  part.dtype = array.dtype == POLYCODEC_DTYPE_COMPLEX32   ? POLYCODEC_DTYPE_FLOAT16
               : array.dtype == POLYCODEC_DTYPE_COMPLEX64 ? POLYCODEC_DTYPE_FLOAT32
                                                          : POLYCODEC_DTYPE_FLOAT64;
  for (std::uint64_t i = 0; i < places.size; ++i)
    if (places[i] == Places::missing) put_null(vector, at + i, type);
  for (std::size_t k = 0; k < 2; ++k) {
    put_leaf(duckdb_struct_vector_get_child(vector, k), at, type.children[k], part, places);
    part.data = static_cast<const std::byte*>(array.data) + part.item_size;
  }
}

}  // namespace

void put_leaf(duckdb_vector vector, std::uint64_t at, const SqlType& type,
              const polycodec_array& array, const Places& places) {
  const bool half = array.dtype == POLYCODEC_DTYPE_FLOAT16;
  const auto same = [&](std::size_t size, bool floating) {
    return array.item_size == size && polycodec::is_float(array.dtype) == floating && !half;
  };
  if (array.dtype == POLYCODEC_DTYPE_DURATION64 && type.id == DUCKDB_TYPE_INTERVAL)
    return intervals(vector, at, type, array, places);
  if (array.dtype == POLYCODEC_DTYPE_DURATION64 || array.dtype == POLYCODEC_DTYPE_TIMESTAMP64)
    return type.id == DUCKDB_TYPE_DATE ? dates(vector, at, type, array, places)
                                       : timestamps(vector, at, type, array, places);
  switch (type.id) {
    case DUCKDB_TYPE_BOOLEAN:
      return copy<std::uint8_t>(vector, at, type, array, places);
    case DUCKDB_TYPE_TINYINT:
      return numbers<std::int8_t>(vector, at, type, array, places, same(1, false));
    case DUCKDB_TYPE_SMALLINT:
      return numbers<std::int16_t>(vector, at, type, array, places, same(2, false));
    case DUCKDB_TYPE_INTEGER:
      return numbers<std::int32_t>(vector, at, type, array, places, same(4, false));
    case DUCKDB_TYPE_BIGINT:
      return numbers<std::int64_t>(vector, at, type, array, places, same(8, false));
    case DUCKDB_TYPE_UTINYINT:
      return numbers<std::uint8_t>(vector, at, type, array, places, same(1, false));
    case DUCKDB_TYPE_USMALLINT:
      return numbers<std::uint16_t>(vector, at, type, array, places, same(2, false));
    case DUCKDB_TYPE_UINTEGER:
      return numbers<std::uint32_t>(vector, at, type, array, places, same(4, false));
    case DUCKDB_TYPE_UBIGINT:
      return numbers<std::uint64_t>(vector, at, type, array, places, same(8, false));
    case DUCKDB_TYPE_HUGEINT:
    case DUCKDB_TYPE_UHUGEINT:
      return wide_numbers(vector, at, type, array, places);
    case DUCKDB_TYPE_FLOAT:
      return numbers<float>(vector, at, type, array, places, same(4, true));
    case DUCKDB_TYPE_DOUBLE:
      return numbers<double>(vector, at, type, array, places, same(8, true));
    case DUCKDB_TYPE_STRUCT:
      return complexes(vector, at, type, array, places);
    default:
      return texts(vector, at, type, array, places);
  }
}

void put_bytes(duckdb_vector vector, std::uint64_t at, const SqlType& type,
               std::string_view bytes) {
  if (bytes.size() > UINT32_MAX)
    throw Failure("text of " + std::to_string(bytes.size()) + " bytes: SQL has at most 4 GiB");
  if (type.id == DUCKDB_TYPE_VARCHAR) {
    const Owned<duckdb_error_data> problem(duckdb_valid_utf8_check(bytes.data(), bytes.size()));
    if (problem != nullptr)
      throw Failure(
          "text is not UTF-8: VARCHAR must be; read the file with 'polycodec' and repair it");
  }
  duckdb_unsafe_vector_assign_string_element_len(vector, at, bytes.data(), bytes.size());
}

void put_null(duckdb_vector vector, std::uint64_t at, const SqlType& type) {
  duckdb_vector_ensure_validity_writable(vector);
  duckdb_validity_set_row_invalid(duckdb_vector_get_validity(vector), at);
  // The engine reads members of a struct without looking at the struct.
  if (type.id == DUCKDB_TYPE_STRUCT)
    for (std::size_t i = 0; i < type.children.size(); ++i)
      put_null(duckdb_struct_vector_get_child(vector, i), at, type.children[i]);
  if (type.id == DUCKDB_TYPE_UNION)
    for (std::size_t i = 0; i <= type.children.size(); ++i)
      put_null(duckdb_struct_vector_get_child(vector, i), at,
               i == 0 ? SqlType{DUCKDB_TYPE_UTINYINT} : type.children[i - 1]);
  if (type.id == DUCKDB_TYPE_ARRAY)
    for (std::uint64_t i = 0; i < type.size; ++i)
      put_null(duckdb_array_vector_get_child(vector), at * type.size + i, type.children[0]);
  if (type.id == DUCKDB_TYPE_LIST)
    static_cast<duckdb_list_entry*>(duckdb_vector_get_data(vector))[at] = {
        duckdb_list_vector_get_size(vector), 0};
}

}  // namespace polycodec_sql
