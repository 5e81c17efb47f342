// SPDX-License-Identifier: MIT
#include "schema.hpp"

#include <algorithm>

namespace polycodec::fastbin {
namespace {

/// What a type takes at least, and how much nesting it brings.
struct Extent {
  std::uint64_t min_size;
  std::uint64_t parts;
  std::uint32_t depth;
};

Extent extent_of(const Schema& schema, const Type& type) {
  switch (type.kind) {
    case Kind::primitive:
    case Kind::enumeration:
    case Kind::text:
      return {word_size, 1, 0};
    case Kind::structure: {
      const Struct& s = schema.struct_of(type);
      return {s.min_size, s.parts, s.depth};
    }
    case Kind::vector: {
      const Extent item = extent_of(schema, type.item());
      // An array of structs or strings has a count beside its size.
      return {type.item().is_scalar() ? word_size : 2 * word_size, item.parts + 1, item.depth + 1};
    }
    default: {
      Extent all{2 * word_size, 1, 0};
      for (const Type& alternative : type.of) {
        const Extent one = extent_of(schema, alternative);
        all.parts += one.parts;
        all.depth = std::max(all.depth, one.depth);
      }
      ++all.depth;
      return all;
    }
  }
}

void find_extensions(const Schema& schema, const Type& type, bool in_variant, const Extension& at,
                     std::vector<Extension>& found) {
  if (type.kind == Kind::vector) {
    const Kind item = type.item().kind;
    if (in_variant || item == Kind::enumeration || item == Kind::text) {
      found.push_back(at);
      found.back().what = schema.type_text(type) + (in_variant ? " in a variant" : "");
    }
  }
  if (type.kind == Kind::variant)
    for (const Type& alternative : type.of) find_extensions(schema, alternative, true, at, found);
}

}  // namespace

std::int64_t Enum::signed_value(const EnumMember& member) const {
  const std::uint64_t sign = std::uint64_t{1} << (8 * native_size(storage) - 1);
  return static_cast<std::int64_t>((member.bits ^ sign) - sign);
}

std::string Enum::value_text(const EnumMember& member) const {
  return is_signed(storage) ? std::to_string(signed_value(member)) : std::to_string(member.bits);
}

std::string Schema::type_text(const Type& type) const {
  switch (type.kind) {
    case Kind::primitive:
      return std::string(primitive_name(type.primitive));
    case Kind::text:
      return "string";
    case Kind::enumeration:
      return "enum:" + enums[type.index].name;
    case Kind::structure:
      return "struct:" + structs[type.index].name;
    case Kind::vector:
      return "vector<" + type_text(type.item()) + ">";
    default: {
      std::string text = "Variant<";
      for (const Type& alternative : type.of)
        text += (&alternative == type.of.data() ? "" : ", ") + type_text(alternative);
      return text + ">";
    }
  }
}

std::vector<Extension> extensions(const Schema& schema) {
  std::vector<Extension> found;
  for (const Struct& s : schema.structs)
    for (const Field& f : s.fields)
      find_extensions(schema, f.type, false, {"structs." + s.name + "." + f.name, f.line, {}},
                      found);
  return found;
}

std::string lay_out_last(Schema& schema) {
  Struct& s = schema.structs.back();
  s.fixed = std::all_of(s.fields.begin(), s.fields.end(),
                        [&](const Field& f) { return schema.is_fixed(f.type); });
  std::uint64_t size = s.fixed ? 0 : word_size;
  std::uint64_t parts = 1;
  std::uint32_t depth = 0;
  bool known = true;
  for (Field& f : s.fields) {
    const Extent extent = extent_of(schema, f.type);
    f.offset = known ? std::optional(size) : std::nullopt;
    f.fixed_size = schema.is_fixed(f.type) ? extent.min_size : 0;
    known = known && f.is_fixed();
    // A part takes 16 bytes at most before what is in it, so that the sizes cannot overflow where
    // the parts are few.
    size += extent.min_size;
    parts += extent.parts;
    depth = std::max(depth, extent.depth);
    if (parts > Schema::max_parts)
      return "all nesting written out, it has more than " + std::to_string(Schema::max_parts) +
             " parts";
  }
  if (depth >= Schema::max_depth)
    return "it nests deeper than " + std::to_string(Schema::max_depth) + " levels";
  s.depth = depth + 1;
  s.parts = static_cast<std::uint32_t>(parts);
  s.min_size = size;
  s.fixed_size = s.fixed ? size : 0;
  return {};
}

}  // namespace polycodec::fastbin
