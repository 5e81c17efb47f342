// SPDX-License-Identifier: MIT
#include "codec.hpp"

#include <polycodec/checked.hpp>

#include <meshoptimizer.h>

#include <string>

namespace polycodec::meshopt {
namespace {

[[noreturn]] void refuse_option(const std::string& message) {
  throw Error(Status::option, message).detail("meshopt.option");
}

std::string text(std::uint64_t number) {
  return std::to_string(number);
}

}  // namespace

Meshopt::Meshopt(Call&, const Options& options)
    : count_(static_cast<std::uint64_t>(options.get("count", std::int64_t{1}))),
      stride_(static_cast<std::uint64_t>(options.get("byte_stride", std::int64_t{4}))),
      mode_(options.choice<Mode>("mode", {{"ATTRIBUTES", Mode::attributes},
                                          {"TRIANGLES", Mode::triangles},
                                          {"INDICES", Mode::indices}})),
      filter_(options.choice<Filter>("filter", {{"NONE", Filter::none},
                                                {"OCTAHEDRAL", Filter::octahedral},
                                                {"QUATERNION", Filter::quaternion},
                                                {"EXPONENTIAL", Filter::exponential}})) {}

void Meshopt::check() const {
  // The library asserts these.
  if (mode_ == Mode::attributes) {
    if (stride_ % 4 != 0 || stride_ == 0 || stride_ > 256)
      refuse_option("byte_stride " + text(stride_) +
                    ": must be a multiple of 4 up to 256 in the mode ATTRIBUTES");
  } else if (stride_ != 2 && stride_ != 4) {
    refuse_option("byte_stride " + text(stride_) + ": must be 2 or 4 for indices");
  }
  if (mode_ == Mode::triangles && count_ % 3 != 0)
    refuse_option("count " + text(count_) + ": must be a multiple of 3 in the mode TRIANGLES");
  if (mode_ != Mode::attributes && filter_ != Filter::none)
    refuse_option("a filter needs the mode ATTRIBUTES");
  if (filter_ == Filter::octahedral && stride_ != 4 && stride_ != 8)
    refuse_option("byte_stride " + text(stride_) + ": must be 4 or 8 with the filter OCTAHEDRAL");
  if (filter_ == Filter::quaternion && stride_ != 8)
    refuse_option("byte_stride " + text(stride_) + ": must be 8 with the filter QUATERNION");
}

Node Meshopt::decode(Call& call, const Input& input, Builder& out) const {
  check();
  const std::string_view bytes = input.bytes();
  const auto size = checked_mul(count_, stride_);
  if (count_ > call.limits().max_elements || !size)
    throw Error(Status::limit, "count " + text(count_) + " exceeds max_elements (" +
                                   text(call.limits().max_elements) + ")")
        .detail("meshopt.limit");
  call.tick(*size / 4);
  auto* const to = out.allocate<std::uint64_t>((*size + 7) / 8);
  const auto* const from = reinterpret_cast<const unsigned char*>(bytes.data());
  const auto count = static_cast<std::size_t>(count_);
  const auto stride = static_cast<std::size_t>(stride_);
  int failed = 0;
  switch (mode_) {
    case Mode::attributes:
      failed = meshopt_decodeVertexBuffer(to, count, stride, from, bytes.size());
      break;
    case Mode::triangles:
      failed = meshopt_decodeIndexBuffer(to, count, stride, from, bytes.size());
      break;
    case Mode::indices:
      failed = meshopt_decodeIndexSequence(to, count, stride, from, bytes.size());
      break;
  }
  if (failed != 0)
    throw Error(failed == -2 ? Status::truncated : Status::malformed,
                text(bytes.size()) + " bytes are not " + text(count_) + " elements of " +
                    text(stride_) + " bytes: they are damaged, or another mode, count or stride",
                0)
        .detail("meshopt.damaged");
  if (filter_ == Filter::octahedral) meshopt_decodeFilterOct(to, count, stride);
  if (filter_ == Filter::quaternion) meshopt_decodeFilterQuat(to, count, stride);
  if (filter_ == Filter::exponential) meshopt_decodeFilterExp(to, count, stride);
  return Builder::bytes_view({reinterpret_cast<const char*>(to), static_cast<std::size_t>(*size)});
}

}  // namespace polycodec::meshopt
