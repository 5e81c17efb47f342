// SPDX-License-Identifier: MIT
// What a worker has made becomes memory of the host: small parts are copied, large ones are taken
// over with their pages.
#include <polycodec/error.hpp>

#include "registry/isolation/exchange.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace polycodec::isolation {
namespace {

/// The segments that a value or an output lies in.
struct Kept {
  std::shared_ptr<Segment> in, out;
  static void release(void* self) { delete static_cast<Kept*>(self); }
};

/// Whatever becomes of the answer, the worker's memory is as the worker left it.
struct Finishing {
  Exchange& exchange;
  const Message& answer;
  ~Finishing() { exchange.finish(answer); }
};

}  // namespace

std::uint64_t Exchange::arena_used(const Message& answer) const {
  return answer.a[field::arena_end] - worker().out->begin();
}

void Exchange::finish(const Message& answer) noexcept {
  if (answer.a[field::released] == 0) return;
  worker().has_out = false;
  worker().out.reset();
}

template <class Keeper>
bool Exchange::take_over(const Message& answer, Keeper* keeper) {
  Worker& from = worker();
  if (answer.a[field::released] == 0 || !seat_.plugin->is_confined() || !from.out->is_sealed())
    return false;
  const std::uint64_t staged = staging_.used_end() - from.in->begin();
  const std::uint64_t arena = arena_used(answer);
  const std::uint64_t sink =
      answer.a[field::sink_end] - sink_begin(from.out->begin(), from.out->size());
  const polycodec_bytes extents[] = {{pointer<const void>(from.in->begin()), staged},
                                     {pointer<const void>(from.out->begin()), arena},
                                     {pointer<const void>(answer.a[field::sink_end] - sink), sink}};
  auto kept = std::make_unique<Kept>(Kept{from.in, from.out});
  auto error = make_error();
  const std::int32_t code =
      keeper->adopt(keeper, kept.release(), &Kept::release, extents, 3, &error);
  if (code != POLYCODEC_OK) throw to_error(code, error);
  from.in->touched = std::max(from.in->touched, staged);
  from.out->arena_touched = std::max(from.out->arena_touched, arena);
  from.out->touched = std::max(from.out->touched, arena + sink);
  if (seat_.plugin->segments().is_crowded()) {
    from.in->shrink(staged);
    from.out->shrink(sink == 0 ? arena : answer.a[field::sink_end] - from.out->begin());
  }
  from.in->stop_sharing();
  from.in.reset();
  return true;
}

Relocator Exchange::copy(std::uint64_t begin, std::uint64_t end, bool with_staged_values) {
  Relocator moved(call_->limits->max_depth, (end - begin) / 4 + (std::uint64_t{1} << 20));
  const auto copied = [&](std::uint64_t from, std::uint64_t size) {
    auto error = make_error();
    // Aligned as it was.
    void* const memory = polycodec_arena_alloc(call_->arena, size + from % 64, 64, &error);
    if (memory == nullptr) throw to_error(error.code, error);
    auto* const to = static_cast<std::uint8_t*>(memory) + from % 64;
    std::memcpy(to, pointer<const void>(from), static_cast<std::size_t>(size));
    moved.add(from, size, to, true);
  };
  if (begin != end) copied(begin, end - begin);
  for (const Range& value : values_)
    if (with_staged_values && value.size != 0) copied(value.begin, value.size);
  const Range file = shared_range();
  moved.add(file.begin, file.size, pointer<const void>(file.begin), false);
  for (const Copied& bytes : originals_) moved.add(bytes.begin, bytes.size, bytes.original, false);
  return moved;
}

const polycodec_node* Exchange::take_value(const Message& answer) {
  const Finishing finishing{*this, answer};
  const auto* root = pointer<const polycodec_node>(answer.a[field::result]);
  if (root == nullptr) return nullptr;
  if (take_over(answer, call_->arena)) return root;
  const std::uint64_t begin = worker().out->begin();
  Relocator moved = copy(begin, answer.a[field::arena_end], true);
  const polycodec_node* const found = moved.root(root);
  if (found == root)
    throw Error(Status::plugin, "stray pointer to the value: it lies outside of the call's memory");
  return found;
}

polycodec_bytes Exchange::take_bytes(const Message& answer, std::uint64_t at, std::uint64_t size) {
  const Finishing finishing{*this, answer};
  if (size == 0) return {nullptr, 0};
  if (shared_range().holds(pointer<const void>(at), size)) return {pointer<const void>(at), size};
  if (!worker().out->holds(at, size) && !worker().in->holds(at, size))
    throw Error(Status::plugin, "stray pointer to bytes: they lie outside of the call's memory");
  if (take_over(answer, call_->arena)) return {pointer<const void>(at), size};
  auto error = make_error();
  void* const memory = polycodec_arena_alloc(call_->arena, size, 64, &error);
  if (memory == nullptr) throw to_error(error.code, error);
  std::memcpy(memory, pointer<const void>(at), static_cast<std::size_t>(size));
  return {memory, size};
}

std::string Exchange::text(const Message& answer, std::size_t at) const {
  const std::uint64_t begin = answer.a[at], size = answer.a[at + 1];
  if (size == 0) return {};
  if (size > small_result || !worker().out->holds(begin, size))
    throw Error(Status::plugin, "stray pointer to text: it lies outside of the call's memory");
  return std::string(to_string_view(pointer<const void>(begin), size));
}

void Exchange::take_output(const Message& answer, polycodec_sink* sink) {
  const Finishing finishing{*this, answer};
  const std::uint64_t n = answer.a[field::n_segments];
  const std::uint64_t at = answer.a[field::segments];
  if (n > (std::uint64_t{1} << 32) || !worker().out->holds(at, n * sizeof(polycodec_bytes)))
    if (n != 0) throw Error(Status::plugin, "the list of the output lies outside of its memory");
  // All of it may have gone to a store.
  if (n == 0) return;
  if (sink == nullptr)
    throw Error(Status::plugin, "bytes were written where the output is a store");
  std::vector<polycodec_bytes> parts(static_cast<std::size_t>(n));
  std::memcpy(parts.data(), pointer<const void>(at), parts.size() * sizeof(polycodec_bytes));
  const std::shared_ptr<Segment> in = worker().in, out = worker().out;
  for (const polycodec_bytes& part : parts)
    if (!out->holds(number(part.data), part.size) && !in->holds(number(part.data), part.size))
      throw Error(Status::plugin, "stray pointer to output: it lies outside of the call's memory");
  const bool kept = take_over(answer, sink);
  for (const polycodec_bytes& part : parts) {
    if (part.size == 0) continue;
    // Bytes that the worker was given are in the host already.
    const auto original = [&]() -> const void* {
      for (const auto* list : {&originals_, &buffers_}) {
        const auto after = std::ranges::upper_bound(*list, number(part.data), {}, &Copied::begin);
        if (after == list->begin()) continue;
        const Copied& found = *std::prev(after);
        const std::uint64_t from = number(part.data) - found.begin;
        if (from < found.size && part.size <= found.size - from)
          return static_cast<const char*>(found.original) + from;
      }
      return nullptr;
    }();
    auto error = make_error();
    const std::int32_t code = original != nullptr
                                  ? sink->reference(sink, original, part.size, &error)
                              : kept ? sink->reference(sink, part.data, part.size, &error)
                                     : polycodec_sink_put(sink, part.data, part.size, &error);
    if (code != POLYCODEC_OK) throw to_error(code, error);
  }
}

}  // namespace polycodec::isolation
