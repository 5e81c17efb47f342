// SPDX-License-Identifier: MIT
#include <base/decimal.hpp>
#include <base/path.hpp>
#include <base/quote.hpp>
#include <polycodec/error.hpp>

#include "properties.hpp"
#include "properties_table.hpp"

#include <cstdint>

namespace polycodec::obj {
namespace {

class Printer {
 public:
  Printer(const View& properties, const std::string& path) : properties_(properties), path_(path) {}

  std::string print(const Form& form) {
    for (std::size_t i = 0; i < form.properties.size() && form.properties[i].take != Take::none;
         ++i) {
      if (form.properties[i].take == Take::repeated) {
        groups(form, i);
        break;
      }
      property(form.properties[i]);
    }
    return text_;
  }

 private:
  [[noreturn]] void fail(std::string_view name, const char* expected) const {
    throw Error(Status::type, std::string("expected ") + expected)
        .detail("obj.bad_statement")
        .path(path_ + "." + std::string(name));
  }
  View get(std::string_view name) const { return properties_.find(name).value_or(View()); }

  void add(std::string_view word) {
    if (!text_.empty()) text_ += ' ';
    text_ += word;
  }
  void add_number(std::string_view name, const View& item) {
    char text[max_decimal_size];
    if (item.is_integer())
      return add({text, static_cast<std::size_t>(print_decimal(text, item.as_int64()) - text)});
    if (item.kind() != POLYCODEC_KIND_FLOAT) fail(name, "a number");
    add({text, static_cast<std::size_t>(print_decimal(text, item.as_double()) - text)});
  }
  std::string index_text(std::string_view name, const View& item) const {
    if (!item.is_integer()) fail(name, "an index");
    const std::int64_t index = item.as_int64();
    if (index == INT64_MAX) fail(name, "an index");
    return std::to_string(index < 0 ? index : index + 1);
  }
  std::string word(std::string_view name, const View& item) const {
    std::string scratch;
    if (item.is_integer()) return std::to_string(item.as_int64());
    if (item.kind() != POLYCODEC_KIND_STRING) fail(name, "a text");
    return std::string(item.as_string(scratch));
  }

  void property(const Property& p) {
    const View item = get(p.name);
    switch (p.take) {
      case Take::text:
        if (!item.is_null()) text_ = word(p.name, item);
        return;
      case Take::flag:
        if (item.kind() == POLYCODEC_KIND_BOOLEAN && item.as_bool()) add(p.name);
        return;
      case Take::word:
        return add(word(p.name, item));
      case Take::maybe:
        if (item.is_null()) return;
        [[fallthrough]];
      case Take::number:
        return add_number(p.name, item);
      default:
        break;
    }
    if (!item.is_list()) fail(p.name, "a list");
    for (std::uint64_t i = 0; i < item.size(); ++i) {
      const View child = item.child(i);
      if (p.take == Take::words)
        add(word(p.name, child));
      else if (p.take == Take::numbers)
        add_number(p.name, child);
      else if (p.take == Take::indices)
        add(index_text(p.name, child));
      else
        add(corner(child, i));
    }
  }

  std::string corner(const View& vertex, std::uint64_t i) const {
    std::string text = index_text("vertex_index", vertex);
    const auto part = [&](std::string_view name) {
      const View list = get(name);
      return list.is_list() && i < list.size() && !list.child(i).is_null()
                 ? index_text(name, list.child(i))
                 : "";
    };
    const std::string texture = part("texture_index");
    const std::string normal = part("normal_index");
    if (!texture.empty() || !normal.empty()) text += "/" + texture;
    if (!normal.empty()) text += "/" + normal;
    return text;
  }

  void groups(const Form& form, std::size_t first) {
    const std::uint64_t n = get(form.properties[first].name).size();
    for (std::uint64_t row = 0; row < n; ++row) {
      for (std::size_t i = first;
           i < form.properties.size() && form.properties[i].take == Take::repeated; ++i) {
        const Property& p = form.properties[i];
        const View list = get(p.name);
        if (!list.is_list() || list.size() != n) fail(p.name, "a list as long as the others");
        p.index ? add(index_text(p.name, list.child(row))) : add_number(p.name, list.child(row));
      }
    }
  }

  const View& properties_;
  const std::string& path_;
  std::string text_;
};

}  // namespace

std::string text_of_properties(std::string_view code, const View& properties,
                               const std::string& path) {
  std::string scratch;
  const auto refuse_others = [&](const Form* form) {
    for (std::uint64_t i = 0; i < properties.size(); ++i) {
      const std::string_view name = properties.name(i);
      bool known =
          name == "code" || properties.child(i).is_null() || (form == nullptr && name == "value");
      if (form != nullptr)
        for (const Property& p : form->properties)
          known = known || p.name == name ||
                  (p.take == Take::corners && (name == "texture_index" || name == "normal_index"));
      if (known) continue;
      throw Error(Status::type, form == nullptr ? "this statement has its text as 'value'"
                                                : quote(code) + " has no such property")
          .detail("obj.bad_statement")
          .path(path + key_step(name));
    }
  };
  if (const auto value = properties.find("value");
      value && value->kind() == POLYCODEC_KIND_STRING) {
    refuse_others(nullptr);
    return std::string(value->as_string(scratch));
  }
  const View technique = properties.find("technique").value_or(View());
  const Form* form =
      form_of(code, technique.kind() == POLYCODEC_KIND_STRING ? technique.as_string(scratch)
                                                              : std::string_view());
  refuse_others(form);
  if (form == nullptr) return {};
  return Printer(properties, path).print(*form);
}

}  // namespace polycodec::obj
