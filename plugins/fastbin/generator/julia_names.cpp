// SPDX-License-Identifier: MIT
#include "julia_names.hpp"

#include <base/hex.hpp>
#include <base/words.hpp>

#include <algorithm>

namespace polycodec::fastbin {
namespace {

constexpr std::string_view keywords =
    "baremodule begin break catch const continue do else elseif end export false finally for "
    "function global if import let local macro module quote return struct true try using "
    "while ccall in isa where";
// What the module uses itself, from Base and from its runtime.
constexpr std::string_view used =
    "Base Bool Choice Core FastbinEnum FastbinError FastbinRuntime FastbinStruct "
    "FastbinValues Float32 Float64 Int Int16 Int32 Int64 Int8 NTuple Nothing Numbers Records "
    "String Symbol T Tuple Type UInt16 UInt32 UInt64 UInt8 VariantValue Vector from_string "
    "name_of open_root size_of to_bytes to_values trust value_of verify write_root! zero eval "
    "include";

/// `name`, with as many underscores after it as it takes to be no name that is taken.
std::string free_name(std::string name, const std::vector<std::string>& taken) {
  while (has_word(keywords, name) || has_word(used, name) ||
         std::find(taken.begin(), taken.end(), name) != taken.end())
    name += '_';
  return name;
}

}  // namespace

JuliaNames::JuliaNames(const Schema& schema) : schema_(schema) {
  for (std::size_t start = 0;;) {
    const std::size_t end = schema.name_space.find("::", start);
    module_ += schema.name_space.substr(start, end - start);
    if (end == std::string::npos) break;
    module_ += '_';
    start = end + 2;
  }
  module_ = free_name(module_, {});
  // The names that stay as they are come first, so that what is made up gives way to them.
  std::vector<std::string> taken;
  const auto keep = [&](const std::string& name) {
    if (free_name(name, {module_}) == name) taken.push_back(name);
  };
  for (const Enum& e : schema.enums) keep(e.name);
  for (const Struct& s : schema.structs) keep(s.name);
  const auto spell = [&](const std::string& name) {
    if (free_name(name, {module_}) == name) return name;
    taken.push_back(free_name(name + '_', taken));
    return taken.back();
  };
  for (const Enum& e : schema.enums) enums_.push_back(spell(e.name));
  for (const Struct& s : schema.structs) structs_.push_back(spell(s.name));
  for (const Struct& s : schema.structs) {
    taken.push_back(free_name(s.name + "Values", taken));
    values_.push_back(taken.back());
  }
}

bool JuliaNames::is_used(std::string_view name) const {
  const auto is = [&](const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  return has_word(used, name) || is(enums_) || is(values_);
}

std::vector<std::string> JuliaNames::constants(std::size_t index) const {
  std::vector<std::string> names;
  for (const EnumMember& member : schema_.enums[index].members) names.push_back(member.name);
  std::vector<std::string> result;
  result.reserve(names.size());
  for (const std::string& name : names)
    result.push_back(free_name(name, {enums_[index]}) == name ? name
                                                              : free_name(name + '_', names));
  return result;
}

std::string JuliaNames::type(const Type& t) const {
  switch (t.kind) {
    case Kind::primitive:
      return std::string(julia_primitive(t.primitive));
    case Kind::enumeration:
      return enums_[t.index] + ".T";
    case Kind::text:
      return "String";
    case Kind::structure:
      return structs_[t.index];
    case Kind::vector:
      return (t.item().is_scalar() ? "Numbers{" : "Records{") + type(t.item()) + "}";
    default: {
      std::string text = "Choice{Tuple{";
      for (const Type& one : t.of) text += (&one == t.of.data() ? "" : ",") + type(one);
      return text + "}}";
    }
  }
}

std::string JuliaNames::input(const Type& t) const {
  if (t.kind == Kind::structure) return values_[t.index];
  if (t.kind == Kind::vector) return "Vector{" + input(t.item()) + "}";
  if (t.kind == Kind::variant) return "VariantValue";
  return type(t);
}

std::string JuliaNames::initial(const Type& t) const {
  if (t.kind == Kind::text) return "\"\"";
  if (t.kind == Kind::vector) return input(t.item()) + "[]";
  if (t.kind == Kind::primitive) return "zero(" + type(t) + ")";
  if (t.kind == Kind::enumeration)
    return type(t) + "(zero(" + std::string(julia_primitive(t.primitive)) + "))";
  return input(t) + "()";
}

std::string julia_identifier(const std::string& name) {
  return has_word(keywords, name) ? "var\"" + name + "\"" : name;
}

std::string julia_symbol(const std::string& name) {
  return has_word(keywords, name) ? "Symbol(" + julia_literal(name) + ")" : ":" + name;
}

std::string julia_literal(std::string_view text) {
  std::string literal = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\' || c == '$')
      literal += {'\\', c};
    else if (code < 0x20 || code == 0x7F)
      append_hex(literal += "\\x", code, 2);
    else
      literal += c;
  }
  return literal + '"';
}

std::string_view julia_primitive(Primitive p) {
  constexpr std::string_view names[primitive_count] = {
      "Int8",   "Int16",   "Int32",   "Int64", "UInt8", "UInt16", "UInt32",
      "UInt64", "Float32", "Float64", "UInt8", "UInt8", "Bool"};
  return names[static_cast<std::size_t>(p)];
}

void julia_docstring(CodeText& code, const std::vector<std::string>& lines) {
  if (lines.empty()) return;
  code.line("\"\"\"");
  for (const std::string& text : lines) {
    const std::string quoted = julia_literal(text);
    code.line(std::string_view(quoted).substr(1, quoted.size() - 2));
  }
  code.line("\"\"\"");
}

}  // namespace polycodec::fastbin
