// SPDX-License-Identifier: MIT
#include "cpp_names.hpp"

#include <algorithm>

namespace polycodec::fastbin {
namespace {

/// Writes one struct.
class StructWriter {
 public:
  StructWriter(CodeText& code, const Schema& schema, const CppNames& names, std::size_t index)
      : code_(code),
        schema_(schema),
        names_(names),
        struct_(schema.structs[index]),
        name_(names.struct_name(index)),
        members_(names.members(index)) {
    const std::vector<std::string> aliases = names.aliases(index);
    for (std::size_t i = 0; i < members_.size(); ++i) {
      const Type& type = struct_.fields[i].type;
      types_.push_back(has_alias(type) ? aliases[i] : names.type(type));
    }
    locate();
  }

  void write() {
    cpp_comment(code_, struct_.doc);
    code_.open("class " + name_ + " : public fastbin_runtime::StructView<" + name_ + "> {");
    code_.label("public:");
    constants();
    values();
    getters();
    writing();
    checking();
    private_part();
    code_.close("};").line();
    writer();
  }

 private:
  /// Types with types in them get a name in the class, or lines would be too long to read.
  static bool has_alias(const Type& type) {
    return type.kind == Kind::variant || type.kind == Kind::vector;
  }
  bool fixed(std::size_t i) const { return struct_.fields[i].is_fixed(); }
  std::string part(std::size_t i) const { return "fastbin_runtime::Part<" + types_[i] + ">"; }

  /// Where each member is: at a constant, or that far after the end of an earlier variable
  /// member.
  void locate() {
    std::size_t base = 0;
    std::uint64_t offset = struct_.fixed ? 0 : word_size;
    for (std::size_t i = 0; i < members_.size(); ++i) {
      const std::string from =
          base == 0 ? "fastbin_data_" : "fastbin_ends_[" + std::to_string(base - 1) + "]";
      places_.push_back(offset == 0 ? from : from + " + " + std::to_string(offset));
      if (fixed(i)) {
        offset += struct_.fields[i].fixed_size;
      } else if (i + 1 < members_.size()) {
        ends_.push_back(i);
        base = ends_.size();
        offset = 0;
      }
    }
  }

  void constants() {
    for (std::size_t i = 0; i < members_.size(); ++i) {
      const Type& type = struct_.fields[i].type;
      if (!has_alias(type)) continue;
      std::vector<std::string> parts;
      for (const Type& one : type.of) parts.push_back(names_.type(one));
      code_.list("using " + types_[i] + " = " + names_.type_template(type) + "<", parts, ">;");
    }
    code_.line("static constexpr std::string_view struct_name = " + cpp_literal(struct_.name) +
               ";");
    code_.line("/// True if all of them have the same size, which no word in the buffer says.");
    code_.line(std::string("static constexpr bool is_fixed = ") +
               (struct_.fixed ? "true;" : "false;"));
    code_.line("/// Bytes of the smallest one.");
    code_.line("static constexpr std::size_t min_size = " + std::to_string(struct_.min_size) + ";");
    if (struct_.fixed) {
      code_.line("/// Bytes of each.");
      code_.line("static constexpr std::size_t fixed_size = min_size;");
    }
    code_.line();
  }

  void values() {
    code_.line("/// What is written, set in any order. Strings, vectors and arrays are not owned.");
    code_.open("struct Values {");
    for (std::size_t i = 0; i < members_.size(); ++i) {
      cpp_comment(code_, struct_.fields[i].doc);
      code_.line(input(i) + " " + members_[i] + "{};");
    }
    code_.close("};");
    code_.line("/// Writes the members in order, straight into a buffer.");
    code_.line("class Writer;").line();
    code_.line("/// A view of nothing; only to be assigned to.");
    code_.line(name_ + "() = default;").line();
  }

  std::string input(std::size_t i) const {
    const Type& type = struct_.fields[i].type;
    return type.kind == Kind::variant ? part(i) + "::Input" : names_.input(type);
  }

  void getters() {
    for (std::size_t i = 0; i < members_.size(); ++i) {
      cpp_comment(code_, struct_.fields[i].doc);
      code_.function(types_[i] + " " + members_[i] + "() const noexcept",
                     "return " + part(i) + "::view(" + places_[i] + ");");
    }
    code_.line();
  }

