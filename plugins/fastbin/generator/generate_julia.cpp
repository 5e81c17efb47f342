// SPDX-License-Identifier: MIT
#include "code_text.hpp"
#include "fastbin/schema/hash.hpp"
#include "generate.hpp"
#include "julia_names.hpp"

#include <algorithm>

namespace polycodec::fastbin {
namespace {

/// `0x..` in the width of the storage: what is in buffers, whatever the sign.
std::string enum_constant(const Enum& e, const EnumMember& member) {
  if (e.storage == Primitive::boolean) return member.bits == 0 ? "false" : "true";
  const std::string storage(julia_primitive(e.storage));
  const std::string number = e.value_text(member);
  // The literal of the lowest Int64 would be a wider number without its sign.
  if (number == "-9223372036854775808") return "typemin(Int64)";
  return storage + "(" + number + ")";
}

void write_enum(CodeText& code, const Enum& e, const std::string& name,
                const std::vector<std::string>& constants) {
  const std::string storage(julia_primitive(e.storage));
  julia_docstring(code, e.doc);
  code.open("module " + name);
  code.line("import ..FastbinRuntime").line();
  code.open("struct T <: FastbinRuntime.FastbinEnum");
  code.line("value::" + storage).close("end");
  for (std::size_t i = 0; i < e.members.size(); ++i) {
    julia_docstring(code, e.members[i].doc);
    code.line("const " + constants[i] + " = T(" + enum_constant(e, e.members[i]) + ")");
  }
  code.line().line("FastbinRuntime.storage(::Type{T}) = " + storage);
  code.open("function FastbinRuntime.name_of(e::T)");
  for (const EnumMember& member : e.members)
    if (!e.is_alias(member))
      code.line("e.value == " + enum_constant(e, member) + " && return " +
                julia_literal(member.name));
  code.line("\"\"").close("end");
  code.open("function FastbinRuntime.from_string(::Type{T}, text::AbstractString)");
  for (const EnumMember& member : e.members) {
    code.line("text == " + julia_literal(member.name) + " && return T(" + enum_constant(e, member) +
              ")");
    if (!e.generate_parse) continue;
    for (const std::string& other : member.texts)
      if (other != member.name)
        code.line("text == " + julia_literal(other) + " && return T(" + enum_constant(e, member) +
                  ")");
  }
  code.line("nothing").close("end");
  code.close("end  # module " + name).line();
}

/// Writes one struct.
class StructWriter {
 public:
  StructWriter(CodeText& code, const Schema& schema, const JuliaNames& names, std::size_t index)
      : code_(code),
        names_(names),
        struct_(schema.structs[index]),
        name_(names.struct_name(index)),
        values_(names.values_name(index)) {}

  void write() {
    locate();
    view();
    values();
    const std::string fixed = struct_.fixed ? "true" : "false";
    code_.line("FastbinRuntime.is_fixed(::Type{" + name_ + "}) = " + fixed);
    code_.line("FastbinRuntime.min_size(::Type{" + name_ +
               "}) = " + std::to_string(struct_.min_size));
    code_.line("FastbinRuntime.values_type(::Type{" + name_ + "}) = " + values_);
    code_.line("FastbinRuntime.struct_name(::Type{" + name_ +
               "}) = " + julia_literal(struct_.name));
    code_.line("FastbinRuntime.struct_name(::Type{" + values_ + "}) = " + julia_literal(values_));
    if (struct_.fixed) {
      std::vector<std::string> types;
      for (const Field& field : struct_.fields) types.push_back(names_.type(field.type));
      code_.list("FastbinRuntime.member_types(::Type{" + name_ + "}) = Tuple{", types, "}");
    }
    code_.line();
    reading();
    checking();
    writing();
  }

 private:
  /// Variants have names of their own, or lines would be too long to read.
  std::string type(std::size_t i) const {
    const Field& field = struct_.fields[i];
    return field.type.kind == Kind::variant ? "fastbin_" + name_ + "_" + field.name
                                            : names_.type(field.type);
  }

