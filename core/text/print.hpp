// SPDX-License-Identifier: MIT
// Typed JSON of values: documents in print.cpp, columnar arrays in print_array.cpp.
#pragma once

#include <base/text_out.hpp>

#include "core/text/attributes.hpp"
#include "core/text/infer.hpp"
#include "core/text/references.hpp"
#include "core/text/scalar.hpp"
#include "core/text/text.hpp"
#include "core/value/host_meter.hpp"

#include <optional>
#include <unordered_map>
#include <vector>

namespace polycodec::text {

/// Prints values as their inferred types ask for. The recursion is as deep as the value, which
/// Bracket bounds.
class Printer {
 public:
  /// The printer charges `meter`.
  Printer(TextOut& out, const TextOptions& options, HostMeter& meter)
      : out_(out),
        options_(options),
        meter_(meter),
        types_(options.limits, meter),
        marks_(options.exact && !options.plain) {}

  /// The notation of a whole value, with its type unless options.plain.
  void print(const polycodec_node& root);
  /// {"type": ..., "value": ...}
  void typed(const polycodec_node& n, const type::Type& t);
  /// A node whose type is `t` (or joined to `t`).
  void node(const polycodec_node& n, const type::Type& t);
  /// A node where the type says `any`.
  void any(const polycodec_node& n);

 private:
  /// An open list or object: writes brackets and what separates the items, and counts one level of
  /// nesting.
  class Bracket {
   public:
    /// `broken`: each item on its own line, if the options ask for lines at all.
    Bracket(Printer& printer, char open, char close, bool broken);
    /// The bracket is one of the notation: paths do not show it.
    void hide() { printer_.places_.back().hidden = true; }
    /// Closes. An exception on its way leaves the text unfinished anyway.
    void end();
    /// Before each item.
    void next() {
      ++printer_.places_.back().items;
      printer_.charge(4);
      if (!first_) printer_.out_.put(compact_ ? std::string_view(", ") : std::string_view(","));
      if (!compact_) line();
      first_ = false;
    }

   private:
    void line();

    Printer& printer_;
    char close_;
    bool broken_;
    bool compact_;
    bool first_ = true;
  };
  friend class Bracket;

  /// Where the printer is: the item of an open bracket, and its name if it has one.
  struct Place {
    std::uint64_t items = 0;  ///< how many were begun
    std::string_view name;
    bool hidden = false;  ///< the bracket belongs to the notation, not to the value
  };
  /// Charges `units`, and `bytes` bytes of text that follow.
  void charge(std::uint64_t units, std::uint64_t bytes = 0) {
    meter_.tick(units + bytes / 16);
    meter_.check_output(out_.position() + bytes);
  }
  std::string path() const;

  bool pretty() const noexcept { return options_.indent != 0; }
  static bool is_flat(const type::Type& t) noexcept;
  static bool is_flat(const polycodec_node& n) noexcept;
  static bool is_flat_list(std::span<const polycodec_node> items) noexcept;

  void key(std::string_view name);
  void list(const polycodec_node& n, const type::Type& t);
  /// True if the list would read back as an array.
  bool is_taken_for_array(const polycodec_node& n, const type::Type& t) const;
  /// Puts `{"$name": ...}` around what `content` prints, in which lists are documents or not.
  template <class Content>
  void mark(std::string_view name, bool documents, Content content) {
    out_.put("{\"");
    out_.put(name);
    out_.put("\": ");
    const bool outside = documents_;
    documents_ = documents;
    content();
    documents_ = outside;
    out_.put('}');
  }
  void tuple(const polycodec_node& n, const type::Type& t);
  void object(std::span<const polycodec_node> entries, const type::Type& t);
  void map(const polycodec_node& n, const type::Type& t, bool may_be_object);
  /// Keys and values as a list of pairs, after the name of a form.
  void entries(std::string_view form, const polycodec_node& n, const type::Type& t);
  void extension(const polycodec_extension& extension, const type::Type& payload);
  void variant(const polycodec_tagged& variant, const type::Type& t);
  void reference(const polycodec_node& target, const type::Type& t);
  /// Prints `{"$id": [number, value]}` if references lead to `n`, and this was not said before.
  bool label(const polycodec_node& n, const type::Type& t);
  /// Puts `[number, ...]` and the end of a form around what `content` prints.
  template <class Content>
  void numbered(std::string_view form, std::uint64_t number, Content content) {
    out_.put(form);
    Bracket bracket(*this, '[', ']', false);
    bracket.hide();
    bracket.next();
    out_.put_with([&](char* p) { return write_unsigned(p, number); });
    bracket.next();
    content();
    bracket.end();
    out_.put('}');
  }
  bool leaf(const polycodec_node& n);
  /// True if the notation under `any` gives exactly this leaf back.
  static bool is_default_leaf(const polycodec_node& n) noexcept;

