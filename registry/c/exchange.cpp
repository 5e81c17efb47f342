// SPDX-License-Identifier: MIT
// Arrow, DLPack and frames.

#include "core/arrow/arrow.hpp"
#include "core/value/host_meter.hpp"
#include "core/wire/frames.hpp"
#include "registry/c/find_part.hpp"
#include "registry/c/options.hpp"

#include <vector>

namespace polycodec::c {
namespace {

/// The leaf of an item, or null.
const polycodec_array* leaf_of(const polycodec_value& value, const polycodec_item* item) {
  const polycodec_node* node = item == nullptr ? value.value.root() : item->node;
  const polycodec_array* leaf = item == nullptr ? nullptr : item->array;
  if (node != nullptr) {
    node = polycodec_node_proper(node);
    leaf = node->kind == POLYCODEC_KIND_ARRAY ? node->as.array : nullptr;
  } else if (item->index != POLYCODEC_WHOLE) {
    leaf = nullptr;
  }
  if (leaf == nullptr || leaf->layout != POLYCODEC_LAYOUT_NDARRAY)
    throw Error(Status::type, "a tensor is made of all of an array of the layout NDARRAY");
  return leaf;
}

/// The exchange, of which one kind is set.
polycodec_exchange exchange_of(const polycodec_exchange* given) {
  const auto e = read_struct(&place(given, "exchange"), "polycodec_exchange");
  flags(e.flags, POLYCODEC_EXCHANGE_SPARSE_UNIONS, "polycodec_exchange.flags");
  const int kinds = (e.schema != nullptr || e.array != nullptr ? 1 : 0) +
                    (e.stream != nullptr ? 1 : 0) + (e.tensor != nullptr ? 1 : 0) +
                    (e.versioned_tensor != nullptr ? 1 : 0);
  if (kinds != 1 || (e.schema == nullptr) != (e.array == nullptr))
    throw_argument("exchange",
                   "must have one of: schema with array, stream, tensor, "
                   "versioned_tensor");
  return e;
}

void join_frames(const polycodec_bytes* pieces, std::uint64_t n, std::shared_ptr<const void> holder,
                 const polycodec_limits* limits, polycodec_value** value, bool stable) {
  items(pieces, n, "pieces");
  place(value, "value");
  if (n == 0) throw_argument("pieces", "has no header");
  std::vector<Segment> buffers;
  for (std::uint64_t i = 1; i < n; ++i) {
    const std::string_view bytes = text(pieces[i], "pieces");
    buffers.push_back({bytes.data(), bytes.size()});
  }
  auto made = std::make_unique<polycodec_value>();
  made->value = from_frames(text(pieces[0], "pieces"), buffers, std::move(holder),
                            limits_of(limits, Limits{}, nullptr), stable);
  *value = made.release();
}

}  // namespace
}  // namespace polycodec::c

using namespace polycodec;

int32_t polycodec_value_export(polycodec_value* value, const polycodec_item* item,
                               const polycodec_exchange* exchange, polycodec_error* error) {
  return c::enter(error, [&] {
    const polycodec_exchange to = c::exchange_of(exchange);
    if (to.schema != nullptr) to.schema->release = nullptr;
    if (to.array != nullptr) to.array->release = nullptr;
    if (to.stream != nullptr) to.stream->release = nullptr;
    auto& of = c::need(value, "value");
    if (to.tensor != nullptr || to.versioned_tensor != nullptr) {
      c::check_item(of, item);
      const polycodec_array& leaf = *c::leaf_of(of, item);
      if (to.tensor != nullptr)
        *to.tensor = export_dlpack(c::share(of), leaf);
      else
        *to.versioned_tensor = export_dlpack_versioned(c::share(of), leaf);
      return;
    }
    ArrowOptions options;
    options.sparse_unions = (to.flags & POLYCODEC_EXCHANGE_SPARSE_UNIONS) != 0;
    const ValueBudget walk(of.value);
    const auto part = c::part_of(of, item);
    if (to.stream != nullptr)
      export_arrow_stream(part, part->view(), *to.stream, options);
    else
      export_arrow(part, part->view(), *to.schema, *to.array, options);
  });
}

int32_t polycodec_value_import(const polycodec_exchange* exchange, const polycodec_limits* limits,
                               polycodec_value** value, polycodec_error* error) {
  return c::enter(error, [&] {
    const polycodec_exchange from = c::exchange_of(exchange);
    const Limits most = c::limits_of(limits, Limits{}, nullptr);
    Value taken;
    if (from.stream != nullptr)
      taken = import_arrow_stream(*from.stream, most);
    else if (from.schema != nullptr)
      taken = import_arrow(*from.schema, *from.array);
    else if (from.tensor != nullptr)
      taken = import_dlpack(*from.tensor);
    else
      taken = import_dlpack(*from.versioned_tensor);
    c::make(&c::place(value, "value"), std::move(taken));
  });
}

int32_t polycodec_value_to_frames(polycodec_value* value, polycodec_message** frames,
                                  polycodec_error* error) {
  return c::enter(error, [&] {
    auto& of = c::need(value, "value");
    c::place(frames, "frames");
    const auto taken = std::make_shared<const Frames>(to_frames(of.value));
    std::vector<polycodec_bytes> pieces{to_bytes(taken->header)};
    for (const Segment& buffer : taken->buffers)
      pieces.push_back({buffer.data, std::uint64_t{buffer.size}});
    auto made = std::make_unique<polycodec_message>();
    made->parts.push_back(std::move(pieces));
    made->viewed = taken;
    made->value = c::share(of);
    *frames = made.release();
  });
}

int32_t polycodec_value_from_frames(const polycodec_bytes* pieces, uint64_t n, uint32_t flags,
                                    void* owner, void (*release)(void* owner),
                                    const polycodec_limits* limits, polycodec_value** value,
                                    polycodec_error* error) {
  return c::enter(error, [&] {
    auto holder = c::Lent::hold(owner, release);
    const bool changing = c::flags(flags, POLYCODEC_SOURCE_CHANGING, "flags") != 0;
    c::join_frames(pieces, n, std::move(holder), limits, value, !changing);
  });
}