  /// Where each member is: after the start of the struct, or after the end of an earlier
  /// variable member.
  void locate() {
    std::string from = "at";
    std::uint64_t offset = struct_.fixed ? 0 : word_size;
    for (std::size_t i = 0; i < struct_.fields.size(); ++i) {
      places_.push_back(offset == 0 ? from : from + " + " + std::to_string(offset));
      if (struct_.fields[i].is_fixed()) {
        offset += struct_.fields[i].fixed_size;
      } else if (i + 1 < struct_.fields.size()) {
        ends_.push_back(i);
        from = "ends[" + std::to_string(ends_.size()) + "]";
        offset = 0;
      }
    }
  }

  void view() {
    for (std::size_t i = 0; i < struct_.fields.size(); ++i) {
      const Type& t = struct_.fields[i].type;
      if (t.kind != Kind::variant) continue;
      std::vector<std::string> alternatives;
      for (const Type& one : t.of) alternatives.push_back(names_.type(one));
      code_.list("const " + type(i) + " = Choice{Tuple{", alternatives, "}}").line();
    }
    julia_docstring(code_, struct_.doc);
    code_.open("struct " + name_ + " <: FastbinStruct");
    code_.line("fastbin_data::Vector{UInt8}").line("fastbin_at::Int");
    code_.line("fastbin_ends::NTuple{" + std::to_string(ends_.size()) + ",Int}")
        .close("end")
        .line();
  }

  void values() {
    // A keyword argument hides what is called like it from the default values after it.
    const bool hidden = std::any_of(struct_.fields.begin(), struct_.fields.end(),
                                    [&](const Field& field) { return names_.is_used(field.name); });
    const std::string initial = "fastbin_" + values_;
    if (hidden) {
      std::vector<std::string> all;
      for (const Field& field : struct_.fields) all.push_back(names_.initial(field.type));
      code_.list(initial + "() = (", all, ",)").line();
    }
    code_.line("\"The values that " + name_ + " is written from.\"");
    code_.open("Base.@kwdef struct " + values_ + " <: FastbinValues");
    for (std::size_t i = 0; i < struct_.fields.size(); ++i) {
      const Field& field = struct_.fields[i];
      julia_docstring(code_, field.doc);
      code_.line(
          julia_identifier(field.name) + "::" + names_.input(field.type) + " = " +
          (hidden ? initial + "()[" + std::to_string(i + 1) + "]" : names_.initial(field.type)));
    }
    code_.close("end").line();
  }

  void reading() {
    code_.open("function FastbinRuntime.trust(::Type{" + name_ +
               "}, data::Vector{UInt8}, at::Int = 0)");
    std::vector<std::string> ends;
    for (std::size_t k = 0; k < ends_.size(); ++k) {
      ends.push_back("end" + std::to_string(k + 1));
      std::string place = places_[ends_[k]];
      if (place.starts_with("ends["))
        place = "end" + std::to_string(k) + place.substr(place.find(']') + 1);
      code_.line(ends.back() + " = FastbinRuntime.behind(" + type(ends_[k]) + ", data, " + place +
                 ")");
    }
    std::string tuple;
    for (const std::string& end : ends) tuple += end + ",";
    code_.line(name_ + "(data, at, (" + tuple + "))").close("end").line();

    code_.open("function Base.getproperty(x::" + name_ + ", name::Symbol)");
    code_.line("data = getfield(x, :fastbin_data)").line("at = getfield(x, :fastbin_at)");
    if (!ends_.empty()) code_.line("ends = getfield(x, :fastbin_ends)");
    std::vector<std::string> symbols;
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const std::string symbol = julia_symbol(struct_.fields[i].name);
      code_.line("name === " + symbol + " && return FastbinRuntime.view_part(" + type(i) +
                 ", data, " + places_[i] + ")");
      symbols.push_back(symbol);
    }
    code_.line("getfield(x, name)").close("end");
    code_.list("Base.propertynames(::" + name_ + ") = (", symbols, ",)").line();
  }