  void writing() {
    code_.line("/// Bytes that `values` take.");
    if (struct_.fixed) {
      code_.line(
          "static constexpr std::size_t size_of(const Values&) noexcept { return fixed_size; }");
    } else {
      code_.open("static constexpr std::size_t size_of(const Values& values) noexcept {");
      std::uint64_t constant = word_size;
      for (const Field& field : struct_.fields) constant += field.fixed_size;
      code_.line("std::size_t size = " + std::to_string(constant) + ";");
      for (std::size_t i = 0; i < members_.size(); ++i)
        if (!fixed(i))
          code_.line("size = fastbin_runtime::add_sizes(size, " + part(i) + "::size_of(values." +
                     members_[i] + "));");
      code_.line("return size;").close("}");
    }
    code_.line(
        "/// Writes `values` to the start of `to`, which need not be zeroed; returns how many "
        "bytes that took.");
    code_.open(
        "static fastbin_runtime::Result<std::size_t> write(const Values& values, "
        "std::span<std::byte> to) {");
    code_.line("return fastbin_runtime::write_struct<" + name_ + ">(values, to);")
        .close("}")
        .line();

    code_.line("/// All members, for generic code.");
    code_.open("static constexpr auto members() noexcept {");
    std::vector<std::string> all;
    for (std::size_t i = 0; i < members_.size(); ++i)
      all.push_back("fastbin_runtime::Member{" + cpp_literal(struct_.fields[i].name) + ", &" +
                    name_ + "::" + members_[i] + ", &Values::" + members_[i] + "}");
    for (std::size_t i = 0; i < all.size(); ++i)
      code_.line((i == 0 ? "return std::tuple{" : "                  ") + all[i] +
                 (i + 1 == all.size() ? "};" : ","));
    code_.close("}").line();
  }

  void checking() {
    code_.line("// For the runtime.");
    std::vector<std::string> quoted;
    for (const Field& field : struct_.fields) quoted.push_back(cpp_literal(field.name));
    code_.list("static constexpr std::array<std::string_view, " + std::to_string(quoted.size()) +
                   "> fastbin_names = {",
               quoted, "};");
    code_.open("static std::byte* fastbin_write(std::byte* to, const Values& values) noexcept {");
    code_.line(std::string("std::byte* p = to") +
               (struct_.fixed ? ";" : " + fastbin_runtime::word;"));
    // Two with one store, which must not cross a line of the cache: the elements of a vector that
    // comes first in its struct stand a word after a multiple of two.
    const auto scalar = [&](std::size_t i) {
      return i < members_.size() && struct_.fields[i].type.is_scalar();
    };
    for (std::size_t i = 0; i < members_.size(); ++i) {
      if (i % 2 != 0 && scalar(i) && scalar(i + 1)) {
        code_.line("p = fastbin_runtime::write_slots(p, values." + members_[i] + ", values." +
                   members_[i + 1] + ");");
        ++i;
      } else {
        code_.line("p = " + part(i) + "::write(p, values." + members_[i] + ");");
      }
    }
    if (!struct_.fixed)
      code_.line("fastbin_runtime::store<std::uint64_t>(to, static_cast<std::uint64_t>(p - to));");
    code_.line("return p;").close("}");
    struct_.fixed ? check_fixed() : check_variable();
  }

  void check_variable() {
    code_.open(
        "static bool fastbin_check(fastbin_runtime::Checker& c, std::size_t& at, std::size_t end) "
        "{");
    code_.line("std::size_t stop = 0;");
    code_.line("if (!c.open_struct(at, end, stop)) return false;");
    code_.line("std::size_t next = at + fastbin_runtime::word;");
    for (std::size_t i = 0; i < members_.size(); ++i)
      code_.line("if (!" + part(i) + "::check(c, next, stop)) return c.in(fastbin_names[" +
                 std::to_string(i) + "]);");
    code_.line("if (!c.close_struct(at, next, stop)) return false;");
    code_.line("at = stop;").line("return true;").close("}");
  }

