// SPDX-License-Identifier: MIT
#include <polycodec/byte_order.hpp>
#include <polycodec/error.hpp>

#include "codec.hpp"

#include <string>

namespace polycodec::stl {

Facets read_binary(const Call& call, std::string_view bytes, const Settings& settings) {
  const auto text = [](std::uint64_t n) { return std::to_string(n); };
  if (bytes.size() < header_size)
    throw Error(Status::truncated,
                "a binary STL file of " + text(bytes.size()) + " bytes: it begins with " +
                    text(header_size) +
                    " bytes, the header and the count of facets; an ascii file "
                    "begins with 'solid'",
                bytes.size())
        .detail("stl.truncated");
  Facets facets;
  facets.is_binary = true;
  const std::uint64_t declared = load_le<std::uint32_t>(bytes.data() + comment_size);
  const std::uint64_t there = (bytes.size() - header_size) / facet_size;
  facets.count = declared;
  const auto mend = [&](const std::string& what) {
    facets.count = there;
    call.report_loss(LossClass::mended, "$.facets",
                     "byte " + text(comment_size) + ": " + what + "; read with the " + text(there) +
                         " facets that the file has");
  };
  // A file with facets is not read as one without, nor is one without facets made of a count.
  const bool may_mend = settings.tolerant && there != 0;
  if (declared > there) {
    const std::string what =
        "the file ends after " + text(there) + " of " + text(declared) + " facets";
    if (!may_mend)
      throw Error(Status::truncated, what + ": each takes " + text(facet_size) + " bytes",
                  bytes.size())
          .detail("stl.truncated");
    mend(what);
  } else if (declared == 0 && there != 0) {
    const std::string what =
        "the count of facets is 0, but " + text(bytes.size() - header_size) + " bytes follow it";
    if (!may_mend) throw Error(Status::malformed, what, comment_size).detail("stl.bad_count");
    mend(what);
  }
  const std::uint64_t size = facets.count * facet_size;  // at most 2^38
  if (const std::uint64_t extra = bytes.size() - header_size - size; extra != 0) {
    const std::string message =
        text(extra) + " bytes follow the " + text(facets.count) + " facets that the file counts";
    if (settings.strict)
      throw Error(Status::trailing, message, header_size + size).detail("stl.trailing_bytes");
    if (settings.tolerant)
      call.report_loss(LossClass::note, "$.facets", message + " and are left out");
    else
      call.log(POLYCODEC_LOG_WARNING, "stl: " + message);
  }
  facets.header = bytes.substr(0, comment_size);
  facets.block = bytes.substr(header_size, size);
  const auto* first = reinterpret_cast<const std::byte*>(facets.block.data());
  facets.normals = {.data = first,
                    .rows = facets.count,
                    .row_stride = 50,
                    .vector_stride = 12,
                    .number_stride = 4,
                    .dtype = POLYCODEC_DTYPE_FLOAT32,
                    .byte_order = POLYCODEC_LITTLE_ENDIAN};
  facets.vertices = facets.normals;
  facets.vertices.data = first + 12;
  facets.attributes = {first + 48, 50, POLYCODEC_LITTLE_ENDIAN};
  return facets;
}

}  // namespace polycodec::stl
