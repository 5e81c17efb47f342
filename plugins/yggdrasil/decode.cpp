// SPDX-License-Identifier: MIT
#include "decode.hpp"

#include <base/path.hpp>

#include <string>
#include <utility>

namespace polycodec::yggdrasil {

Decoder::Decoder(const Settings& settings, const Call& call, Builder& out)
    : settings_(settings),
      call_(call),
      out_(out),
      nodes_left_(call.limits().max_nodes),
      max_depth_(call.limits().max_depth) {}

const polycodec_node* Decoder::all(std::string_view input) {
  if (input.size() > call_.limits().max_input_bytes)
    throw Error(Status::limit, "the input has " + std::to_string(input.size()) +
                                   " bytes, the limit is " +
                                   std::to_string(call_.limits().max_input_bytes))
        .detail("yggdrasil.limit");
  take_nodes(1, 0);
  const Datatype* type = nullptr;
  if (settings_.dialect != Dialect::current && settings_.datatype) type = &*settings_.datatype;
  const bool typed = settings_.dialect != Dialect::legacy;
  return out_.root(parse(input, {}, {typed, settings_.lenient_utf8}, type, 0));
}

void Decoder::take_nodes(std::uint64_t count, std::uint64_t offset) {
  if (count > nodes_left_) [[unlikely]]
    fail(Status::limit, "yggdrasil.limit",
         "the value has more than " + std::to_string(call_.limits().max_nodes) + " nodes", offset);
  nodes_left_ -= count;
}

void Decoder::take_levels(std::uint64_t depth, std::uint64_t offset) {
  if (depth > max_depth_) [[unlikely]]
    fail(Status::limit, "yggdrasil.limit",
         "nested deeper than the limit of " + std::to_string(max_depth_), offset);
  call_.check_stack();
  if (depth > deepest_) deepest_ = static_cast<std::uint32_t>(depth);
}

std::string Decoder::path() const {
  std::string path = "$";
  for (std::size_t i = 0; i < frames_.size(); ++i) {
    const Frame& frame = frames_[i];
    const std::size_t end = i + 1 < frames_.size() ? frames_[i + 1].first : stack_.size();
    const std::size_t count = end - frame.first;
    if (frame.label != nullptr) {
      path += frame.label;
    } else if (!frame.object) {
      path += '[' + std::to_string(count) + ']';
    } else if (count % 2 != 0) {
      append_key(path, NodeView(stack_.begin() + end - 1).as_string());
    }
  }
  return path;
}

void Decoder::fail(Status status, const char* detail, std::string message,
                   std::uint64_t offset) const {
  throw Error(status, std::move(message), offset).detail(detail).path(path());
}

void Decoder::fail_at(const Error& error, std::uint64_t offset) const {
  Error known = error;
  if (known.offset() == Error::no_offset) known.offset(offset);
  if (known.path().empty()) known.path(path());
  throw known;
}

}  // namespace polycodec::yggdrasil