  void check_fixed() {
    std::vector<std::string> needs, checks;
    const auto need = [&](std::string condition) {
      if (std::find(needs.begin(), needs.end(), condition) == needs.end())
        needs.push_back(std::move(condition));
    };
    bool image = true;
    for (std::size_t i = 0; i < members_.size(); ++i) {
      const Field& field = struct_.fields[i];
      const std::string in = " return c.in(fastbin_names[" + std::to_string(i) + "]);";
      const std::string at = *field.offset == 0 ? "at" : "at + " + std::to_string(*field.offset);
      if (field.type.kind == Kind::structure) {
        need(types_[i] + "::fastbin_needs_check(c)");
        checks.push_back("if (!" + types_[i] + "::fastbin_check(c, " + at + "))" + in);
        image = false;
        continue;
      }
      if (native_size(field.type.primitive) != word_size) image = false;
      if (field.type.kind != Kind::enumeration && field.type.primitive != Primitive::boolean)
        continue;
      need("fastbin_runtime::needs_check<" + types_[i] + ">(c)");
      checks.push_back("if (!fastbin_runtime::check_value<" + types_[i] + ">(c, " + at + "))" + in);
    }
    code_.line(std::string("static constexpr bool fastbin_is_image = ") +
               (image ? "true;" : "false;"));
    if (checks.empty()) {
      code_.line(
          "static bool fastbin_needs_check(const fastbin_runtime::Checker&) noexcept { return "
          "false; }");
      code_.line(
          "static bool fastbin_check(fastbin_runtime::Checker&, std::size_t) noexcept { return "
          "true; }");
      return;
    }
    code_.open("static bool fastbin_needs_check(const fastbin_runtime::Checker& c) noexcept {");
    for (std::size_t i = 0; i < needs.size(); ++i) {
      code_.line((i == 0 ? "return " : "       ") + needs[i] +
                 (i + 1 == needs.size() ? ";" : " ||"));
    }
    code_.close("}");
    code_.open("static bool fastbin_check(fastbin_runtime::Checker& c, std::size_t at) {");
    for (const std::string& check : checks) code_.line(check);
    code_.line("return true;").close("}");
  }

  void private_part() {
    code_.line().label("private:");
    code_.line("friend class fastbin_runtime::StructView<" + name_ + ">;");
    if (ends_.empty()) {
      code_.line("explicit " + name_ + "(const std::byte* data) noexcept : StructView(data) {}");
      return;
    }
    code_.open("explicit " + name_ + "(const std::byte* data) noexcept : StructView(data) {");
    for (std::size_t k = 0; k < ends_.size(); ++k)
      code_.line("fastbin_ends_[" + std::to_string(k) + "] = fastbin_runtime::behind<" +
                 types_[ends_[k]] + ">(" + places_[ends_[k]] + ");");
    code_.close("}");
    code_.line().line("// Where the variable members end that others follow.");
    code_.line("std::array<const std::byte*, " + std::to_string(ends_.size()) +
               "> fastbin_ends_{};");
  }

  void writer() {
    code_.line("/// Writes the members of " + name_ +
               " in order, straight into a buffer; finish() ends it.");
    code_.open("class " + name_ + "::Writer : public fastbin_runtime::StructWriter<" + name_ +
               "> {");
    code_.label("public:");
    code_.line("explicit Writer(fastbin_runtime::Output& output) : StructWriter(output) {}");
    if (struct_.fixed)
      code_.line(
          "Writer(fastbin_runtime::Output& output, std::byte* at) noexcept : StructWriter(output, "
          "at) {}");
    for (std::size_t i = 0; i < members_.size(); ++i) {
      const Type& type = struct_.fields[i].type;
      const std::string number = std::to_string(i);
      const bool by_reference = type.kind == Kind::structure || type.kind == Kind::variant;
      code_.function("Writer& " + members_[i] + "(" + (by_reference ? "const " : "") + input(i) +
                         (by_reference ? "& " : " ") + "value)",
                     "return fastbin_put<" + types_[i] + ">(" + number + ", value), *this;");
      if (type.kind == Kind::structure) open_struct(i, schema_.struct_of(type).fixed);
      if (type.kind == Kind::vector && !type.item().is_scalar()) {
        const std::string of = "fastbin_runtime::RecordsWriter<" + names_.type(type.item()) + ">";
        code_.open(of + " " + members_[i] + "() {");
        code_.line("fastbin_next(" + number + ");");
        code_.line("return " + of + "(fastbin_output(), fastbin_names[" + number + "]);")
            .close("}");
      }
    }
    code_.close("};").line();
  }

  void open_struct(std::size_t i, bool is_fixed) {
    const std::string number = std::to_string(i);
    const std::string head = types_[i] + "::Writer " + members_[i] + "()";
    if (is_fixed) {
      code_.function(head, "return " + types_[i] + "::Writer(fastbin_output(), fastbin_room<" +
                               types_[i] + ">(" + number + "));");
      return;
    }
    code_.open(head + " {");
    code_.line("fastbin_next(" + number + ");");
    code_.line("return " + types_[i] + "::Writer(fastbin_output());").close("}");
  }

  CodeText& code_;
  const Schema& schema_;
  const CppNames& names_;
  const Struct& struct_;
  const std::string& name_;
  std::vector<std::string> members_, types_, places_;
  std::vector<std::size_t> ends_;  ///< the variable members that others follow
};

}  // namespace

void write_cpp_struct(CodeText& code, const Schema& schema, const CppNames& names,
                      std::size_t index) {
  StructWriter(code, schema, names, index).write();
}

}  // namespace polycodec::fastbin
