// SPDX-License-Identifier: MIT
// The bytes of what has been measured.
#include <polycodec/array_view.hpp>

#include "encode.hpp"
#include "words.hpp"

#include <algorithm>
#include <cstring>

namespace polycodec::fastbin {
namespace {

/// What is filled at once: small enough to stay in the nearest cache.
constexpr std::uint64_t piece_bytes = 16384;

void pad(std::uint64_t content, Writer& out) {
  out.put_fill(0, block_size(content) - word_size - content);
}

/// Appends memory of the value, or copies it where it is the text that was made of a value of
/// another encoding.
void put_text(std::string_view text, const std::string& scratch, Writer& out) {
  if (text.data() == scratch.data())
    out.put_text(text);
  else
    out.reference(text.data(), text.size());
}

/// A scalar of a fixed struct and the column that its values come from.
struct Source {
  std::uint64_t offset;
  const Type* type;
  const polycodec_array* column;
  const std::byte* data =
      nullptr;  // evenly spaced elements of just this type; NULL: looked at one by one
  std::int64_t stride = 0;
  std::string path{};  // below the row
};

template <std::size_t Width>
void scatter(std::uint8_t* to, std::uint64_t to_stride, const std::byte* from, std::int64_t stride,
             std::uint64_t count) noexcept {
  for (std::uint64_t i = 0; i < count; ++i, to += to_stride, from += stride)
    std::memcpy(to, from, Width);
}

void scatter(std::uint32_t width, std::uint8_t* to, std::uint64_t to_stride, const std::byte* from,
             std::int64_t stride, std::uint64_t count) noexcept {
  switch (width) {
    case 1:
      return scatter<1>(to, to_stride, from, stride, count);
    case 2:
      return scatter<2>(to, to_stride, from, stride, count);
    case 4:
      return scatter<4>(to, to_stride, from, stride, count);
    default:
      return scatter<8>(to, to_stride, from, stride, count);
  }
}

/// The sources of all scalars of a fixed struct; false if the record has not just its members.
bool find_sources(const Schema& schema, const Struct& s, const polycodec_array& record,
                  std::uint64_t base, const std::string& path, std::vector<Source>& sources) {
  const ArrayView view(record);
  if (view.layout() != POLYCODEC_LAYOUT_RECORD || !view.has_names() ||
      view.child_count() != s.fields.size())
    return false;
  for (const Field& f : s.fields) {
    const auto column = view.column(f.name);
    if (!column) return false;
    const std::uint64_t at = base + *f.offset;
    std::string field_path = path;
    append_key(field_path, f.name);
    if (f.type.kind == Kind::structure) {
      if (!find_sources(schema, schema.struct_of(f.type), column->raw(), at, field_path, sources))
        return false;
      continue;
    }
    Source source{at, &f.type, &column->raw()};
    const bool same =
        f.type.kind == Kind::primitive && column->layout() == POLYCODEC_LAYOUT_NDARRAY &&
        column->ndim() == 1 && column->dtype() == dtype_of_primitive(f.type.primitive) &&
        (column->raw().byte_order == POLYCODEC_LITTLE_ENDIAN || column->item_size() == 1);
    if (same) {
      source.data = column->data();
      source.stride = column->strides()[0];
    }
    source.path = std::move(field_path);
    sources.push_back(std::move(source));
  }
  return true;
}

}  // namespace

void Encoder::write(const View& root, Writer& out) {
  next_note_ = 0;
  write_struct(plan_.root(), root, out, Place());
}

void Encoder::write_struct(const Struct& s, const View& item, Writer& out, const Place& place) {
  call_.check_stack();
  pace_.step(word_size);
  // Fixed structs inside of others are looked at here for the first time.
  const std::size_t count = written_fields(s, item, place);
  if (!s.fixed) out.put_le(notes_[next_note_++]);
  for (std::size_t i = 0; i < count; ++i) {
    const Place at = Place::member(place, s.fields[i].name);
    const auto value = field_of(s, item, i);
    if (!value) wrong(at, "the member is missing");
    write_member(s.fields[i].type, *value, out, at);
  }
}

void Encoder::write_member(const Type& type, const View& item, Writer& out, const Place& place) {
  switch (type.kind) {
    case Kind::primitive:
    case Kind::enumeration: {
      std::uint8_t bytes[16] = {};
      scalar_bytes(type, item, bytes, place);
      const std::uint64_t bits =
          bits_at(reinterpret_cast<const std::byte*>(bytes), native_size(type.primitive));
      return out.put_le(bits);  // the rest of the slot is zero
    }
    case Kind::text: {
      const std::string_view text = item.as_string(scratch_);
      out.put_le(block_word(text.size()));
      put_text(text, scratch_, out);
      return pad(text.size(), out);
    }
    case Kind::structure:
      return write_struct(schema_.struct_of(type), item, out, place);
    case Kind::vector:
      return write_vector(type, item, out, place);
    default:
      return write_variant(type, item, out, place);
  }
}

void Encoder::write_vector(const Type& type, const View& item, Writer& out, const Place& place) {
  const Type& of = type.item();
  if (of.is_scalar()) {
    const std::uint64_t size = packed_size(of, item, place);
    out.put_le(block_word(size));
    write_scalars(of, item, out, place);
    return pad(size, out);
  }
  const std::uint64_t count = item.size();
  if (of.kind == Kind::structure && schema_.struct_of(of).fixed) {
    const Struct& s = schema_.struct_of(of);
    out.put_le(2 * word_size + count * s.fixed_size);
    out.put_le(count);
    if (write_rows(s, item, out, place)) return;
  } else {
    out.put_le(notes_[next_note_++]);
    out.put_le(count);
  }
  for (std::uint64_t i = 0; i < count; ++i)
    write_member(of, item.child(i), out, Place::item(place, i));
}

void Encoder::write_variant(const Type& type, const View& item, Writer& out, const Place& place) {
  const std::uint64_t index = notes_[next_note_];
  const std::uint64_t size = notes_[next_note_ + 1];
  next_note_ += 2;
  out.put_le(block_word(size));
  out.put_le(size << 8 | index);
  const bool tagged = item.kind() == POLYCODEC_KIND_UNION;
  const View held = tagged ? item.child() : item;
  if (!(tagged && held.is_null()))
    write_payload(type.of[static_cast<std::size_t>(index)], held, out, place);
  pad(size, out);
}

void Encoder::write_payload(const Type& type, const View& item, Writer& out, const Place& place) {
  if (type.kind == Kind::text) return put_text(item.as_string(scratch_), scratch_, out);
  if (type.kind == Kind::vector) return write_scalars(type.item(), item, out, place);
  if (type.kind == Kind::structure) return write_struct(schema_.struct_of(type), item, out, place);
  std::uint8_t bytes[16] = {};
  scalar_bytes(type, item, bytes, place);
  out.put_bytes(bytes, native_size(type.primitive));
}

void Encoder::write_scalars(const Type& item_type, const View& item, Writer& out,
                            const Place& place) {
  if (item.kind() == POLYCODEC_KIND_BINARY)
    return out.reference(item.as_bytes().data(), item.as_bytes().size());
  const std::uint32_t width = native_size(item_type.primitive);
  const auto run = item.elements();
  const bool same = run && item_type.kind == Kind::primitive &&
                    run->dtype == dtype_of_primitive(item_type.primitive) &&
                    (run->byte_order == POLYCODEC_LITTLE_ENDIAN || width == 1);
  const std::uint64_t count = item.size();
  if (same && run->stride == static_cast<std::int64_t>(width))
    return out.reference(run->data, count * width);
  const std::uint64_t most = piece_bytes / width;
  for (std::uint64_t done = 0; done < count;) {
    const std::uint64_t n = std::min(most, count - done);
    std::uint8_t* to = out.reserve(n * width);
    pace_.step(n * width);
    if (same) {
      scatter(width, to, width, run->data + static_cast<std::int64_t>(done) * run->stride,
              run->stride, n);
    } else {
      for (std::uint64_t i = 0; i < n; ++i) {
        std::uint8_t bytes[16] = {};
        scalar_bytes(item_type, item.child(done + i), bytes, Place::item(place, done + i));
        std::memcpy(to + i * width, bytes, width);
      }
    }
    out.commit(n * width);
    done += n;
  }
}

bool Encoder::write_rows(const Struct& s, const View& item, Writer& out, const Place& place) {
  std::vector<Source> sources;
  if (item.array() == nullptr || s.fixed_size > piece_bytes ||
      !find_sources(schema_, s, *item.array(), 0, {}, sources))
    return false;
  const std::uint64_t count = item.size();
  const std::uint64_t most = piece_bytes / s.fixed_size;
  for (std::uint64_t done = 0; done < count;) {
    const std::uint64_t n = std::min(most, count - done);
    std::uint8_t* to = out.reserve(n * s.fixed_size);
    pace_.step(n * s.fixed_size);
    std::memset(to, 0, static_cast<std::size_t>(n * s.fixed_size));
    for (const Source& source : sources) {
      const std::uint32_t width = native_size(source.type->primitive);
      std::uint8_t* slot = to + source.offset;
      if (source.data != nullptr) {
        scatter(width, slot, s.fixed_size,
                source.data + static_cast<std::int64_t>(done) * source.stride, source.stride, n);
        continue;
      }
      for (std::uint64_t i = 0; i < n; ++i, slot += s.fixed_size) {
        std::uint8_t bytes[16] = {};
        const Place row = Place::item(place, done + i);
        try {
          scalar_bytes(*source.type, View::element(*source.column, done + i), bytes, row);
        } catch (Error& e) {
          e.path(row.text() + source.path);
          throw;
        }
        std::memcpy(slot, bytes, width);
      }
    }
    out.commit(n * s.fixed_size);
    done += n;
  }
  return true;
}

}  // namespace polycodec::fastbin
