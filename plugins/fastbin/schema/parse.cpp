// SPDX-License-Identifier: MIT
#include "parse.hpp"

#include <base/seeded_hash.hpp>
#include <polycodec/error.hpp>
#include <polycodec/quote.hpp>

#include "json_tree.hpp"
#include "names.hpp"

#include <cstddef>
#include <utility>

namespace polycodec::fastbin {
namespace {

/// Makes a schema of a tree, entry by entry in the order in which they stand.
class SchemaReader {
 public:
  SchemaReader(const JsonNode& root, std::string_view origin) : root_(root), origin_(origin) {}

  Schema read() {
    need_object(root_, "");
    read_namespace();
    if (const JsonNode* enums = root_.find("enums")) {
      need_object(*enums, "enums");
      for (const JsonMember& m : enums->members) read_enum(m, "enums." + m.name);
    }
    if (const JsonNode* structs = root_.find("structs")) {
      need_object(*structs, "structs");
      for (const JsonMember& m : structs->members) later_.emplace(m.name, &m.value);
      for (const JsonMember& m : structs->members) read_struct(m, "structs." + m.name);
    }
    return std::move(schema_);
  }

 private:
  [[noreturn]] void fail(const JsonNode& at, const std::string& path,
                         const std::string& what) const {
    std::string message(origin_);
    if (at.line != 0) message += ":" + std::to_string(at.line);
    throw Error(Status::option, message + ": " + (path.empty() ? "" : path + ": ") + what)
        .detail("fastbin.schema");
  }

  void need_object(const JsonNode& node, const std::string& path) const {
    if (node.kind != JsonNode::Kind::object)
      fail(node, path, std::string("expected an object, not ") + node.kind_text());
  }
  const JsonNode& need(const JsonNode& object, const char* key, const std::string& path) const {
    if (const JsonNode* found = object.find(key)) return *found;
    fail(object, path, quote(key) + " is missing");
  }
  const std::string& need_text(const JsonNode& node, const std::string& path) const {
    if (node.kind != JsonNode::Kind::text)
      fail(node, path, std::string("expected a text, not ") + node.kind_text());
    return node.text;
  }
  void check_name(const JsonNode& at, const std::string& name, const std::string& path) const {
    if (const std::string problem = name_problem(name); !problem.empty()) fail(at, path, problem);
  }

  /// A text or a list of strings, as lines.
  std::vector<std::string> texts(const JsonNode* node, const std::string& path) const {
    std::vector<std::string> all;
    if (node == nullptr) return all;
    if (node->kind != JsonNode::Kind::list) return {need_text(*node, path)};
    for (std::size_t i = 0; i < node->items.size(); ++i)
      all.push_back(need_text(node->items[i], path + "[" + std::to_string(i) + "]"));
    return all;
  }
  /// A docstring as lines; newlines inside the strings count too.
  std::vector<std::string> doc(const JsonNode& object, const std::string& path) const {
    std::vector<std::string> lines;
    for (const std::string& text : texts(object.find("docstring"), path + ".docstring"))
      for (std::size_t start = 0;;) {
        const std::size_t end = text.find('\n', start);
        lines.push_back(text.substr(start, end - start));
        if (end == std::string::npos) break;
        start = end + 1;
      }
    return lines;
  }

  void read_namespace() {
    const JsonNode* node = root_.find("namespace");
    if (node == nullptr) return;
    schema_.name_space = need_text(*node, "namespace");
    if (const std::string problem = namespace_problem(schema_.name_space); !problem.empty())
      fail(*node, "namespace", problem);
  }

