// SPDX-License-Identifier: MIT
#include "names.hpp"

#include <base/quote.hpp>

#include <algorithm>
#include <iterator>

namespace polycodec::fastbin {
namespace {

// Sorted. Keywords of C++20 and its alternative spellings of operators.
constexpr std::string_view keywords[] = {"alignas",       "alignof",     "and",
                                         "and_eq",        "asm",         "auto",
                                         "bitand",        "bitor",       "bool",
                                         "break",         "case",        "catch",
                                         "char",          "char16_t",    "char32_t",
                                         "char8_t",       "class",       "co_await",
                                         "co_return",     "co_yield",    "compl",
                                         "concept",       "const",       "const_cast",
                                         "consteval",     "constexpr",   "constinit",
                                         "continue",      "decltype",    "default",
                                         "delete",        "do",          "double",
                                         "dynamic_cast",  "else",        "enum",
                                         "explicit",      "export",      "extern",
                                         "false",         "float",       "for",
                                         "friend",        "goto",        "if",
                                         "inline",        "int",         "long",
                                         "mutable",       "namespace",   "new",
                                         "noexcept",      "not",         "not_eq",
                                         "nullptr",       "operator",    "or",
                                         "or_eq",         "private",     "protected",
                                         "public",        "register",    "reinterpret_cast",
                                         "requires",      "return",      "short",
                                         "signed",        "sizeof",      "static",
                                         "static_assert", "static_cast", "struct",
                                         "switch",        "template",    "this",
                                         "thread_local",  "throw",       "true",
                                         "try",           "typedef",     "typeid",
                                         "typename",      "union",       "unsigned",
                                         "using",         "virtual",     "void",
                                         "volatile",      "wchar_t",     "while",
                                         "xor",           "xor_eq"};
static_assert(std::is_sorted(std::begin(keywords), std::end(keywords)));

constexpr std::string_view members[] = {"buffer", "buffer_size", "owns_buffer"};

constexpr bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
constexpr bool is_identifier(std::string_view name) {
  return !name.empty() && is_letter(name.front()) &&
         std::all_of(name.begin(), name.end(),
                     [](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

}  // namespace

std::string name_problem(std::string_view name) {
  const std::string quoted = quote(name);
  if (name.empty()) return "the name is empty";
  if (!is_identifier(name))
    return quoted +
           " is no name: expected letters, digits and underscores, not starting with a digit";
  if (std::binary_search(std::begin(keywords), std::end(keywords), name))
    return quoted + " is a reserved name: a keyword of C++";
  if (std::find(std::begin(members), std::end(members), name) != std::end(members) ||
      name.starts_with("fastbin_"))
    return quoted + " is a reserved name: generated classes have members called so";
  return {};
}

}  // namespace polycodec::fastbin
