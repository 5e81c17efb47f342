// SPDX-License-Identifier: MIT
// Typed leaves: schemas, scalars and strings.
#include <base/base64.hpp>
#include <base/decimal.hpp>
#include <base/utf8.hpp>
#include <base/utf_convert.hpp>

#include "encode.hpp"

#include <algorithm>
#include <cstring>

namespace polycodec::yggdrasil {
namespace {

constexpr std::string_view title_key = "title";

void append_number(std::string& to, std::uint64_t number) {
  char text[max_decimal_size];
  to.append(text, print_decimal(text, number));
}

}  // namespace

Encoder::Words Encoder::words(const polycodec_node* attributes) {
  Words words;
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

void Encoder::json_string(std::string& to, std::string_view text) const {
  const bool simple = std::all_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) >= 0x20 && static_cast<unsigned char>(c) < 0x80 &&
           c != '"' && c != '\\';
  });
  if (simple) {
    to += '"';
    to += text;
    to += '"';
    return;
  }
  to += inner([&](Encoder& encoder) { encoder.string(text); });
}

void Encoder::json_value(std::string& to, const polycodec_node& value) {
  to += inner([&](Encoder& encoder) { encoder.loop(&value, frames_.size() + 1); });
}

void Encoder::member(std::string_view key, std::string_view text) {
  schema_ += schema_.size() == 1 ? "\"" : ",\"";
  schema_ += key;
  schema_ += "\":";
  json_string(schema_, text);
}

// The attributes that are not words, but for `except`. `typed`: names that mean something in the
// schema of a number or text are prefixed.
void Encoder::members(const polycodec_node* attributes, const Words& used, bool typed,
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
    json_string(schema_, reserved ? std::string(own_prefix) + std::string(key) : std::string(key));
    schema_ += ':';
    if (object.value(i).is_string() && object.value(i).node() == object.value(i).raw() &&
        !looks_typed(object.value(i).as_string())) {
      json_string(schema_, object.value(i).as_string());
    } else {
      json_value(schema_, *object.value(i).raw());
    }
  }
}

// Everything before the data. `used`: the words of the attributes that `head` has taken up.
void Encoder::open(const LeafHead& head, const polycodec_node* attributes, const Words& used) {
  if (plain_)
    throw Error(Status::unsupported,
                "the arguments of an instance must be plain JSON, not exactly typed values");
  if (settings_.dialect == Dialect::legacy ||
      (settings_.dialect == Dialect::document && !looks_typed_text_)) {
    out_.put_u8('"');
    return lose_attributes(attributes, true);
  }
  const bool typed = head.type <= TypeWord::array1d;
  schema_.assign(1, '{');
  member("type", to_string(head.type));
  if (head.subtype != Subtype::none) member("subtype", to_string(head.subtype));
  if (head.has_precision) {
    schema_ += ",\"precision\":";
    append_number(schema_,
                  settings_.dialect == Dialect::document ? head.precision * 8 : head.precision);
  }
  // The real libraries put the units in different places.
  const auto units = attributes == nullptr ? std::nullopt : NodeView(attributes).find("units");
  const bool has_units = typed && units && units->is_string();
  if (has_units && !settings_.python) member("units", units->as_string());
  if (head.has_shape) {
    schema_ += ",\"shape\":[";
    for (const std::int64_t& extent : head.shape) {
      if (&extent != head.shape.data()) schema_ += ',';
      append_number(schema_, static_cast<std::uint64_t>(extent));
    }
    schema_ += ']';
  }
  if (has_units && settings_.python) member("units", units->as_string());
  if (head.encoding != Encoding::none) member("encoding", to_string(head.encoding));
  if (head.has_title) member(title_key, head.title);
  if (head.table) schema_ += ",\"polycodec:table\":true";
  schema_ += head.more;
  members(attributes, used, typed, has_units ? "units" : std::string_view());
  schema_ += '}';
  this->head(schema_);
}

void Encoder::head(std::string_view schema) {
  out_.put_u8('"');
  out_.put_text(marker);
  base64(schema.data(), schema.size());
  out_.put_text(marker);
}

void Encoder::base64(const void* data, std::uint64_t size, bool lines) {
  constexpr std::uint64_t most_at_once = 4096;
  if (!lines && size <= most_at_once) {
    const auto bytes = static_cast<std::size_t>(size);
    auto* const to = reinterpret_cast<char*>(out_.reserve(base64_encoded_size(bytes)));
    return out_.commit(base64_encode(to, data, bytes));
  }
  Base64Out out(call_, out_, lines);
  out.put(data, size);
  out.finish();
}

void Encoder::close(const void* data, std::uint64_t size) {
  base64(data, size, settings_.dialect == Dialect::legacy);
  close();
}

void Encoder::close() {
  if (settings_.dialect == Dialect::current ||
      (settings_.dialect == Dialect::document && looks_typed_text_))
    out_.put_text(marker);
  out_.put_u8('"');
}

// `bits`: the number in little-endian order.
void Encoder::scalar(std::uint32_t dtype, const std::byte* bits, const polycodec_node* attributes) {
  const std::uint32_t size = dtype_size(dtype);
  LeafHead head{.subtype = subtype_of(dtype), .has_precision = true, .precision = size};
  const Words given = words(attributes);
  if (!given.any && settings_.dialect == Dialect::current && !plain_) {
    std::string& start = heads_[dtype];
    if (start.empty()) start = inner([&](Encoder& encoder) { encoder.open(head, nullptr, {}); });
    // Base64 of 16 bytes, the marker and the quote.
    auto* const to = reinterpret_cast<char*>(out_.reserve(start.size() + 30));
    std::memcpy(to, start.data(), start.size());
    char* end = to + start.size();
    end += base64_encode(end, bits, size);
    std::memcpy(end, "-YGG-\"", 6);
    out_.commit(static_cast<std::uint64_t>(end + 6 - to));
    return;
  }
  Words used;
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

void Encoder::text_leaf(std::string_view text, const polycodec_node* attributes) {
  const Words given = words(attributes);
  Words used;
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
  looks_typed_text_ = !words(attributes).any;
  open(head, attributes, used);
  close(bytes.data(), bytes.size());
  looks_typed_text_ = false;
}

void Encoder::bytes_leaf(std::string_view bytes, const polycodec_node* attributes) {
  const Words given = words(attributes);
  Words used;
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

// A class, a function, or the text of a geometry.
void Encoder::name_leaf(TypeWord type, std::string_view text, const polycodec_node* attributes) {
  if (settings_.dialect != Dialect::current) return string(text);
  open({.type = type}, attributes, {});
  close(text.data(), text.size());
}

}  // namespace polycodec::yggdrasil
