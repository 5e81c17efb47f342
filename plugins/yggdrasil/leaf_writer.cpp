// SPDX-License-Identifier: MIT
#include "leaf_writer.hpp"

#include <base/base64.hpp>
#include <base/contiguous.hpp>
#include <base/decimal.hpp>
#include <polycodec/byte_order.hpp>
#include <polycodec/dtype.hpp>
#include <polycodec/utf.hpp>

#include "base64_out.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

namespace polycodec::yggdrasil {
namespace {

constexpr std::string_view title_key = "title";

void append_number(std::string& to, std::uint64_t number) {
  char text[max_decimal_size];
  to.append(text, print_decimal(text, number));
}

}  // namespace

LeafWords LeafWords::of(const polycodec_node* attributes) {
  LeafWords words;
  if (attributes == nullptr) return words;
  const NodeView object(attributes);
  words.any = object.size() != 0;
  for (std::uint64_t i = 0; i < object.size(); ++i) {
    const NodeView value = object.value(i);
    if (!value.is_string()) continue;
    const std::string_view key = object.key(i).as_string();
    if (key == "type") words.type = value.as_string();
    if (key == "subtype") words.subtype = value.as_string();
    if (key == "encoding") words.encoding = value.as_string();
  }
  return words;
}

void LeafWriter::member(std::string_view key, std::string_view text) {
  schema_ += schema_.size() == 1 ? "\"" : ",\"";
  schema_ += key;
  schema_ += "\":";
  append_string(schema_, state_.settings, state_.call, text);
}

// The attributes that are not words, but for `except`. `typed`: names that mean something in the
// schema of a number or text are prefixed.
void LeafWriter::members(const polycodec_node* attributes, const LeafWords& used, bool typed,
                         std::string_view except) {
  if (attributes == nullptr) return;
  const NodeView object(attributes);
  for (std::uint64_t i = 0; i < object.size(); ++i) {
    const std::string_view key = object.key(i).as_string();
    if (key == except || (key == "type" && !used.type.empty()) ||
        (key == "subtype" && !used.subtype.empty()) ||
        (key == "encoding" && !used.encoding.empty()))
      continue;
    const bool reserved =
        key == "type" || key.starts_with(own_prefix) || (typed && is_leaf_key(key));
    if (schema_.size() != 1) schema_ += ',';
    append_string(schema_, state_.settings, state_.call,
                  reserved ? std::string(own_prefix) + std::string(key) : std::string(key));
    schema_ += ':';
    if (object.value(i).is_string() && object.value(i).node() == object.value(i).raw() &&
        !looks_typed(object.value(i).as_string())) {
      append_string(schema_, state_.settings, state_.call, object.value(i).as_string());
    } else {
      schema_ += json_of(state_, *object.value(i).raw(), state_.frames.size() + 1);
    }
  }
}

// Everything before the data. `used`: the words of the attributes that `head` has taken up.
void LeafWriter::open(const LeafHead& head, const polycodec_node* attributes,
                      const LeafWords& used) {
  if (state_.plain)
    throw Error(Status::unsupported,
                "the arguments of an instance must be plain JSON, not exactly typed values");
  if (state_.settings.dialect == Dialect::legacy ||
      (state_.settings.dialect == Dialect::document && !looks_typed_text_)) {
    state_.out.put_u8('"');
    return state_.lose_attributes(attributes, true);
  }
  const bool typed = head.type <= TypeWord::array1d;
  schema_.assign(1, '{');
  member("type", to_string(head.type));
  if (head.subtype != Subtype::none) member("subtype", to_string(head.subtype));
  if (head.has_precision) {
    schema_ += ",\"precision\":";
    append_number(schema_, state_.settings.dialect == Dialect::document ? head.precision * 8
                                                                        : head.precision);
  }
  // The real libraries put the units in different places.
  const auto units = attributes == nullptr ? std::nullopt : NodeView(attributes).find("units");
  const bool has_units = typed && units && units->is_string();
  if (has_units && !state_.settings.python) member("units", units->as_string());
  if (head.has_shape) {
    schema_ += ",\"shape\":[";
    for (const std::int64_t& extent : head.shape) {
      if (&extent != head.shape.data()) schema_ += ',';
      append_number(schema_, static_cast<std::uint64_t>(extent));
    }
    schema_ += ']';
  }
  if (has_units && state_.settings.python) member("units", units->as_string());
  if (head.encoding != Encoding::none) member("encoding", to_string(head.encoding));
  if (head.has_title) member(title_key, head.title);
  if (head.table) schema_ += ",\"polycodec:table\":true";
  schema_ += head.more;
  members(attributes, used, typed, has_units ? "units" : std::string_view());
  schema_ += '}';
  this->head(schema_);
}

void LeafWriter::head(std::string_view schema) {
  state_.call.tick(schema.size() / 16);
  state_.out.put_u8('"');
  state_.out.put_text(marker);
  base64(schema.data(), schema.size());
  state_.out.put_text(marker);
}

void LeafWriter::base64(const void* data, std::uint64_t size, bool lines) {
  constexpr std::uint64_t most_at_once = 4096;
  if (!lines && size <= most_at_once) {
    const auto bytes = static_cast<std::size_t>(size);
    auto* const to = reinterpret_cast<char*>(state_.out.reserve(base64_encoded_size(bytes)));
    return state_.out.commit(base64_encode(to, data, bytes));
  }
  Base64Out out(state_.call, state_.out, lines);
  out.put(data, size);
  out.finish();
}

void LeafWriter::close(const void* data, std::uint64_t size) {
  base64(data, size, state_.settings.dialect == Dialect::legacy);
  close();
}

void LeafWriter::close() {
  if (state_.settings.dialect == Dialect::current ||
      (state_.settings.dialect == Dialect::document && looks_typed_text_))
    state_.out.put_text(marker);
  state_.out.put_u8('"');
}

void LeafWriter::scalar(std::uint32_t dtype, const std::byte* bits,
                        const polycodec_node* attributes) {
  const std::uint32_t size = dtype_size(dtype);
  LeafHead head{.subtype = subtype_of(dtype), .has_precision = true, .precision = size};
  const LeafWords given = LeafWords::of(attributes);
  if (!given.any && state_.settings.dialect == Dialect::current && !state_.plain) {
    std::string& start = heads_[dtype];
    if (start.empty())
      start = written(state_.call, [&](Writer& out) {
        Writing apart(state_.settings, state_.call, out);
        LeafWriter(apart).open(head, nullptr, {});
      });
    // Base64 of 16 bytes, the marker and the quote.
    auto* const to = reinterpret_cast<char*>(state_.out.reserve(start.size() + 30));
    std::memcpy(to, start.data(), start.size());
    char* end = to + start.size();
    end += base64_encode(end, bits, size);
    std::memcpy(end, "-YGG-\"", 6);
    state_.out.commit(static_cast<std::uint64_t>(end + 6 - to));
    return;
  }
  LeafWords used;
  if (given.type == "scalar") used.type = given.type;
  const TypeWord word = type_word(given.type);
  if (word >= TypeWord::int_ && word <= TypeWord::complex &&
      to_string(word) == to_string(head.subtype)) {
    head.type = word;
    head.subtype = Subtype::none;
    used.type = given.type;
  }
  open(head, attributes, used);
  close(bits, size);
}

void LeafWriter::text(std::string_view text, const polycodec_node* attributes) {
  const LeafWords given = LeafWords::of(attributes);
  LeafWords used;
  LeafHead head{.subtype = Subtype::string, .has_precision = true};
  Encoding encoding = encoding_from(given.encoding);
  if (encoding != Encoding::none) used.encoding = given.encoding;
  const bool unicode_type = given.type == "unicode";
  const bool unicode_subtype = given.subtype == "unicode";
  // Bytes that say how they encode characters are a text.
  const bool bytes_type = given.type == "bytes" && encoding != Encoding::none;
  if (given.type == "scalar" || unicode_type || bytes_type) used.type = given.type;
  if (unicode_subtype) used.subtype = given.subtype;
  const Encoding implied = unicode_type || unicode_subtype ? Encoding::ucs4 : Encoding::none;
  if (encoding == Encoding::none) encoding = implied == Encoding::none ? Encoding::utf8 : implied;
  if (unicode_type || bytes_type) {
    head.type = unicode_type ? TypeWord::unicode : TypeWord::bytes;
    head.subtype = Subtype::none;
  } else if (unicode_subtype) {
    head.subtype = Subtype::unicode;
  }
  head.encoding = encoding == implied ? Encoding::none : encoding;

  std::u16string utf16;
  std::u32string utf32;
  std::string_view bytes = text;
  try {
    if (encoding == Encoding::utf16) {
      utf16 = utf16_from_utf8(text);
      for (char16_t& unit : utf16)
        store(&unit, static_cast<std::uint16_t>(unit), std::endian::little);
      bytes = {reinterpret_cast<const char*>(utf16.data()), utf16.size() * 2};
    } else if (encoding >= Encoding::utf32) {
      utf32 = utf32_from_utf8(text);
      for (char32_t& unit : utf32)
        store(&unit, static_cast<std::uint32_t>(unit), std::endian::little);
      bytes = {reinterpret_cast<const char*>(utf32.data()), utf32.size() * 4};
    }
  } catch (const Error& e) {
    if (e.code() != Status::malformed) throw;
    throw Error(Status::unsupported,
                "a text that is not UTF-8 has no " + std::string(to_string(encoding)));
  }
  if (encoding == Encoding::ascii && !std::all_of(text.begin(), text.end(), [](char c) {
        return static_cast<unsigned char>(c) < 0x80;
      }))
    throw Error(Status::range, "the text has characters that its encoding, ASCII, does not have");
  if (encoding <= Encoding::utf8 && !is_utf8(text))
    throw Error(Status::unsupported, "a text that is not UTF-8 cannot be a typed string");
  head.precision = bytes.size();
  looks_typed_text_ = !given.any;
  open(head, attributes, used);
  close(bytes.data(), bytes.size());
  looks_typed_text_ = false;
}

void LeafWriter::bytes(std::string_view bytes, const polycodec_node* attributes) {
  const LeafWords given = LeafWords::of(attributes);
  LeafWords used;
  LeafHead head{.subtype = Subtype::string, .has_precision = true, .precision = bytes.size()};
  if (given.type == "bytes") {
    head.type = TypeWord::bytes;
    head.subtype = Subtype::none;
  } else if (given.subtype == "bytes") {
    head.subtype = Subtype::bytes;
    used.subtype = given.subtype;
  }
  if (given.type == "bytes" || given.type == "scalar") used.type = given.type;
  open(head, attributes, used);
  close(bytes.data(), bytes.size());
}

void LeafWriter::name(TypeWord type, std::string_view text, const polycodec_node* attributes) {
  if (state_.settings.dialect != Dialect::current)
    return put_string(state_.out, state_.settings, text);
  leaf({.type = type}, attributes, text);
}

void LeafWriter::array(const polycodec_array& array, const polycodec_node* attributes,
                       const std::string_view* title, bool first) {
  const LeafWords given = LeafWords::of(attributes);
  LeafWords used;
  LeafHead head{.type = TypeWord::ndarray,
                .subtype = subtype_of(array.dtype),
                .has_precision = true,
                .precision = array.item_size,
                .has_shape = true,
                .shape = ArrayView(array).shape()};
  if (given.type == "1darray" && array.ndim == 1) {
    head.type = TypeWord::array1d;
    used.type = given.type;
  }
  if (is_fixed(array.dtype) && array.dtype != POLYCODEC_DTYPE_FIXED_BYTES) {
    const Encoding wanted = encoding_from(given.encoding);
    head.encoding = array.dtype == POLYCODEC_DTYPE_FIXED_UTF8    ? Encoding::utf8
                    : array.dtype == POLYCODEC_DTYPE_FIXED_UTF16 ? Encoding::utf16
                                                                 : Encoding::ucs4;
    const bool same = (array.dtype == POLYCODEC_DTYPE_FIXED_UTF8 && wanted == Encoding::ascii) ||
                      (array.dtype == POLYCODEC_DTYPE_FIXED_UTF32 && wanted == Encoding::utf32) ||
                      wanted == head.encoding;
    if (same) {
      head.encoding = wanted;
      used.encoding = given.encoding;
    }
    if (given.subtype == "unicode" && head.encoding == Encoding::ucs4) {
      head.subtype = Subtype::unicode;
      head.encoding = Encoding::none;
      used.subtype = given.subtype;
    }
  } else if (is_fixed(array.dtype) && given.subtype == "bytes") {
    head.subtype = Subtype::bytes;
    used.subtype = given.subtype;
  }
  if (title != nullptr) {
    head.has_title = true;
    head.title = *title;
    head.table = first;
  }
  open(head, attributes, used);
  elements(array);
  close();
}

// The elements in C order and little-endian.
void LeafWriter::elements(const polycodec_array& array) {
  Base64Out data(state_.call, state_.out, state_.settings.dialect == Dialect::legacy);
  const ArrayView view(array);
  const std::size_t size = array.item_size;
  const std::uint32_t width = dtype_swap_width(array.dtype);
  const std::size_t swap = array.byte_order == POLYCODEC_LITTLE_ENDIAN ? 1 : width;
  if (size == 0 || without_data_ || view.element_count() == 0) return;
  if (swap == 1 && view.is_contiguous()) {
    data.put(array.data, contiguous_size(view));
    return data.finish();
  }
  constexpr std::size_t room = 24576;
  const std::size_t step = std::max<std::size_t>(room / size, 1);
  std::vector<std::byte> piece(step * size);
  const auto gather = detail::gather_for(size, swap);
  for_each_run(view, [&](const std::byte* from, std::uint64_t count, std::int64_t stride) {
    if (swap == 1 && stride == static_cast<std::int64_t>(size)) return data.put(from, count * size);
    while (count != 0) {
      const std::uint64_t n = std::min<std::uint64_t>(count, step);
      if (gather != nullptr) {
        gather(piece.data(), from, n, stride);
      } else {
        detail::gather_any(piece.data(), from, n, stride, size, swap);
      }
      data.put(piece.data(), n * size);
      from += static_cast<std::int64_t>(n) * stride;
      state_.call.tick(n);
      count -= n;
    }
  });
  data.finish();
}

void LeafWriter::leaf(const LeafHead& head, const polycodec_node* attributes,
                      std::string_view data) {
  open(head, attributes, {});
  close(data.data(), data.size());
}

void LeafWriter::leaf(std::string_view schema, const void* data, std::uint64_t size) {
  head(schema);
  close(data, size);
}

void LeafWriter::leaf(std::string_view schema, const polycodec_array& array) {
  head(schema);
  elements(array);
  close();
}

void LeafWriter::own_marker(OwnKind kind, std::string_view more) {
  schema_ = "{\"type\":\"polycodec\",\"kind\":\"";
  schema_ += to_string(kind);
  schema_ += '"';
  schema_ += more;
  schema_ += '}';
  head(schema_);
  close();
}

}  // namespace polycodec::yggdrasil
