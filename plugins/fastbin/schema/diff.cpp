// SPDX-License-Identifier: MIT
#include "diff.hpp"

#include <polycodec/quote.hpp>

#include <algorithm>
#include <set>
#include <utility>

namespace polycodec::fastbin {
namespace {

class Comparison {
 public:
  Comparison(const Schema& before, const Schema& after) : before_(before), after_(after) {}

  std::vector<Change> run() {
    for (const Enum& e : before_.enums) {
      const Enum* now = after_.find_enum(e.name);
      if (now == nullptr)
        add(Effect::note, "enums." + e.name, e.line, 0,
            "is gone; its uses are compared with their types in the new schema");
      else
        compare_enums(e, *now, "enums." + e.name);
    }
    for (const Struct& s : before_.structs) {
      const Struct* now = after_.find_struct(s.name);
      if (now == nullptr)
        add(Effect::breaking, "structs." + s.name, s.line, 0,
            "is gone: buffers with this root cannot be read");
      else
        compare_structs(s, *now);
    }
    for (const Struct& s : after_.structs)
      if (before_.find_struct(s.name) == nullptr)
        add(Effect::note, "structs." + s.name, 0, s.line, "is new");
    return std::move(changes_);
  }

 private:
  void add(Effect effect, std::string path, std::uint32_t old_line, std::uint32_t new_line,
           std::string what) {
    changes_.push_back({effect, std::move(path), old_line, new_line, std::move(what)});
  }

  void compare_enums(const Enum& was, const Enum& is, const std::string& path) {
    if (was.storage != is.storage) {
      const bool alike = dtype_of_primitive(was.storage) == dtype_of_primitive(is.storage);
      add(alike ? Effect::note : Effect::breaking, path, was.line, is.line,
          "is stored as " + std::string(primitive_name(is.storage)) + ", was " +
              std::string(primitive_name(was.storage)));
      if (!alike) return;
    }
    for (const EnumMember& m : was.members) {
      const std::string at = path + "." + m.name;
      const EnumMember* same_value = is.find(m.bits);
      const EnumMember* same_name = is.find(std::string_view(m.name));
      const bool kept = same_name != nullptr && same_name->bits == m.bits;
      if (kept && (same_value == same_name || was.is_alias(m))) continue;
      if (same_name != nullptr && !kept)
        add(Effect::breaking, at, m.line, same_name->line,
            "has the value " + is.value_text(*same_name) + ", had " + was.value_text(m) +
                ": old values mean " +
                (same_value == nullptr ? "nothing" : quote(same_value->name)) + " now");
      else if (same_value != nullptr)
        add(Effect::note, at, m.line, same_value->line,
            "is called " + quote(same_value->name) + " now");
      else
        add(Effect::note, at, m.line, 0,
            "is gone: the value reads as the number " + was.value_text(m));
    }
    for (const EnumMember& m : is.members)
      if (was.find(std::string_view(m.name)) == nullptr &&
          (was.find(m.bits) == nullptr || is.is_alias(m)))
        add(Effect::note, path + "." + m.name, 0, m.line, "is new");
  }

  void compare_structs(const Struct& was, const Struct& is) {
    const std::string path = "structs." + was.name;
    if (was.fixed != is.fixed)
      return add(Effect::breaking, path, was.line, is.line,
                 was.fixed ? "is variable now and was fixed: old buffers have no size word"
                           : "is fixed now and was variable: old buffers have a size word");
    const std::size_t common = std::min(was.fields.size(), is.fields.size());
    for (std::size_t i = 0; i < common; ++i)
      compare_fields(was, was.fields[i], is, is.fields[i], path);
    for (std::size_t i = common; i < was.fields.size(); ++i)
      add(is.fixed ? Effect::breaking : Effect::lenient, path + "." + was.fields[i].name,
          was.fields[i].line, 0,
          is.fixed ? "is gone, and a fixed struct has no size that could tell"
                   : "is gone from the end: old buffers read with the option slack: lenient");
    for (std::size_t i = common; i < is.fields.size(); ++i)
      add(is.fixed ? Effect::breaking : Effect::lenient, path + "." + is.fields[i].name, 0,
          is.fields[i].line,
          is.fixed ? "is new, and a fixed struct has no size that could tell that it is absent"
                   : "is new at the end: old buffers read with the option absent: null");
    uses(was, is, path);
  }

  void compare_fields(const Struct& was_in, const Field& was, const Struct& is_in, const Field& is,
                      const std::string& path) {
    const std::string at = path + "." + was.name;
    if (was.name != is.name) {
      const bool moved = is_in.find(was.name) != nullptr || was_in.find(is.name) != nullptr;
      if (moved)
        return add(Effect::breaking, at, was.line, is.line,
                   quote(is.name) +
                       " is in its place: members cannot change their order, and new ones must be "
                       "at the end");
      add(Effect::note, at, was.line, is.line, "is called " + quote(is.name) + " now");
    }
    std::string why;
    const Effect effect = compare_types(was.type, is.type, why);
    if (!why.empty())
      add(effect, at, was.line, is.line,
          "is " + after_.type_text(is.type) + ", was " + before_.type_text(was.type) + ": " + why);
  }

