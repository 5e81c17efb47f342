// SPDX-License-Identifier: MIT
#include "cpp_parts.hpp"

namespace polycodec::fastbin {

void write_cpp_enum(CodeText& code, const Schema& schema, const CppNames& names,
                    std::size_t index) {
  const Enum& e = schema.enums[index];
  const std::string& name = names.enum_name(index);
  const std::vector<std::string> values = names.values(index);

  cpp_comment(code, e.doc);
  code.open("enum class " + name + " : " + std::string(cpp_primitive(e.storage)) + " {");
  for (std::size_t i = 0; i < values.size(); ++i) {
    cpp_comment(code, e.members[i].doc);
    code.line(values[i] + " = " + names.value(e, e.members[i]) + ",");
  }
  code.close("};").line();

  code.line("/// The name of a value in the schema; empty if it has none.");
  code.open("constexpr std::string_view to_string(" + name + " value) noexcept {");
  code.line("switch (value) {");
  for (std::size_t i = 0; i < values.size(); ++i) {
    code.line("  case " + name + "::" + values[i] + ":");
    code.line("    return " + cpp_literal(e.members[i].name) + ";");
  }
  code.line("}").line("return {};").close("}");
  code.line("/// True if the schema has a name for the value.");
  code.open("constexpr bool is_known(" + name + " value) noexcept {");
  code.line("return !to_string(value).empty();").close("}");
  code.line(
      "/// Sets `value` to the value of this name; false, and nothing set, if there is none.");
  code.open("constexpr bool from_string(std::string_view name, " + name + "& value) noexcept {");
  for (std::size_t i = 0; i < values.size(); ++i)
    code.line("if (name == " + cpp_literal(e.members[i].name) + ") return value = " + name +
              "::" + values[i] + ", true;");
  code.line("return false;").close("}");
  code.open("inline std::ostream& operator<<(std::ostream& out, " + name + " value) {");
  code.line("fastbin_runtime::print_enum(out, " + cpp_literal(e.name) + ", value);");
  code.line("return out;").close("}");

  if (e.generate_parse) {
    code.line("/// The value that a text stands for, if any.");
    code.open("constexpr std::optional<" + name + "> parse_" + e.name +
              "(std::string_view text) noexcept {");
    for (std::size_t i = 0; i < values.size(); ++i)
      for (const std::string& text : e.members[i].texts)
        code.line("if (text == " + cpp_literal(text) + ") return " + name + "::" + values[i] + ";");
    code.line("return std::nullopt;").close("}");
  }
  code.line();
}

}  // namespace polycodec::fastbin
