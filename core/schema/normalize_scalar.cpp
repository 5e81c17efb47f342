// SPDX-License-Identifier: MIT
// Plain numbers, typed scalars, strings.
#include <base/decimal.hpp>
#include <base/dtype_names.hpp>
#include <base/nodes.hpp>
#include <base/utf8.hpp>
#include <polycodec/dtype.hpp>
#include <polycodec/error.hpp>
#include <polycodec/quote.hpp>

#include "library.hpp"
#include "normalizer.hpp"
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

Normalizer::Target Normalizer::target_of(const TypedRules& rules, const Facet& facet,
                                         std::uint32_t dtype) {
  Target target;
  if (!is_castable(dtype))
    fail(Status::unsupported, "subtype",
         "numbers of the type " + std::string(dtype_name(dtype)) + " are not cast");
  const Subtype wanted = rules.subtype == Subtype::none ? facet.subtype : rules.subtype;
  if (is_text(wanted))
    fail(Status::type, "subtype",
         "wanted is a text, and this is " + describe(facet) + ", which can't become it");
  const std::uint64_t precision = rules.precision.value_or(usual_precision(wanted, facet));
  target.dtype = dtype_for(wanted, precision);
  if (target.dtype == POLYCODEC_DTYPE_NONE)
    fail(Status::unsupported, "precision",
         "there is no " + std::string(name_of(wanted)) + " of " + std::to_string(precision) +
             " bytes here");
  if (!rules.units) return target;
  if (!facet.units) {
    // Numbers without a unit are in the wanted one. Without attributes nothing is said where none
    // is wanted.
    if (!library::same_units("", *rules.units)) target.units = &*rules.units;
    return target;
  }
  if (library::same_units(*facet.units, *rules.units)) return target;
  target.conversion = conversion(*facet.units, *rules.units);
  target.converts = !target.conversion.is_identity();
  target.units = &*rules.units;
  return target;
}

const UnitConversion& Normalizer::conversion(std::string_view from, const std::string& to) {
  if (last_from_ == from && last_to_ == to) return last_conversion_;
  try {
    last_conversion_ = library::convert_units(from, to);
  } catch (Error& error) {
    if (error.path().empty()) error.path(path_);
    throw;
  }
  last_from_ = from;
  last_to_ = to;
  return last_conversion_;
}

// The attributes of `item` with another unit or encoding; `plain`: without what only typed values
// have.
const polycodec_node* Normalizer::attributes_of(const Item& item,
                                                std::optional<std::string_view> units,
                                                Encoding encoding, bool plain) {
  if (!units && takes_units(item)) units = item.inherited_units();
  if (!units && encoding == Encoding::none && !plain) return item.metadata();
  std::vector<Member> members;
  if (units) members.push_back({attribute_units, out_.string_copy(*units)});
  if (encoding != Encoding::none)
    members.push_back({attribute_encoding, Builder::string_view(name_of(encoding))});
  const NodeView all = item.metadata() == nullptr ? NodeView() : NodeView(item.metadata());
  for (std::uint64_t i = 0; i < all.size(); ++i) {
    const std::string_view key = all.key(i).as_string();
    if ((units && key == attribute_units) ||
        ((encoding != Encoding::none || plain) && key == attribute_encoding) ||
        (plain && key == attribute_type))
      continue;
    members.push_back({key, *all.value(i).raw()});
  }
  return members.empty() ? nullptr : out_.store(out_.object(std::span<const Member>(members)));
}

const polycodec_node* Normalizer::without_units(const View& item) {
  if (!attribute(item, attribute_units)) return item.metadata();
  std::vector<Member> members;
  const NodeView all(item.metadata());
  for (std::uint64_t i = 0; i < all.size(); ++i)
    if (all.key(i).as_string() != attribute_units)
      members.push_back({all.key(i).as_string(), *all.value(i).raw()});
  return members.empty() ? nullptr : out_.store(out_.object(std::span<const Member>(members)));
}

polycodec_node Normalizer::annotated(polycodec_node node, const polycodec_node* attributes) {
  if (node.kind == POLYCODEC_KIND_ANNOTATED) node = *node.as.annotated->node;
  return attributes == nullptr ? node : out_.annotated(node, *attributes);
}

