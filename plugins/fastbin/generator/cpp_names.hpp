// SPDX-License-Identifier: MIT
// Names and parts of generated C++.
#pragma once

#include "code_text.hpp"
#include "fastbin/schema/schema.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace polycodec::fastbin {

/// The spelling of a schema in C++. Keywords, and names that generated code or the standard
/// library's macros need, get an underscore after them, and another one while the result is a name
/// of the schema as well.
class CppNames {
 public:
  explicit CppNames(const Schema& schema);

  const std::string& name_space() const noexcept { return name_space_; }
  /// The name of a struct or enum inside the namespace.
  const std::string& struct_name(std::size_t index) const { return structs_[index]; }
  const std::string& enum_name(std::size_t index) const { return enums_[index]; }
  /// The same from anywhere: `::a::b::Name`.
  std::string full_struct(std::size_t index) const {
    return "::" + name_space_ + "::" + structs_[index];
  }
  std::string full_enum(std::size_t index) const {
    return "::" + name_space_ + "::" + enums_[index];
  }
  /// The names of all members of struct `index`, and of all values of enum `index`.
  std::vector<std::string> members(std::size_t index) const;
  std::vector<std::string> values(std::size_t index) const;
  /// Names for the types of all members of struct `index`, where one is needed.
  std::vector<std::string> aliases(std::size_t index) const;

  /// What reading a member of this type gives; fastbin_runtime::Part is defined for it.
  std::string type(const Type& type) const;
  /// The template that a vector or variant is one of, without its arguments.
  std::string type_template(const Type& type) const;
  /// What writing a member of this type takes, by value or as a view.
  std::string input(const Type& type) const;
  /// The value of a member of an enum as a constant of its storage.
  std::string value(const Enum& e, const EnumMember& member) const;

 private:
  const Schema& schema_;
  std::string name_space_;
  std::vector<std::string> structs_, enums_;
};

/// The type of C++ that a primitive is.
std::string_view cpp_primitive(Primitive p);
/// A text as a string literal of C++ or Julia in double quotes; bytes outside printable ASCII are
/// escaped.
std::string cpp_literal(std::string_view text);
/// Lines as documentation comments. Nothing in them ends or continues a comment.
void cpp_comment(CodeText& code, const std::vector<std::string>& lines);

/// The enum, is_known, to_string, from_string, operator<< and, if the schema wants it, parse_NAME.
void write_cpp_enum(CodeText& code, const Schema& schema, const CppNames& names, std::size_t index);
/// The class that views a struct, its Values, and its Writer.
void write_cpp_struct(CodeText& code, const Schema& schema, const CppNames& names,
                      std::size_t index);

/// True for the name of a macro that standard headers of usual systems define: the preprocessor
/// would replace it wherever generated code has it.
bool is_cpp_macro(std::string_view name);

}  // namespace polycodec::fastbin
