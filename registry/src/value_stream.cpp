// SPDX-License-Identifier: MIT
#include <polycodec/error.hpp>
#include <polycodec/stream_io.hpp>
#include <polycodec/value_stream.hpp>

#include <algorithm>
#include <utility>

namespace polycodec {

namespace {

constexpr std::size_t least_window = std::size_t{64} << 10;

}  // namespace

ValueStream::ValueStream(Codec codec, CallOptions options) : codec_(std::move(codec)), options_(std::move(options)) {
  if (!codec_.info().can_stream)
    throw Error(Status::unsupported, "this codec does not decode streams of values").codec(codec_.info().name);
  const Limits limits = options_.limits.value_or(Limits());
  max_bytes_ = std::min(limits.max_memory_bytes, limits.max_input_bytes);
}

std::span<char> ValueStream::window() {
  return buffer_.window(std::max(least_window, buffer_.view().size() / 2));
}

bool ValueStream::next(Value& value) {
  const std::string_view held = buffer_.view();
  if (held.empty() || !is_worth_trying()) return false;
  StreamProgress progress;
  try {
    progress = codec_.stream_next(value, held, ended_, options_);
  } catch (Error& e) {
    if (e.offset() != Error::no_offset) e.offset(e.offset() + buffer_.position());
    throw;
  }
  if (!progress.found) {
    if (progress.wanted > max_bytes_)
      throw Error(Status::limit,
                  "a value of the stream has more bytes than the limit of " + std::to_string(max_bytes_),
                  buffer_.position())
          .codec(codec_.info().name);
    wanted_ = progress.wanted;
    return false;
  }
  value.pin(buffer_.pin());
  buffer_.consume(static_cast<std::size_t>(progress.consumed));
  wanted_ = 1;
  return true;
}

bool read_value(int fd, ValueStream& stream, Value& value, std::string_view name) {
  bool ended = false;
  for (;;) {
    if (stream.next(value)) return true;
    if (ended) return false;
    // What failed once is tried again when half as much has come, or when the sender pauses.
    const std::size_t enough = stream.held() + stream.held() / 2;
    do {
      const std::size_t got = read_some(fd, stream.window(), name);
      if (got == 0) {
        stream.end();
        ended = true;
        break;
      }
      stream.commit(got);
    } while (!stream.is_worth_trying() || (stream.held() < enough && is_readable_now(fd)));
  }
}

}  // namespace polycodec
