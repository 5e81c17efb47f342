// SPDX-License-Identifier: MIT
#include <polycodec/message.hpp>

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
    return polycodec::pull_value(stream, value, pull, [this] {
      return descriptor < 0 || polycodec::is_readable_now(descriptor);
    });
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
                              const polycodec_call_options* call, polycodec_stream** stream,
                              polycodec_error* error) {
  return c::enter(error, [&] {
    const auto& with = c::need(codec, "codec");
    c::make(&c::place(stream, "stream"), with, call);
  });
}

int32_t polycodec_stream_open_source(const polycodec_opened_codec* codec,
                                     const polycodec_source* source,
                                     const polycodec_call_options* call, polycodec_stream** stream,
                                     polycodec_error* error) {
  return c::enter(error, [&] {
    const auto& with = c::need(codec, "codec");
    const Source& from = c::need(source, "source").source;
    if (!from.has_bytes()) c::throw_argument("source", "is a store and has no bytes");
    c::make(&c::place(stream, "stream"), with, call, c::BytesOf(from));
  });
}

int32_t polycodec_stream_open_file(const polycodec_opened_codec* codec, const polycodec_file* file,
                                   const polycodec_call_options* call, polycodec_stream** stream,
                                   polycodec_error* error) {
  return c::enter(error, [&] {
    const auto& with = c::need(codec, "codec");
    const polycodec_file& from = c::program_file(file);
    c::place(stream, "stream");
    c::make(stream, with, call, [&from, at = std::uint64_t{0}](std::span<char> window) mutable {
      const std::size_t got = c::read_part(from, at, window);
      at += got;
      return got;
    });
  });
}

int32_t polycodec_stream_open_descriptor(const polycodec_opened_codec* codec, int32_t descriptor,
                                         const polycodec_call_options* call,
                                         polycodec_stream** stream, polycodec_error* error) {
  return c::enter(error, [&] {
    const auto& with = c::need(codec, "codec");
    c::place(stream, "stream");
    if (descriptor < 0) c::throw_argument("descriptor", "is negative");
    c::make(
        stream, with, call,
        [descriptor](std::span<char> window) {
          return read_some(descriptor, window, "descriptor " + std::to_string(descriptor));
        },
        descriptor);
  });
}

int32_t polycodec_stream_feed(polycodec_stream* stream, polycodec_bytes bytes,
                              polycodec_error* error) {
  return c::enter(error, [&] {
    auto& to = c::fed(stream);
    const std::string_view more = c::text(bytes, "bytes");
    if (to.ended) c::throw_argument("stream", "has ended");
    to.stream.feed(more);
  });
}

int32_t polycodec_stream_end(polycodec_stream* stream, polycodec_error* error) {
  return c::enter(error, [&] {
    auto& to = c::fed(stream);
    to.stream.end();
    to.ended = true;
  });
}

int32_t polycodec_stream_next(polycodec_stream* stream, polycodec_value** value,
                              polycodec_error* error) {
  return c::enter(error, [&] {
    auto& from = c::need(stream, "stream");
    c::place(value, "value");
    if (from.lost) c::throw_argument("stream", "was lost with the error before");
    auto made = std::make_unique<polycodec_value>();
    from.lost = true;  // unless the next line returns
    const bool found = from.next(made->value);
    from.lost = false;
    *value = found ? made.release() : nullptr;
  });
}

int32_t polycodec_stream_position(const polycodec_stream* stream, uint64_t* offset,
                                  polycodec_error* error) {
  return c::enter(error, [&] {
    const auto& of = c::need(stream, "stream");
    c::place(offset, "offset") = of.stream.position();
  });
}

void polycodec_stream_free(polycodec_stream* stream) {
  c::release(stream);
}
