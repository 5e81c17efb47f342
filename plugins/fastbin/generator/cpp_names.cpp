// SPDX-License-Identifier: MIT
#include "cpp_names.hpp"

#include <base/words.hpp>

#include "code_text.hpp"

#include <algorithm>
#include <initializer_list>

namespace polycodec::fastbin {

CodeText& CodeText::function(std::string_view head, std::string_view body) {
  if (depth_ * indent_width_ + head.size() + body.size() + 5 <= width)
    return line(std::string(head) + " { " + std::string(body) + " }");
  return open(std::string(head) + " {").line(body).close("}");
}

CodeText& CodeText::list(std::string_view before, const std::vector<std::string>& items,
                         std::string_view after) {
  const std::string further(2 * indent_width_, ' ');
  const std::size_t room = width - depth_ * indent_width_;
  std::string now(before);
  for (std::size_t i = 0; i < items.size(); ++i) {
    const bool last = i + 1 == items.size();
    std::string piece = items[i];
    piece += last ? after : std::string_view(",");
    const bool spaced = i != 0 && now.size() > further.size();
    if (i != 0 && now.size() + (spaced ? 1 : 0) + piece.size() > room) {
      line(now);
      now = further + piece;
    } else {
      now += (spaced ? " " : "") + piece;
    }
  }
  if (items.empty()) now += after;
  return line(now);
}

namespace {

// Keywords of C++20 and its alternative spellings of operators.
constexpr std::string_view keywords =
    "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t "
    "char32_t char8_t class co_await co_return co_yield compl concept const const_cast "
    "consteval constexpr constinit continue decltype default delete do double dynamic_cast "
    "else enum explicit export extern false float for friend goto if inline int long mutable "
    "namespace new noexcept not not_eq nullptr operator or or_eq private protected public "
    "register reinterpret_cast requires return short signed sizeof static static_assert "
    "static_cast struct switch template this thread_local throw true try typedef typeid "
    "typename union unsigned using virtual void volatile wchar_t while xor xor_eq";

// What is in the namespace beside enums and structs.
constexpr std::string_view of_namespace = "Values Writer from_string is_known std to_string";
// What generated classes have beside members.
constexpr std::string_view of_class =
    "Values Writer bytes finish fixed_size is_fixed members min_size open size_bytes size_of "
    "struct_name trust verify write";
// What generated classes and those of the runtime have, behind `fastbin_`.
constexpr std::string_view of_runtime =
    "check close data_ ends_ is_image level limit move_to names next open output position "
    "needs_check put room runtime struct take write schema";

/// All `names`, those that cannot stay, such as keywords, with underscores after them.
std::vector<std::string> escaped(const std::vector<std::string>& names, std::string_view reserved,
                                 std::string_view also_reserved = {}) {
  std::vector<std::string> result;
  for (const std::string& name : names) {
    std::string spelled = name;
    while (has_word(keywords, spelled) || is_cpp_macro(spelled) || has_word(reserved, spelled) ||
           spelled == also_reserved ||
           (spelled != name && std::find(names.begin(), names.end(), spelled) != names.end()))
      spelled += '_';
    result.push_back(std::move(spelled));
  }
  return result;
}

template <class Named>
std::vector<std::string> names_of(const std::vector<Named>& all) {
  std::vector<std::string> names;
  names.reserve(all.size());
  for (const Named& one : all) names.push_back(one.name);
  return names;
}

}  // namespace

CppNames::CppNames(const Schema& schema) : schema_(schema) {
  for (std::size_t start = 0;;) {
    const std::size_t end = schema.name_space.find("::", start);
    name_space_ += escaped({schema.name_space.substr(start, end - start)}, of_namespace).front();
    if (end == std::string::npos) break;
    name_space_ += "::";
    start = end + 2;
  }
  // Enums and structs share a namespace, and so do the functions that parse enums.
  std::vector<std::string> all = names_of(schema.enums);
  for (const Struct& s : schema.structs) all.push_back(s.name);
  std::string reserved(of_namespace);
  for (const Enum& e : schema.enums)
    if (e.generate_parse) reserved.append(" parse_").append(e.name);
  const auto middle = static_cast<std::ptrdiff_t>(schema.enums.size());
  std::vector<std::string> spelled = escaped(all, reserved);
  enums_.assign(spelled.begin(), spelled.begin() + middle);
  // A function of a class cannot be called like the class, nor a class like its base.
  reserved.append(" ").append(of_class).append(" StructView hash structs");
  spelled = escaped(all, reserved);
  structs_.assign(spelled.begin() + middle, spelled.end());
}

std::vector<std::string> CppNames::members(std::size_t index) const {
  return escaped(names_of(schema_.structs[index].fields), of_class, structs_[index]);
}

std::vector<std::string> CppNames::aliases(std::size_t index) const {
  std::vector<std::string> names = escaped(members(index), of_runtime);
  for (std::string& name : names) name.insert(0, "fastbin_");
  return names;
}

std::vector<std::string> CppNames::values(std::size_t index) const {
  return escaped(names_of(schema_.enums[index].members), {});
}

std::string CppNames::type(const Type& t) const {
  switch (t.kind) {
    case Kind::primitive:
      return std::string(cpp_primitive(t.primitive));
    case Kind::enumeration:
      return full_enum(t.index);
    case Kind::text:
      return "std::string_view";
    case Kind::structure:
      return full_struct(t.index);
    default: {
      std::string text = type_template(t) + "<";
      for (const Type& one : t.of) text += (&one == t.of.data() ? "" : ", ") + type(one);
      return text + ">";
    }
  }
}

std::string CppNames::type_template(const Type& t) const {
  if (t.kind == Kind::variant) return "fastbin_runtime::Variant";
  return t.item().is_scalar() ? "fastbin_runtime::Vector" : "fastbin_runtime::Records";
}

std::string CppNames::input(const Type& t) const {
  switch (t.kind) {
    case Kind::structure:
      return full_struct(t.index) + "::Values";
    case Kind::vector:
      return "std::span<const " + input(t.item()) + ">";
    case Kind::variant:
      return "fastbin_runtime::Part<" + type(t) + ">::Input";
    default:
      return type(t);
  }
}

std::string CppNames::value(const Enum& e, const EnumMember& member) const {
  const std::string number = e.value_text(member);
  if (e.storage == Primitive::boolean) return member.bits == 0 ? "false" : "true";
  if (e.storage == Primitive::character) return "static_cast<char>(" + number + ")";
  if (number == "-9223372036854775808")
    return "-9223372036854775807 - 1";  // its positive would be no number
  return e.storage == Primitive::uint64 ? number + "u" : number;
}

std::string_view cpp_primitive(Primitive p) {
  constexpr std::string_view names[primitive_count] = {
      "std::int8_t",   "std::int16_t",  "std::int32_t",  "std::int64_t", "std::uint8_t",
      "std::uint16_t", "std::uint32_t", "std::uint64_t", "float",        "double",
      "char",          "std::byte",     "bool"};
  return names[static_cast<std::size_t>(p)];
}

std::string cpp_literal(std::string_view text) {
  std::string literal = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    // Two question marks could start a trigraph.
    if (c == '"' || c == '\\' || (c == '?' && literal.ends_with('?'))) {
      literal += {'\\', c};
    } else if (code < 0x20 || code > 0x7E) {
      // Three octal digits end by themselves, whatever follows.
      literal += {'\\', static_cast<char>('0' + (code >> 6)),
                  static_cast<char>('0' + (code >> 3 & 7)), static_cast<char>('0' + (code & 7))};
    } else {
      literal += c;
    }
  }
  return literal + '"';
}

void cpp_comment(CodeText& code, const std::vector<std::string>& lines) {
  for (const std::string& text : lines) {
    std::string line = "///";
    if (!text.empty()) line += ' ';
    for (const char c : text) line += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? ' ' : c;
    while (line.size() > 3 && line.back() == ' ') line.pop_back();
    if (line.back() == '\\')
      line += " .";  // a line that ends in a backslash continues with the next one
    code.line(line);
  }
}

}  // namespace polycodec::fastbin
