// SPDX-License-Identifier: MIT
#include <polycodec/error.hpp>
#include <polycodec/path.hpp>
#include <polycodec/quote.hpp>
#include <polycodec/tolerant.hpp>
#include <polycodec/utf.hpp>

#include "dictionary.hpp"
#include "lexer.hpp"
#include "properties_table.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace polycodec::obj {
namespace {

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> words;
  Lexer lexer(text);
  for (;;) {
    while (!lexer.at_end() && is_blank(lexer.peek())) lexer.move_to(lexer.position() + 1);
    if (lexer.at_end()) return words;
    const std::string_view word = lexer.word();
    if (word.empty()) return words;
    words.push_back(word);
  }
}

template <class T>
std::optional<T> parse(std::string_view word) {
  T value{};
  if (!number_word(word, value)) return std::nullopt;
  return value;
}

std::optional<polycodec_node> number_node(std::string_view word, bool whole = false) {
  if (const auto value = whole ? parse<std::int64_t>(word) : std::nullopt)
    return Builder::integer(*value);
  if (const auto value = parse<double>(word)) return Builder::real(*value);
  return std::nullopt;
}
// 0 is not an index; relative ones are negative in both.
std::optional<polycodec_node> index_node(std::string_view word) {
  const auto value = parse<std::int64_t>(word);
  if (!value || *value == 0) return std::nullopt;
  return Builder::integer(*value > 0 ? *value - 1 : *value);
}

class Reader {
 public:
  Reader(std::string_view text, Builder& out) : text_(text), words_(split(text)), out_(out) {}

  // False if the words do not fit.
  bool read(const Form& form, std::vector<Member>& members) {
    for (std::size_t i = 0; i < form.properties.size() && form.properties[i].take != Take::none;
         ++i) {
      if (form.properties[i].take == Take::repeated) return groups(form, i, members);
      if (!property(form.properties[i], members)) return false;
    }
    return at_ == words_.size();
  }
  std::string_view first() const { return words_.empty() ? std::string_view() : words_[0]; }

 private:
  bool property(const Property& p, std::vector<Member>& members) {
    const std::size_t left = words_.size() - at_;
    switch (p.take) {
      case Take::text:
        members.push_back({p.name, text_node(out_, text_)});
        at_ = words_.size();
        return true;
      case Take::flag: {
        const bool there = left > 1 && words_[at_] == p.name;
        members.push_back({p.name, Builder::boolean(there)});
        at_ += there ? 1 : 0;
        return true;
      }
      case Take::word:
        if (left == 0) return false;
        members.push_back({p.name, text_node(out_, words_[at_++])});
        return true;
      case Take::maybe:
        if (left == 0) return true;
        [[fallthrough]];
      case Take::number: {
        const auto node = left == 0 ? std::nullopt : number_node(words_[at_], p.whole);
        if (!node) return false;
        members.push_back({p.name, *node});
        ++at_;
        return true;
      }
      case Take::words:
      case Take::numbers:
      case Take::indices: {
        std::vector<polycodec_node> nodes;
        for (; at_ < words_.size(); ++at_) {
          const auto node = p.take == Take::words     ? std::optional(text_node(out_, words_[at_]))
                            : p.take == Take::numbers ? number_node(words_[at_])
                                                      : index_node(words_[at_]);
          if (!node) return false;
          nodes.push_back(*node);
        }
        members.push_back({p.name, out_.list(nodes)});
        return true;
      }
      case Take::corners:
        return corners(members);
      default:
        return false;
    }
  }

  bool corners(std::vector<Member>& members) {
    constexpr std::string_view names[] = {"vertex_index", "texture_index", "normal_index"};
    std::vector<polycodec_node> lists[3];
    bool used[3] = {true, false, false};
    for (; at_ < words_.size(); ++at_) {
      std::string_view rest = words_[at_];
      for (std::size_t part = 0; part < 3; ++part) {
        const std::string_view word = rest.substr(0, rest.find('/'));
        rest.remove_prefix(std::min(rest.size(), word.size() + 1));
        const auto node =
            word.empty() && part != 0 ? std::optional(Builder::null()) : index_node(word);
        if (!node) return false;
        used[part] = used[part] || !word.empty();
        lists[part].push_back(*node);
      }
      if (!rest.empty()) return false;
    }
    for (std::size_t part = 0; part < 3; ++part)
      if (used[part]) members.push_back({names[part], out_.list(lists[part])});
    return true;
  }

  bool groups(const Form& form, std::size_t first, std::vector<Member>& members) {
    std::size_t n = first;
    while (n < form.properties.size() && form.properties[n].take == Take::repeated) ++n;
    std::vector<std::vector<polycodec_node>> lists(n - first);
    while (at_ < words_.size()) {
      for (std::size_t i = first; i < n; ++i, ++at_) {
        if (at_ == words_.size()) return false;
        const auto node =
            form.properties[i].index ? index_node(words_[at_]) : number_node(words_[at_]);
        if (!node) return false;
        lists[i - first].push_back(*node);
      }
    }
    for (std::size_t i = first; i < n; ++i)
      members.push_back({form.properties[i].name, out_.list(lists[i - first])});
    return true;
  }

  std::string_view text_;
  std::vector<std::string_view> words_;
  std::size_t at_ = 0;
  Builder& out_;
};

}  // namespace

std::vector<Member> properties_of(std::string_view code, std::string_view text, Builder& out) {
  std::vector<Member> members;
  Reader reader(text, out);
  const Form* form = form_of(code, reader.first());
  if (form != nullptr && reader.read(*form, members)) return members;
  return {{"value", text_node(out, text)}};
}

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
  const View first = properties.find("technique").value_or(View());
  const Form* form = form_of(
      code, first.kind() == POLYCODEC_KIND_STRING ? first.as_string(scratch) : std::string_view());
  refuse_others(form);
  if (form == nullptr) return {};
  return Printer(properties, path).print(*form);
}

}  // namespace polycodec::obj
