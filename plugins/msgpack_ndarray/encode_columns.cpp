// SPDX-License-Identifier: MIT
// Columnar arrays as msgpack has them: arrays of items, records as maps, what is missing as nil.
#include <base/article.hpp>
#include <base/dtype_names.hpp>
#include <polycodec/byte_order.hpp>
#include <polycodec/utf.hpp>

#include "encode.hpp"
#include "heads.hpp"
#include "ndarray.hpp"
#include "number_heads.hpp"
#include "path.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

namespace polycodec::msgpack_ndarray {
namespace {

// Items between two looks at whether the host wants to cancel.
constexpr std::uint64_t slice = 65536;

inline std::uint8_t* write_number(std::uint8_t* o, std::int64_t value) noexcept {
  return write_signed(o, value);
}
inline std::uint8_t* write_number(std::uint8_t* o, std::uint64_t value) noexcept {
  return write_unsigned(o, value);
}
inline std::uint8_t* write_number(std::uint8_t* o, float value) noexcept {
  *o = 0xca;
  store_be(o + 1, value);
  return o + 5;
}
inline std::uint8_t* write_number(std::uint8_t* o, double value) noexcept {
  *o = 0xcb;
  store_be(o + 1, value);
  return o + 9;
}

// Writes the elements of a run, each as the number Wide.
template <class T, class Wide>
void write_run(Writer& out, const Elements& run) {
  const auto order =
      run.byte_order == POLYCODEC_BIG_ENDIAN ? std::endian::big : std::endian::little;
  const std::byte* at = run.data;
  constexpr std::uint64_t piece = 4096;
  for (std::uint64_t left = run.count; left != 0;) {
    const std::uint64_t n = left < piece ? left : piece;
    std::uint8_t* const begin = out.reserve(n * max_head);
    std::uint8_t* o = begin;
    for (std::uint64_t i = 0; i < n; ++i, at += run.stride)
      o = write_number(o, static_cast<Wide>(load<T>(at, order)));
    out.commit(static_cast<std::uint64_t>(o - begin));
    left -= n;
  }
}

// A column of numbers, and what is written before each of them.
struct PlainColumn {
  static constexpr std::uint64_t room = 48;
  std::uint8_t key[room];
  std::uint64_t key_size;
  const std::byte* at;
  std::int64_t stride;
  std::uint32_t dtype;
};

bool is_plain(const polycodec_array& column) noexcept {
  const bool is_number = column.dtype == POLYCODEC_DTYPE_BOOLEAN ||
                         column.dtype == POLYCODEC_DTYPE_FLOAT32 ||
                         column.dtype == POLYCODEC_DTYPE_FLOAT64 ||
                         (is_integer(column.dtype) && dtype_size(column.dtype) <= 8);
  return column.layout == POLYCODEC_LAYOUT_NDARRAY && column.ndim == 1 && is_number &&
         column.byte_order == host_byte_order;
}

// Writes the next number of a column with its key; PlainColumn::room + max_head bytes must be
// there.
inline std::uint8_t* write_member(std::uint8_t* o, PlainColumn& column) noexcept {
  std::memcpy(o, column.key, PlainColumn::room);
  o += column.key_size;
  const std::byte* const at = column.at;
  column.at += column.stride;
  const auto number = [&](auto type) noexcept {
    using T = decltype(type);
    const T value = load<T>(at, std::endian::native);
    const auto bits = static_cast<std::uint64_t>(value);  // of a signed one: as int64
    return write_number_node(
        o, std::is_signed_v<T> ? POLYCODEC_KIND_SIGNED : POLYCODEC_KIND_UNSIGNED, bits);
  };
  switch (column.dtype) {
    case POLYCODEC_DTYPE_BOOLEAN:
      *o = load<std::uint8_t>(at, std::endian::native) != 0 ? 0xc3 : 0xc2;
      return o + 1;
    case POLYCODEC_DTYPE_INT8:
      return number(std::int8_t{});
    case POLYCODEC_DTYPE_INT16:
      return number(std::int16_t{});
    case POLYCODEC_DTYPE_INT32:
      return number(std::int32_t{});
    case POLYCODEC_DTYPE_INT64:
      return number(std::int64_t{});
    case POLYCODEC_DTYPE_UINT8:
      return number(std::uint8_t{});
    case POLYCODEC_DTYPE_UINT16:
      return number(std::uint16_t{});
    case POLYCODEC_DTYPE_UINT32:
      return number(std::uint32_t{});
    case POLYCODEC_DTYPE_UINT64:
      return number(std::uint64_t{});
    case POLYCODEC_DTYPE_FLOAT32:
      return write_number(o, load<float>(at, std::endian::native));
    default:
      return write_number(o, load<double>(at, std::endian::native));
  }
}

}  // namespace

// The tables that most records are: false, and nothing is written, for any other ones.
bool Encoder::rows_of_numbers(const polycodec_array& records, std::uint64_t depth) {
  constexpr std::uint64_t room = std::uint64_t{1} << 16;
  if (records.layout != POLYCODEC_LAYOUT_RECORD || records.names == nullptr ||
      depth + 2 > max_depth_)
    return false;
  std::vector<PlainColumn> columns(records.n_children);
  std::uint64_t row_size = PlainColumn::room;  // the most
  for (std::uint32_t i = 0; i < records.n_children; ++i) {
    const polycodec_array& child = *records.children[i];
    const polycodec_bytes name = records.names[i];
    if (!is_plain(child) || name.size > PlainColumn::room - 2 * max_head) return false;
    PlainColumn& column = columns[i];
    std::uint8_t* o = column.key;
    if (i == 0) o = write_map_head(o, records.n_children);
    o = write_text_head(o, name.size);
    copy_text(o, name.data, name.size);
    column.key_size = static_cast<std::uint64_t>(o - column.key) + name.size;
    column.at = static_cast<const std::byte*>(child.data);
    column.stride = child.strides[0];
    column.dtype = child.dtype;
    row_size += column.key_size + max_head;
  }
  if (columns.empty() || row_size > room) return false;
  head(write_list_head, records.length);
  for (std::uint64_t left = records.length; left != 0;) {
    const std::uint64_t n = std::min(left, room / row_size);
    call_.tick(n * 4);
    std::uint8_t* const begin = out_.reserve(n * row_size);
    std::uint8_t* o = begin;
    for (std::uint64_t i = 0; i < n; ++i)
      for (PlainColumn& column : columns) o = write_member(o, column);
    out_.commit(static_cast<std::uint64_t>(o - begin));
    left -= n;
  }
  return true;
}

void Encoder::item(const View& item, std::uint64_t depth) {
  check_depth(depth);
  if (item.node() != nullptr) return node(item.node(), depth);
  lose_attributes(item.metadata());
  switch (item.kind()) {
    case POLYCODEC_KIND_NULL:
      return out_.put_u8(0xc0);
    case POLYCODEC_KIND_BOOLEAN:
      return out_.put_u8(item.as_bool() ? 0xc3 : 0xc2);
    case POLYCODEC_KIND_SIGNED:
    case POLYCODEC_KIND_UNSIGNED:
    case POLYCODEC_KIND_FLOAT:
    case POLYCODEC_KIND_WIDE:
      return number(item);
    case POLYCODEC_KIND_STRING: {
      std::string scratch;
      const std::string_view text = item.as_string(scratch);
      if (item.is_lenient_string() && !settings_.lenient_utf8 && !is_utf8(text)) bad_text();
      head(write_text_head, text.size());
      return out_.put_text(text);
    }
    case POLYCODEC_KIND_BINARY:
      head(write_binary_head, item.as_bytes().size());
      return out_.put_text(item.as_bytes());
    case POLYCODEC_KIND_LIST:
    case POLYCODEC_KIND_TUPLE:
      return items(item, depth);
    case POLYCODEC_KIND_OBJECT:
      return members(item, depth);
    case POLYCODEC_KIND_TIMESTAMP:
    case POLYCODEC_KIND_DURATION:
      return time(item.as_time(), item.kind() == POLYCODEC_KIND_DURATION);
    case POLYCODEC_KIND_UNION:
      settle_losses();
      return part(item.child(), depth + 1);
    default:
      throw Error(Status::unsupported,
                  "msgpack has nothing for " +
                      with_article(kind_name(static_cast<std::uint32_t>(item.kind()))));
  }
}

// An item may be a whole array of its own (an ARRAY node among documents inside columns).
void Encoder::part(const View& item, std::uint64_t depth) {
  if (item.array() == nullptr) return this->item(item, depth);
  array(*item.array(), item.array()->metadata, depth);
}

void Encoder::items(const View& list, std::uint64_t depth) {
  const std::uint64_t size = list.size();
  head(write_list_head, size);
  if (const auto run = list.elements(); run && run_of_elements(*run)) return;
  std::uint64_t i = 0;
  try {
    for (; i != size; ++i) {
      if (i % slice == 0) call_.tick(std::min(slice, size - i) * 4);
      part(list.child(i), depth + 1);
    }
  } catch (const Error& e) {
    throw Error(e).path(placed(index_step(i), e.path()));
  }
}

void Encoder::members(const View& object, std::uint64_t depth) {
  const std::uint64_t size = object.size();
  head(write_map_head, size);
  std::uint64_t i = 0;
  try {
    for (; i != size; ++i) {
      const std::string_view name = object.name(i);
      head(write_text_head, name.size());
      out_.put_text(name);
      part(object.child(i), depth + 1);
    }
  } catch (const Error& e) {
    throw Error(e).path(placed(key_step(object.name(i)), e.path()));
  }
}

// The rows of numbers that most columns are made of; false for elements that need more thought.
bool Encoder::run_of_elements(const Elements& run) {
  switch (run.dtype) {
    case POLYCODEC_DTYPE_INT8:
      return write_run<std::int8_t, std::int64_t>(out_, run), true;
    case POLYCODEC_DTYPE_INT16:
      return write_run<std::int16_t, std::int64_t>(out_, run), true;
    case POLYCODEC_DTYPE_INT32:
      return write_run<std::int32_t, std::int64_t>(out_, run), true;
    case POLYCODEC_DTYPE_INT64:
      return write_run<std::int64_t, std::int64_t>(out_, run), true;
    case POLYCODEC_DTYPE_UINT8:
      return write_run<std::uint8_t, std::uint64_t>(out_, run), true;
    case POLYCODEC_DTYPE_UINT16:
      return write_run<std::uint16_t, std::uint64_t>(out_, run), true;
    case POLYCODEC_DTYPE_UINT32:
      return write_run<std::uint32_t, std::uint64_t>(out_, run), true;
    case POLYCODEC_DTYPE_UINT64:
      return write_run<std::uint64_t, std::uint64_t>(out_, run), true;
    case POLYCODEC_DTYPE_FLOAT32:
      return write_run<float, float>(out_, run), true;
    case POLYCODEC_DTYPE_FLOAT64:
      return write_run<double, double>(out_, run), true;
    default:
      return false;
  }
}

void Encoder::number(const View& item) {
  if (item.kind() == POLYCODEC_KIND_SIGNED || item.kind() == POLYCODEC_KIND_UNSIGNED) {
    std::uint8_t* const o = out_.reserve(max_head);
    const std::uint8_t* const end = item.kind() == POLYCODEC_KIND_SIGNED
                                        ? write_signed(o, item.as_int64())
                                        : write_unsigned(o, item.as_uint64());
    out_.commit(static_cast<std::uint64_t>(end - o));
    return;
  }
  std::byte bits[16];
  const std::uint32_t size = item.copy_bits(bits);
  if (item.dtype() == POLYCODEC_DTYPE_FLOAT32 || item.dtype() == POLYCODEC_DTYPE_FLOAT64) {
    Elements run{bits, 1, static_cast<std::int64_t>(size), item.dtype(), size, host_byte_order};
    run_of_elements(run);
    return;
  }
  const std::string typestr = typestr_of(item.dtype(), host_byte_order);
  if (typestr.empty())
    throw Error(Status::unsupported,
                "msgpack has nothing for numbers of type " + std::string(dtype_name(item.dtype())));
  ndarray_bytes(typestr, bits, size);
}

}  // namespace polycodec::msgpack_ndarray
