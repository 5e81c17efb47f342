// SPDX-License-Identifier: MIT
#include "decoding.hpp"

#include <polycodec/path.hpp>

#include <utility>

namespace polycodec::yggdrasil {

void Decoding::take_nodes(std::uint64_t count, std::uint64_t offset) {
  if (count > nodes_left) [[unlikely]]
    too_many_nodes(offset);
  nodes_left -= count;
}

void Decoding::take_levels(std::uint64_t depth, std::uint64_t offset) {
  if (depth > max_depth) [[unlikely]]
    too_deep(offset);
  call.check_stack();
  if (depth > deepest) deepest = static_cast<std::uint32_t>(depth);
}

void Decoding::too_many_nodes(std::uint64_t offset) const {
  fail(Status::limit, "yggdrasil.limit",
       "the value has more nodes than max_nodes (" + std::to_string(call.limits().max_nodes) + ")",
       offset);
}

void Decoding::too_deep(std::uint64_t offset) const {
  fail(Status::limit, "yggdrasil.limit",
       "nested deeper than max_depth (" + std::to_string(max_depth) + ")", offset);
}

std::string Decoding::path() const {
  std::string path = "$";
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const Frame& frame = frames[i];
    const std::size_t end = i + 1 < frames.size() ? frames[i + 1].first : stack.size();
    const std::size_t count = end - frame.first;
    if (frame.label != nullptr) {
      path += frame.label;
    } else if (!frame.object) {
      path += '[' + std::to_string(count) + ']';
    } else if (count % 2 != 0) {
      append_key(path, NodeView(stack.begin() + end - 1).as_string());
    }
  }
  return path;
}

void Decoding::fail(Status status, const char* detail, std::string message,
                    std::uint64_t offset) const {
  throw Error(status, std::move(message), offset).detail(detail).path(path());
}

void Decoding::fail_at(const Error& error, std::uint64_t offset) const {
  Error known = error;
  if (known.offset() == Error::no_offset) known.offset(offset);
  if (known.path().empty()) known.path(path());
  throw known;
}

}  // namespace polycodec::yggdrasil
