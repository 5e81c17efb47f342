// SPDX-License-Identifier: MIT
#include "infer.hpp"

#include <base/path.hpp>
#include <polycodec/error.hpp>

#include "guess.hpp"
#include "names.hpp"

#include <unordered_set>

namespace polycodec::fastbin {
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
    std::unordered_set<std::string> names;
    for (const GuessedMember& m : g.members) {
      std::string at = path;
      append_key(at, m.name);
      if (const std::string problem = name_problem(m.name); !problem.empty()) refuse(at, problem);
      if (!names.insert(m.name).second) refuse(at, "the member stands twice in the object");
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
  [[noreturn]] static void refuse(const std::string& path, const std::string& what) {
    throw Error(Status::type, what).detail("fastbin.schema").path(path);
  }

  Type variant(const Guess& g, const std::string& name, const std::string& path) {
    Type t;
    t.kind = Kind::variant;
    std::unordered_set<std::string> seen;
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
  std::string free_name(const std::string& wanted, const std::unordered_set<std::string>& members) {
    std::string name = wanted;
    for (unsigned i = 2;
         taken_.contains(name) || members.contains(name) || !name_problem(name).empty(); ++i)
      name = wanted + std::to_string(i);
    taken_.insert(name);
    return name;
  }

  std::unordered_set<std::string> taken_;
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
