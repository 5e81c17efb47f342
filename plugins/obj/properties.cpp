// SPDX-License-Identifier: MIT
#include "properties.hpp"

#include <base/decimal.hpp>
#include <base/utf8.hpp>

#include "lexer.hpp"
#include "properties_table.hpp"

#include <algorithm>
#include <optional>

namespace polycodec::obj {
namespace {

polycodec_node text_node(Builder& out, std::string_view text) {
  polycodec_node node = out.string_copy(text);
  if (!is_utf8(text)) node.dtype = POLYCODEC_STRING_LENIENT;
  return node;
}

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
  const DecimalEnd read = parse_decimal(word.data(), word.data() + word.size(), value);
  if (read.status != DecimalStatus::ok || read.end != word.data() + word.size())
    return std::nullopt;
  return value;
}

std::optional<polycodec_node> number_node(std::string_view word, bool whole = false) {
  if (const auto value = whole ? parse<std::int64_t>(word) : std::nullopt)
    return Builder::integer(*value);
  if (const auto value = parse<double>(word)) return Builder::real(*value);
  return std::nullopt;
}
// 0 is no index; relative ones are negative in both.
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

}  // namespace polycodec::obj
