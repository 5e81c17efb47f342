// SPDX-License-Identifier: MIT
// Scalars, strings and the headers and elements of arrays.
#include <base/contiguous.hpp>
#include <polycodec/dtype.hpp>
#include <polycodec/error.hpp>
#include <polycodec/quote.hpp>
#include <polycodec/utf.hpp>

#include "core/schema/schema.hpp"
#include "element_bounds.hpp"
#include "number.hpp"
#include "validator.hpp"

#include <span>

namespace polycodec::schema {
namespace {

template <class Extent>
std::string shape_text(std::span<const Extent> shape) {
  std::string text = "[";
  for (const Extent extent : shape) text += (text.size() == 1 ? "" : ", ") + std::to_string(extent);
  return text + "]";
}

}  // namespace

bool Validator::typed(const Node& node, const Item& item, const Facet& facet) {
  const TypedRules& rules = *node.typed;
  if ((facet.words & (bit(Word::scalar) | bit(Word::ndarray))) == 0) return true;
  bool fits = true;
  const bool text = is_text(rules.subtype);
  if (rules.subtype != Subtype::none &&
      (text ? facet.subtype != Subtype::string : facet.subtype != rules.subtype))
    return wrong("subtype", [&] {
      return "wanted is " + std::string(name_of(rules.subtype)) + ", and this is " +
             describe(facet);
    });
  Encoding encoding = rules.encoding;
  if (encoding == Encoding::none && rules.subtype == Subtype::unicode) encoding = Encoding::ucs4;
  const bool bytes = rules.subtype == Subtype::bytes && encoding == Encoding::none;
  // A text that names no encoding is UTF-8.
  const Encoding own = facet.encoding == Encoding::none && item.kind() == POLYCODEC_KIND_STRING
                           ? Encoding::utf8
                           : facet.encoding;
  if (facet.subtype == Subtype::string &&
      ((encoding != Encoding::none && own != encoding) || (bytes && own != Encoding::none)))
    fits = wrong(bytes ? "subtype" : "encoding", [&] {
      return "wanted is " +
             (bytes ? std::string("bytes without an encoding")
                    : "the encoding " + std::string(name_of(encoding))) +
             ", and this is " + (own == Encoding::none ? "bytes" : std::string(name_of(own)));
    });
  if (rules.precision) {
    const bool string = facet.subtype == Subtype::string;
    const std::uint64_t size = string ? text_precision(item, facet, encoding) : facet.precision;
    if (string ? size > *rules.precision : size != *rules.precision)
      fits = wrong("precision", [&] {
        return "wanted are " + std::string(string ? "at most " : "") +
               std::to_string(*rules.precision) + " bytes, and this has " + std::to_string(size);
      });
  }
  // Without a type, the unit is that of numbers which have one, as for yggdrasil.
  if (rules.units && (facet.units || node.has_type()) && !units(rules, facet)) fits = false;
  if (facet.array && !shape(rules, item)) fits = false;
  return fits;
}

bool Validator::units(const TypedRules& rules, const Facet& facet) {
  if (facet.units ? same_units(*facet.units, *rules.units) : same_units("", *rules.units))
    return true;
  return wrong("units", [&] {
    return facet.units ? "the number is in " + quote(*facet.units) + ", and wanted is " +
                             quote(*rules.units)
                       : "the number has no unit, and wanted is " + quote(*rules.units);
  });
}

bool Validator::shape(const TypedRules& rules, const View& item) {
  const auto extents = ArrayView(*leaf_of(item)).shape();
  bool fits = true;
  if (rules.shape) {
    bool same = rules.shape->size() == extents.size();
    for (std::size_t i = 0; same && i < extents.size(); ++i)
      same = (*rules.shape)[i] == static_cast<std::uint64_t>(extents[i]);
    if (!same)
      fits = fail("shape", "the array has the shape " + shape_text(extents) + " instead of " +
                               shape_text(std::span<const std::uint64_t>(*rules.shape)));
  }
  if (rules.ndim && *rules.ndim != extents.size())
    fits = fail("ndim", "the array has " + std::to_string(extents.size()) +
                            " dimensions instead of " + std::to_string(*rules.ndim));
  if (rules.length &&
      (extents.size() != 1 || *rules.length != static_cast<std::uint64_t>(extents[0])))
    fits = fail("length", "the array has the shape " + shape_text(extents) +
                              " instead of one dimension of " + std::to_string(*rules.length));
  return fits;
}

bool Validator::number(const NumberRules& rules, const Number& value) {
  const auto broken = [&](const std::optional<View>& bound, bool exclusive,
                          std::partial_ordering allowed) {
    if (!bound) return false;
    const auto order = compare(value, *number_of(*bound));
    return order != allowed && (exclusive || order != std::partial_ordering::equivalent);
  };
  bool fits = true;
  if (broken(rules.minimum, rules.exclusive_minimum, std::partial_ordering::greater))
    fits = wrong("minimum", [&] {
      return to_text(value) + " is " + (rules.exclusive_minimum ? "not more than " : "less than ") +
             to_text(*number_of(*rules.minimum));
    });
  if (broken(rules.maximum, rules.exclusive_maximum, std::partial_ordering::less))
    fits = wrong("maximum", [&] {
      return to_text(value) + " is " + (rules.exclusive_maximum ? "not less than " : "more than ") +
             to_text(*number_of(*rules.maximum));
    });
  if (rules.multiple_of && !is_multiple(value, *number_of(*rules.multiple_of)))
    fits = wrong("multipleOf", [&] {
      return to_text(value) + " is not a multiple of " + to_text(*number_of(*rules.multiple_of));
    });
  return fits;
}

bool Validator::numbers(const NumberRules& rules, const View& item) {
  if (const auto value = number_of(item)) return number(rules, *value);
  const polycodec_array* array = leaf_of(item);
  if (array == nullptr || !(is_integer(array->dtype) || is_float(array->dtype))) return true;
  if (!rules.multiple_of) {
    // Bounds hold for all elements if they hold for the extreme ones; only a failure needs to know
    // where.
    meter_.tick(ArrayView(*array).element_count() / 2, path_);
    const auto bounds = element_bounds(*array);
    if (!bounds) return true;
    ++probing_;
    const bool fits =
        number(rules, bounds->least) && number(rules, bounds->most) &&
        (!bounds->has_nan || number(rules, Number::of(std::numeric_limits<double>::quiet_NaN())));
    --probing_;
    if (fits || probing_ != 0) return fits;
  }
  return each_element(item, [&](const View& element) {
    const auto value = number_of(element);
    return !value || number(rules, *value);
  });
}

bool Validator::texts(const TextRules& rules, const View& item) {
  if (const polycodec_array* array = leaf_of(item); array != nullptr && is_fixed(array->dtype))
    if (item.is_list())
      return each_element(item, [&](const View& element) { return texts(rules, element); });
  if (item.kind() != POLYCODEC_KIND_STRING) return true;
  std::string scratch;
  const std::string_view text = item.as_string(scratch);
  meter_.tick(units_of_bytes(text.size()), path_);
  bool fits = true;
  if (rules.min_length != 0 || rules.max_length != UINT64_MAX) {
    const std::uint64_t length = count_code_points(text);
    if (length < rules.min_length)
      fits = fail("minLength", "the text has " + std::to_string(length) +
                                   " characters, less than " + std::to_string(rules.min_length));
    if (length > rules.max_length)
      fits = fail("maxLength", "the text has " + std::to_string(length) +
                                   " characters, more than " + std::to_string(rules.max_length));
  }
  if (rules.pattern != nullptr && !rules.pattern->is_in(text))
    fits = fail("pattern", "the text does not match " + quote(rules.pattern_text));
  return fits;
}

}  // namespace polycodec::schema
