// SPDX-License-Identifier: MIT
#include "decode.hpp"

#include <base/depth.hpp>
#include <base/wanted.hpp>
#include <polycodec/array_view.hpp>
#include <polycodec/call.hpp>
#include <polycodec/utf.hpp>

#include "words.hpp"

#include <algorithm>
#include <bit>
#include <span>
#include <vector>

namespace polycodec::fastbin {
namespace {

std::uint32_t unsigned_dtype(std::uint32_t width) noexcept {
  return width == 1   ? POLYCODEC_DTYPE_UINT8
         : width == 2 ? POLYCODEC_DTYPE_UINT16
         : width == 4 ? POLYCODEC_DTYPE_UINT32
                      : POLYCODEC_DTYPE_UINT64;
}

const polycodec_array* enum_column(const Plan& plan, const Type& type, const std::byte* p,
                                   std::int64_t stride, std::uint64_t count, Builder& out,
                                   Meter& pace) {
  const Enum& e = plan.schema().enum_of(type);
  const EnumPlan& names = plan.of(e);
  const std::uint32_t width = native_size(e.storage);
  const auto bits = [&](std::uint64_t i) {
    return bits_at(p + static_cast<std::int64_t>(i) * stride, width);
  };
  polycodec_column index{p, stride, unsigned_dtype(width), 0};
  bool known = true;
  if (names.values_are_indices) {
    std::uint64_t greatest = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
      pace.step(width);
      greatest = std::max(greatest, bits(i));
    }
    known = greatest < e.members.size();
    if (count == 0) index = {names.names, 0, POLYCODEC_DTYPE_UINT8, 0};
  } else {
    auto* places = out.allocate<std::uint32_t>(count);
    for (std::uint64_t i = 0; i < count && known; ++i) {
      pace.step(width);
      const EnumMember* member = e.find(bits(i));
      known = member != nullptr;
      if (known) places[i] = static_cast<std::uint32_t>(member - e.members.data());
    }
    index =
        Builder::column(std::span<const std::uint32_t>(places, static_cast<std::size_t>(count)));
  }
  if (!known) {
    polycodec_array* documents = out.new_array(POLYCODEC_LAYOUT_DOCUMENT, count);
    auto* nodes = out.allocate<polycodec_node>(count);
    documents->nodes = nodes;
    for (std::uint64_t i = 0; i < count; ++i) {
      pace.step(sizeof(polycodec_node));
      nodes[i] = scalar_node(plan, type, p + static_cast<std::int64_t>(i) * stride);
      // Names are beside it, so that no type says its width: the plainest integer is what users
      // expect to see.
      if (nodes[i].kind == POLYCODEC_KIND_SIGNED)
        nodes[i] = Builder::integer(NodeView(&nodes[i]).as_int64());
      if (nodes[i].kind == POLYCODEC_KIND_UNSIGNED &&
          NodeView(&nodes[i]).as_uint64() <= static_cast<std::uint64_t>(INT64_MAX))
        nodes[i] = Builder::integer(static_cast<std::int64_t>(NodeView(&nodes[i]).as_uint64()));
    }
    return documents;
  }
  const polycodec_array* const child = names.names;
  polycodec_array* indexed = out.with_children(POLYCODEC_LAYOUT_INDEXED, count, {&child, 1});
  indexed->index = index;
  return indexed;
}

}  // namespace

polycodec_node scalar_node(const Plan& plan, const Type& type, const std::byte* p) {
  if (type.kind == Kind::enumeration) {
    const Enum& e = plan.schema().enum_of(type);
    if (const EnumMember* member = e.find(bits_at(p, native_size(e.storage))))
      return Builder::string_view(
          ArrayView(*plan.of(e).names).text(static_cast<std::uint64_t>(member - e.members.data())));
  }
  const std::uint32_t width = native_size(type.primitive);
  return number_node(dtype_of_primitive(type.primitive), bits_at(p, width));
}

polycodec_node text_node(const std::byte* p, std::uint64_t size) {
  const std::string_view text(reinterpret_cast<const char*>(p), static_cast<std::size_t>(size));
  polycodec_node node = Builder::string_view(text);
  if (!is_utf8(text)) node.dtype = POLYCODEC_STRING_LENIENT;
  return node;
}

const polycodec_array* leaf_column(const Plan& plan, const Type& type, std::string_view buffer,
                                   const std::byte* p, std::int64_t stride, std::uint64_t count,
                                   Builder& out, Meter& pace) {
  if (type.kind == Kind::enumeration) return enum_column(plan, type, p, stride, count, out, pace);
  const std::uint32_t width = native_size(type.primitive);
  return out.strided(buffer, p, count, stride, dtype_of_primitive(type.primitive), width,
                     POLYCODEC_LITTLE_ENDIAN);
}

