// SPDX-License-Identifier: MIT
#include "encode.hpp"

#include <base/checked.hpp>
#include <base/utf8.hpp>

#include "words.hpp"

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
    if (!value) refuse(Status::type, "fastbin.type", at, Error::no_offset, "the member is missing");
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
    refuse(Status::type, "fastbin.type", place, Error::no_offset,
           "expected a string, found " + std::string(kind_name(item.kind())));
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
    refuse(Status::type, "fastbin.type", place, Error::no_offset,
           "expected a list, found " + std::string(kind_name(item.kind())));
  const auto size = checked_mul(item.size(), native_size(item_type.primitive));
  if (!size) too_large(place);
  return sum(*size, 0, place);
}

std::uint64_t Encoder::measure_vector(const Type& type, const View& item, const Place& place) {
  const Type& of = type.item();
  if (of.is_scalar()) return block_size(packed_size(of, item, place));
  if (!item.is_list())
    refuse(Status::type, "fastbin.type", place, Error::no_offset,
           "expected a list, found " + std::string(kind_name(item.kind())));
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

}  // namespace polycodec::fastbin
