// SPDX-License-Identifier: MIT
// Texts and byte strings.
#include <base/quote.hpp>
#include <base/utf8.hpp>

#include "array_parts.hpp"
#include "classes.hpp"
#include "text_encoding.hpp"

#include <cstring>

namespace polycodec::awkward {
namespace {

struct Chosen {
  Encoding encoding;
  std::string_view name;
};

Chosen chosen_encoding(Frame& frame, std::size_t param) {
  if (!frame.has(param)) return {Encoding::utf8, "utf-8"};
  const NodeView v = frame[param];
  if (v.is_null()) return {Encoding::bytes, {}};
  if (!v.is_string()) frame.fail_type(param, "the name of an encoding, or null");
  const auto encoding = encoding_of(v.as_string());
  if (!encoding)
    frame.fail(param, Status::unsupported, "string.encoding",
               "unknown encoding " + quote(v.as_string()) +
                   ": known are utf-8, utf-16, utf-32 (-le, -be), utf-7, latin-1, cp1252, ascii, "
                   "and null for bytes");
  return {*encoding, v.as_string()};
}

/// The content as one run of bytes.
const polycodec_array& bytes_of(Frame& frame, std::size_t param) {
  const polycodec_array& content = frame.array(param, POLYCODEC_DTYPE_UINT8);
  const bool fits = content.layout == POLYCODEC_LAYOUT_NDARRAY && content.ndim == 1 &&
                    content.item_size == 1 &&
                    (is_integer(content.dtype) || content.dtype == POLYCODEC_DTYPE_BOOLEAN ||
                     is_fixed(content.dtype)) &&
                    (content.length < 2 || content.strides[0] == 1);
  if (!fits)
    frame.fail(param, Status::type, "string.content",
               "the content of strings must be bytes, with one dimension");
  if (content.dtype == POLYCODEC_DTYPE_UINT8) return content;
  polycodec_array* a = copy_header(frame.out, content);
  a->dtype = POLYCODEC_DTYPE_UINT8;
  return *a;
}

/// True if every item is valid UTF-8 as it stands.
bool all_valid(const ArrayView& list, bool ascii) {
  const std::string_view content(reinterpret_cast<const char*>(list.child().data()),
                                 static_cast<std::size_t>(list.child().length()));
  if (ascii) {
    unsigned any = 0;
    for (const char c : content) any |= static_cast<unsigned char>(c);
    return any < 0x80;
  }
  if (!is_utf8(content)) {
    for (std::uint64_t i = 0; i < list.length(); ++i)
      if (!is_utf8(list.text(i))) return false;
    return true;
  }
  // Between characters a valid text can be cut anywhere.
  const auto inside = [&](std::uint64_t at) {
    return at < content.size() && (static_cast<unsigned char>(content[at]) & 0xc0u) == 0x80u;
  };
  for (std::uint64_t i = 0; i < list.length(); ++i) {
    const auto range = list.range(i);
    if (range.begin != range.end && (inside(range.begin) || inside(range.end))) return false;
  }
  return true;
}

polycodec_node decoded(Frame& frame, const polycodec_array& list, const Chosen& chosen) {
  const ArrayView view(list);
  auto* offsets = frame.out.allocate<std::int64_t>(list.length + 1);
  std::string texts;
  const std::uint64_t most = frame.call.limits().max_memory_bytes;
  offsets[0] = 0;
  for (std::uint64_t i = 0; i < list.length; ++i) {
    append_decoded(texts, view.text(i), chosen.encoding);
    // Lists may share bytes: the result is not bounded by the content.
    if (texts.size() > most)
      throw Error(Status::limit, "the texts take more than the limit of " + std::to_string(most) +
                                     " bytes (max_memory_bytes)");
    offsets[i + 1] = static_cast<std::int64_t>(texts.size());
  }
  const std::string_view kept = frame.out.copy_text(texts);
  const auto* content =
      frame.out.vector(std::span(reinterpret_cast<const std::uint8_t*>(kept.data()), kept.size()));
  return Builder::array(frame.out.list_offsets(
      std::span<const std::int64_t>(offsets, list.length + 1), content, POLYCODEC_ARRAY_STRING));
}

polycodec_node strings(Frame& frame, polycodec_array* list, const Chosen& chosen,
                       std::span<const std::int64_t> shape) {
  const bool plain = chosen.encoding == Encoding::utf8 || chosen.encoding == Encoding::ascii;
  polycodec_node result = Builder::array(list);
  if (chosen.encoding == Encoding::bytes) {
    list->flags = POLYCODEC_ARRAY_BINARY;
  } else if (plain &&
             (frame.unchecked || all_valid(ArrayView(*list), chosen.encoding == Encoding::ascii))) {
    list->flags = POLYCODEC_ARRAY_STRING;
  } else {
    result = decoded(frame, *list, chosen);
  }
  const polycodec_array* a = result.as.array;
  if (chosen.encoding != Encoding::bytes && chosen.encoding != Encoding::utf8)
    a = with_attribute(frame.out, *a, "encoding", frame.out.string_copy(chosen.name));
  return Builder::array(nested(frame.out, shape, a));
}

}  // namespace

polycodec_node Strings::run(Frame& frame) {
  const Chosen chosen = chosen_encoding(frame, 3);
  const Integers starts = frame.integers(0, POLYCODEC_DTYPE_INT64, "starts");
  const Integers stops = frame.integers(1, POLYCODEC_DTYPE_INT64, "stops");
  const polycodec_array& content = bytes_of(frame, 2);
  // Texts are read here, so that the ranges must be right even where nobody else asks.
  frame.unchecked = false;
  return strings(frame, lists_from_starts(frame, starts, stops, content), chosen, starts.shape);
}

polycodec_node StringsFromCounts::run(Frame& frame) {
  const Chosen chosen = chosen_encoding(frame, 2);
  const Integers counts = frame.integers(0, POLYCODEC_DTYPE_INT64, "counts");
  const polycodec_array& content = bytes_of(frame, 1);
  return strings(frame, lists_from_counts(frame, counts, content, 0), chosen, counts.shape);
}

}  // namespace polycodec::awkward