const polycodec_array* fixed_rows(const Plan& plan, const Struct& s, std::string_view buffer,
                                  const std::byte* p, std::int64_t stride, std::uint64_t count,
                                  Builder& out, Meter& pace) {
  check_stack(UINT64_MAX);
  std::vector<const polycodec_array*> columns;
  columns.reserve(s.fields.size());
  for (const Field& f : s.fields) {
    const std::byte* first = count == 0 ? p : p + *f.offset;
    columns.push_back(f.type.kind == Kind::structure
                          ? fixed_rows(plan, plan.schema().struct_of(f.type), buffer, first, stride,
                                       count, out, pace)
                          : leaf_column(plan, f.type, buffer, first, stride, count, out, pace));
  }
  return struct_record(plan, s, count, columns, out);
}

const polycodec_array* struct_record(const Plan& plan, const Struct& s, std::uint64_t length,
                                     std::span<const polycodec_array* const> columns,
                                     Builder& out) {
  polycodec_array* record = out.with_children(POLYCODEC_LAYOUT_RECORD, length, columns);
  record->names = plan.of(s).names;
  return record;
}

namespace {

/// Makes nodes of a verified buffer, which it trusts. Nesting is bounded by that of the schema.
class Decoder {
 public:
  Decoder(const Plan& plan, const Call& call, std::string_view bytes, Builder& out)
      : plan_(plan), schema_(plan.schema()), bytes_(bytes), out_(out), call_(call), pace_(call) {}

  polycodec_node structure(const Struct& s, std::uint64_t at, const Wanted& wanted) {
    call_.check_stack();
    const StructPlan& plan = plan_.of(s);
    const Wanted& fields = wanted.of(s.fields, &Field::name);
    polycodec_node* nodes = nullptr;
    const polycodec_node object =
        out_.object(fields.all() ? s.fields.size() : fields.members().size(), &nodes);
    const std::uint64_t end = at + (s.fixed ? s.fixed_size : word_at(base(), at));
    at += s.fixed ? 0 : word_size;
    for (std::size_t i = 0; i < s.fields.size(); ++i) {
      const Wanted* const field = fields.find(s.fields[i].name);
      if (field != nullptr) {
        *nodes++ = plan.keys[i];
        *nodes++ = at == end ? Builder::null() : member(s.fields[i].type, at, *field);  // absent
      }
      if (at != end) at += verified_size(schema_, s.fields[i].type, base(), at);
    }
    return object;
  }

 private:
  const std::byte* base() const noexcept {
    return reinterpret_cast<const std::byte*>(bytes_.data());
  }

  polycodec_node member(const Type& type, std::uint64_t at, const Wanted& wanted) {
    switch (type.kind) {
      case Kind::primitive:
      case Kind::enumeration:
        return scalar_node(plan_, type, base() + at);
      case Kind::text:
        return text_node(base() + at + word_size, BlockWord(word_at(base(), at)).content());
      case Kind::structure:
        return structure(schema_.struct_of(type), at, wanted);
      case Kind::vector:
        return vector(type.item(), at);
      default:
        return variant(type, at, wanted);
    }
  }

  polycodec_node packed(const Type& item, std::uint64_t at, std::uint64_t size) {
    const std::uint32_t width = native_size(item.primitive);
    return Builder::array(leaf_column(plan_, item, bytes_.substr(at, size), base() + at, width,
                                      size / width, out_, pace_));
  }

  polycodec_node vector(const Type& item, std::uint64_t at) {
    if (item.is_scalar())
      return packed(item, at + word_size, BlockWord(word_at(base(), at)).content());
    const std::string_view region = bytes_.substr(at, word_at(base(), at));
    if (item.kind == Kind::structure && schema_.struct_of(item).fixed) {
      const Struct& s = schema_.struct_of(item);
      return Builder::array(fixed_rows(plan_, s, region, base() + at + 2 * word_size,
                                       static_cast<std::int64_t>(s.fixed_size),
                                       word_at(base(), at + word_size), out_, pace_));
    }
    return Builder::array(RowColumns(plan_, region, out_, pace_).items(item));
  }

  polycodec_node variant(const Type& type, std::uint64_t at, const Wanted& wanted) {
    const CellWord cell(word_at(base(), at + word_size));
    const Type& held = type.of[static_cast<std::size_t>(cell.index)];
    return out_.tagged(static_cast<std::int64_t>(cell.index),
                       payload(held, at + 2 * word_size, cell.size - word_size, wanted));
  }

  polycodec_node payload(const Type& type, std::uint64_t at, std::uint64_t size,
                         const Wanted& wanted) {
    if (type.kind == Kind::text) return text_node(base() + at, size);
    if (type.kind == Kind::vector) return packed(type.item(), at, size);
    if (size == 0) return Builder::null();
    if (type.kind == Kind::structure) return structure(schema_.struct_of(type), at, wanted);
    return scalar_node(plan_, type, base() + at);
  }

  const Plan& plan_;
  const Schema& schema_;
  std::string_view bytes_;
  Builder& out_;
  const Call& call_;
  Meter pace_;
};

}  // namespace

Node decode(const Plan& plan, const Call& call, std::string_view bytes, Builder& out) {
  const std::uint64_t used = verify(plan, call, bytes);
  return Decoder(plan, call, bytes.substr(0, static_cast<std::size_t>(used)), out)
      .structure(plan.root(), 0, Wanted(call.projection()));
}

}  // namespace polycodec::fastbin