  void array(const polycodec_array& a, const type::Type& t);
  /// The same, whether or not it was printed before.
  void unshared_array(const polycodec_array& a, const type::Type& t);
  void same_array(std::uint64_t number);
  /// An array as its layout and what that consists of, where its items alone are not enough.
  void layout(const polycodec_array& a);
  void structure(std::string_view name, const polycodec_column& column, std::uint64_t count);
  void raw_leaf(const polycodec_array& a);
  /// Items [begin, end) of an array as a JSON list; `t` is the type of an item.
  void items(const polycodec_array& a, std::uint64_t begin, std::uint64_t end, const type::Type& t);
  void item(const polycodec_array& a, std::uint64_t i, const type::Type& t);
  [[noreturn]] static void refuse_endless(std::uint64_t count);
  /// An item of the content of an array that has no bracket of its own.
  void inner_item(const polycodec_array& a, std::uint64_t i, const type::Type& t);
  /// The same, without the attributes of the array itself.
  void bare_items(const polycodec_array& a, std::uint64_t begin, std::uint64_t end,
                  const type::Type& t);
  void bare_item(const polycodec_array& a, std::uint64_t i, const type::Type& t);
  /// An item of an array with attributes, where the type around does not have them.
  void annotated_item(const polycodec_array& a, std::uint64_t i);
  void elements(const polycodec_array& a, const std::byte* data, std::uint32_t axis,
                std::uint64_t count, const type::Type& t);
  void element(const polycodec_array& a, const std::byte* data, const type::Type& t);
  void row(const polycodec_array& a, std::uint64_t i, const type::Type& t);
  void union_item(const polycodec_array& a, std::uint64_t i, const type::Type& t);
  void chunk_items(const polycodec_array& a, std::uint64_t begin, std::uint64_t end,
                   const type::Type& t, Bracket& bracket);
  /// Of a union without an index column: for each item the number of earlier items with its tag. Of
  /// a chunked array: where each chunk starts. Worked out once for each array, because lists ask
  /// for the items of one again and again.
  const std::vector<std::uint64_t>& positions(const polycodec_array& a);
  /// The chunk of a chunked array that has item `i`.
  std::size_t chunk_at(const polycodec_array& a, std::uint64_t i);

  TextOut& out_;
  const TextOptions& options_;
  HostMeter& meter_;
  PartTypes types_;
  std::vector<Place> places_;
  std::unordered_map<const polycodec_array*, std::vector<std::uint64_t>> positions_;
  std::uint32_t depth_ = 0;
  std::uint32_t layers_ = 0;  // arrays around here that have no brackets
  std::uint32_t lines_ = 0;   // brackets around here that are broken into lines
  std::optional<Targets> targets_;
  bool marks_;              // as the options say
  bool documents_ = false;  // inside of a `$list`
};

/// The type inside annotations, options, pointers and indexed types: what decides the form of a
/// value present.
const type::Type& bare(const type::Type& t) noexcept;

}  // namespace polycodec::text
