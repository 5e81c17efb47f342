// SPDX-License-Identifier: MIT
#include "encode.hpp"

#include <base/convert_number.hpp>
#include <base/decimal.hpp>
#include <base/dtype_names.hpp>
#include <polycodec/checked.hpp>
#include <polycodec/quote.hpp>
#include <polycodec/utf.hpp>

#include "words.hpp"

#include <iterator>

namespace polycodec::fastbin {
namespace {

bool holds_bytes(const Type& item_type, const View& item) {
  return item.kind() == POLYCODEC_KIND_BINARY &&
         dtype_of_primitive(item_type.primitive) == POLYCODEC_DTYPE_UINT8 &&
         item_type.kind == Kind::primitive;
}

}  // namespace

void Encoder::too_large(const Place& place) const {
  refuse(Status::limit, "fastbin.limit", place, Error::no_offset,
         "the buffer would be larger than max_output_bytes (" +
             std::to_string(call_.limits().max_output_bytes) + ")");
}

std::uint64_t Encoder::sum(std::uint64_t a, std::uint64_t b, const Place& place) const {
  // Far below 2^56, where sizes of blocks end: no memory holds so much.
  constexpr std::uint64_t most = std::uint64_t{1} << 55;
  const auto total = checked_add(a, b);
  if (!total || *total > most || *total > call_.limits().max_output_bytes) too_large(place);
  return *total;
}

std::uint64_t Encoder::measure(const View& root) {
  notes_.clear();
  next_note_ = 0;
  return measure_struct(plan_.root(), root, Place());
}

std::uint64_t Encoder::measure_struct(const Struct& s, const View& item, const Place& place) {
  call_.check_stack();
  pace_.step(word_size);
  const std::size_t count = written_fields(s, item, place);
  if (s.fixed) {
    // Nothing in it has a size of its own; whether the members fit shows when they are written.
    return s.fixed_size;
  }
  const std::size_t note = notes_.size();
  notes_.push_back(0);
  std::uint64_t size = word_size;
  for (std::size_t i = 0; i < count; ++i) {
    const Field& f = s.fields[i];
    const Place at = Place::member(place, f.name);
    const auto value = field_of(s, item, i);
    if (!value) wrong(at, "the member is missing");
    size = sum(size, measure_member(f.type, *value, at), at);
  }
  notes_[note] = size;
  return size;
}

std::uint64_t Encoder::measure_member(const Type& type, const View& item, const Place& place) {
  switch (type.kind) {
    case Kind::primitive:
    case Kind::enumeration:
      return word_size;
    case Kind::text:
      return block_size(text_size(item, place));
    case Kind::structure:
      return measure_struct(schema_.struct_of(type), item, place);
    case Kind::vector:
      return measure_vector(type, item, place);
    default:
      return measure_variant(type, item, place);
  }
}

std::uint64_t Encoder::text_size(const View& item, const Place& place) {
  if (item.kind() != POLYCODEC_KIND_STRING)
    wrong(place, "expected a string, found " + std::string(kind_name(item.kind())));
  const std::string_view text = item.as_string(scratch_);
  pace_.step(text.size());
  if (settings_.strict_utf8 && item.is_lenient_string() && !is_utf8(text))
    refuse(Status::type, "fastbin.bad_utf8", place, Error::no_offset, "the text is not UTF-8");
  return sum(text.size(), 0, place);
}

std::uint64_t Encoder::packed_size(const Type& item_type, const View& item,
                                   const Place& place) const {
  if (holds_bytes(item_type, item)) return sum(item.as_bytes().size(), 0, place);
  if (!item.is_list())
    wrong(place, "expected a list, found " + std::string(kind_name(item.kind())));
  const auto size = checked_mul(item.size(), native_size(item_type.primitive));
  if (!size) too_large(place);
  return sum(*size, 0, place);
}

std::uint64_t Encoder::measure_vector(const Type& type, const View& item, const Place& place) {
  const Type& of = type.item();
  if (of.is_scalar()) return block_size(packed_size(of, item, place));
  if (!item.is_list())
    wrong(place, "expected a list, found " + std::string(kind_name(item.kind())));
  if (of.kind == Kind::structure && schema_.struct_of(of).fixed) {
    const auto size = checked_mul(item.size(), schema_.struct_of(of).fixed_size);
    if (!size) too_large(place);
    return sum(*size, 2 * word_size, place);
  }
  const std::size_t note = notes_.size();
  notes_.push_back(0);
  std::uint64_t size = 2 * word_size;
  for (std::uint64_t i = 0, n = item.size(); i < n; ++i) {
    const Place at = Place::item(place, i);
    size = sum(size, measure_member(of, item.child(i), at), at);
  }
  notes_[note] = size;
  return size;
}

std::uint64_t Encoder::measure_variant(const Type& type, const View& item, const Place& place) {
  const Choice choice = choose(type, item, place);
  const std::size_t note = notes_.size();
  notes_.resize(note + 2);
  notes_[note] = choice.index;
  const std::uint64_t payload =
      choice.empty ? 0 : measure_payload(type.of[choice.index], choice.held, place);
  notes_[note + 1] = word_size + payload;
  return block_size(word_size + payload);
}

std::uint64_t Encoder::measure_payload(const Type& type, const View& item, const Place& place) {
  if (type.kind == Kind::text) return text_size(item, place);
  if (type.kind == Kind::vector) return packed_size(type.item(), item, place);
  if (type.kind == Kind::structure) return measure_struct(schema_.struct_of(type), item, place);
  return native_size(type.primitive);
}

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
    if (s.find(name) == nullptr) wrong(at, "struct " + s.name + " has no such member");
    for (std::uint64_t other = 0; other < i; ++other)
      if (item.name(other) == name) wrong(at, "the object has this member twice");
  }
  wrong(place, "the object has not the members of struct " + s.name);
}

std::size_t Encoder::written_fields(const Struct& s, const View& item, const Place& place) const {
  if (item.kind() != POLYCODEC_KIND_OBJECT)
    wrong(place, "expected an object for struct " + s.name + found(item));
  if (item.size() > s.fields.size()) wrong_members(s, item, place);
  if (!settings_.allow_absent || s.fixed) {
    if (item.size() == s.fields.size()) return s.fields.size();
    for (std::size_t i = 0; i < s.fields.size(); ++i)
      if (!field_of(s, item, i))
        wrong(Place::member(place, s.fields[i].name), "the member is missing");
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
  if (!fits) wrong(place, "expected a name of enum " + e.name + found(item));
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
  if (!fits) wrong(place, "expected " + name + found(item));
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
    wrong(place, (count == 0 ? "no alternative" : std::to_string(count) + " alternatives") +
                     " of " + schema_.type_text(type) +
                     " would fit; say which with a member of a union" + found(item));
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
