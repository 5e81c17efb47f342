// SPDX-License-Identifier: MIT
// Arrays over bytes.
#include <base/checked.hpp>

#include "array_parts.hpp"
#include "classes.hpp"
#include "numpy_array.hpp"

namespace polycodec::awkward {
namespace {

std::string_view bytes_of(Frame& frame) {
  const NodeView v = frame[0];
  if (v.kind() == POLYCODEC_KIND_BINARY) return v.as_bytes();
  if (v.is_array()) {
    const ArrayView a(*v.node()->as.array);
    if (a.layout() == POLYCODEC_LAYOUT_NDARRAY && a.is_contiguous()) return a.contiguous_bytes();
  }
  frame.fail_type(0, "bytes");
}

NumpyType type_of(Frame& frame) {
  static constexpr polycodec_node null{};
  if (!frame.has(1)) return parse_numpy_type(NodeView(&null));
  NodeView json = frame[1];
  if (json.kind() == POLYCODEC_KIND_EXTENSION) {
    if (to_string_view(json.as_extension().name) != dtype_name_word) frame.fail_type(1, "a dtype");
    json = NodeView(json.as_extension().payload);
  }
  try {
    return parse_numpy_type(json);
  } catch (Error& e) {
    e.path(frame.where(1));
    throw;
  }
}

}  // namespace

polycodec_node FromBuffer::run(Frame& frame) {
  const auto all = bytes_of(frame);
  const NumpyType type = type_of(frame);
  const std::uint64_t offset = frame.has(3) ? frame.count(3) : 0;
  if (offset > all.size())
    frame.fail(3, Status::malformed, "buffer.size",
               "an offset of " + std::to_string(offset) + " in a buffer of " +
                   std::to_string(all.size()) + " bytes");
  const auto bytes = all.substr(static_cast<std::size_t>(offset));
  const std::int64_t declared = frame.has(2) ? frame.integer(2) : -1;
  const std::uint64_t size = type.item_size;
  if (declared < -1)
    frame.fail(2, Status::malformed, "buffer.count",
               "a count of " + std::to_string(declared) +
                   ": expected -1, which is all, or a number that is not negative");
  if (declared == -1) {
    if (size == 0)
      frame.fail(2, Status::malformed, "buffer.count", "elements of no bytes need a count");
    if (bytes.size() % size != 0)
      frame.fail(0, Status::malformed, "buffer.size",
                 std::to_string(bytes.size()) + " bytes are no whole number of elements of " +
                     std::to_string(size) + " bytes");
    return Builder::array(numpy_array(frame.out, type, bytes, bytes.size() / size));
  }
  const auto count = static_cast<std::uint64_t>(declared);
  std::uint64_t needed = 0;
  if (count > frame.call.limits().max_elements)
    frame.fail(2, Status::limit, "awkward.limit",
               "a count of " + std::to_string(count) + " elements (max_elements)");
  if (!checked_mul(count, size, needed) || needed > bytes.size())
    frame.fail(0, Status::malformed, "buffer.size",
               "the buffer has " + std::to_string(bytes.size()) + " bytes, but " +
                   std::to_string(count) + " elements of " + std::to_string(size) +
                   " bytes are needed");
  if (needed < bytes.size())
    frame.call.log(POLYCODEC_LOG_WARNING, "awkward: " + std::to_string(bytes.size() - needed) +
                                              " bytes follow the " + std::to_string(count) +
                                              " elements of a buffer, and are ignored");
  return Builder::array(
      numpy_array(frame.out, type, bytes.substr(0, static_cast<std::size_t>(needed)), count));
}

}  // namespace polycodec::awkward
