// SPDX-License-Identifier: MIT
#include <polycodec/message.hpp>

#include "core/frame/message.hpp"
#include "core/frame/stream_buffer.hpp"

#include <algorithm>

namespace polycodec {

namespace {

constexpr std::size_t width = message_separator.size();
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

MessageReader::MessageReader(const Limits& limits, Transport transport)
    : limits_(limits), transport_(transport), buffer_(std::make_unique<StreamBuffer>()) {}

MessageReader::~MessageReader() = default;

void MessageReader::commit(std::size_t bytes) noexcept {
  buffer_->commit(bytes);
}

void MessageReader::feed(std::string_view bytes) {
  buffer_->append(bytes);
  if (transport_ == Transport::packets)
    packet_ends_.push_back(buffer_->position() + buffer_->view().size());
}

std::span<char> MessageReader::window() {
  // No more than is there already on the word of a header.
  const std::uint64_t most = std::max(least_window, buffer_->view().size());
  return buffer_->window(
      static_cast<std::size_t>(std::clamp<std::uint64_t>(missing(), least_window, most)));
}

std::optional<ReceivedMessage> MessageReader::next() {
  if (error_) throw *error_;
  try {
    return transport_ == Transport::stream ? next_of_stream() : next_of_packets();
  } catch (const Error& e) {
    error_ = e;
    throw;
  }
}

std::optional<ReceivedMessage> MessageReader::next_of_stream() {
  const std::string_view held = buffer_->view();
  if (!header_) {
    const std::string_view begin = held.substr(0, width);
    if (message_separator.substr(0, begin.size()) != begin)
      throw Error(Status::malformed,
                  "a message should begin here, with YGG_MSG_HEAD; either this is no stream of "
                  "messages, or the size "
                  "of the message before it is wrong",
                  buffer_->position())
          .detail("message.no_frame");
    if (begin.size() < width) return std::nullopt;
    searched_ = std::max(searched_, width);
    // A header of max_header_bytes ends where its separator begins.
    const std::uint64_t most = limits_.max_header_bytes > UINT64_MAX - 2 * width
                                   ? UINT64_MAX
                                   : limits_.max_header_bytes + 2 * width;
    const auto searchable = static_cast<std::size_t>(std::min<std::uint64_t>(most, held.size()));
    const std::size_t end = find_separator(held.substr(0, searchable), searched_);
    if (end == std::string_view::npos) {
      if (held.size() > most)
        throw Error(Status::limit,
                    "the message header has more bytes than the limit of " +
                        std::to_string(limits_.max_header_bytes),
                    buffer_->position() + width)
            .detail("message.header");
      searched_ = std::max(width, held.size() < width ? 0 : held.size() - width + 1);
      return std::nullopt;
    }
    begin_message(held.substr(width, end - width), end + width);
  }
  if (held.size() - body_begin_ < header_->size) return std::nullopt;
  return take_message();
}

std::optional<ReceivedMessage> MessageReader::next_of_packets() {
  if (packet_ends_.empty()) return std::nullopt;
  const std::string_view held = buffer_->view();
  if (!header_) {
    const std::string_view packet =
        held.substr(0, static_cast<std::size_t>(packet_ends_.front() - buffer_->position()));
    if (!is_framed(packet)) {
      ReceivedMessage message;
      message.header.size = packet.size();
      message.body = packet;
      message.framed = false;
      message.offset = buffer_->position();
      message.body_offset = message.offset;
      message.pin = buffer_->pin();
      packet_ends_.pop_front();
      buffer_->consume(packet.size());
      return message;
    }
    const Frame frame =
        with_offset(buffer_->position(), [&] { return parse_frame(packet, limits_); });
    begin_message(frame.header, frame.header.size() + 2 * width);
  }
  const std::uint64_t end = buffer_->position() + body_begin_ + header_->size;
  while (!packet_ends_.empty() && packet_ends_.front() < end) packet_ends_.pop_front();
  if (packet_ends_.empty()) return std::nullopt;
  if (packet_ends_.front() > end)
    throw Error(Status::trailing,
                "the message has " + std::to_string(packet_ends_.front() - end) +
                    " bytes too many: the body should have " + std::to_string(header_->size),
                end)
        .detail("message.too_long");
  packet_ends_.pop_front();
  return take_message();
}

/// Reads the header of the message that begins the held bytes.
void MessageReader::begin_message(std::string_view header, std::size_t body_begin) {
  Header parsed =
      with_offset(buffer_->position() + width, [&] { return parse_header(header, limits_); });
  const std::uint64_t most = std::min(limits_.max_input_bytes, limits_.memory_for(UINT64_MAX));
  if (parsed.size > most)
    throw Error(Status::limit,
                "the message header declares a body of " + std::to_string(parsed.size) +
                    " bytes, more than the limit of " + std::to_string(most),
                buffer_->position() + width)
        .detail("message.size");
  header_ = std::move(parsed);
  body_begin_ = body_begin;
}

/// The message that begins the held bytes, all of which is there.
ReceivedMessage MessageReader::take_message() {
  ReceivedMessage message;
  const auto size = static_cast<std::size_t>(header_->size);
  message.header = std::move(*header_);
  message.body = buffer_->view().substr(body_begin_, size);
  message.offset = buffer_->position();
  message.pin = buffer_->pin();
  with_offset(message.offset + body_begin_, [&] { unfold_header(message, limits_); });
  message.body_offset =
      message.offset + static_cast<std::uint64_t>(message.body.data() - buffer_->view().data());
  buffer_->consume(body_begin_ + size);
  header_.reset();
  searched_ = 0;
  return message;
}

std::uint64_t MessageReader::missing() const noexcept {
  const std::uint64_t held = buffer_->view().size();
  if (header_) {
    const std::uint64_t body = held - body_begin_;
    return body < header_->size ? header_->size - body : 0;
  }
  if (held == 0) return 0;
  return held < 2 * width ? 2 * width - held : 1;
}

void MessageReader::finish() const {
  if (error_) throw *error_;
  const std::uint64_t held = buffer_->view().size();
  if (held == 0 && !header_) return;
  const std::uint64_t end = buffer_->position() + held;
  if (!header_)
    throw Error(Status::truncated, "the last message is incomplete: it ends inside its header", end)
        .detail("message.incomplete");
  throw Error(Status::truncated,
              "the last message is incomplete: " + std::to_string(missing()) + " of the " +
                  std::to_string(header_->size) + " bytes of its body are missing",
              end)
      .detail("message.incomplete");
}

void MessageReader::skip_packets() noexcept {
  buffer_->consume(buffer_->view().size());
  packet_ends_.clear();
  header_.reset();
  error_.reset();
  searched_ = 0;
}

}  // namespace polycodec