  /// `why` stays empty where nothing has changed. What changed inside structs and enums is told
  /// where they are.
  Effect compare_types(const Type& was, const Type& is, std::string& why) {
    if (was.is_scalar() && is.is_scalar()) return compare_scalars(was, is, why);
    if (is_bytes(was) && is_bytes(is) && was.kind != is.kind) {
      why = "the bytes are the same";
      return Effect::note;
    }
    if (was.kind != is.kind) {
      why = "the bytes mean something else";
      return Effect::breaking;
    }
    switch (was.kind) {
      case Kind::structure: {
        const std::string& before = before_.struct_of(was).name;
        const std::string& now = after_.struct_of(is).name;
        if (before == now) return Effect::note;
        why = same_layout(was, is) ? "the layout is the same" : "it is another struct";
        return same_layout(was, is) ? Effect::note : Effect::breaking;
      }
      case Kind::vector:
        return compare_types(was.item(), is.item(), why);
      case Kind::variant:
        return compare_variants(was, is, why);
      default:
        return Effect::note;
    }
  }

  Effect compare_scalars(const Type& was, const Type& is, std::string& why) {
    if (dtype_of_primitive(was.primitive) != dtype_of_primitive(is.primitive)) {
      why = "the numbers are stored otherwise";
      return Effect::breaking;
    }
    const bool same =
        was.kind == is.kind && was.primitive == is.primitive &&
        (was.kind != Kind::enumeration || before_.enum_of(was).name == after_.enum_of(is).name);
    if (!same) why = "the bytes are the same";
    return Effect::note;
  }

  Effect compare_variants(const Type& was, const Type& is, std::string& why) {
    if (is.of.size() < was.of.size()) {
      why = "old values may hold an alternative that is gone";
      return Effect::breaking;
    }
    Effect effect = Effect::note;
    for (std::size_t i = 0; i < was.of.size(); ++i) {
      std::string inner;
      const Effect one = compare_types(was.of[i], is.of[i], inner);
      if (inner.empty() || one < effect) continue;
      effect = one;
      why = "alternative " + std::to_string(i) + ": " + inner;
    }
    if (why.empty() && is.of.size() > was.of.size()) why = "alternatives are new at the end";
    return effect;
  }

  static bool is_bytes(const Type& type) {
    return type.kind == Kind::text ||
           (type.kind == Kind::vector && type.item().kind == Kind::primitive &&
            dtype_of_primitive(type.item().primitive) == POLYCODEC_DTYPE_UINT8);
  }

  /// True for structs of other names that have the same members at the same places.
  bool same_layout(const Type& was, const Type& is) const {
    if (was.kind != is.kind || was.of.size() != is.of.size()) return false;
    if (was.is_scalar())
      return dtype_of_primitive(was.primitive) == dtype_of_primitive(is.primitive);
    for (std::size_t i = 0; i < was.of.size(); ++i)
      if (!same_layout(was.of[i], is.of[i])) return false;
    if (was.kind != Kind::structure) return true;
    const auto& a = before_.struct_of(was).fields;
    const auto& b = after_.struct_of(is).fields;
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [&](const Field& x, const Field& y) { return same_layout(x.type, y.type); });
  }

  /// A struct is as readable as what it uses.
  void uses(const Struct& was, const Struct& is, const std::string& path) {
    std::set<std::string> broken;
    for (const Change& c : changes_)
      if (c.effect == Effect::breaking)
        broken.insert(c.path.substr(0, c.path.find('.', c.path.find('.') + 1)));
    std::set<std::string> named;
    const auto look = [&](const Type& type, const auto& self) -> void {
      std::string used;
      if (type.kind == Kind::structure) used = "structs." + before_.struct_of(type).name;
      if (type.kind == Kind::enumeration) used = "enums." + before_.enum_of(type).name;
      // Where the name is gone, it has been said whether what is there now has the same layout.
      if (type.kind == Kind::structure &&
          after_.find_struct(before_.struct_of(type).name) == nullptr)
        return;
      if (broken.contains(used) && named.insert(used).second)
        add(Effect::breaking, path, was.line, is.line,
            "uses " + used + ", which cannot be read as it was");
      for (const Type& part : type.of) self(part, self);
    };
    for (const Field& f : was.fields) look(f.type, look);
  }

  const Schema& before_;
  const Schema& after_;
  std::vector<Change> changes_;
};

}  // namespace

const char* effect_name(Effect effect) noexcept {
  constexpr const char* names[] = {"note", "lenient", "breaking"};
  return names[static_cast<std::size_t>(effect)];
}

std::vector<Change> diff(const Schema& before, const Schema& after) {
  return Comparison(before, after).run();
}

}  // namespace polycodec::fastbin
