// SPDX-License-Identifier: MIT
// Columnar arrays as msgpack has them: arrays of items, records as maps, what is missing as nil.
#include <polycodec/byte_order.hpp>
#include <polycodec/utf_convert.hpp>

#include "encode.hpp"
#include "heads.hpp"
#include "timestamp.hpp"
#include "typestr.hpp"

#include <cstring>

namespace polycodec::msgpack_ndarray {
namespace {

// Adds a step in front of the path of an error that passes through.
template <class Body, class Step>
void at_step(Step&& step, Body&& body) {
  try {
    body();
  } catch (const Error& e) {
    throw Error(e).path(step() + e.path());
  }
}

std::string index_step(std::uint64_t i) {
  return '[' + std::to_string(i) + ']';
}

// A fixed-size text without the zeros that fill it up.
std::string_view trimmed(const std::byte* at, std::uint32_t size) {
  std::string_view text(reinterpret_cast<const char*>(at), size);
  while (!text.empty() && text.back() == '\0') text.remove_suffix(1);
  return text;
}

// The same for UTF-16 and UTF-32, as UTF-8.
std::string wide_text(const std::byte* at, std::uint32_t size, bool wide, std::endian order) {
  const std::uint32_t width = wide ? 4 : 2;
  std::uint32_t count = size / width;
  const auto is_zero = [&](std::uint32_t i) {
    return trimmed(at + static_cast<std::size_t>(i) * width, width).empty();
  };
  while (count != 0 && is_zero(count - 1)) --count;
  try {
    return wide ? utf8_from_utf32(at, count, order) : utf8_from_utf16(at, count, order);
  } catch (const Error& e) {
    throw Error(e).offset(Error::no_offset);
  }
}

}  // namespace

void Encoder::columns(const polycodec_array& array, std::uint64_t depth) {
  if (array.form == POLYCODEC_FORM_NDARRAY)
    return leaf_item(array, 0, static_cast<const std::byte*>(array.data), depth);
  items(array, 0, array.length, depth);
}

void Encoder::items(const polycodec_array& array, std::uint64_t begin, std::uint64_t end, std::uint64_t depth) {
  check_depth(depth + 1);
  head(write_list_head, end - begin);
  std::uint64_t i = begin;
  at_step([&] { return index_step(i - begin); },
          [&] {
            for (; i != end; ++i) {
              if ((i - begin) % 65536 == 65535) call_.check_cancelled();
              item(array, i, depth + 1);
            }
          });
}

Encoder::Progress& Encoder::progress(const polycodec_array& array, std::uint64_t i, std::size_t counts) {
  Progress& p = progress_[&array];
  if (i < p.next || p.counts.size() != counts) {
    p.next = 0;
    p.counts.assign(counts, 0);
  }
  return p;
}

void Encoder::item(const polycodec_array& array, std::uint64_t i, std::uint64_t depth) {
  check_depth(depth);
  if (array.attributes != nullptr) note_attributes();
  const ArrayView view(array);
  const auto nil = [&] { out_.put_u8(0xc0); };
  switch (view.form()) {
    case POLYCODEC_FORM_NDARRAY:
      if (array.ndim == 0) return element(array, view.data());
      return leaf_item(array, 1, view.data() + static_cast<std::int64_t>(i) * array.strides[0], depth);
    case POLYCODEC_FORM_LIST_OFFSETS:
    case POLYCODEC_FORM_LIST_VIEW:
    case POLYCODEC_FORM_LIST_FIXED: {
      if (view.is_text() || view.is_binary()) {
        const std::string_view text = view.text(i);
        head(view.is_text() ? write_text_head : write_binary_head, text.size());
        return out_.put_text(text);
      }
      const auto range = view.range(i);
      return items(view.child().raw(), range.begin, range.end, depth);
    }
    case POLYCODEC_FORM_RECORD:
      return record(array, i, depth);
    case POLYCODEC_FORM_UNION: {
      const auto tag = static_cast<std::uint64_t>(view.index2()[i]);
      if (view.index().present())
        return item(view.child(static_cast<std::uint32_t>(tag)).raw(), static_cast<std::uint64_t>(view.index()[i]),
                    depth + 1);
      Progress& p = progress(array, i, view.child_count());
      for (; p.next < i; ++p.next) ++p.counts[static_cast<std::size_t>(view.index2()[p.next])];
      return item(view.child(static_cast<std::uint32_t>(tag)).raw(), p.counts[static_cast<std::size_t>(tag)],
                  depth + 1);
    }
    case POLYCODEC_FORM_OPTION_BYTES:
    case POLYCODEC_FORM_OPTION_BITS:
      return view.is_present(i) ? item(view.child().raw(), i, depth + 1) : nil();
    case POLYCODEC_FORM_INDEXED:
      return view.is_present(i) ? item(view.child().raw(), static_cast<std::uint64_t>(view.index()[i]), depth + 1)
                                : nil();
    case POLYCODEC_FORM_CHUNKED: {
      Progress& p = progress(array, i, 2);
      p.next = i;
      while (i - p.counts[1] >= view.child(static_cast<std::uint32_t>(p.counts[0])).length())
        p.counts[1] += view.child(static_cast<std::uint32_t>(p.counts[0]++)).length();
      return item(view.child(static_cast<std::uint32_t>(p.counts[0])).raw(), i - p.counts[1], depth + 1);
    }
    case POLYCODEC_FORM_DOCUMENT:
      return node(&array.nodes[i], depth);
    default:
      throw Error(Status::invalid, "an array of unknown form");
  }
}

void Encoder::record(const polycodec_array& array, std::uint64_t i, std::uint64_t depth) {
  check_depth(depth + 1);
  const ArrayView view(array);
  head(view.has_names() ? write_map_head : write_list_head, view.child_count());
  std::uint32_t column = 0;
  at_step([&] { return view.has_names() ? '.' + std::string(view.name(column)) : index_step(column); },
          [&] {
            for (; column < view.child_count(); ++column) {
              if (view.has_names()) {
                head(write_text_head, view.name(column).size());
                out_.put_text(view.name(column));
              }
              item(view.child(column).raw(), i, depth + 1);
            }
          });
}

// The elements of a leaf from `axis` on, as nested arrays.
void Encoder::leaf_item(const polycodec_array& array, std::uint32_t axis, const std::byte* at, std::uint64_t depth) {
  if (axis == array.ndim) return element(array, at);
  check_depth(depth + 1);
  head(write_list_head, static_cast<std::uint64_t>(array.shape[axis]));
  std::int64_t i = 0;
  at_step([&] { return index_step(static_cast<std::uint64_t>(i)); },
          [&] {
            for (; i < array.shape[axis]; ++i) leaf_item(array, axis + 1, at + i * array.strides[axis], depth + 1);
          });
}

void Encoder::element(const polycodec_array& array, const std::byte* at) {
  const auto order = array.byte_order == POLYCODEC_BIG_ENDIAN ? std::endian::big : std::endian::little;
  std::uint8_t* const o = out_.reserve(max_head);
  const auto done = [&](const std::uint8_t* end) { out_.commit(static_cast<std::uint64_t>(end - o)); };
  switch (array.dtype) {
    case POLYCODEC_BOOL:
      return out_.put_u8(*at != std::byte{0} ? 0xc3 : 0xc2);
    case POLYCODEC_INT8:
      return done(write_signed(o, load<std::int8_t>(at, order)));
    case POLYCODEC_INT16:
      return done(write_signed(o, load<std::int16_t>(at, order)));
    case POLYCODEC_INT32:
      return done(write_signed(o, load<std::int32_t>(at, order)));
    case POLYCODEC_INT64:
      return done(write_signed(o, load<std::int64_t>(at, order)));
    case POLYCODEC_UINT8:
      return done(write_unsigned(o, load<std::uint8_t>(at, order)));
    case POLYCODEC_UINT16:
      return done(write_unsigned(o, load<std::uint16_t>(at, order)));
    case POLYCODEC_UINT32:
      return done(write_unsigned(o, load<std::uint32_t>(at, order)));
    case POLYCODEC_UINT64:
      return done(write_unsigned(o, load<std::uint64_t>(at, order)));
    case POLYCODEC_FLOAT32:
      o[0] = 0xca;
      store_be(o + 1, load<std::uint32_t>(at, order));
      return done(o + 5);
    case POLYCODEC_FLOAT64:
      o[0] = 0xcb;
      store_be(o + 1, load<std::uint64_t>(at, order));
      return done(o + 9);
    case POLYCODEC_FLOAT16:
    case POLYCODEC_COMPLEX64:
    case POLYCODEC_COMPLEX128:
      return ndarray_bytes(typestr_of(array.dtype, array.byte_order), at, array.item_size);
    case POLYCODEC_DATETIME64: {
      const auto count = load<std::int64_t>(at, order);
      polycodec_time time{count, 0, array.unit};
      if (is_subsecond_unit(array.unit) && count != INT64_MIN) {
        std::int64_t per_second = 1;
        for (std::uint32_t unit = POLYCODEC_UNIT_S; unit < array.unit; ++unit) per_second *= 1000;
        std::int64_t rest = count % per_second;
        time.count = count / per_second;
        if (rest < 0) {
          rest += per_second;
          --time.count;
        }
        time.nanoseconds = static_cast<std::uint32_t>(rest * (1'000'000'000 / per_second));
      }
      std::uint8_t* const to = out_.reserve(15);
      out_.commit(write_timestamp(to_timestamp(time), to));
      return;
    }
    case POLYCODEC_FIXED_BYTES:
      head(write_binary_head, array.item_size);
      return out_.put_bytes(at, array.item_size);
    case POLYCODEC_FIXED_UTF8: {
      const std::string_view text = trimmed(at, array.item_size);
      head(write_text_head, text.size());
      return out_.put_text(text);
    }
    case POLYCODEC_FIXED_UTF16:
    case POLYCODEC_FIXED_UTF32: {
      const bool wide = array.dtype == POLYCODEC_FIXED_UTF32;
      const std::string text = wide_text(at, array.item_size, wide, order);
      head(write_text_head, text.size());
      return out_.put_text(text);
    }
    default:
      throw Error(Status::unsupported,
                  "msgpack has nothing for elements of this type (dtype " + std::to_string(array.dtype) + ")");
  }
}

}  // namespace polycodec::msgpack_ndarray
