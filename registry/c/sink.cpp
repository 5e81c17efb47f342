// SPDX-License-Identifier: MIT
#include "registry/c/sink.hpp"

#include "core/io/mapping_guard.hpp"
#include "core/io/sink_state.hpp"
#include "core/value/arena.hpp"
#include "registry/c/options.hpp"

#include <vector>

namespace polycodec::c {
namespace {

bool is_contiguous(const polycodec_sink& sink) noexcept {
  return (sink.flags & POLYCODEC_SINK_CONTIGUOUS) != 0;
}

/// A function that every sink of this library has, and no other.
auto* grow_of_sinks() {
  static const auto grow = SegmentSink(0).abi()->grow;
  return grow;
}

}  // namespace

Sink& sink_of(polycodec_sink* sink) {
  place(sink, "sink");
  if (sink->struct_size != sizeof *sink || sink->grow != grow_of_sinks())
    throw_argument("sink", "is not from polycodec_sink_create");
  void* const owner = static_cast<SinkState*>(sink->private_data)->owner();
  if (owner == nullptr) throw_argument("sink", "is not from polycodec_sink_create");
  return *static_cast<Sink*>(owner);
}

void put(Sink& sink, std::string_view text) {
  try {
    invoke(&polycodec_sink_put, sink.abi(), static_cast<const void*>(text.data()),
           std::uint64_t{text.size()});
    check_bound(sink);
  } catch (...) {
    sink.reset();
    throw;
  }
}

void check_bound(Sink& sink) {
  if (sink.size() > sink.max_bytes())
    throw Error(Status::limit, std::to_string(sink.size()) + " bytes exceed the " +
                                   std::to_string(sink.max_bytes()) +
                                   " that the sink takes: make one for more")
        .detail("limit.sink");
}

std::vector<Segment> segments_of(Sink& sink) {
  if (is_contiguous(*sink.abi())) {
    const std::string_view all = static_cast<BufferSink&>(sink).view();
    if (all.empty()) return {};
    return {{all.data(), all.size()}};
  }
  const auto all = static_cast<SegmentSink&>(sink).segments();
  return {all.begin(), all.end()};
}

void keep_for(Sink& sink, polycodec_value& value) {
  if (!is_contiguous(*sink.abi())) sink.state().scratch().keep(share(value));
}

}  // namespace polycodec::c

using namespace polycodec;

int32_t polycodec_sink_create(uint32_t flags, uint64_t max_bytes, polycodec_sink** sink,
                              polycodec_error* error) {
  return c::enter(error, [&] {
    c::place(sink, "sink");
    c::flags(flags, POLYCODEC_SINK_CONTIGUOUS, "flags");
    const std::uint64_t most = max_bytes == 0 ? UINT64_MAX : max_bytes;
    std::unique_ptr<Sink> made;
    if (flags != 0)
      made = std::make_unique<BufferSink>(most);
    else
      made = std::make_unique<SegmentSink>(most);
    made->state().set_owner(made.get());
    *sink = made.release()->abi();
  });
}

int32_t polycodec_sink_segments(polycodec_sink* sink, const polycodec_bytes** segments, uint64_t* n,
                                polycodec_error* error) {
  return c::enter(error, [&] {
    Sink& of = c::sink_of(sink);
    posix::check_mappings();
    c::place(segments, "segments");
    c::place(n, "n");
    const auto all = c::segments_of(of);
    auto out = Builder(of.state().scratch().abi());
    auto* const made = out.allocate<polycodec_bytes>(all.size());
    for (std::size_t i = 0; i < all.size(); ++i)
      made[i] = {all[i].data, std::uint64_t{all[i].size}};
    *segments = made;
    *n = all.size();
  });
}

int32_t polycodec_sink_bytes(polycodec_sink* sink, polycodec_bytes* bytes, polycodec_error* error) {
  return c::enter(error, [&] {
    Sink& of = c::sink_of(sink);
    posix::check_mappings();
    c::place(bytes, "bytes");
    if ((sink->flags & POLYCODEC_SINK_CONTIGUOUS) != 0) {
      if (sink->cursor == sink->limit) {
        // The NUL is not output: no bound of the caller's is about it.
        const std::uint64_t most = of.max_bytes();
        of.set_max_bytes(UINT64_MAX);
        auto refused = make_error();
        const auto code = sink->grow(sink, 1, &refused);
        of.set_max_bytes(most);
        if (code != POLYCODEC_OK) throw std::bad_alloc();
      }
      *sink->cursor = 0;
      *bytes = to_bytes(static_cast<BufferSink&>(of).view());
      return;
    }
    auto out = Builder(of.state().scratch().abi());
    const std::uint64_t size = of.size();
    char* const all = out.allocate<char>(size + 1);
    char* at = all;
    for (const Segment& segment : c::segments_of(of)) {
      std::memcpy(at, segment.data, segment.size);
      at += segment.size;
    }
    *at = '\0';
    *bytes = {all, size};
  });
}

int32_t polycodec_sink_reset(polycodec_sink* sink, polycodec_error* error) {
  return c::enter(error, [&] { c::sink_of(sink).reset(); });
}

void polycodec_sink_free(polycodec_sink* sink) {
  if (sink == nullptr) return;
  c::enter(nullptr, [&] { delete &c::sink_of(sink); });
}