  void read_enum(const JsonMember& entry, const std::string& path) {
    const JsonNode& node = entry.value;
    need_object(node, path);
    check_name(node, entry.name, path);
    Enum e;
    e.name = entry.name;
    e.line = node.line;
    e.doc = doc(node, path);
    const JsonNode& type = need(node, "type", path);
    const auto storage = primitive_from_name(need_text(type, path + ".type"));
    if (!storage || is_float(*storage) || *storage == Primitive::byte)
      fail(type, path + ".type",
           "an enum is stored as int8 to int64, uint8 to uint64, char or bool, not as " +
               quote(type.text));
    e.storage = *storage;
    if (const JsonNode* parse = node.find("generate_parse")) {
      if (parse->kind != JsonNode::Kind::boolean)
        fail(*parse, path + ".generate_parse",
             std::string("expected true or false, not ") + parse->kind_text());
      e.generate_parse = parse->boolean;
    }
    const JsonNode& members = need(node, "members", path);
    need_object(members, path + ".members");
    if (members.members.empty())
      fail(members, path + ".members", "an enum needs at least one member");
    SeededMap<std::string, std::string> text_owners;
    for (const JsonMember& m : members.members)
      read_enum_member(e, m, path + ".members." + m.name, text_owners);
    enums_.emplace(e.name, static_cast<std::uint32_t>(schema_.enums.size()));
    schema_.enums.push_back(std::move(e));
  }

  void read_enum_member(Enum& e, const JsonMember& entry, const std::string& path,
                        SeededMap<std::string, std::string>& text_owners) const {
    const JsonNode& node = entry.value;
    need_object(node, path);
    check_name(node, entry.name, path);
    EnumMember member;
    member.name = entry.name;
    member.line = node.line;
    member.doc = doc(node, path);
    const JsonNode& value = need(node, "value", path);
    if (const std::string problem = read_enum_value(value, e.storage, member.bits);
        !problem.empty())
      fail(value, path + ".value", problem);
    // A later name of a value is an alias: the first one is what reading gives.
    e.by_bits.emplace(member.bits, static_cast<std::uint32_t>(e.members.size()));
    const JsonNode* map = node.find("map");
    member.texts =
        map == nullptr ? std::vector<std::string>{member.name} : texts(map, path + ".map");
    for (const std::string& text : member.texts) {
      const auto [owner, first] = text_owners.emplace(text, member.name);
      if (!first)
        fail(map == nullptr ? node : *map, path + ".map",
             quote(text) + " stands for " + quote(owner->second) + " already");
    }
    e.members.push_back(std::move(member));
  }

  void read_struct(const JsonMember& entry, const std::string& path) {
    const JsonNode& node = entry.value;
    need_object(node, path);
    check_name(node, entry.name, path);
    if (enums_.contains(entry.name)) fail(node, path, "there is an enum of this name");
    Struct s;
    s.name = entry.name;
    s.line = node.line;
    s.doc = doc(node, path);
    const JsonNode& members = need(node, "members", path);
    SeededSet<std::string> names;
    const auto add = [&](const JsonNode& at, const std::string& name, const JsonNode& type,
                         const std::string& where) {
      Field field;
      field.name = name;
      field.line = at.line;
      if (at.kind == JsonNode::Kind::object) field.doc = doc(at, where);
      check_name(at, name, where);
      if (name == s.name) fail(at, where, quote(name) + " is a reserved name: that of its struct");
      if (!names.insert(name).second)
        fail(at, where, "there is a member " + quote(name) + " already");
      const std::string type_path = &at == &type ? where : where + ".type";
      field.type = resolve(type, s.name, type_path);
      s.fields.push_back(std::move(field));
    };
    if (members.kind == JsonNode::Kind::object) {
      for (const JsonMember& m : members.members)
        add(m.value, m.name, m.value, path + ".members." + m.name);
    } else if (members.kind == JsonNode::Kind::list) {
      for (std::size_t i = 0; i < members.items.size(); ++i) {
        const JsonNode& item = members.items[i];
        const std::string where = path + ".members[" + std::to_string(i) + "]";
        need_object(item, where);
        add(item, need_text(need(item, "name", where), where + ".name"), need(item, "type", where),
            where);
      }
    } else {
      fail(members, path + ".members",
           std::string("expected an object or a list of members, not ") + members.kind_text());
    }
    if (s.fields.empty()) fail(members, path + ".members", "a struct needs at least one member");
    structs_.emplace(s.name, static_cast<std::uint32_t>(schema_.structs.size()));
    schema_.structs.push_back(std::move(s));
    if (const std::string problem = lay_out_last(schema_); !problem.empty())
      fail(node, path, problem);
  }

