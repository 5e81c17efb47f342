// SPDX-License-Identifier: MIT
#include "datasets.hpp"

#include <polycodec/builder.hpp>
#include <polycodec/quote.hpp>

#include <algorithm>

namespace polycodec::hdf5 {

namespace {

// Below this, a copy costs less than finding out where the bytes lie.
constexpr std::uint64_t min_view_bytes = 4096;

/// Rows of the outermost dimension that hold bytes [offset, offset + size).
struct Rows {
  hsize_t first = 0, count = 0;
  std::uint64_t bytes = 0;  // of one row
};

/// The chunks of a dataset are unpacked one at a time, in memory of the library.
void check_chunk(const Call& call, hid_t creation, std::uint64_t element_size, int rank,
                 const std::string& name) {
  hsize_t chunk[H5S_MAX_RANK];
  if (rank <= 0 || H5Pget_layout(creation) != H5D_CHUNKED ||
      H5Pget_chunk(creation, rank, chunk) != rank)
    return;
  std::uint64_t bytes = element_size;
  for (int i = 0; i < rank; ++i)
    if (!checked_mul(bytes, chunk[i], bytes)) bytes = UINT64_MAX, i = rank;
  if (bytes > call.limits().max_memory_bytes)
    throw Error(Status::limit, "a chunk of the dataset " + quote(name) + " has " +
                                   std::to_string(bytes) +
                                   " bytes: more than max_memory_bytes allows");
}

}  // namespace

std::shared_ptr<OpenFile> open_existing(Call& call, const polycodec_file* file,
                                        polycodec_output_file* output, const Options& options) {
  auto open = std::make_shared<OpenFile>(file, output);
  open->host.find_size(call);
  char magic[8];
  if (open->host.size() < sizeof magic ||
      File(call, file).read_at(0, magic, sizeof magic) != sizeof magic ||
      std::string_view(magic, sizeof magic) != std::string_view("\x89HDF\r\n\x1a\n", 8))
    throw Error(Status::malformed, "not an HDF5 file", 0).detail("hdf5.magic");
  const Session session(open->host, call);
  std::string reason;
  open->file = open_file(open->host, output == nullptr ? H5F_ACC_RDONLY : H5F_ACC_RDWR, reason);
  if (!open->file)
    open->host.throw_failure(Error(Status::malformed, "the HDF5 file is broken or cut short (" +
                                                          std::to_string(open->host.size()) +
                                                          " bytes): " + reason)
                                 .detail("hdf5.broken"));
  const std::string group = options.get("group", "/");
  open->group = Handle(H5Gopen2(open->file.get(), group.c_str(), H5P_DEFAULT), &H5Gclose);
  if (!open->group)
    open->host.throw_failure(
        Error(Status::not_found, "no group " + quote(group) + ": " + last_error()));
  return open;
}

Datasets::Datasets(Call& call, std::shared_ptr<OpenFile> file, bool in_place)
    : file_(std::move(file)), in_place_(in_place) {
  {
    const Session session(file_->host, call);
    all_ = list_datasets(file_->host, call, file_->group.get());
  }
  index_.reserve(all_.datasets.size());
  for (std::size_t i = 0; i < all_.datasets.size(); ++i) index_.emplace(all_.datasets[i].name, i);
}

const Dataset& Datasets::at(std::uint64_t i) const {
  if (i >= count())
    throw Error(Status::range,
                "no blob " + std::to_string(i) + ": the store has " + std::to_string(count()));
  return all_.datasets[static_cast<std::size_t>(i)];
}

Blob Datasets::entry(Call&, std::uint64_t i) const {
  const Dataset& dataset = at(i);
  return {dataset.name, dataset.owner, dataset.size};
}

std::optional<std::uint64_t> Datasets::find(Call&, std::string_view name) const {
  if (const auto found = index_.find(name); found != index_.end()) return found->second;
  if (const auto refused = all_.refused.find(name); refused != all_.refused.end())
    throw Error(refused->second.status, quote(name) + " " + refused->second.why)
        .detail("hdf5.refused");
  return std::nullopt;
}

std::string_view Datasets::read(Call& call, std::uint64_t i, std::uint64_t offset,
                                std::uint64_t size) const {
  const Dataset& entry = at(i);
  offset = std::min(offset, entry.size);
  size = std::min(size, entry.size - offset);
  if (size == 0) return {};
  const Session session(file_->host, call);
  const auto broken = [&](const std::string& why) {
    file_->host.throw_failure(
        Error(Status::malformed, "the dataset " + quote(entry.name) + " " + why)
            .detail("hdf5.broken"));
  };
  const Handle dataset(H5Dopen2(file_->group.get(), entry.name.c_str(), H5P_DEFAULT), &H5Dclose);
  if (!dataset) broken("cannot be opened: " + last_error());
  const Handle type(H5Dget_type(dataset.get()), &H5Tclose);
  const Handle space(H5Dget_space(dataset.get()), &H5Sclose);
  const Handle creation(H5Dget_create_plist(dataset.get()), &H5Pclose);
  std::uint64_t now = 0;
  if (!type || !space || !creation || !byte_size(dataset.get(), type.get(), now) ||
      now != entry.size)
    broken("has changed");

  // The library reads as many bytes as the shape says from a compact dataset, also beyond its end.
  if (H5Pget_layout(creation.get()) == H5D_COMPACT &&
      H5Dget_storage_size(dataset.get()) < entry.size)
    broken("stores fewer bytes than its shape says");
  if (in_place_ && size >= min_view_bytes && H5Pget_layout(creation.get()) == H5D_CONTIGUOUS) {
    const haddr_t start = H5Dget_offset(dataset.get());
    std::uint64_t end = 0;
    if (start != HADDR_UNDEF && H5Dget_storage_size(dataset.get()) == entry.size &&
        checked_add(start, entry.size, end) && end <= file_->host.size())
      return file_->host.view(start + offset, size);
  }

  hsize_t dimensions[H5S_MAX_RANK];
  const int rank = H5Sget_simple_extent_dims(space.get(), dimensions, nullptr);
  if (rank < 0) broken("has a broken shape");
  check_chunk(call, creation.get(), H5Tget_size(type.get()), rank, entry.name);
  Rows rows{0, 1, entry.size};
  if (rank > 0) {
    rows.bytes = entry.size / dimensions[0];  // neither is 0: the dataset has bytes
    rows.first = offset / rows.bytes;
    rows.count = (offset + size - 1) / rows.bytes - rows.first + 1;
  }
  const std::uint64_t taken = rows.count * rows.bytes;
  const bool packed = H5Pget_nfilters(creation.get()) > 0;
  call.tick(taken / (packed ? 2 : 16));
  auto* memory = Builder(call).allocate<char>(taken);
  Handle part;
  if (rank > 0) {
    const std::vector<hsize_t> zeros(static_cast<std::size_t>(rank), 0);
    std::vector<hsize_t> start = zeros, count(dimensions, dimensions + rank);
    start[0] = rows.first, count[0] = rows.count;
    part = Handle(H5Screate_simple(rank, count.data(), nullptr), &H5Sclose);
    if (!part || H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr,
                                     count.data(), nullptr) < 0)
      broken("cannot be read: " + last_error());
  }
  if (H5Dread(dataset.get(), type.get(), part ? part.get() : H5S_ALL, part ? space.get() : H5S_ALL,
              H5P_DEFAULT, memory) < 0)
    broken("cannot be read: " + last_error());
  return {memory + (offset - rows.first * rows.bytes), static_cast<std::size_t>(size)};
}

}  // namespace polycodec::hdf5
