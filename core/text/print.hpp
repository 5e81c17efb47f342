// SPDX-License-Identifier: MIT
// Typed JSON of values: which notation each part has in print.cpp, marks in print_mark.cpp.
#pragma once

#include <base/text_out.hpp>

#include "core/text/attributes.hpp"
#include "core/text/infer.hpp"
#include "core/text/print_array.hpp"
#include "core/text/references.hpp"
#include "core/text/scalar.hpp"
#include "core/text/text.hpp"
#include "core/text/text_writer.hpp"
#include "core/value/host_meter.hpp"

#include <optional>

namespace polycodec::text {

/// Prints values as their inferred types ask for. The recursion is as deep as the value, which
/// TextWriter::Bracket bounds.
class Printer {
 public:
  /// The printer charges `meter`.
  Printer(TextOut& out, const TextOptions& options, HostMeter& meter)
      : out_(out),
        options_(options),
        writer_(out, options, meter),
        types_(options.limits, meter),
        marks_(options.exact && !options.plain) {}
  Printer(const Printer&) = delete;
  Printer& operator=(const Printer&) = delete;

  /// The notation of a whole value, with its type unless options.plain.
  void print(const polycodec_node& root);
  /// {"type": ..., "value": ...}
  void typed(const polycodec_node& n, const type::Type& t);
  /// The same, with the type that the value has by itself.
  void typed(const polycodec_node& n) { typed(n, types_.of(n)); }
  /// A node whose type is `t` (or joined to `t`).
  void node(const polycodec_node& n, const type::Type& t);
  /// A node where the type says `any`.
  void any(const polycodec_node& n);
  /// Prints {"$same": number} if `a` is shared and was printed before.
  bool repeat(const polycodec_array& a);

  TextWriter& writer() noexcept { return writer_; }

 private:
  using Bracket = TextWriter::Bracket;

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
  void array(const polycodec_array& a, const type::Type& t);
  /// The same, whether or not it was printed before.
  void unshared_array(const polycodec_array& a, const type::Type& t);

  TextOut& out_;
  const TextOptions& options_;
  TextWriter writer_;
  ArrayPrinter arrays_{*this, writer_};
  PartTypes types_;
  std::optional<Targets> targets_;
  bool marks_;              // as the options say
  bool documents_ = false;  // inside of a `$list`
};

/// Prints a scalar, a string or a byte string; false for other nodes.
bool print_leaf(TextWriter& writer, const polycodec_node& n);
/// True if the notation under `any` gives exactly this leaf back.
bool is_default_leaf(const polycodec_node& n) noexcept;
/// Prints an array as its layout and what that consists of, where its items alone are not enough.
void print_layout(Printer& printer, const polycodec_array& a);
/// Throws Error(limit) about so many items that have no bytes of their own.
[[noreturn]] void refuse_endless(std::uint64_t count);

/// The type inside annotations, options, pointers and indexed types: what decides the form of a
/// value present.
const type::Type& bare(const type::Type& t) noexcept;
/// True if values of this type are written on one line.
bool is_flat(const type::Type& t) noexcept;

}  // namespace polycodec::text
