// SPDX-License-Identifier: MIT
#include <polycodec/error.hpp>

#include "core/frame/frame.hpp"
#include "core/frame/message.hpp"
#include "core/frame/stream_buffer.hpp"
#include "core/io/stream_io.hpp"

#include <algorithm>
#include <deque>

namespace polycodec {

namespace {

constexpr std::size_t separator_width = message_separator.size();
constexpr std::size_t least_window = std::size_t{64} << 10;

/// `body`, with the offsets of what it throws moved by `base`.
template <class Body>
auto with_offset(std::uint64_t base, Body&& body) {
  try {
    return body();
  } catch (Error& e) {
    if (e.offset() != Error::no_offset) e.offset(e.offset() + base);
    throw;
  }
}

}  // namespace

struct MessageReader::State {
  State(const Limits& given, Transport kind) : limits(given), transport(kind) {}
  void feed(std::string_view bytes);
  std::span<char> window();
  std::optional<ReceivedMessage> next();
  void finish() const;
  std::uint64_t missing() const noexcept;
  std::optional<ReceivedMessage> next_of_stream();
  std::optional<ReceivedMessage> next_of_packets();
  void begin_message(std::string_view text, std::size_t begin);
  ReceivedMessage take_message();

  Limits limits;
  Transport transport;
  StreamBuffer buffer;
  std::optional<Header> header;           // of the message under way
  std::size_t body_begin = 0;             // after header, in buffer.view()
  std::size_t searched = 0;               // no second separator begins before, in buffer.view()
  std::deque<std::uint64_t> packet_ends;  // in the stream of bytes; ascending
  std::optional<Error> error;
};

void MessageReader::State::feed(std::string_view bytes) {
  buffer.append(bytes);
  if (transport == Transport::packets)
    packet_ends.push_back(buffer.position() + buffer.view().size());
}

std::span<char> MessageReader::State::window() {
  // No more than is there already on the word of a header.
  const std::uint64_t most = std::max(least_window, buffer.view().size());
  return buffer.window(
      static_cast<std::size_t>(std::clamp<std::uint64_t>(missing(), least_window, most)));
}

std::optional<ReceivedMessage> MessageReader::State::next() {
  if (error) throw *error;
  try {
    return transport == Transport::stream ? next_of_stream() : next_of_packets();
  } catch (const Error& e) {
    error = e;
    throw;
  }
}

std::optional<ReceivedMessage> MessageReader::State::next_of_stream() {
  const std::string_view held = buffer.view();
  if (!header) {
    const std::string_view begin = held.substr(0, separator_width);
    if (message_separator.substr(0, begin.size()) != begin)
      throw Error(Status::malformed,
                  "a message must begin here with YGG_MSG_HEAD: either this is not a stream of "
                  "messages, or the size of the message before it is wrong",
                  buffer.position())
          .detail("message.no_frame");
    if (begin.size() < separator_width) return std::nullopt;
    searched = std::max(searched, separator_width);
    // A header of max_header_bytes ends where its separator begins.
    const std::uint64_t most = limits.max_header_bytes > UINT64_MAX - 2 * separator_width
                                   ? UINT64_MAX
                                   : limits.max_header_bytes + 2 * separator_width;
    const auto searchable = static_cast<std::size_t>(std::min<std::uint64_t>(most, held.size()));
    const std::size_t end = find_separator(held.substr(0, searchable), searched);
    if (end == std::string_view::npos) {
      if (held.size() > most)
        throw Error(Status::limit,
                    "the message header has more bytes than the limit of " +
                        std::to_string(limits.max_header_bytes),
                    buffer.position() + separator_width)
            .detail("message.header");
      searched = std::max(separator_width,
                          held.size() < separator_width ? 0 : held.size() - separator_width + 1);
      return std::nullopt;
    }
    begin_message(held.substr(separator_width, end - separator_width), end + separator_width);
  }
  if (held.size() - body_begin < header->size) return std::nullopt;
  return take_message();
}

std::optional<ReceivedMessage> MessageReader::State::next_of_packets() {
  if (packet_ends.empty()) return std::nullopt;
  const std::string_view held = buffer.view();
  if (!header) {
    const std::string_view packet =
        held.substr(0, static_cast<std::size_t>(packet_ends.front() - buffer.position()));
    if (!is_framed(packet)) {
      ReceivedMessage message;
      message.header.size = packet.size();
      message.body = packet;
      message.framed = false;
      message.offset = buffer.position();
      message.body_offset = message.offset;
      message.pin = buffer.pin();
      packet_ends.pop_front();
      buffer.consume(packet.size());
      return message;
    }
    const Frame frame = with_offset(buffer.position(), [&] { return parse_frame(packet, limits); });
    begin_message(frame.header, frame.header.size() + 2 * separator_width);
  }
  const std::uint64_t end = buffer.position() + body_begin + header->size;
  while (!packet_ends.empty() && packet_ends.front() < end) packet_ends.pop_front();
  if (packet_ends.empty()) return std::nullopt;
  if (packet_ends.front() > end)
    throw Error(Status::trailing,
                "the message has " + std::to_string(packet_ends.front() - end) +
                    " bytes too many: the body should have " + std::to_string(header->size),
                end)
        .detail("message.too_long");
  packet_ends.pop_front();
  return take_message();
}

/// Reads the header of the message that begins the held bytes.
void MessageReader::State::begin_message(std::string_view text, std::size_t begin) {
  Header parsed =
      with_offset(buffer.position() + separator_width, [&] { return parse_header(text, limits); });
  const std::uint64_t most = std::min(limits.max_input_bytes, limits.memory_for(UINT64_MAX));
  if (parsed.size > most)
    throw Error(Status::limit,
                "the message header declares a body of " + std::to_string(parsed.size) +
                    " bytes, more than the limit of " + std::to_string(most),
                buffer.position() + separator_width)
        .detail("message.size");
  header = std::move(parsed);
  body_begin = begin;
}

/// The message that begins the held bytes, all of which is there.
ReceivedMessage MessageReader::State::take_message() {
  ReceivedMessage message;
  const auto size = static_cast<std::size_t>(header->size);
  message.header = std::move(*header);
  message.body = buffer.view().substr(body_begin, size);
  message.offset = buffer.position();
  message.pin = buffer.pin();
  with_offset(message.offset + body_begin, [&] { unfold_header(message, limits); });
  message.body_offset =
      message.offset + static_cast<std::uint64_t>(message.body.data() - buffer.view().data());
  buffer.consume(body_begin + size);
  header.reset();
  searched = 0;
  return message;
}

std::uint64_t MessageReader::State::missing() const noexcept {
  const std::uint64_t held = buffer.view().size();
  if (header) {
    const std::uint64_t body = held - body_begin;
    return body < header->size ? header->size - body : 0;
  }
  if (held == 0) return 0;
  return held < 2 * separator_width ? 2 * separator_width - held : 1;
}

void MessageReader::State::finish() const {
  if (error) throw *error;
  const std::uint64_t held = buffer.view().size();
  if (held == 0 && !header) return;
  const std::uint64_t end = buffer.position() + held;
  if (!header)
    throw Error(Status::truncated, "the last message is incomplete: it ends inside its header", end)
        .detail("message.incomplete");
  throw Error(Status::truncated,
              "the last message is incomplete: " + std::to_string(missing()) + " of the " +
                  std::to_string(header->size) + " bytes of its body are missing",
              end)
      .detail("message.incomplete");
}

MessageReader::MessageReader(const Limits& limits, Transport transport)
    : state_(std::make_unique<State>(limits, transport)) {}

MessageReader::~MessageReader() = default;

void MessageReader::feed(std::string_view bytes) {
  state_->feed(bytes);
}

std::span<char> MessageReader::window() {
  return state_->window();
}

void MessageReader::commit(std::size_t bytes) noexcept {
  state_->buffer.commit(bytes);
}

std::optional<ReceivedMessage> MessageReader::next() {
  return state_->next();
}

void MessageReader::finish() const {
  state_->finish();
}

}  // namespace polycodec
