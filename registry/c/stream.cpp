// SPDX-License-Identifier: MIT

#include "core/frame/message.hpp"
#include "core/io/stream_io.hpp"
#include "registry/c/file.hpp"
#include "registry/c/options.hpp"
#include "registry/codec/pull_value.hpp"

#include <functional>
#include <span>

struct polycodec_stream : polycodec::c::HandleOf<10> {
  /// Fills a part of the window and returns how much; 0 at the end.
  using Pull = std::function<std::size_t(std::span<char> window)>;

  polycodec_stream(const polycodec_opened_codec& codec, const polycodec_call_options* call,
                   Pull input = {}, int of = -1)
      : stream(codec.codec, polycodec::c::call_options(call, codec.limits)),
        pull(std::move(input)),
        descriptor(of) {}

  bool next(polycodec::Value& value) {
    if (!pull) return stream.next(value);
    return polycodec::pull_value(
        stream, [&] { return stream.next(value); }, pull,
        [this] { return descriptor < 0 || polycodec::is_readable_now(descriptor); });
  }

  polycodec::ValueStream stream;
  Pull pull;       // empty: the program feeds
  int descriptor;  // that pull() reads, or -1
  bool ended = false;
  bool lost = false;
};

namespace polycodec::c {
namespace {

polycodec_stream& fed(polycodec_stream* stream) {
  auto& to = need(stream, "stream");
  if (to.pull) throw_argument("stream", "has an input of its own");
  return to;
}

/// Bytes in memory, one window after another.
class BytesOf {
 public:
  explicit BytesOf(Source source) : source_(std::move(source)) {}
  std::size_t operator()(std::span<char> window) {
    const std::string_view rest = source_.bytes().substr(at_);
    const std::size_t size = std::min(rest.size(), window.size());
    if (size != 0) std::memcpy(window.data(), rest.data(), size);
    at_ += size;
    return size;
  }

 private:
  Source source_;
  std::size_t at_ = 0;
};

}  // namespace
}  // namespace polycodec::c

using namespace polycodec;

int32_t polycodec_stream_open(const polycodec_opened_codec* codec,
                              const polycodec_stream_options* options,
                              const polycodec_call_options* call, polycodec_stream** stream,
                              polycodec_error* error) {
  return c::enter(error, [&] {
    const auto& with = c::need(codec, "codec");
    c::place(stream, "stream");
    const auto o = c::read_struct(options, "polycodec_stream_options");
    switch (o.from) {
      case POLYCODEC_STREAM_FED:
        return c::make(stream, with, call);
      case POLYCODEC_STREAM_SOURCE: {
        const Source& from = c::need(o.source, "source").source;
        if (!from.has_bytes()) c::throw_argument("source", "is a store and has no bytes");
        with.codec.refuse_compressed(from);
        return c::make(stream, with, call, c::BytesOf(from));
      }
      case POLYCODEC_STREAM_FILE: {
        const polycodec_file& from = c::program_file(o.file);
        return c::make(stream, with, call,
                       [&from, at = std::uint64_t{0}](std::span<char> window) mutable {
                         const std::size_t got = c::read_part(from, at, window);
                         at += got;
                         return got;
                       });
      }
      case POLYCODEC_STREAM_DESCRIPTOR:
        if (o.descriptor < 0) c::throw_argument("descriptor", "is negative");
        return c::make(
            stream, with, call,
            [descriptor = o.descriptor](std::span<char> window) {
              return read_some(descriptor, window, "descriptor " + std::to_string(descriptor));
            },
            o.descriptor);
      default:
        c::throw_argument("polycodec_stream_options.from", "is not a POLYCODEC_STREAM_*");
    }
  });
}

int32_t polycodec_stream_feed(polycodec_stream* stream, polycodec_bytes bytes, int32_t is_last,
                              polycodec_error* error) {
  return c::enter(error, [&] {
    auto& to = c::fed(stream);
    const std::string_view more = c::text(bytes, "bytes");
    if (to.ended) c::throw_argument("stream", "has ended");
    to.stream.feed(more);
    if (is_last == 0) return;
    to.stream.end();
    to.ended = true;
  });
}

int32_t polycodec_stream_next(polycodec_stream* stream, polycodec_value** value, uint64_t* offset,
                              polycodec_error* error) {
  return c::enter(error, [&] {
    auto& from = c::need(stream, "stream");
    c::place(value, "value");
    if (from.lost) c::throw_argument("stream", "was lost with the error before");
    auto made = std::make_unique<polycodec_value>();
    from.lost = true;  // unless the next line returns
    const bool found = from.next(made->value);
    from.lost = false;
    if (offset != nullptr) *offset = from.stream.position();
    *value = found ? made.release() : nullptr;
  });
}

void polycodec_stream_free(polycodec_stream* stream) {
  c::release(stream);
}
