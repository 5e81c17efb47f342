// SPDX-License-Identifier: MIT
#include "infer.hpp"

#include <base/dtype_names.hpp>
#include <base/seeded_hash.hpp>
#include <polycodec/array_view.hpp>
#include <polycodec/error.hpp>
#include <polycodec/path.hpp>

#include "names.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace polycodec::fastbin {
namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& what) {
  throw Error(Status::type, what).detail("fastbin.schema").path(path);
}

std::string below(std::string path, std::string_view name) {
  append_key(path, name);
  return path;
}
std::string below(std::string path, std::uint64_t index) {
  append_index(path, index);
  return path;
}

std::optional<Primitive> primitive_of(std::uint32_t dtype) {
  if (dtype == POLYCODEC_DTYPE_FLOAT16) return Primitive::float32;
  for (std::size_t i = 0; i < primitive_count; ++i)
    if (dtype_of_primitive(static_cast<Primitive>(i)) == dtype) return static_cast<Primitive>(i);
  return std::nullopt;
}

Guess primitive(std::uint32_t dtype, const std::string& path) {
  const auto p = primitive_of(dtype);
  if (!p) refuse(path, "fastbin has no type for " + std::string(dtype_name(dtype)));
  Guess g;
  g.kind = Guess::Kind::primitive;
  g.primitive = *p;
  return g;
}

Guess list_of(Guess item) {
  Guess g;
  g.kind = Guess::Kind::list;
  g.of.push_back(std::move(item));
  return g;
}

/// The type of all items of a column, where its form tells without a look at each.
std::optional<Guess> of_column(const polycodec_array& array, const std::string& path,
                               std::uint32_t depth) {
  const ArrayView view(array);
  if (depth > Schema::max_depth) refuse(path, "nested deeper than a schema may be");
  if (view.layout() == POLYCODEC_LAYOUT_NDARRAY && view.ndim() == 1)
    return primitive(view.dtype(), path);
  if (view.is_list() && view.is_string()) {
    Guess g;
    g.kind = Guess::Kind::text;
    return g;
  }
  if (view.is_list() && !view.is_binary()) {
    auto item = of_column(view.child().raw(), path, depth + 1);
    return item ? std::optional(list_of(std::move(*item))) : std::nullopt;
  }
  if (view.layout() != POLYCODEC_LAYOUT_RECORD || !view.has_names()) return std::nullopt;
  Guess g;
  g.kind = Guess::Kind::structure;
  for (std::uint32_t i = 0; i < view.child_count(); ++i) {
    auto member = of_column(view.child(i).raw(), below(path, view.name(i)), depth + 1);
    if (!member) return std::nullopt;
    g.members.push_back({std::string(view.name(i)), std::move(*member)});
  }
  return g;
}

Guess of_list(const View& item, const std::string& path, std::uint32_t depth) {
  if (const auto run = item.elements()) return list_of(primitive(run->dtype, path));
  if (item.array() != nullptr && item.array()->layout == POLYCODEC_LAYOUT_RECORD)
    if (auto rows = of_column(*item.array(), below(path, std::uint64_t{0}), depth))
      return list_of(std::move(*rows));
  Guess all;
  for (std::uint64_t i = 0; i < item.size(); ++i) {
    const std::string at = below(path, i);
    all = join(std::move(all), guess(item.child(i), at, depth + 1), at);
  }
  if (all.kind == Guess::Kind::list)
    refuse(path, "a vector cannot hold lists; put them in a member of an object");
  if (all.kind == Guess::Kind::variant)
    refuse(path, "a vector cannot hold variants; put them in a member of an object");
  return list_of(std::move(all));
}

