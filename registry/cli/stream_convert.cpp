// SPDX-License-Identifier: MIT
#include "stream_convert.hpp"

#include <polycodec/file.hpp>
#include <polycodec/message.hpp>
#include <polycodec/sink.hpp>
#include <polycodec/value_stream.hpp>

#include "commands.hpp"

#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

namespace polycodec::cli {
namespace {

/// Appends what standard input has at once. False at the end.
bool read_more(std::string& bytes) {
  char piece[65536];
  for (;;) {
    const ssize_t got = ::read(STDIN_FILENO, piece, sizeof piece);
    if (got < 0 && errno == EINTR && !interrupted()) continue;
    if (got < 0) throw Error(Status::io, "cannot read standard input: " + std::generic_category().message(errno));
    bytes.append(piece, static_cast<std::size_t>(got));
    return got != 0;
  }
}

}  // namespace

bool can_convert_stream(Context& context) {
  const auto& options = context.options;
  if (options.from.empty() || options.to.empty() || !options.from_then.empty() || !options.to_then.empty())
    return false;
  const CodecInfo* const from = context.registry().find(options.from);
  const CodecInfo* const to = context.registry().find(options.to);
  return from != nullptr && to != nullptr && from->can_stream && to->can_stream && to->can_encode;
}

std::optional<Source> convert_stream(Context& context) {
  const std::uint64_t most = context.limits().max_input_bytes;
  std::string first;
  // No more than it takes to see: a sender may wait for the answer to a short value.
  while (first.size() < message_separator.size() && message_separator.starts_with(first) && read_more(first)) {
  }
  if (is_framed(first)) {
    while (read_more(first))
      if (first.size() > most)
        throw Error(Status::limit, "standard input has more bytes than the limit of " + std::to_string(most));
    return Source::owned(std::move(first), "standard input");
  }
  const CallOptions call = context.call_options();
  ValueStream stream(context.registry().codec_with_json(context.options.from, context.options.from_options), call);
  const Codec to = context.registry().codec_with_json(context.options.to, context.options.to_options);
  stream.feed(first);
  std::uint64_t count = 0;
  for (Value value; read_value(STDIN_FILENO, stream, value, "standard input"); ++count) {
    SegmentSink sink(context.limits().max_output_bytes);
    to.encode(value.view(), sink, call);
    write_descriptor(STDOUT_FILENO, sink.segments(), "standard output");
    context.report_losses();
  }
  if (count == 0) throw Error(Status::truncated, "standard input is empty: there is no value").offset(0);
  return std::nullopt;
}

}  // namespace polycodec::cli