  Type resolve(const JsonNode& node, const std::string& inside, const std::string& path) const {
    WrittenType written;
    if (const std::string problem = parse_type(need_text(node, path), written); !problem.empty())
      fail(node, path, problem);
    return resolve(written, node, inside, path);
  }

  Type resolve(const WrittenType& written, const JsonNode& node, const std::string& inside,
               const std::string& path) const {
    Type type;
    type.kind = written.kind;
    type.primitive = written.primitive;
    if (written.kind == Kind::enumeration) {
      const auto at = enums_.find(written.name);
      if (at == enums_.end())
        fail(node, path,
             "there is no enum " + quote(written.name) +
                 (later_.contains(written.name) ? "; it is a struct: 'struct:" + written.name + "'"
                                                : ""));
      type.index = at->second;
      type.primitive = schema_.enums[type.index].storage;
    }
    if (written.kind == Kind::structure) {
      const auto at = structs_.find(written.name);
      if (at == structs_.end()) fail_struct(written.name, node, inside, path);
      type.index = at->second;
    }
    for (const WrittenType& part : written.of) type.of.push_back(resolve(part, node, inside, path));
    return type;
  }

  /// Says why there is no struct `name` yet.
  [[noreturn]] void fail_struct(const std::string& name, const JsonNode& node,
                                const std::string& inside, const std::string& path) const {
    if (name == inside) fail(node, path, quote(name) + " would contain itself");
    const auto later = later_.find(name);
    if (later == later_.end())
      fail(node, path,
           "there is no struct " + quote(name) +
               (enums_.contains(name) ? "; it is an enum: 'enum:" + name + "'" : ""));
    if (const std::string cycle = cycle_from(name, inside); !cycle.empty())
      fail(node, path, quote(inside) + " would contain itself: " + inside + " -> " + cycle);
    const std::uint32_t line = later->second->line;
    fail(node, path,
         quote(name) + " is defined only further down" +
             (line == 0 ? std::string() : " (line " + std::to_string(line) + ")") +
             "; structs must be defined before they are used");
  }

  /// The names in the type strings of a struct that has not been read yet.
  std::vector<std::string> uses(const std::string& name) const {
    std::vector<std::string> found;
    const auto at = later_.find(name);
    const JsonNode* members = at == later_.end() ? nullptr : at->second->find("members");
    if (members == nullptr) return found;
    const auto add = [&](const WrittenType& type, const auto& self) -> void {
      if (type.kind == Kind::structure) found.push_back(type.name);
      for (const WrittenType& part : type.of) self(part, self);
    };
    const auto look = [&](const JsonNode* type) {
      WrittenType written;
      if (type != nullptr && type->kind == JsonNode::Kind::text &&
          parse_type(type->text, written).empty())
        add(written, add);
    };
    for (const JsonMember& m : members->members) look(&m.value);
    for (const JsonNode& m : members->items) look(m.find("type"));
    return found;
  }

  /// How `from` leads to `target` ("B -> C -> A"), or "" if it does not.
  std::string cycle_from(const std::string& from, const std::string& target) const {
    SeededMap<std::string, std::string> reached_by{{from, {}}};
    std::vector<std::string> open{from};
    while (!open.empty()) {
      const std::string name = std::move(open.back());
      open.pop_back();
      for (const std::string& used : uses(name)) {
        if (used == target) {
          std::string text = target;
          for (std::string step = name; !step.empty(); step = reached_by.at(step))
            text = step + " -> " + text;
          return text;
        }
        if (reached_by.emplace(used, name).second) open.push_back(used);
      }
    }
    return {};
  }

  const JsonNode& root_;
  std::string_view origin_;
  Schema schema_;
  SeededMap<std::string, std::uint32_t> enums_, structs_;
  SeededMap<std::string, const JsonNode*> later_;  // all structs
};

}  // namespace

Schema parse_schema(std::string_view text, std::string_view origin) {
  const JsonNode root = parse_json_tree(text, origin);
  return SchemaReader(root, origin).read();
}

Schema schema_from_view(NodeView document, std::string_view origin) {
  if (document.is_string()) return parse_schema(document.as_string(), origin);
  const JsonNode root = json_tree_from_view(document, origin);
  return SchemaReader(root, origin).read();
}

}  // namespace polycodec::fastbin
