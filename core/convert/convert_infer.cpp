// SPDX-License-Identifier: MIT
// Conversions to the type that a value has already.
#include <base/depth.hpp>
#include <model/type/build.hpp>
#include <polycodec/detail/layout_fields.hpp>
#include <polycodec/error.hpp>
#include <polycodec/items.h>
#include <polycodec/path.hpp>

#include "core/convert/number_rows.hpp"
#include "core/text/infer.hpp"
#include "core/value/host_meter.hpp"
#include "core/value/value.hpp"

namespace polycodec {
namespace {

/// What a choice chooses from; null for other layouts, and for no chunks.
const polycodec_array* chosen_of(const polycodec_array& a) noexcept {
  return polycodec_is_choice(&a) != 0 && a.n_children != 0 ? a.children[0] : nullptr;
}

// Gives the columns of `to` the attributes of the columns of `from`, of which it was made: types
// carry only those that can be written in a type.
void keep_attributes(const polycodec_array* from, polycodec_array* to, HostMeter& meter,
                     std::uint32_t depth) {
  check_stack(depth);
  meter.tick(1);
  const polycodec_node* attributes = from->metadata;
  while (const polycodec_array* const inner = chosen_of(*from)) {
    from = inner;
    if (attributes == nullptr) attributes = from->metadata;
  }
  if (attributes != nullptr) to->metadata = attributes;
  while (const polycodec_array* const inner = chosen_of(*to))
    to = const_cast<polycodec_array*>(inner);
  const auto source = children_of(*from), made = children_of(*to);
  if (source.size() != made.size()) return;
  for (std::size_t i = 0; i < made.size(); ++i)
    keep_attributes(source[i], const_cast<polycodec_array*>(made[i]), meter, depth + 1);
}

}  // namespace

const polycodec_array* to_columns(NodeView list, Builder& out, const Limits& limits) {
  HostMeter meter(list, limits);  // one budget for all walks
  meter.charge(out);
  if (polycodec_array* const rows = detail::number_rows(list, out, limits, meter)) {
    rows->metadata = View(list).metadata();
    return rows;
  }
  type::Type whole = infer_type(list, limits);
  while (whole.is(type::Kind::annotated)) whole = type::Type(whole.element());
  return to_columns(View(list), whole.is_dim() ? whole.element() : type::any(), out, limits);
}

const polycodec_array* materialize(const polycodec_array& array, Builder& out,
                                   const Limits& limits) {
  HostMeter meter(array, limits);
  meter.charge(out);
  if (array.layout == POLYCODEC_LAYOUT_NDARRAY) return make_contiguous(array, out);
  const polycodec_node node = Builder::array(&array);
  auto* made = const_cast<polycodec_array*>(to_columns(NodeView(&node), out, limits));
  keep_attributes(&array, made, meter, 0);
  return made;
}

}  // namespace polycodec
