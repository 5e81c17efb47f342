// SPDX-License-Identifier: MIT
// Arrow, DLPack and frames.
#include <polycodec/arrow.hpp>
#include <polycodec/frames.hpp>

#include "core/value/host_meter.hpp"
#include "registry/c/options.hpp"

#include <vector>

struct polycodec_frames : polycodec::c::HandleOf<6> {
  polycodec::Frames frames;
  std::vector<polycodec_bytes> pieces;
  std::shared_ptr<const polycodec::Value> value;
};

namespace polycodec::c {
namespace {

ArrowOptions arrow_options(std::uint32_t given) {
  ArrowOptions options;
  options.sparse_unions = flags(given, POLYCODEC_ARROW_SPARSE_UNIONS, "flags") != 0;
  return options;
}

/// The part of the value that is exported: all of it where `node` is null.
NodeView exported(const polycodec_value& value, const polycodec_node* node) {
  if (node == nullptr) return value.value.view();
  if (!value.value.contains(node, sizeof *node)) throw_argument("node", "is not of the value");
  return NodeView(node);
}

const polycodec_array& leaf_of(const polycodec_value& value, const polycodec_array* leaf) {
  place(leaf, "leaf");
  if (!value.value.contains(leaf, sizeof *leaf)) throw_argument("leaf", "is not of the value");
  return *leaf;
}

void join_frames(const polycodec_bytes* pieces, std::uint64_t n, void* owner,
                 void (*release)(void* owner), const polycodec_limits* limits,
                 polycodec_value** value, bool stable) {
  auto holder = Lent::hold(owner, release);
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

int32_t polycodec_value_to_arrow(polycodec_value* value, const polycodec_node* node, uint32_t flags,
                                 struct ArrowSchema* schema, struct ArrowArray* array,
                                 polycodec_error* error) {
  return c::enter(error, [&] {
    if (schema != nullptr) schema->release = nullptr;
    if (array != nullptr) array->release = nullptr;
    auto& of = c::need(value, "value");
    c::place(schema, "schema");
    c::place(array, "array");
    const ArrowOptions options = c::arrow_options(flags);
    const ValueBudget walk(of.value);
    export_arrow(c::share(of), c::exported(of, node), *schema, *array, options);
  });
}

int32_t polycodec_value_to_arrow_stream(polycodec_value* value, const polycodec_node* node,
                                        uint32_t flags, struct ArrowArrayStream* stream,
                                        polycodec_error* error) {
  return c::enter(error, [&] {
    if (stream != nullptr) stream->release = nullptr;
    auto& of = c::need(value, "value");
    c::place(stream, "stream");
    const ArrowOptions options = c::arrow_options(flags);
    const ValueBudget walk(of.value);
    export_arrow_stream(c::share(of), c::exported(of, node), *stream, options);
  });
}

int32_t polycodec_value_from_arrow(struct ArrowSchema* schema, struct ArrowArray* array,
                                   polycodec_value** value, polycodec_error* error) {
  return c::enter(error, [&] {
    c::place(schema, "schema");
    c::place(array, "array");
    Value taken = import_arrow(*schema, *array);
    c::make(&c::place(value, "value"), std::move(taken));
  });
}

int32_t polycodec_value_from_arrow_stream(struct ArrowArrayStream* stream, polycodec_value** value,
                                          polycodec_error* error) {
  return polycodec_value_from_arrow_stream_within(stream, nullptr, value, error);
}

int32_t polycodec_value_from_arrow_stream_within(struct ArrowArrayStream* stream,
                                                 const polycodec_limits* limits,
                                                 polycodec_value** value, polycodec_error* error) {
  return c::enter(error, [&] {
    c::place(stream, "stream");
    Value taken = import_arrow_stream(*stream, c::limits_of(limits, Limits{}, nullptr));
    c::make(&c::place(value, "value"), std::move(taken));
  });
}

int32_t polycodec_value_to_dlpack(polycodec_value* value, const polycodec_array* leaf,
                                  struct DLManagedTensor** tensor, polycodec_error* error) {
  return c::enter(error, [&] {
    auto& of = c::need(value, "value");
    c::place(tensor, "tensor");
    *tensor = export_dlpack(c::share(of), c::leaf_of(of, leaf));
  });
}

int32_t polycodec_value_to_dlpack_versioned(polycodec_value* value, const polycodec_array* leaf,
                                            struct DLManagedTensorVersioned** tensor,
                                            polycodec_error* error) {
  return c::enter(error, [&] {
    auto& of = c::need(value, "value");
    c::place(tensor, "tensor");
    *tensor = export_dlpack_versioned(c::share(of), c::leaf_of(of, leaf));
  });
}

int32_t polycodec_value_from_dlpack(struct DLManagedTensor* tensor, polycodec_value** value,
                                    polycodec_error* error) {
  return c::enter(error, [&] {
    c::place(tensor, "tensor");
    Value taken = import_dlpack(tensor);
    c::make(&c::place(value, "value"), std::move(taken));
  });
}

int32_t polycodec_value_from_dlpack_versioned(struct DLManagedTensorVersioned* tensor,
                                              polycodec_value** value, polycodec_error* error) {
  return c::enter(error, [&] {
    c::place(tensor, "tensor");
    Value taken = import_dlpack(tensor);
    c::make(&c::place(value, "value"), std::move(taken));
  });
}

int32_t polycodec_value_to_frames(polycodec_value* value, polycodec_frames** frames,
                                  polycodec_error* error) {
  return c::enter(error, [&] {
    auto& of = c::need(value, "value");
    c::place(frames, "frames");
    auto made = std::make_unique<polycodec_frames>();
    made->frames = to_frames(of.value);
    made->pieces.push_back(to_bytes(made->frames.header));
    for (const Segment& buffer : made->frames.buffers)
      made->pieces.push_back({buffer.data, std::uint64_t{buffer.size}});
    made->value = c::share(of);
    *frames = made.release();
  });
}

int32_t polycodec_frames_all(const polycodec_frames* frames, const polycodec_bytes** pieces,
                             uint64_t* n, polycodec_error* error) {
  return c::enter(error, [&] {
    const auto& of = c::need(frames, "frames");
    c::place(pieces, "pieces");
    c::place(n, "n") = of.pieces.size();
    *pieces = of.pieces.data();
  });
}

void polycodec_frames_free(polycodec_frames* frames) {
  c::release(frames);
}

int32_t polycodec_value_from_frames(const polycodec_bytes* pieces, uint64_t n, void* owner,
                                    void (*release)(void* owner), const polycodec_limits* limits,
                                    polycodec_value** value, polycodec_error* error) {
  return c::enter(error, [&] { c::join_frames(pieces, n, owner, release, limits, value, true); });
}

int32_t polycodec_value_from_changing_frames(const polycodec_bytes* pieces, uint64_t n, void* owner,
                                             void (*release)(void* owner),
                                             const polycodec_limits* limits,
                                             polycodec_value** value, polycodec_error* error) {
  return c::enter(error, [&] { c::join_frames(pieces, n, owner, release, limits, value, false); });
}
