// SPDX-License-Identifier: MIT
// The leaves of arrays.
#include <model/type/build.hpp>
#include <polycodec/array_view.hpp>
#include <polycodec/checked.hpp>
#include <polycodec/dtype.hpp>
#include <polycodec/error.hpp>
#include <polycodec/utf.hpp>

#include "core/value/value.hpp"
#include "leaf_normalizer.hpp"

#include <algorithm>

namespace polycodec::schema {
namespace {

// The path of element `index` of a leaf, in C order.
void append_position(std::string& path, const polycodec_array& leaf, std::uint64_t index) {
  std::vector<std::uint64_t> at(leaf.ndim);
  for (std::uint32_t axis = leaf.ndim; axis-- > 0;) {
    const auto extent = static_cast<std::uint64_t>(leaf.shape[axis]);
    at[axis] = index % extent;
    index /= extent;
  }
  for (const std::uint64_t i : at) append_index(path, i);
}

// Bytes of the widest element without the zeros that pad it.
std::uint64_t widest(const View& item, Encoding encoding, HostMeter& meter) {
  meter.tick(8);
  if (item.is_list()) {
    std::uint64_t most = 0;
    for (std::uint64_t i = 0; i < item.size(); ++i)
      most = std::max(most, widest(item.child(i), encoding, meter));
    return most;
  }
  if (item.kind() == POLYCODEC_KIND_STRING) {
    std::string scratch;
    return encoded_size(item.as_string(scratch), encoding);
  }
  const std::string_view bytes = item.as_bytes();
  const std::size_t end = bytes.find_last_not_of('\0');
  return end == std::string_view::npos ? 0 : end + 1;
}

std::uint32_t text_dtype(Encoding encoding) noexcept {
  return encoding == Encoding::utf16                                 ? POLYCODEC_DTYPE_FIXED_UTF16
         : encoding == Encoding::utf32 || encoding == Encoding::ucs4 ? POLYCODEC_DTYPE_FIXED_UTF32
                                                                     : POLYCODEC_DTYPE_FIXED_UTF8;
}

}  // namespace

const polycodec_array* LeafNormalizer::array(const TypedRules& rules, const Item& item,
                                             const Facet& facet) {
  const polycodec_array& from = *leaf_of(item);
  if (facet.subtype == Subtype::string) return text_array(rules, item, facet);
  const Target target = target_of(rules, facet, from.dtype);
  if (target.dtype == from.dtype && !target.converts && target.units == nullptr) return nullptr;
  polycodec_array* made = nullptr;
  if (target.dtype == from.dtype && !target.converts) {
    made = context_.out().store(from);
  } else {
    const polycodec_array& source = *make_contiguous(from, context_.out());
    const std::uint64_t count = ArrayView(source).element_count();
    const std::uint32_t size = dtype_size(target.dtype);
    std::uint64_t bytes = 0;
    if (!checked_mul(count, size, bytes))
      throw Error(Status::limit, "the size of the array overflows").path(context_.path());
    context_.meter().tick(count, context_.path());
    // In numbers of 8 bytes, so that the elements are aligned.
    auto* memory =
        reinterpret_cast<std::byte*>(context_.out().allocate<std::uint64_t>(bytes / 8 + 1));
    const CastRules cast{from.dtype, target.dtype, target.converts ? &target.conversion : nullptr,
                         context_.options().rounding};
    if (auto failure =
            cast_elements(cast, static_cast<const std::byte*>(source.data), count, memory)) {
      append_position(context_.path(), from, failure->index);
      context_.fail(Status::range, target.converts ? "units" : "precision",
                    failure->reason + (target.converts ? " (" + std::string(*facet.units) + " to " +
                                                             *target.units + ")"
                                                       : ""));
    }
    made = context_.out().ndarray(to_string_view(memory, bytes), target.dtype, size,
                                  {from.shape, from.ndim});
  }
  made->metadata = context_.attributes_of(item, text_of(target.units), Encoding::none, false);
  return made;
}

const polycodec_array* LeafNormalizer::text_array(const TypedRules& rules, const Item& item,
                                                  const Facet& facet) {
  const polycodec_array& from = *leaf_of(item);
  if (rules.subtype != Subtype::none && !is_text(rules.subtype))
    context_.fail(Status::type, "subtype",
                  "wanted is " + std::string(name_of(rules.subtype)) + ", and this is " +
                      describe(facet) + ", which can't become it");
  Encoding encoding = rules.encoding;
  if (encoding == Encoding::none && rules.subtype == Subtype::unicode) encoding = Encoding::ucs4;
  const bool to_bytes = encoding == Encoding::none && rules.subtype == Subtype::bytes;
  const bool same = to_bytes ? facet.encoding == Encoding::none
                             : encoding == Encoding::none || encoding == facet.encoding;
  const bool fits = !rules.precision || from.item_size <= *rules.precision;
  if (same && fits) return nullptr;
  const bool from_bytes = facet.encoding == Encoding::none;
  const auto bytes_are = [](std::uint32_t dtype) {
    return dtype == POLYCODEC_DTYPE_FIXED_BYTES || dtype == POLYCODEC_DTYPE_FIXED_UTF8;
  };
  const std::uint32_t dtype = to_bytes ? std::uint32_t{POLYCODEC_DTYPE_FIXED_BYTES}
                              : same   ? from.dtype
                                       : text_dtype(encoding);
  // Bytes are taken for UTF-8, where they are, and UTF-8 for bytes: nothing moves.
  const polycodec_array* source = &from;
  if (dtype != from.dtype && (from_bytes || to_bytes)) {
    if (!bytes_are(from.dtype))
      context_.fail(Status::type, "encoding",
                    "only UTF-8 and ASCII become bytes without an encoding");
    polycodec_array* relabeled = context_.out().store(from);
    relabeled->dtype = static_cast<std::uint8_t>(to_bytes ? POLYCODEC_DTYPE_FIXED_BYTES
                                                          : POLYCODEC_DTYPE_FIXED_UTF8);
    relabeled->metadata = nullptr;
    source = relabeled;
    if (from_bytes)
      each_element(item, [&](const View& element) {
        if (!is_utf8(element.as_bytes()))
          context_.fail(Status::range, "encoding", "the bytes are not UTF-8");
      });
  }
  if (encoding == Encoding::ascii)
    each_element(View(ArrayView(*source)), [&](const View& element) {
      std::string scratch;
      if (!is_ascii(element.as_string(scratch)))
        context_.fail(Status::range, "encoding", "the text has characters beyond ASCII");
    });
  polycodec_array* made = nullptr;
  if (source->dtype == dtype && fits) {
    made = source == &from ? context_.out().store(from) : const_cast<polycodec_array*>(source);
  } else {
    const View elements{ArrayView(*source)};
    const Encoding layout = dtype == POLYCODEC_DTYPE_FIXED_UTF16   ? Encoding::utf16
                            : dtype == POLYCODEC_DTYPE_FIXED_UTF32 ? Encoding::ucs4
                                                                   : Encoding::utf8;
    const std::uint64_t width = std::max<std::uint64_t>(widest(elements, layout, context_.meter()),
                                                        dtype_swap_width(dtype));
    if (rules.precision && width > *rules.precision)
      context_.fail(Status::range, "precision",
                    "an element has " + std::to_string(width) + " bytes, more than " +
                        std::to_string(*rules.precision));
    if (dtype == POLYCODEC_DTYPE_FIXED_BYTES) {
      // The same bytes, cut: elements stay where they are, and the stride skips what is cut off.
      made = context_.out().store(*source);
      made->item_size = static_cast<std::uint32_t>(width);
    } else {
      type::Type element =
          type::fixed_string(width / dtype_swap_width(dtype),
                             dtype == POLYCODEC_DTYPE_FIXED_UTF16   ? type::Encoding::utf16
                             : dtype == POLYCODEC_DTYPE_FIXED_UTF32 ? type::Encoding::utf32
                                                                    : type::Encoding::utf8);
      for (std::uint32_t axis = from.ndim; axis-- > 1;)
        element = type::fixed(static_cast<std::uint64_t>(from.shape[axis]), element);
      made = const_cast<polycodec_array*>(
          to_columns(elements, element, context_.out(), context_.limits()));
    }
  }
  // UTF-8, UTF-16 and UCS4 are what arrays of such elements are taken for; the others are named.
  const bool named = encoding == Encoding::ascii || encoding == Encoding::utf32;
  made->metadata = context_.attributes_of(item, std::nullopt, named ? encoding : Encoding::none,
                                          !same && !named);
  return made;
}

}  // namespace polycodec::schema
