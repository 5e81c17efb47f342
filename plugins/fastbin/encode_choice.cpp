// SPDX-License-Identifier: MIT
// What of a value goes where: members, scalars, alternatives.
#include <base/convert_number.hpp>
#include <base/decimal.hpp>
#include <base/quote.hpp>

#include "encode.hpp"
#include "words.hpp"

#include <iterator>

namespace polycodec::fastbin {
namespace {

std::string found(const View& item) {
  const std::string_view number = dtype_name(item.dtype());
  const bool scalar = item.kind() >= POLYCODEC_KIND_BOOLEAN && item.kind() <= POLYCODEC_KIND_WIDE &&
                      !number.empty();
  return ", found " + std::string(scalar ? number : kind_name(item.kind()));
}

/// Decimals such as 0.1 are float64 where no type is said, and yet mean the float32 that prints
/// like them.
bool narrow_decimal(const View& item, std::uint8_t (&bytes)[16]) {
  if (item.dtype() != POLYCODEC_DTYPE_FLOAT64) return false;
  const double value = item.as_double();
  const auto narrow = static_cast<float>(value);
  char text[max_decimal_size];
  double read = 0;
  const DecimalEnd end = parse_decimal(text, print_decimal(text, narrow), read);
  if (end.status != DecimalStatus::ok || read != value) return false;
  store(bytes, narrow, std::endian::little);
  return true;
}

}  // namespace

std::optional<View> Encoder::field_of(const Struct& s, const View& item, std::size_t i) {
  const std::string& name = s.fields[i].name;
  if (i < item.size() && item.name(i) == name) return item.child(i);
  return item.find(name);
}

void Encoder::wrong_members(const Struct& s, const View& item, const Place& place) const {
  for (std::uint64_t i = 0; i < item.size(); ++i) {
    const std::string_view name = item.name(i);
    const Place at = Place::member(place, name);
    if (s.find(name) == nullptr)
      refuse(Status::type, "fastbin.type", at, Error::no_offset,
             "struct " + s.name + " has no such member");
    for (std::uint64_t other = 0; other < i; ++other)
      if (item.name(other) == name)
        refuse(Status::type, "fastbin.type", at, Error::no_offset,
               "the member stands twice in the object");
  }
  refuse(Status::type, "fastbin.type", place, Error::no_offset,
         "the object has not the members of struct " + s.name);
}

std::size_t Encoder::written_fields(const Struct& s, const View& item, const Place& place) const {
  if (item.kind() != POLYCODEC_KIND_OBJECT)
    refuse(Status::type, "fastbin.type", place, Error::no_offset,
           "expected an object for struct " + s.name + found(item));
  if (item.size() > s.fields.size()) wrong_members(s, item, place);
  if (!settings_.allow_absent || s.fixed) {
    if (item.size() == s.fields.size()) return s.fields.size();
    for (std::size_t i = 0; i < s.fields.size(); ++i)
      if (!field_of(s, item, i))
        refuse(Status::type, "fastbin.type", Place::member(place, s.fields[i].name),
               Error::no_offset, "the member is missing");
    wrong_members(s, item, place);
  }
  std::size_t count = 0;
  std::uint64_t there = 0;
  for (std::size_t i = 0; i < s.fields.size(); ++i) {
    const auto field = field_of(s, item, i);
    there += field ? 1 : 0;
    if (field && !field->is_null()) count = i + 1;
  }
  if (there != item.size()) wrong_members(s, item, place);
  return count;
}

std::uint64_t Encoder::enum_bits(const Type& type, const View& item, const Place& place) {
  const Enum& e = schema_.enum_of(type);
  if (item.kind() == POLYCODEC_KIND_STRING) {
    const auto& bits = plan_.of(e).bits_of;
    const std::string_view name = item.as_string(scratch_);
    if (const auto at = bits.find(name); at != bits.end()) return at->second;
    refuse(Status::range, "enum", place, Error::no_offset,
           "enum " + e.name + " has no member " + quote(name));
  }
  std::uint8_t bytes[16] = {};
  const auto fits = convert_number(item, dtype_of_primitive(e.storage), bytes);
  if (!fits)
    refuse(Status::type, "fastbin.type", place, Error::no_offset,
           "expected a name of enum " + e.name + found(item));
  if (!*fits)
    refuse(Status::range, "fastbin.range", place, Error::no_offset,
           "the number does not fit in " + std::string(primitive_name(e.storage)) +
               ", which enum " + e.name + " is");
  const std::uint64_t bits =
      bits_at(reinterpret_cast<const std::byte*>(bytes), native_size(e.storage));
  if (settings_.known_enums && e.find(bits) == nullptr)
    refuse(Status::range, "fastbin.enum", place, Error::no_offset,
           "enum " + e.name + " has no member with this value");
  return bits;
}

void Encoder::scalar_bytes(const Type& type, const View& item, std::uint8_t (&bytes)[16],
                           const Place& place) {
  if (type.kind == Kind::enumeration)
    return store(bytes, enum_bits(type, item, place), std::endian::little);
  const auto fits = convert_number(item, dtype_of_primitive(type.primitive), bytes);
  if (fits && *fits) return;
  if (fits && type.primitive == Primitive::float32 && narrow_decimal(item, bytes)) return;
  const std::string name(primitive_name(type.primitive));
  if (!fits)
    refuse(Status::type, "fastbin.type", place, Error::no_offset, "expected " + name + found(item));
  refuse(Status::range, "fastbin.range", place, Error::no_offset,
         "the number does not fit in " + name);
}

Encoder::Choice Encoder::choose(const Type& type, const View& item, const Place& place) {
  if (item.kind() == POLYCODEC_KIND_UNION) {
    const auto tag = item.tag();
    if (tag < 0 || tag >= std::ssize(type.of))
      refuse(Status::range, "fastbin.range", place, Error::no_offset,
             "alternative " + std::to_string(tag) + " of " + std::to_string(type.of.size()));
    const View held = item.child();
    return {static_cast<std::size_t>(tag), held, held.is_null()};
  }
  std::size_t count = 0;
  std::size_t index = 0;
  for (std::size_t i = 0; i < type.of.size(); ++i)
    if (looks_like(type.of[i], item)) index = count++ == 0 ? i : index;
  if (count != 1)
    refuse(Status::type, "fastbin.type", place, Error::no_offset,
           (count == 0 ? "no alternative" : std::to_string(count) + " alternatives") + " of " +
               schema_.type_text(type) + " would fit; say which with a member of a union" +
               found(item));
  return {index, item, false};
}

bool Encoder::looks_like(const Type& type, const View& item) const {
  switch (type.kind) {
    case Kind::primitive:
      return item.dtype() == dtype_of_primitive(type.primitive);
    case Kind::text:
      return item.kind() == POLYCODEC_KIND_STRING;
    case Kind::structure: {
      const Struct& s = schema_.struct_of(type);
      if (item.kind() != POLYCODEC_KIND_OBJECT || item.size() != s.fields.size()) return false;
      for (std::size_t i = 0; i < s.fields.size(); ++i)
        if (!field_of(s, item, i)) return false;
      return true;
    }
    case Kind::vector: {
      if (!item.is_list()) return false;
      const auto run = item.elements();
      return run && run->dtype == dtype_of_primitive(type.item().primitive);
    }
    default:
      // The name of an enum looks like a text: only a member of a union can say so.
      return false;
  }
}

}  // namespace polycodec::fastbin
