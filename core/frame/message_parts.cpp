// SPDX-License-Identifier: MIT
#include <base/json_writer.hpp>
#include <polycodec/error.hpp>

#include "core/frame/frame.hpp"
#include "core/frame/message.hpp"
#include "core/text/json_text.hpp"

#include <algorithm>

namespace polycodec {

namespace {

std::uint64_t size_of(std::span<const Segment> segments) {
  std::uint64_t size = 0;
  for (const Segment& segment : segments) size += segment.size;
  return size;
}

/// Cuts segments into parts of at most `most` bytes.
class Cutter {
 public:
  Cutter(std::uint64_t most, std::vector<Segment>& segments, std::vector<std::size_t>& begins)
      : most_(most), segments_(segments), begins_(begins) {}

  void add(const void* data, std::size_t size) {
    const auto* at = static_cast<const char*>(data);
    while (size != 0) {
      if (left_ == 0) {
        begins_.push_back(segments_.size());
        left_ = most_;
      }
      const auto now = static_cast<std::size_t>(std::min<std::uint64_t>(size, left_));
      segments_.push_back({at, now});
      at += now;
      size -= now;
      left_ -= now;
    }
  }

 private:
  std::uint64_t most_;
  std::uint64_t left_ = 0;
  std::vector<Segment>& segments_;
  std::vector<std::size_t>& begins_;
};

bool has_meta(const Header& header, std::string_view name) {
  return header.find(name, true) != nullptr;
}

}  // namespace

std::span<const Segment> MessageParts::part(std::size_t index) const noexcept {
  const std::size_t begin = begins_[index];
  const std::size_t end = index + 1 < begins_.size() ? begins_[index + 1] : segments_.size();
  return std::span(segments_).subspan(begin, end - begin);
}

MessageParts make_parts(const Header& given, std::span<const Segment> body,
                        const PartOptions& options) {
  Header header = given;
  header.in_data = false;
  if (header.id.empty()) header.id = make_message_id();
  const std::uint64_t body_size = size_of(body);
  const std::uint64_t most = options.max_part_bytes;
  std::string frame = build_frame(header, body_size, options.style);
  MessageParts parts;
  if (frame.size() > most || most - frame.size() < body_size) {
    if (!options.address.empty() && !has_meta(header, "address")) {
      header.meta.push_back({"address", to_json_string(options.address)});
      frame = build_frame(header, body_size, options.style);
    }
    if (frame.size() > most) {
      const std::string rest = build_rest_of_header(header);
      Header front;
      front.id = header.id;
      front.meta = header.meta;
      front.in_data = true;
      const auto style =
          options.style == HeaderStyle::legacy ? HeaderStyle::legacy : HeaderStyle::meta_only;
      frame = build_frame(front, rest.size() + body_size, style);
      if (frame.size() > most)
        throw Error(Status::limit, "a part of " + std::to_string(most) +
                                       " bytes does not hold a message header: " +
                                       std::to_string(frame.size()) + " bytes are needed");
      frame += rest;
      parts.in_data_ = true;
    }
  }
  parts.id_ = header.id;
  parts.frame_.assign(frame.begin(), frame.end());
  parts.size_ = frame.size() + body_size;
  Cutter cutter(most, parts.segments_, parts.begins_);
  cutter.add(parts.frame_.data(), parts.frame_.size());
  for (const Segment& segment : body) cutter.add(segment.data, segment.size);
  return parts;
}

MessageParts make_parts(const Header& header, std::string_view body, const PartOptions& options) {
  const Segment segment{body.data(), body.size()};
  return make_parts(header, std::span(&segment, 1), options);
}

}  // namespace polycodec
