// SPDX-License-Identifier: MIT
// The marks of values whose type and items do not say all that they are.
#include <model/type/build.hpp>

#include "core/text/column.hpp"
#include "core/text/print.hpp"
#include "core/text/reads_back.hpp"

#include <utility>

namespace polycodec::text {

using type::Type;

namespace {

/// Puts `[number, ...]` and the end of a form around what `content` prints.
template <class Content>
void numbered(TextWriter& writer, std::string_view form, std::uint64_t number, Content content) {
  writer.out().put(form);
  TextWriter::Bracket bracket(writer, '[', ']', false);
  bracket.hide();
  bracket.next();
  writer.out().put_with([&](char* p) { return write_unsigned(p, number); });
  bracket.next();
  content();
  bracket.end();
  writer.out().put('}');
}

}  // namespace

bool Printer::is_taken_for_array(const polycodec_node& n, const Type& t) const {
  if (!marks_ || documents_ || !t.is_dim()) return false;
  // A column has no place for `$id` and `$ref`.
  if (targets_ && !targets_->empty() && !is_document_column(t.element(), false)) return true;
  return reads_as_array(n, t, options_.limits);
}

bool Printer::label(const polycodec_node& n, const Type& t) {
  Targets::Target* target = targets_ ? targets_->find(&n) : nullptr;
  if (target == nullptr || !target->inside || target->printed) return false;
  target->printed = true;
  numbered(writer_, R"({"$id": )", target->id, [&] { node(n, t); });
  return true;
}

void Printer::reference(const polycodec_node& target, const Type& t) {
  if (Targets::Target* known = targets_ ? targets_->find(&target) : nullptr) {
    if (!known->inside && !std::exchange(known->printed, true))
      return numbered(writer_, R"({"$ref": )", known->id, [&] { node(target, t); });
    out_.put(R"({"$ref": )");
    out_.put_with([&](char* p) { return write_unsigned(p, known->id); });
    return out_.put('}');
  }
  const TextWriter::Level level(writer_);
  node(target, t);
}

bool Printer::repeat(const polycodec_array& a) {
  const std::uint64_t* number = targets_ ? targets_->shared(a) : nullptr;
  if (number == nullptr || *number == 0) return false;
  out_.put(R"({"$same": )");
  out_.put_with([&](char* p) { return write_unsigned(p, *number); });
  out_.put('}');
  return true;
}

void Printer::array(const polycodec_array& a, const Type& t) {
  if (repeat(a)) return;
  std::uint64_t* number = targets_ ? targets_->shared(a) : nullptr;
  if (number == nullptr) return unshared_array(a, t);
  *number = targets_->next_number();
  numbered(writer_, R"({"$same": )", *number, [&] { unshared_array(a, t); });
}

void Printer::unshared_array(const polycodec_array& a, const Type& t) {
  const bool single = a.layout == POLYCODEC_LAYOUT_NDARRAY && a.ndim == 0;
  const auto print = [&] {
    if (single) return ElementPrinter(a).put(out_, ArrayView(a).data());
    arrays_.print(a, t.is_dim() ? t.element() : type::any_type());
  };
  if (!marks_) return print();
  // Items cannot say which arrays are one.
  const bool has_shared = targets_ && targets_->has_shared(a);
  if (!has_shared && array_reads_back(a, t, writer_.meter())) {
    const bool is_default = single
                                ? is_fixed(a.dtype)
                                : !documents_ && (a.layout != POLYCODEC_LAYOUT_DOCUMENT ||
                                                  reads_as_document_array(a, t, options_.limits));
    return is_default ? print() : mark("$array", false, print);
  }
  polycodec_array bare_array = a;
  bare_array.metadata = nullptr;  // the type around here says it
  const polycodec_node own = Builder::array(&bare_array);
  const Type own_type = types_.of(own);
  if (has_shared || !array_reads_back(a, own_type, writer_.meter()))
    return mark("$layout", false, [&] { print_layout(*this, a); });
  out_.put(R"({"$value": )");
  typed(own, own_type);
  arrays_.forget(bare_array);
  out_.put('}');
}

}  // namespace polycodec::text