Normalizer::Changed Normalizer::plain_number(bool integer, const Item& item, const Facet& facet) {
  const bool is_text = item.kind() == POLYCODEC_KIND_STRING;
  if (!is_text && (!is_castable(item.dtype()) || item.is_list())) return std::nullopt;
  if (const auto units = item.units())
    fail(Status::type, "type",
         "wanted is a number without a unit, and this is in " + quote(*units));
  if (is_text) return from_text(integer, item);
  TypedRules rules;
  rules.subtype = integer ? Subtype::int_ : Subtype::float_;
  rules.precision = 8;
  const Changed made = scalar(rules, item, facet);
  return made ? annotated(*made, attributes_of(item, std::nullopt, Encoding::none, true)) : made;
}

// "5" is 5.
Normalizer::Changed Normalizer::from_text(bool integer, const Item& item) {
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
  fail(Status::type, "type",
       "wanted is " + std::string(integer ? "an integer" : "a number") + ", and this is the text " +
           quote(text));
}

Normalizer::Changed Normalizer::typed(const TypedRules& rules, const Item& item) {
  const Facet facet = facet_of(item);
  if (facet.array)
    return has(facet.words, Word::ndarray) ? array(rules, item, facet) : std::nullopt;
  if (!has(facet.words, Word::scalar)) return std::nullopt;
  if (facet.subtype != Subtype::string) return scalar(rules, item, facet);
  if (rules.subtype == Subtype::none || is_text(rules.subtype)) return text(rules, item, facet);
  // A text of digits becomes the number, and the number what is wanted.
  if (item.kind() != POLYCODEC_KIND_STRING)
    fail(Status::type, "subtype",
         "wanted is " + std::string(name_of(rules.subtype)) + ", and this is " + describe(facet));
  const bool integer = rules.subtype == Subtype::int_ || rules.subtype == Subtype::uint_;
  const polycodec_node parsed =
      annotated(*from_text(integer, item), attributes_of(item, std::nullopt, Encoding::none, true));
  const Item number(View(out_.store(parsed)), item.outer_units());
  const Changed made = scalar(rules, number, facet_of(number));
  return made ? made : node_of(number);
}

Normalizer::Changed Normalizer::scalar(const TypedRules& rules, const Item& item,
                                       const Facet& facet) {
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
                         options_.rounding};
    if (auto failure = cast_elements(cast, bits, 1, made))
      fail(Status::range, target.converts ? "units" : "precision",
           failure->reason + (target.converts
                                  ? " (" + std::string(*facet.units) + " to " + *target.units + ")"
                                  : ""));
  }
  return annotated(number_node(out_, target.dtype, made),
                   attributes_of(item, text_of(target.units), Encoding::none, false));
}

Normalizer::Changed Normalizer::text(const TypedRules& rules, const Item& item,
                                     const Facet& facet) {
  Encoding encoding = rules.encoding;
  if (encoding == Encoding::none && rules.subtype == Subtype::unicode) encoding = Encoding::ucs4;
  Changed changed;
  if (item.kind() == POLYCODEC_KIND_BINARY) {
    if (encoding != Encoding::none) {
      const std::string_view bytes = item.as_bytes();
      if (encoding == Encoding::ascii ? !is_ascii(bytes) : !is_utf8(bytes))
        fail(Status::range, "encoding",
             "the bytes are not " + std::string(encoding == Encoding::ascii ? "ASCII" : "UTF-8"));
      changed = annotated(Builder::string_view(bytes),
                          attributes_of(item, std::nullopt, encoding, false));
    }
  } else if (rules.subtype == Subtype::bytes && encoding == Encoding::none) {
    const std::string_view text = out_.copy_text([&] {
      std::string scratch;
      return std::string(item.as_string(scratch));
    }());
    changed = annotated(Builder::bytes_view(text),
                        attributes_of(item, std::nullopt, Encoding::none, true));
  } else if (encoding != Encoding::none) {
    std::string scratch;
    if (encoding == Encoding::ascii && !is_ascii(item.as_string(scratch)))
      fail(Status::range, "encoding", "the text has characters beyond ASCII");
    const Encoding own = facet.encoding == Encoding::none ? Encoding::utf8 : facet.encoding;
    if (own != encoding)
      changed = annotated(node_of(item), attributes_of(item, std::nullopt, encoding, false));
  }
  if (rules.units && !item.units() && !library::same_units("", *rules.units)) {
    const Item current = item_of(changed, item);
    changed =
        annotated(node_of(current), attributes_of(current, *rules.units, Encoding::none, false));
  }
  return changed;
}

}  // namespace polycodec::schema
