// SPDX-License-Identifier: MIT
#include "codec.hpp"

#include <draco/compression/decode.h>

#include <cstring>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

namespace polycodec::draco {
namespace {

[[noreturn]] void fail(Status status, const char* detail, const std::string& message) {
  throw Error(status, message, 0).detail(detail);
}

/// What the library gives, or its error.
template <class T>
T checked(::draco::StatusOr<T> result) {
  if (result.ok()) return std::move(result).value();
  const ::draco::Status& status = result.status();
  const bool known = status.code() != ::draco::Status::UNKNOWN_VERSION &&
                     status.code() != ::draco::Status::UNSUPPORTED_VERSION &&
                     status.code() != ::draco::Status::UNSUPPORTED_FEATURE;
  fail(known ? Status::malformed : Status::unsupported, known ? "draco.damaged" : "draco.version",
       "libdraco cannot decode the bytes: " +
           (status.error_msg_string().empty() ? "they are damaged" : status.error_msg_string()));
}

/// The whole content. A mesh is a point cloud with faces.
std::unique_ptr<::draco::PointCloud> read(std::string_view bytes) {
  ::draco::DecoderBuffer buffer;
  buffer.Init(bytes.data(), bytes.size());
  ::draco::Decoder decoder;
  try {
    if (checked(::draco::Decoder::GetEncodedGeometryType(&buffer)) == ::draco::TRIANGULAR_MESH)
      return checked(decoder.DecodeMeshFromBuffer(&buffer));
    return checked(decoder.DecodePointCloudFromBuffer(&buffer));
  } catch (const std::length_error&) {
    fail(Status::malformed, "draco.damaged", "the bytes say counts that do not fit into memory");
  }
}

std::uint32_t dtype_of_values(::draco::DataType type) {
  switch (type) {
    case ::draco::DT_INT8:
      return POLYCODEC_DTYPE_INT8;
    case ::draco::DT_UINT8:
      return POLYCODEC_DTYPE_UINT8;
    case ::draco::DT_INT16:
      return POLYCODEC_DTYPE_INT16;
    case ::draco::DT_UINT16:
      return POLYCODEC_DTYPE_UINT16;
    case ::draco::DT_INT32:
      return POLYCODEC_DTYPE_INT32;
    case ::draco::DT_UINT32:
      return POLYCODEC_DTYPE_UINT32;
    case ::draco::DT_INT64:
      return POLYCODEC_DTYPE_INT64;
    case ::draco::DT_UINT64:
      return POLYCODEC_DTYPE_UINT64;
    case ::draco::DT_FLOAT32:
      return POLYCODEC_DTYPE_FLOAT32;
    case ::draco::DT_FLOAT64:
      return POLYCODEC_DTYPE_FLOAT64;
    default:
      return POLYCODEC_DTYPE_NONE;
  }
}

/// `rows` times `columns` numbers in the arena; one column makes a plain array.
const polycodec_array* rows_of(Builder& out, std::string_view memory, std::uint64_t rows,
                               std::uint64_t columns, std::uint32_t dtype) {
  const std::int64_t shape[] = {static_cast<std::int64_t>(rows),
                                static_cast<std::int64_t>(columns)};
  return out.ndarray(memory, dtype, dtype_size(dtype),
                     std::span(shape, columns == 1 ? std::size_t{1} : std::size_t{2}));
}

/// The values of an attribute, one row for each point.
const polycodec_array* values_of(const Call& call, const ::draco::PointAttribute& attribute,
                                 std::uint32_t points, const std::string& path, Builder& out) {
  const std::uint32_t dtype = dtype_of_values(attribute.data_type());
  if (dtype == POLYCODEC_DTYPE_NONE || attribute.num_components() == 0)
    throw Error(Status::unsupported, "an attribute of the data type " +
                                         std::to_string(attribute.data_type()) + " with " +
                                         std::to_string(attribute.num_components()) +
                                         " components: must be integers or floats")
        .detail("draco.data_type")
        .path(path);
  const std::uint64_t columns = attribute.num_components();
  const std::uint64_t row = columns * dtype_size(dtype);
  const std::uint64_t size = points * row;
  call.tick(points + size / 16);
  auto* const to = out.allocate<char>(size);
  // Of damaged bytes, the library checks none of these.
  const ::draco::DataBuffer* const held = attribute.buffer();
  const std::uint64_t held_size = held == nullptr ? 0 : held->data_size();
  const bool mapped = attribute.is_mapping_identity() || attribute.indices_map_size() >= points;
  for (std::uint32_t k = 0; k < points; ++k) {
    const auto at = mapped ? attribute.mapped_index(::draco::PointIndex(k))
                           : ::draco::kInvalidAttributeValueIndex;
    const std::int64_t from = at.value() < attribute.size() ? attribute.GetBytePos(at) : -1;
    if (from < 0 || held_size < row || static_cast<std::uint64_t>(from) > held_size - row)
      throw Error(Status::malformed, "point " + std::to_string(k) +
                                         " has a value outside of its attribute, which has " +
                                         std::to_string(attribute.size()) +
                                         ": the bytes are damaged")
          .detail("draco.damaged")
          .path(path);
    std::memcpy(to + k * row, held->data() + from, row);
  }
  return rows_of(out, {to, size}, points, columns, dtype);
}

/// The points of each triangle.
const polycodec_array* faces_of(const Call& call, const ::draco::Mesh& mesh, Builder& out) {
  const std::uint32_t faces = mesh.num_faces();
  call.tick(3 * std::uint64_t{faces});
  auto* const to = out.allocate<std::uint32_t>(3 * std::uint64_t{faces});
  for (std::uint32_t i = 0; i < faces; ++i)
    for (std::size_t c = 0; c < 3; ++c) {
      const std::uint32_t point = mesh.face(::draco::FaceIndex(i))[c].value();
      if (point >= mesh.num_points())
        throw Error(Status::malformed, "point " + std::to_string(point) + " of " +
                                           std::to_string(mesh.num_points()) +
                                           ": the bytes are damaged")
            .detail("draco.damaged")
            .path("$.faces[" + std::to_string(i) + "]");
      to[3 * std::uint64_t{i} + c] = point;
    }
  return rows_of(out, bytes_of(std::span<const std::uint32_t>(to, 3 * std::size_t{faces})), faces,
                 3, POLYCODEC_DTYPE_UINT32);
}

}  // namespace

Node Draco::decode(Call& call, const Input& input, Builder& out) const {
  const std::string_view bytes = input.bytes();
  if (!bytes.starts_with("DRACO"))
    fail(Status::malformed, "draco.magic", "the bytes do not begin with 'DRACO'");
  call.tick(8 * bytes.size());  // the library asks for no more while it decodes
  const auto cloud = read(bytes);
  const std::uint32_t points = cloud->num_points();
  const auto* const mesh = dynamic_cast<const ::draco::Mesh*>(cloud.get());
  const std::uint64_t most = call.limits().max_elements;
  if (points > most || (mesh != nullptr && mesh->num_faces() > most))
    fail(Status::limit, "draco.limit",
         "more points or faces than max_elements (" + std::to_string(most) + ")");
  auto attributes = out.list();
  for (std::int32_t i = 0; i < cloud->num_attributes(); ++i) {
    const ::draco::PointAttribute& attribute = *cloud->attribute(i);
    const std::string path = "$.attributes[" + std::to_string(i) + "]";
    attributes.push(out.object(
        {{"id", Builder::unsigned_integer(attribute.unique_id())},
         {"type",
          out.string_copy(::draco::GeometryAttribute::TypeToString(attribute.attribute_type()))},
         {"normalized", Builder::boolean(attribute.normalized())},
         {"values", Builder::array(values_of(call, attribute, points, path, out))}}));
  }
  auto made = out.object();
  made.push("attributes", attributes);
  if (mesh != nullptr) made.push("faces", Builder::array(faces_of(call, *mesh, out)));
  return made;
}

}  // namespace polycodec::draco
