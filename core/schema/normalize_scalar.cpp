// SPDX-License-Identifier: MIT
// Plain numbers, typed scalars, strings.
#include <base/decimal.hpp>
#include <base/dtype_names.hpp>
#include <base/nodes.hpp>
#include <polycodec/dtype.hpp>
#include <polycodec/error.hpp>
#include <polycodec/quote.hpp>
#include <polycodec/utf.hpp>

#include "core/schema/schema.hpp"
#include "leaf_normalizer.hpp"
#include "number.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstring>

namespace polycodec::schema {
namespace {

std::uint32_t dtype_for(Subtype subtype, std::uint64_t precision) noexcept {
  switch (subtype) {
    case Subtype::int_:
      return precision == 1   ? POLYCODEC_DTYPE_INT8
             : precision == 2 ? POLYCODEC_DTYPE_INT16
             : precision == 4 ? POLYCODEC_DTYPE_INT32
             : precision == 8 ? POLYCODEC_DTYPE_INT64
                              : POLYCODEC_DTYPE_NONE;
    case Subtype::uint_:
      return precision == 1   ? POLYCODEC_DTYPE_UINT8
             : precision == 2 ? POLYCODEC_DTYPE_UINT16
             : precision == 4 ? POLYCODEC_DTYPE_UINT32
             : precision == 8 ? POLYCODEC_DTYPE_UINT64
                              : POLYCODEC_DTYPE_NONE;
    case Subtype::float_:
      return precision == 2   ? POLYCODEC_DTYPE_FLOAT16
             : precision == 4 ? POLYCODEC_DTYPE_FLOAT32
             : precision == 8 ? POLYCODEC_DTYPE_FLOAT64
                              : POLYCODEC_DTYPE_NONE;
    case Subtype::complex:
      return precision == 4    ? POLYCODEC_DTYPE_COMPLEX32
             : precision == 8  ? POLYCODEC_DTYPE_COMPLEX64
             : precision == 16 ? POLYCODEC_DTYPE_COMPLEX128
                               : POLYCODEC_DTYPE_NONE;
    default:
      return POLYCODEC_DTYPE_NONE;
  }
}

// Where the schema names no precision: that of the value, or the widest that numbers of its kind
// need.
std::uint64_t usual_precision(Subtype wanted, const Facet& facet) noexcept {
  if (wanted == facet.subtype) return facet.precision;
  const bool integers = (wanted == Subtype::int_ || wanted == Subtype::uint_) &&
                        (facet.subtype == Subtype::int_ || facet.subtype == Subtype::uint_);
  if (integers) return facet.precision;
  if (wanted == Subtype::complex)
    return facet.subtype == Subtype::float_ ? std::min<std::uint64_t>(2 * facet.precision, 16) : 16;
  if (wanted == Subtype::float_ && facet.subtype == Subtype::complex) return facet.precision / 2;
  return 8;
}

bool is_castable(std::uint32_t dtype) noexcept {
  return (is_integer(dtype) || is_float(dtype) || is_complex(dtype)) &&
         (dtype_size(dtype) <= 8 || is_complex(dtype));
}

}  // namespace

LeafNormalizer::Target LeafNormalizer::target_of(const TypedRules& rules, const Facet& facet,
                                                 std::uint32_t dtype) {
  Target target;
  if (!is_castable(dtype))
    context_.fail(Status::unsupported, "subtype",
                  "numbers of the type " + std::string(dtype_name(dtype)) + " are not cast");
  const Subtype wanted = rules.subtype == Subtype::none ? facet.subtype : rules.subtype;
  if (is_text(wanted))
    context_.fail(Status::type, "subtype",
                  "wanted is a text, and this is " + describe(facet) + ", which can't become it");
  const std::uint64_t precision = rules.precision.value_or(usual_precision(wanted, facet));
  target.dtype = dtype_for(wanted, precision);
  if (target.dtype == POLYCODEC_DTYPE_NONE)
    context_.fail(Status::unsupported, "precision",
                  "there is no " + std::string(name_of(wanted)) + " of " +
                      std::to_string(precision) + " bytes here");
  if (!rules.units) return target;
  if (!facet.units) {
    // Numbers without a unit are in the wanted one. Without attributes nothing is said where none
    // is wanted.
    if (!same_units("", *rules.units)) target.units = &*rules.units;
    return target;
  }
  if (same_units(*facet.units, *rules.units)) return target;
  target.conversion = conversion(*facet.units, *rules.units);
  target.converts = !target.conversion.is_identity();
  target.units = &*rules.units;
  return target;
}

const UnitConversion& LeafNormalizer::conversion(std::string_view from, const std::string& to) {
  if (last_from_ == from && last_to_ == to) return last_conversion_;
  try {
    last_conversion_ = UnitConversion::between(from, to);
  } catch (Error& error) {
    if (error.path().empty()) error.path(context_.path());
    throw;
  }
  last_from_ = from;
  last_to_ = to;
  return last_conversion_;
}

Changed LeafNormalizer::plain_number(bool integer, const Item& item, const Facet& facet) {
  const bool is_text = item.kind() == POLYCODEC_KIND_STRING;
  if (!is_text && (!is_castable(item.dtype()) || item.is_list())) return std::nullopt;
  if (const auto units = item.units())
    context_.fail(Status::type, "type",
                  "wanted is a number without a unit, and this is in " + quote(*units));
  if (is_text) return from_text(integer, item);
  TypedRules rules;
  rules.subtype = integer ? Subtype::int_ : Subtype::float_;
  rules.precision = 8;
  const Changed made = scalar(rules, item, facet);
  return made ? context_.annotated(*made,
                                   context_.attributes_of(item, std::nullopt, Encoding::none, true))
              : made;
}

// "5" is 5.
Changed LeafNormalizer::from_text(bool integer, const Item& item) {
  std::string scratch;
  const std::string_view text = item.as_string(scratch);
  const char* end = text.data() + text.size();
  const auto parsed = [&](auto& number) {
    const auto result = std::from_chars(text.data(), end, number);
    return result.ec == std::errc() && result.ptr == end;
  };
  std::int64_t whole = 0;
  std::uint64_t large = 0;
  double real = 0;
  if (parsed(whole)) return Builder::integer(whole);
  if (parsed(large)) return Builder::unsigned_integer(large);
  // The words for infinity and NaN are strings, not numbers.
  if (!integer && parsed(real) && std::isfinite(real)) return Builder::real(real);
  context_.fail(Status::type, "type",
                "wanted is " + std::string(integer ? "an integer" : "a number") +
                    ", and this is the text " + quote(text));
}

Changed LeafNormalizer::typed(const TypedRules& rules, const Item& item) {
  const Facet facet = facet_of(item);
  if (facet.array) {
    if (!has(facet.words, Word::ndarray)) return std::nullopt;
    const polycodec_array* made = array(rules, item, facet);
    return made == nullptr ? std::nullopt : Changed(Builder::array(made));
  }
  if (!has(facet.words, Word::scalar)) return std::nullopt;
  if (facet.subtype != Subtype::string) return scalar(rules, item, facet);
  if (rules.subtype == Subtype::none || is_text(rules.subtype)) return text(rules, item, facet);
  // A text of digits becomes the number, and the number what is wanted.
  if (item.kind() != POLYCODEC_KIND_STRING)
    context_.fail(
        Status::type, "subtype",
        "wanted is " + std::string(name_of(rules.subtype)) + ", and this is " + describe(facet));
  const bool integer = rules.subtype == Subtype::int_ || rules.subtype == Subtype::uint_;
  const polycodec_node parsed = context_.annotated(
      *from_text(integer, item), context_.attributes_of(item, std::nullopt, Encoding::none, true));
  const Item number(View(context_.out().store(parsed)), item.outer_units());
  const Changed made = scalar(rules, number, facet_of(number));
  return made ? made : context_.node_of(number);
}

Changed LeafNormalizer::scalar(const TypedRules& rules, const Item& item, const Facet& facet) {
  const Target target = target_of(rules, facet, item.dtype());
  if (target.dtype == item.dtype() && !target.converts && target.units == nullptr)
    return std::nullopt;
  std::byte bits[16] = {};
  std::byte made[16] = {};
  item.copy_bits(bits);
  if (target.dtype == item.dtype() && !target.converts) {
    std::memcpy(made, bits, sizeof made);
  } else {
    const CastRules cast{item.dtype(), target.dtype, target.converts ? &target.conversion : nullptr,
                         context_.options().rounding};
    if (auto failure = cast_elements(cast, bits, 1, made))
      context_.fail(Status::range, target.converts ? "units" : "precision",
                    failure->reason + (target.converts ? " (" + std::string(*facet.units) + " to " +
                                                             *target.units + ")"
                                                       : ""));
  }
  return context_.annotated(
      number_node(context_.out(), target.dtype, made),
      context_.attributes_of(item, text_of(target.units), Encoding::none, false));
}

Changed LeafNormalizer::text(const TypedRules& rules, const Item& item, const Facet& facet) {
  Encoding encoding = rules.encoding;
  if (encoding == Encoding::none && rules.subtype == Subtype::unicode) encoding = Encoding::ucs4;
  Changed changed;
  if (item.kind() == POLYCODEC_KIND_BINARY) {
    if (encoding != Encoding::none) {
      const std::string_view bytes = item.as_bytes();
      if (encoding == Encoding::ascii ? !is_ascii(bytes) : !is_utf8(bytes))
        context_.fail(
            Status::range, "encoding",
            "the bytes are not " + std::string(encoding == Encoding::ascii ? "ASCII" : "UTF-8"));
      changed = context_.annotated(Builder::string_view(bytes),
                                   context_.attributes_of(item, std::nullopt, encoding, false));
    }
  } else if (rules.subtype == Subtype::bytes && encoding == Encoding::none) {
    const std::string_view text = context_.out().copy_text([&] {
      std::string scratch;
      return std::string(item.as_string(scratch));
    }());
    changed = context_.annotated(Builder::bytes_view(text),
                                 context_.attributes_of(item, std::nullopt, Encoding::none, true));
  } else if (encoding != Encoding::none) {
    std::string scratch;
    if (encoding == Encoding::ascii && !is_ascii(item.as_string(scratch)))
      context_.fail(Status::range, "encoding", "the text has characters beyond ASCII");
    const Encoding own = facet.encoding == Encoding::none ? Encoding::utf8 : facet.encoding;
    if (own != encoding)
      changed = context_.annotated(context_.node_of(item),
                                   context_.attributes_of(item, std::nullopt, encoding, false));
  }
  if (rules.units && !item.units() && !same_units("", *rules.units)) {
    const Item current = context_.item_of(changed, item);
    changed =
        context_.annotated(context_.node_of(current),
                           context_.attributes_of(current, *rules.units, Encoding::none, false));
  }
  return changed;
}

Changed LeafNormalizer::as_word(Word word, const Item& item, const Facet& facet) {
  switch (word) {
    case Word::integer:
      return plain_number(true, item, facet);
    case Word::number:
      return plain_number(false, item, facet);
    case Word::string: {
      TypedRules rules;
      rules.subtype = Subtype::string;
      rules.encoding = Encoding::utf8;
      const Changed made =
          item.kind() == POLYCODEC_KIND_BINARY ? text(rules, item, facet) : std::nullopt;
      return made ? context_.annotated(
                        *made, context_.attributes_of(item, std::nullopt, Encoding::none, true))
                  : made;
    }
    case Word::int_:
    case Word::uint_:
    case Word::float_:
    case Word::complex_:
    case Word::bytes:
    case Word::unicode: {
      if (!has(facet.words, Word::scalar)) return std::nullopt;
      TypedRules rules;
      rules.subtype = alias_subtype(word);
      return typed(rules, item);
    }
    case Word::ply:
    case Word::obj: {
      // A mesh says what it is by an attribute.
      if (item.kind() != POLYCODEC_KIND_OBJECT) return std::nullopt;
      const polycodec_node name = Builder::string_view(name_of(word));
      std::vector<Member> members{{attribute_type, name}};
      const polycodec_node node = context_.node_of(item);
      const auto* own = View(&node).metadata();
      const NodeView all = own == nullptr ? NodeView() : NodeView(own);
      for (std::uint64_t i = 0; i < all.size(); ++i)
        if (all.key(i).as_string() != attribute_type)
          members.push_back({all.key(i).as_string(), *all.value(i).raw()});
      return context_.annotated(
          node, context_.out().store(context_.out().object(std::span<const Member>(members))));
    }
    default:
      return std::nullopt;
  }
}

}  // namespace polycodec::schema
