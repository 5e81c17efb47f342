// SPDX-License-Identifier: MIT
#include "stream_convert.hpp"

#include <polycodec/channel.hpp>
#include <polycodec/codec_handle.hpp>
#include <polycodec/message.hpp>
#include <polycodec/sink.hpp>

#include "commands.hpp"

#include <unistd.h>

#include <cerrno>
#include <string>
#include <string_view>
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
    if (got < 0)
      throw Error(Status::io,
                  "cannot read standard input: " + std::generic_category().message(errno));
    bytes.append(piece, static_cast<std::size_t>(got));
    return got != 0;
  }
}

/// Writes values to standard output, each before the next is read.
class Output {
 public:
  explicit Output(Context& context)
      : context_(context),
        codec_(context.registry().codec_with_json(context.options.to, context.options.to_options)),
        call_(context.call_options()) {
    call_.report_retyped = !context.options.no_compare;
  }

  void write(NodeView value) {
    SegmentSink sink(context_.limits().max_output_bytes);
    codec_.encode(value, sink, call_);
    context_.write_output(sink.segments(), "-");
    context_.report_losses();
    any_ = true;
  }
  void finish() const {
    if (!any_)
      throw Error(Status::truncated, "standard input is empty: there is no value").offset(0);
  }

 private:
  Context& context_;
  Codec codec_;
  CallOptions call_;
  bool any_ = false;
};

/// The values of the messages on standard input, of which `first` was read. Control messages are
/// none.
void convert_messages(Context& context, std::string_view first) {
  ChannelOptions options;
  options.normalize = !context.options.as_is;
  options.call = context.call_options();
  Channel channel(context.registry(), options);
  MessageReader reader(context.limits());
  reader.feed(first);
  Output out(context);
  while (const auto message = read_message(STDIN_FILENO, reader, "standard input")) {
    const IncomingMessage incoming = channel.unpack(*message);
    if (incoming.sign == ControlSign::none) out.write(incoming.value.view());
  }
  out.finish();
}

/// The values of one codec that follow each other on standard input, of which `first` was read.
void convert_values(Context& context, std::string_view first) {
  ValueStream stream(
      context.registry().codec_with_json(context.options.from, context.options.from_options),
      context.call_options());
  stream.feed(first);
  Output out(context);
  for (Value value; read_value(STDIN_FILENO, stream, value, "standard input");)
    out.write(value.view());
  out.finish();
}

}  // namespace

bool can_convert_stream(Context& context) {
  const auto& options = context.options;
  if (options.to.empty() || !options.from_filters.empty() || !options.to_filters.empty())
    return false;
  const CodecInfo* const to = context.registry().find(options.to);
  if (to == nullptr || !to->can_read_stream || !to->can_encode) return false;
  if (options.from.empty()) return true;  // messages, perhaps
  const CodecInfo* const from = context.registry().find(options.from);
  return from != nullptr && from->can_read_stream;
}

std::optional<Source> convert_stream(Context& context) {
  const std::uint64_t most = context.limits().max_input_bytes;
  std::string first;
  // No more than it takes to see: a sender may wait for the answer to a short value.
  while (first.size() < message_separator.size() && message_separator.starts_with(first) &&
         read_more(first)) {
  }
  const bool messages = is_framed(first);
  if (messages && context.options.from.empty()) {
    convert_messages(context, first);
  } else if (!messages && !context.options.from.empty()) {
    convert_values(context, first);
  } else {
    while (read_more(first))
      if (first.size() > most)
        throw Error(Status::limit,
                    "standard input has more bytes than the limit of " + std::to_string(most));
    return Source::owned(std::move(first), "standard input");
  }
  return std::nullopt;
}

}  // namespace polycodec::cli
