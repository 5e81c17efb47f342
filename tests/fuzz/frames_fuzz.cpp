// SPDX-License-Identifier: MIT
// Any bytes as frames: what is accepted is a valid value, and taking it apart and putting it
// together again gives the same value. The first two bytes are the size of the header; one buffer
// follows it, if there are bytes left.

#include "core/call/budget.hpp"
#include "core/value/value.hpp"
#include "core/wire/frames.hpp"

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <vector>

using namespace polycodec;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  Limits limits;
  limits.max_memory_bytes = std::uint64_t{64} << 20;
  limits.max_nodes = std::uint64_t{1} << 20;
  limits.max_work = 2'000'000;
  std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::size_t header =
      bytes.size() - 2 < data[0] + 256u * data[1] ? bytes.size() - 2 : data[0] + 256u * data[1];
  bytes.remove_prefix(2);
  std::vector<Segment> buffers;
  if (bytes.size() > header) buffers.push_back({bytes.data() + header, bytes.size() - header});
  Value value;
  try {
    value = from_frames(bytes.substr(0, header), buffers, nullptr, limits);
  } catch (const Error&) {
    return 0;
  }
  validate(value.view(), limits, Validation::full);
  const Frames again = to_frames(value);
  const Value back = from_frames(again.header, again.buffers, nullptr, limits);
  try {
    CompareOptions options;
    options.budget = std::make_shared<Budget>(limits);
    if (first_difference(value.view(), back.view(), options)) std::abort();
  } catch (const Error& error) {
    if (error.code() != Status::limit) std::abort();  // huge on paper
  }
  return 0;
}
