// SPDX-License-Identifier: MIT
#include <base/depth.hpp>
#include <base/dtype_names.hpp>
#include <model/type/print.hpp>
#include <polycodec/dtype.hpp>

#include <charconv>
#include <string>
#include <string_view>

namespace polycodec::type {

std::string print(const Type& type) {
  std::string out;
  print_to(out, type);
  return out;
}

namespace detail {

namespace {

void append_number(std::string& out, double number) {
  char buffer[40];
  const auto end = std::to_chars(buffer, buffer + sizeof(buffer), number).ptr;
  const std::string_view text(buffer, static_cast<std::size_t>(end - buffer));
  out += text;
  if (text.find_first_of(".e") == text.npos) out += ".0";
}

void append_annotation(std::string& out, const Annotation& annotation) {
  append_field_name(out, annotation.key);
  out += '=';
  if (const auto* text = std::get_if<std::string>(&annotation.value)) append_quoted(out, *text);
  if (const auto* whole = std::get_if<std::int64_t>(&annotation.value))
    out += std::to_string(*whole);
  if (const auto* number = std::get_if<double>(&annotation.value)) append_number(out, *number);
}

/// The part of a dimension before ` * `; `kind` is the dimension's, or a power's base.
void append_dim(std::string& out, Kind kind, std::uint64_t size, std::string_view name) {
  if (kind == Kind::fixed_dim) out += std::to_string(size);
  if (kind == Kind::var_dim) out += "var";
  if (kind == Kind::any_fixed_dim) out += "Fixed";
  if (kind == Kind::any_dim) out += "Dim";
  if (kind == Kind::variable_dim || kind == Kind::ellipsis_dim) out += name;
  if (kind == Kind::ellipsis_dim) out += "...";
}

/// Writes a separated list: call next() before each item.
struct Separator {
  std::string& out;
  bool first = true;
  void next() {
    if (!first) out += ", ";
    first = false;
  }
};

void append_items(std::string& out, std::span<const Type> items) {
  Separator separator{out};
  for (const Type& item : items) {
    separator.next();
    print_to(out, item);
  }
}

void append_fields(std::string& out, Separator& separator, std::span<const std::string> names,
                   std::span<const Type> types) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    separator.next();
    append_field_name(out, names[i]);
    out += ": ";
    print_to(out, types[i]);
  }
}

void append_dots(std::string& out, Separator& separator, bool variadic) {
  if (!variadic) return;
  separator.next();
  out += "...";
}

void append_tuple_or_callable(std::string& out, const Type& type) {
  const bool callable = type.is(Kind::callable);
  Separator separator{out};
  out += '(';
  for (const Type& item : callable ? type.positional() : type.items()) {
    separator.next();
    print_to(out, item);
  }
  append_dots(out, separator, type.variadic());
  if (callable) append_fields(out, separator, type.names(), type.keywords());
  append_dots(out, separator, type.keyword_variadic());
  out += ')';
  if (callable) {
    out += " -> ";
    print_to(out, type.result());
  }
}

void append_arguments(std::string& out, std::string_view word, const Type& type) {
  out += word;
  out += '[';
  append_items(out, type.items());
  out += ']';
}

/// The types that have no other type inside.
void append_leaf(std::string& out, const Type& type) {
  switch (type.kind()) {
    case Kind::scalar:
      out += dtype_name(type.dtype());
      break;
    case Kind::string:
      out += "string";
      break;
    case Kind::character:
      out += "char";
      if (type.encoding() != Encoding::utf32)
        out.append("['").append(encoding_name(type.encoding())).append("']");
      break;
    case Kind::bytes:
      out += "bytes";
      if (type.align() != 1) out.append("[align=").append(std::to_string(type.align())).append("]");
      break;
    case Kind::fixed_bytes:
      out.append("fixed_bytes[").append(std::to_string(type.size()));
      if (type.align() != 1) out.append(", align=").append(std::to_string(type.align()));
      out += ']';
      break;
    case Kind::fixed_string:
      out.append("fixed_string[").append(std::to_string(type.size()));
      if (type.encoding() != Encoding::utf8)
        out.append(", '").append(encoding_name(type.encoding())).append("'");
      out += ']';
      break;
    case Kind::type_type:
      out += "type";
      break;
    case Kind::variable:
    case Kind::kind:
      out += type.name();
      break;
    case Kind::null:
      out += "null";
      break;
    case Kind::any:
      out += "any";
      break;
    case Kind::datetime:
    case Kind::timedelta:
      out += type.is(Kind::datetime) ? "datetime" : "timedelta";
      if (type.unit() != POLYCODEC_UNIT_NONE)
        out.append("[unit='").append(time_unit_name(type.unit())).append("']");
      break;
    default:
      out += "void";
      break;
  }
}

}  // namespace

}  // namespace detail

void print_to(std::string& out, const Type& type) {
  check_stack(type.depth());
  switch (type.kind()) {
    case Kind::fixed_dim:
    case Kind::var_dim:
    case Kind::any_fixed_dim:
    case Kind::any_dim:
    case Kind::variable_dim:
    case Kind::ellipsis_dim:
      detail::append_dim(out, type.kind(), type.size(), type.name());
      out += " * ";
      return print_to(out, type.element());
    case Kind::power_dim:
      detail::append_dim(out, type.base(), type.size(), type.base_name());
      out.append("**").append(type.name()).append(" * ");
      return print_to(out, type.element());
    case Kind::record: {
      detail::Separator separator{out};
      out += '{';
      detail::append_fields(out, separator, type.names(), type.items());
      detail::append_dots(out, separator, type.variadic());
      out += '}';
      return;
    }
    case Kind::tuple:
    case Kind::callable:
      return detail::append_tuple_or_callable(out, type);
    case Kind::option:
      out += '?';
      return print_to(out, type.element());
    case Kind::pointer:
      return detail::append_arguments(out, "pointer", type);
    case Kind::array:
      return detail::append_arguments(out, "array", type);
    case Kind::constructed:
      return detail::append_arguments(out, type.name(), type);
    case Kind::union_type:
      return detail::append_arguments(out, "union", type);
    case Kind::map:
      return detail::append_arguments(out, "map", type);
    case Kind::indexed:
      return detail::append_arguments(out, "indexed", type);
    case Kind::annotated:
      out += "annotated[";
      print_to(out, type.element());
      for (const Annotation& annotation : type.annotations()) {
        out += ", ";
        detail::append_annotation(out, annotation);
      }
      out += ']';
      return;
    case Kind::extension:
      out += "extension[";
      detail::append_quoted(out, type.name());
      out += ", ";
      print_to(out, type.element());
      out += ']';
      return;
    default:
      return detail::append_leaf(out, type);
  }
}

}  // namespace polycodec::type