/// The least integer type that holds what both hold, or float64: an integer among numbers with
/// fractions is one that was written without its point. (Encoding refuses the few that float64 does
/// not hold.)
Primitive join(Primitive a, Primitive b, const std::string& path) {
  if (a == b) return a;
  if (a == Primitive::boolean || b == Primitive::boolean)
    refuse(path, std::string(primitive_name(a)) + " and " + std::string(primitive_name(b)) +
                     " have no type in common");
  if (is_float(a) || is_float(b)) return Primitive::float64;
  if (is_signed(a) == is_signed(b)) return native_size(a) > native_size(b) ? a : b;
  const std::uint32_t s = native_size(is_signed(a) ? a : b);
  const std::uint32_t u = native_size(is_signed(a) ? b : a);
  if (u >= 8) refuse(path, "int64 and uint64 have no type in common");
  const std::uint32_t width = std::max(s, 2 * u);
  return width == 2 ? Primitive::int16 : width == 4 ? Primitive::int32 : Primitive::int64;
}

const char* word(const Guess& g) {
  constexpr const char* words[] = {"an unknown type", "a number", "a text",
                                   "an object",       "a list",   "a variant"};
  return words[static_cast<std::size_t>(g.kind)];
}

}  // namespace

Guess guess(const View& item, const std::string& path, std::uint32_t depth) {
  if (depth > Schema::max_depth) refuse(path, "nested deeper than a schema may be");
  Guess g;
  switch (item.kind()) {
    case POLYCODEC_KIND_BOOLEAN:
    case POLYCODEC_KIND_SIGNED:
    case POLYCODEC_KIND_UNSIGNED:
    case POLYCODEC_KIND_FLOAT:
    case POLYCODEC_KIND_WIDE:
      return primitive(item.dtype(), path);
    case POLYCODEC_KIND_STRING:
      g.kind = Guess::Kind::text;
      return g;
    case POLYCODEC_KIND_BINARY:
      g.kind = Guess::Kind::primitive;
      g.primitive = Primitive::byte;
      return list_of(std::move(g));
    case POLYCODEC_KIND_LIST:
    case POLYCODEC_KIND_TUPLE:
      return of_list(item, path, depth);
    case POLYCODEC_KIND_OBJECT:
      g.kind = Guess::Kind::structure;
      for (std::uint64_t i = 0; i < item.size(); ++i)
        g.members.push_back({std::string(item.name(i)),
                             guess(item.child(i), below(path, item.name(i)), depth + 1)});
      return g;
    case POLYCODEC_KIND_UNION:
      if (item.tag() < 0 || item.tag() > 254)
        refuse(path, "a variant has at most 255 alternatives");
      g.kind = Guess::Kind::variant;
      g.of.resize(static_cast<std::size_t>(item.tag()) + 1);
      if (!item.child().is_null()) g.of.back() = guess(item.child(), path, depth + 1);
      return g;
    default:
      refuse(path, "fastbin has no type for " + std::string(kind_name(item.kind())));
  }
}

Guess join(Guess a, Guess b, const std::string& path) {
  if (a.kind == Guess::Kind::unknown) return b;
  if (b.kind == Guess::Kind::unknown) return a;
  if (a.kind != b.kind)
    refuse(path, std::string(word(a)) + " and " + word(b) + " have no type in common");
  switch (a.kind) {
    case Guess::Kind::primitive:
      a.primitive = join(a.primitive, b.primitive, path);
      return a;
    case Guess::Kind::list:
      a.of[0] = join(std::move(a.of[0]), std::move(b.of[0]), path);
      return a;
    case Guess::Kind::variant:
      a.of.resize(std::max(a.of.size(), b.of.size()));
      for (std::size_t i = 0; i < b.of.size(); ++i)
        a.of[i] = join(std::move(a.of[i]), std::move(b.of[i]), path);
      return a;
    case Guess::Kind::structure:
      if (a.members.size() != b.members.size()) refuse(path, "the objects have different members");
      for (std::size_t i = 0; i < a.members.size(); ++i) {
        GuessedMember& mine = a.members[i];
        // In most lists the members are in the same places.
        auto other =
            i < b.members.size() && b.members[i].name == mine.name
                ? b.members.begin() + static_cast<std::ptrdiff_t>(i)
                : std::find_if(b.members.begin(), b.members.end(),
                               [&](const GuessedMember& m) { return m.name == mine.name; });
        if (other == b.members.end())
          refuse(below(path, mine.name), "not all of the objects have this member");
        mine.type = join(std::move(mine.type), std::move(other->type), below(path, mine.name));
      }
      return a;
    default:
      return a;
  }
}

