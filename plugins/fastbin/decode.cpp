// SPDX-License-Identifier: MIT
#include "decode.hpp"

#include <polycodec/call.hpp>

#include "leaves.hpp"
#include "row_columns.hpp"
#include "verify.hpp"
#include "words.hpp"

#include <span>

namespace polycodec::fastbin {
namespace {

/// Makes nodes of a verified buffer, which it trusts. Nesting is bounded by that of the schema.
class Decoder {
 public:
  Decoder(const Plan& plan, const Call& call, std::string_view bytes, Builder& out)
      : plan_(plan), schema_(plan.schema()), bytes_(bytes), out_(out), pace_(call) {}

  polycodec_node structure(const Struct& s, std::uint64_t at) {
    const StructPlan& plan = plan_.of(s);
    polycodec_node* nodes = nullptr;
    const polycodec_node object = out_.object(s.fields.size(), &nodes);
    const std::uint64_t end = at + (s.fixed ? s.fixed_size : word_at(base(), at));
    at += s.fixed ? 0 : word_size;
    for (std::size_t i = 0; i < s.fields.size(); ++i) {
      nodes[2 * i] = plan.keys[i];
      if (at == end) {
        nodes[2 * i + 1] = Builder::null();  // absent
        continue;
      }
      nodes[2 * i + 1] = member(s.fields[i].type, at);
      at += verified_size(schema_, s.fields[i].type, base(), at);
    }
    return object;
  }

 private:
  const std::byte* base() const noexcept {
    return reinterpret_cast<const std::byte*>(bytes_.data());
  }

  polycodec_node member(const Type& type, std::uint64_t at) {
    switch (type.kind) {
      case Kind::primitive:
      case Kind::enumeration:
        return scalar_node(plan_, type, base() + at);
      case Kind::text:
        return text_node(base() + at + word_size, BlockWord(word_at(base(), at)).content());
      case Kind::structure:
        return structure(schema_.struct_of(type), at);
      case Kind::vector:
        return vector(type.item(), at);
      default:
        return variant(type, at);
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

  polycodec_node variant(const Type& type, std::uint64_t at) {
    const CellWord cell(word_at(base(), at + word_size));
    const Type& held = type.of[static_cast<std::size_t>(cell.index)];
    return out_.tagged(static_cast<std::int64_t>(cell.index),
                       payload(held, at + 2 * word_size, cell.size - word_size));
  }

  polycodec_node payload(const Type& type, std::uint64_t at, std::uint64_t size) {
    if (type.kind == Kind::text) return text_node(base() + at, size);
    if (type.kind == Kind::vector) return packed(type.item(), at, size);
    if (size == 0) return Builder::null();
    if (type.kind == Kind::structure) return structure(schema_.struct_of(type), at);
    return scalar_node(plan_, type, base() + at);
  }

  const Plan& plan_;
  const Schema& schema_;
  std::string_view bytes_;
  Builder& out_;
  Meter pace_;
};

}  // namespace

Node decode(const Plan& plan, const Call& call, std::string_view bytes, Builder& out) {
  const std::uint64_t used = verify(plan, call, bytes);
  return Decoder(plan, call, bytes.substr(0, static_cast<std::size_t>(used)), out)
      .structure(plan.root(), 0);
}

}  // namespace polycodec::fastbin
