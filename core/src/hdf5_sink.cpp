// SPDX-License-Identifier: MIT
#include <polycodec/blob_sink.hpp>
#include <polycodec/error.hpp>

#include "hdf5_common.hpp"
#include "quote.hpp"

namespace polycodec {

namespace {

using hdf5::Handle;

[[noreturn]] void throw_failed(const std::string& what) {
  throw Error(Status::io, "cannot write " + what + " to the HDF5 file: " + hdf5::last_error());
}

}  // namespace

/// The file is made in memory, because the library can only name files and not be handed a temporary one.
struct Hdf5Sink::File {
  Handle file;

  File() {
    const hdf5::Lock lock;
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), &H5Pclose);
    if (!access || H5Pset_fapl_core(access.get(), std::size_t{1} << 20, false) < 0) throw_failed("anything");
    file = Handle(H5Fcreate(hdf5::image_name().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get()), &H5Fclose);
    if (!file) throw_failed("anything");
  }
  ~File() {
    const hdf5::Lock lock;
    file.reset();
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
};

Hdf5Sink::Hdf5Sink(const std::filesystem::path& path, const WriteOptions& options, std::uint64_t max_bytes)
    : BlobSink(max_bytes), path_(path), options_(options), file_(new File) {}

Hdf5Sink::~Hdf5Sink() = default;

void Hdf5Sink::do_drop() noexcept {
  file_.reset();
}

void Hdf5Sink::do_blob(const std::string& name, std::span<const Segment> segments) {
  if (file_ == nullptr) file_ = std::make_unique<File>();
  hsize_t size = 0;
  for (const Segment& segment : segments) size += segment.size;
  const hdf5::Lock lock;
  const Handle space(H5Screate_simple(1, &size, nullptr), &H5Sclose);
  const Handle links(H5Pcreate(H5P_LINK_CREATE), &H5Pclose);
  // No times in the file: the same blobs give the same bytes.
  const Handle creation(H5Pcreate(H5P_DATASET_CREATE), &H5Pclose);
  if (!space || !links || !creation || H5Pset_create_intermediate_group(links.get(), 1) < 0 ||
      H5Pset_char_encoding(links.get(), H5T_CSET_UTF8) < 0 || H5Pset_obj_track_times(creation.get(), false) < 0)
    throw_failed(quote(name));
  const Handle dataset(H5Dcreate2(file_->file.get(), name.c_str(), H5T_STD_U8LE, space.get(), links.get(),
                                  creation.get(), H5P_DEFAULT),
                       &H5Dclose);
  if (!dataset) throw_failed(quote(name));
  hsize_t start = 0;
  for (const Segment& segment : segments) {
    const hsize_t count = segment.size;
    const Handle part(H5Screate_simple(1, &count, nullptr), &H5Sclose);
    if (!part || H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, &start, nullptr, &count, nullptr) < 0 ||
        H5Dwrite(dataset.get(), H5T_STD_U8LE, part.get(), space.get(), H5P_DEFAULT, segment.data) < 0)
      throw_failed(quote(name));
    start += count;
  }
}

void Hdf5Sink::do_finish() {
  if (file_ == nullptr) file_ = std::make_unique<File>();
  std::string image;
  {
    const hdf5::Lock lock;
    if (H5Fflush(file_->file.get(), H5F_SCOPE_GLOBAL) < 0) throw_failed("the groups");
    const ssize_t size = H5Fget_file_image(file_->file.get(), nullptr, 0);
    if (size < 0) throw_failed("the groups");
    image.resize(static_cast<std::size_t>(size));
    if (H5Fget_file_image(file_->file.get(), image.data(), image.size()) != size) throw_failed("the groups");
  }
  file_.reset();
  write_file(path_, image, options_);
}

}  // namespace polycodec
