// SPDX-License-Identifier: MIT
#include "writer.hpp"

#include <base/blob_name.hpp>
#include <polycodec/quote.hpp>

namespace polycodec::hdf5 {

DatasetWriter::DatasetWriter(Call& call, polycodec_output_file* file, const Options& options)
    : file_(std::make_shared<OpenFile>(file->file, file)) {
  file_->host.find_size(call);
  const std::string group = options.get("group", "/");
  const Session session(file_->host, call);
  std::string reason;
  file_->file = open_file(file_->host, H5F_ACC_TRUNC, reason);
  if (!file_->file) throw_failed("anything");
  if (group != "/") {
    const Handle links(H5Pcreate(H5P_LINK_CREATE), &H5Pclose);
    if (!links || H5Pset_create_intermediate_group(links.get(), 1) < 0) throw_failed("the group");
    file_->group =
        Handle(H5Gcreate2(file_->file.get(), group.c_str(), links.get(), H5P_DEFAULT, H5P_DEFAULT),
               &H5Gclose);
  } else {
    file_->group = Handle(H5Gopen2(file_->file.get(), "/", H5P_DEFAULT), &H5Gclose);
  }
  if (!file_->group) throw_failed("the group");
}

DatasetWriter::DatasetWriter(std::shared_ptr<OpenFile> file, std::unique_ptr<Datasets> base)
    : file_(std::move(file)), base_(make_store(std::move(base))) {}

DatasetWriter::~DatasetWriter() {
  if (base_ != nullptr) base_->release(base_);
}

void DatasetWriter::throw_failed(const std::string& what) {
  file_->host.throw_failure(
      Error(Status::io, "cannot write " + what + " to the HDF5 file: " + last_error()));
}

/// Nothing is called `name` yet, and everything above it is a group or not there.
void DatasetWriter::check_free(const std::string& name) {
  for (std::size_t end = 0; end != std::string::npos;) {
    end = name.find('/', end + 1);
    const std::string part = name.substr(0, end);
    const htri_t there = H5Lexists(file_->group.get(), part.c_str(), H5P_DEFAULT);
    if (there < 0) throw_failed(quote(name));
    if (there == 0) return;
    const Handle object(
        end == std::string::npos ? -1 : H5Oopen(file_->group.get(), part.c_str(), H5P_DEFAULT),
        &H5Oclose);
    if (!object || H5Iget_type(object.get()) != H5I_GROUP)
      throw Error(Status::invalid, "the name " + quote(part) + " is taken: give another name")
          .detail("store.duplicate_name");
  }
}

polycodec_sink* DatasetWriter::begin_blob(Call& call, std::string_view name,
                                          std::string_view owner) {
  end_blob(call);
  if (const char* fault = blob_name_fault(name))
    throw Error(Status::invalid, quote(name) + " may not name a blob: " + fault)
        .detail("store.unsafe_name");
  const Session session(file_->host, call);
  name_ = name;
  check_free(name_);
  owner_ = owner;
  open_ = true;
  return buffer_.begin(call.limits().max_output_bytes);
}

void DatasetWriter::write_owner(hid_t dataset) {
  if (owner_.empty()) return;
  const Handle type(H5Tcopy(H5T_C_S1), &H5Tclose);
  const Handle space(H5Screate(H5S_SCALAR), &H5Sclose);
  if (!type || !space || H5Tset_size(type.get(), owner_.size()) < 0 ||
      H5Tset_strpad(type.get(), H5T_STR_NULLPAD) < 0 || H5Tset_cset(type.get(), H5T_CSET_UTF8) < 0)
    throw_failed("the owner");
  const Handle attribute(
      H5Acreate2(dataset, owner_attribute, type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT),
      &H5Aclose);
  if (!attribute || H5Awrite(attribute.get(), type.get(), owner_.data()) < 0)
    throw_failed("the owner");
}

void DatasetWriter::end_blob(const Call& call) {
  if (!open_) return;
  open_ = false;
  const auto segments = buffer_.segments();
  hsize_t size = 0;
  for (const std::string_view segment : segments) size += segment.size();
  call.tick(size / 16);
  const Session session(file_->host, call);
  const Handle space(H5Screate_simple(1, &size, nullptr), &H5Sclose);
  const Handle links(H5Pcreate(H5P_LINK_CREATE), &H5Pclose);
  // No times in the file: the same blobs give the same bytes.
  const Handle creation(H5Pcreate(H5P_DATASET_CREATE), &H5Pclose);
  if (!space || !links || !creation || H5Pset_create_intermediate_group(links.get(), 1) < 0 ||
      H5Pset_char_encoding(links.get(), H5T_CSET_UTF8) < 0 ||
      H5Pset_obj_track_times(creation.get(), false) < 0)
    throw_failed(quote(name_));
  const Handle dataset(H5Dcreate2(file_->group.get(), name_.c_str(), H5T_STD_U8LE, space.get(),
                                  links.get(), creation.get(), H5P_DEFAULT),
                       &H5Dclose);
  if (!dataset) throw_failed(quote(name_));
  hsize_t start = 0;
  for (const std::string_view segment : segments) {
    const hsize_t count = segment.size();
    if (count == 0) continue;
    const Handle part(H5Screate_simple(1, &count, nullptr), &H5Sclose);
    if (!part ||
        H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, &start, nullptr, &count, nullptr) < 0 ||
        H5Dwrite(dataset.get(), H5T_STD_U8LE, part.get(), space.get(), H5P_DEFAULT,
                 segment.data()) < 0)
      throw_failed(quote(name_));
    start += count;
  }
  write_owner(dataset.get());
  file_->host.check_written();
  buffer_.drop();
}

void DatasetWriter::remove(Call& call, std::uint64_t i, std::string_view owner) {
  if (base_ == nullptr) throw Error(Status::not_found, "a new store has no blob to remove");
  const Blob blob = Store(call, base_)[i];
  if (blob.owner != owner)
    throw Error(Status::denied, "the blob " + quote(blob.name) + " belongs to " +
                                    quote(blob.owner) + ", not to " + quote(owner))
        .detail("store.owner");
  const Session session(file_->host, call);
  if (H5Ldelete(file_->group.get(), std::string(blob.name).c_str(), H5P_DEFAULT) < 0)
    throw_failed("the removal of " + quote(blob.name));
  file_->host.check_written();
  removed_.emplace_back(blob.name);
}

/// Removes the groups above a removed blob that hold nothing any more.
void DatasetWriter::remove_empty_groups(std::string name) {
  for (std::size_t end; (end = name.rfind('/')) != std::string::npos && end != 0;) {
    name.resize(end);
    H5G_info_t info{};
    const Handle group(H5Gopen2(file_->group.get(), name.c_str(), H5P_DEFAULT), &H5Gclose);
    if (!group || H5Gget_info(group.get(), &info) < 0 || info.nlinks != 0 ||
        H5Aget_num_attrs(group.get()) != 0)
      return;
    if (H5Ldelete(file_->group.get(), name.c_str(), H5P_DEFAULT) < 0)
      throw_failed("the removal of " + quote(name));
  }
  file_->host.check_written();
}

void DatasetWriter::commit(Call& call) {
  end_blob(call);
  const Session session(file_->host, call);
  for (std::string& name : removed_) remove_empty_groups(std::move(name));
  if (!file_->file || H5Fflush(file_->file.get(), H5F_SCOPE_GLOBAL) < 0) throw_failed("the groups");
  file_->group.reset();
  // Closing writes the end of the file.
  if (!file_->file.reset()) throw_failed("the end of the file");
  file_->host.check_written();
}

}  // namespace polycodec::hdf5
