// SPDX-License-Identifier: MIT
// Values as text for people, and what generic code can know about generated structs.
#pragma once

#include "output.hpp"
#include "variant.hpp"

#include <ostream>
#include <tuple>

namespace fastbin_runtime {
inline namespace v1 {

/// A member of a struct, for generic code: its name in the schema, how a view reads it, and where
/// its value stands among the values to be written.
template <class Getter, class Field>
struct Member {
  std::string_view name;
  Getter get;    ///< pointer to the member function of the view
  Field values;  ///< pointer to the data member of Values
};
template <class Getter, class Field>
Member(std::string_view, Getter, Field) -> Member<Getter, Field>;

/// A list of types.
template <class... T>
struct TypeList {};

/// At most so many elements of a vector are printed.
inline constexpr std::size_t printed_elements = 32;

inline void print(std::ostream& out, std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  out << '"';
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      out << '\\' << c;
    else if (code < 0x20 || code == 0x7F)
      out << "\\x" << digits[code >> 4] << digits[code & 15];
    else
      out << c;
  }
  out << '"';
}
template <Scalar T>
void print(std::ostream& out, T value) {
  if constexpr (std::is_same_v<T, bool>)
    out << (value ? "true" : "false");
  else if constexpr (std::is_same_v<T, std::byte> || std::is_same_v<T, char>)
    out << static_cast<unsigned>(static_cast<unsigned char>(value));
  else if constexpr (sizeof(T) == 1 && std::is_integral_v<T>)
    out << static_cast<int>(value);
  else
    out << value;  // enums bring an operator of their own
}
template <Struct T>
void print(std::ostream& out, const T& value) {
  out << value;
}
template <class List>
void print_list(std::ostream& out, const List& list) {
  out << '[';
  std::size_t n = 0;
  for (const auto& item : list) {
    if (n == printed_elements) {
      out << ", ... " << list.size() << " elements";
      break;
    }
    if (n++ != 0) out << ", ";
    print(out, item);
  }
  out << ']';
}
template <Scalar T>
void print(std::ostream& out, const Vector<T>& list) {
  print_list(out, list);
}
template <class T>
void print(std::ostream& out, const Records<T>& list) {
  print_list(out, list);
}
template <class... T>
void print(std::ostream& out, const Variant<T...>& variant) {
  out << '<' << variant.index() << ": ";
  if (!variant.visit([&](auto, const auto& value) { print(out, value); })) out << "empty";
  out << '>';
}
/// Prints a generated struct: `Name{member: value, ...}`.
template <Struct T>
void print_struct(std::ostream& out, const T& value) {
  out << T::struct_name << '{';
  bool first = true;
  std::apply(
      [&](const auto&... member) {
        ((out << (std::exchange(first, false) ? "" : ", ") << member.name << ": ",
          print(out, (value.*member.get)())),
         ...);
      },
      T::members());
  out << '}';
}

}  // namespace v1
}  // namespace fastbin_runtime