namespace {

/// Gives names to guessed structs, inner ones first.
class SchemaMaker {
 public:
  Schema schema;

  Type type(const Guess& g, const std::string& name, const std::string& path) {
    Type t;
    switch (g.kind) {
      case Guess::Kind::unknown:
        t.primitive = Primitive::float64;
        return t;
      case Guess::Kind::primitive:
        t.primitive = g.primitive;
        return t;
      case Guess::Kind::text:
        t.kind = Kind::text;
        return t;
      case Guess::Kind::list:
        t.kind = Kind::vector;
        t.of.push_back(type(g.of[0], name, path));
        return t;
      case Guess::Kind::variant:
        return variant(g, name, path);
      default:
        t.kind = Kind::structure;
        t.index = structure(g, name, path);
        return t;
    }
  }

  std::uint32_t structure(const Guess& g, const std::string& name, const std::string& path) {
    Struct s;
    if (g.members.empty()) refuse(path, "a struct needs at least one member");
    SeededSet<std::string> names;
    for (const GuessedMember& m : g.members) {
      const std::string at = below(path, m.name);
      if (const std::string problem = name_problem(m.name); !problem.empty()) refuse(at, problem);
      if (!names.insert(m.name).second) refuse(at, "the object has this member twice");
      Field field;
      field.name = m.name;
      field.type = type(m.type, capitalized(m.name), at);
      s.fields.push_back(std::move(field));
    }
    s.name = free_name(name, names);
    schema.structs.push_back(std::move(s));
    if (const std::string problem = lay_out_last(schema); !problem.empty()) refuse(path, problem);
    return static_cast<std::uint32_t>(schema.structs.size() - 1);
  }

 private:
  Type variant(const Guess& g, const std::string& name, const std::string& path) {
    Type t;
    t.kind = Kind::variant;
    SeededSet<std::string> seen;
    for (std::size_t i = 0; i < g.of.size(); ++i) {
      const Guess& alternative = g.of[i];
      const std::string which = "alternative " + std::to_string(i);
      if (alternative.kind == Guess::Kind::unknown)
        refuse(path, "no value shows what " + which + " of the variant is");
      if (alternative.kind == Guess::Kind::variant) refuse(path, "a variant cannot hold variants");
      if (alternative.kind == Guess::Kind::list &&
          alternative.of[0].kind != Guess::Kind::primitive &&
          alternative.of[0].kind != Guess::Kind::unknown)
        refuse(path,
               which + ": a variant holds no vectors but those of numbers; put them in a struct");
      t.of.push_back(type(alternative, name + std::to_string(i), path));
      if (!seen.insert(schema.type_text(t.of.back())).second)
        refuse(path, which + " has the type of another one, which a variant cannot tell apart");
    }
    return t;
  }

  static std::string capitalized(std::string name) {
    if (name[0] >= 'a' && name[0] <= 'z') name[0] = static_cast<char>(name[0] - 'a' + 'A');
    return name;
  }
  /// Neither another struct nor a member is called so.
  std::string free_name(const std::string& wanted, const SeededSet<std::string>& members) {
    std::string name = wanted;
    for (unsigned i = 2;
         taken_.contains(name) || members.contains(name) || !name_problem(name).empty(); ++i)
      name = wanted + std::to_string(i);
    taken_.insert(name);
    return name;
  }

  SeededSet<std::string> taken_;
};

}  // namespace

Schema infer_schema(const View& value, std::string_view root, std::string_view name_space) {
  for (const std::string_view name : {root, name_space})
    if (const std::string problem = name_problem(name); !problem.empty())
      throw Error(Status::option, problem);
  if (value.kind() != POLYCODEC_KIND_OBJECT)
    throw Error(Status::type, "a buffer is a struct, and so is made of an object, not of " +
                                  std::string(kind_name(value.kind())))
        .detail("fastbin.schema")
        .path(path_root);
  SchemaMaker maker;
  maker.schema.name_space = name_space;
  maker.structure(guess(value, std::string(path_root)), std::string(root), std::string(path_root));
  return std::move(maker.schema);
}

}  // namespace polycodec::fastbin
