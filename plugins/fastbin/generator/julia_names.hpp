// SPDX-License-Identifier: MIT
// How the names, types and comments of a schema are spelled in Julia.
#pragma once

#include "code_text.hpp"
#include "fastbin/schema/schema.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace polycodec::fastbin {

/// The spelling of a schema in Julia. Types whose name the module needs itself get an underscore
/// after it; members keep their names, those that are keywords as var"name".
class JuliaNames {
 public:
  explicit JuliaNames(const Schema& schema);

  /// The namespace with underscores for colons.
  const std::string& module() const noexcept { return module_; }
  const std::string& struct_name(std::size_t index) const { return structs_[index]; }
  /// The name of what a struct is written from.
  const std::string& values_name(std::size_t index) const { return values_[index]; }
  /// The module of an enum, whose type is `T` in it.
  const std::string& enum_name(std::size_t index) const { return enums_[index]; }

  /// The constants of an enum in its module.
  std::vector<std::string> constants(std::size_t index) const;

  /// True if the values of a struct could be initialized with the help of something called so.
  bool is_used(std::string_view name) const;

  /// A member of this type, as FastbinRuntime takes it.
  std::string type(const Type& type) const;
  /// What the value of a member is, and what it is if nobody sets it.
  std::string input(const Type& type) const;
  std::string initial(const Type& type) const;

 private:
  const Schema& schema_;
  std::string module_;
  std::vector<std::string> structs_, values_, enums_;
};

/// The name of a member or a constant where Julia expects an identifier.
std::string julia_identifier(const std::string& name);
/// The symbol of a name. A literal where that can be written, so that Julia knows it when it
/// compiles.
std::string julia_symbol(const std::string& name);
/// A text as a string literal.
std::string julia_literal(std::string_view text);
/// The type of a number.
std::string_view julia_primitive(Primitive p);
/// Lines as a docstring in front of a definition; nothing if there are none.
void julia_docstring(CodeText& code, const std::vector<std::string>& lines);

}  // namespace polycodec::fastbin
