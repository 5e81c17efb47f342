// SPDX-License-Identifier: MIT
#include "facet.hpp"

#include <base/article.hpp>
#include <model/geometry.hpp>
#include <model/type/match.hpp>
#include <polycodec/dtype.hpp>
#include <polycodec/quote.hpp>

#include "core/text/infer.hpp"
#include "core/text/text.hpp"
#include "node.hpp"

#include <algorithm>

namespace polycodec::schema {
namespace {

constexpr std::string_view extension_prefix = "yggdrasil.";

Subtype subtype_of(std::uint32_t dtype) noexcept {
  if (is_signed_integer(dtype)) return Subtype::int_;
  if (is_unsigned_integer(dtype)) return Subtype::uint_;
  if (is_float(dtype)) return Subtype::float_;
  if (is_complex(dtype)) return Subtype::complex;
  return is_fixed(dtype) ? Subtype::string : Subtype::none;
}

Encoding encoding_of(std::uint32_t dtype) noexcept {
  return dtype == POLYCODEC_DTYPE_FIXED_UTF8    ? Encoding::utf8
         : dtype == POLYCODEC_DTYPE_FIXED_UTF16 ? Encoding::utf16
         : dtype == POLYCODEC_DTYPE_FIXED_UTF32 ? Encoding::ucs4
                                                : Encoding::none;
}

Word alias_of(Subtype subtype) noexcept {
  switch (subtype) {
    case Subtype::int_:
      return Word::int_;
    case Subtype::uint_:
      return Word::uint_;
    case Subtype::float_:
      return Word::float_;
    default:
      return Word::complex_;
  }
}

// A scalar number. `has_attributes`: it says more about itself than plain JSON can.
void number(Facet& facet, const View& item, bool has_attributes) {
  facet.subtype = subtype_of(item.dtype());
  facet.precision = dtype_size(item.dtype());
  const bool wide_integer = item.kind() == POLYCODEC_KIND_WIDE && is_integer(item.dtype());
  const bool in_table = facet.precision <= 8 || facet.subtype == Subtype::complex;
  if (in_table) facet.words |= bit(Word::scalar) | bit(alias_of(facet.subtype));
  // A number with a unit is none of plain JSON's.
  if (!facet.units && (item.is_integer() || wide_integer))
    facet.words |= bit(Word::integer) | bit(Word::number);
  if (!facet.units && item.kind() == POLYCODEC_KIND_FLOAT) facet.words |= bit(Word::number);
  const bool plain = !has_attributes && (item.dtype() == POLYCODEC_DTYPE_INT64 ||
                                         item.dtype() == POLYCODEC_DTYPE_FLOAT64 ||
                                         item.dtype() == POLYCODEC_DTYPE_UINT64 || wide_integer);
  facet.natural = !plain                             ? Word::scalar
                  : facet.subtype == Subtype::float_ ? Word::number
                                                     : Word::integer;
  if (!in_table && !plain) facet.natural = Word::any;
}

void text(Facet& facet, const View& item) {
  facet.subtype = Subtype::string;
  facet.words |= bit(Word::scalar);
  if (item.kind() == POLYCODEC_KIND_BINARY) {
    facet.words |= bit(Word::bytes);
    facet.natural = Word::scalar;
    return;
  }
  facet.words |= bit(Word::string);
  if (const auto said = attribute(item, attribute_encoding)) {
    facet.encoding = encoding_named(*said).value_or(Encoding::none);
  } else if (facet.units || attribute(item, attribute_type) || attribute(item, attribute_title)) {
    facet.encoding = Encoding::utf8;
  }
  if (facet.encoding == Encoding::ucs4) facet.words |= bit(Word::unicode);
  facet.natural = facet.encoding == Encoding::none ? Word::string : Word::scalar;
}

void leaf(Facet& facet, const polycodec_array& array, const View& item) {
  facet.array = true;
  facet.subtype = subtype_of(array.dtype);
  facet.precision = array.item_size;
  facet.encoding = encoding_of(array.dtype);
  if (const auto said = attribute(item, attribute_encoding))
    if (const auto known = encoding_named(*said)) facet.encoding = *known;
  if (facet.subtype == Subtype::none) return;  // booleans and times: a list of them
  facet.words |= bit(Word::ndarray);
  if (array.ndim == 1) facet.words |= bit(Word::array_1d);
  facet.natural = Word::ndarray;
}

void extension(Facet& facet, const View& item) {
  const std::string_view name = item.name();
  if (!name.starts_with(extension_prefix)) return;
  const std::string_view word = name.substr(extension_prefix.size());
  if (word == "integer") {
    facet.words |= bit(Word::integer) | bit(Word::number);
    facet.natural = Word::integer;
  } else if (word == "other") {
    // The type word is in the schema that the value came with.
    const auto schema = item.child().find("schema");
    if (!schema || schema->kind() != POLYCODEC_KIND_STRING || schema->node() == nullptr) return;
    try {
      std::string scratch;
      const Value parsed = parse_json(schema->as_string(scratch));
      if (!parsed.view().is_object()) return;
      const auto type = parsed.view().find("type");
      if (!type || !type->is_string()) return;
      // The word lies in the parsed copy; what is kept is its place in the text that the value
      // owns.
      const std::string_view all = NodeView(schema->node()).as_string();
      const std::size_t at = all.find("\"" + std::string(type->as_string()) + "\"");
      if (at != std::string_view::npos)
        facet.own_word = all.substr(at + 1, type->as_string().size());
    } catch (const Error& e) {
      if (e.code() == Status::memory) throw;
      // A schema that is not JSON names no type.
    }
  } else if (const auto known = word_named(word);
             known && (bit(*known) & (bit(Word::klass) | bit(Word::function) | bit(Word::instance) |
                                      bit(Word::schema) | bit(Word::ply) | bit(Word::obj))) != 0) {
    facet.words |= bit(*known);
    facet.natural = *known;
  }
}

}  // namespace

const polycodec_array* leaf_of(const View& item) noexcept {
  const polycodec_array* array = item.array();
  return array != nullptr && array->layout == POLYCODEC_LAYOUT_NDARRAY && array->ndim != 0
             ? array
             : nullptr;
}

const polycodec_array* table_of(const View& item) noexcept {
  const polycodec_array* array = item.array();
  return array != nullptr && array->layout == POLYCODEC_LAYOUT_RECORD && array->names != nullptr
             ? array
             : nullptr;
}

bool takes_units(const View& item) noexcept {
  const polycodec_array* array = leaf_of(item);
  const std::uint32_t dtype = array != nullptr ? array->dtype : item.dtype();
  return (array != nullptr || !item.is_list()) && subtype_of(dtype) != Subtype::none &&
         !is_fixed(dtype);
}

Facet facet_of(const Item& item) {
  Facet facet;
  facet.words = bit(Word::any);
  facet.units = takes_units(item) ? item.units() : attribute(item, attribute_units);
  const bool has_attributes =
      facet.units || (item.metadata() != nullptr && NodeView(item.metadata()).size() != 0);
  switch (item.kind()) {
    case POLYCODEC_KIND_NULL:
      facet.words |= bit(Word::null);
      facet.natural = Word::null;
      break;
    case POLYCODEC_KIND_BOOLEAN:
      facet.words |= bit(Word::boolean);
      facet.natural = Word::boolean;
      break;
    case POLYCODEC_KIND_SIGNED:
    case POLYCODEC_KIND_UNSIGNED:
    case POLYCODEC_KIND_FLOAT:
    case POLYCODEC_KIND_WIDE:
      number(facet, item, has_attributes);
      break;
    case POLYCODEC_KIND_STRING:
    case POLYCODEC_KIND_BINARY:
      text(facet, item);
      break;
    case POLYCODEC_KIND_LIST:
    case POLYCODEC_KIND_TUPLE:
      facet.words |= bit(Word::array);
      facet.natural = Word::array;
      if (const polycodec_array* array = leaf_of(item)) leaf(facet, *array, item);
      break;
    case POLYCODEC_KIND_OBJECT:
      facet.words |= bit(Word::object);
      facet.natural = Word::object;
      break;
    case POLYCODEC_KIND_EXTENSION:
      extension(facet, item);
      break;
    default:
      break;
  }
  // A mesh that was decoded is any kind of value and says what it was. What comes from a file of a
  // mesh is written as one, and is an object as well.
  const auto said = attribute(item, attribute_type);
  if (said == "ply" || said == "obj") {
    facet.natural = said == "ply" ? Word::ply : Word::obj;
    facet.words |= bit(facet.natural);
  } else if (item.kind() == POLYCODEC_KIND_OBJECT && item.node() != nullptr) {
    const std::string_view codec = geometry_codec(NodeView(item.node()), item.metadata());
    if (!codec.empty()) {
      facet.geometry = codec == "ply" ? Word::ply : Word::obj;
      facet.words |= bit(*facet.geometry);
    }
  }
  return facet;
}

std::optional<std::string_view> long_integer(const View& item) {
  if (item.kind() != POLYCODEC_KIND_EXTENSION || !item.name().starts_with(extension_prefix) ||
      item.name().substr(extension_prefix.size()) != name_of(Word::integer))
    return std::nullopt;
  const View payload = item.child();
  if (payload.kind() != POLYCODEC_KIND_STRING || payload.node() == nullptr) return std::nullopt;
  const std::string_view text = payload.as_string();
  const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
  const bool good = !digits.empty() && digits.find_first_not_of("0123456789") == digits.npos;
  return good ? std::optional(text) : std::nullopt;
}

std::uint64_t text_precision(const View& item, const Facet& facet, Encoding encoding) {
  if (facet.array) return facet.precision;
  if (item.kind() == POLYCODEC_KIND_BINARY) return item.as_bytes().size();
  std::string scratch;
  return encoded_size(item.as_string(scratch),
                      facet.encoding == Encoding::none ? encoding : facet.encoding);
}

std::string describe(const Facet& facet) {
  std::string text;
  if (!facet.own_word.empty()) return "of the type " + quote(facet.own_word);
  if (facet.natural == Word::any) return "of a kind that no type of schemas is";
  if (facet.natural != Word::scalar && facet.natural != Word::ndarray) {
    text = facet.natural == Word::null ? "null" : with_article(name_of(facet.natural));
  } else {
    text = facet.array ? "an ndarray of " : "a scalar of ";
    text += facet.subtype == Subtype::string && facet.encoding == Encoding::none
                ? "bytes"
                : name_of(facet.subtype);
    if (facet.precision != 0)
      text += ", " + std::to_string(facet.precision) + (facet.precision == 1 ? " byte" : " bytes");
  }
  if (facet.units) text += ", in " + quote(*facet.units);
  return text;
}

bool fits_own_word(const Node& node, const Item& item, const Facet& facet) {
  if (!facet.own_word.empty() &&
      std::ranges::find(node.own_words, facet.own_word) != node.own_words.end())
    return true;
  if (node.registered.empty() || item.node() == nullptr) return false;
  const type::Type type = infer_type(NodeView(item.node()));
  return std::ranges::any_of(node.registered,
                             [&](const type::Type& t) { return type::matches(t, type); });
}

}  // namespace polycodec::schema
