// SPDX-License-Identifier: MIT
#include "core/text/element.hpp"

#include <model/type/layout.hpp>
#include <model/type/text.hpp>
#include <polycodec/utf.hpp>

#include "core/text/time.hpp"
#include "core/value/aligned_memory.hpp"

#include <algorithm>

namespace polycodec::text {

using type::Encoding;
using type::Kind;

bool ElementReader::takes(const type::Type& t) noexcept {
  return t.is(Kind::scalar) || t.is(Kind::datetime) || t.is(Kind::timedelta) ||
         t.is(Kind::fixed_bytes) || t.is(Kind::fixed_string);
}

ElementReader::ElementReader(const type::Type& t) : encoding_(t.encoding()) {
  const auto leaf = type::fixed_width(t).value_or(type::FixedWidth{POLYCODEC_DTYPE_FIXED_BYTES});
  dtype_ = leaf.dtype;
  size_ = leaf.item_size;
  too_large_ = size_ == 0;
  unit_ = t.unit();
}

void ElementReader::append_fixed_string(ScalarParser& scalars, std::byte* out) const {
  bool raw = false;
  const std::string_view text = scalars.text(raw);
  const std::uint32_t unit = type::encoding_unit_size(encoding_);
  std::u16string units16;
  std::u32string units32;
  const void* data = text.data();
  std::size_t size = text.size();
  if (raw) {
    if (size % unit != 0)
      scalars.scanner().fail_token(Status::type, "text.type",
                                   "a character of the fixed string is cut off");
  } else if (unit == 2) {
    units16 = utf16_from_utf8(text);
    data = units16.data();
    size = units16.size() * 2;
  } else if (unit == 4) {
    units32 = utf32_from_utf8(text);
    data = units32.data();
    size = units32.size() * 4;
  }
  const bool ascii =
      std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  const bool bmp =
      std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) >= 0xf0; });
  if (!raw && ((encoding_ == Encoding::ascii && !ascii) || (encoding_ == Encoding::ucs2 && !bmp)))
    scalars.scanner().fail_token(Status::range, "text.range",
                                 "the string has characters that " +
                                     std::string(type::encoding_name(encoding_)) + " has not");
  if (size > size_)
    scalars.scanner().fail_token(Status::range, "text.range",
                                 "the string has " + std::to_string(size / unit) +
                                     " code units, more than " + std::to_string(size_ / unit));
  if (size != 0) std::memcpy(out, data, size);
  // Raw code units are little-endian.
  if (raw && unit > 1 && host_byte_order == POLYCODEC_BIG_ENDIAN)
    for (std::size_t i = 0; i < size; i += unit) std::reverse(out + i, out + i + unit);
}

void ElementReader::append(ScalarParser& scalars, std::vector<std::byte>& out) const {
  if (too_large_)
    scalars.scanner().fail(Status::limit, "text.limit",
                           "element size exceeds the maximum of 4294967295 bytes");
  if (dtype_ == POLYCODEC_DTYPE_FIXED_BYTES) {
    const std::string_view bytes = scalars.bytes();
    if (bytes.size() != size_)
      scalars.scanner().fail_token(
          Status::type, "text.shape",
          "expected " + std::to_string(size_) + " bytes, found " + std::to_string(bytes.size()));
    const auto* p = reinterpret_cast<const std::byte*>(bytes.data());
    out.insert(out.end(), p, p + bytes.size());
    return;
  }
  const std::size_t start = out.size();
  if (is_fixed(dtype_)) {
    scalars.scanner().pad(size_);
    out.resize(start + size_);
    return append_fixed_string(scalars, out.data() + start);
  }
  if (is_time(dtype_)) {
    std::optional<std::int64_t> count;
    if (dtype_ == POLYCODEC_DTYPE_TIMESTAMP64)
      count = join_count(scalars.datetime(unit_));
    else
      count = scalars.timedelta(unit_).count;
    if (!count) throw NotColumnar{};
    const auto* p = reinterpret_cast<const std::byte*>(&*count);
    out.insert(out.end(), p, p + sizeof *count);
    return;
  }
  alignas(16) unsigned char bytes[16];
  scalars.number(dtype_, bytes);
  const auto* p = reinterpret_cast<const std::byte*>(bytes);
  out.insert(out.end(), p, p + size_);
}

polycodec_array* ElementReader::array(Builder& builder, std::span<const std::byte> elements,
                                      std::span<const std::int64_t> shape) const {
  std::byte* const copy = aligned_memory(builder, elements.size(), 16);
  if (!elements.empty()) std::memcpy(copy, elements.data(), elements.size());
  polycodec_array* a = builder.ndarray(to_string_view(copy, elements.size()), dtype_, size_, shape);
  a->unit = unit_;
  return a;
}

}  // namespace polycodec::text