  void checking() {
    code_.open("function FastbinRuntime.check_struct(::Type{" + name_ +
               "}, c::FastbinRuntime.Checker, at::Int, stop::Int)");
    if (!struct_.fixed)
      code_.line("last = FastbinRuntime.open_struct(c, at, stop)").line("next = at + 8");
    const std::string end = struct_.fixed ? "stop" : "last";
    for (std::size_t i = 0; i < places_.size(); ++i)
      code_.line("next = FastbinRuntime.check_member(" + type(i) + ", c, " +
                 (struct_.fixed && i == 0 ? "at" : "next") + ", " + end + ", " +
                 julia_literal(struct_.fields[i].name) + ")");
    code_.line(struct_.fixed ? "next" : "FastbinRuntime.close_struct(c, at, next, last)")
        .close("end")
        .line();
  }

  void writing() {
    std::uint64_t constant = struct_.fixed ? 0 : word_size;
    for (const Field& field : struct_.fields) constant += field.fixed_size;
    code_.open("function FastbinRuntime.size_of(values::" + values_ + ")");
    code_.line("size = " + std::to_string(constant));
    for (std::size_t i = 0; i < places_.size(); ++i)
      if (!struct_.fields[i].is_fixed())
        code_.line("size += FastbinRuntime.size_part(" + type(i) + ", values." +
                   julia_identifier(struct_.fields[i].name) + ")");
    code_.line("size").close("end").line();

    code_.open("function FastbinRuntime.write_struct!(data::Vector{UInt8}, at::Int, values::" +
               values_ + ")");
    code_.line(struct_.fixed ? "next = at" : "next = at + 8");
    for (std::size_t i = 0; i < places_.size(); ++i)
      code_.line("next = FastbinRuntime.write_part!(" + type(i) + ", data, next, values." +
                 julia_identifier(struct_.fields[i].name) + ")");
    if (!struct_.fixed) code_.line("FastbinRuntime.store!(data, at, UInt64(next - at))");
    code_.line("next").close("end").line();
  }

  CodeText& code_;
  const JuliaNames& names_;
  const Struct& struct_;
  const std::string& name_;
  const std::string& values_;
  std::vector<std::string> places_;
  std::vector<std::size_t> ends_;  ///< the variable members that others follow
};

}  // namespace

std::vector<GeneratedFile> generate_julia(const Schema& schema, std::string_view name) {
  const JuliaNames names(schema);
  const std::string hash = schema_hash(schema);
  const std::string& module = names.module();
  CodeText code(4);
  code.line("# Generated by `polycodec fastbin generate`. Changes belong into the schema.");
  code.line("# Schema: " + hash);
  code.line("module " + module).line();
  // Modules side by side share the runtime, so that what they export are the same functions.
  code.line("Base.isdefined(Base.parentmodule(@__MODULE__), :FastbinRuntime) ||");
  code.line(
      "    Base.include(Base.parentmodule(@__MODULE__), Base.joinpath(@__DIR__, "
      "\"FastbinRuntime.jl\"))");
  code.line("using ..FastbinRuntime").line();
  code.line("\"SHA-256 of the schema without its comments: equal for equal buffers.\"");
  code.line("const fastbin_schema_hash = \"" + hash + "\"").line();
  for (std::size_t i = 0; i < schema.enums.size(); ++i)
    write_enum(code, schema.enums[i], names.enum_name(i), names.constants(i));
  for (std::size_t i = 0; i < schema.structs.size(); ++i)
    StructWriter(code, schema, names, i).write();
  std::vector<std::string> exported;
  for (std::size_t i = 0; i < schema.enums.size(); ++i)
    exported.push_back(julia_symbol(names.enum_name(i)));
  for (std::size_t i = 0; i < schema.structs.size(); ++i) {
    exported.push_back(julia_symbol(names.struct_name(i)));
    exported.push_back(julia_symbol(names.values_name(i)));
  }
  code.list("FastbinRuntime.export_names(@__MODULE__, [", exported, "])").line();
  code.line("end  # module " + module);
  return {{std::string(name) + ".jl", code.text()},
          {"FastbinRuntime.jl", std::string(julia_runtime_text())}};
}

}  // namespace polycodec::fastbin
